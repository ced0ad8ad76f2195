internal import FetchProtocol

/// A quick look at a body: whether it can be a calendar, and whether it is complete.
struct CalendarCheck {
  private let bytes: ArraySlice<UInt8>

  init(_ body: [UInt8]) {
    var rest = body[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    bytes = rest.drop(while: Self.isBlank)
  }

  func run() throws(FetchFailure) {
    // Only the reader checks UTF-16.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return }
    guard let first = bytes.first else { throw FetchFailure("empty answer") }
    guard Self.begins(bytes, with: "BEGIN:VCALENDAR") else {
      throw FetchFailure(
        "answered with \(Self.kind(of: first)) instead of a calendar", status: 200)
    }
    var end = bytes
    while let last = end.last, Self.isBlank(last) { end = end.dropLast() }
    guard Self.begins(end.suffix(13), with: "END:VCALENDAR") else {
      throw FetchFailure("incomplete answer: no END:VCALENDAR at its end")
    }
  }

  private static func kind(of first: UInt8) -> String {
    switch first {
    case UInt8(ascii: "<"): "HTML or XML (a login page?)"
    case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
    default: "something else"
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func begins(_ bytes: ArraySlice<UInt8>, with word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in
      bytes.count >= letters.count
        && zip(bytes, letters).allSatisfy { byte, letter in
          byte == letter || ((0x61...0x7a).contains(byte) && byte & 0xDF == letter)
        }
    }
  }
}
