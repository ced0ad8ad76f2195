public import CivilTime

/// A store that several tasks share. It does one thing after the other and does not block the calling
/// task.
///
///     let store = SharedStore(at: path)
///     let reports = try await store.perform {
///       try $0.importSources(["work.ics"], CalendarStore.ImportOptions(now: now))
///     }
public actor SharedStore {
  /// The path of the database file.
  public nonisolated let path: String
  let store: CalendarStore

  /// A store at a path. Nothing is opened or created until you use it.
  public init(at path: String, zones: ZoneDatabase = .system(TZDIR: nil)) {
    self.path = path
    store = CalendarStore(at: path, zones: zones)
  }

  /// Runs a closure with the store and returns its result.
  public func perform<Answer: Sendable>(
    _ work: @Sendable (CalendarStore) throws -> Answer
  ) rethrows -> Answer {
    try work(store)
  }
}
