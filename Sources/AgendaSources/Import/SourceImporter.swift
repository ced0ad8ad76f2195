package import AgendaCore
internal import AgendaPictures
package import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import FetchProtocol
internal import Platform

/// Imports sources into a store, each in one transaction: an `ImportPlan` says which ones,
/// `SubscriptionRun` fetches addresses, `ImportReading` reads, and `StoreImport` stores. Everything that
/// one importer does is one command, which `undo` reverts as a whole.
package struct SourceImporter {
  private let options: ImportOptions
  /// The store of a dry run if the store is missing; its file outlives the connection.
  private let temporaryStore: TemporaryStore?
  private let store: Store
  private let reader: StoreReader
  private let command: StoreCommand
  private let reading: ImportReading
  private let severalUIDs: SeveralUIDs
  private let thumbnails: PendingThumbnails
  /// The new state of addresses whose content is unchanged. One transaction writes all of it.
  private var confirmed: [(location: String, row: SubscriptionRow)] = []
  private let reporting: ImportReporting
  /// How often in a row all addresses of a host had failed before this run, by host.
  private var hostFailures: [String: Int] = [:]
  /// New addresses that answered without a calendar, so that they can be those of a CalDAV server.
  private var possibleServers: [String: SafeURL] = [:]
  /// One report per source, in the order of the jobs.
  package private(set) var reports: [SourceReport] = []

  /// `command` is its name for people: `import`, `refresh`.
  package init(_ options: ImportOptions, command name: String) throws {
    self.options = options
    var path = options.storePath
    if options.isDryRun, try Store.open(reading: path) == nil {
      let temporary = try TemporaryStore(in: options.temporaryFolder)
      path = temporary.path
      temporaryStore = temporary
    } else {
      temporaryStore = nil
    }
    store = try Store.open(writing: path)
    if !options.isDryRun { try StoreIndex.update(store, zones: options.zones) }
    reader = StoreReader(store, zones: options.zones)
    command = StoreCommand(name, at: options.now)
    reading = ImportReading(store: store, options: options)
    severalUIDs = SeveralUIDs(store)
    thumbnails = PendingThumbnails(reader: reader, maker: ThumbnailMaker(options.pictureDecoder))
    reporting = ImportReporting(storePath: path)
  }

  /// Imports sources into the calendar of that name, or into those that they name.
  package mutating func run(
    _ sources: [Source], calendar: String?, encoding: TextEncoding? = nil,
    fetching: FetchSettings = FetchSettings()
  ) throws {
    var sources = sources
    for (index, source) in sources.enumerated().reversed() {
      // The settings say that it is a server, or the store knows that.
      guard case .url(let url) = source, try isServer(url, fetching) else { continue }
      sources.remove(at: index)
      reports += try serverReports(importing: url, calendar: calendar, fetching)
    }
    guard !sources.isEmpty else { return }
    try run(
      ImportPlan(
        importing: sources,
        SourceSettings(calendar: calendar, encoding: encoding?.name, fetching: fetching),
        known: try store.sources(), rootFolders: try store.rootFolders()))
    try tryServers(fetching)
  }

  /// Imports the sources of some calendars again with their previous settings, or all of them with the
  /// new folders of roots.
  package mutating func refresh(
    calendars wanted: [String], fetching: FetchSettings = FetchSettings()
  ) throws {
    let known = try store.sources()
    let chosen = try wanted.isEmpty ? known : sources(ofCalendars: wanted, known)
    try run(
      ImportPlan(
        refreshing: chosen, known: known, rootFolders: try store.rootFolders(),
        try store.subscriptions(), isOfNamedCalendars: !wanted.isEmpty, fetching: fetching))
    try refreshServers(chosen, isOfNamedCalendars: !wanted.isEmpty, fetching)
  }

  // MARK: Servers

  /// Sends what waits for the servers of these calendars, and receives what changed there.
  package mutating func exchange(calendars names: [String]) throws {
    let known = try store.sources().filter { $0.source.kind == .server }
    try refreshServers(
      names.isEmpty ? known : known.filter { names.contains($0.source.calendar) },
      isOfNamedCalendars: true, FetchSettings())
  }

  private func isServer(_ url: SafeURL, _ fetching: FetchSettings) throws -> Bool {
    if fetching.isForServer { return true }
    return try store.source(at: url.address) == nil
      && store.accounts().contains { $0.address == url.address }
  }

  private func server(_ account: AccountRow, _ fetching: FetchSettings) -> ServerImporter {
    var account = ServerAccount(account)
    account.take(fetching)
    return ServerImporter(
      store: store, reader: reader, options: options, command: command, severalUIDs: severalUIDs,
      account: account)
  }

  /// Imports the calendars of an account. A failure is the report of its address.
  private mutating func serverReports(
    importing url: SafeURL, calendar: String?, _ fetching: FetchSettings
  ) throws -> [SourceReport] {
    let accounts = try store.accounts().filter { $0.address == url.address }
    let known = fetching.user.map { user in accounts.filter { $0.user == user } } ?? accounts
    var importer = server(known.first ?? AccountRow(address: url.address), fetching)
    do {
      guard !url.hasCredentials else {
        var report = SourceReport(
          source: url.displayName, calendar: nil,
          error: "the address has a user name or password, which the store would keep")
        report.remedy = .nameUser
        return [report]
      }
      guard known.count <= 1 else {
        let users = known.map { $0.user ?? "unnamed" }.joined(separator: " and ")
        var report = SourceReport(
          source: url.displayName, calendar: nil, error: "accounts of \(users) have this address")
        report.remedy = .chooseUser
        return [report]
      }
      guard calendar == nil else {
        var report = SourceReport(
          source: url.displayName, calendar: nil,
          error: "the calendars of a server have their names from there")
        report.remedy = .chooseCalendars
        return [report]
      }
      return try importer.importCalendars(
        chosen: fetching.chosenCalendars, reporting: reporting)
    } catch {
      let failure = error as? FetchFailure
      var report = SourceReport(
        source: url.displayName, calendar: nil, error: failure?.reason ?? "\(error)")
      report.remedy = failure?.hint.map { .words($0) }
      return [report]
    }
  }

  /// Looks for CalDAV servers at the addresses that have no calendar file.
  private mutating func tryServers(_ fetching: FetchSettings) throws {
    for (index, report) in reports.enumerated() {
      guard report.error != nil, let url = possibleServers[report.source], !url.hasCredentials
      else { continue }
      var importer = server(AccountRow(address: url.address), fetching)
      do {
        let own = try importer.importCalendars(chosen: nil, reporting: reporting)
        reports.replaceSubrange(index...index, with: own)
        return try tryServers(fetching)
      } catch {
        possibleServers[report.source] = nil
        guard let failure = error as? FetchFailure else { continue }
        if failure == .noServer {
          reports[index].remedy =
            reports[index].remedy ?? .words("it is neither a calendar file nor a CalDAV server")
        } else {
          reports[index].error = failure.reason
          reports[index].remedy = failure.hint.map { .words($0) }
        }
      }
    }
  }

  private mutating func refreshServers(
    _ chosen: [StoredSource], isOfNamedCalendars: Bool, _ fetching: FetchSettings
  ) throws {
    let sources = chosen.filter { $0.source.kind == .server }
    guard !sources.isEmpty else { return }
    let rows = try store.serverCalendars()
    let states = try store.subscriptions()
    var refreshes: [AccountRefresh] = []
    for account in try store.accounts() {
      let own = sources.filter { rows[$0.id]?.account == account.id }
      guard !own.isEmpty else { continue }
      if !options.isDryRun { try store.delayDiskWrites() }
      let refresh = AccountRefresh(server(account, fetching), own)
      refreshes.append(refresh)
      let pauses = own.compactMap { source in
        states[source.source.location].flatMap {
          SubscriptionRecord($0).state.pause(at: options.now)
        }
      }
      let asksAlways = isOfNamedCalendars || options.isForced || options.allowsShrinking
      if !asksAlways, let pause = pauses.first, pauses.count == own.count {
        refresh.reports = own.map { refresh.importer.report(on: $0, pause) }
      }
    }
    let asked = refreshes.filter { $0.reports == nil }
    if asked.count == 1 {
      asked.first?.run(offersNew: !isOfNamedCalendars, turns: nil)
    } else {
      // While one server is awaited, what another one has sent is stored.
      TakingTurns.run(
        asked.map { refresh in { refresh.run(offersNew: !isOfNamedCalendars, turns: $0) } })
    }
    // An event can have moved from one account to another.
    let ready = Set(asked.flatMap(\.importer.readySources))
    while asked.map({ $0.sendLinked(ready: ready) }).contains(true) {}
    for refresh in asked { refresh.finish(reporting) }
    for refresh in refreshes {
      reports += refresh.reports ?? []
    }
    // The settings of this call are also those of later ones.
    if !options.isDryRun, fetching != FetchSettings() {
      for refresh in asked { try store.write(refresh.importer.account.row) }
    }
    // `changes` then lists nothing, as after any import that changed nothing.
    if !options.isDryRun, command.generation == nil { try store.noteUnchangedImport() }
    try store.waitForDisk()
  }

  private func sources(
    ofCalendars wanted: [String], _ known: [StoredSource]
  ) throws(StoreError) -> [StoredSource] {
    let names = try store.calendarNames()
    for name in wanted where !names.values.contains(where: { $0.contains(name) }) {
      throw .unknown(what: "calendar", name: name)
    }
    return known.filter { source in
      names[source.id].map { !$0.isDisjoint(with: wanted) } ?? false
    }
  }

  // MARK: All sources

  private mutating func run(_ plan: ImportPlan) throws {
    var fetch = SubscriptionRun(
      try addresses(of: plan), now: options.now, jobs: options.jobs,
      temporaryFolder: options.temporaryFolder,
      progress: { [progress = options.progress] done, count, location in
        let name = location.map { Source($0).displayName }
        progress(.fetching(done: done, count: count, waitingFor: name))
      })
    var reports: [Int: SourceReport] = [:]
    if plan.isRefresh {
      try runInOrderOfArrival(plan, &fetch, &reports)
    } else {
      for (number, job) in plan.jobs.enumerated() {
        var visit: Visit?
        if let location = job.address {
          visit = fetch.visit(location)
          // An address that is named twice is imported once.
          if visit == nil { continue }
        }
        reports[number] = try run(job, visit, plan)
      }
    }
    if !options.isDryRun { try store.update(subscriptions: confirmed) }
    confirmed = []
    try store.waitForDisk()
    self.reports += reports.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Sources of the store are imported when they arrive. What they mean together does not depend on
  /// that, except for the names of calendars that are new: these sources wait for the others.
  private mutating func runInOrderOfArrival(
    _ plan: ImportPlan, _ fetch: inout SubscriptionRun, _ reports: inout [Int: SourceReport]
  ) throws {
    var numbers: [String: Int] = [:]
    for (number, job) in plan.jobs.enumerated() {
      if let location = job.address { numbers[location] = number }
    }
    var waiting: [(number: Int, visit: Visit)] = []
    while let (location, visit) = fetch.nextVisit() {
      guard let number = numbers[location] else { continue }
      if let report = try run(plan.jobs[number], visit, plan, acceptsNewNames: false) {
        reports[number] = report
      } else {
        waiting.append((number, visit))
      }
    }
    for (number, job) in plan.jobs.enumerated() where job.address == nil {
      reports[number] = try run(job, nil, plan)
    }
    for (number, visit) in waiting.sorted(by: { $0.number < $1.number }) {
      reports[number] = try run(plan.jobs[number], visit, plan)
    }
  }

  private mutating func addresses(of plan: ImportPlan) throws -> [SubscriptionRun.Address] {
    guard plan.jobs.contains(where: { $0.address != nil }) else { return [] }
    let rows = try store.subscriptions()
    hostFailures = Self.hostFailures(rows)
    let respectsPauses =
      plan.isRefresh && !plan.isOfNamedCalendars && !options.isForced && !options.allowsShrinking
    return try plan.jobs.compactMap { job -> SubscriptionRun.Address? in
      guard let location = job.address else { return nil }
      var record = rows[location].map(SubscriptionRecord.init) ?? SubscriptionRecord()
      record.settings = job.settings.fetching
      let known = try store.source(at: location).flatMap { job.settings.agree(with: $0) ? $0 : nil }
      let document = try known.flatMap { try reading.confirmable($0, job.settings) }
      // A strict import may have to refuse content that the store already has.
      return SubscriptionRun.Address(
        location: location, record: record,
        isConditional: document != nil && !options.isStrict, respectsPauses: respectsPauses)
    }
  }

  /// How often in a row all addresses of a host have failed, by host. If only some
  /// addresses of a host fail, none of them waits.
  private static func hostFailures(_ rows: [String: SubscriptionRow]) -> [String: Int] {
    var failures: [String: Int] = [:]
    for (location, row) in rows {
      guard let host = SafeURL(location)?.host else { continue }
      failures[host] = min(failures[host] ?? .max, row.failureCount)
    }
    return failures
  }

  // MARK: One source

  /// Imports a source and returns the report; `nil` if it has a new name, which `acceptsNewNames` does
  /// not allow yet.
  private mutating func run(
    _ job: ImportJob, _ visit: Visit?, _ plan: ImportPlan, acceptsNewNames: Bool = true
  ) throws -> SourceReport? {
    // Without this, two hundred commits that each wait for the disk would take longer than the rest.
    if plan.jobs.count > 1, !options.isDryRun { try store.delayDiskWrites() }
    var location = job.known?.location
    do {
      let origin = try SourceOrigin(job.source, calendar: job.settings.calendar)
      location = origin.location
      if case .paused(let pause)? = visit?.outcome {
        return paused(job, pause, lastFailure: visit?.lastFailure)
      }
      let overlaps = SourceOverlaps(reader: reader, origin: origin)
      if !plan.isRefresh,
        let report = try overlaps.reportOnFolderFile(calendar: job.settings.calendar)
      {
        return report
      }
      guard
        var report = try stored(
          job, origin, visit, acceptsNewNames, overlaps: plan.isRefresh ? nil : overlaps)
      else { return nil }
      if !options.isDryRun {
        reporting.add(
          try thumbnails.run(source: store.sourceID(at: origin.location)), to: &report)
      }
      if !plan.isRefresh { report.newProblems = report.problems }
      return report
    } catch {
      return failed(job, error, visit, location: location, isRefresh: plan.isRefresh)
    }
  }

  /// Reads and stores a source. With `overlaps`, it takes in others.
  private mutating func stored(
    _ job: ImportJob, _ namedOrigin: SourceOrigin, _ visit: Visit?, _ acceptsNewNames: Bool,
    overlaps: SourceOverlaps?
  ) throws -> SourceReport? {
    var settings = job.settings
    var origin = namedOrigin
    var known = try store.source(at: origin.location)
    let same = known.flatMap { settings.agree(with: $0) ? $0 : nil }
    let name = job.source.displayName
    let importing = StoreImport(
      reader: reader, options: options, command: command,
      encoding: settings.encoding)
    // Until the import ends, no other agenda may change the files that it reads. If the folder
    // cannot be locked, it is read-only, and agenda cannot change its files either.
    let isLocked = origin.kind == .folder && !options.isDryRun
    let lock = isLocked ? origin.path.flatMap { try? FolderWriter($0) } : nil
    defer { withExtendedLifetime(lock) {} }

    var read: ReadSource
    switch visit?.outcome {
    case .failed(let failure)?: throw failure
    case .unchanged?:
      guard let same, let document = try reading.confirmable(same, settings) else {
        throw FetchFailure("the server says that nothing changed, but the store lacks the content")
      }
      // An earlier failure has to be cleared, as an import does.
      if let visit, visit.lastFailure == nil, same.lastError == nil {
        confirmed.append((origin.location, visit.confirmed().row))
        return reporting.report(
          try importing.confirmed(same, document, severalUIDs: severalUIDs), source: name,
          at: origin.location)
      }
      read = ReadSource(confirmed: same, document)
    case .content(let bytes)?:
      read = try reading.read(origin, settings, known: same, content: bytes)
    case .paused?, nil: read = try reading.read(origin, settings, known: same, content: nil)
    }
    let moved = try overlaps?.moved(to: read) ?? []
    let names = Set(
      moved.filter { $0.isWhole && $0.source.source.hasExplicitName }.map(\.source.source.calendar))
    if settings.calendar == nil, known == nil, let name = names.first, names.count == 1 {
      settings = SourceSettings(
        calendar: name, encoding: settings.encoding, fetching: settings.fetching)
      read = try reading.read(origin, settings, known: nil, content: nil)
    }
    let files = try overlaps?.files() ?? []
    let taken =
      files + moved.map(\.source).filter { source in !files.contains { $0.id == source.id } }
    origin = origin.origin(of: read)
    if origin.location != namedOrigin.location { known = try store.source(at: origin.location) }
    if !acceptsNewNames, known?.source.hasExplicitName != true,
      known?.source.calendar != read.name, !read.isUnchanged
    {
      return nil
    }
    var source = ImportedSource(
      kind: origin.kind, location: origin.location, calendar: "",
      hasExplicitName: settings.calendar != nil, color: read.color,
      encoding: settings.encoding)
    if read.isUnchanged { source.color = known?.source.color }
    let naming = try CalendarNaming(
      store: store, origin: origin, isInRoot: job.root != nil, replacing: taken)
    source.calendar = naming.name(of: read, given: settings.calendar, known: known?.source)
    var subscription: SubscriptionRow?
    if let visit {
      subscription =
        (read.isUnchanged
        ? visit.confirmed()
        : visit.succeeded(
          refreshInterval: PublishedInterval.seconds(in: read.calendarProperties))).row
    }
    let namingFinding = naming.finding(read, stored: source.calendar)
    // From here on, nothing else holds the text of the source, so that it is freed when its rows are
    // written.
    var hooks = StoreImport.Hooks()
    hooks.taken = taken.map(\.source.location)
    let outcome = try importing.run(
      source, consume read, root: job.root, subscription: subscription, severalUIDs: severalUIDs,
      hooks: hooks
    ) { [progress = options.progress] done, count in
      progress(.importing(source: name, done: done, count: count))
    }
    var report = reporting.report(outcome, source: name, at: origin.location)
    if let overlaps {
      reporting.add(try overlaps.findings(isInRoot: job.root != nil, taken: taken), to: &report)
    }
    if let finding = namingFinding {
      let problem = SourceFinding(source: name, finding: finding)
      report.problems.append(problem)
      if known == nil { report.newProblems.append(problem) }
    }
    return report
  }

  // MARK: Failures

  private mutating func failed(
    _ job: ImportJob, _ error: any Error, _ visit: Visit?, location: String?, isRefresh: Bool
  ) -> SourceReport {
    let refusal = error as? SourceRefusal
    let failure = error as? FetchFailure
    var report = SourceReport(
      source: job.source.displayName,
      calendar: job.settings.calendar ?? job.known?.calendar,
      error: failure?.reason ?? "\(error)")
    report.refusal = refusal
    if case StoreError.damagedContent = error { report.remedy = .checkStore }
    let known = location.flatMap { try? store.source(at: $0) }
    // If the store can't be written, the report already says so.
    if let location, !options.isDryRun {
      try? store.note(error: "\(error)", location: location)
    }
    if let visit {
      if !isRefresh, known == nil, case .url(let url) = job.source, let status = failure?.status,
        [200, 401, 403, 404, 405, 501].contains(status), job.settings.calendar == nil
      {
        possibleServers[report.source] = url
      }
      report.calendar = report.calendar ?? known?.source.calendar ?? job.source.calendarName
      note(failure ?? FetchFailure("\(error)"), of: visit, known, to: &report)
      return report
    }
    if isRefresh || refusal != nil, let known {
      report.calendar = report.calendar ?? known.source.calendar
      report.kept = kept(known, since: known.lastImport)
    }
    if isRefresh, let location, known != nil, FileStatus(path: location) == nil {
      report.remedy = .remove(location: location)
    }
    if case ReaderError.noCalendarsInFolder = error, let path = location {
      report.remedy = .beginCalendar(path: path)
    }
    return report
  }

  /// Stores the reason why an address could not be imported, and adds its state to the report.
  private func note(
    _ failure: FetchFailure, of visit: Visit, _ known: StoredSource?, to report: inout SourceReport
  ) {
    var remote = SourceReport.Remote()
    defer { report.remote = remote }
    if let hint = failure.hint { report.remedy = .words(hint) }
    guard let known else { return }
    let location = known.source.location
    let host = SafeURL(location)?.host ?? location
    var record = visit.failed(
      failure.reason, location: location, hostFailures: (hostFailures[host] ?? 0) + 1)
    report.kept = kept(known, since: record.state.lastSuccess ?? known.lastImport)
    if let staleAge = options.staleAge, record.state.pause?.reason != .gone {
      remote.isSilent = !record.state.reportsFailure(at: options.now, olderThan: staleAge)
    }
    if !options.isDryRun {
      try? store.update(subscriptions: [(location, record.row)])
    }
  }

  /// The report on an address that is not asked now. One that is gone is an error each time.
  private func paused(
    _ job: ImportJob, _ pause: Subscription.Pause, lastFailure: String?
  ) -> SourceReport {
    var report = SourceReport(source: job.source.displayName, calendar: job.known?.calendar)
    report.remote = SourceReport.Remote()
    report.remote?.pause = SourceReport.Pause(pause)
    if pause.reason == .gone {
      report.error = lastFailure ?? SourceReport.Pause(pause).reason
      if let location = job.known?.location, let known = try? store.source(at: location) {
        report.kept = kept(known, since: known.lastImport)
      }
    }
    return report
  }

  private func kept(_ source: StoredSource, since moment: Instant?) -> SourceReport.Kept {
    let count = try? reader.entryCount(ofSource: source.id)
    return SourceReport.Kept(count: count ?? 0, since: moment)
  }
}

/// The refresh of the calendars of one account.
private final class AccountRefresh {
  private(set) var importer: ServerImporter
  private let sources: [StoredSource]
  /// `nil` if it has not run yet.
  var reports: [SourceReport]?

  init(_ importer: ServerImporter, _ sources: [StoredSource]) {
    self.importer = importer
    self.sources = sources
  }

  func run(offersNew: Bool, turns: TakingTurns?) {
    importer.turns = turns
    importer.refresh(sources, offersNew: offersNew)
  }

  func sendLinked(ready: Set<Int>) -> Bool { importer.sendLinked(ready: ready) }

  func finish(_ reporting: ImportReporting) { reports = importer.finish(reporting) }
}

extension ImportJob {
  /// The location of an address; `nil` for any other source.
  var address: String? {
    if case .url(let url) = source { url.address } else { nil }
  }
}

extension SourceSettings {
  /// Whether the user gave the same settings when the source was imported last.
  func agree(with known: StoredSource) -> Bool {
    known.source.encoding == encoding
      && known.source.hasExplicitName == (calendar != nil)
      && (calendar == nil || calendar == known.source.calendar)
  }
}
