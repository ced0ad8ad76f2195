public import CivilTime

/// A store that several tasks use at once. Work is done one after the other, outside of the calling
/// task.
///
///     let store = SharedStore(at: path)
///     let reports = try await store.perform {
///       try $0.importSources(["work.ics"], CalendarStore.ImportOptions(now: now))
///     }
public actor SharedStore {
  public nonisolated let path: String
  let store: CalendarStore

  /// Nothing is opened or created until something is asked.
  public init(at path: String, zones: ZoneDatabase = .system(TZDIR: nil)) {
    self.path = path
    store = CalendarStore(at: path, zones: zones)
  }

  /// Does something with the store and returns what came of it.
  public func perform<Answer: Sendable>(
    _ work: @Sendable (CalendarStore) throws -> Answer
  ) rethrows -> Answer {
    try work(store)
  }
}
