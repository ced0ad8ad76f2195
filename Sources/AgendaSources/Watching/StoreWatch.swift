internal import AgendaCore
internal import AgendaStore
package import CivilTime
internal import Platform

/// Waits for changes that other processes make in a store. It is used by one thread.
package final class StoreWatch {
  private let viewer: Zone
  private let watch: FileWatch
  private let followed: FollowedStore
  /// The changes of the last commands, the latest last. They are needed to report an undo, because
  /// it deletes the rows.
  private var undoable: [Undoable] = []

  private struct Undoable {
    let generation: Int
    let changes: [Change]
  }

  /// Between two looks, hardly anybody undoes more commands than this.
  private static let mostCommands = 8
  /// Earlier commands are forgotten if they and the later ones changed more than this.
  private static let mostChanges = 5000

  /// Reports changes from now on. Dates and floating times are those of `viewer`.
  package init(storeAt path: String, zones: ZoneDatabase, viewer: Zone) throws {
    self.viewer = viewer
    watch = try FileWatch(databases: [path])
    followed = FollowedStore(at: path, zones: zones)
    _ = try followed.look()
    if let reader = followed.reader { try remember(from: 0, of: reader) }
  }

  /// Waits for the next changes that a listing shows; `nil` if `stopOnTermination` ended the wait.
  package func next() throws(CalendarError) -> StoreChanges? {
    try CalendarError.catching {
      while true {
        let changes = try changesSinceLastTime()
        if !changes.isEmpty { return changes }
        if try watch.wait() == .stopped { return nil }
      }
    }
  }

  /// Ends a wait when the process receives SIGTERM.
  package func stopOnTermination() { watch.stopOnTermination() }

  /// Remembers the changes of the commands from a generation on.
  private func remember(from first: Int, of reader: StoreReader) throws {
    var count = 0
    var commands: [Undoable] = []
    var next = Int.max
    for command in try reader.store.generations(atMost: Self.mostCommands) {
      guard command.id >= first, count <= Self.mostChanges else { break }
      let changes = try reader.changes(from: command.id, before: next, viewer: viewer)
      next = command.id
      count += changes.count
      commands.append(Undoable(generation: command.id, changes: changes))
    }
    undoable += commands.reversed()
    undoable.removeFirst(max(0, undoable.count - Self.mostCommands))
  }

  private func changesSinceLastTime() throws -> StoreChanges {
    guard let news = try followed.look(), let reader = followed.reader else {
      return StoreChanges()
    }
    var changes = StoreChanges()
    while let last = undoable.last, last.generation > news.common {
      changes.events += last.changes.map(\.inverse)
      undoable.removeLast()
    }
    if news.common < followed.state.generation {
      changes.events += try reader.changes(from: news.common + 1, viewer: viewer)
      changes.sources = try reader.sourceChanges(from: news.common + 1)
      try remember(from: news.common + 1, of: reader)
    }
    return changes
  }
}
