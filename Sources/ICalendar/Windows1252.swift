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
    transcode(bytes) { byte in byte < 0xA0 ? upper[Int(byte) - 0x80] : UInt16(byte) }
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

  /// ISO 8859-15 in UTF-8.
  package static func latin9(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    transcode(bytes) { byte in
      switch byte {
      case 0xA4: 0x20AC
      case 0xA6: 0x0160
      case 0xA8: 0x0161
      case 0xB4: 0x017D
      case 0xB8: 0x017E
      case 0xBC: 0x0152
      case 0xBD: 0x0153
      case 0xBE: 0x0178
      default: UInt16(byte)
      }
    }
  }

  /// 0x80 to 0xBF of Windows-1251; the letters from А to я follow.
  private static let upperCyrillic: [UInt16] = [
    0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021,
    0x20AC, 0x2030, 0x0409, 0x2039, 0x040A, 0x040C, 0x040B, 0x040F,
    0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x0098, 0x2122, 0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F,
    0x00A0, 0x040E, 0x045E, 0x0408, 0x00A4, 0x0490, 0x00A6, 0x00A7,
    0x0401, 0x00A9, 0x0404, 0x00AB, 0x00AC, 0x00AD, 0x00AE, 0x0407,
    0x00B0, 0x00B1, 0x0406, 0x0456, 0x0491, 0x00B5, 0x00B6, 0x00B7,
    0x0451, 0x2116, 0x0454, 0x00BB, 0x0458, 0x0405, 0x0455, 0x0457,
  ]

  /// Windows-1251 in UTF-8.
  static func cyrillic(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    transcode(bytes) { byte in
      byte < 0xC0 ? upperCyrillic[Int(byte) - 0x80] : 0x0410 + UInt16(byte) - 0xC0
    }
  }

  private static func transcode(_ bytes: UnsafeBufferPointer<UInt8>, _ upperHalf: (UInt8) -> UInt16)
    -> [UInt8]
  {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        result.append(byte)
        continue
      }
      let code = upperHalf(byte)
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
}
