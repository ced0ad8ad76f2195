/// Paths of addresses (RFC 3986, section 3.3). Servers write the same path in different ways (`%40` and
/// `@`). A path is asked for as the server wrote it, and compared in one form.
extension String {
  /// The form of a path, or of a whole address, that is compared. Characters that a path may contain as
  /// they are are not escaped, and all others are. An escaped slash stays escaped.
  package var comparablePath: String {
    // Most paths have only such characters.
    if utf8.allSatisfy({ $0 == UInt8(ascii: "/") || Self.isPlain($0) }) { return self }
    return rewritten(keepsEscapes: false)
  }

  /// A path as it was written, with an escape for what an address cannot contain.
  package var sendablePath: String {
    if utf8.allSatisfy({ $0 == UInt8(ascii: "/") || Self.isPlain($0) }) { return self }
    return rewritten(keepsEscapes: true)
  }

  private func rewritten(keepsEscapes: Bool) -> String {
    var result: [UInt8] = []
    let bytes = Array(utf8)
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      var isEscaped = false
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = Self.digit(bytes[index + 1]), let low = Self.digit(bytes[index + 2])
      {
        if keepsEscapes {
          result += bytes[index...index + 2]
          index += 3
          continue
        }
        byte = high << 4 | low
        isEscaped = true
        index += 2
      }
      index += 1
      if byte == UInt8(ascii: "/") ? !isEscaped : Self.isPlain(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result += [byte >> 4, byte & 0xF].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    // - . _ ~ ! $ & ' ( ) * + , ; = : @
    case 0x2D, 0x2E, 0x5F, 0x7E, 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D, 0x3A, 0x40: true
    default: false
    }
  }
}
