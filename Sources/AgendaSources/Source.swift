internal import Platform

/// A source of calendars: a file, a folder, an address, or standard input.
package enum Source: Sendable {
  /// Standard input.
  case standardInput
  /// An .ics file or a folder of them.
  case path(String)
  /// An `http`, `https` or `webcal` address.
  case url(SafeURL)

  /// An address or a path.
  package init(_ location: String) {
    if let url = SafeURL(location) {
      self = .url(url)
    } else {
      self = .path(location)
    }
  }

  /// The schemes of addresses that are fetched.
  package static let schemes: Set<String> = ["http", "https", "webcal", "webcals"]

  /// Schemes that also exist without `//`.
  private static let otherSchemes: Set<String> = [
    "about", "blob", "caldav", "caldavs", "data", "file", "ftp", "ftps", "imap", "javascript",
    "mailto", "sftp", "ssh", "tel", "urn",
  ]

  /// The scheme of an address that is not supported, such as `ftp` of `ftp://example.com/a.ics`; `nil`
  /// for a supported address and for a path. It is `http` for `http:/example.com`, which lacks a slash.
  package static func unsupportedScheme(of text: String) -> String? {
    if let colon = text.firstIndex(of: ":") {
      let scheme = text[..<colon].lowercased()
      if otherSchemes.contains(scheme) { return scheme }
      if schemes.contains(scheme), SafeURL(text) == nil { return scheme }
    }
    guard let end = text.firstRange(of: "://"), SafeURL(text) == nil else { return nil }
    let scheme = text[..<end.lowerBound]
    return !scheme.isEmpty
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      ? scheme.lowercased() : nil
  }

  /// Whether it is standard input.
  package var isStandardInput: Bool { if case .standardInput = self { true } else { false } }

  /// The path of a file or folder; `nil` for others.
  package var path: String? { if case .path(let path) = self { path } else { nil } }

  /// The name used in messages, without the secret part of a URL.
  package var displayName: String {
    switch self {
    case .standardInput: "standard input"
    case .path(let path): path
    case .url(let url): url.displayName
    }
  }

  /// The calendar's name if the source doesn't name it.
  var calendarName: String {
    switch self {
    case .standardInput: "stdin"
    case .path(let path): Self.calendarName(ofFile: path)
    case .url(let url): url.host
    }
  }

  /// `work` for `/home/ana/work.ics`.
  static func calendarName(ofFile path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // `.vcs` is the one of vCalendar 1.0, and `.eml` that of a mail.
    for suffix in [".ics", ".vcs", ".eml"]
    where name.utf8.count > suffix.utf8.count && name.lowercased().hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return name
  }

  /// The name used in messages for a file of a folder.
  static func name(ofFile name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}

/// An address on the network, shown as its origin and a short digest: the rest is often a secret.
public struct SafeURL: Sendable {
  /// The whole address, for the fetching program and for the store.
  public let address: String
  public let scheme: String
  /// The host and port, without user name and password.
  public let origin: String
  /// Whether the address contains a user name, and perhaps a password.
  let hasCredentials: Bool
  private let digest: UInt16

  /// The host, which names the calendar if the calendar doesn't name itself.
  public var host: String {
    guard let colon = origin.lastIndex(of: ":"), origin[colon...].dropFirst().allSatisfy(\.isNumber)
    else { return origin }
    return String(origin[..<colon])
  }

  /// `nil` for any scheme but `http`, `https` and `webcal`.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    let rest = text[colon...]
    guard Source.schemes.contains(scheme), rest.hasPrefix("://") else {
      return nil
    }
    let authority = rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    address = text
    hasCredentials = host != nil
    self.scheme = scheme
    origin = String(host ?? authority)
    // Sixteen bits are enough to distinguish two addresses of one origin, and too few to guess the
    // address.
    var digest = StableDigest()
    digest.add(text)
    // FNV-1a barely spreads the last bytes, in which similar addresses differ. This multiplication
    // spreads them (MurmurHash3's fmix64).
    let spread = (digest.value ^ digest.value >> 33) &* 0xff51_afd7_ed55_8ccd
    self.digest = UInt16(truncatingIfNeeded: spread >> 48)
  }

  /// `https://calendar.example.com/…#1f3a`
  public var displayName: String {
    let digits = String(digest, radix: 16)
    return "\(scheme)://\(origin)/…#\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }
}
