internal import FetchProtocol

/// The steps of the jobs of a CalDAV server.
struct ServerJob {
  let access: ServerAccess

  init(_ access: ServerAccess) { self.access = access }

  func begin(_ job: ServerRequest.Job) throws(FetchFailure) -> ServerStep {
    switch job {
    case .find(let address):
      let address = try RemoteAddress(address)
      access.trust(address)
      return try CalendarDiscovery(access).begin(at: address)
    case .list(let homes, let calendars):
      return try CalendarDiscovery(access).list(
        try addresses(homes), single: try addresses(calendars), FoundCalendars())
    case .changes(let calendar, let token, let usesTokens):
      let address = try self.address(calendar)
      return usesTokens
        ? changes(of: address, since: token, ObjectChanges.none)
        : listing(of: address)
    case .get(let calendar, let paths):
      return objects(of: try address(calendar), paths)
    case .put(let calendar, let path, let condition, let text):
      return put(text, at: try address(calendar).with(path: path), condition)
    case .delete(let calendar, let path, let condition):
      return delete(try address(calendar).with(path: path), condition)
    case .move(let calendar, let path, let condition, let target):
      let calendar = try address(calendar)
      return move(try calendar.with(path: path), condition, to: try calendar.with(path: target))
    }
  }

  private func address(_ text: String) throws(FetchFailure) -> RemoteAddress {
    let address = try RemoteAddress(text)
    access.trust(address)
    return address
  }

  private func addresses(_ texts: [String]) throws(FetchFailure) -> [RemoteAddress] {
    var addresses: [RemoteAddress] = []
    for text in texts { addresses.append(try address(text)) }
    return addresses
  }

  // MARK: Changes

  /// An answer can have only a part of the changes (507 for the collection); its token continues.
  private func changes(
    of calendar: RemoteAddress, since token: String?, _ earlier: ObjectChanges, round: Int = 0
  ) -> ServerStep {
    .exchange(.changes(of: calendar, since: token)) { answer throws(FetchFailure) in
      guard answer.status == 207 else {
        let isExpired = answer.names(.validSyncToken)
        if token != nil, isExpired || (400...499).contains(answer.status) && !answer.mustWait {
          // The token has expired: DAV:valid-sync-token with any status, or just an error.
          return self.changes(of: calendar, since: nil, .none)
        }
        if isExpired || [400, 403, 405, 415, 501].contains(answer.status) {
          return self.listing(of: calendar)
        }
        throw answer.failure
      }
      let status = try Multistatus(answer)
      var changes = earlier
      changes.isComplete = token == nil || earlier.isComplete
      changes.token = status.token
      var isCut = false
      let own = calendar.path
      for response in status.responses {
        if RemoteAddress.isSame(response.path, own) {
          isCut = isCut || response.status == 507
          continue
        }
        // A collection inside of it.
        if response.path.utf8.last == UInt8(ascii: "/") { continue }
        changes.objects.append(response.object)
      }
      if isCut, let next = status.token, next != token, round < 10_000 {
        return self.changes(of: calendar, since: next, changes, round: round + 1)
      }
      guard !isCut else {
        throw FetchFailure("the server sent only a part of the changes, and no way to go on")
      }
      return .done(.changes(changes))
    }
  }

  /// All objects with their tags.
  private func listing(of calendar: RemoteAddress) -> ServerStep {
    .exchange(.propfind(calendar, depth: 1, ["D:getetag", "D:resourcetype"])) {
      answer throws(FetchFailure) in
      let status = try answer.requireMultistatus()
      var changes = ObjectChanges.none
      changes.isComplete = true
      changes.usesTokens = false
      guard !status.responses.contains(where: { $0.status == 507 }) else {
        throw FetchFailure("the server listed only a part of the calendar (507)")
      }
      let own = calendar.path
      for response in status.responses
      where !response.path.hasSuffix("/") && !RemoteAddress.isSame(response.path, own)
        && response.property(.resourceType)?.has(.collection) != true
      {
        let object = response.object
        if !object.isGone { changes.objects.append(object) }
      }
      return .done(.changes(changes))
    }
  }

  // MARK: Objects

  /// Each object is delivered, or refused with a reason.
  private func objects(of calendar: RemoteAddress, _ paths: [String]) -> ServerStep {
    .exchange(.objects(of: calendar, paths)) { answer throws(FetchFailure) in
      if (400...599).contains(answer.status), !answer.mustWait {
        // A server without calendar-multiget, or one that cannot answer for one of the objects.
        return self.objects(paths[...], of: calendar, [], [])
      }
      let status = try answer.requireMultistatus()
      // The server can write a path in another way than in its list.
      let wanted = Dictionary(
        paths.map { ($0.comparablePath, $0) }, uniquingKeysWith: { first, _ in first })
      let asked = Set(paths)
      var objects: [ServerObject] = []
      var reasons: [String: String] = [:]
      for response in status.responses {
        guard
          let path = asked.contains(response.path)
            ? response.path : wanted[response.path.comparablePath]
        else { continue }
        let text = response.property(.calendarData)?.withText(Self.withLineEnds) ?? []
        if text.isEmpty {
          reasons[path] =
            (response.status ?? response.propertyStatus).map {
              FetchError.failure(status: $0).reason
            } ?? "the server sent it without its text"
        } else {
          objects.append(ServerObject(path: path, tag: response.text(.entityTag), text: text))
        }
      }
      let delivered = Set(objects.map(\.path))
      return .done(
        .objects(
          objects,
          refused: paths.filter { !delivered.contains($0) }.map {
            RefusedObject(path: $0, reason: reasons[$0] ?? "the server left it out")
          }))
    }
  }

