internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import FetchProtocol
internal import Platform

/// Exchanges the calendars of one account with its server: sends what waits, then receives what changed.
/// Each calendar is stored in one transaction, as other sources are.
struct ServerImporter {
  let store: Store
  let reader: StoreReader
  let options: ImportOptions
  let command: StoreCommand
  let severalUIDs: SeveralUIDs
  var account: ServerAccount
  /// The importers of other accounts that go on while this one waits.
  var turns: TakingTurns?
  private var conversation: ServerConversation?
  private let counts: SourceCounts

  /// With so many objects, an answer is a few hundred kilobytes.
  private static let objectsPerRequest = 100
  static let requestsAtOnce = 6
  /// A server can get new versions again and again while agenda merges.
  private static let mostRounds = 5

  init(
    store: Store, reader: StoreReader, options: ImportOptions, command: StoreCommand,
    severalUIDs: SeveralUIDs, account: ServerAccount
  ) {
    self.store = store
    self.reader = reader
    self.options = options
    self.command = command
    self.severalUIDs = severalUIDs
    self.account = account
    counts = SourceCounts(store)
  }

  // MARK: Importing

  /// Finds the calendars of the account and imports them. `chosen` names some of them.
  mutating func importCalendars(
    chosen: [String]?, reporting: ImportReporting
  ) throws -> [SourceReport] {
    let found = try find()
    let all = found.calendars.filter(\.isUsable)
    guard !all.isEmpty else { throw FetchFailure("the account has no calendars on this server") }
    var wanted = all
    if let chosen {
      wanted = try chosen.flatMap { name in
        let named = all.filter { $0.isNamed(name) }
        guard !named.isEmpty else {
          let names = all.map(\.title).joined(separator: ", ")
          throw FetchFailure(
            "no calendar on the server is called \"\(name)\"; the calendars are \(names)")
        }
        return named
      }
    }
    let known = try knownUnderOtherName(wanted)
    var reports = wanted.inOrder.compactMap { calendar in
      known[calendar.address].map { report(on: calendar, knownAs: $0, reporting) }
    }
    if wanted.allSatisfy({ known[$0.address] != nil }) { return reports }
    try joinKnownAccount(of: found)
    choose(chosen == nil ? nil : wanted, of: found, all)
    if !options.isDryRun { account.row.id = try store.write(account.row) }
    let new = wanted.inOrder.filter { known[$0.address] == nil }
    for calendar in new where try serverSource(at: calendar.address) == nil {
      try conversation?.prepare(ServerReceiving.changes(of: calendar, since: nil))
    }
    for calendar in new {
      do {
        reports.append(try exchange(calendar, reporting))
      } catch {
        reports.append(report(on: calendar, error))
      }
    }
    return reports
  }

  /// Remembers what the user has chosen. `chosen` is `nil` for all calendars.
  private mutating func choose(
    _ chosen: [ServerCalendar]?, of found: FoundCalendars, _ all: [ServerCalendar]
  ) {
    let isSingle = found.homes.isEmpty && !account.row.homes.isEmpty
    if let chosen = isSingle ? all : chosen {
      let titles = chosen.map(\.title)
      if let earlier = account.row.chosen {
        account.row.chosen = earlier + titles.filter { !earlier.contains($0) }
      } else if !isSingle {
        account.row.chosen = titles
      }
    } else {
      account.row.chosen = nil
    }
    let addresses = all.map(\.address)
    // The address of a single calendar of a known account says nothing about the others.
    if isSingle {
      let known = account.row.knownCalendars
      account.row.knownCalendars = known + addresses.filter { !known.contains($0) }
      return
    }
    account.row.homes = found.homes
    account.row.addresses = found.addresses
    account.row.sendsInvitations = found.sendsInvitations
    account.row.knownCalendars = addresses
  }

  // MARK: Other names of a server

  /// Another address of an account that the store has leads to the same calendar homes, or to one of
  /// its calendars.
  private mutating func joinKnownAccount(of found: FoundCalendars) throws {
    guard account.row.id == 0 else { return }
    let accounts = try store.accounts()
    let rows = try store.serverCalendars()
    let owners = try found.calendars.compactMap { calendar in
      try store.source(at: calendar.address).flatMap { rows[$0.id]?.account }
    }
    let same = accounts.first { known in
      guard known.user == nil || account.row.user == nil || known.user == account.row.user else {
        return false
      }
      return found.homes.isEmpty ? owners == [known.id] : Set(known.homes) == Set(found.homes)
    }
    if let same { account.join(same) }
  }

