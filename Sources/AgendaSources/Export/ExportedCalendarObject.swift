internal import AgendaStore
internal import ICalendar
internal import Platform

/// A VCALENDAR as an export writes it, without its events, tasks and journals.
struct ExportedCalendarObject {
  let place: StoredCalendarObject.Place
  /// Its own lines, with those that RFC 5545 3.6 requires.
  let lines: [[UInt8]]
  /// Whether the source wrote any lines.
  let hasOwnLines: Bool
  /// Whether its components add occurrences to events (METHOD:ADD).
  let isAddition: Bool
  /// Whether it is vCalendar 1.0.
  let isVersion1: Bool
  /// Its VTIMEZONEs and unknown components, folded.
  private(set) var parts: [[UInt8]]
  /// The names of the zones that its file defines, in lower case.
  var zonesOfFile: Set<String> = []

  static let required = ["VERSION:2.0", "PRODID:-//agenda//agenda \(agendaVersion)//EN"]

  init(_ stored: StoredCalendarObject) {
    place = stored.place
    parts = stored.parts.compactMap { part in
      var content = FileLines(part)
      content.balance()
      // The export adds its own definitions again.
      if ExportedZones.isAdded(content.lines) { return nil }
      return content.lines.reduce(into: []) { $0 += FileLines.folded($1) }
    }
    let own = FileLines(stored.properties).lines
    hasOwnLines = !own.isEmpty
    isVersion1 = own.contains { $0.elementsEqual("VERSION:1.0".utf8) }
    isAddition = Store.isAddition(stored.properties)
    var lines = own.filter { !$0.isProperty("METHOD") }
    if !lines.contains(where: { $0.isProperty("PRODID") }) {
      lines.insert(Array(Self.required[1].utf8), at: 0)
    }
    if !lines.contains(where: { $0.isProperty("VERSION") }) {
      lines.insert(Array(Self.required[0].utf8), at: 0)
    }
    self.lines = lines
  }

  /// The same VCALENDAR with only the definitions of its zones.
  var withZonesOnly: ExportedCalendarObject {
    var object = self
    object.parts.removeAll { part in
      let first = FileLines(part).lines.first ?? []
      return String(decoding: first, as: UTF8.self).uppercased() != "BEGIN:VTIMEZONE"
    }
    return object
  }

  func isSame(as other: ExportedCalendarObject) -> Bool {
    place.source == other.place.source && lines == other.lines && isAddition == other.isAddition
      && parts == other.parts && zonesOfFile == other.zonesOfFile
  }
}
