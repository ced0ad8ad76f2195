internal import AgendaCore
internal import AgendaReader
internal import CivilTime

/// The events of the sources that a command names, read without touching any store.
final class FileEvents: EventProvider {
  /// By the number that the events of a source carry in their references.
  private let sources: [[LoadedCalendar]]

  init(_ outcomes: [SourceLoader.Outcome]) { sources = outcomes.map(\.calendars) }

  var isReadable: Bool { sources.contains { !$0.isEmpty } }

  func series(touching window: DateWindow?, selection: Selection) -> [Series] {
    let events = sources.joined().flatMap(\.file.events).filter {
      selection.admitsKind($0.kind) && selection.admitsCalendar(named: $0.calendar)
    }
    return SeriesAssembly(events).series
  }

  func series(withWords words: [String], selection: Selection) -> [Series] {
    series(touching: nil, selection: selection)
  }

  func details(of reference: EventReference) -> EventDetails {
    calendar(of: reference)?.file.details(of: reference) ?? EventDetails()
  }

  func lines(of reference: EventReference) -> ComponentLines? {
    calendar(of: reference)?.file.withComponent(reference.component, ComponentLines.init)
  }

  func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    calendar(of: reference)?.file.attachmentBytes(of: reference, number: number)
  }

  func sourceName(of reference: EventReference) -> String? {
    guard let calendar = calendar(of: reference) else { return nil }
    let line = calendar.file.line(ofComponent: reference.component)
    return calendar.name + (line.map { ":\($0)" } ?? "")
  }

  var findings: [SourceFinding] { [] }

  func calendarNames() -> [String] { sources.joined().map(\.file.name) }

  var calendarColors: [String: String] {
    var colors: [String: String] = [:]
    for calendar in sources.joined() { colors[calendar.file.name] = calendar.file.color }
    return colors
  }

  private func calendar(of reference: EventReference) -> LoadedCalendar? {
    guard sources.indices.contains(reference.source) else { return nil }
    return sources[reference.source].last { $0.file.firstComponent <= reference.component }
  }
}

/// A file that was read, under the name that messages give it.
struct LoadedCalendar {
  let name: String
  let file: CalendarFile
}
