public import AgendaCore
internal import AgendaSources
public import CivilTime
internal import Synchronization

/// What live results show: the calendars, the window, and how entries become sections.
public struct ResultsRequest<SectionID: Hashable & Sendable>: Sendable {
  /// Where the entries come from.
  public enum Source: Sendable {
    /// The store of `agenda import`. One that does not exist yet is empty.
    case store(at: String)
    /// .ics files and folders of them.
    case files([String])
    /// Events that a program made.
    case events([Event])
  }

  /// Which days results cover.
  public enum Window: Sendable {
    case fixed(DateWindow)
    /// From the start of the present day. It moves on when a new day begins.
    case fromToday(DateWindow.Length)
  }

  public var source: Source
  public var window: Window
  public var layout: ResultsLayout<SectionID>
  public var selection = Selection()
  /// An entry of several days is only on its first day.
  public var once = false
  /// Keeps the entries for the next run of the program; only for a store.
  public var cache: ResultsCache?
  public var zones: ZoneDatabase
  /// The zone in which days begin. It is asked again when the clock or the system's zone changes.
  public var zone: @Sendable () throws -> Zone
  /// The present moment.
  public var clock: @Sendable () -> Instant

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

  public init(_ request: ResultsRequest<SectionID>) async throws {
    worker = ResultsWorker(request)
    current = Mutex(try await worker.first())
  }

  deinit { listeners.withLock { $0.watch?.stop() } }

  /// The sections at this moment, as a value.
  public var snapshot: ResultsSnapshot<SectionID> { current.withLock { $0 } }
  public var sections: [ResultsSnapshot<SectionID>.Section] { snapshot.sections }
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// The entry at a position, if there is one.
  public func entry(at path: IndexPath) -> Entry? { snapshot.entry(at: path) }

  /// Where an entry is; see `ResultsSnapshot.indexPath(of:)`.
  public func indexPath(of entry: Entry) -> IndexPath? { snapshot.indexPath(of: entry) }

  /// See `ResultsSnapshot.section(forIndexTitle:at:)`.
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

  /// What happens from now on: another process changes the store, a file or folder changes, a new day
  /// begins, or the clock or the zone is set. While nothing changes this uses no processor time. A
  /// source that cannot be read for a moment keeps its entries.
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
