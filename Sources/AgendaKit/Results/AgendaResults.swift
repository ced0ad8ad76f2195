public import AgendaCore
internal import AgendaSources
public import CivilTime
internal import Synchronization

/// What live results show: the calendars, the window, and how entries become sections.
public struct ResultsRequest<SectionID: Hashable & Sendable>: Sendable {
  public enum Source: Sendable {
    /// The store of `agenda import`. One that does not exist yet is empty.
    case store(at: String)
    /// .ics files and folders of them.
    case files([String])
    /// Events that a program made.
    case events([Event])
  }

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
    current = Mutex(try await worker.load().snapshot)
  }

  deinit { listeners.withLock { $0.watch?.stop() } }

  /// The sections at this moment, as a value.
  public var snapshot: ResultsSnapshot<SectionID> { current.withLock { $0 } }
  public var sections: [ResultsSnapshot<SectionID>.Section] { snapshot.sections }
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  public func entry(at path: IndexPath) -> Entry? { snapshot.entry(at: path) }

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

/// Reads the calendars, one question after the other.
private actor ResultsWorker<SectionID: Hashable & Sendable> {
  private var request: ResultsRequest<SectionID>
  private var calendars: CalendarCollection?
  private var snapshot = ResultsSnapshot<SectionID>()
  private var window: DateWindow?
  nonisolated let watched: SourceWatch.Places
  nonisolated let nextDay: @Sendable () -> Instant?

  init(_ request: ResultsRequest<SectionID>) {
    self.request = request
    watched =
      switch request.source {
      case .store(let path): .store(path)
      case .files(let paths): .files(paths)
      case .events: .nothing
      }
    nextDay = {
      guard case .fromToday = request.window, let zone = try? request.zone() else { return nil }
      return zone.civil(at: request.clock()).date.adding(days: 1).map(zone.startOfDay)
    }
  }

  func replace(events: [Event]) { request.source = .events(events) }

  func load() throws -> ResultsChanges<SectionID> {
    let window = try currentWindow()
    let previous = calendars
    let calendars = try read()
    let days = try calendars.agenda(
      in: window, of: request.selection, options: Agenda.Options(once: request.once))
    let next = ResultsSnapshot(
      days.sections.flatMap(\.entries), request.layout,
      // A key can depend on the present day.
      previous: window == self.window ? snapshot : nil)
    let comparison = DetailsComparison(previous, calendars, isStore: request.source.isStore)
    let changes = next.changes(from: snapshot, isUpdated: comparison.isUpdated)
    self.calendars = calendars
    self.window = window
    snapshot = next
    return changes
  }

  func details(of entry: Entry) throws -> EventDetails {
    try (calendars ?? read()).details(of: entry.event)
  }

  private func currentWindow() throws -> DateWindow {
    switch request.window {
    case .fixed(let window): return window
    case .fromToday(let length):
      let zone = try request.zone()
      let today = zone.civil(at: request.clock()).date
      return DateWindow(firstDay: today, length: length, zone: zone)
        ?? DateWindow(from: today, zone: zone)
    }
  }

  private func read() throws -> CalendarCollection {
    switch request.source {
    case .store(let path): try CalendarCollection(storeAt: path, zones: request.zones)
    case .files(let paths): try CalendarCollection(contentsOf: paths, zones: request.zones)
    case .events(let events): CalendarCollection(events: events)
    }
  }
}

extension ResultsRequest.Source {
  fileprivate var isStore: Bool { if case .store = self { true } else { false } }
}

/// Finds events whose details changed, although a list shows them in the same way.
private final class DetailsComparison {
  private let previous: CalendarCollection?
  private let present: CalendarCollection
  private let isStore: Bool
  /// What is known of events that happen often.
  private var known: [EventReference: Bool] = [:]

  init(_ previous: CalendarCollection?, _ present: CalendarCollection, isStore: Bool) {
    self.previous = previous
    self.present = present
    self.isStore = isStore
  }

  func isUpdated(_ before: Entry, _ after: Entry) -> Bool {
    let (old, new) = (before.event.reference, after.event.reference)
    // A store writes a changed event into a new row.
    if isStore { return old != new }
    guard let previous else { return false }
    if let answer = known[new] { return answer }
    let answer = previous.details(of: before.event) != present.details(of: after.event)
    known[new] = answer
    return answer
  }
}
