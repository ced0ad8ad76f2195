internal import CivilTime

/// Reads digits and single characters from the start of a text.
struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads exactly this many digits.
  mutating func number(of count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}

extension CivilDateTime {
  /// Reads `2026-11-24T12:30` or `2026-11-24 12:30`, with or without seconds.
  init?(local text: String) {
    let seconds = text.utf8.count == 16 ? ":00" : ""
    guard text.utf8.count == 16 || text.utf8.count == 19,
      let instant = Instant(rfc3339: text + seconds + "Z")
    else { return nil }
    self = instant.utc
  }
}
