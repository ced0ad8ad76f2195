public import AgendaCore

/// A step of an import or a refresh: its progress, or the reports at its end.
public enum ImportStep: Sendable {
  /// How far the import is.
  case progress(SourceProgress)
  /// The last step: a report for each source.
  case finished([SourceReport])
}

/// The steps of an import or a refresh.
///
///     for try await step in store.importing(["work.ics"], options) {
///       switch step {
///       case .progress(.importing(_, let done, let count)): bar.value = done * 100 / count
///       case .progress(.fetching): bar.isIndeterminate = true
///       case .finished(let reports): show(reports)
///       }
///     }
public typealias ImportSteps = AsyncThrowingStream<ImportStep, any Error>

extension SharedStore {
  /// Imports sources as `CalendarStore.importSources` does, and reports its progress. The import
  /// begins at once, and goes on to its end even if no task reads its steps.
  public nonisolated func importing(
    _ sources: [String], _ options: CalendarStore.ImportOptions
  ) -> ImportSteps {
    let (steps, continuation) = ImportSteps.makeStream()
    Task {
      await run(continuation) {
        try $0.importSources(sources, options, progress: $1)
      }
    }
    return steps
  }

  /// Imports the sources of the store again, as `CalendarStore.refresh` does.
  public nonisolated func refreshing(
    calendars: [String] = [], _ options: CalendarStore.ImportOptions
  ) -> ImportSteps {
    let (steps, continuation) = ImportSteps.makeStream()
    Task {
      await run(continuation) {
        try $0.refresh(calendars: calendars, options, progress: $1)
      }
    }
    return steps
  }

  private func run(
    _ continuation: ImportSteps.Continuation,
    _ work:
      @Sendable (
        CalendarStore, _ progress: @escaping (SourceProgress) -> Void
      ) throws -> [SourceReport]
  ) {
    do {
      let reports = try work(store) { continuation.yield(.progress($0)) }
      continuation.yield(.finished(reports))
      continuation.finish()
    } catch {
      continuation.finish(throwing: error)
    }
  }
}
