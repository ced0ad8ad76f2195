public import AgendaCore
internal import AgendaPictures
public import AgendaReader
public import AgendaSources
public import AgendaStore
public import CivilTime

/// The store of `agenda import`: imports calendars, changes events, and lists what changed.
///
///     let store = CalendarStore(at: path)
///     let reports = try store.importSources(["work.ics"], CalendarStore.ImportOptions(now: now))
///     let agenda = try store.contents().agenda(in: window)
///
/// Each call reads or writes in a separate transaction. A store belongs to one task or thread; use
/// ``SharedStore`` to share one between tasks.
public final class CalendarStore {
  /// The path of the database file.
  public let path: String
  let zones: ZoneDatabase
  /// The store, once it was opened for reading. It is opened again after each change.
  private var reading: Store?

  /// A store at a path. Nothing is opened or created until you use it.
  public init(at path: String, zones: ZoneDatabase = .system(TZDIR: nil)) {
    self.path = path
    self.zones = zones
  }

  /// How sources are imported.
  public struct ImportOptions: Sendable {
    /// The moment of the import.
    public var now: Instant
    /// The name of the calendar for all sources; `nil` for the name in each source.
    public var calendar: String?
    /// The encoding of the sources; `nil` to detect it.
    public var encoding: TextEncoding?
    /// Whether a source may remove most or all events of its calendar.
    public var allowsShrinking = false
    /// Whether a source is refused if any of its components is rejected.
    public var isStrict = false
    /// Whether the import only reports what would change, and writes nothing.
    public var isDryRun = false
    /// The folder in which a dry run creates a temporary store if the store does not exist.
    public var temporaryFolder = "/tmp"
    /// The largest number of addresses that are fetched at once.
    public var jobs = 16
    /// Whether addresses are fetched although their last answer is still current.
    public var isForced = false
    /// The age in seconds from which a calendar's failures are reported; `nil` reports all.
    public var staleAge: Int?
    /// How addresses are fetched.
    public var fetching = FetchSettings()
    /// The path of `agenda`, which decodes pictures in a separate process. Without it pictures wait for
    /// a later import.
    public var pictureDecoder: String?

    /// The default options for an import at this moment.
    public init(now: Instant) { self.now = now }
  }

  /// Imports files, folders, addresses or standard input (`-`), each in one transaction.
  ///
  /// `progress` is called now and then while sources are fetched and imported.
  ///
  /// - Returns: One report per source. A source that was refused has an `error`.
  public func importSources(
    _ sources: [String], _ options: ImportOptions,
    progress: @escaping (SourceProgress) -> Void = { _ in }
  ) throws -> [SourceReport] {
    try importSources(sources.map { Source($0) }, options, progress: progress)
  }

  /// Imports sources, each in one transaction. See `importSources(_:_:progress:)` for paths and
  /// addresses as texts.
  public func importSources(
    _ sources: [Source], _ options: ImportOptions,
    progress: @escaping (SourceProgress) -> Void = { _ in }
  ) throws -> [SourceReport] {
    if try readableStore() == nil {
      // A mistyped name must not create a store.
      let failures = sources.compactMap { source in
        source.missingReason.map { reason in
          SourceReport(source: source.displayName, calendar: options.calendar, error: reason)
        }
      }
      if failures.count == sources.count { return failures }
    }
    var importer = try importer(options, progress)
    defer { reading = nil }
    try importer.run(
      sources, calendar: options.calendar, encoding: options.encoding,
      fetching: options.fetching)
    return importer.reports
  }

  /// Imports all sources of the store again, or only those of some calendars. Events from standard
  /// input and of the local calendar stay as they are.
  public func refresh(
    calendars wanted: [String] = [], _ options: ImportOptions,
    progress: @escaping (SourceProgress) -> Void = { _ in }
  ) throws -> [SourceReport] {
    var importer = try importer(options, progress)
    defer { reading = nil }
    let all = importer.calendars
    for name in wanted where !all.contains(where: { $0.name == name }) {
      throw StoreError.unknown(what: "calendar", name: name)
    }
    let chosen = all.filter { wanted.isEmpty || wanted.contains($0.name) }
    try importer.refresh(
      chosen.flatMap(\.sources).sorted { $0.number < $1.number }.map(\.source),
      findsFolders: wanted.isEmpty, fetching: options.fetching)
    return importer.reports
  }

