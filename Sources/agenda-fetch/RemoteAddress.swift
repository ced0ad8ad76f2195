internal import CCurl
internal import FetchProtocol

/// An address that may be fetched: `http` or `https`, or `webcal`, which means `https`.
struct RemoteAddress {
  /// For libcurl; without user name and password.
  let url: String
  let isEncrypted: Bool
  /// The scheme, host and port: credentials are sent nowhere else.
  let origin: String
  /// `ana` and `secret` of `https://ana:secret@example.com/`, percent-decoded.
  let credentials: Credentials?
  /// `ana:secret` as it was written.
  private let userInformation: Substring?

  struct Credentials: Equatable {
    var user: String
    var password: String?
  }

  init(_ text: String) throws(FetchFailure) {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw FetchFailure("expected an address that begins with https://, http:// or webcal://")
    }
    let scheme = text[..<colon].lowercased()
    switch scheme {
    case "https", "webcal", "webcals": isEncrypted = true
    case "http": isEncrypted = false
    default:
      throw FetchFailure(
        "\(scheme): addresses are not supported; use https, http or webcal")
    }
    let rest = text[colon...].dropFirst(3)
    // Some characters join with the slash or the sign behind them, but not for libcurl.
    let scalars = rest.unicodeScalars.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let authority = Substring(scalars)
    let at = scalars.lastIndex(of: "@")
    let host = at.map { Substring(scalars[scalars.index(after: $0)...]) } ?? authority
    // A number in brackets has colons of its own.
    let colons = (host.split(separator: "]").last ?? host).utf8.count { $0 == UInt8(ascii: ":") }
    guard !host.isEmpty, host.first != ":", colons <= 1 || host.last == "]",
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f })
    else { throw FetchFailure("invalid address: it contains a blank, or no host") }
    let name = host.lowercased()
    let usualPort = isEncrypted ? ":443" : ":80"
    origin =
      "\(isEncrypted ? "https" : "http")://"
      + (name.hasSuffix(usualPort) ? name.dropLast(usualPort.utf8.count) : name[...])
    url = "\(isEncrypted ? "https" : "http")://\(host)\(rest[scalars.endIndex...])"
    userInformation = at.map { authority[..<$0] }
    credentials = userInformation.map { text in
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return Credentials(
        user: Self.decoded(parts[0]), password: parts.count > 1 ? Self.decoded(parts[1]) : nil)
    }
  }

  /// Where a redirect leads: to `https`, or from `http` to `http`. The credentials of this address
  /// stay with it if the origin is the same; those that the server wrote are ignored.
  func redirected(to text: String) throws(FetchFailure) -> RemoteAddress {
    guard let target = try? RemoteAddress(text), target.isEncrypted || !isEncrypted else {
      throw FetchFailure(
        "redirected to an address that is not followed: neither http nor https, or from https to http"
      )
    }
    let rest = target.url.dropFirst(target.isEncrypted ? 8 : 7)
    let user = target.origin == origin ? userInformation.map { "\($0)@" } : nil
    return try RemoteAddress("\(target.isEncrypted ? "https" : "http")://\(user ?? "")\(rest)")
  }

  /// With the user name and password of the original.
  var text: String {
    guard let userInformation else { return url }
    let scheme = isEncrypted ? "https://" : "http://"
    return "\(scheme)\(userInformation)@\(url.dropFirst(scheme.count))"
  }

  /// `https://calendar.example.com/…`: the rest of an address is often a secret.
  var displayName: String { "\(origin)/…" }

  private static func decoded(_ text: Substring) -> String {
    guard let decoded = curl_easy_unescape(nil, String(text), 0, nil) else { return String(text) }
    defer { curl_free(decoded) }
    return String(cString: decoded)
  }
}
