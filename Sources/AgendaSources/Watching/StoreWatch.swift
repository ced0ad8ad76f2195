internal import AgendaCore
internal import AgendaStore
package import CivilTime
internal import Platform

/// Waits for what other processes change in a store. It is used by one thread.
public final class StoreWatch {
  private let path: String
  private let zones: ZoneDatabase
  private let viewer: Zone
  private let watch: FileWatch
  /// `nil` as long as it is missing.
  private var store: Store?
  /// The file that is open: another one can take its place.
  private var inode: UInt64?
  private var version: Int?
  private var state = StoreState.empty
  /// What the last command changed. If it is undone its rows are gone.
  private var last: [Change] = []

  /// Changes from now on are reported. Dates and floating times are those of `viewer`.
  package init(storeAt path: String, zones: ZoneDatabase, viewer: Zone) throws {
    self.path = path
    self.zones = zones
    self.viewer = viewer
    watch = try FileWatch(files: [path])
    _ = try open()
    if let store {
      state = try store.state()
      last = try undoableChanges(of: store)
    }
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

  /// Opens the store if it is a new file. Returns whether it can have changed.
  private func open() throws -> Bool {
    let present = FileStatus(path: path)?.inode
    if present != inode || store == nil {
      store = try Store.open(reading: path, zones: zones)
      inode = store == nil ? nil : present
      version = try store?.dataVersion()
      return true
    }
    let former = version
    version = try store?.dataVersion()
    return version != former
  }

  private func undoableChanges(of store: Store) throws -> [Change] {
    try store.firstGenerationToUndo().map { try store.changes(from: $0, viewer: viewer) } ?? []
  }

  private func changesSinceLastTime() throws -> StoreChanges {
    guard try open(), let store else { return StoreChanges() }
    let previous = state
    let common = try store.lastGeneration(of: previous)
    state = try store.state()
    guard state != previous || common != previous.generation else { return StoreChanges() }
    var changes = StoreChanges()
    if common < previous.generation { changes.events += last.map(\.inverse) }
    if common < state.generation {
      changes.events += try store.changes(from: common + 1, viewer: viewer)
      changes.sources = try store.sourceChanges(from: common + 1)
    }
    last = try undoableChanges(of: store)
    return changes
  }
}