  /// So many objects in a row can be refused at the beginning; then it is the server that fails.
  private static let mostRefused = 4

  /// One object after the other.
  private func objects(
    _ paths: ArraySlice<String>, of calendar: RemoteAddress, _ earlier: [ServerObject],
    _ refused: [RefusedObject]
  ) -> ServerStep {
    guard let path = paths.first else { return .done(.objects(earlier, refused: refused)) }
    let address: RemoteAddress
    do throws(FetchFailure) { address = try calendar.with(path: path) } catch {
      return .done(.failed(error))
    }
    return .exchange(WebRequest(method: "GET", address: address)) {
      answer throws(FetchFailure) in
      var (objects, refused) = (earlier, refused)
      if answer.status == 200, answer.isCalendar {
        objects.append(ServerObject(path: path, tag: answer.fields.entityTag, text: answer.body))
      } else {
        let failure = answer.failure
        refused.append(RefusedObject(path: path, reason: failure.reason))
        guard !answer.mustWait, !objects.isEmpty || refused.count < Self.mostRefused else {
          throw failure
        }
      }
      return self.objects(paths.dropFirst(), of: calendar, objects, refused)
    }
  }

  /// XML makes every line end a line feed; iCalendar has CR LF.
  private static func withLineEnds(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if text.contains(0x0D) { return Array(text) }
    let lines = text.reduce(0) { $1 == 0x0A ? $0 + 1 : $0 }
    return Array(unsafeUninitializedCapacity: text.count + lines) { result, count in
      for byte in text {
        if byte == 0x0A {
          result[count] = 0x0D
          count += 1
        }
        result[count] = byte
        count += 1
      }
    }
  }

  // MARK: Writing

  private func put(
    _ text: [UInt8], at address: RemoteAddress, _ condition: ServerRequest.Condition
  ) -> ServerStep {
    var request = WebRequest(
      method: "PUT", address: address,
      fields: ["Content-Type: text/calendar; charset=utf-8"], body: text)
    if let field = condition.field { request.fields.append(field) }
    return .exchange(request) { answer throws(FetchFailure) in
      if answer.status == 412 { return .done(.refusedByCondition) }
      guard answer.isDone else {
        // RFC 4791, section 5.3.2.1, and RFC 6638, section 3.2.4.1. Cyrus knows a UID only once in all
        // calendars of a user.
        guard answer.names(.noUIDConflict) || answer.names(.uniqueObject) else {
          throw answer.failure
        }
        var failure = FetchFailure(
          "the server has another object with this UID (\(answer.status))", status: answer.status)
        failure.isAboutUID = true
        throw failure
      }
      let path = answer.fields.location.flatMap { answer.address.path(of: $0) }
      return .done(
        .written(
          WrittenObject(
            path: path.flatMap { RemoteAddress.isSame($0, address.path) ? nil : $0 },
            tag: answer.fields.strongTag)))
    }
  }

  private func delete(
    _ address: RemoteAddress, _ condition: ServerRequest.Condition
  ) -> ServerStep {
    var request = WebRequest(method: "DELETE", address: address)
    if let field = condition.field { request.fields.append(field) }
    return .exchange(request) { answer throws(FetchFailure) in
      // Somebody else has deleted it, too, or an earlier request of this command did.
      if answer.status == 404 || answer.status == 410 { return .done(.written(WrittenObject())) }
      if answer.status == 412 { return .done(.refusedByCondition) }
      if answer.status == 207 {
        // A part was not deleted (RFC 4918, section 9.6.1).
        for response in try Multistatus(answer).responses {
          if let status = response.status, status >= 300, status != 404, status != 410 {
            throw FetchError.failure(status: status)
          }
        }
        return .done(.written(WrittenObject()))
      }
      guard answer.isDone else { throw answer.failure }
      return .done(.written(WrittenObject()))
    }
  }

  private func move(
    _ address: RemoteAddress, _ condition: ServerRequest.Condition, to target: RemoteAddress
  ) -> ServerStep {
    var request = WebRequest(
      method: "MOVE", address: address,
      fields: ["Destination: \(target.url)", "Overwrite: F"])
    if let field = condition.field { request.fields.append(field) }
    return .exchange(request) { answer throws(FetchFailure) in
      if answer.status == 412 { return .done(.refusedByCondition) }
      guard answer.isDone else { throw answer.failure }
      return .done(.written(WrittenObject()))
    }
  }
}

extension Multistatus.Response {
  /// A member of a calendar. One with an error of its own is there, and has to be asked for.
  fileprivate var object: ObjectChanges.Object {
    switch status ?? 200 {
    case 404, 410: ObjectChanges.Object(path: path, tag: nil, isGone: true)
    case 200...299: ObjectChanges.Object(path: path, tag: text(.entityTag))
    default: ObjectChanges.Object(path: path, tag: nil)
    }
  }
}

extension ObjectChanges {
  static let none = ObjectChanges(isComplete: false, token: nil, objects: [])
}

extension ServerRequest.Condition {
  fileprivate var field: String? {
    switch self {
    case .isNew: "If-None-Match: *"
    case .hasTag(let tag): "If-Match: \(tag)"
    case .exists: "If-Match: *"
    }
  }
}
