internal import FetchProtocol

/// Addresses inside of one server. Servers write the same path in different ways (`%40` and `@`), so
/// paths are compared and stored in one form.
extension RemoteAddress {
  /// The canonical path, which begins with a slash.
  var path: String {
    // The origin lacks the usual port, which the address can have.
    let rest = url.unicodeScalars.dropFirst(isEncrypted ? 8 : 7).prefix { $0 != "?" && $0 != "#" }
    return rest.firstIndex(of: "/").map { Self.canonical(Substring(rest[$0...])) } ?? "/"
  }

  /// The address with another path of the same server.
  func with(path: String) throws(FetchFailure) -> RemoteAddress {
    try RemoteAddress(origin + path)
  }

  /// The canonical path of an `href` in an answer from this address; `nil` for another origin.
  func path(of href: String) -> String? {
    // Almost all are paths.
    if href.utf8.first == UInt8(ascii: "/"), !href.utf8.starts(with: "//".utf8) {
      return Self.canonical(href[...])
    }
    guard let target = try? resolving(href), target.origin == origin else { return nil }
    return target.path
  }

  /// The address that an `href` names.
  func resolving(_ href: String) throws(FetchFailure) -> RemoteAddress {
    if href.hasPrefix("//") {
      return try RemoteAddress((isEncrypted ? "https:" : "http:") + href)
    }
    if href.contains("://") {
      let target = try RemoteAddress(href)
      guard target.isEncrypted || !isEncrypted else {
        throw FetchFailure("the server names an address without encryption")
      }
      return try RemoteAddress(target.origin + target.path)
    }
    if href.hasPrefix("/") { return try with(path: Self.canonical(href[...])) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return try with(path: Self.canonical("\(folder)\(href)"))
  }

  /// Whether only this computer answers there.
  var isLoopback: Bool {
    let host = origin[origin.index(origin.startIndex, offsetBy: isEncrypted ? 8 : 7)...]
    if host.hasPrefix("[::1]") { return true }
    let name = host.prefix { $0 != ":" }
    if name == "localhost" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The host if it has a name in the Internet; `nil` for a number and for this computer.
  var namedHost: String? {
    let host = origin[origin.index(origin.startIndex, offsetBy: isEncrypted ? 8 : 7)...]
      .prefix { $0 != ":" }
    let isNumber = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
    return isNumber || isLoopback || !host.contains(".") ? nil : String(host)
  }

  /// Characters that a path may contain as they are (RFC 3986, section 3.3) are not escaped, and all
  /// others are. An escaped slash stays escaped.
  static func canonical(_ text: Substring) -> String {
    // Most paths have only such characters.
    if text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || isPlain($0) }) { return String(text) }
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      var isEscaped = false
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        byte = high << 4 | low
        isEscaped = true
        index += 2
      }
      index += 1
      if byte == UInt8(ascii: "/") ? !isEscaped : isPlain(byte) {
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
