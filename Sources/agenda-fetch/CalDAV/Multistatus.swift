internal import FetchProtocol

/// The answer to PROPFIND and REPORT (RFC 4918, section 13).
struct Multistatus {
  var responses: [Response] = []
  var token: String?

  struct Response {
    /// The canonical path.
    let path: String
    /// The status of the whole resource; `nil` if each property has one.
    let status: Int?
    /// The properties that the server found.
    let properties: [XMLElement]

    func property(_ name: XMLName) -> XMLElement? { properties.first { $0.name == name } }
    func text(_ name: XMLName) -> String? { property(name)?.text }
  }

  /// What is left out: resources of other origins, which this server cannot vouch for.
  init(_ answer: WebAnswer) throws(FetchFailure) {
    let root = try XMLReading.root(of: answer.body)
    guard root.name == .dav("multistatus") else {
      throw FetchFailure("the server did not answer as a CalDAV server does")
    }
    token = root.first(.dav("sync-token"))?.text
    for element in root.all(.dav("response")) {
      let found = element.all(.dav("propstat")).filter {
        Self.status($0).map { (200...299).contains($0) } ?? true
      }
      let properties = found.flatMap { $0.first(.dav("prop"))?.children ?? [] }
      let status = Self.status(element)
      for href in element.all(.dav("href")) {
        guard let text = href.text, let path = answer.address.path(of: text) else { continue }
        // A resource whose properties are all missing is missing itself, for some servers.
        let isMissing =
          status == nil && properties.isEmpty
          && element.all(.dav("propstat")).contains { Self.status($0) == 404 }
        responses.append(
          Response(path: path, status: isMissing ? 404 : status, properties: properties))
      }
    }
  }

  /// 404 of `HTTP/1.1 404 Not Found`.
  private static func status(_ element: XMLElement) -> Int? {
    let words = element.first(.dav("status"))?.text?.split(separator: " ") ?? []
    return words.dropFirst().first.flatMap { Int($0) }
  }
}

extension FetchFailure {
  /// Whether an error answer names a precondition, such as `DAV:valid-sync-token`.
  static func names(_ condition: XMLName, _ answer: WebAnswer) -> Bool {
    guard let root = try? XMLReading.root(of: answer.body) else { return false }
    return root.name == .dav("error") && root.has(condition)
  }
}
