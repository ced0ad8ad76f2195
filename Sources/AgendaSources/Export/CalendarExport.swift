package import AgendaStore
package import CivilTime
internal import ICalendar

/// Writes a store as an iCalendar stream, with every property and component that was imported. Each
/// VCALENDAR of a source stays one VCALENDAR, because its time zone definitions and properties
/// apply only to its own events. Those of one source with the same definitions and properties are
/// joined.
///
/// Errors that make a file invalid are repaired: missing UIDs, DTSTAMPs, VERSION, PRODID and
/// VTIMEZONEs of known zones are added, and a component without END gets one. METHOD is left out,
/// because an export is not a message. What METHOD:ADD adds becomes an override of its series.
package struct CalendarExport {
  private let store: Store
  private let names: ZoneNames

  package init(_ store: Store, zones: ZoneDatabase) {
    self.store = store
    names = ZoneNames(database: zones)
  }

  /// Writes some calendars, or all if `calendars` is empty, in pieces.
  package func write(calendars: [String], to output: ([UInt8]) throws -> Void) throws {
    var objects = try store.calendarObjects(of: calendars).map(ExportedCalendarObject.init)
    let undefined = UndefinedZones(&objects, names: names)
    // Of overrides with equal versions, the last one of a file counts. So those that another source
    // supersedes come first, in VCALENDARs of their own.
    let superseded = try store.supersededOverrides(of: calendars)
    if !superseded.isEmpty {
      try forEach(objects) { object, ids in
        let ids = ids.filter(superseded.contains)
        if !ids.isEmpty { try write(object.withZonesOnly, ids, undefined, to: output) }
      }
    }
    var isEmpty = true
    try forEach(objects) { object, ids in
      let ids = ids.filter { !superseded.contains($0) }
      // Most files have no lines outside their VCALENDARs.
      guard !ids.isEmpty || !object.parts.isEmpty || object.hasOwnLines else { return }
      isEmpty = false
      try write(object, ids, undefined, to: output)
    }
    if isEmpty {
      try output(Self.folded(["BEGIN:VCALENDAR"] + ExportedCalendarObject.required))
      try output(Self.folded(["END:VCALENDAR"]))
    }
  }

  /// Calls `body` with each VCALENDAR and the ids of its components. Those of one source that are the
  /// same are joined.
  private func forEach(
    _ objects: [ExportedCalendarObject], _ body: (ExportedCalendarObject, [Int]) throws -> Void
  ) throws {
    var components: [StoredCalendarObject.Place: [Int]] = [:]
    var source: Int?
    var index = 0
    while index < objects.count {
      let first = objects[index]
      // The files of a folder often have the same properties and parts.
      let end = objects[index...].firstIndex { !$0.isSame(as: first) } ?? objects.count
      if source != first.place.source {
        source = first.place.source
        components = try store.componentsByPlace(source: first.place.source)
      }
      try body(first, objects[index..<end].flatMap { components[$0.place] ?? [] })
      index = end
    }
  }

  private func write(
    _ object: ExportedCalendarObject, _ ids: [Int], _ undefined: UndefinedZones,
    to output: ([UInt8]) throws -> Void
  ) throws {
    try output(Self.folded(["BEGIN:VCALENDAR"]))
    try output(object.lines.reduce(into: []) { $0 += FileLines.folded($1) })
    for part in object.parts { try output(part) }
    var zones = ExportedZones(names, definedIn: object.parts)
    for id in ids {
      var lines = Self.lines(
        try store.storedComponent(id), isVersion1: object.isVersion1)
      if object.isAddition { Self.addRecurrenceID(to: &lines) }
      undefined.rename(in: &lines, of: object)
      zones.note(lines)
      try output(lines.reduce(into: []) { $0 += FileLines.folded($1) })
    }
    for line in zones.definitions { try output(FileLines.folded(line)) }
    try output(Self.folded(["END:VCALENDAR"]))
  }

  private static func folded(_ lines: [String]) -> [UInt8] {
    lines.reduce(into: []) { $0 += FileLines.folded(Array($1.utf8)) }
  }

  /// The lines of a component with the UID and DTSTAMP that RFC 5545 3.6.1 requires.
  private static func lines(_ component: StoredComponent, isVersion1: Bool) -> [[UInt8]] {
    var content = FileLines(component.text, isVersion1: isVersion1)
    content.balance()
    var lines = content.lines
    // Only the component's own properties, not those of its alarms.
    var depth = 0
    var (hasUID, hasStamp) = (false, false)
    for line in lines {
      if line.isProperty("BEGIN") { depth += 1 }
      if line.isProperty("END") { depth -= 1 }
      guard depth == 1 else { continue }
      hasUID = hasUID || line.isProperty("UID")
      hasStamp = hasStamp || line.isProperty("DTSTAMP")
    }
    var missing: [[UInt8]] = []
    if !hasUID { missing.append(Array("UID:\(component.uid)".utf8)) }
    if !hasStamp {
      let stamp = component.modified ?? Instant(secondsSinceEpoch: 0)
      missing.append(Array("DTSTAMP:\(stamp.basicFormat)".utf8))
    }
    lines.insert(contentsOf: missing, at: min(1, lines.count))
    return lines
  }
}

extension CalendarExport {
  /// An occurrence that METHOD:ADD adds has the UID of its series (RFC 5546 3.2.4). Without METHOD only
  /// a RECURRENCE-ID shows that it is not a newer version of the series.
  private static func addRecurrenceID(to lines: inout [[UInt8]]) {
    var depth = 0
    var start: Int?
    for (index, line) in lines.enumerated() {
      if line.isProperty("BEGIN") { depth += 1 }
      if line.isProperty("END") { depth -= 1 }
      guard depth == 1 else { continue }
      if line.isProperty("RECURRENCE-ID") { return }
      if line.isProperty("DTSTART"), start == nil { start = index }
    }
    guard let start else { return }
    lines.insert(
      Array("RECURRENCE-ID".utf8) + lines[start].dropFirst("DTSTART".utf8.count), at: start)
  }
}

extension Instant {
  /// `20261121T083000Z`.
  fileprivate var basicFormat: String {
    String("\(self)".unicodeScalars.filter { $0 != "-" && $0 != ":" }.map(Character.init))
  }
}
