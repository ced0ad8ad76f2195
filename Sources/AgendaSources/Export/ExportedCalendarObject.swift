internal import AgendaStore
internal import ICalendar
internal import Platform

/// A VCALENDAR as an export writes it, without its events, tasks and journals.
struct ExportedCalendarObject {
  let place: Place
  /// The name of its calendar.
  let calendar: String
  /// Its own lines, with those that RFC 5545 3.6 requires, and the name of its calendar.
  private(set) var lines: [[UInt8]]
  /// Whether the source wrote any lines.
  var hasOwnLines: Bool
  /// Whether its components add occurrences to events (METHOD:ADD).
  let isAddition: Bool
  /// Whether the source is vCalendar 1.0.
  let isVersion1: Bool
  /// Its VTIMEZONEs, and its other components, folded.
  var zones: [[UInt8]]
  var otherParts: [[UInt8]]
  /// The names of the zones that its file defines, in lower case.
  var zonesOfFile: Set<String> = []
  /// The zones, in lower case, that its components have from the zone database although another file
  /// defines one with this name.
  var systemZones: Set<String> = []

  /// Where its components are: those of a document with the same context. A source that is a folder
  /// has a document for each file.
  struct Place: Hashable {
    let source: Int
    let document: Int
    let context: Int
  }

  var parts: [[UInt8]] { zones + otherParts }

  static let required = ["VERSION:2.0", "PRODID:-//agenda//agenda \(agendaVersion)//EN"]

  /// `context` has the lines and zones that decide what the components mean, `stored` all lines and
  /// the other components.
  init(_ stored: StoredCalendarObject, _ context: StoredContext, _ place: Place, calendar: String) {
    self.place = place
    self.calendar = calendar
    zones = FileLines(context.text).components.compactMap(Self.folded)
    otherParts = stored.parts.compactMap { Self.folded(FileLines($0)) }
    let own = FileLines(stored.lines).lines
    hasOwnLines = !own.isEmpty
    isVersion1 = own.contains(where: \.isVersion1)
    isAddition = own.contains { $0.method == "ADD" }
    let isVersion1 = isVersion1
    var lines = own.filter { line in
      if line.isProperty("METHOD") { return false }
      // The times of its components have a TZID instead.
      let isOld = line.isProperty("VERSION") || line.isProperty("TZ") || line.isProperty("DAYLIGHT")
      return !(isVersion1 && isOld)
    }
    if !lines.contains(where: { $0.isProperty("PRODID") }) {
      lines.insert(Array(Self.required[1].utf8), at: 0)
    }
    if !lines.contains(where: { $0.isProperty("VERSION") }) {
      lines.insert(Array(Self.required[0].utf8), at: 0)
    }
    self.lines = Self.naming(lines, calendar)
  }

  /// The export adds its own definitions of zones again.
  private static func folded(_ component: FileLines) -> [UInt8]? {
    var component = component
    component.balance()
    if ExportedZones.isAdded(component.lines) { return nil }
    return component.lines.reduce(into: []) { $0 += FileLines.folded($1) }
  }

  /// With several calendars in one file, each VCALENDAR needs the name of its own.
  private static func naming(_ lines: [[UInt8]], _ calendar: String) -> [[UInt8]] {
    let stated =
      lines.first { $0.isProperty("X-WR-CALNAME") } ?? lines.first { $0.isProperty("NAME") }
    if stated.map({ text($0) }) == calendar { return lines }
    let name = Array("X-WR-CALNAME:".utf8) + PropertyValue.escaped(calendar)
    guard let first = lines.firstIndex(where: { $0.isProperty("X-WR-CALNAME") }) else {
      return lines + [name]
    }
    var named = lines
    named[first] = name
    return named
  }

  /// The colour that it states.
  var color: String? {
    Self.colorNames.lazy.compactMap { name in lines.first { $0.isProperty(name) } }.first
      .map(Self.text)
  }

  /// States another colour.
  mutating func setColor(_ color: String) {
    let name = Self.colorNames[color.hasPrefix("#") ? 1 : 0]
    lines.removeAll { line in Self.colorNames.contains(where: line.isProperty) }
    lines.append(Array("\(name):".utf8) + PropertyValue.escaped(color))
  }

  /// COLOR has a name (RFC 7986 5.9), and other programs read `#rrggbb` only from Apple's property.
  private static let colorNames: [StaticString] = ["COLOR", "X-APPLE-CALENDAR-COLOR"]

  private static func text(_ line: [UInt8]) -> String {
    PropertyLine(line).value.withUnsafeBufferPointer { PropertyValue.text($0) }.trimmed
  }

  /// The same VCALENDAR with only the definitions of its zones.
  var withZonesOnly: ExportedCalendarObject {
    var object = self
    object.otherParts = []
    return object
  }
}

extension FileLines {
  /// The outermost components among these lines.
  fileprivate var components: [FileLines] {
    var components: [FileLines] = []
    var current: [[UInt8]] = []
    var depth = 0
    for line in lines {
      if line.isProperty("BEGIN") { depth += 1 }
      if depth > 0 { current.append(line) }
      guard line.isProperty("END"), depth > 0 else { continue }
      depth -= 1
      if depth == 0 {
        components.append(FileLines(lines: current))
        current = []
      }
    }
    return components
  }
}
