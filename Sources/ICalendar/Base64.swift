/// Base64 as producers write inline attachments (RFC 4648): folded, with white space, with or
/// without padding. libical 3 copies the encoded text of a BINARY value and decodes nothing.
package enum Base64 {
  /// The number of bytes that decoding gives, without decoding.
  package static func byteCount(_ text: Bytes) -> Int {
    var digits = 0
    for byte in text where value(of: byte) != nil { digits += 1 }
    return digits / 4 * 3 + max(0, digits % 4 - 1)
  }

  /// The first position that RFC 4648 does not allow, ignoring white space: an invalid character, a
  /// digit after the padding, or a last digit that completes no byte. `nil` if the text is valid.
  package static func fault(in text: Bytes) -> Int? {
    var digits = 0
    var isPadded = false
    var last = 0
    for (place, byte) in text.enumerated() where !byte.isBlank {
      if byte == padding, digits % 4 > 1 || isPadded {
        isPadded = true
        continue
      }
      guard value(of: byte) != nil, !isPadded else { return place }
      digits += 1
      last = place
    }
    return digits % 4 == 1 ? last : nil
  }

  /// The text of some bytes, without line breaks.
  package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var bits: UInt32 = 0
      for offset in 0..<3 {
        bits = bits << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0)
      }
      for place in 0..<4 {
        text.append(place <= count ? digits[Int(bits >> (18 - 6 * UInt32(place))) & 63] : padding)
      }
      index += 3
    }
    return text
  }

  private static let padding = UInt8(ascii: "=")

  /// The decoded bytes; invalid characters are skipped.
  package static func decode(_ text: Bytes) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    var digits = 0
    for byte in text {
      guard let value = value(of: byte) else { continue }
      bits = bits << 6 | UInt32(value)
      digits += 1
      if digits == 4 {
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
        digits = 0
      }
    }
    if digits == 3 {
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    } else if digits == 2 {
      result.append(UInt8(truncatingIfNeeded: bits >> 4))
    }
    return result
  }

  @inline(__always)
  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case 0x2B, 0x2D: 62
    case 0x2F, 0x5F: 63
    default: nil
    }
  }
}
