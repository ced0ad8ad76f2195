/// A SOURCE of the command line.
enum SourceAddress {
  case standardInput
  case path(String)
  /// `http`, `https` or `webcal`.
  case url(SafeURL)

  init(_ text: String) {
    if text == "-" {
      self = .standardInput
    } else if let url = SafeURL(text) {
      self = .url(url)
    } else {
      self = .path(text)
    }
  }

  /// What messages call it: never the secret part of a URL.
  var displayName: String {
    switch self {
    case .standardInput: "standard input"
    case .path(let path): path
    case .url(let url): url.displayName
    }
  }
}

/// An address on the network, shown as its origin and a short digest: the rest is often a secret.
struct SafeURL {
  /// All of it, for the one that fetches it and for the store.
  let address: String
  let scheme: String
  /// The host and port, without user name and password.
  let origin: String
  private let digest: UInt32

  /// What a calendar from there is called that has no name of its own.
  var host: String {
    guard let colon = origin.lastIndex(of: ":"), origin[colon...].dropFirst().allSatisfy(\.isNumber)
    else { return origin }
    return String(origin[..<colon])
  }

  /// `nil` for anything but `http`, `https` and `webcal`.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    let rest = text[colon...]
    guard ["http", "https", "webcal", "webcals"].contains(scheme), rest.hasPrefix("://") else {
      return nil
    }
    let authority = rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    address = text
    self.scheme = scheme
    origin = String(host ?? authority)
    // FNV-1a: enough to tell two addresses of one origin apart, too little to guess from.
    digest = text.utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  /// `https://calendar.example.com/…#1f3a`
  var displayName: String {
    let digits = String(digest >> 16, radix: 16)
    return "\(scheme)://\(origin)/…#\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }
}
