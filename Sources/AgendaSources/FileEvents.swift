package import AgendaCore
package import AgendaReader
package import CivilTime

/// The events of sources that were read into memory.
package final class FileEvents: EventSource {
  private let loaded: [LoadedFile]
  private let files: CalendarFiles

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

  package var isReadable: Bool { !loaded.isEmpty }

  /// The problems of each file, including those that depend on the other files.
  package var findingsOfFiles: [[SourceFinding]] {
    loaded.enumerated().map { index, file in
      files.findings(ofFile: index).sortedByLine.map {
        SourceFinding(source: file.name, finding: $0)
      }
    }
  }

  package func series(_ query: SeriesQuery) -> [Series] {
    let events =
      switch (query.scope, query.span) {
      case (.complete, let span?), (.listed, let span?): files.events(touching: span)
      case (.uid(let uid), _): files.allEvents.filter { $0.identity.uid == uid }
      case (.all(let kind), _): files.allEvents.filter { $0.kind == kind }
      // An alarm can be far away from its event.
      case (.alarms, _), (.words, _), (_, nil): files.allEvents
      }
    return SeriesAssembly(
      events.filter {
        query.selection.admitsKind($0.kind) && query.selection.admitsCalendar(named: $0.calendar)
      }, content: { files.content(of: $0) }
    ).series
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
    files.file(of: reference)?.withComponent(
      files.component(of: reference).component, ComponentLines.init)
  }

  package func calendarZoneName(of reference: EventReference) -> String? {
    files.file(of: reference)?.zoneName(
      ofCalendarOf: files.component(of: reference).component)
  }

  package func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    files.file(of: reference)?.attachmentBytes(
      of: files.component(of: reference), number: number)
  }

  package func place(of reference: EventReference) -> SourcePlace? {
    guard let file = files.fileIndex(of: reference).map({ loaded[$0] }) else { return nil }
    let line = file.calendar.line(ofComponent: files.component(of: reference).component)
    return SourcePlace(source: file.name, line: line)
  }

  package func calendars() -> [CalendarLabel] {
    loaded.map { CalendarLabel(name: $0.calendar.name, color: $0.calendar.color) }
  }
}
