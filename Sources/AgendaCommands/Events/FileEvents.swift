internal import AgendaCore
internal import AgendaReader
internal import CivilTime

/// The events of the sources that a command names, read without touching any store.
final class FileEvents: EventProvider {
  private let calendars: [LoadedCalendar]
  private let files: CalendarFiles

  init(_ outcomes: [SourceLoader.Outcome]) {
    calendars = outcomes.flatMap(\.calendars)
    files = CalendarFiles(calendars.map(\.file))
  }

  var isReadable: Bool { !calendars.isEmpty }

  /// What is wrong with the sources together, by the names of their files.
  var findingsOfAll: [(name: String, findings: [Finding])] {
    files.findings.sorted { $0.key < $1.key }.map { (calendars[$0.key].name, $0.value) }
  }

  func series(touching window: DateWindow?, selection: Selection) -> [Series] {
    let events = files.events.filter {
      selection.admitsKind($0.kind) && selection.admitsCalendar(named: $0.calendar)
    }
    return SeriesAssembly(events).series
  }

  func series(withWords words: [String], selection: Selection) -> [Series] {
    series(touching: nil, selection: selection)
  }

  func details(of reference: EventReference) -> EventDetails {
    files.details(of: reference)
  }

  func lines(of reference: EventReference) -> ComponentLines? {
    files.file(of: reference)?.withComponent(
      files.component(of: reference).component, ComponentLines.init)
  }

  func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    files.file(of: reference)?.attachmentBytes(
      of: files.component(of: reference), number: number)
  }

  func sourceName(of reference: EventReference) -> String? {
    guard let calendar = files.fileIndex(of: reference).map({ calendars[$0] }) else { return nil }
    let line = calendar.file.line(ofComponent: files.component(of: reference).component)
    return calendar.name + (line.map { ":\($0)" } ?? "")
  }

  var findings: [SourceFinding] { [] }

  func calendarNames() -> [String] { calendars.map(\.file.name) }

  var calendarColors: [String: String] {
    var colors: [String: String] = [:]
    for calendar in calendars { colors[calendar.file.name] = calendar.file.color }
    return colors
  }
}

/// A file that was read, under the name that messages give it.
struct LoadedCalendar {
  let name: String
  let file: CalendarFile
}
