/// A glance at what came: whether it can be a calendar at all, and whether it is whole.
struct CalendarLook {
  private let bytes: ArraySlice<UInt8>

  init(_ body: [UInt8]) {
    var rest = body[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    bytes = rest.drop(while: Self.isBlank)
  }

  func check() throws(FetchError) {
    // UTF-16 is for the reader to judge.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return }
    guard Self.begins(bytes, with: "BEGIN:VCALENDAR") else {
      throw .notACalendar(what: what)
    }
    var end = bytes
    while let last = end.last, Self.isBlank(last) { end = end.dropLast() }
    guard Self.begins(end.suffix(13), with: "END:VCALENDAR") else { throw .cutShort }
  }

  private var what: String {
    switch bytes.first {
    case nil: "nothing"
    case UInt8(ascii: "<"): "HTML or XML"
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
