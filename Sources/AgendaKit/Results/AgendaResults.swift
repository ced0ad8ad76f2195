public import AgendaCore
public import AgendaRendering
internal import AgendaSources
public import CivilTime
internal import Synchronization

/// What live results show: the calendars, the window, and how entries become sections.
public struct ResultsRequest: Sendable {
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
  var source: Source
  /// The days that results cover.
  var window: Window
  /// How entries become sections.
  var layout: SectionLayout
  /// Which events are included. The default is all events that are not cancelled.
  public var selection = Selection()
  /// Whether an entry of several days is listed only on its first day.
  public var once = false
  /// The language of the sections' titles.
  public var locale: LocaleData
  /// A file that keeps the entries of a store for the next run of the program; `nil` for none.
  public var cache: ResultsCache?
  /// The rules of the time zones that calendars name.
  var zones: ZoneDatabase
  /// Returns the zone in which days begin. It is called again when the clock or the system's zone
  /// changes.
  var zone: @Sendable () throws -> Zone
  /// Returns the present moment. With `AgendaKitFoundation`, this is `{ .now }`.
  var clock: @Sendable () -> Instant

  /// A request for the entries of a store in a window. The store's configuration has the zones and the
  /// clock. The other properties have defaults.
  public init(_ store: CalendarStore, _ window: Window, _ layout: SectionLayout = .days) {
    let configuration = store.configuration
    self.init(
      .store(store), window, layout, zones: configuration.zones, zone: configuration.zone,
      clock: configuration.clock)
    locale = configuration.locale
  }

  /// A request for the entries of a source in a window. The other properties have defaults.
  public init(
    _ source: Source, _ window: Window, _ layout: SectionLayout = .days,
    zones: ZoneDatabase = .system(TZDIR: nil), zone: @escaping @Sendable () throws -> Zone,
    clock: @escaping @Sendable () -> Instant
  ) {
    self.source = source
    self.window = window
    self.layout = layout
    locale = .plain
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
/// `agenda` has the sections and positions at this moment. A change arrives after the agenda to which it
/// leads was made. Work is done outside of the calling task.
public final class AgendaResults: Sendable {
  private let worker: ResultsWorker
  private let state: Mutex<State>

  private struct State {
    var agenda: Agenda
    var streams: [Int: AsyncStream<AgendaChanges>.Continuation] = [:]
    var nextStream = 0
    var watch: SourceWatch?
  }

  /// Reads the calendars. The results follow them as soon as a task uses `changes`.
  public init(_ request: ResultsRequest) async throws {
    worker = ResultsWorker(request)
    state = Mutex(State(agenda: try await worker.first()))
  }

  /// The sections at this moment, as a value. An entry of an earlier one is found in it, too.
  public var agenda: Agenda { state.withLock { $0.agenda } }

  /// The description, people, attachments and alarms of an entry, as of the present agenda.
  public func details(of entry: Entry) async throws -> EventDetails {
    try await worker.details(of: entry)
  }

  /// Reads the calendars again. The changes are also sent to `changes`.
  @discardableResult
  public func refresh() async throws -> AgendaChanges {
    // The worker delivers them, so that they arrive in the order in which they were found.
    try await worker.load { changes in
      self.state.withLock { state in
        state.agenda = changes.agenda
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
  public func update(events: [Event]) async throws -> AgendaChanges {
    await worker.replace(events: events)
    return try await refresh()
  }

  /// The changes from the present agenda on. They arrive when another process changes the store, a
  /// file or folder changes, a new day begins, or the clock or the zone is set. Waiting uses no
  /// processor time. While a source can't be read, its last entries stay.
  ///
  /// The stream keeps the results alive. It ends when the task that waits for it is cancelled.
  public var changes: AsyncStream<AgendaChanges> { follow().changes }

  /// The present agenda, and the changes from exactly this agenda on. Use it instead of `changes`
  /// if several tasks use the same results: another task could refresh them between two calls.
  public func follow() -> (
    agenda: Agenda, changes: AsyncStream<AgendaChanges>
  ) {
    let (stream, continuation) = AsyncStream.makeStream(of: AgendaChanges.self)
    let (agenda, number) = state.withLock { state in
      let number = state.nextStream
      state.nextStream += 1
      state.streams[number] = continuation
      if state.watch == nil { state.watch = startWatching() }
      return (state.agenda, number)
    }
    // A task that waits for changes often has the only reference to the results.
    continuation.onTermination = { _ in self.removeStream(number) }
    return (agenda, stream)
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
    // The calendars can have changed since the present agenda.
    continuation.yield()
    Task { [weak self] in
      for await _ in signals { _ = try? await self?.refresh() }
    }
    return watch
  }
}
