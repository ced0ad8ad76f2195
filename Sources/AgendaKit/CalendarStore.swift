public import AgendaCore
package import AgendaPictures
internal import AgendaReader
package import AgendaSources
package import AgendaStore
public import CivilTime

/// The store that `agenda import` fills: what goes into it, what comes out, and what it did.
///
///     let store = CalendarStore(at: path)
///     let reports = try store.importSources(["work.ics"], CalendarStore.ImportOptions(now: now))
///     let agenda = try store.contents().agenda(in: window)
///
/// Each call reads or writes in a transaction of its own. It is used by one thread.
public final class CalendarStore {
  public let path: String
  let zones: ZoneDatabase
  /// The store, once it was opened for reading; opened anew after each change.
  private var reading: Store?

  /// Nothing is opened or created until something is asked.
  public init(at path: String, zones: ZoneDatabase = .system(TZDIR: nil)) {
    self.path = path
    self.zones = zones
  }

  /// How sources are imported.
  public struct ImportOptions {
    /// The moment of the import.
    public var now: Instant
    /// The calendar for all sources; `nil` for the one that each source names.
    public var calendar: String?
    /// The name of an encoding, such as `UTF-8`; `nil` to detect it.
    public var encoding: String?
    /// Lets a source remove most or all events of its calendar.
    public var allowsShrinking = false
    /// Refuses a source if any of its components is rejected.
    public var isStrict = false
    /// Reports what would change, and writes nothing.
    public var isDryRun = false
    /// Where a dry run may put a store if there is none yet.
    public var temporaryFolder = "/tmp"
    /// How many addresses are asked at once.
    public var jobs = 16
    /// Asks addresses again although their last answer is still fresh.
    public var isForced = false
    /// Failures are reported only for calendars that are older than this many seconds.
    public var staleAge: Int?
    /// How addresses are fetched.
    package var fetching = FetchSettings()
    /// Called now and then while sources are fetched and imported.
    package var progress: (SourceImporter.Progress) -> Void = { _ in }
    /// The program that makes thumbnails; without it pictures wait for a later import.
    package var pictureDecoder: ThumbnailMaker.Program?

    public init(now: Instant) { self.now = now }
  }

  /// Imports files, folders, addresses or standard input (`-`), each in one transaction.
  ///
  /// - Returns: One report per source. A source that was refused has an `error`.
  public func importSources(
    _ sources: [String], _ options: ImportOptions
  ) throws -> [SourceReport] {
    try importSources(sources.map { Source($0) }, options)
  }

  package func importSources(
    _ sources: [Source], _ options: ImportOptions
  ) throws -> [SourceReport] {
    let encoding = try options.encoding.map { (name) throws(CalendarError) in
      guard let encoding = TextEncoding(named: name) else {
        throw CalendarError(source: name, reason: "unknown encoding")
      }
      return encoding
    }
    if try readableStore() == nil {
      // A mistyped name must not create a store.
      let failures = sources.compactMap { source in
        source.missingReason.map { reason in
          SourceReport(source: source.displayName, calendar: options.calendar, error: reason)
        }
      }
      if failures.count == sources.count { return failures }
    }
    var importer = try importer(options)
    defer { reading = nil }
    try importer.run(
      sources, calendar: options.calendar, encoding: encoding, fetching: options.fetching)
    return importer.reports
  }

  /// Imports every source that the store knows again, or only those of some calendars. What came
  /// from standard input and the local calendar stay as they are.
  public func refresh(
    calendars wanted: [String] = [], _ options: ImportOptions
  ) throws -> [SourceReport] {
    var importer = try importer(options)
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

  private func importer(_ options: ImportOptions) throws -> SourceImporter {
    var rules = SourceImport.Options(now: options.now)
    rules.allowsShrinking = options.allowsShrinking
    rules.isStrict = options.isStrict
    rules.isDryRun = options.isDryRun
    var settings = SourceImporter.Options(storePath: path, zones: zones, import: rules)
    settings.temporaryFolder = options.temporaryFolder
    settings.pictureDecoder = options.pictureDecoder
    settings.jobs = options.jobs
    settings.isForced = options.isForced
    settings.staleAge = options.staleAge
    settings.progress = options.progress
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
    guard !removed.isEmpty else { throw StoreError.unknown(what: "source", name: name) }
    return try store.remove(sources: removed, run: store.nextRun(), now: now)
  }

  /// Reverts everything that the last change of the store did, also to files of folders.
  package func undo() throws -> [UndoneImport] {
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

  /// The same, with errors as they are. `reportFailure` is called once if the store fails while
  /// details are read.
  package func contents(
    reportFailure: @escaping (StoreError) -> Void
  ) throws(StoreError) -> CalendarCollection {
    CalendarCollection(
      try readableStore(), path: path, zones: zones, reportFailure: reportFailure)
  }

  /// Whether anything was ever imported or added.
  public var hasSources: Bool {
    get throws { try readableStore()?.hasSources() ?? false }
  }

  /// The names of the calendars.
  public var calendarNames: [String] {
    get throws { try calendars().map(\.name) }
  }

  /// The calendars by name, with their sources.
  package func calendars() throws -> [CalendarSummary] {
    try readableStore()?.calendars() ?? []
  }

  /// What is known about addresses, by location.
  package func subscriptions() throws -> [String: Subscription] {
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

  /// What imports changed since a moment, or what the last import changed.
  package func changes(
    since moment: Instant?, viewer: Zone
  ) throws -> (events: [Change], sources: [SourceChange]) {
    guard let store = try readableStore() else { return ([], []) }
    return (
      try store.changes(since: moment, viewer: viewer), try store.sourceChanges(since: moment)
    )
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

  /// Versions, counts and problems of the store; `nil` if it doesn't exist yet.
  package func health() throws -> (health: StoreHealth, pendingThumbnails: Int)? {
    guard let store = try readableStore() else { return nil }
    return (try store.health(), try store.pendingThumbnailCount())
  }

  /// Tries to write to the store without changing its content, and throws the reason if that fails.
  package func tryWriting() throws {
    reading = nil
    try Store.tryWriting(to: path, zones: zones)
  }

  /// `nil` if nothing was imported yet.
  private func readableStore() throws(StoreError) -> Store? {
    if reading == nil { reading = try Store.open(reading: path, zones: zones) }
    return reading
  }

  /// What was read before is read again after a change.
  func forgetReading() { reading = nil }

  private func writableStore() throws(StoreError) -> Store {
    reading = nil
    return try Store.open(writing: path, zones: zones)
  }
}
