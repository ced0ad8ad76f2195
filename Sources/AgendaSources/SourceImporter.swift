package import AgendaCore
package import AgendaPictures
package import AgendaReader
package import AgendaStore
package import CivilTime
internal import FetchProtocol
internal import Platform

/// Imports sources into a store, each in one transaction. Everything that one importer does is one
/// run, which `undo` reverts as a whole.
package struct SourceImporter {
  package struct Options {
    package var storePath: String
    package var zones: ZoneDatabase
    /// The moment of the import, and which sources are refused.
    package var `import`: SourceImport.Options
    /// The folder for temporary files: a dry run's store if no store exists, large answers, and
    /// copies of large files.
    package var temporaryFolder = "/tmp"
    /// A file with more bytes is read from a copy in the temporary folder, piece by piece.
    package var mostInMemory = 256 << 20
    /// The program that makes thumbnails; without it, pictures wait for a later import.
    package var pictureDecoder: ThumbnailMaker.Program?
    /// The largest number of addresses that are fetched at once.
    package var jobs = 16
    /// Asks addresses again although their last answer is still fresh.
    package var isForced = false
    /// Failures are reported only for calendars that are older than this many seconds.
    package var staleAge: Int?
    /// Called now and then while sources are fetched and imported.
    package var progress: (SourceProgress) -> Void = { _ in }

    package init(storePath: String, zones: ZoneDatabase, import: SourceImport.Options) {
      self.storePath = storePath
      self.zones = zones
      self.import = `import`
    }
  }

  private var options: Options
  /// The store of a dry run if the store is missing; its file outlives the connection.
  private let temporaryStore: TemporaryStore?
  private let store: Store
  private let runNumber: Int
  private let thumbnails: PendingThumbnails
  /// The calendars of the store before this run, without their counts.
  package let calendars: [CalendarSummary]
  /// The new state of addresses whose content is unchanged. One transaction writes all of it.
  private var confirmed: [(location: String, record: SubscriptionRecord)] = []
  /// The problems that earlier imports reported, by location. `refresh` doesn't report them again.
  private var oldFindings: [String: Set<SourceFinding>] = [:]
  /// What was reported of components of several sources, by the places of the components.
  private var commonProblems: Set<Set<ComponentOrigin>> = []
  private var names: SourceNames
  /// One report per source, in the order of the calls.
  package private(set) var reports: [SourceReport] = []

  package init(_ options: Options) throws {
    self.options = options
    var path = options.storePath
    if options.import.isDryRun, try Store.open(reading: path, zones: options.zones) == nil {
      let temporary = try TemporaryStore(in: options.temporaryFolder)
      path = temporary.path
      temporaryStore = temporary
    } else {
      temporaryStore = nil
    }
    store = try Store.open(writing: path, zones: options.zones)
    names = SourceNames(storePath: store.path)
    thumbnails = PendingThumbnails(store: store, maker: ThumbnailMaker(options.pictureDecoder))
    runNumber = try store.nextRun()
    calendars = try store.calendars()
  }

  /// Imports sources into the calendar of that name, or into those that they name.
  package mutating func run(
    _ sources: [Source], calendar: String?, encoding: TextEncoding? = nil,
    fetching: FetchSettings = FetchSettings()
  ) throws {
    let settings = Settings(
      calendar: calendar, encoding: encoding?.rawValue, fetching: fetching)
    let known = try store.rootFolders()
    let jobs = sources.flatMap { source in
      let root = CalendarRoot(source)
      let emptied = emptiedFolders(of: source, root, known)
      let members = root == nil && !emptied.isEmpty ? [] : source.members(of: root)
      return (members + emptied).map {
        Job(
          source: $0, settings: settings, location: nil, currentCalendar: nil,
          root: root?.location ?? (emptied.isEmpty ? nil : source.location))
      }
    }
    try run(jobs, isRefresh: false)
  }

  /// The locations of the sources in the store.
  private var knownSources: Set<String> {
    Set(calendars.flatMap { $0.sources.map(\.source.location) })
  }

  /// The folders of a root that the store knows and that have lost all of their files. `root` is
  /// `nil` if no folder has any.
  private func emptiedFolders(
    of source: Source, _ root: CalendarRoot?, _ known: [RootFolder]
  ) -> [Source] {
    guard !known.isEmpty, let location = root?.location ?? source.location else { return [] }
    let sources = knownSources
    let filled = Set(root?.folders.compactMap { try? resolvedPath($0) } ?? [])
    return known.filter {
      $0.root == location && sources.contains($0.folder) && !filled.contains($0.folder)
        && FileStatus(path: $0.folder)?.kind == .folder
    }.map { .path($0.folder) }
  }

  /// Imports sources again with their previous settings. The sources from standard input and the
  /// local calendar are left out. `findsFolders` also imports new folders of roots; `fetching`
  /// replaces settings of the addresses.
  package mutating func refresh(
    _ imported: [ImportedSource], findsFolders: Bool, fetching: FetchSettings = FetchSettings()
  ) throws {
    let records = try store.subscriptions()
    let folders = try store.rootFolders()
    let roots = Dictionary(folders.map { ($0.folder, $0.root) }) { $1 }
    var jobs = imported.filter { $0.kind != .local && $0.kind != .standardInput }.map { source in
      let settings = Settings(
        calendar: source.hasExplicitName ? source.calendar : nil, encoding: source.encoding,
        fetching: fetching.completed(
          by: records[source.location]?.settings ?? FetchSettings()))
      return Job(
        source: Source(source.location), settings: settings, location: source.location,
        currentCalendar: source.calendar, root: roots[source.location])
    }
    if findsFolders { jobs += newFolders(of: folders) }
    try run(jobs, isRefresh: true)
  }

  /// The folders that were added to roots since their import. Roots without any source in the store
  /// are skipped.
  private func newFolders(of folders: [RootFolder]) -> [Job] {
    let sources = knownSources
    let known = sources.union(folders.map(\.folder))
    var roots: [String: RootFolder] = [:]
    for folder in folders where sources.contains(folder.folder) { roots[folder.root] = folder }
    return roots.keys.sorted().flatMap { root in
      let settings = Settings(
        calendar: nil, encoding: roots[root]?.encoding, fetching: FetchSettings())
      return CalendarRoot.folders(in: root)
        .filter { path in (try? resolvedPath(path)).map { !known.contains($0) } ?? false }
        .map {
          Job(
            source: .path($0), settings: settings, location: nil, currentCalendar: nil, root: root)
        }
    }
  }

  // MARK: One source

  /// The settings of a source that the user gave when it was imported.
  private struct Settings {
    /// The calendar's name, if the user gave one.
    let calendar: String?
    let encoding: String?
    let fetching: FetchSettings
  }

  /// A source that is to be imported.
  private struct Job {
    let source: Source
    let settings: Settings
    /// Its location in the store; `nil` if it is not known yet.
    let location: String?
    let currentCalendar: String?
    /// The path of its root, if it was found in one.
    let root: String?
  }

  /// A source during its import.
  private struct Import {
    let origin: SourceOrigin
    let settings: Settings
    /// A digest of everything except its bytes that affects how a source is read.
    let interpretation: Int
    /// The result of fetching its address; `nil` if it is not an address.
    let visit: Visit?
    let root: String?
  }

  private mutating func run(_ jobs: [Job], isRefresh: Bool) throws {
    var fetch = SubscriptionRun(
      try addresses(of: jobs, isRefresh: isRefresh), now: options.import.now, jobs: options.jobs,
      isForced: options.isForced, temporaryFolder: options.temporaryFolder,
      progress: { [progress = options.progress] done, count, location in
        let name = location.map { Source($0).displayName }
        progress(.fetching(done: done, count: count, waitingFor: name))
      })
    oldFindings = isRefresh ? try findings() : [:]
    options.import.skipsKnownProblems = isRefresh
    for job in jobs {
      // Without this, two hundred commits that each wait for the disk would take longer than the
      // rest.
      if jobs.count > 1, !options.import.isDryRun { try store.delayDiskWrites() }
      run(job, isRefresh: isRefresh, fetch: &fetch)
    }
    if !options.import.isDryRun {
      try moveAdditions()
      try store.update(subscriptions: confirmed)
    }
    confirmed = []
    try store.waitForDisk()
  }

  /// Moves sources that only add occurrences into the calendar of their series, if that came later.
  private func moveAdditions() throws {
    for addition in try store.misplacedAdditions() {
      guard var source = try store.source(at: addition.location)?.source else { continue }
      source.calendar = addition.calendar
      let session = try store.beginImport(of: source, run: runNumber, options.import)
      try session.keepAll()
      _ = try session.finish()
    }
  }

  /// The problems in the store, by location.
  private func findings() throws -> [String: Set<SourceFinding>] {
    var known: [String: Set<SourceFinding>] = [:]
    for stored in try store.findings() {
      known[stored.origin.location, default: []].insert(
        SourceFinding(source: stored.origin.document, finding: stored.finding))
    }
    return known
  }

  /// The report with the new problems. A file that can't be read counts as new each time, because
  /// the store may lack some of its events. Such a finding names no component.
  private mutating func sourceReport(
    _ report: ImportReport, name: String, location: String
  ) -> SourceReport {
    names.add(name, for: location)
    let common = newCommonProblems(report, source: name)
    var report = report
    for index in report.findings.indices {
      report.findings[index].finding = names.named(
        report.findings[index].finding, of: location)
    }
    var outcome = SourceReport(report, source: name, common: common)
    guard let old = oldFindings[location] else { return outcome }
    var newReport = report
    newReport.findings.removeAll { finding in
      let isUnreadable = finding.finding.severity == .error && finding.finding.component == nil
      return old.contains(finding) && !isUnreadable
    }
    outcome.newProblems = SourceReport(newReport, source: name, common: common).problems
    return outcome
  }

  private func addresses(
    of jobs: [Job], isRefresh: Bool
  ) throws -> [SubscriptionRun.Address] {
    let urls = jobs.compactMap { job -> (job: Job, location: String)? in
      guard case .url(let url) = job.source else { return nil }
      return (job, url.address)
    }
    guard !urls.isEmpty else { return [] }
    let records = try store.subscriptions()
    return try urls.map { job, location in
      var record = records[location] ?? SubscriptionRecord()
      record.settings = job.settings.fetching
      let isKnown = previous(location, job.settings) != nil
      let digest = try store.contentDigest(
        location: location, interpretation: interpretation(encoding: job.settings.encoding))
      // A strict import may have to refuse content that the store already has.
      let isConditional = isKnown && digest != nil && !options.import.isStrict
      return SubscriptionRun.Address(
        location: location, record: record, isConditional: isConditional,
        respectsPauses: isRefresh)
    }
  }

  private mutating func run(_ job: Job, isRefresh: Bool, fetch: inout SubscriptionRun) {
    let name = job.source.displayName
    let settings = job.settings
    var location = job.location
    var visit: Visit?
    if case .url(let url) = job.source {
      visit = fetch.visit(url.address)
      // An address that is named twice is imported once.
      if visit == nil { return }
    }
    do {
      let origin = try SourceOrigin(job.source, calendar: settings.calendar)
      location = origin.location
      if case .paused(let pause)? = visit?.outcome {
        var report = SourceReport(source: name, calendar: job.currentCalendar)
        report.remote = SourceReport.Remote()
        report.remote?.pause = SourceReport.Pause(pause)
        reports.append(report)
        return
      }
      let source = Import(
        origin: origin, settings: settings,
        interpretation: interpretation(encoding: settings.encoding), visit: visit,
        root: job.root)
      let overlaps = SourceOverlaps(store: store, origin: origin)
      if !isRefresh, let report = try overlaps.reportOnFolderFile(calendar: settings.calendar) {
        reports.append(report)
        return
      }
      if let report = try confirmedReport(source) {
        reports.append(sourceReport(report, name: name, location: origin.location))
        return
      }
      var report = try report(on: source)
      if report.error == nil, !options.import.isDryRun {
        report.findings += thumbnails.run(source: origin.location).map {
          SourceFinding(source: "", finding: $0)
        }
      }
      if !isRefresh, report.error == nil {
        report.findings += try overlaps.findings(isInRoot: job.root != nil)
        if !options.import.isDryRun {
          try overlaps.removeFiles(run: runNumber, now: options.import.now)
        }
      }
      var outcome = sourceReport(report, name: name, location: origin.location)
      if let visit, let error = report.error {
        add(FetchFailure(error), of: visit, location: origin.location, to: &outcome)
      } else if report.error != nil, let source = try store.source(at: origin.location) {
        outcome.kept = SourceReport.Kept(of: source)
      }
      reports.append(outcome)
    } catch {
      // If the store can't be written, the report already says so.
      if let location, !options.import.isDryRun {
        try? store.note(error: "\(error)", location: location)
      }
      let calendar = settings.calendar ?? job.currentCalendar
      let failure = error as? FetchFailure
      var report = SourceReport(
        source: name, calendar: calendar, error: failure?.reason ?? "\(error)")
      if let visit {
        report.calendar = calendar ?? job.source.calendarName
        add(
          failure ?? FetchFailure("\(error)"), of: visit, location: location, to: &report)
      } else if isRefresh, let location, let source = try? store.source(at: location) {
        report.kept = SourceReport.Kept(of: source)
        if FileStatus(path: location) == nil {
          report.advice = "agenda remove --source '\(location)' removes it from the store"
        }
      } else if case ReaderError.noCalendarsInFolder = error, let path = location {
        report.advice = "agenda add --calendar '\(path)' begins a calendar there"
      }
      reports.append(report)
    }
  }

  /// What is wrong because of other sources of the calendar, with the places of the components.
  private mutating func newCommonProblems(
    _ report: ImportReport, source: String
  ) -> [SourceFinding] {
    report.commonFindings.compactMap { common in
      // Another source of this run has the same problem.
      guard commonProblems.insert(Set(common.origins)).inserted else { return nil }
      var finding = SeriesAssembly.finding(
        common.finding, about: common.event,
        places: common.origins.map { names.place(of: $0).name })
      guard let first = common.origins.first else {
        return SourceFinding(source: source, finding: finding)
      }
      finding.line = first.line
      return SourceFinding(source: names.place(of: first).source, finding: finding)
    }
  }

  /// The report on an address whose server answered "unchanged". An earlier failure has to be cleared,
  /// as an import does.
  private mutating func confirmedReport(_ source: Import) throws -> ImportReport? {
    guard let visit = source.visit, case .unchanged = visit.outcome, !visit.hadFailed,
      let report = try store.confirmedReport(
        location: source.origin.location, interpretation: source.interpretation)
    else { return nil }
    confirmed.append((source.origin.location, visit.confirmed()))
    return report
  }

  /// Stores the reason why an address could not be imported, and adds its state to the report.
  private func add(
    _ failure: FetchFailure, of visit: Visit, location: String?, to report: inout SourceReport
  ) {
    var remote = SourceReport.Remote()
    defer { report.remote = remote }
    report.advice = failure.hint
    guard let location, let source = try? store.source(at: location) else { return }
    var record = visit.failed(failure.reason, location: location)
    report.kept = SourceReport.Kept(
      count: source.events + source.tasks,
      since: record.state.lastSuccess ?? source.lastImport)
    if let staleAge = options.staleAge, record.state.pause?.reason != .gone {
      remote.isSilent = !record.state.reportsFailure(at: options.import.now, olderThan: staleAge)
    }
    if !options.import.isDryRun { try? store.update(subscriptions: [(location, record)]) }
  }

  private func report(on source: Import) throws -> ImportReport {
    if let report = try reportOnUnchanged(source) { return report }
    if case .failed(let failure)? = source.visit?.outcome { throw failure }
    var readerOptions = CalendarReader.Options()
    readerOptions.calendar = source.settings.calendar
    readerOptions.encoding = source.settings.encoding.flatMap(TextEncoding.init(named:))
    let reader = CalendarReader(zones: options.zones, options: readerOptions)
    let imported = ImportedSource(
      kind: source.origin.kind, location: source.origin.location, calendar: "",
      hasExplicitName: source.settings.calendar != nil, encoding: source.settings.encoding)
    if source.origin.kind == .folder, let path = source.origin.path {
      // Until the import ends, no other agenda may change the files that it reads. If the folder
      // cannot be locked, it is read-only, and agenda cannot change its files either.
      let lock = options.import.isDryRun ? nil : try? FolderWriter(path)
      defer { withExtendedLifetime(lock) {} }
      return try importing(
        folder: path, imported, reader, interpretation: source.interpretation,
        root: source.root)
    }
    // The bytes are released before the import finishes, because finishing needs memory too.
    switch try begun(source, imported, reader) {
    case .importing(let session): return try session.finish()
    case .messages(let report): return report
    }
  }

  private enum Begun {
    case importing(SourceImport)
    /// The report on a file that contains only messages about events.
    case messages(ImportReport)
  }

  /// Reads a source and passes all of its components to an import.
  private func begun(
    _ source: Import, _ imported: ImportedSource, _ reader: CalendarReader
  ) throws -> Begun {
    let origin = source.origin
    let bytes: SourceBytes
    if case .content(let content)? = source.visit?.outcome {
      bytes = SourceBytes(content)
    } else {
      bytes = try origin.source.bytes(
        copy: SourceBytes.Copy(
          folder: options.temporaryFolder, mostInMemory: options.mostInMemory))
    }
    var file = try reader.read(bytes, name: origin.source.calendarName)
    if file.hasOnlyMessages {
      return .messages(try taking(messages: file, calendar: reader.options.calendar))
    }
    var reader = reader
    if reader.options.calendar == nil, file.hasOnlyAdditions,
      let calendar = try store.calendar(
        ofSeriesOf: file.allEvents, besides: origin.location)
    {
      reader.options.calendar = calendar
      file = try reader.read(bytes, name: calendar)
    }
    let adjuster = SourceAdjuster(
      adjustments: try store.adjustments(location: origin.location), reader: reader,
      zones: options.zones, now: options.import.now)
    let adjusted = try adjuster.applied(to: file)
    if let adjusted { file = adjusted.file }
    var imported = imported
    imported.calendar = file.name
    imported.color = file.color
    let session = try store.beginImport(of: imported, run: runNumber, options.import)
    session.subscription = source.visit?.succeeded(
      refreshInterval: PublishedInterval.seconds(in: file.calendarProperties.joined()))
    let digest = session.digest(
      of: UnsafeRawBufferPointer(bytes.bytes), didRead: bytes.release)
    if try !session.keepsUnchanged(
      fingerprint: origin.fingerprint, digest: digest, interpretation: source.interpretation)
    {
      let files = CalendarFiles([file])
      let document = file.importedDocument(
        fingerprint: origin.fingerprint, digest: digest, interpretation: source.interpretation,
        findings: files.findings(ofFile: 0))
      try take(file, of: files, document, session, name: origin.source.displayName)
      session.note(hidden: adjusted?.hidden ?? 0)
    }
    return .importing(session)
  }

  /// A file with only cancellations or answers does not contain events. So it does not become a
  /// source, but the store keeps its messages.
  private func taking(
    messages file: CalendarFile, calendar: String?
  ) throws -> ImportReport {
    var report = ImportReport(source: "", calendar: calendar)
    report.components = file.componentCount
    report.rejected = file.rejectedCount
    report.journals = file.journalCount
    report.freeBusy = file.freeBusyCount
    report.findings = file.findings.map { SourceFinding(source: "", finding: $0) }
    report.unchanged = file.answerCount
    var messages: [EventMessage] = []
    file.forEachEvent { event, bytes in
      let number = event.reference.component
      let method: EventMessage.Method
      if file.isCancellation(number) {
        method = .cancel
      } else if file.isReply(number) {
        method = .reply
      } else {
        return
      }
      messages.append(
        EventMessage(
          method, event: event, details: file.details(of: event.reference),
          line: file.line(ofComponent: number), text: Array(bytes)))
    }
    return try store.take(
      messages, in: calendar, report: report, rejectedJournals: file.rejectedJournalCount,
      run: runNumber, options.import)
  }

  /// Imports a folder, each of its files as one document. If a file can't be read, the store keeps
  /// the events it has from that file. Unchanged files are not opened, unless a changed file concerns
  /// them.
  private func importing(
    folder path: String, _ imported: ImportedSource, _ reader: CalendarReader,
    interpretation: Int, root: String?
  ) throws -> ImportReport {
    let kept = try store.keptDocuments(
      source: imported.location, interpretation: interpretation,
      isStrict: options.import.isStrict)
    // A folder that the store knows may have lost its last event. The import of an empty source is
    // refused if the store has events of it.
    let isKnown = try store.source(at: imported.location) != nil
    let changed = try reader.readFolder(at: path, acceptsEmpty: isKnown) { kept.contains($0, $1) }
    let (session, isComplete) = try begun(
      changed, imported, kept, interpretation: interpretation, root: root)
    if isComplete { return try session.finish() }
    session.cancel()
    let whole = try reader.readFolder(at: path, acceptsEmpty: isKnown)
    return try begun(whole, imported, kept, interpretation: interpretation, root: root)
      .session.finish()
  }

  /// Passes the files of a folder to an import. `isComplete` is false if the unchanged files have to
  /// be read too.
  private func begun(
    _ folder: CalendarFolder, _ imported: ImportedSource, _ kept: KeptDocuments,
    interpretation: Int, root: String?
  ) throws -> (session: SourceImport, isComplete: Bool) {
    var imported = imported
    imported.calendar =
      root == nil || imported.hasExplicitName
      ? folder.name : try unusedName(folder.name, location: imported.location)
    imported.color = folder.color
    let files = CalendarFiles(folder.files, names: folder.fileNames(in: imported.location))
    let session = try store.beginImport(of: imported, run: runNumber, options.import)
    session.root = root
    // A message can concern an event of any file.
    if files.hasMessages, !folder.unchanged.isEmpty { return (session, false) }
    var unchanged = folder.unchanged[...]
    func keepUnchanged(before place: Int) throws -> Bool {
      while let next = unchanged.first, next.place <= place {
        guard try session.keep(next.name, of: kept) else { return false }
        unchanged.removeFirst()
      }
      return true
    }
    var index = 0
    for (place, entry) in folder.entries.enumerated() {
      guard try keepUnchanged(before: place) else { return (session, false) }
      switch entry.result {
      case .success(let file):
        let document = file.importedDocument(
          name: entry.name, fingerprint: files.hasMessages ? nil : entry.fingerprint, digest: nil,
          interpretation: interpretation, findings: files.findings(ofFile: index))
        index += 1
        try take(file, of: files, document, session, name: "\(imported.location)/\(entry.name)")
      case .failure(let error):
        _ = try session.begin(
          ImportedDocument(
            name: entry.name, interpretation: interpretation,
            findings: [.skippedFile(error)], components: 0, isTruncated: true))
      }
    }
    let isComplete = try keepUnchanged(before: folder.entries.count)
    return (session, isComplete && !session.sharesUIDsWithKept)
  }

  /// The name of a root's folder as a calendar. Two folders of one root can have the same name.
  private func unusedName(_ name: String, location: String) throws -> String {
    let others = try store.calendars().first { $0.name == name }?.sources ?? []
    let isTaken = others.contains {
      $0.source.kind == .folder && !$0.source.hasExplicitName && $0.source.location != location
    }
    return isTaken ? Source.path(location).nameInRoot(name) : name
  }

  /// The report on a source that the file system or the server reports as unchanged. It isn't read.
  private func reportOnUnchanged(_ source: Import) throws -> ImportReport? {
    var digest: Int?
    var isConfirmed = false
    if case .unchanged? = source.visit?.outcome {
      isConfirmed = true
      digest = try store.contentDigest(
        location: source.origin.location, interpretation: source.interpretation)
    }
    guard isConfirmed || source.origin.fingerprint != nil,
      let previous = previous(source.origin.location, source.settings)
    else { return nil }
    let session = try store.beginImport(of: previous, run: runNumber, options.import)
    if isConfirmed { session.subscription = source.visit?.confirmed() }
    guard
      try session.keepsUnchanged(
        fingerprint: source.origin.fingerprint, digest: digest,
        interpretation: source.interpretation)
    else { return nil }
    return try session.finish()
  }

  /// The source in the store, if the user gave the same settings last time.
  private func previous(_ location: String, _ settings: Settings) -> ImportedSource? {
    let sources = calendars.lazy.flatMap { $0.sources.map(\.source) }
    guard let previous = sources.first(where: { $0.location == location }),
      previous.encoding == settings.encoding,
      previous.hasExplicitName == (settings.calendar != nil),
      settings.calendar == nil || settings.calendar == previous.calendar
    else { return nil }
    return previous
  }

  private func take(
    _ file: CalendarFile, of files: CalendarFiles, _ content: ImportedDocument,
    _ session: SourceImport, name: String
  ) throws {
    let document = try session.begin(content)
    let count = file.eventCount
    try session.takeAll(
      count, of: document,
      progress: { options.progress(.importing(source: name, done: $0, count: count)) },
      read: { ordinals, known in
        defer { file.release(ordinals) }
        return file.importedComponents(ordinals, known: known, of: files)
      })
  }

  /// The meaning of a source's bytes also depends on this program, the zone rules and the encoding.
  private func interpretation(encoding: String?) -> Int {
    Self.interpretation(encoding: encoding, zones: options.zones)
  }

  static func interpretation(encoding: String?, zones: ZoneDatabase) -> Int {
    var digest = StableDigest()
    digest.add(agendaVersion)
    digest.add(zones.version ?? "")
    digest.add(encoding ?? "")
    return Int(truncatingIfNeeded: digest.value)
  }
}

extension SourceReport {
  fileprivate init(_ report: ImportReport, source: String, common: [SourceFinding]) {
    self.init(
      source: source, calendar: report.calendar, previousCalendar: report.previousCalendar,
      components: report.components,
      added: report.added, updated: report.updated, removed: report.removed,
      unchanged: report.unchanged, superseded: report.superseded, rejected: report.rejected,
      journals: report.journals, freeBusy: report.freeBusy, error: report.error,
      problems: (report.findings.map { finding in
        guard !finding.source.isEmpty else {
          return SourceFinding(source: source, finding: finding.finding)
        }
        return SourceFinding(
          source: Source.name(ofFile: finding.source, in: source), finding: finding.finding)
      } + common).sortedByLine.grouped)
    advice = report.advice
  }
}

extension SourceReport.Kept {
  /// What the store has of a source.
  fileprivate init(of source: SourceSummary) {
    self.init(count: source.events + source.tasks, since: source.lastImport)
  }
}
