/// An address as the destination of a link: in HTML, in Markdown, on a terminal, for a browser.
package enum LinkDestination {
  /// The address, or `nil` if it must not become a link: only http, https and mailto are allowed.
  /// Every character that could end the destination early is percent-encoded.
  static func of(_ address: String) -> String? {
    let trimmed = SafeText.line(address)
    let scheme = trimmed.prefix { $0 != ":" }.lowercased()
    guard ["http", "https", "mailto"].contains(scheme), trimmed.utf8.count > scheme.utf8.count + 1
    else { return nil }
    return encoded(trimmed)
  }

  /// The address of a web page as it is given to a browser or a terminal: only http and https, and only
  /// printable ASCII characters. `nil` for any other address, and for one without a host.
  package static func ofWebPage(_ address: String) -> String? {
    let trimmed = SafeText.line(address)
    let scheme = trimmed.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme),
      trimmed.dropFirst(scheme.count).hasPrefix("://"), trimmed.utf8.count <= longestAddress
    else { return nil }
    var bytes: [UInt8] = []
    for byte in trimmed.utf8 {
      switch byte {
      case 0...0x20, 0x7f..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
        UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "|"), UInt8(ascii: "^"):
        append(byte, to: &bytes)
      default: bytes.append(byte)
      }
    }
    let encoded = String(decoding: bytes, as: UTF8.self)
    return host(of: encoded).isEmpty ? nil : encoded
  }

  /// The host of an address that `ofWebPage` returned: what is left of the authority without the name
  /// of a user in front of it, which could look like another host.
  package static func host(of address: String) -> String {
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    let authority = address[start...].prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(host ?? authority)
  }

  /// Terminals refuse longer ones.
  static let longestAddress = 2_000

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
  }

  /// `a%20b&amp;c` for `a b&c`.
  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0...0x20, 0x7f..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("),
        UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\"),
        UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: "^"), UInt8(ascii: "*"):
        append(byte, to: &bytes)
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
