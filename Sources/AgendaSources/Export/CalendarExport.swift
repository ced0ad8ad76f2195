internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar

/// Writes a store as an iCalendar stream, with every property and component that was imported. Each
/// VCALENDAR of a source stays one VCALENDAR, because its time zone definitions and properties
/// apply only to its own events. Those of one source with the same properties are joined if their
/// definitions do not contradict each other. Each has the name of its calendar, so that an import makes
/// the same calendars of it.
///
/// Messages are applied to the events that they are about, and hidden events are left out. METHOD is
/// left out, because an export is not a message. What METHOD:ADD adds becomes an override of its
/// series. vCalendar 1.0 becomes iCalendar 2.0.
///
/// Errors that make a file invalid are repaired: missing UIDs, DTSTAMPs, VERSION, PRODID and
/// VTIMEZONEs of known zones are added, and a component without END gets one.
package struct CalendarExport {
  private let reader: StoreReader
  private let names: ZoneNames

  package init(_ reader: StoreReader) {
    self.reader = reader
    names = ZoneNames(database: reader.zones)
  }

  /// Writes some calendars, or all if `calendars` is empty, in pieces.
  package func write(calendars: [String], to output: ([UInt8]) throws -> Void) throws {
    var objects = try self.objects(of: calendars)
    let undefined = UndefinedZones(&objects, names: names)
    try noteSystemZones(of: &objects, undefined)
    let events = try ExportedEvents(reader)
    let writer = ObjectWriter(
      reader: reader, names: names, events: events, undefined: undefined)
    let joined = JoinedCalendarObject.all(of: objects)
    objects = []
    // Of overrides with equal versions, the last one of a file counts. So those that another source
    // supersedes come first, in VCALENDARs of their own.
    let superseded = events.supersededOverrides
    if !superseded.isEmpty {
      for calendar in joined {
        let parts = try self.parts(of: calendar) { superseded.contains($0) }
        if !parts.isEmpty { try writer.write(calendar.object.withZonesOnly, parts, to: output) }
      }
    }
    var isEmpty = true
    for calendar in joined {
      let parts = try self.parts(of: calendar) { !superseded.contains($0) }
      // Most files have no lines outside their VCALENDARs.
      let object = calendar.object
      guard !parts.isEmpty || !object.otherParts.isEmpty || object.hasOwnLines else { continue }
      isEmpty = false
      try writer.write(object, parts, to: output)
    }
    if isEmpty {
      let lines = ["BEGIN:VCALENDAR"] + ExportedCalendarObject.required + ["END:VCALENDAR"]
      try output(lines.reduce(into: []) { $0 += FileLines.folded(Array($1.utf8)) })
    }
  }

  /// The VCALENDARs of some calendars, or of all, by the names of the calendars.
  private func objects(of calendars: [String]) throws(StoreError) -> [ExportedCalendarObject] {
    let store = reader.store
    var objects: [ExportedCalendarObject] = []
    for source in try reader.presentSources() where source.source.kind != .decisions {
      for document in try store.documents(ofSource: source.id) {
        objects += try self.objects(of: document, source: source).filter { object in
          !object.calendar.isEmpty && (calendars.isEmpty || calendars.contains(object.calendar))
        }
      }
    }
    let order = objects.indices.sorted {
      (objects[$0].calendar, $0) < (objects[$1].calendar, $1)
    }
    return Self.colored(order.map { objects[$0] }, try store.calendarColors())
  }

  /// The VCALENDARs with the colours of their calendars. A folder and a server state them elsewhere; of a
  /// file, the first one that states a colour counts.
  private static func colored(
    _ objects: [ExportedCalendarObject], _ colors: [String: String]
  ) -> [ExportedCalendarObject] {
    var objects = objects
    for (calendar, color) in colors {
      let own = objects.indices.filter { objects[$0].calendar == calendar }
      if own.lazy.compactMap({ objects[$0].color }).first == color { continue }
      for index in own { objects[index].setColor(color) }
    }
    return objects
  }

  private func objects(
    of document: StoredDocument, source: StoredSource
  ) throws(StoreError) -> [ExportedCalendarObject] {
    let stored = try reader.store.calendarObjects(ofRevision: document.revision)
    let contexts = try reader.store.contexts(Set(stored.map(\.context)))
    var known: Set<Int> = []
    return stored.compactMap { object in
      guard let context = contexts[object.context] else { return nil }
      // If several VCALENDARs have the same context, the first one gets all components.
      let place = ExportedCalendarObject.Place(
        source: source.id, document: document.id,
        context: known.insert(object.context).inserted ? object.context : -1)
      return ExportedCalendarObject(
        object, context, place, calendar: context.calendarName ?? source.source.calendar)
    }
  }

  private func ids(at place: ExportedCalendarObject.Place) throws(StoreError) -> [Int] {
    if place.context < 0 { return [] }
    return try reader.store.knownComponents(ofDocument: place.document)
      .filter { $0.context == place.context && !$0.kind.isMessage }.map(\.id)
  }

  private func noteSystemZones(
    of objects: inout [ExportedCalendarObject], _ undefined: UndefinedZones
  ) throws(StoreError) {
    for index in objects.indices {
      let names = undefined.systemZones(besides: objects[index].zonesOfFile)
      if names.isEmpty { continue }
      for piece in ObjectWriter.pieces(of: try ids(at: objects[index].place)) {
        for component in try reader.store.components(ids: piece) {
          let used = FileLines(component.text).lines.compactMap { $0.zoneName?.lowercased() }
          objects[index].systemZones.formUnion(names.intersection(used))
        }
      }
    }
  }

  /// The components of a VCALENDAR that are chosen.
  private func parts(
    of calendar: JoinedCalendarObject, _ isChosen: (Int) -> Bool
  ) throws(StoreError) -> [ObjectWriter.Part] {
    var parts: [ObjectWriter.Part] = []
    for part in calendar.parts {
      var ids: [Int] = []
      for place in part.places { ids += try self.ids(at: place).filter(isChosen) }
      if !ids.isEmpty { parts.append(.init(ids: ids, zonesOfFile: part.zonesOfFile)) }
    }
    return parts
  }
}

