package import AgendaCore
package import AgendaReader
package import CivilTime

/// The events of sources that were read into memory.
package final class FileEvents: EventSource {
  private let loaded: [LoadedFile]
  private let files: CalendarFiles
  private lazy var commonFindings = files.commonFindings(keepsMails: false)

  package init(_ sources: [LoadedSource]) {
    loaded = sources.flatMap(\.files)
    files = CalendarFiles(loaded.map(\.calendar), names: loaded.map(\.name))
  }

  /// Whether an event of this and one of other files are the same component of a file that was not
  /// read again.
  package func hasSameComponent(
    _ reference: EventReference, as otherReference: EventReference, in other: FileEvents
  ) -> Bool {
    // An answer in one file changes events of another.
    guard reference == otherReference, !files.hasMessages, !other.files.hasMessages,
      let file = files.file(of: reference)
    else { return false }
    return file === other.files.file(of: reference)
  }

  /// The problems of each file, including those that depend on the other files.
  package var findingsOfFiles: [[SourceFinding]] {
    loaded.enumerated().map { index, file in
      files.findings(ofFile: index, commonFindings).map {
        SourceFinding(source: file.name, finding: $0)
      }
    }
  }

  package func series(_ query: SeriesQuery) -> [Series] {
    let assembly =
      switch (query.scope, query.span) {
      case (.complete, let span?), (.listed, let span?): files.assembly(touching: span)
      case (.uid(let uid), _): files.assembly(ofUID: uid)
      // An alarm can be far away from its event.
      case (.alarms, _), (.words, _), (.all, _), (_, nil): files.assembly
      }
    return assembly.series.filter {
      query.scope.admitsKind($0.master.kind) && query.selection.admitsKind($0.master.kind)
        && query.selection.admitsCalendar(named: $0.master.calendar)
    }
  }

  package func busyTimes(
    in span: Range<Instant>, of selection: Selection
  ) -> [Range<Instant>] {
    guard selection.admitsBusyTimes else { return [] }
    return files.files.filter { selection.admitsCalendar(named: $0.name) }
      .flatMap(\.busyTimes).filter { $0.overlaps(span) }
  }

  package func details(of reference: EventReference) -> EventDetails {
    files.details(of: reference)
  }

  package func lines(of reference: EventReference) -> ComponentLines? {
    files.sourceText(of: reference).map { $0.withUnsafeBufferPointer(ComponentLines.init) }
  }

  package func calendarZoneName(of reference: EventReference) -> String? {
    files.calendarZoneName(of: reference)
  }

  package func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    files.attachmentBytes(of: reference, number: number)
  }

  package func place(of reference: EventReference) -> SourcePlace? {
    guard let file = files.fileIndex(of: reference).map({ loaded[$0] }) else { return nil }
    return SourcePlace(source: file.name, line: files.line(of: reference))
  }

  package func calendars() -> [CalendarLabel] {
    loaded.flatMap { file in
      guard let names = file.calendar.calendarNames else {
        return [CalendarLabel(name: file.calendar.name, color: file.calendar.color)]
      }
      return zip(names, file.calendar.calendarColors).map { CalendarLabel(name: $0, color: $1) }
    }
  }
}
