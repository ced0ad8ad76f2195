package import AgendaSources
package import CivilTime
internal import Synchronization

/// Reports, from a thread of its own, that the calendars of a store or some files may have changed.
///
/// The full screen waits for keys and for changes at the same time, and asks only for what it shows.
package final class CalendarWatch: Sendable {
  private let watch: SourceWatch

  /// Reports the changes of commands, in this process and in others. Reading alone also touches the files
  /// of a store, so it is asked whether it has another state.
  package init(
    store path: String, zones: ZoneDatabase, report: @escaping @Sendable () -> Void
  ) {
    let followed = Mutex(FollowedStore(at: path, zones: zones))
    _ = followed.withLock { try? $0.look() }
    watch = SourceWatch(.store(path), wakeAt: { nil }) { isOver in
      let news = followed.withLock { (try? $0.look()) ?? nil }
      if !isOver, news != nil { report() }
    }
  }

  package init(files paths: [String], report: @escaping @Sendable () -> Void) {
    watch = SourceWatch(.files(paths), wakeAt: { nil }) { isOver in if !isOver { report() } }
  }

  deinit { watch.stop() }
}

extension CalendarStore {
  /// Waits for changes that other processes make in this store from now on. A command waits in its only
  /// thread; programs use ``observe(until:_:)``.
  package func watch() throws(CalendarError) -> StoreWatch {
    try CalendarError.catching {
      try StoreWatch(
        storeAt: configuration.path, zones: configuration.zones,
        viewer: try configuration.zone())
    }
  }
}
