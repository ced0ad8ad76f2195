/// Quoted-printable values of vCalendar 1.0, which old phones and Outlook still write.
package enum QuotedPrintable {
  /// Decodes `=C3`; a `=` without two hexadecimal digits stays.
  package static func decode(_ value: Bytes) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(value.count)
    var index = 0
    while index < value.count {
      let byte = value[index]
      index += 1
      guard byte == 0x3D else {
        plain.append(byte)
        continue
      }
      if index + 1 < value.count, let high = hexadecimal(value[index]),
        let low = hexadecimal(value[index + 1])
      {
        plain.append(high << 4 | low)
        index += 2
      } else {
        plain.append(byte)
      }
    }
    return plain
  }

  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