  /// The sources of calendars that the store has from the same server under another name, by the address
  /// of the calendar. Only then both have the same path and an object with the same name and tag.
  private func knownUnderOtherName(
    _ calendars: [ServerCalendar]
  ) throws -> [String: StoredSource] {
    let sources = try store.sources().filter { $0.source.kind == .server }
    let known = Set(sources.map(\.source.location))
    var candidates: [String: StoredSource] = [:]
    for calendar in calendars where !known.contains(calendar.address) {
      let path = ServerPlace(address: calendar.address, calendar: "").path
      candidates[calendar.address] = sources.first { ServerPlace($0.source).path == path }
    }
    for calendar in calendars {
      guard let source = candidates[calendar.address] else { continue }
      let tags = try store.objectTags(ofSource: source.id).filter { !$0.value.isEmpty }
      if tags.isEmpty { continue }
      let place = ServerPlace(source.source)
      let job = ServerRequest.Job.changes(
        calendar: calendar.address, token: nil, usesTokens: calendar.usesTokens)
      guard case .changes(let changes)? = try conversation?.answer(job) else { continue }
      let isSame = changes.objects.contains { object in
        guard let tag = object.tag, let name = place.name(ofPath: object.path) else { return false }
        return tags[name] == tag
      }
      if isSame { return candidates }
    }
    return [:]
  }

  private func report(
    on calendar: ServerCalendar, knownAs source: StoredSource, _ reporting: ImportReporting
  ) -> SourceReport {
    var report = SourceReport(
      source: Source(calendar.address).displayName, calendar: source.source.calendar)
    let origin = SafeURL(source.source.location)
    let finding = Finding(
      .warning,
      .sameCalendar(
        origin.map { "\($0.scheme)://\($0.origin)" } ?? "", calendar: source.source.calendar))
    reporting.add([finding], to: &report)
    return report
  }

  /// Asks for the calendars; a person can be asked who they are, and whether to follow a redirect.
  private mutating func find() throws -> FoundCalendars {
    var mustAsk = false
    for _ in 0..<Self.mostRounds {
      let conversation = try connect(mustAsk: mustAsk)
      switch try conversation.answer(.find(address: account.row.address)) {
      case .calendars(let found): return found
      case .failed(let failure):
        if let origin = failure.untrustedOrigin, options.questions.trust(origin) {
          account.row.trustedOrigins.append(origin)
          continue
        }
        if failure.status == 401, !mustAsk, account.row.passwordCommand == nil,
          account.row.tokenCommand == nil
        {
          mustAsk = true
          continue
        }
        throw failure
      case .changes, .objects, .written, .refusedByCondition: throw Self.otherAnswer
      }
    }
    throw FetchFailure("the server redirects again and again")
  }

  private mutating func connect(mustAsk: Bool = false) throws -> ServerConversation {
    let login = try account.login(options.questions, mustAsk: mustAsk)
    let origin = account.origin
    let conversation = try ServerConversation(login, turns: turns) {
      [progress = options.progress] in
      progress(.fetching(done: 0, count: 1, waitingFor: origin))
    }
    self.conversation = conversation
    return conversation
  }

  private static let otherAnswer = FetchFailure("agenda-fetch gave another answer")

  // MARK: Refreshing

  /// Exchanges these sources of the account. A failure that concerns all of them is in all reports.
  mutating func refresh(
    _ sources: [StoredSource], offersNew: Bool, reporting: ImportReporting
  ) -> [SourceReport] {
    var calendars: [Int: ServerCalendar] = [:]
    var sending: [Int: ServerSending.Outcome] = [:]
    var failure: FetchFailure?
    var newNames: [String] = []
    do {
      let conversation = try connect()
      if !options.isDryRun { try send(sources, conversation, &sending) }
      let rows = try store.serverCalendars()
      let single =
        account.row.homes.isEmpty
        ? sources.map(\.source.location)
        : sources.map(\.source.location).filter { location in
          !account.row.homes.contains { location.hasPrefix($0) }
        }
      switch try conversation.answer(.list(homes: account.row.homes, calendars: single)) {
      case .calendars(let found):
        for source in sources {
          calendars[source.id] = found.calendars.first { $0.address == source.source.location }
        }
        for source in sources {
          guard let calendar = calendars[source.id], let row = rows[source.id],
            !ServerReceiving.isKnown(calendar, row)
          else { continue }
          try conversation.prepare(ServerReceiving.changes(of: calendar, since: row))
        }
        if offersNew { newNames = try offer(found, rows) }
      case .failed(let problem): throw problem
      case .changes, .objects, .written, .refusedByCondition: throw Self.otherAnswer
      }
    } catch {
      failure = error as? FetchFailure ?? FetchFailure("\(error)")
    }
    var reports: [SourceReport] = []
    for source in sources {
      do {
        if let failure { throw failure }
        guard let calendar = calendars[source.id] else {
          reports.append(
            self.report(
              on: source, FetchFailure("the calendar is gone from the server"),
              sending[source.id], remedy: .removeCalendar(source.source.calendar)))
          continue
        }
        reports.append(
          try exchange(
            calendar, source, sending[source.id] ?? ServerSending.Outcome(), reporting))
      } catch {
        reports.append(self.report(on: source, error, sending[source.id]))
      }
    }
    if !newNames.isEmpty, let first = reports.indices.first {
      let names = newNames.joined(separator: ", ")
      reporting.add([Finding(.warning, .newOnServer(names))], to: &reports[first])
    }
    return reports
  }

