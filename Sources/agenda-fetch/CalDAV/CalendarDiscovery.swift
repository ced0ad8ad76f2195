internal import FetchProtocol
internal import Platform

/// Finds the calendars of an account from one of its addresses (RFC 6764): the address of a calendar, of
/// a principal, of a calendar home, or of the server.
struct CalendarDiscovery {
  private let access: ServerAccess

  init(_ access: ServerAccess) { self.access = access }

  private static let wellKnown = "/.well-known/caldav"
  private static let properties = [
    "D:resourcetype", "D:displayname", "D:current-user-privilege-set", "D:supported-report-set",
    "D:sync-token", "S:getctag", "I:calendar-color", "I:calendar-order",
    "C:supported-calendar-component-set",
  ]
  private static let principalProperties = [
    "D:current-user-principal", "C:calendar-home-set", "C:calendar-user-address-set",
  ]

  func begin(at address: RemoteAddress) throws(FetchFailure) -> ServerStep {
    .exchange(
      .propfind(address, depth: 0, Self.properties + Self.principalProperties)
    ) { answer throws(FetchFailure) in
      guard answer.status == 207 else {
        return try self.afterFailure(answer, at: address)
      }
      let status: Multistatus
      do throws(FetchFailure) { status = try Multistatus(answer) } catch {
        return try self.afterFailure(answer, at: address)
      }
      guard let resource = status.responses.first else { throw answer.failure }
      if resource.isCalendar {
        var found = FoundCalendars()
        found.sendsInvitations = answer.sendsInvitations
        if let calendar = try resource.calendar(at: answer.address) { found.calendars = [calendar] }
        return .done(.calendars(found))
      }
      let homes = try resource.homes(at: answer.address)
      if !homes.isEmpty { return try self.list(homes, single: [], resource.found(answer)) }
      if let principal = resource.property(.dav("current-user-principal")) {
        if let href = principal.first(.dav("href"))?.text {
          return self.principal(try answer.address.resolving(href))
        }
        if principal.has(.dav("unauthenticated")) {
          throw FetchFailure(
            "the server asks who you are",
            hint: "--user NAME, with --password-command or a typed password", status: 401)
        }
      }
      // A calendar home of a server that does not know principals.
      if resource.property(.dav("resourcetype"))?.has(.dav("collection")) == true {
        return try self.list([answer.address], single: [], resource.found(answer)) {
          () throws(FetchFailure) in try self.afterFailure(answer, at: address)
        }
      }
      return try self.afterFailure(answer, at: address)
    }
  }

  /// The address itself is none of CalDAV: the server can name one.
  private func afterFailure(
    _ answer: WebAnswer, at address: RemoteAddress
  ) throws(FetchFailure) -> ServerStep {
    guard ![401, 407, 429, 503].contains(answer.status) else { throw Self.notFound(answer) }
    guard address.path == Self.wellKnown else {
      return try begin(at: address.with(path: Self.wellKnown))
    }
    // A host with a page can name another one for its calendars (RFC 6764, section 6).
    guard let host = address.namedHost,
      let record = ServiceRecord.records(of: "_caldavs._tcp.\(host)").first
    else { throw Self.notFound(answer) }
    let port = record.port == 443 ? "" : ":\(record.port)"
    let named = try RemoteAddress("https://\(record.host)\(port)\(Self.wellKnown)")
    guard named.origin != address.origin else { throw Self.notFound(answer) }
    try access.check(named)
    return try begin(at: named)
  }

  private static func notFound(_ answer: WebAnswer) -> FetchFailure {
    [401, 407, 429, 503].contains(answer.status)
      ? answer.failure : .noServer
  }

  private func principal(_ address: RemoteAddress) -> ServerStep {
    .exchange(.propfind(address, depth: 0, Self.principalProperties)) {
      answer throws(FetchFailure) in
      let status = try answer.requireMultistatus()
      guard let resource = status.responses.first else { throw answer.failure }
      let homes = try resource.homes(at: answer.address)
      guard !homes.isEmpty else {
        throw FetchFailure("the account has no calendars on this server")
      }
      return try self.list(homes, single: [], resource.found(answer))
    }
  }

