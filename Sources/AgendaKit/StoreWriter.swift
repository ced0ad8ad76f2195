public import AgendaCore
public import AgendaReader
public import AgendaSources
internal import AgendaStore
public import CivilTime

/// Changes a store: imports calendars, changes events, and takes changes back.
///
///     try store.write { try $0.importSources(["work.ics"]) }
///
/// You get it from ``CalendarStore/write(isDryRun:_:)-6i669``.
public final class StoreWriter {
  /// The moment of the changes.
  public let now: Instant
  /// Whether the calls only report what they would change.
  package let isDryRun: Bool
  let store: CalendarStore
  /// What a person is asked about servers.
  package var questions = ServerQuestions()

  init(_ store: CalendarStore, isDryRun: Bool) {
    self.store = store
    self.isDryRun = isDryRun
    now = store.configuration.clock()
  }

  /// The calendars as they are now, with the changes of this writer.
  public func calendars() throws(CalendarError) -> Calendars {
    try CalendarError.catching { try store.contents() }
  }

  /// How sources are imported.
  public struct ImportOptions: Sendable {
    /// The name of the calendar for all sources; `nil` for the name in each source.
    public var calendar: String?
    /// The encoding of the sources; `nil` to detect it.
    public var encoding: TextEncoding?
    /// Whether a source may remove most or all events of its calendar.
    public var allowsShrinking = false
    /// Whether a source is refused if any of its components is rejected.
    public var isStrict = false
    /// The largest number of addresses that are fetched at once.
    package var jobs = 16
    /// Whether addresses are fetched although their last answer is still current.
    public var isForced = false
    /// The age in seconds from which a calendar's failures are reported; `nil` reports all.
    public var staleAge: Int?
    /// How addresses are fetched.
    public var fetching = FetchSettings()

    /// The default options.
    public init() {}
  }

  /// Imports files, folders and addresses, each in one transaction.
  ///
  /// `progress` is called now and then while sources are fetched and imported.
  ///
  /// - Returns: One report per source. A source that was refused has an `error`.
  @discardableResult
  public func importSources(
    _ sources: [String], _ options: ImportOptions = ImportOptions(),
    progress: @escaping (SourceProgress) -> Void = { _ in }
  ) throws(CalendarError) -> [SourceReport] {
    try CalendarError.catching {
      try importSources(sources.map { Source($0) }, options, progress: progress)
    }
  }

  /// Imports sources, standard input among them, each in one transaction.
  @discardableResult
  package func importSources(
    _ sources: [Source], _ options: ImportOptions = ImportOptions(),
    progress: @escaping (SourceProgress) -> Void = { _ in }
  ) throws -> [SourceReport] {
    if try store.opened() == nil {
      // A mistyped name must not create a store.
      let failures = sources.compactMap { source in
        source.missingReason.map { reason in
          SourceReport(source: source.displayName, calendar: options.calendar, error: reason)
        }
      }
      if failures.count == sources.count { return failures }
    }
    var importer = try importer(options, command: "import", progress)
    try importer.run(
      sources, calendar: options.calendar, encoding: options.encoding,
      fetching: options.fetching)
    return importer.reports
  }

  /// Imports all sources of the store again, or only those of some calendars. Events from standard
  /// input and of the local calendar stay as they are.
  @discardableResult
  public func refresh(
    calendars wanted: [String] = [], _ options: ImportOptions = ImportOptions(),
    progress: @escaping (SourceProgress) -> Void = { _ in }
  ) throws(CalendarError) -> [SourceReport] {
    try CalendarError.catching {
      var importer = try importer(options, command: "refresh", progress)
      try importer.refresh(calendars: wanted, fetching: options.fetching)
      return importer.reports
    }
  }

  /// Sends what waits in these calendars on servers, and receives what changed there.
  @discardableResult
  package func exchange(calendars names: [String]) throws -> [SourceReport] {
    var importer = try importer(ImportOptions(), command: "refresh") { _ in }
    try importer.exchange(calendars: names)
    return importer.reports
  }

  private func importer(
    _ options: ImportOptions, command: String, _ progress: @escaping (SourceProgress) -> Void
  ) throws -> SourceImporter {
    let configuration = store.configuration
    var settings = AgendaSources.ImportOptions(
      storePath: store.path, zones: store.zones, now: now)
    settings.allowsShrinking = options.allowsShrinking
    settings.isStrict = options.isStrict
    settings.isDryRun = isDryRun
    settings.temporaryFolder = configuration.temporaryFolder
    settings.pictureDecoder = configuration.pictureDecoder.map { .init(path: $0) }
    settings.jobs = options.jobs
    settings.isForced = options.isForced
    settings.staleAge = options.staleAge
    settings.progress = progress
    settings.questions = questions
    return try SourceImporter(settings, command: command)
  }