  /// The names of calendars that the user has not been told about. They are told once.
  private mutating func offer(
    _ found: FoundCalendars, _ rows: [Int: ServerCalendarRow]
  ) throws -> [String] {
    let new = found.calendars.filter(\.isUsable).filter {
      !account.row.knownCalendars.contains($0.address)
    }
    guard !new.isEmpty else { return [] }
    account.row.knownCalendars += new.map(\.address)
    if !options.isDryRun { try store.write(account.row) }
    return new.map(\.title)
  }

  /// All new and changed objects of the account first, then the removals.
  private func send(
    _ sources: [StoredSource], _ conversation: ServerConversation,
    _ outcomes: inout [Int: ServerSending.Outcome]
  ) throws {
    let rows = try store.serverCalendars()
    func send(
      _ kind: ServerSending.Kind, of source: StoredSource,
      where isWanted: (WaitingDocument) -> Bool = { _ in true }
    ) throws {
      guard rows[source.id]?.isWritable != false else { return }
      let sending = ServerSending(
        store: store, conversation: conversation, place: ServerPlace(source.source),
        source: source.id)
      let more = try sending.send(kind, where: isWanted)
      outcomes[source.id, default: ServerSending.Outcome()].add(more)
      if let failure = more.failure { throw failure }
    }
    for kind in [ServerSending.Kind.changes, .removals] {
      for source in sources { try send(kind, of: source) }
    }
    // A server that knows a UID only once in all calendars of a user accepts an event in its new
    // calendar when it is gone from the old one.
    guard outcomes.values.contains(where: { $0.removed > 0 }) else { return }
    for source in sources {
      let refused = outcomes[source.id]?.refusedNew ?? []
      if !refused.isEmpty { try send(.changes, of: source) { refused.contains($0.name) } }
    }
  }

  /// The report on a calendar that is not asked now, because its server asked for a pause.
  func report(on source: StoredSource, _ pause: Subscription.Pause) -> SourceReport {
    var report = SourceReport(
      source: source.source.displayName, calendar: source.source.calendar)
    report.remote = SourceReport.Remote()
    report.remote?.pause = SourceReport.Pause(pause)
    report.exchange = exchangeCounts(of: source.id, sent: 0, received: 0)
    return report
  }

  private func report(on calendar: ServerCalendar, _ error: any Error) -> SourceReport {
    if let known = try? store.source(at: calendar.address) { return report(on: known, error, nil) }
    let failure = error as? FetchFailure
    var report = SourceReport(
      source: Source(calendar.address).displayName, calendar: calendar.title,
      error: failure?.reason ?? "\(error)")
    report.refusal = error as? SourceRefusal
    report.remedy = failure?.hint.map { .words($0) }
    return report
  }

  private func report(
    on source: StoredSource, _ error: any Error, _ sending: ServerSending.Outcome?,
    remedy: SourceRemedy? = nil
  ) -> SourceReport {
    let failure = error as? FetchFailure
    let reason = failure?.reason ?? "\(error)"
    var report = SourceReport(
      source: source.source.displayName, calendar: source.source.calendar, error: reason)
    report.refusal = error as? SourceRefusal
    report.remedy = remedy ?? failure?.hint.map { .words($0) }
    report.remote = SourceReport.Remote()
    report.exchange = exchangeCounts(of: source.id, sent: sending?.sent ?? 0, received: 0)
    let count = try? reader.entryCount(ofSource: source.id)
    var record =
      (try? store.subscriptions())?[source.source.location].map(SubscriptionRecord.init)
      ?? SubscriptionRecord()
    report.kept = SourceReport.Kept(
      count: count ?? 0, since: record.state.lastSuccess ?? source.lastImport)
    record.state.failed(
      reason, status: failure?.status, caching: CacheHeaders(retryAfter: failure?.retryAfter),
      address: source.source.location, hostFailures: 1, at: options.now)
    if let staleAge = options.staleAge {
      report.remote?.isSilent = !record.state.reportsFailure(at: options.now, olderThan: staleAge)
    }
    if !options.isDryRun {
      try? store.note(error: reason, location: source.source.location)
      try? store.update(subscriptions: [(source.source.location, record.row)])
    }
    return report
  }