  /// The calendars of some homes, one home after the other. `otherwise` is for a home that has none.
  func list(
    _ homes: [RemoteAddress], single: [RemoteAddress], _ found: FoundCalendars,
    otherwise: (() throws(FetchFailure) -> ServerStep)? = nil
  ) throws(FetchFailure) -> ServerStep {
    var found = found
    found.homes = homes.map(\.url)
    return try list(
      (homes.map { ($0, 1) } + single.map { ($0, 0) })[...], found, otherwise: otherwise)
  }

  private func list(
    _ rest: ArraySlice<(address: RemoteAddress, depth: Int)>, _ found: FoundCalendars,
    otherwise: (() throws(FetchFailure) -> ServerStep)?
  ) throws(FetchFailure) -> ServerStep {
    guard let (address, depth) = rest.first else {
      if found.calendars.isEmpty, let otherwise { return try otherwise() }
      return .done(.calendars(found))
    }
    return .exchange(.propfind(address, depth: depth, Self.properties)) {
      answer throws(FetchFailure) in
      var found = found
      // A single calendar that is gone is missing in the answer.
      if depth > 0 || ![403, 404, 410].contains(answer.status) {
        let status = try answer.requireMultistatus()
        found.sendsInvitations = found.sendsInvitations || answer.sendsInvitations
        for response in status.responses {
          guard let calendar = try response.calendar(at: answer.address),
            !found.calendars.contains(where: { $0.address == calendar.address })
          else { continue }
          found.calendars.append(calendar)
        }
      }
      return try self.list(rest.dropFirst(), found, otherwise: otherwise)
    }
  }
}

extension WebAnswer {
  /// RFC 6638, section 2: the server delivers invitations and answers.
  fileprivate var sendsInvitations: Bool { fields.features.contains("calendar-auto-schedule") }
}

extension Multistatus.Response {
  fileprivate var isCalendar: Bool {
    property(.dav("resourcetype"))?.has(.calendar("calendar")) == true
  }

  fileprivate func found(_ answer: WebAnswer) -> FoundCalendars {
    var found = FoundCalendars()
    found.sendsInvitations = answer.sendsInvitations
    found.addresses =
      property(.calendar("calendar-user-address-set"))?.all(.dav("href")).compactMap(\.text)
      .filter { !$0.contains(" ") } ?? []
    return found
  }

  fileprivate func homes(at address: RemoteAddress) throws(FetchFailure) -> [RemoteAddress] {
    var homes: [RemoteAddress] = []
    for href in property(.calendar("calendar-home-set"))?.all(.dav("href")) ?? [] {
      guard let text = href.text else { continue }
      let home = try address.resolving(text.hasSuffix("/") ? text : text + "/")
      if !homes.contains(where: { $0.url == home.url }) { homes.append(home) }
    }
    return homes
  }

  fileprivate func calendar(at address: RemoteAddress) throws(FetchFailure) -> ServerCalendar? {
    guard isCalendar else { return nil }
    let place = try address.with(path: path.hasSuffix("/") ? path : path + "/")
    var calendar = ServerCalendar(address: place.url)
    calendar.name = text(.dav("displayname"))
    calendar.color = text(.apple("calendar-color"))
    calendar.order = text(.apple("calendar-order")).flatMap { Int($0) }
    calendar.components =
      property(.calendar("supported-calendar-component-set"))?.all(.calendar("comp"))
      .compactMap { $0.first(.nameAttribute)?.text?.uppercased() } ?? []
    if let privileges = property(.dav("current-user-privilege-set")) {
      let writing: [XMLName] = [
        .dav("all"), .dav("write"), .dav("write-content"), .dav("bind"),
      ]
      calendar.isWritable = privileges.all(.dav("privilege")).contains { privilege in
        privilege.children.contains { writing.contains($0.name) }
      }
    }
    calendar.usesTokens =
      property(.dav("supported-report-set"))?.descendant(.dav("sync-collection")) != nil
    calendar.token = text(.dav("sync-token"))
    calendar.collectionTag = text(.server("getctag"))
    return calendar
  }
}
