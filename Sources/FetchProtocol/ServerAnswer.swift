/// What became of a request about the calendars of a server.
package struct ServerAnswer: Equatable, Sendable {
  /// The number of the request.
  package var number: Int
  package var outcome: Outcome

  package enum Outcome: Equatable, Sendable {
    case calendars(FoundCalendars)
    case changes(ObjectChanges)
    /// The objects that were asked for. Of those that are missing, `refused` can have the reason.
    case objects([ServerObject], refused: [RefusedObject] = [])
    case written(WrittenObject)
    /// The server has another version of the object, or none: 412, or 404 for one that must exist.
    case refusedByCondition
    case failed(FetchFailure)
  }

  package init(number: Int, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }

  package init?(_ message: FetchMessage) {
    guard let number = message["request"].flatMap(Int.init) else { return nil }
    switch message["outcome"] {
    case "calendars":
      guard let parts = FetchMessage.messages(in: message.body) else { return nil }
      var found = FoundCalendars()
      found.homes = message.list("homes")
      found.addresses = message.list("addresses")
      found.sendsInvitations = message["sends-invitations"] == "yes"
      found.calendars = parts.compactMap(ServerCalendar.init)
      guard found.calendars.count == parts.count else { return nil }
      outcome = .calendars(found)
    case "changes":
      guard let parts = FetchMessage.messages(in: message.body) else { return nil }
      outcome = .changes(
        ObjectChanges(
          isComplete: message["complete"] == "yes", token: message["token"],
          usesTokens: message["tokens"] != "no",
          objects: parts.compactMap { part in
            part["path"].map {
              ObjectChanges.Object(path: $0, tag: part["etag"], isGone: part["gone"] == "yes")
            }
          }))
    case "objects":
      guard let parts = FetchMessage.messages(in: message.body) else { return nil }
      var objects: [ServerObject] = []
      var refused: [RefusedObject] = []
      for part in parts {
        guard let path = part["path"] else { continue }
        if let reason = part["refused"] {
          refused.append(RefusedObject(path: path, reason: reason))
        } else {
          objects.append(ServerObject(path: path, tag: part["etag"], text: part.body))
        }
      }
      outcome = .objects(objects, refused: refused)
    case "written":
      outcome = .written(WrittenObject(path: message["path"], tag: message["etag"]))
    case "refused": outcome = .refusedByCondition
    case "failed":
      var failure = message.failure
      failure.retryAfter = message["retry-after"]
      outcome = .failed(failure)
    default: return nil
    }
    self.number = number
  }

  package var message: FetchMessage {
    var message = FetchMessage()
    message["request"] = String(number)
    switch outcome {
    case .calendars(let found):
      message["outcome"] = "calendars"
      message.set("homes", found.homes)
      message.set("addresses", found.addresses)
      if found.sendsInvitations { message["sends-invitations"] = "yes" }
      for calendar in found.calendars { calendar.message.encode(into: &message.body) }
    case .changes(let changes):
      message["outcome"] = "changes"
      if changes.isComplete { message["complete"] = "yes" }
      message["token"] = changes.token
      if !changes.usesTokens { message["tokens"] = "no" }
      for object in changes.objects {
        var part = FetchMessage()
        part["path"] = object.path
        part["etag"] = object.tag
        if object.isGone { part["gone"] = "yes" }
        part.encode(into: &message.body)
      }
    case .objects(let objects, let refused):
      message["outcome"] = "objects"
      for object in objects {
        var part = FetchMessage()
        part["path"] = object.path
        part["etag"] = object.tag
        part.body = object.text
        part.encode(into: &message.body)
      }
      for object in refused {
        var part = FetchMessage()
        part["path"] = object.path
        part["refused"] = object.reason
        part.encode(into: &message.body)
      }
    case .written(let written):
      message["outcome"] = "written"
      message["path"] = written.path
      message["etag"] = written.tag
    case .refusedByCondition: message["outcome"] = "refused"
    case .failed(let failure):
      message["outcome"] = "failed"
      message.failure = failure
      message["retry-after"] = failure.retryAfter
    }
    return message
  }
}

/// The calendars of an account.
package struct FoundCalendars: Equatable, Sendable {
  /// The addresses of the calendar homes (RFC 4791, section 6.2.1); empty for the address of one
  /// calendar.
  package var homes: [String] = []
  /// The user's own addresses, such as `mailto:ana@example.com` (RFC 6638, section 2.4.1).
  package var addresses: [String] = []
  /// Whether the server sends invitations and answers by itself (RFC 6638).
  package var sendsInvitations = false
  package var calendars: [ServerCalendar] = []

  package init() {}
}

/// A calendar on a server.
package struct ServerCalendar: Equatable, Sendable {
  package var address: String
  package var name: String?
  package var color: String?
  /// Its place among the calendars of the account.
  package var order: Int?
  /// `VEVENT`, `VTODO`, …; empty if the server accepts all.
  package var components: [String] = []
  package var isWritable = true
  package var usesTokens = false
  package var token: String?
  /// Changes with each change of the calendar, on servers without tokens.
  package var collectionTag: String?

  package init(address: String) { self.address = address }

  fileprivate init?(_ message: FetchMessage) {
    guard let address = message["url"] else { return nil }
    self.address = address
    name = message["name"]
    color = message["color"]
    order = message["order"].flatMap(Int.init)
    components = message.list("components")
    isWritable = message["writable"] != "no"
    usesTokens = message["tokens"] == "yes"
    token = message["token"]
    collectionTag = message["ctag"]
  }

  fileprivate var message: FetchMessage {
    var message = FetchMessage()
    message["url"] = address
    message["name"] = name
    message["color"] = color
    message["order"] = order.map(String.init)
    message.set("components", components)
    if !isWritable { message["writable"] = "no" }
    if usesTokens { message["tokens"] = "yes" }
    message["token"] = token
    message["ctag"] = collectionTag
    return message
  }
}

/// What changed in a calendar.
package struct ObjectChanges: Equatable, Sendable {
  /// Whether all objects of the calendar are listed, so that others are gone.
  package var isComplete: Bool
  /// The token for the next time.
  package var token: String?
  package var usesTokens = true
  package var objects: [Object]

  package struct Object: Equatable, Sendable {
    /// As the server writes it.
    package var path: String
    /// `nil` if the server did not give one, so that the object has to be asked for.
    package var tag: String?
    package var isGone = false

    package init(path: String, tag: String?, isGone: Bool = false) {
      self.path = path
      self.tag = tag
      self.isGone = isGone
    }
  }

  package init(isComplete: Bool, token: String?, usesTokens: Bool = true, objects: [Object]) {
    self.isComplete = isComplete
    self.token = token
    self.usesTokens = usesTokens
    self.objects = objects
  }
}

/// A calendar object: an event with its overrides, or a task.
package struct ServerObject: Equatable, Sendable {
  /// As it was asked for.
  package var path: String
  package var tag: String?
  package var text: [UInt8]

  package init(path: String, tag: String?, text: [UInt8]) {
    self.path = path
    self.tag = tag
    self.text = text
  }
}

/// A calendar object that the server did not deliver, with its reason.
package struct RefusedObject: Equatable, Sendable {
  /// As it was asked for.
  package var path: String
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// An object that the server has stored.
package struct WrittenObject: Equatable, Sendable {
  /// Another path, if the server chose one.
  package var path: String?
  /// `nil` if the server may have stored something else, which must be fetched.
  package var tag: String?

  package init(path: String? = nil, tag: String? = nil) {
    self.path = path
    self.tag = tag
  }
}
