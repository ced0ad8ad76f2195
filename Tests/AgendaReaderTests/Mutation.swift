import TestSupport

/// A small change to the bytes of a component, of the kinds that transfers, editors and producers
/// make.
enum Mutation {
  private static let tokens = [
    "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VALARM", "END:VALARM", "BEGIN:VTODO", "BEGIN:X-FOO",
    "END:VCALENDAR", "BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "DTSTART:20261301T000000",
    "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=SECONDLY", "RRULE:FREQ=YEARLY;BYDAY=255SU",
    "EXDATE:", "EXDATE:20260101,,20260102T,", "DURATION:P99999999999999999999W", "DURATION:-P",
    "SEQUENCE:99999999999999999999", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260101T000000Z",
    "DTEND;TZID=\"../../etc/passwd\":20260101T000000", "RDATE;VALUE=PERIOD:20260101T000000Z/",
    "SUMMARY;ENCODING=QUOTED-PRINTABLE:=C3=", "GEO:;", "ATTACH;ENCODING=BASE64:====", "J", ":", ";",
    "\"", "=", "\\", "\r", "\n ", "\n\t", "\0", "\u{1B}[2J", "\u{FEFF}", ";X=\"", "9999999999",
    "-1",
    "T240000", "Z", ",", "%s%n", "<a href=", "<!--", "&#x110000;", "TRIGGER:-PT0DT0H10M0S",
  ]

  static func mutate(_ bytes: [UInt8], with generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard !bytes.isEmpty else { return bytes }
      let position = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: bytes.remove(at: position)
      case 3:
        let end = min(bytes.count, position + Int.random(in: 1...40, using: &generator))
        bytes.removeSubrange(position..<end)
      case 4:
        let end = min(bytes.count, position + Int.random(in: 1...200, using: &generator))
        bytes.insert(contentsOf: bytes[position..<end], at: position)
      case 5, 6:
        let token = tokens.randomElement(using: &generator) ?? ""
        bytes.insert(contentsOf: token.utf8, at: position)
      case 7: bytes = withLines(of: bytes, using: &generator) { $0.remove(at: $1) }
      case 8:
        let token = tokens.randomElement(using: &generator) ?? ""
        bytes = withLines(of: bytes, using: &generator) { $0.insert(Array(token.utf8), at: $1) }
      default: bytes = withLines(of: bytes, using: &generator) { $0.swapAt($1, 0) }
      }
    }
    return bytes
  }

  private static func withLines(
    of bytes: [UInt8], using generator: inout SeededGenerator,
    _ change: (inout [[UInt8]], Int) -> Void
  ) -> [UInt8] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    change(&lines, Int.random(in: 0..<lines.count, using: &generator))
    return Array(lines.joined(separator: [0x0A]))
  }
}
