public import AgendaCore
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
  let isDryRun: Bool
  let store: CalendarStore
  /// What a dry run changes if there is no store.
  private var temporaryStore: TemporaryStore?
  /// What a person at a terminal is asked about servers. Programs set ``FetchSettings``.
  package var questions = ServerQuestions()

  init(_ store: CalendarStore, isDryRun: Bool) {
    self.store = store
    self.isDryRun = isDryRun
    now = store.configuration.clock()
  }

  /// The calendars as they are now, with the changes of this writer.
  public func calendars() throws(CalendarError) -> Calendars { try Calendars(of: store) }

  /// How sources are imported.
  public struct ImportOptions: Sendable {
    /// The name of the calendar for all sources; `nil` for the name in each source.
    public var calendar: String?
    /// The calendar that the events are copied to, once: they are the user's from then on, and the sources
    /// are forgotten. Events whose UID it has already stay as they are. `nil` to import the sources.
    public var copiesInto: String?
    /// The encoding of the sources; `nil` to detect it, which is wrong so rarely that only a person who
    /// sees the result needs it.
    package var encoding: TextEncoding?
    /// Whether a source may remove most or all events of its calendar.
    public var allowsShrinking = false
    /// Whether a source is refused if any of its components is rejected.
    public var isStrict = false
    /// The largest number of addresses that are fetched at once; a person with a slow line wants less.
    package var jobs = 16
    /// Whether addresses are fetched although their last answer is still current.
    public var isForced = false
    /// The age in seconds from which a calendar's failures are reported, so that cron sends no mail about
    /// the others; `nil` reports all.
    package var staleAge: Int?
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

  /// Imports sources as a person names them, standard input among them, each in one transaction.
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
    if let calendar = options.copiesInto {
      return try copySources(sources, to: calendar, options, progress)
    }
    if let name = options.calendar, let own = try store.opened()?.ownCalendar(named: name) {
      throw WritingError.ownCalendar(own)
    }
    var importer = try importer(options, command: "import", progress)
    try importer.run(
      sources, calendar: options.calendar, encoding: options.encoding,
      fetching: options.fetching)
    return importer.reports
  }

  /// Imports sources into a store of their own, and copies what it exports: the events with all messages
  /// applied, as iCalendar 2.0.
  private func copySources(
    _ sources: [Source], to calendar: String, _ options: ImportOptions,
    _ progress: @escaping (SourceProgress) -> Void
  ) throws -> [SourceReport] {
    let session = try session()
    // What cannot be written is not read.
    let name = try session.nameOfTarget(calendar)
    let temporary = try TemporaryStore(in: store.configuration.temporaryFolder)
    var settings = try importerOptions(options, progress)
    settings.storePath = temporary.path
    settings.isDryRun = false
    var importer = try SourceImporter(settings, command: "import")
    try importer.run(
      sources, calendar: nil, encoding: options.encoding, fetching: options.fetching)
    var reports = importer.reports
    let read = CalendarStore(CalendarStore.Configuration(copying: store, at: temporary.path))
    var texts: [[UInt8]] = []
    for report in reports {
      var text: [UInt8] = []
      let names = report.calendars.isEmpty ? [report.calendar].compactMap(\.self) : report.calendars
      if report.error == nil, !names.isEmpty { try read.export(calendars: names) { text += $0 } }
      texts.append(text)
    }
    let filled = texts.indices.filter { !texts[$0].isEmpty }
    let copied = try session.copy(filled.map { texts[$0] }, to: calendar)
    for (index, copies) in zip(filled, copied.copies) {
      let kept = min(copies.kept, reports[index].added)
      reports[index].added -= kept
      reports[index].unchanged += kept
    }
    let waits = !isDryRun && !copied.written.serverCalendars.isEmpty
    for index in reports.indices where reports[index].error == nil {
      reports[index].calendar = name
      reports[index].calendars = []
      reports[index].exchange = waits ? SourceReport.ServerExchange() : nil
    }
    for (index, copies) in zip(filled, copied.copies) {
      reports[index].exchange?.waiting = copies.documents
    }
    return reports
  }

  /// Begins a calendar of the user's own, to which events can be added. Returns its name.
  @discardableResult
  public func begin(calendar name: String) throws(CalendarError) -> String {
    try CalendarError.catching { try session().begin(calendar: name) }
  }

  /// Gives a calendar another name, which later imports keep. Returns the name that it had.
  @discardableResult
  public func rename(calendar old: String, to new: String) throws(CalendarError) -> String {
    try CalendarError.catching { try session().rename(calendar: old, to: new) }
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

  /// Sends what waits in these calendars on servers at once, and receives what changed there. A refresh
  /// does it for all calendars.
  @discardableResult
  public func exchange(calendars names: [String]) throws(CalendarError) -> [SourceReport] {
    try CalendarError.catching {
      var importer = try importer(ImportOptions(), command: "refresh") { _ in }
      try importer.exchange(calendars: names)
      return importer.reports
    }
  }

  private func importer(
    _ options: ImportOptions, command: String, _ progress: @escaping (SourceProgress) -> Void
  ) throws -> SourceImporter {
    try SourceImporter(importerOptions(options, progress), command: command)
  }

  private func importerOptions(
    _ options: ImportOptions, _ progress: @escaping (SourceProgress) -> Void
  ) throws -> AgendaSources.ImportOptions {
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
    return settings
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
  /// `name` is a path, an address, or the name that lists show: `https://example.com/…#1f3a`. A mail
  /// without a calendar has no entries: its removal takes back what it did.
  @discardableResult
  public func remove(source name: String) throws(CalendarError) -> Int {
    try CalendarError.catching {
      let reader = try writableReader()
      let sources = try reader.store.sources().map(\.source)
      var chosen = sources.filter { $0.isNamed(name) }.map(\.location)
      // A root is not a source itself; its folders are.
      if chosen.isEmpty { chosen = [Source(name).location ?? name] }
      let members = try reader.store.rootFolders().filter { chosen.contains($0.root) }
        .map(\.folder)
      let known = Set(sources.map(\.location))
      let removed = (chosen + members).filter(known.contains)
      guard !removed.isEmpty else { throw StoreError.unknown(what: "source", name: name) }
      return try StoreRemoval(reader, now: now).remove(sources: removed)
    }
  }

  private func writableReader() throws -> StoreReader {
    StoreReader(try writableStore(), zones: store.zones)
  }

  /// Reverts everything that the last import, refresh or change of an event did, also to files of
  /// folders. Called again, it reverts the change before that. If another program has changed one of
  /// the files since, nothing is undone.
  @discardableResult
  public func undo() throws(CalendarError) -> [UndoStep] {
    try CalendarError.catching {
      let steps = try store.opened()?.undoSteps(atMost: 1) ?? []
      guard !steps.isEmpty else { throw StoreError.nothingToUndo }
      return try undo(steps)
    }
  }

  /// Reverts these commands, if they are still the last ones, or none of them: the first of
  /// ``CalendarStore/undoSteps(atMost:)``. ``redo()`` brings them back together.
  @discardableResult
  public func undo(_ steps: [UndoStep]) throws(CalendarError) -> [UndoStep] {
    try CalendarError.catching {
      var history = WritingHistory(try writableStore(), zones: store.zones)
      return try history.undo(steps)
    }
  }

  /// Brings back what the last undo took back, also in files of folders. It is possible until the next
  /// change of the store. If another program has changed one of the files since, nothing is done.
  @discardableResult
  public func redo() throws(CalendarError) -> [UndoStep] {
    try CalendarError.catching {
      guard try store.opened() != nil else { throw StoreError.nothingToRedo }
      var history = WritingHistory(try writableStore(), zones: store.zones)
      return try history.redo()
    }
  }

  /// Makes everything again that the store derives from the text of its calendars: where events are in
  /// time, and the words of searches.
  public func rebuildIndex() throws(CalendarError) {
    try CalendarError.catching {
      guard try store.opened() != nil else { throw StoreError.missing(path: store.path) }
      try StoreIndex(try writableStore(), zones: store.zones).rebuild()
    }
  }

  /// The store, opened for one change. In a dry run, everything that is written into it is taken back,
  /// and a missing store is a temporary one.
  func writableStore() throws -> Store {
    guard isDryRun else {
      let opened = try Store.open(writing: store.path)
      try StoreIndex.update(opened, zones: store.zones)
      return opened
    }
    if try Store.open(reading: store.path) != nil { return try Store.open(trying: store.path) }
    let temporary =
      try temporaryStore ?? TemporaryStore(in: store.configuration.temporaryFolder)
    temporaryStore = temporary
    return try Store.open(trying: temporary.path)
  }
}
