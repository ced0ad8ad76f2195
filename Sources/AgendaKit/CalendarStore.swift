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
  private var reading: StoreReader?

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
    if try reader() == nil {
      // A mistyped name must not create a store.
      let failures = sources.compactMap { source in
        source.missingReason.map { reason in
          SourceReport(source: source.displayName, calendar: options.calendar, error: reason)
        }
      }
      if failures.count == sources.count { return failures }
    }
    var importer = try importer(options, command: "import", progress)
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
    var importer = try importer(options, command: "refresh", progress)
    defer { reading = nil }
    try importer.refresh(calendars: wanted, fetching: options.fetching)
    return importer.reports
  }

  private func importer(
    _ options: ImportOptions, command: String, _ progress: @escaping (SourceProgress) -> Void
  ) throws -> SourceImporter {
    var settings = AgendaSources.ImportOptions(storePath: path, zones: zones, now: options.now)
    settings.allowsShrinking = options.allowsShrinking
    settings.isStrict = options.isStrict
    settings.isDryRun = options.isDryRun
    settings.temporaryFolder = options.temporaryFolder
    settings.pictureDecoder = options.pictureDecoder.map { .init(path: $0) }
    settings.jobs = options.jobs
    settings.isForced = options.isForced
    settings.staleAge = options.staleAge
    settings.progress = progress
    return try SourceImporter(settings, command: command)
  }

  /// Removes a calendar. Returns how many entries it had.
  public func remove(calendar: String, now: Instant) throws -> Int {
    try removal(now).remove(calendar: calendar)
  }

  /// Removes one source of a calendar: a file, a folder or an address, even if it no longer exists.
  /// For a root, all of its folders are removed; for `-`, all that came from standard input. Returns how
  /// many entries there were. A mail has none: its removal takes back what it did.
  public func remove(source name: String, now: Instant) throws -> Int {
    let store = try writableStore()
    let sources = try store.sources().map(\.source)
    let known = sources.map(\.location)
    let location = known.first { $0 == name } ?? Source(name).location ?? name
    var members = try store.rootFolders().filter { $0.root == location }.map(\.folder)
    if case .standardInput = Source(name) {
      members += sources.filter { $0.kind == .standardInput && $0.location != location }
        .map(\.location)
    }
    let removed = ([location] + members).filter(known.contains)
    guard !removed.isEmpty else { throw StoreError.unknown(what: "source", name: name) }
    return try removal(now).remove(sources: removed)
  }

  private func removal(_ now: Instant) throws -> StoreRemoval {
    StoreRemoval(StoreReader(try writableStore(), zones: zones), now: now)
  }

  /// Reverts everything that the last import, refresh or change of an event did, also to files of
  /// folders. Called again, it reverts the change before that. If another program has changed one of
  /// the files since, nothing is undone.
  public func undo() throws -> [UndoneImport] {
    guard try reader()?.store.generations(atMost: 1).first != nil else {
      throw StoreError.nothingToUndo
    }
    defer { reading = nil }
    return try WritingUndo(storePath: path, zones: zones).run()
  }

  /// The events of the store. A store that doesn't exist yet is empty.
  public func contents() throws(CalendarError) -> CalendarCollection {
    do throws(StoreError) {
      return CalendarCollection(try reader()?.store, path: path, zones: zones)
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
      try reader()?.store, path: path, zones: zones, reportFailure: reportFailure)
  }

  /// Whether anything was ever imported or added, except for messages about unknown events.
  public var hasSources: Bool {
    get throws { try reader()?.hasHadCalendars() ?? false }
  }

  /// Whether it keeps answers or cancellations from mail.
  package var hasMessages: Bool {
    get throws { try reader()?.hasMessages() ?? false }
  }

  /// The names of the calendars.
  public var calendarNames: [String] {
    get throws { try reader()?.calendars().map(\.name) ?? [] }
  }

  /// The calendars by name, with their sources.
  public func calendars() throws -> [CalendarSummary] {
    try reader()?.countedCalendars() ?? []
  }

  /// The mails without a calendar: their messages are about the events of all calendars.
  public func mails() throws -> [SourceSummary] {
    try reader()?.messageSources() ?? []
  }

  /// When each address was fetched and when it is fetched next, by location.
  public func subscriptions() throws -> [String: Subscription] {
    try reader()?.store.subscriptions().mapValues { SubscriptionRecord($0).state } ?? [:]
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
    guard let reader = try reader() else { return StoreChanges() }
    return StoreChanges(
      events: try reader.changes(since: moment, viewer: viewer),
      sources: try reader.sourceChanges(since: moment))
  }

  /// Waits for changes that other processes make in this store from now on.
  public func watch(viewer: Zone) throws -> StoreWatch {
    try StoreWatch(storeAt: path, zones: zones, viewer: viewer)
  }

  /// Writes the store, or some of its calendars, as one iCalendar stream, in pieces.
  public func export(
    calendars names: [String] = [], to output: ([UInt8]) throws -> Void
  ) throws {
    guard let reader = try reader() else { throw StoreError.missing(path: path) }
    let known = try reader.calendars().map(\.name)
    for name in names where !known.contains(name) {
      throw StoreError.unknown(what: "calendar", name: name)
    }
    try CalendarExport(reader).write(calendars: names, to: output)
  }

  /// Checks every row of the store: versions, counts and problems; `nil` if it doesn't exist yet.
  public func health() throws -> StoreHealth? {
    try reader().map { try StoreIndex($0.store, zones: zones).health() }
  }

  /// Makes everything again that the store derives from the text of its calendars: where events are in
  /// time, and the words of searches.
  public func rebuildIndex() throws {
    guard try reader() != nil else { throw StoreError.missing(path: path) }
    reading = nil
    try StoreIndex(try Store.open(writing: path), zones: zones).rebuild()
  }

  /// Tries to write to the store without changing its content, and throws the reason if that fails.
  public func tryWriting() throws {
    reading = nil
    try Store.tryWriting(to: path)
  }

  /// `nil` if nothing was imported yet.
  func reader() throws(StoreError) -> StoreReader? {
    guard reading == nil else { return reading }
    var store = try Store.open(reading: path)
    if let pending = try store?.pendingChange(), !pending.files.isEmpty {
      store = nil
      // If it cannot be finished now, the store still has the state before the change.
      _ = try? WritingRecovery.run(storePath: path, zones: zones)
      store = try Store.open(reading: path)
    }
    if let present = store, try !StoreIndex.isCurrent(present, zones: zones) {
      // Who may not write the store reads it without its index.
      try? StoreIndex.update(try Store.open(writing: path), zones: zones)
    }
    reading = store.map { StoreReader($0, zones: zones) }
    return reading
  }

  /// What was read before is read again after a change.
  func forgetReading() { reading = nil }

  private func writableStore() throws(StoreError) -> Store {
    reading = nil
    return try Store.open(writing: path)
  }
}
