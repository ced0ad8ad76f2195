/// What `agenda` and `agenda-fetch --caldav` say to each other about the calendars of one server.
///
/// The conversation begins with a ``ServerLogin``. Any number of requests follow, and each gets one
/// answer, in any order. Only addresses, tags and the text of calendar objects cross the pipe: XML stays
/// in `agenda-fetch`.
package struct ServerLogin: Equatable, Sendable {
  package var user: String?
  package var password: String?
  /// A token for Bearer authentication, in place of user and password.
  package var token: String?
  package var limits = FetchLimits()
  /// A file of certificates to trust instead of the system's.
  package var certificates: String?
  /// Other origins that get the credentials, such as `https://p42-caldav.icloud.com`.
  package var trustedOrigins: [String] = []

  package init() {}

  package init?(_ message: FetchMessage) {
    guard message["job"] == "login" else { return nil }
    user = message["user"]
    password = message["password"]
    token = message["token"]
    limits.seconds = message["timeout"].flatMap(Int.init) ?? limits.seconds
    limits.bytes = message["max-size"].flatMap(Int.init) ?? limits.bytes
    certificates = message["cacert"]
    trustedOrigins = message.list("trusted")
  }

  package var message: FetchMessage {
    var message = FetchMessage()
    message["job"] = "login"
    message["user"] = user
    message["password"] = password
    message["token"] = token
    message["timeout"] = String(limits.seconds)
    message["max-size"] = String(limits.bytes)
    message["cacert"] = certificates
    message.set("trusted", trustedOrigins)
    return message
  }
}

/// One request about the calendars of a server.
package struct ServerRequest: Equatable, Sendable {
  /// Identifies the answer.
  package var number: Int
  package var job: Job

  package enum Job: Equatable, Sendable {
    /// Finds the calendars of an account (RFC 6764) from any address of it.
    case find(address: String)
    /// Lists calendars again: those of these homes, and these single ones.
    case list(homes: [String], calendars: [String])
    /// What changed in a calendar since this synchronisation token (RFC 6578). Without a token, all of
    /// its objects are listed. `usesTokens` is false for a server without tokens.
    case changes(calendar: String, token: String?, usesTokens: Bool)
    /// The objects of a calendar with these paths.
    case get(calendar: String, paths: [String])
    case put(calendar: String, path: String, Condition, [UInt8])
    case delete(calendar: String, path: String, Condition)
    /// Moves an object to another calendar of the account (RFC 4918, section 9.9), which must not have an
    /// object there. It is for servers that accept a UID only once in all calendars of a user.
    case move(calendar: String, path: String, Condition, target: String)
  }

  /// When an object may be written. It protects the changes of others.
  package enum Condition: Equatable, Sendable {
    /// The server must have no object there.
    case isNew
    /// The server's object must still have this tag.
    case hasTag(String)
    /// The object must exist; the server gives no tags to compare.
    case exists
  }

  package init(number: Int, job: Job) {
    self.number = number
    self.job = job
  }

  package init?(_ message: FetchMessage) {
    guard let number = message["request"].flatMap(Int.init) else { return nil }
    let calendar = message["url"] ?? ""
    switch message["job"] {
    case "find": job = .find(address: calendar)
    case "list":
      job = .list(homes: message.list("homes"), calendars: message.list("calendars"))
    case "changes":
      job = .changes(
        calendar: calendar, token: message["token"], usesTokens: message["tokens"] != "no")
    case "get":
      let lines = message.body.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      job = .get(calendar: calendar, paths: lines)
    case "put":
      guard let path = message["path"], let condition = Condition(message) else { return nil }
      job = .put(calendar: calendar, path: path, condition, message.body)
    case "delete":
      guard let path = message["path"], let condition = Condition(message) else { return nil }
      job = .delete(calendar: calendar, path: path, condition)
    case "move":
      guard let path = message["path"], let condition = Condition(message),
        let target = message["target"]
      else { return nil }
      job = .move(calendar: calendar, path: path, condition, target: target)
    default: return nil
    }
    self.number = number
  }

  package var message: FetchMessage {
    var message = FetchMessage()
    message["request"] = String(number)
    switch job {
    case .find(let address):
      message["job"] = "find"
      message["url"] = address
    case .list(let homes, let calendars):
      message["job"] = "list"
      message.set("homes", homes)
      message.set("calendars", calendars)
    case .changes(let calendar, let token, let usesTokens):
      message["job"] = "changes"
      message["url"] = calendar
      message["token"] = token
      if !usesTokens { message["tokens"] = "no" }
    case .get(let calendar, let paths):
      message["job"] = "get"
      message["url"] = calendar
      message.body = Array(paths.joined(separator: "\n").utf8)
    case .put(let calendar, let path, let condition, let text):
      message["job"] = "put"
      message["url"] = calendar
      message["path"] = path
      condition.write(to: &message)
      message.body = text
    case .delete(let calendar, let path, let condition):
      message["job"] = "delete"
      message["url"] = calendar
      message["path"] = path
      condition.write(to: &message)
    case .move(let calendar, let path, let condition, let target):
      message["job"] = "move"
      message["url"] = calendar
      message["path"] = path
      message["target"] = target
      condition.write(to: &message)
    }
    return message
  }
}

extension ServerRequest.Condition {
  fileprivate init?(_ message: FetchMessage) {
    switch message["condition"] {
    case "new": self = .isNew
    case "exists": self = .exists
    case "tag":
      guard let tag = message["etag"] else { return nil }
      self = .hasTag(tag)
    default: return nil
    }
  }

  fileprivate func write(to message: inout FetchMessage) {
    switch self {
    case .isNew: message["condition"] = "new"
    case .exists: message["condition"] = "exists"
    case .hasTag(let tag):
      message["condition"] = "tag"
      message["etag"] = tag
    }
  }
}

extension FetchMessage {
  /// A list of texts without blanks.
  func list(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: " ").map(String.init)
  }

  mutating func set(_ name: String, _ list: [String]) {
    self[name] = list.isEmpty ? nil : list.joined(separator: " ")
  }

  /// Messages inside a body, one after the other; `nil` if it is cut off.
  static func messages(in body: [UInt8]) -> [FetchMessage]? {
    var reader = FetchMessageReader()
    reader.append(body)
    var messages: [FetchMessage] = []
    do throws(FetchMessageReader.Malformed) {
      while let message = try reader.next() { messages.append(message) }
    } catch {
      return nil
    }
    return reader.isAtBoundary ? messages : nil
  }
}