/// Writes the VCALENDARs of an export.
private struct ObjectWriter {
  let reader: StoreReader
  let names: ZoneNames
  let events: ExportedEvents
  let undefined: UndefinedZones

  /// Components whose files define the same zones.
  struct Part {
    let ids: [Int]
    let zonesOfFile: Set<String>
  }

  /// So many components are in memory at once.
  private static let pieceLength = 500

  static func pieces(of ids: [Int]) -> [[Int]] {
    stride(from: 0, to: ids.count, by: pieceLength).map {
      Array(ids[$0..<min($0 + pieceLength, ids.count)])
    }
  }

  func write(
    _ object: ExportedCalendarObject, _ parts: [Part], to output: ([UInt8]) throws -> Void
  ) throws {
    try output(Self.folded([Array("BEGIN:VCALENDAR".utf8)] + object.lines))
    for part in object.zones { try output(part) }
    var zones = ExportedZones(names, definedIn: object.parts)
    var converted = ConvertedComponents()
    // The definitions of zones that only a vCalendar 1.0 has come before its components.
    if object.isVersion1 {
      try forEachPiece(of: parts) { components, _ in
        try convert(components, object, &converted)
      }
    }
    for definition in converted.definitions { try output(definition) }
    for part in object.otherParts { try output(part) }
    try forEachPiece(of: parts) { components, zonesOfFile in
      for lines in try lines(of: components, object, converted) {
        var lines = lines
        undefined.rename(in: &lines, definedInFile: zonesOfFile)
        zones.note(lines)
        try output(Self.folded(lines))
      }
    }
    for line in zones.definitions(besides: converted.zoneNames) {
      try output(FileLines.folded(line))
    }
    try output(Self.folded([Array("END:VCALENDAR".utf8)]))
  }

  private static func folded(_ lines: [[UInt8]]) -> [UInt8] {
    lines.reduce(into: []) { $0 += FileLines.folded($1) }
  }

  private func forEachPiece(
    of parts: [Part], _ body: ([StoredComponent], Set<String>) throws -> Void
  ) throws {
    for part in parts {
      for piece in Self.pieces(of: part.ids) {
        try body(try reader.store.components(ids: piece), part.zonesOfFile)
      }
    }
  }

  // MARK: Components