  /// Removes a calendar. Returns how many entries it had.
  @discardableResult
  public func remove(calendar: String) throws(CalendarError) -> Int {
    try CalendarError.catching {
      try StoreRemoval(writableReader(), now: now).remove(calendar: calendar)
    }
  }

  /// Removes one source of a calendar: a file, a folder or an address, even if it no longer exists.
  /// For a root, all of its folders are removed. Returns how many entries there were.
  ///
  /// `name` is a path, an address, or the name that lists show: `https://example.com/…#1f3a`.
  @discardableResult
  public func remove(source name: String) throws(CalendarError) -> Int {
    try CalendarError.catching {
      try remove(sourceNamed: name) { sources in
        let locations = sources.filter { $0.isNamed(name) }.map(\.location)
        // A root is not a source itself; its folders are.
        return locations.isEmpty ? [Source(name).location ?? name] : locations
      }
    }
  }

  /// Removes all that came from standard input. Returns how many entries there were. A mail has none: its
  /// removal takes back what it did.
  @discardableResult
  package func removeStandardInput() throws -> Int {
    try remove(sourceNamed: Source.standardInput.displayName) { sources in
      sources.filter { $0.kind == .standardInput }.map(\.location)
    }
  }

  private func remove(
    sourceNamed name: String, choosing locations: ([ImportedSource]) -> [String]
  ) throws -> Int {
    let reader = try writableReader()
    let sources = try reader.store.sources().map(\.source)
    let chosen = locations(sources)
    let members = try reader.store.rootFolders().filter { chosen.contains($0.root) }.map(\.folder)
    let known = Set(sources.map(\.location))
    let removed = (chosen + members).filter(known.contains)
    guard !removed.isEmpty else { throw StoreError.unknown(what: "source", name: name) }
    return try StoreRemoval(reader, now: now).remove(sources: removed)
  }

  private func writableReader() throws(StoreError) -> StoreReader {
    StoreReader(try Store.open(writing: store.path), zones: store.zones)
  }

  /// Reverts everything that the last import, refresh or change of an event did, also to files of
  /// folders. Called again, it reverts the change before that. If another program has changed one of
  /// the files since, nothing is undone.
  @discardableResult
  public func undo() throws(CalendarError) -> [CommandEffect] {
    try CalendarError.catching {
      guard let last = try store.opened()?.undoSteps(atMost: 1).first else {
        throw StoreError.nothingToUndo
      }
      return try undo(last)
    }
  }

  /// Reverts this command: the first of ``CalendarStore/undoSteps(atMost:)``, if it is still the last
  /// one. With `isContinued`, ``redo()`` brings it back together with the one that was undone before it.
  @discardableResult
  public func undo(
    _ step: UndoStep, isContinued: Bool = false
  ) throws(CalendarError) -> [CommandEffect] {
    try CalendarError.catching {
      try WritingHistory(storePath: store.path, zones: store.zones)
        .undo(step, isContinued: isContinued)
    }
  }

  /// Throws if one of these steps, the last ones from the newest on, cannot be reverted, because another
  /// program has changed a file since.
  package func checkUndo(of steps: [UndoStep]) throws {
    try WritingHistory(storePath: store.path, zones: store.zones).checkUndo(of: steps)
  }

  /// Brings back what the last undo took back, also in files of folders. It is possible until the next
  /// change of the store. If another program has changed one of the files since, nothing is done.
  @discardableResult
  public func redo() throws(CalendarError) -> [RedoneStep] {
    try CalendarError.catching {
      guard try store.opened() != nil else { throw StoreError.nothingToRedo }
      let history = try WritingHistory(storePath: store.path, zones: store.zones)
      let undone = try history.lastUndone()
      guard !undone.isEmpty else { throw StoreError.nothingToRedo }
      return try undone.map { try history.redo($0) }
    }
  }

  /// Makes everything again that the store derives from the text of its calendars: where events are in
  /// time, and the words of searches.
  public func rebuildIndex() throws(CalendarError) {
    try CalendarError.catching {
      guard try store.opened() != nil else { throw StoreError.missing(path: store.path) }
      try StoreIndex(try Store.open(writing: store.path), zones: store.zones).rebuild()
    }
  }
}
