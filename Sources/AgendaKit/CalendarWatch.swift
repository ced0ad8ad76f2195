internal import AgendaSources

/// Reports, from a thread of its own, that the calendars of a store or some files may have changed.
package final class CalendarWatch: Sendable {
  private let watch: SourceWatch

  package init(store path: String, report: @escaping @Sendable () -> Void) {
    watch = SourceWatch(.store(path), wakeAt: { nil }) { isOver in if !isOver { report() } }
  }

  package init(files paths: [String], report: @escaping @Sendable () -> Void) {
    watch = SourceWatch(.files(paths), wakeAt: { nil }) { isOver in if !isOver { report() } }
  }

  deinit { watch.stop() }
}
