import ICalendar
import Testing

/// UTF-8 of bytes, compared with the standard library.
@Suite struct UTF8Tests {
  /// Bytes at the borders of what RFC 3629 (4) allows.
  private static let borders: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF,
  ]

  private func isValid(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  @Test(
    "what is UTF-8 for the standard library is UTF-8, after each byte that can begin a character")
  func borders() {
    for first in UInt8.min...UInt8.max {
      for second in Self.borders {
        for third in Self.borders {
          for fourth in Self.borders {
            let bytes = [first, second, third, fourth]
            let found = bytes.withUnsafeBufferPointer { $0.isUTF8 }
            if found != isValid(bytes) {
              Issue.record("\(bytes): \(found ? "" : "not ")UTF-8")
              return
            }
          }
        }
      }
    }
  }

  @Test("a character that the end cuts off is not UTF-8")
  func cut() {
    for text in ["é", "€", "\u{10348}", "12345678é", "1234567\u{10348}"] {
      let bytes = Array(text.utf8)
      for end in 0...bytes.count {
        let part = Array(bytes[..<end])
        #expect(part.withUnsafeBufferPointer { $0.isUTF8 } == isValid(part))
      }
    }
  }

  @Test("the length of each character is that of its code, and 0 within one")
  func lengths() throws {
    for value in [
      0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x3FFFF, 0x40000,
      0x10FFFF,
    ] {
      let scalar = try #require(Unicode.Scalar(UInt32(value)))
      let bytes = Array(String(Character(scalar)).utf8)
      bytes.withUnsafeBufferPointer {
        #expect($0.utf8Length(at: 0) == bytes.count)
        for index in 1..<bytes.count { #expect($0.utf8Length(at: index) == 0) }
      }
    }
  }
}