  // MARK: One calendar

  /// The calendar of a server. Its address can have been imported as that of a file.
  private func serverSource(at address: String) throws(StoreError) -> StoredSource? {
    try store.source(at: address).flatMap { $0.source.kind == .server ? $0 : nil }
  }

  private mutating func exchange(
    _ calendar: ServerCalendar, _ reporting: ImportReporting
  ) throws -> SourceReport {
    let known = try serverSource(at: calendar.address)
    var sending = ServerSending.Outcome()
    if let known, !options.isDryRun, let conversation {
      var outcomes: [Int: ServerSending.Outcome] = [:]
      try send([known], conversation, &outcomes)
      sending = outcomes[known.id] ?? sending
    }
    return try exchange(calendar, known, sending, reporting)
  }

  private func exchange(
    _ calendar: ServerCalendar, _ known: StoredSource?, _ sending: ServerSending.Outcome,
    _ reporting: ImportReporting
  ) throws -> SourceReport {
    guard let conversation else { throw Self.otherAnswer }
    var sending = sending
    let conflicts = try known.map { try openConflicts(of: $0.id) } ?? []
    var received = 0
    var outcome: StoreImport.Outcome?
    let place = ServerPlace(
      address: calendar.address, calendar: known?.source.calendar ?? calendar.title)
    for round in 0..<Self.mostRounds {
      let source = try serverSource(at: calendar.address)
      let receiving = ServerReceiving(
        importer: self, conversation: conversation, calendar: calendar, place: place,
        source: source)
      let result = try receiving.run(contested: sending.contested, isFirstRound: round == 0)
      outcome = result.outcome ?? outcome
      received += result.received
      sending.sent += result.sent
      guard let source, !result.unsettled.isEmpty, !options.isDryRun else { break }
      // Merged versions, and those that were compared with the server's object.
      var again = ServerSending(
        store: store, conversation: conversation, place: place, source: source.id)
      again.compared = result.unsettled
      sending.contested = []
      for kind in [ServerSending.Kind.changes, .removals] {
        let more = try again.send(kind) { result.unsettled.contains($0.name) }
        sending.add(more)
        if let failure = more.failure { throw failure }
      }
      if sending.contested.isEmpty { break }
    }
    try noteRefusals(sending.contested, of: place)
    var report = try report(on: calendar, outcome, sending, received: received, reporting)
    if let source = try store.source(at: calendar.address) {
      report.exchange?.newConflicts = try openConflicts(of: source.id).subtracting(conflicts).count
    }
    return report
  }

  private func openConflicts(of source: Int) throws(StoreError) -> Set<Int> {
    Set(try reader.openConflicts().filter { $0.source == source }.map(\.id))
  }

  /// What a server refuses again and again, although it has no other version.
  private func noteRefusals(_ paths: Set<String>, of place: ServerPlace) throws {
    guard !paths.isEmpty, !options.isDryRun, let source = try store.sourceID(at: place.address)
    else { return }
    let objects = try store.waitingDocuments(ofSource: source).compactMap { waiting in
      paths.contains(place.path(ofName: waiting.name)) ? waiting.object : nil
    }.map { object in
      var object = object
      object.failure = "the server refuses it, because it has another object with this UID (412)"
      return object
    }
    try store.update(objects: objects, source: source)
  }

  static func objectsPerRequest(_ paths: [String]) -> [[String]] {
    stride(from: 0, to: paths.count, by: objectsPerRequest).map {
      Array(paths[$0..<min(paths.count, $0 + objectsPerRequest)])
    }
  }

  private func exchangeCounts(
    of source: Int?, sent: Int, received: Int, waiting: [WaitingDocument]? = nil
  ) -> SourceReport.ServerExchange {
    var counts = SourceReport.ServerExchange()
    counts.sent = sent
    counts.received = received
    if let source {
      counts.waiting =
        waiting?.count ?? (try? store.waitingDocuments(ofSource: source).count) ?? 0
      counts.conflicts = (try? reader.openConflicts().count { $0.source == source }) ?? 0
    }
    return counts
  }

