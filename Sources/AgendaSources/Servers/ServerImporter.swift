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
  private var exchanges: [Exchange] = []
  /// The calendars on the server that no report has named yet.
  private var newNames: [String] = []

  /// What happened with one calendar in this run.
  private struct Exchange {
    /// `nil` if the store does not have it yet.
    var source: StoredSource?
    /// `nil` if the server does not have it.
    var calendar: ServerCalendar?
    var sending = ServerSending.Outcome()
    /// The names of documents that wait for others (`LinkedChanges`).
    var held: Set<String> = []
    var hasReceived = false
    var received = 0
    var outcome: StoreImport.Outcome?
    /// What the server lists and did not deliver: the reasons by name.
    var undelivered: [String: String] = [:]
    /// The conflicts before.
    var conflicts: Set<Int> = []
    var error: (any Error)?
  }

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
    try joinKnownAccount(of: found)
    var known = try knownUnderOtherName(wanted)
    let rows = try store.serverCalendars()
    for calendar in wanted {
      // Somebody else shares it, and has an account in the store.
      guard let source = try store.source(at: calendar.address), let row = rows[source.id],
        row.account != account.row.id
      else { continue }
      known[calendar.address] = source
    }
    let reports = wanted.inOrder.compactMap { calendar in
      known[calendar.address].map { report(on: calendar, knownAs: $0, reporting) }
    }
    if wanted.allSatisfy({ known[$0.address] != nil }) { return reports }
    choose(chosen == nil ? nil : wanted, of: found, all)
    if !options.isDryRun { account.row.id = try store.write(account.row) }
    let new = wanted.inOrder.filter { known[$0.address] == nil }
    for calendar in new {
      let source = try serverSource(at: calendar.address)
      exchanges.append(Exchange(source: source, calendar: calendar))
      if source == nil {
        try conversation?.prepare(ServerReceiving.changes(of: calendar, since: nil))
      }
    }
    do { try send() } catch { fail(error) }
    receive()
    let ready = readySources
    while sendLinked(ready: ready) {}
    return reports + finish(reporting)
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
    let finding = Finding.sameCalendar(
      origin.map { "\($0.scheme)://\($0.origin)" } ?? "", calendar: source.source.calendar)
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

  /// Sends and receives what these sources of the account have. A failure that concerns all of them is in
  /// all reports.
  mutating func refresh(_ sources: [StoredSource], offersNew: Bool) {
    exchanges = sources.map { Exchange(source: $0) }
    do {
      let conversation = try connect()
      try send()
      let rows = try store.serverCalendars()
      let single =
        account.row.homes.isEmpty
        ? sources.map(\.source.location)
        : sources.map(\.source.location).filter { location in
          !account.row.homes.contains { location.hasPrefix($0) }
        }
      switch try conversation.answer(.list(homes: account.row.homes, calendars: single)) {
      case .calendars(let found):
        for (index, source) in sources.enumerated() {
          guard var calendar = found.calendars.first(where: { $0.isAt(source.source.location) })
          else { continue }
          // The server can write the address in another way than before.
          calendar.address = source.source.location
          exchanges[index].calendar = calendar
          guard let row = rows[source.id], !ServerReceiving.isKnown(calendar, row) else { continue }
          try conversation.prepare(ServerReceiving.changes(of: calendar, since: row))
        }
        if offersNew { newNames = try offer(found) }
      case .failed(let problem): throw problem
      case .changes, .objects, .written, .refusedByCondition: throw Self.otherAnswer
      }
    } catch {
      fail(error)
    }
    receive()
  }

  /// Notes what concerns all calendars of the account.
  private mutating func fail(_ error: any Error) {
    for index in exchanges.indices { exchanges[index].error = error }
  }

  /// The calendars whose state on the server is known now, and which can be changed there.
  var readySources: Set<Int> {
    let rows = (try? store.serverCalendars()) ?? [:]
    return Set(
      exchanges.lazy.filter { $0.error == nil && $0.hasReceived }.compactMap(\.source?.id)
        .filter { rows[$0]?.isWritable != false })
  }

  /// The reports on all calendars of this run.
  mutating func finish(_ reporting: ImportReporting) -> [SourceReport] {
    var reports = exchanges.compactMap { exchange -> SourceReport? in
      do {
        if let error = exchange.error { throw error }
        guard exchange.calendar != nil else {
          throw FetchFailure("the calendar is gone from the server")
        }
        return try report(on: exchange, reporting)
      } catch {
        guard let source = exchange.source else {
          return exchange.calendar.map { report(on: $0, error) }
        }
        let isGone = exchange.error == nil && exchange.calendar == nil
        return report(
          on: source, error, exchange.sending,
          remedy: isGone ? remedy(ofGone: source) : nil)
      }
    }
    if !newNames.isEmpty, let first = reports.indices.first {
      reporting.add([.newOnServer(newNames)], to: &reports[first])
    }
    return reports
  }

  /// What to do about a calendar that is gone: what waits there is nowhere else, unless it was moved there.
  private func remedy(ofGone source: StoredSource) -> SourceRemedy {
    let name = source.source.calendar
    guard let waiting = try? store.waitingDocuments(ofSource: source.id),
      let links = try? LinkedChanges(reader)
    else { return .removeCalendar(name) }
    let own = waiting.filter { document in
      !document.isRemoved
        && links.links(toNew: .init(source: source.id, name: document.name)).isEmpty
    }
    return own.isEmpty ? .removeCalendar(name) : .moveOut(calendar: name, count: own.count)
  }

  /// The names of calendars that the user has not seen in a report yet. One report has them.
  private mutating func offer(_ found: FoundCalendars) throws -> [String] {
    let new = found.calendars.filter(\.isUsable).filter { calendar in
      !account.row.knownCalendars.contains { calendar.isAt($0) }
    }
    guard !new.isEmpty else { return [] }
    account.row.knownCalendars += new.map(\.address)
    if !options.isDryRun { try store.write(account.row) }
    return new.map(\.title)
  }

  // MARK: Sending

  /// Sends what waits, except for what waits for other changes.
  private mutating func send() throws {
    let links = try LinkedChanges(reader)
    for (index, var exchange) in exchanges.enumerated() {
      guard let source = exchange.source else { continue }
      exchange.conflicts = try openConflicts(of: source.id)
      exchange.held = links.names(ofSource: source.id)
      let held = exchange.held
      defer { exchanges[index] = exchange }
      if !options.isDryRun { try send(&exchange) { !held.contains($0) } }
    }
  }

  /// Sends the documents of a calendar whose names are wanted. `compared` are those whose objects were
  /// fetched in this run.
  private func send(
    _ exchange: inout Exchange, compared: Set<String> = [], where isWanted: (String) -> Bool
  ) throws {
    guard let source = exchange.source,
      try store.serverCalendars()[source.id]?.isWritable != false,
      var sending = sending(to: exchange)
    else { return }
    sending.compared = compared
    let more = try sending.send(where: isWanted)
    exchange.sending.add(more)
    if let failure = more.failure { throw failure }
  }

  private func sending(to exchange: Exchange) -> ServerSending? {
    guard let source = exchange.source, let conversation else { return nil }
    return ServerSending(
      store: store, conversation: conversation, place: ServerPlace(source.source),
      source: source.id)
  }

  /// Sends what waited for other changes and can be sent now. `ready` are the calendars, also of other
  /// accounts, whose state on the server is known. Returns whether anything was tried.
  mutating func sendLinked(ready: Set<Int>) -> Bool {
    conversation?.turns = nil
    var hasTried = false
    for (index, var exchange) in exchanges.enumerated()
    where !exchange.held.isEmpty && exchange.error == nil && !options.isDryRun {
      guard let source = exchange.source, ready.contains(source.id) else { continue }
      defer { exchanges[index] = exchange }
      do {
        let links = try LinkedChanges(reader)
        let names = exchange.held.filter {
          !links.hold(.init(source: source.id, name: $0), ready: ready)
        }
        if names.isEmpty { continue }
        hasTried = true
        exchange.held.subtract(names)
        try send(&exchange, where: names.contains)
        try move(exchange.sending.knownUIDs, links, to: &exchange)
        if !exchange.sending.contested.isEmpty { try receive(&exchange) }
      } catch {
        exchange.error = error
      }
    }
    return hasTried
  }

  /// Moves objects on the server that it refused as new ones, because it has them in another calendar.
  private func move(
    _ names: Set<String>, _ links: LinkedChanges, to exchange: inout Exchange
  ) throws {
    exchange.sending.knownUIDs = []
    guard let source = exchange.source, let sending = sending(to: exchange) else { return }
    for name in names.sorted() {
      for link in links.links(toNew: .init(source: source.id, name: name)) where link.isMove {
        guard let other = exchanges.first(where: { $0.source?.id == link.old.source }),
          let origin = self.sending(to: other),
          let old = try store.serverObject(source: link.old.source, name: link.old.name)
        else { continue }
        try sending.move(old, of: origin, to: name, &exchange.sending)
      }
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

  private mutating func receive() {
    for (index, var exchange) in exchanges.enumerated()
    where exchange.calendar != nil && exchange.error == nil {
      do { try receive(&exchange) } catch { exchange.error = error }
      exchanges[index] = exchange
    }
  }

  /// Receives what changed, and sends what was merged, until both sides agree.
  private func receive(_ exchange: inout Exchange) throws {
    guard let conversation, let calendar = exchange.calendar else { throw Self.otherAnswer }
    let place = ServerPlace(
      address: calendar.address,
      calendar: exchange.source?.source.calendar ?? calendar.title)
    for _ in 0..<Self.mostRounds {
      let source = try serverSource(at: calendar.address)
      let receiving = ServerReceiving(
        importer: self, conversation: conversation, calendar: calendar, place: place,
        source: source)
      let contested = exchange.sending.contested
      exchange.sending.contested = []
      let result = try receiving.run(contested: contested, isFirstRound: !exchange.hasReceived)
      exchange.hasReceived = true
      exchange.outcome = result.outcome ?? exchange.outcome
      exchange.received += result.received
      exchange.sending.sent += result.sent
      for object in result.undelivered { exchange.undelivered[object.path] = object.reason }
      if options.isDryRun { return }
      exchange.source = try serverSource(at: calendar.address)
      guard source != nil, !result.unsettled.isEmpty else { return }
      // Merged versions, and those that were compared with the server's object.
      let held = exchange.held
      try send(&exchange, compared: result.unsettled) {
        result.unsettled.contains($0) && !held.contains($0)
      }
      if exchange.sending.contested.isEmpty { return }
    }
    try noteRefusals(exchange.sending.contested, of: place)
  }

  private func openConflicts(of source: Int) throws(StoreError) -> Set<Int> {
    Set(try reader.openConflicts().filter { $0.source == source }.map(\.id))
  }

  /// What a server refuses again and again, although it has no other version.
  private func noteRefusals(_ names: Set<String>, of place: ServerPlace) throws {
    guard let source = try store.sourceID(at: place.address) else { return }
    let objects = try store.waitingDocuments(ofSource: source).compactMap { waiting in
      names.contains(waiting.name) ? waiting.object : nil
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
    on exchange: Exchange, _ reporting: ImportReporting
  ) throws -> SourceReport {
    guard let calendar = exchange.calendar else { throw Self.otherAnswer }
    let source = try store.source(at: calendar.address)
    let name = Source(calendar.address).displayName
    var report: SourceReport
    if let outcome = exchange.outcome {
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
      of: source?.id, sent: exchange.sending.sent, received: exchange.received,
      waiting: waiting)
    guard let source else { return report }
    var findings: [Finding] = []
    let reasons = Dictionary(grouping: exchange.undelivered, by: \.value)
    for (reason, objects) in reasons.sorted(by: { $0.key < $1.key }) {
      let titles = try objects.map { try title(ofDocument: $0.key, source: source.id) }.sorted()
      let others = titles.count - Self.mostNames
      findings.append(
        .notDelivered(
          titles.prefix(Self.mostNames).joined(separator: ", ")
            + (others > 0 ? " and \(others) more" : ""), reason: reason))
    }
    findings += try moves(waitingIn: source.id)
    for document in waiting {
      guard let reason = document.object?.failure else { continue }
      let title = try title(ofDocument: document.name, source: source.id)
      findings.append(.changeRefused(title: title, reason: reason))
    }
    let open = report.exchange?.conflicts ?? 0
    report.exchange?.newConflicts = try openConflicts(of: source.id)
      .subtracting(exchange.conflicts).count
    if open > 0 { findings.append(.openConflicts(open)) }
    reporting.add(findings, to: &report)
    if !options.isDryRun, !waiting.isEmpty,
      try store.serverCalendars()[source.id]?.isWritable == false
    {
      reporting.add([.readOnlyOnServer], to: &report)
    }
    return report
  }

  /// So many titles fit into a message.
  private static let mostNames = 8

  /// The moves from or to a calendar that could not be done.
  private func moves(waitingIn source: Int) throws -> [Finding] {
    guard !options.isDryRun else { return [] }
    return try LinkedChanges(reader).all.compactMap { link in
      guard link.isMove, link.new.source != link.old.source, !link.isInConflict,
        link.old.source == source
          || link.new.source == source && !readySources.contains(link.old.source),
        let from = try reader.source(link.old.source)?.source.calendar,
        let to = try reader.source(link.new.source)?.source.calendar
      else { return nil }
      let title = try title(ofDocument: link.new.name, source: link.new.source)
      return .moveWaits(title: title, from: from, to: to)
    }
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
    knownUIDs.formUnion(other.knownUIDs)
    contested.formUnion(other.contested)
    failure = failure ?? other.failure
  }
}

extension ServerCalendar {
  /// Whether it has this address, in whatever way it is written.
  func isAt(_ address: String) -> Bool {
    self.address == address || self.address.comparablePath == address.comparablePath
  }

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
