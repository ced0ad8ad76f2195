public import AgendaCore
internal import AgendaSources
public import CivilTime
internal import Synchronization

/// What live results show: the calendars, the window, and how entries become sections.
public struct ResultsRequest<SectionID: Hashable & Sendable>: Sendable {
  /// Where the entries come from.
  public enum Source: Sendable {
    /// A store. One that does not exist yet is empty.
    case store(CalendarStore)
    /// .ics files and folders of them. A folder without .ics files is empty.
    case files([String])
    /// Events that a program made.
    case events([Event])
  }

  /// Which days results cover.
  public enum Window: Sendable {
    /// The same days at any time.
    case fixed(DateWindow)
    /// A length of time from the start of the present day. The window moves when a new day begins.
    case fromToday(DateWindow.Length)
  }

  /// Where the entries come from.
  package var source: Source
  /// The days that results cover.
  package var window: Window
  /// How entries become sections.
  package var layout: ResultsLayout<SectionID>
  /// Which events are included. The default is all events that are not cancelled.
  public var selection = Selection()
  /// Whether an entry of several days is listed only on its first day.
  public var once = false
  /// A file that keeps the entries of a store for the next run of the program; `nil` for none.
  public var cache: ResultsCache?
  /// The rules of the time zones that calendars name.
  package var zones: ZoneDatabase
  /// Returns the zone in which days begin. It is called again when the clock or the system's zone
  /// changes.
  package var zone: @Sendable () throws -> Zone
  /// Returns the present moment. With `AgendaKitFoundation`, this is `{ .now }`.
  package var clock: @Sendable () -> Instant

  /// A request for the entries of a store in a window. The store's configuration has the zones and the
  /// clock. The other properties have defaults.
  public init(_ store: CalendarStore, _ window: Window, _ layout: ResultsLayout<SectionID>) {
    let configuration = store.configuration
    self.init(
      .store(store), window, layout, zones: configuration.zones, zone: configuration.zone,
      clock: configuration.clock)
  }

  /// A request for the entries of a source in a window. The other properties have defaults.
  public init(
    _ source: Source, _ window: Window, _ layout: ResultsLayout<SectionID>,
    zones: ZoneDatabase = .system(TZDIR: nil), zone: @escaping @Sendable () throws -> Zone,
    clock: @escaping @Sendable () -> Instant
  ) {
    self.source = source
    self.window = window
    self.layout = layout
    self.zones = zones
    self.zone = zone
    self.clock = clock
  }
}

/// A results controller: sections of entries that follow their calendars.
///
///     let results = try await AgendaResults(request)
///     for await change in results.changes {
///       change.apply(to: &rows) { $0.title }
///     }
///
/// `sections` and the positions are those of the last snapshot. A change arrives after the snapshot to
/// which it leads was taken. Work is done outside of the calling task.
public final class AgendaResults<SectionID: Hashable & Sendable>: Sendable {
  private let worker: ResultsWorker<SectionID>
  private let state: Mutex<State>

  private struct State {
    var snapshot: ResultsSnapshot<SectionID>
    var streams: [Int: AsyncStream<ResultsChanges<SectionID>>.Continuation] = [:]
    var nextStream = 0
    var watch: SourceWatch?
  }

  /// Reads the calendars. The results follow them as soon as a task uses `changes`.
  public init(_ request: ResultsRequest<SectionID>) async throws {
    worker = ResultsWorker(request)
    state = Mutex(State(snapshot: try await worker.first()))
  }

  /// The sections at this moment, as a value.
  public var snapshot: ResultsSnapshot<SectionID> { state.withLock { $0.snapshot } }
  /// The sections of the present snapshot.
  public var sections: [ResultsSnapshot<SectionID>.Section] { snapshot.sections }
  /// The index titles of the present snapshot, in the order of its sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// The entry at a position; `nil` if the present snapshot does not have this position.
  public func entry(at path: EntryPath) -> Entry? { snapshot.entry(at: path) }

  /// The position of an entry; `nil` if the present snapshot does not have it. An entry of an earlier
  /// snapshot is found too.
  public func path(of entry: Entry) -> EntryPath? { snapshot.path(of: entry) }

  /// The section that an index title leads to. `index` is the position of the title in
  /// `sectionIndexTitles`, because a title can occur there several times.
  public func section(forIndexTitle title: String, at index: Int) -> Int? {
    snapshot.section(forIndexTitle: title, at: index)
  }

  /// The description, people, attachments and alarms of an entry, as of the present snapshot.
  public func details(of entry: Entry) async throws -> EventDetails {
    try await worker.details(of: entry)
  }

  /// Reads the calendars again. The changes are also sent to `changes`.
  @discardableResult
  public func refresh() async throws -> ResultsChanges<SectionID> {
    // The worker delivers them, so that they arrive in the order in which they were found.
    try await worker.load { changes in
      self.state.withLock { state in
        state.snapshot = changes.snapshot
        if changes.isEmpty { return }
        for stream in state.streams.values { stream.yield(changes) }
      }
    }
  }

  /// Writes the cache again if the entries have changed since it was written. The first reading
  /// writes it by itself.
  public func saveCache() async throws { try await worker.saveCache() }

  /// Replaces the events of a program.
  @discardableResult
  public func update(events: [Event]) async throws -> ResultsChanges<SectionID> {
    await worker.replace(events: events)
    return try await refresh()
  }

  /// The changes from the present snapshot on. They arrive when another process changes the store, a
  /// file or folder changes, a new day begins, or the clock or the zone is set. Waiting uses no
  /// processor time. While a source can't be read, its last entries stay.
  ///
  /// The stream keeps the results alive. It ends when the task that waits for it is cancelled.
  public var changes: AsyncStream<ResultsChanges<SectionID>> { follow().changes }

  /// The present snapshot, and the changes from exactly this snapshot on. Use it instead of `changes`
  /// if several tasks use the same results: another task could refresh them between two calls.
  public func follow() -> (
    snapshot: ResultsSnapshot<SectionID>, changes: AsyncStream<ResultsChanges<SectionID>>
  ) {
    let (stream, continuation) = AsyncStream.makeStream(of: ResultsChanges<SectionID>.self)
    let (snapshot, number) = state.withLock { state in
      let number = state.nextStream
      state.nextStream += 1
      state.streams[number] = continuation
      if state.watch == nil { state.watch = startWatching() }
      return (state.snapshot, number)
    }
    // A task that waits for changes often has the only reference to the results.
    continuation.onTermination = { _ in self.removeStream(number) }
    return (snapshot, stream)
  }

  private func removeStream(_ number: Int) {
    state.withLock { state in
      state.streams[number] = nil
      guard state.streams.isEmpty else { return }
      state.watch?.stop()
      state.watch = nil
    }
  }

  private func startWatching() -> SourceWatch? {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = SourceWatch(worker.watched, wakeAt: worker.nextDay) { isOver in
      if isOver { continuation.finish() } else { continuation.yield() }
    }
    // The calendars can have changed since the present snapshot.
    continuation.yield()
    Task { [weak self] in
      for await _ in signals { _ = try? await self?.refresh() }
    }
    return watch
  }
}
