public import AgendaCore
internal import AgendaSources
public import CivilTime
internal import Synchronization

/// What live results show: the calendars, the window, and how entries become sections.
public struct ResultsRequest<SectionID: Hashable & Sendable>: Sendable {
  /// Where the entries come from.
  public enum Source: Sendable {
    /// The store of `agenda import`. A store that does not exist yet is empty.
    case store(at: String)
    /// .ics files and folders of them.
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
  public var source: Source
  /// The days that results cover.
  public var window: Window
  /// How entries become sections.
  public var layout: ResultsLayout<SectionID>
  /// Which events are included. The default is all events that are not cancelled.
  public var selection = Selection()
  /// Whether an entry of several days is listed only on its first day.
  public var once = false
  /// A file that keeps the entries of a store for the next run of the program; `nil` for none.
  public var cache: ResultsCache?
  /// The rules of the time zones that calendars name.
  public var zones: ZoneDatabase
  /// Returns the zone in which days begin. It is called again when the clock or the system's zone
  /// changes.
  public var zone: @Sendable () throws -> Zone
  /// Returns the present moment. With `AgendaKitFoundation`, this is `{ .now }`.
  public var clock: @Sendable () -> Instant

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
  private let current: Mutex<ResultsSnapshot<SectionID>>
  private let listeners = Mutex(Listeners())

  private struct Listeners {
    var streams: [Int: AsyncStream<ResultsChanges<SectionID>>.Continuation] = [:]
    var next = 0
    var watch: SourceWatch?
  }

  /// Reads the calendars. The results follow them as soon as a task uses `changes`.
  public init(_ request: ResultsRequest<SectionID>) async throws {
    worker = ResultsWorker(request)
    current = Mutex(try await worker.first())
  }

  deinit { listeners.withLock { $0.watch?.stop() } }

  /// The sections at this moment, as a value.
  public var snapshot: ResultsSnapshot<SectionID> { current.withLock { $0 } }
  /// The sections of the present snapshot.
  public var sections: [ResultsSnapshot<SectionID>.Section] { snapshot.sections }
  /// The index titles of the present snapshot, in the order of its sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// The entry at a position; `nil` if the present snapshot does not have this position.
  public func entry(at path: IndexPath) -> Entry? { snapshot.entry(at: path) }

  /// The position of an entry; `nil` if the present snapshot does not have it. An entry of an earlier
  /// snapshot is found too.
  public func indexPath(of entry: Entry) -> IndexPath? { snapshot.indexPath(of: entry) }

  /// The section that an index title leads to. `index` is the position of the title in
  /// `sectionIndexTitles`, because a title can occur there several times.
  public func section(forIndexTitle title: String, at index: Int) -> Int? {
    snapshot.section(forIndexTitle: title, at: index)
  }

  /// The description, people, attachments and alarms of an entry.
  public func details(of entry: Entry) async throws -> EventDetails {
    try await worker.details(of: entry)
  }

  /// Reads the calendars again. The changes are also sent to `changes`.
  @discardableResult
  public func refresh() async throws -> ResultsChanges<SectionID> {
    let changes = try await worker.load()
    if changes.isEmpty { return changes }
    current.withLock { $0 = changes.snapshot }
    listeners.withLock { for stream in $0.streams.values { stream.yield(changes) } }
    return changes
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

  /// The changes from now on. They arrive when another process changes the store, a file or folder
  /// changes, a new day begins, or the clock or the zone is set. Waiting uses no processor time. While
  /// a source can't be read, its last entries stay.
  public var changes: AsyncStream<ResultsChanges<SectionID>> {
    AsyncStream { continuation in
      listeners.withLock { listeners in
        let number = listeners.next
        listeners.next += 1
        listeners.streams[number] = continuation
        continuation.onTermination = { [weak self] _ in self?.removeListener(number) }
        if listeners.watch == nil { listeners.watch = startWatching() }
      }
    }
  }

  private func removeListener(_ number: Int) {
    listeners.withLock { listeners in
      listeners.streams[number] = nil
      guard listeners.streams.isEmpty else { return }
      listeners.watch?.stop()
      listeners.watch = nil
    }
  }

  private func startWatching() -> SourceWatch? {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = SourceWatch(worker.watched, wakeAt: worker.nextDay) { isOver in
      if isOver { continuation.finish() } else { continuation.yield() }
    }
    Task { [weak self] in
      for await _ in signals { _ = try? await self?.refresh() }
    }
    return watch
  }
}
