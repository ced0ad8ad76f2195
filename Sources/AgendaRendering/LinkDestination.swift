/// An address as a link's destination, in HTML and in Markdown.
enum LinkDestination {
  /// The address, or `nil` if it must not become a link: only http, https and mailto are allowed.
  /// Every character that could end the destination early is percent-encoded.
  static func of(_ address: String) -> String? {
    let trimmed = SafeText.line(address)
    let scheme = trimmed.prefix { $0 != ":" }.lowercased()
    guard ["http", "https", "mailto"].contains(scheme), trimmed.utf8.count > scheme.utf8.count + 1
    else { return nil }
    return encoded(trimmed)
  }

  /// `a%20b&amp;c` for `a b&c`.
  static func encoded(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0...0x20, 0x7f..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("),
        UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\"),
        UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: "^"), UInt8(ascii: "*"):
        bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