  private func lines(
    of components: [StoredComponent], _ object: ExportedCalendarObject,
    _ converted: ConvertedComponents
  ) throws -> [[[UInt8]]] {
    let texts = texts(of: components, object)
    var all = texts.map { text in
      var content = FileLines(text.bytes)
      content.balance()
      let lines = converted.lines[text.reference] ?? content.lines
      return (text: text, lines: lines, missing: lines.missingProperties)
    }
    let incomplete = Set(all.lazy.filter { !$0.missing.isEmpty }.map(\.text.reference))
    let decoded = try decoded(components.filter { incomplete.contains($0.reference) })
    for index in all.indices {
      let text = all[index].text
      // The occurrence of an addition has no RECURRENCE-ID in its own text.
      if object.isAddition || text.event?.identity.recurrenceID != nil {
        all[index].lines.addRecurrenceID()
      }
      if all[index].missing.isEmpty { continue }
      if let event = text.event {
        all[index].lines.add(all[index].missing, event, events.details(of: text.reference))
      } else if let (event, details) = decoded[text.reference] {
        all[index].lines.add(all[index].missing, event, details)
      }
    }
    return all.map(\.lines)
  }

  private func texts(
    of components: [StoredComponent], _ object: ExportedCalendarObject
  ) -> [ExportedEvents.Text] {
    components.compactMap { events.texts(of: $0, isAddition: object.isAddition) }.flatMap(\.self)
  }

  private func decoded(
    _ components: [StoredComponent]
  ) throws(StoreError) -> [EventReference: (Event, EventDetails)] {
    if components.isEmpty { return [:] }
    let files = try reader.files(components)
    var decoded: [EventReference: (Event, EventDetails)] = [:]
    for event in files.componentEvents {
      decoded[event.reference] = (event, files.details(of: event.reference))
    }
    return decoded
  }

  // MARK: vCalendar 1.0

  private func convert(
    _ components: [StoredComponent], _ object: ExportedCalendarObject,
    _ converted: inout ConvertedComponents
  ) throws(StoreError) {
    let decoded = try decoded(components)
    for text in texts(of: components, object) {
      let details = text.event == nil ? nil : events.details(of: text.reference)
      guard let event = text.event ?? decoded[text.reference]?.0,
        let details = details ?? decoded[text.reference]?.1
      else { continue }
      converted.add(text.bytes, as: text.reference, event, details)
    }
  }
}

extension [UInt8] {
  /// An empty UID identifies nothing.
  fileprivate var isEmptyUID: Bool {
    isProperty("UID") && PropertyLine(self).value.allSatisfy { $0 <= UInt8(ascii: " ") }
  }
}

extension [[UInt8]] {
  /// The properties that RFC 5545 3.6.1 requires and that a component lacks. Those of its alarms do not
  /// count.
  fileprivate var missingProperties: Set<String> {
    var missing: Set = ["UID", "DTSTAMP"]
    var depth = 0
    for line in self {
      if line.isProperty("BEGIN") { depth += 1 }
      if line.isProperty("END") { depth -= 1 }
      guard depth == 1 else { continue }
      if line.isProperty("UID"), !line.isEmptyUID { missing.remove("UID") }
      if line.isProperty("DTSTAMP") { missing.remove("DTSTAMP") }
    }
    return missing
  }

  /// Adds a UID, which agenda made, and a DTSTAMP.
  fileprivate mutating func add(
    _ missing: Set<String>, _ event: Event, _ details: EventDetails
  ) {
    var added: [[UInt8]] = []
    if missing.contains("UID") {
      removeAll(where: \.isEmptyUID)
      added.append([UInt8]("UID:\(event.identity.uid)".utf8))
    }
    if missing.contains("DTSTAMP") {
      let stamp =
        details.lastModified ?? event.version.modified ?? Instant(secondsSinceEpoch: 0)
      added.append([UInt8]("DTSTAMP:\(TimeLine.text(stamp.utc))Z".utf8))
    }
    insert(contentsOf: added, at: Swift.min(1, count))
  }

  /// An occurrence that METHOD:ADD adds has the UID of its series (RFC 5546 3.2.4). Without METHOD only
  /// a RECURRENCE-ID shows that it is not a newer version of the series.
  fileprivate mutating func addRecurrenceID() {
    var depth = 0
    var start: Int?
    for (index, line) in enumerated() {
      if line.isProperty("BEGIN") { depth += 1 }
      if line.isProperty("END") { depth -= 1 }
      guard depth == 1 else { continue }
      if line.isProperty("RECURRENCE-ID") { return }
      if line.isProperty("DTSTART"), start == nil { start = index }
    }
    guard let start else { return }
    insert(
      [UInt8]("RECURRENCE-ID".utf8) + self[start].dropFirst("DTSTART".utf8.count), at: start)
  }
}
