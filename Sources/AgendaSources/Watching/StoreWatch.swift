internal import AgendaCore
internal import AgendaStore
package import CivilTime
internal import Platform

/// Waits for what other processes change in a store. It is used by one thread.
public final class StoreWatch {
  private let viewer: Zone
  private let watch: FileWatch
  private let followed: FollowedStore
  /// What the last command changed. If it is undone its rows are gone.
  private var last: [Change] = []

  /// Changes from now on are reported. Dates and floating times are those of `viewer`.
  package init(storeAt path: String, zones: ZoneDatabase, viewer: Zone) throws {
    self.viewer = viewer
    watch = try FileWatch(files: [path])
    followed = FollowedStore(at: path, zones: zones)
    _ = try followed.look()
    if let store = followed.store { last = try undoableChanges(of: store) }
  }

  /// Waits for the next changes that a listing can show; `nil` after
  /// `stopOnTermination` ended the wait.
  public func next() throws -> StoreChanges? {
    while true {
      let changes = try changesSinceLastTime()
      if !changes.isEmpty { return changes }
      if try watch.wait() == .stopped { return nil }
    }
  }

  /// Ends a wait when the process is asked to terminate.
  public func stopOnTermination() { watch.stopOnTermination() }

  private func undoableChanges(of store: Store) throws -> [Change] {
    try store.firstGenerationToUndo().map { try store.changes(from: $0, viewer: viewer) } ?? []
  }

  private func changesSinceLastTime() throws -> StoreChanges {
    guard let news = try followed.look(), let store = followed.store else { return StoreChanges() }
    var changes = StoreChanges()
    if news.common < news.former.generation { changes.events += last.map(\.inverse) }
    if news.common < followed.state.generation {
      changes.events += try store.changes(from: news.common + 1, viewer: viewer)
      changes.sources = try store.sourceChanges(from: news.common + 1)
    }
    last = try undoableChanges(of: store)
    return changes
  }
}
