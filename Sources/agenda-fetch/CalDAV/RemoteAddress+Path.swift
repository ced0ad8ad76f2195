internal import FetchProtocol

/// Addresses inside of one server.
extension RemoteAddress {
  /// The path as it was written, which begins with a slash.
  var path: String {
    // The origin lacks the usual port, which the address can have.
    let rest = url.unicodeScalars.dropFirst(isEncrypted ? 8 : 7).prefix { $0 != "?" && $0 != "#" }
    return rest.firstIndex(of: "/").map { String(rest[$0...]).sendablePath } ?? "/"
  }

  /// The address with another path of the same server.
  func with(path: String) throws(FetchFailure) -> RemoteAddress {
    try RemoteAddress(origin + path)
  }

  /// Whether two paths of a server are the same, with or without a slash at the end.
  static func isSame(_ path: String, _ other: String) -> Bool {
    func folder(_ path: String) -> String { path.utf8.last == 0x2F ? path : path + "/" }
    return path == other || folder(path.comparablePath) == folder(other.comparablePath)
  }

  /// The path of an `href` in an answer from this address; `nil` if it is not an address. A server behind
  /// another one can write its own origin, which only it knows, so that the path alone counts.
  func path(of href: String) -> String? {
    let isAddress = href.utf8.starts(with: "//".utf8) || href.contains("://")
    // Almost all are paths.
    if href.utf8.first == UInt8(ascii: "/"), !isAddress { return href.sendablePath }
    if isAddress {
      return (try? RemoteAddress(href.contains("://") ? href : "https:" + href))?.path
    }
    return (try? resolving(href))?.path
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
    if href.hasPrefix("/") { return try with(path: href.sendablePath) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return try with(path: "\(folder)\(href)".sendablePath)
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
}
