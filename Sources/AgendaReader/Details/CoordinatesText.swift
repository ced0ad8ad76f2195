internal import AgendaCore
internal import ICalendar

/// Coordinates in the form of GEO (RFC 5545 3.8.1.6) and of `geo:` URIs (RFC 5870). Our own code
/// reads them, because libical 3.0.16 overruns its stack after 100 leading blanks and reads `x1` as
/// 0.
enum CoordinatesText {
  /// `52.51;13.4`
  static func value(_ text: Bytes) -> Coordinates? {
    let separator = text.index(of: 0x3B, from: 0, to: text.count)
    guard separator < text.count else { return nil }
    return coordinates(text.part(0, separator), text.part(separator + 1, text.count))
  }

  /// The two forms that some producers write: with commas in the numbers (`52,51;13,4`), and with a
  /// comma between two numbers that have points (`52.51,13.4`).
  static func malformedValue(_ text: Bytes) -> Coordinates? {
    guard text.count < 100 else { return nil }
    let hasSemicolon = text.contains(0x3B)
    let numbers = text.split(separator: hasSemicolon ? 0x3B : 0x2C)
    guard numbers.count == 2, hasSemicolon || numbers.allSatisfy({ $0.contains(0x2E) }) else {
      return nil
    }
    let repaired = numbers.map { $0.map { $0 == 0x2C ? 0x2E : $0 } }.joined(separator: [0x3B])
    return Array(repaired).withUnsafeBufferPointer(value)
  }

  private static func coordinates(_ latitude: Bytes, _ longitude: Bytes) -> Coordinates? {
    guard let latitude = number(latitude.trimmed), let longitude = number(longitude.trimmed)
    else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }

  /// `geo:37.33,-122.03`, Apple's form of the location of an event.
  static func uri(_ text: String) -> Coordinates? {
    guard let place = text.dropping("GEO:") else { return nil }
    let parts = place.prefix { $0 != ";" }.split(separator: ",")
    guard parts.count >= 2 else { return nil }
    func number(_ part: Substring) -> Double? {
      var part = String(part)
      return part.withUTF8 { Self.number($0) }
    }
    guard let latitude = number(parts[0]), let longitude = number(parts[1]) else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }

  /// A decimal number without an exponent. `Double` would also read `0x10` and `nan`.
  private static func number(_ text: Bytes) -> Double? {
    let isSigned = text.first == 0x2B || text.first == 0x2D
    let digits = text.dropFirst(isSigned ? 1 : 0)
    guard text.count < 100, digits.contains(where: \.isDigit),
      digits.allSatisfy({ $0.isDigit || $0 == 0x2E })
    else { return nil }
    return Double(text.text)
  }
}