  /// Caches the listing of a day if an import just added most of what the store has, so that the
  /// first `agenda today` does not have to read the day's events from all over the file. After a
  /// smaller import it would take a large part of the import's time.
  package func cacheListing(of window: DateWindow, after reports: [SourceReport]) throws {
    let added = reports.reduce(0) { $0 + $1.added }
    if added == 0 { return }
    let count = try calendars().reduce(0) { $0 + $1.events + $1.tasks }
    guard added * 2 > count else { return }
    let events = StoreEvents(try readableStore(), zones: zones, reportFailure: { _ in })
    try events.cacheListing(of: window)
  }

  private func importer(
    _ options: ImportOptions, _ progress: @escaping (SourceProgress) -> Void
  ) throws -> SourceImporter {
    var rules = SourceImport.Options(now: options.now)
    rules.allowsShrinking = options.allowsShrinking
    rules.isStrict = options.isStrict
    rules.isDryRun = options.isDryRun
    var settings = SourceImporter.Options(storePath: path, zones: zones, import: rules)
    settings.temporaryFolder = options.temporaryFolder
    settings.pictureDecoder = options.pictureDecoder.map { .init(path: $0) }
    settings.jobs = options.jobs
    settings.isForced = options.isForced
    settings.staleAge = options.staleAge
    settings.progress = progress
    return try SourceImporter(settings)
  }

  /// Removes a calendar. Returns how many entries it had.
  public func remove(calendar: String, now: Instant) throws -> Int {
    let store = try writableStore()
    return try store.remove(calendar: calendar, run: store.nextRun(), now: now)
  }

  /// Removes one source of a calendar: a file, a folder or an address, even if it no longer exists.
  /// For a root, all of its folders are removed. Returns how many entries there were.
  public func remove(source name: String, now: Instant) throws -> Int {
    let store = try writableStore()
    let known = try store.calendars().flatMap { $0.sources.map(\.source.location) }
    let location = known.first { $0 == name } ?? Source(name).location ?? name
    let members = try store.rootFolders().filter { $0.root == location }.map(\.folder)
    let removed = known.contains(location) ? [location] : members.filter(known.contains)
    guard !removed.isEmpty else {
      if let reason = messagesReason(name) { throw CalendarError(source: name, reason: reason) }
      throw StoreError.unknown(what: "source", name: name)
    }
    return try store.remove(sources: removed, run: store.nextRun(), now: now)
  }

  /// Why a file is not a source of the store although it was imported; `nil` if it is not such a file.
  private func messagesReason(_ name: String) -> String? {
    guard case .path = Source(name) else { return nil }
    var loader = SourceLoader(zones: zones)
    loader.load([Source(name)])
    guard let file = loader.sources.first?.files.first?.calendar, file.hasOnlyMessages else {
      return nil
    }
    return "a mail (METHOD:\(file.method ?? "")) is not a source: an import applies it to the "
      + "events that it is about; to take it back, run agenda undo until its import is reverted, "
      + "then repeat the later changes"
  }

  /// Reverts everything that the last import, refresh or change of an event did, also to files of
  /// folders. Called again, it reverts the change before that. If another program has changed one of
  /// the files since, nothing is undone.
  public func undo() throws -> [UndoneImport] {
    guard try readableStore()?.lastRun() != nil else { throw StoreError.nothingToUndo }
    defer { reading = nil }
    return try WritingUndo(storePath: path, zones: zones).run()
  }

  /// The events of the store. A store that doesn't exist yet is empty.
  public func contents() throws(CalendarError) -> CalendarCollection {
    do throws(StoreError) {
      return CalendarCollection(try readableStore(), path: path, zones: zones)
    } catch {
      throw CalendarError(source: path, reason: error.description)
    }
  }

