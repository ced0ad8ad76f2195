/// The encoding of old Outlook, Lotus Notes and many timetables.
package enum Windows1252 {
  /// 0x80 to 0x9F, where it differs from ISO 8859-1; the five bytes without a meaning are the C1
  /// controls of the same number, as the WHATWG's table has them.
  private static let upper: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]

  /// Text in UTF-8.
  package static func utf8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        result.append(byte)
        continue
      }
      let code = byte < 0xA0 ? upper[Int(byte) - 0x80] : UInt16(byte)
      if code < 0x800 {
        result.append(UInt8(truncatingIfNeeded: 0xC0 | code >> 6))
      } else {
        result.append(UInt8(truncatingIfNeeded: 0xE0 | code >> 12))
        result.append(UInt8(truncatingIfNeeded: 0x80 | (code >> 6) & 0x3F))
      }
      result.append(UInt8(truncatingIfNeeded: 0x80 | code & 0x3F))
    }
    return result
  }

  /// The bytes that are valid UTF-8 as they are, and all others as Windows-1252: one damaged byte
  /// leaves the rest of its text readable.
  package static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    var index = 0
    while index < bytes.count {
      let length = bytes[index] < 0x80 ? 1 : bytes.utf8Length(at: index)
      let end = index + max(length, 1)
      let part = bytes.part(index, end)
      result += length > 0 ? Array(part) : utf8(part)
      index = end
    }
    return result
  }
}
