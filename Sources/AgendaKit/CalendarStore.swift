public import AgendaCore
public import AgendaRendering
public import AgendaSources
internal import AgendaStore
public import CivilTime
internal import Platform
internal import Synchronization

/// The store of `agenda import`: one file that keeps calendars, their history, and your own events.
///
///     let store = CalendarStore(.init(at: path, zone: { zone }, clock: { now }))
///     try store.write { try $0.importSources(["work.ics"]) }
///     let titles = try store.read { try $0.agenda(in: window).entries.map(\.title) }
///
/// Tasks and threads can share a store. Several can read at the same time; changes wait for each other.
/// Other programs can use the same file.
public final class CalendarStore: Sendable {
  /// Where a store is, and what it takes from the system.
  public struct Configuration: Sendable {
    /// The path of the database file.
    public let path: String
    /// The rules of the time zones that calendars name.
    public var zones: ZoneDatabase
    /// Returns the zone in which days begin and times are given. It is called for each question, because
    /// the system's zone can change.
    public var zone: @Sendable () throws -> Zone
    /// Returns the present moment. With `AgendaKitFoundation`, this is `{ .now }`.
    public var clock: @Sendable () -> Instant
    /// The language of titles, and the day on which weeks begin.
    public var locale: LocaleData
    /// The path of `agenda`, which decodes pictures in a separate process: the one that is installed,
    /// unless another one is set. `nil` if pictures are not to be decoded.
    public var pictureDecoder: String? {
      get { chosenDecoder ?? RunningProgram.path(of: "agenda") }
      set { chosenDecoder = .some(newValue) }
    }
    /// `nil` until it is set. Most programs decode no picture, so the installed one is searched when it
    /// is needed.
    private var chosenDecoder: String??
    /// The folder in which a dry run creates a temporary store if no other exists. Only a command knows
    /// the user's.
    package var temporaryFolder = "/tmp"

    /// The other properties have defaults: the zones of the system, no language, and the `agenda` that
    /// is in PATH.
    public init(
      at path: String, zone: @escaping @Sendable () throws -> Zone,
      clock: @escaping @Sendable () -> Instant
    ) {
      self.path = path
      self.zone = zone
      self.clock = clock
      zones = .system(TZDIR: nil)
      locale = .plain
    }
  }

  /// Where the store is, and what it takes from the system.
  public let configuration: Configuration
  var path: String { configuration.path }
  var zones: ZoneDatabase { configuration.zones }
  private let idle = Mutex(IdleReaders())
  private let writing = Mutex(())

  /// A store that is described by a configuration. Nothing is opened or created until you use it.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  // MARK: Reading

  /// Asks the calendars of the store. A store that doesn't exist yet is empty.
  ///
  /// The calendars are valid only within the closure.
  public func read<Answer: Sendable>(
    _ questions: (Calendars) throws -> Answer
  ) throws -> Answer {
    let failure = Failure()
    return try CalendarError.catchingOwn {
      try reading { reader in
        let answer = try questions(
          Calendars(reader?.store, configuration) { failure.error = $0 })
        // Details are read while they are used, where nothing can be thrown.
        if let error = failure.error { throw error }
        return answer
      }
    }
  }

  /// The same, without blocking the calling task.
  public func read<Answer: Sendable>(
    _ questions: @escaping @Sendable (Calendars) throws -> Answer
  ) async throws -> Answer {
    try await Task.detached { try self.read(questions) }.value
  }