  /// The events of the store. `reportFailure` is called once if the store fails while details are
  /// read.
  public func contents(
    reportFailure: @escaping (StoreError) -> Void
  ) throws(StoreError) -> CalendarCollection {
    CalendarCollection(
      try readableStore(), path: path, zones: zones, reportFailure: reportFailure)
  }

  /// Whether anything was ever imported or added.
  public var hasSources: Bool {
    get throws { try readableStore()?.hasSources() ?? false }
  }

  /// Whether it keeps answers or cancellations from mail.
  package var hasMessages: Bool {
    get throws { try readableStore()?.hasMessages() ?? false }
  }

  /// The names of the calendars.
  public var calendarNames: [String] {
    get throws { try readableStore()?.calendars().map(\.name) ?? [] }
  }

  /// The calendars by name, with their sources.
  public func calendars() throws -> [CalendarSummary] {
    try readableStore()?.countedCalendars() ?? []
  }

  /// When each address was fetched and when it is fetched next, by location.
  public func subscriptions() throws -> [String: Subscription] {
    try readableStore()?.subscriptions().mapValues(\.state) ?? [:]
  }

  /// The names of the calendars with a source that was not read successfully since a moment.
  public func staleCalendars(since moment: Instant) throws -> [String] {
    let states = try subscriptions()
    let stale = try calendars().filter { calendar in
      calendar.sources.contains { source in
        guard [.url, .file, .folder].contains(source.source.kind) else { return false }
        let success = states[source.source.location]?.lastSuccess
        guard let last = [success, source.lastImport].compactMap(\.self).max() else { return true }
        return last < moment
      }
    }
    return stale.map(\.name)
  }

  /// The changes since a moment, or those of the last import or edit. `viewer` is the zone of dates
  /// and floating times.
  public func changes(since moment: Instant? = nil, viewer: Zone) throws -> StoreChanges {
    guard let store = try readableStore() else { return StoreChanges() }
    return StoreChanges(
      events: try store.changes(since: moment, viewer: viewer),
      sources: try store.sourceChanges(since: moment))
  }

  /// Waits for changes that other processes make in this store from now on.
  public func watch(viewer: Zone) throws -> StoreWatch {
    try StoreWatch(storeAt: path, zones: zones, viewer: viewer)
  }

  /// Writes the store, or some of its calendars, as one iCalendar stream, in pieces.
  public func export(
    calendars names: [String] = [], to output: ([UInt8]) throws -> Void
  ) throws {
    guard let store = try readableStore() else { throw StoreError.missing(path: path) }
    let known = try store.calendars().map(\.name)
    for name in names where !known.contains(name) {
      throw StoreError.unknown(what: "calendar", name: name)
    }
    try CalendarExport(store, zones: zones).write(calendars: names, to: output)
  }

  /// Checks every row of the store: versions, counts and problems; `nil` if it doesn't exist yet.
  public func health() throws -> StoreHealth? { try readableStore()?.health() }

  /// Tries to write to the store without changing its content, and throws the reason if that fails.
  public func tryWriting() throws {
    reading = nil
    try Store.tryWriting(to: path, zones: zones)
  }

  /// `nil` if nothing was imported yet.
  func readableStore() throws(StoreError) -> Store? {
    guard reading == nil else { return reading }
    reading = try Store.open(reading: path, zones: zones)
    // A store of an older version has no such files.
    if let announced = try? reading?.pendingFiles(), !announced.files.isEmpty {
      reading = nil
      // If it cannot be finished now, the store still has the state before the change.
      _ = try? WritingRecovery.run(storePath: path, zones: zones)
      reading = try Store.open(reading: path, zones: zones)
    }
    return reading
  }

  /// What was read before is read again after a change.
  func forgetReading() { reading = nil }

  private func writableStore() throws(StoreError) -> Store {
    reading = nil
    return try Store.open(writing: path, zones: zones)
  }
}
