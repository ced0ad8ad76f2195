internal import FetchProtocol

/// One HTTP request to a CalDAV server.
struct WebRequest {
  var method: String
  var address: RemoteAddress
  var fields: [String] = []
  var body: [UInt8]?

  /// Whether it may be sent again after its connection broke.
  var isRepeatable: Bool { !["PUT", "DELETE", "MOVE"].contains(method) }

  static func propfind(
    _ address: RemoteAddress, depth: Int, _ properties: [String]
  ) -> WebRequest {
    xml(
      "PROPFIND", address, depth: depth,
      "<D:propfind \(namespaces)><D:prop>"
        + properties.map { "<\($0)/>" }.joined() + "</D:prop></D:propfind>")
  }

  /// The changes since a token; all objects without one.
  static func changes(of address: RemoteAddress, since token: String?) -> WebRequest {
    xml(
      "REPORT", address, depth: 0,
      "<D:sync-collection \(namespaces)><D:sync-token>\(escaped(token ?? ""))</D:sync-token>"
        + "<D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>")
  }

  static func objects(of address: RemoteAddress, _ paths: [String]) -> WebRequest {
    // Servers ignore Depth here, and clients should not send it (RFC 4791, section 7.9).
    xml(
      "REPORT", address, depth: nil,
      "<C:calendar-multiget \(namespaces)><D:prop><D:getetag/><C:calendar-data/>"
        + "</D:prop>" + paths.map { "<D:href>\(escaped($0))</D:href>" }.joined()
        + "</C:calendar-multiget>")
  }

  private static let namespaces =
    "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\" "
    + "xmlns:S=\"http://calendarserver.org/ns/\" xmlns:I=\"http://apple.com/ns/ical/\""

  private static func xml(
    _ method: String, _ address: RemoteAddress, depth: Int?, _ content: String
  ) -> WebRequest {
    let text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\(content)"
    return WebRequest(
      method: method, address: address,
      fields: (depth.map { ["Depth: \($0)"] } ?? [])
        + ["Content-Type: application/xml; charset=utf-8"],
      body: Array(text.utf8))
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
    return result
  }
}

/// The answer to a request.
struct WebAnswer {
  var status: Int
  /// The address that answered, after redirects.
  var address: RemoteAddress
  var fields: ServerFields
  var body: [UInt8]
  /// Whether credentials were sent.
  var hadCredentials: Bool

  /// Whether an object was written. A page of a log-in has 200, too. Some servers send a page with 201.
  var isDone: Bool {
    switch status {
    case 201, 202, 204: true
    case 200: body.allSatisfy { $0 <= 0x20 } || isCalendar || fields.contentType.hasSuffix("/xml")
    default: false
    }
  }

  /// Whether its body is a calendar object.
  var isCalendar: Bool {
    fields.contentType == "text/calendar"
      || body.drop { $0 <= 0x20 || $0 >= 0x80 }.starts(with: "BEGIN:VCALENDAR".utf8)
  }

  /// Whether the server says that a condition with this name does not hold (RFC 4918, section 16).
  func names(_ condition: XMLName) -> Bool {
    (try? XMLReading.root(of: body))?.has(condition) == true
  }

  /// Whether a person or time has to decide before anything else can be tried.
  var mustWait: Bool { [401, 407, 429, 503].contains(status) }

  func requireMultistatus() throws(FetchFailure) -> Multistatus {
    guard status == 207 else { throw failure }
    return try Multistatus(self)
  }

  var failure: FetchFailure {
    var failure = failureOfStatus
    failure.retryAfter = fields.retryAfter
    return failure
  }

  private var failureOfStatus: FetchFailure {
    switch status {
    case 200...299:
      FetchFailure("the server did not answer as a CalDAV server does (\(status))", status: status)
    case 401 where !hadCredentials:
      FetchFailure(
        "the server asks who you are (401)",
        hint: "--user NAME, with --password-command or a typed password", status: 401)
    case 401: FetchFailure("the user name or password was refused (401)", status: 401)
    case 405, 501: FetchFailure("no CalDAV server answers there (\(status))", status: status)
    case 409: FetchFailure("the server refused the object (409)", status: status)
    case 413: FetchFailure("too large for the server (413)", status: status)
    case 423: FetchFailure("locked by another program (423)", status: status)
    case 507: FetchFailure("no space left on the server (507)", status: status)
    default: FetchError.failure(status: status)
    }
  }
}

/// The header fields of an answer that CalDAV needs.
struct ServerFields {
  var entityTag: String?
  /// The type of the body, without its parameters, in lower case.
  var contentType = ""
  var location: String?
  var features: [String] = []
  /// The schemes of authentication that the server offers, in lower case.
  var schemes: [String] = []
  var retryAfter: String?

  /// A tag that identifies exactly these bytes; a weak one does not (RFC 9110, section 8.8.1).
  var strongTag: String? { entityTag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }

  mutating func read(_ line: String) {
    // A status line begins another answer.
    if line.lowercased().hasPrefix("http/") { self = ServerFields() }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...].trimmingBlanks
    guard !value.isEmpty, value.utf8.count <= 8_192,
      value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
    else { return }
    switch line[..<colon].lowercased() {
    case "etag": entityTag = value
    case "content-type":
      contentType = value.prefix { $0 != ";" }.trimmingBlanks.lowercased()
    case "location": location = value
    case "retry-after": retryAfter = value
    case "dav": features += value.split(separator: ",").map { $0.trimmingBlanks.lowercased() }
    case "www-authenticate":
      schemes.append(value.prefix { $0 != " " }.lowercased())
    default: break
    }
  }
}