  private func report(
    on calendar: ServerCalendar, _ outcome: StoreImport.Outcome?, _ sending: ServerSending.Outcome,
    received: Int, _ reporting: ImportReporting
  ) throws -> SourceReport {
    let source = try store.source(at: calendar.address)
    let name = Source(calendar.address).displayName
    var report: SourceReport
    if let outcome {
      report = reporting.report(outcome, source: name, at: calendar.address)
    } else {
      report = SourceReport(source: name, calendar: source?.source.calendar)
      if let source {
        let counts = try counts.ofSource(source.id)
        let superseded = try store.supersededCount(ofSource: source.id) ?? 0
        report.components = counts.components
        report.superseded = superseded
        report.unchanged = counts.components - superseded
        report.journals = counts.journals
      }
    }
    let waiting = try source.map { try store.waitingDocuments(ofSource: $0.id) } ?? []
    report.exchange = exchangeCounts(
      of: source?.id, sent: sending.sent, received: received, waiting: waiting)
    guard let source else { return report }
    var findings: [Finding] = []
    for document in waiting {
      guard let reason = document.object?.failure else { continue }
      let title = try title(ofDocument: document.name, source: source.id)
      findings.append(Finding(.error, .changeRefused(title: title, reason: reason)))
    }
    let open = report.exchange?.conflicts ?? 0
    if open > 0 { findings.append(Finding(.warning, .openConflicts(open))) }
    reporting.add(findings, to: &report)
    if !options.isDryRun, !waiting.isEmpty,
      try store.serverCalendars()[source.id]?.isWritable == false
    {
      reporting.add([Finding(.error, .readOnlyOnServer)], to: &report)
    }
    return report
  }

  /// The title of an event, for people.
  private func title(ofDocument name: String, source: Int) throws -> String {
    var text: [UInt8]?
    if let document = try store.document(source: source, name: name) {
      text = try StoredText(store: store).document(document, keepsEmpty: false)
    } else {
      text = try store.serverObject(source: source, name: name)?.base
    }
    return text.flatMap { ObjectText($0).title } ?? name
  }
}

/// The numbers of components, which one query counts for all sources. Sources that change are not asked
/// for.
private final class SourceCounts {
  private let store: Store
  private var all: [Int: [ComponentKind: Int]]?

  init(_ store: Store) { self.store = store }

  func ofSource(_ source: Int) throws(StoreError) -> (components: Int, journals: Int) {
    let known = all
    let all = if let known { known } else { try store.componentCounts() }
    self.all = all
    var counts = (components: 0, journals: 0)
    for (kind, count) in all[source] ?? [:] where !kind.isMessage {
      if kind == .journal { counts.journals += count } else { counts.components += count }
    }
    return counts
  }
}

extension ServerSending.Outcome {
  mutating func add(_ other: ServerSending.Outcome) {
    sent += other.sent
    removed += other.removed
    refusedNew.formUnion(other.refusedNew)
    contested.formUnion(other.contested)
    failure = failure ?? other.failure
  }
}

extension ServerCalendar {
  /// The name on the server, otherwise the last part of the address.
  var title: String { name ?? ServerPlace(address: address, calendar: "").shortName }

  func isNamed(_ text: String) -> Bool {
    title == text || ServerPlace(address: address, calendar: "").shortName == text
      || title.lowercased() == text.lowercased()
  }

  /// Whether it can have events, tasks or journals.
  var isUsable: Bool {
    components.isEmpty || !Set(components).isDisjoint(with: ["VEVENT", "VTODO", "VJOURNAL"])
  }

  /// `#rrggbb` without the opacity that Apple's programs add.
  var shownColor: String? {
    color.map { $0.hasPrefix("#") && $0.utf8.count == 9 ? String($0.prefix(7)) : $0 }
  }
}

extension [ServerCalendar] {
  /// As the account orders them.
  var inOrder: [ServerCalendar] {
    enumerated().sorted {
      ($0.element.order ?? .max, $0.offset) < ($1.element.order ?? .max, $1.offset)
    }.map(\.element)
  }
}

extension ObjectText {
  /// SUMMARY of the series, otherwise of its first component.
  var title: String? {
    let key = order.first { $0.occurrence == nil } ?? order.first
    return key.flatMap { components[$0]?.value(of: "SUMMARY") }
  }
}
