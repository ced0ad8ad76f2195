/// An address that may be asked: `http` or `https`, or `webcal`, which is asked by `https`.
struct RemoteAddress {
  /// As libcurl takes it.
  let url: String
  let isEncrypted: Bool
  /// `https://calendar.example.com/…`: the rest of an address is often a secret.
  let displayName: String

  init(_ text: String) throws(FetchError) {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw .wrongUsage("an address begins with https://, http:// or webcal://")
    }
    let rest = text[colon...].dropFirst(3)
    let isPlain: Bool
    switch text[..<colon].lowercased() {
    case "https", "webcal", "webcals": isPlain = false
    case "http": isPlain = true
    default: throw .wrongUsage("only https, http and webcal are fetched")
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    guard !(host ?? authority).isEmpty,
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f })
    else { throw .wrongUsage("the address is not one: it has blanks, or no host") }
    let scheme = isPlain ? "http" : "https"
    url = "\(scheme)://\(rest)"
    isEncrypted = !isPlain
    displayName = "\(scheme)://\(host ?? authority)/…"
  }
}
