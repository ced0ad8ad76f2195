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
      if answer.status == 404 || answer.status == 410 || answer.status == 401 {
        throw answer.failure
      }
      guard answer.status == 207 else {
        if token != nil, (400...499).contains(answer.status), ![429].contains(answer.status) {
          // The token has expired: DAV:valid-sync-token with 403 or 409, or just an error.
          return self.changes(of: calendar, since: nil, .none)
        }
        if [400, 403, 405, 415, 501].contains(answer.status) {
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
        if response.path == own || response.path + "/" == own {
          isCut = isCut || response.status == 507
          continue
        }
        // A collection inside of it.
        if response.path.utf8.last == UInt8(ascii: "/") { continue }
        if response.status == 404 || response.status == 410 {
          changes.objects.append(.init(path: response.path, tag: nil, isGone: true))
        } else if response.status.map({ (200...299).contains($0) }) ?? true {
          changes.objects.append(
            .init(path: response.path, tag: response.text(.entityTag)))
        }
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
      for response in status.responses
      where !response.path.hasSuffix("/") && response.path + "/" != calendar.path
        && response.property(.resourceType)?.has(.collection) != true
        && response.status.map({ (200...299).contains($0) }) ?? true
      {
        changes.objects.append(.init(path: response.path, tag: response.text(.entityTag)))
      }
      return .done(.changes(changes))
    }
  }

  // MARK: Objects

  private func objects(of calendar: RemoteAddress, _ paths: [String]) -> ServerStep {
    .exchange(.objects(of: calendar, paths)) { answer throws(FetchFailure) in
      if [400, 403, 405, 415, 501].contains(answer.status), let first = paths.first {
        // A server without calendar-multiget.
        return self.object(first, paths.dropFirst(), of: calendar, [])
      }
      let status = try answer.requireMultistatus()
      let wanted = Set(paths)
      var objects: [ServerObject] = []
      for response in status.responses where wanted.contains(response.path) {
        guard let text = response.property(.calendarData) else {
          guard response.status == 404 || response.status == 410 || response.properties.isEmpty
          else { throw FetchFailure("the server did not send the objects that it lists") }
          continue
        }
        objects.append(
          ServerObject(
            path: response.path, tag: response.text(.entityTag),
            scheduleTag: response.text(.scheduleTag),
            text: text.withText(Self.withLineEnds)))
      }
      return .done(.objects(objects))
    }
  }

  private func object(
    _ path: String, _ rest: ArraySlice<String>, of calendar: RemoteAddress,
    _ earlier: [ServerObject]
  ) -> ServerStep {
    let address: RemoteAddress
    do throws(FetchFailure) { address = try calendar.with(path: path) } catch {
      return .done(.failed(error))
    }
    return .exchange(WebRequest(method: "GET", address: address)) {
      answer throws(FetchFailure) in
      var objects = earlier
      if answer.isSuccess {
        objects.append(
          ServerObject(
            path: path, tag: answer.fields.entityTag, scheduleTag: answer.fields.scheduleTag,
            text: answer.body))
      } else if answer.status != 404, answer.status != 410 {
        throw answer.failure
      }
      guard let next = rest.first else { return .done(.objects(objects)) }
      return self.object(next, rest.dropFirst(), of: calendar, objects)
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
      guard answer.isSuccess else {
        // RFC 4791, section 5.3.2.1. Cyrus knows a UID only once in all calendars of a user.
        guard (try? XMLReading.root(of: answer.body))?.has(.noUIDConflict) == true else {
          throw answer.failure
        }
        throw FetchFailure(
          "the server has another object with this UID (\(answer.status))", status: answer.status)
      }
      let path = answer.fields.location.flatMap { answer.address.path(of: $0) }
      return .done(
        .written(
          WrittenObject(
            path: path == address.path ? nil : path, tag: answer.fields.strongTag,
            scheduleTag: answer.fields.scheduleTag)))
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
      guard answer.isSuccess else { throw answer.failure }
      return .done(.written(WrittenObject()))
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
    case .hasScheduleTag(let tag): "If-Schedule-Tag-Match: \(tag)"
    case .exists: "If-Match: *"
    }
  }
}