  /// Answers a question now, and again each time after something has changed: the store, the day, the
  /// clock, or the system's zone. The same answer is given only once.
  ///
  ///     for try await titles in store.observe({ try $0.agenda(in: window).entries.map(\.title) }) {
  ///       print(titles)
  ///     }
  ///
  /// Waiting uses no processor time. The answers end when the task that waits for them is cancelled,
  /// or with an error when the store can't be read.
  ///
  /// - Parameters:
  ///   - moment: When an answer is outdated although nothing has changed: an entry begins, for example.
  ///   - question: What is asked. It can depend on the day; for what else passes with time, see `moment`.
  /// - Returns: The answers.
  public func observe<Answer: Equatable & Sendable>(
    until moment: @escaping @Sendable (Answer) -> Instant? = { _ in nil },
    _ question: @escaping @Sendable (Calendars) throws -> Answer
  ) -> AsyncThrowingStream<Answer, any Error> {
    let (answers, continuation) = AsyncThrowingStream<Answer, any Error>.makeStream()
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = SourceWatch(.store(path), wakeAt: configuration.nextDay) { isOver in
      if isOver { signal.finish() } else { signal.yield() }
    }
    signal.yield()
    let clock = configuration.clock
    let task = Task {
      var last: Answer?
      var alarm: Task<Void, any Error>?
      do {
        for await _ in signals {
          alarm?.cancel()
          let answer = try await self.read(question)
          if answer != last { continuation.yield(answer) }
          last = answer
          guard let end = moment(answer) else { continue }
          let seconds = end.secondsSinceEpoch - clock().secondsSinceEpoch
          alarm = Task {
            try await Task.sleep(for: .seconds(max(1, seconds)))
            signal.yield()
          }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
      alarm?.cancel()
    }
    continuation.onTermination = { _ in
      watch.stop()
      task.cancel()
    }
    return answers
  }

  // MARK: Writing

  /// Changes the store, and files of its folders. Each call of the writer is one transaction and
  /// one step for ``StoreWriter/undo()``.
  ///
  /// The writer is valid only within the closure. Do not write to the same store within it in another
  /// way: a change waits until the one before it has ended.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether the calls only report what they would change.
  ///   - changes: The changes.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws. Its calls before that are done.
  @discardableResult
  public func write<Answer: Sendable>(
    isDryRun: Bool = false, _ changes: (StoreWriter) throws -> Answer
  ) throws -> Answer {
    try writing.withLock { _ in
      defer { idle.withLock { $0.discard() } }
      return try CalendarError.catchingOwn {
        try changes(StoreWriter(self, isDryRun: isDryRun))
      }
    }
  }

  /// The same, without blocking the calling task.
  @discardableResult
  public func write<Answer: Sendable>(
    isDryRun: Bool = false, _ changes: @escaping @Sendable (StoreWriter) throws -> Answer
  ) async throws -> Answer {
    try await Task.detached { try self.write(isDryRun: isDryRun, changes) }.value
  }

  // MARK: Its calendars and sources

  /// Whether the store never had a calendar: nothing was imported or added yet, except for mails about
  /// unknown events.
  public var isEmpty: Bool {
    get throws(CalendarError) { try asking { try $0.map { try !$0.hasHadCalendars() } ?? true } }
  }

  /// The calendars by name, with their sources.
  public func calendars() throws(CalendarError) -> [CalendarSummary] {
    try asking { try $0?.countedCalendars() ?? [] }
  }

  /// Which calendars are the user's, and which belong to others.
  package func calendarOwners() throws(CalendarError) -> CalendarOwners {
    try asking { try $0?.calendarOwners() ?? CalendarOwners(own: [localCalendar], others: []) }
  }

  /// The name of the first own calendar.
  private var localCalendar: String { ImportedSource.local.calendar }

  /// Which calendars can be changed, and what of them is not settled with their servers.
  package func calendarStates() throws(CalendarError) -> [CalendarState] {
    try asking { try $0?.calendarStates() ?? [] }
  }

  /// The mails without a calendar: their messages are about the events of all calendars.
  public func mails() throws(CalendarError) -> [SourceSummary] {
    try asking { try $0?.messageSources() ?? [] }
  }

  /// When each address was fetched and when it is fetched next, by location.
  public func subscriptions() throws(CalendarError) -> [String: Subscription] {
    try asking { try $0?.store.subscriptions().mapValues { SubscriptionRecord($0).state } ?? [:] }
  }

  /// The last commands that ``StoreWriter/undo()`` can take back, the newest first.
  public func undoSteps(atMost most: Int = .max) throws(CalendarError) -> [UndoStep] {
    try asking { try $0?.undoSteps(atMost: most) ?? [] }
  }

  /// The changes since a moment, or those of the last import or edit.
  public func changes(since moment: Instant? = nil) throws(CalendarError) -> StoreChanges {
    try asking { reader in
      guard let reader else { return StoreChanges() }
      let viewer = try configuration.zone()
      return StoreChanges(
        events: try reader.changes(since: moment, viewer: viewer),
        sources: try reader.sourceChanges(since: moment))
    }
  }

  /// Writes the store, or some of its calendars, as one iCalendar stream, in pieces.
  public func export(
    calendars names: [String] = [], to output: ([UInt8]) throws -> Void
  ) throws {
    try CalendarError.catchingOwn {
      try reading { reader in
        guard let reader else { throw StoreError.missing(path: path) }
        let known = try reader.calendars().map(\.name)
        for name in names where !known.contains(name) {
          throw StoreError.unknown(what: "calendar", name: name)
        }
        try CalendarExport(reader).write(calendars: names, to: output)
      }
    }
  }

  /// Checks every row of the store. Returns its problems, one sentence each; empty for a healthy store, and
  /// for one that doesn't exist yet.
  public func problems() throws(CalendarError) -> [String] { try health()?.problems ?? [] }

  func health() throws(CalendarError) -> StoreHealth? {
    try asking { try $0.map { try StoreIndex($0.store, zones: zones).health() } }
  }

  // MARK: Readers

  /// Runs a closure with a reader that nothing else uses meanwhile; `nil` if nothing was imported yet.
  func reading<Answer>(_ body: (StoreReader?) throws -> Answer) throws -> Answer {
    let inode = FileStatus(path: path)?.inode
    let round = idle.withLock { $0.round }
    guard let reader = try unusedReader(inode: inode) else { return try body(nil) }
    defer {
      // Another file can have replaced the one that was opened.
      if let inode, FileStatus(path: path)?.inode == inode {
        idle.withLock { $0.give(IdleReader(reader: reader, inode: inode), round: round) }
      }
    }
    return try body(reader)
  }

  /// The same for a question whose errors are those of the interface.
  func asking<Answer>(
    _ question: (StoreReader?) throws -> Answer
  ) throws(CalendarError) -> Answer {
    try CalendarError.catching { try reading(question) }
  }

  /// A reader that nothing else uses; `nil` if nothing was imported yet.
  func unusedReader() throws(StoreError) -> StoreReader? {
    try unusedReader(inode: FileStatus(path: path)?.inode)
  }

  /// What an edit takes from the configuration.
  func editing(now: Instant) throws -> EditSession.Options {
    var options = EditSession.Options(zones: zones, now: now, viewer: try configuration.zone())
    options.pictureDecoder = configuration.pictureDecoder.map { .init(path: $0) }
    return options
  }

  private func unusedReader(inode: UInt64?) throws(StoreError) -> StoreReader? {
    if let known = idle.withLock({ $0.take(inode: inode) }) { return known }
    return try opened()
  }

  func opened() throws(StoreError) -> StoreReader? {
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
    return store.map { StoreReader($0, zones: zones) }
  }

  /// What a failure while details were read was.
  private final class Failure {
    var error: StoreError?
  }
}

/// A reader that no thread uses at present.
///
/// A connection of SQLite must be used by one thread at a time: whoever takes it out of the list has it
/// alone until it is given back.
private struct IdleReader: @unchecked Sendable {
  let reader: StoreReader
  let inode: UInt64
}

/// The readers that wait for the next question.
private struct IdleReaders: Sendable {
  private var readers: [IdleReader] = []
  /// The number of changes that this process has made.
  private(set) var round = 0

  /// An idle reader holds a connection to the store and its memory.
  private static let most = 4

  mutating func take(inode: UInt64?) -> StoreReader? {
    readers.removeAll { $0.inode != inode }
    return readers.popLast()?.reader
  }

  /// What a reader knows was true before a change.
  mutating func give(_ reader: IdleReader, round: Int) {
    guard round == self.round, readers.count < Self.most else { return }
    readers.append(reader)
  }

  mutating func discard() {
    readers = []
    round += 1
  }
}

extension CalendarStore.Configuration {
  /// Another store with the same surroundings.
  init(copying store: CalendarStore, at path: String) {
    let known = store.configuration
    self.init(at: path, zone: known.zone, clock: known.clock)
    zones = known.zones
    locale = known.locale
    pictureDecoder = nil
  }

  /// When the next day begins.
  var nextDay: @Sendable () -> Instant? {
    let (zone, clock) = (zone, clock)
    return { (try? zone())?.startOfDay(after: clock()) }
  }
}
