internal import CivilTime

extension Instant {
  /// Reads RFC 3339: `2026-11-21T09:00:00+01:00`, `2026-11-21T08:00:00Z`. A blank may stand for the
  /// `T`, seconds may be missing, a fraction of a second is dropped.
  init?(rfc3339 text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(of: 4), scanner.skip("-"), let month = scanner.number(of: 2),
      scanner.skip("-"), let day = scanner.number(of: 2),
      scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let hour = scanner.number(of: 2), scanner.skip(":"), let minute = scanner.number(of: 2)
    else { return nil }
    var second = 0
    if scanner.skip(":") {
      guard let found = scanner.number(of: 2) else { return nil }
      second = found
      if scanner.skip(".") { guard scanner.skipDigits() else { return nil } }
    }
    guard let date = CivilDate(year: year, month: month, day: day),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else { return nil }
    var offset = 0
    if !(scanner.skip("Z") || scanner.skip("z")) {
      let isWest = scanner.skip("-")
      guard isWest || scanner.skip("+"), let hours = scanner.number(of: 2), hours < 24,
        scanner.skip(":"), let minutes = scanner.number(of: 2), minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * 60
      if isWest { offset = -offset }
    }
    guard scanner.isAtEnd else { return nil }
    self = Instant(utc: CivilDateTime(date, time)).adding(seconds: -offset)
  }
}

extension CivilDateTime {
  /// Reads `2026-11-24T12:30` or `2026-11-24 12:30`, with or without seconds.
  init?(local text: String) {
    guard let instant = Instant(rfc3339: text + "Z"), text.last != "Z" else { return nil }
    self = instant.utc
  }
}

/// Digits and single characters from the front of a text.
struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Exactly so many digits.
  mutating func number(of count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// At least one digit.
  mutating func skipDigits() -> Bool {
    guard let first = rest.first, Self.isDigit(first) else { return false }
    rest = rest.drop(while: Self.isDigit)
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
