package import AgendaCore
package import AgendaReader
internal import CivilTime

/// The events of sources that were read into memory.
package final class FileEvents: EventSource {
  private let loaded: [LoadedFile]
  private let files: CalendarFiles

  package init(_ sources: [LoadedSource]) {
    loaded = sources.flatMap(\.files)
    files = CalendarFiles(loaded.map(\.calendar))
  }

  package var isReadable: Bool { !loaded.isEmpty }

  /// Problems that only show when the files are taken together: what one cancels of another.
  package var commonFindings: [SourceFinding] {
    files.findings.sorted { $0.key < $1.key }.flatMap { index, findings in
      findings.map { SourceFinding(source: loaded[index].name, finding: $0) }
    }
  }

  package func series(_ query: SeriesQuery) -> [Series] {
    let events =
      switch (query.scope, query.span) {
      case (.complete, let span?), (.listed, let span?): files.events(touching: span)
      case (.tasks, _): files.allEvents.filter { $0.kind == .task }
      // An alarm can be far away from its event.
      case (.alarms, _), (.words, _), (_, nil): files.allEvents
      }
    return SeriesAssembly(
      events.filter {
        query.selection.admitsKind($0.kind) && query.selection.admitsCalendar(named: $0.calendar)
      }, content: { files.content(of: $0.reference) }
    ).series
  }

  package func details(of reference: EventReference) -> EventDetails {
    files.details(of: reference)
  }

  package func lines(of reference: EventReference) -> ComponentLines? {
    files.file(of: reference)?.withComponent(
      files.component(of: reference).component, ComponentLines.init)
  }

  package func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    files.file(of: reference)?.attachmentBytes(
      of: files.component(of: reference), number: number)
  }

  package func sourceName(of reference: EventReference) -> String? {
    guard let file = files.fileIndex(of: reference).map({ loaded[$0] }) else { return nil }
    let line = file.calendar.line(ofComponent: files.component(of: reference).component)
    return file.name + (line.map { ":\($0)" } ?? "")
  }

  package func calendars() -> [CalendarLabel] {
    loaded.map { CalendarLabel(name: $0.calendar.name, color: $0.calendar.color) }
  }
}
