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

  /// Begins at an address that a person has named. The address of a host stands for all calendars of the
  /// account. One with a path stands for what is there; if that is nothing, the failure names what the
  /// host has.
  func begin(at address: RemoteAddress) throws(FetchFailure) -> ServerStep {
    try ask(address, ["/", Self.wellKnown].contains(address.path) ? .host : .path)
  }

  /// What an address stands for.
  private enum Meaning {
    /// What a person has named: exactly what is there.
    case path
    /// A host, whose calendars can be elsewhere.
    case host
    /// Where the records of a host say that its calendars are.
    case record
  }

  private func ask(
    _ address: RemoteAddress, _ meaning: Meaning
  ) throws(FetchFailure) -> ServerStep {
    // DAViCal fails if it is asked for the properties of calendars at an address that is none.
    .exchange(
      .propfind(address, depth: 0, ["D:resourcetype"] + Self.principalProperties)
    ) { answer throws(FetchFailure) in
      guard answer.status == 207, let status = try? Multistatus(answer) else {
        return try self.afterFailure(answer, at: address, meaning)
      }
      guard let resource = status.responses.first else { throw answer.failure }
      if resource.isCalendar {
        return try self.list([], single: [answer.address], FoundCalendars())
      }
      let homes = try resource.homes(at: answer.address)
      if !homes.isEmpty { return try self.list(homes, single: [], resource.found(answer)) }
      let isCollection =
        resource.property(.resourceType)?.has(.collection) == true
      if let principal = resource.property(.currentUserPrincipal) {
        if let href = principal.first(.href)?.text {
          return self.principal(
            try answer.address.resolving(href),
            named: meaning == .path ? (answer, isCollection) : nil)
        }
        if principal.has(.unauthenticated) {
          throw FetchFailure(
            "the server asks who you are",
            hint: "--user NAME, with --password-command or a typed password", status: 401)
        }
      }
      // A calendar home of a server that does not know principals.
      if isCollection {
        return try self.list([answer.address], single: [], resource.found(answer)) {
          () throws(FetchFailure) in try self.afterFailure(answer, at: address, meaning)
        }
      }
      return try self.afterFailure(answer, at: address, meaning)
    }
  }

  /// The address itself is none of CalDAV: the server can name one.
  private func afterFailure(
    _ answer: WebAnswer, at address: RemoteAddress, _ meaning: Meaning
  ) throws(FetchFailure) -> ServerStep {
    guard !answer.mustWait else { throw answer.failure }
    guard meaning != .path else {
      let host = try address.with(path: "/")
      return naming(try ask(host, .host), at: host, inPlaceOf: answer)
    }
    guard address.path == Self.wellKnown else {
      return try ask(address.with(path: Self.wellKnown), meaning)
    }
    // A host with a page can name another one for its calendars (RFC 6764, section 6).
    guard meaning == .host, let host = address.namedHost,
      let record = ServiceRecord.records(of: "_caldavs._tcp.\(host)").first
    else { throw FetchFailure.noServer }
    let port = record.port == 443 ? "" : ":\(record.port)"
    let path = ServiceRecord.path(of: "_caldavs._tcp.\(host)") ?? Self.wellKnown
    let named = try RemoteAddress("https://\(record.host)\(port)\(path)")
    guard named.url != address.url else { throw FetchFailure.noServer }
    try access.check(named)
    return try ask(named, .record)
  }

  /// Goes on with the step, and fails with what it finds: the person named a path where nothing is.
  private func naming(
    _ step: ServerStep, at host: RemoteAddress, inPlaceOf answer: WebAnswer
  ) -> ServerStep {
    switch step {
    case .done(.calendars(let found)):
      var names = found.calendars.map { $0.name ?? "one without a name" }
      if names.count > Self.mostNames {
        names = names.prefix(Self.mostNames) + ["\(names.count - Self.mostNames) more"]
      }
      return .done(
        .failed(
          FetchFailure(
            Self.reason(answer),
            hint: names.isEmpty
              ? nil
              : "\(host.url) has the calendars \(names.joined(separator: ", ")): import that "
                + "address", status: answer.status)))
    case .done: return step
    case .exchange(let request, let then):
      return .exchange(request) { next throws(FetchFailure) in
        let following: ServerStep
        do throws(FetchFailure) { following = try then(next) } catch {
          guard error != .noServer else { throw error }
          throw FetchFailure(
            Self.reason(answer),
            hint: error.status == 401
              ? "\(host.url) is a CalDAV server: import that address with --user NAME" : nil,
            status: answer.status)
        }
        return self.naming(following, at: host, inPlaceOf: answer)
      }
    }
  }

  /// So many names of calendars fit into a message.
  private static let mostNames = 8

  private static func reason(_ answer: WebAnswer) -> String {
    answer.status == 207
      ? "this address is not that of a calendar or an account"
      : "no calendar and no account at this address (\(answer.status))"
  }

  /// The calendars of a principal. `named` is the answer of an address that a person has named: that of a
  /// calendar home, which stands for itself, or one above the homes, which stands for all of them. The
  /// latter is no collection at Cyrus.
  private func principal(
    _ address: RemoteAddress, named: (answer: WebAnswer, isCollection: Bool)?
  ) -> ServerStep {
    .exchange(.propfind(address, depth: 0, Self.principalProperties)) {
      answer throws(FetchFailure) in
      let status = try answer.requireMultistatus()
      guard let resource = status.responses.first else { throw answer.failure }
      let homes = try resource.homes(at: answer.address)
      guard !homes.isEmpty else {
        throw FetchFailure("the account has no calendars on this server")
      }
      let found = resource.found(answer)
      if let named {
        let place = named.answer.address
        let folder = try place.with(path: place.path.hasSuffix("/") ? place.path : place.path + "/")
        let isAbove = homes.contains {
          let (home, above) = ($0.path.comparablePath, folder.path.comparablePath)
          return $0.origin != folder.origin || home.hasPrefix(above) && home != above
        }
        if !isAbove {
          guard named.isCollection else {
            return try self.afterFailure(named.answer, at: folder, .path)
          }
          return try self.list([folder], single: [], found) { () throws(FetchFailure) in
            try self.afterFailure(named.answer, at: folder, .path)
          }
        }
      }
      return try self.list(homes, single: [], found)
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
            !found.calendars.contains(where: {
              $0.address.comparablePath == calendar.address.comparablePath
            })
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
    property(.resourceType)?.has(.calendar) == true
  }

  fileprivate func found(_ answer: WebAnswer) -> FoundCalendars {
    var found = FoundCalendars()
    found.sendsInvitations = answer.sendsInvitations
    found.addresses =
      property(.calendarUserAddressSet)?.all(.href).compactMap(\.text)
      .filter { !$0.contains(" ") } ?? []
    return found
  }

  fileprivate func homes(at address: RemoteAddress) throws(FetchFailure) -> [RemoteAddress] {
    var homes: [RemoteAddress] = []
    for href in property(.calendarHomeSet)?.all(.href) ?? [] {
      guard let text = href.text else { continue }
      let home = try address.resolving(text.hasSuffix("/") ? text : text + "/")
      if !homes.contains(where: { $0.url.comparablePath == home.url.comparablePath }) {
        homes.append(home)
      }
    }
    return homes
  }

  fileprivate func calendar(at address: RemoteAddress) throws(FetchFailure) -> ServerCalendar? {
    guard isCalendar else { return nil }
    let place = try address.with(path: path.hasSuffix("/") ? path : path + "/")
    var calendar = ServerCalendar(address: place.url)
    calendar.name = text(.displayName)
    calendar.color = text(.calendarColor)
    calendar.order = text(.calendarOrder).flatMap { Int($0) }
    calendar.components =
      property(.supportedCalendarComponentSet)?.all(.component)
      .compactMap { $0.first(.nameAttribute)?.text?.uppercased() } ?? []
    if let privileges = property(.currentUserPrivilegeSet) {
      let writing: [XMLName] = [
        .all, .write, .writeContent, .bind,
      ]
      calendar.isWritable = privileges.all(.privilege).contains { privilege in
        privilege.children.contains { writing.contains($0.name) }
      }
    }
    calendar.usesTokens =
      property(.supportedReportSet)?.descendant(.syncCollection) != nil
    calendar.token = text(.syncToken)
    calendar.collectionTag = text(.collectionTag)
    return calendar
  }
}
