internal import AgendaCore
internal import CivilTime

extension Store {
  /// Writes the store, or some of its calendars, as an iCalendar stream: every property and
  /// component that came in. Each document that came in is a VCALENDAR of its own, as its time
  /// zone definitions and its own properties hold for it alone; those that share them are one.
  ///
  /// What makes a file invalid is put right: a UID or DTSTAMP that was missing is added, as are
  /// VERSION and PRODID, and the VTIMEZONEs of zones that a name tells; a component that was not
  /// ended is; METHOD is left out, as an export is no message.
  package func export(
    calendars: [String] = [], _ write: ([UInt8]) throws -> Void
  ) throws {
    let frames = try exportedFrames(calendars)
    let names = ZoneNames(database: context.database)
    var components: [ComponentPlace: [Int]] = [:]
    var source: Int?
    var index = 0
    while index < frames.count {
      // Documents with the same properties and parts, as the files of a folder are.
      var end = index + 1
      while end < frames.count, frames[end].isSame(as: frames[index]) { end += 1 }
      if source != frames[index].place.source {
        source = frames[index].place.source
        components = try componentsByPlace(source: frames[index].place.source)
      }
      let ids = frames[index..<end].flatMap { components[$0.place] ?? [] }
      // Nothing stands outside of the VCALENDARs of most files.
      if !ids.isEmpty || !frames[index].parts.isEmpty || frames[index].hasOwnLines {
        try write(Array("BEGIN:VCALENDAR\r\n".utf8))
        for line in frames[index].lines { try write(ContentLines.folded(line)) }
        for part in frames[index].parts { try write(part) }
        var zones = ExportedZones(names, definedIn: frames[index].parts)
        for id in ids {
          let lines = try exportedComponent(id)
          zones.note(lines)
          try write(lines.reduce(into: []) { $0 += ContentLines.folded($1) })
        }
        for line in zones.definitions { try write(ContentLines.folded(line)) }
        try write(Array("END:VCALENDAR\r\n".utf8))
      }
      index = end
    }
    if frames.isEmpty {
      try write(Array("BEGIN:VCALENDAR\r\n".utf8))
      for line in ExportedFrame.needed { try write(ContentLines.folded(Array(line.utf8))) }
      try write(Array("END:VCALENDAR\r\n".utf8))
    }
  }

  private func exportedFrames(_ names: [String]) throws(StoreError) -> [ExportedFrame] {
    let known = try calendars()
    for name in names {
      guard known.contains(where: { $0.name == name }) else {
        throw .unknown(what: "calendar", name: name)
      }
    }
    let rows = try connection.statement(
      """
      SELECT edition.id, source.id, document.id, properties, calendar.name
      FROM edition JOIN document ON document.id = edition.document
      JOIN source ON source.id = document.source JOIN calendar ON calendar.id = source.calendar
      WHERE edition.removed IS NULL AND source.removed IS NULL
      ORDER BY calendar.name, source.id, document.name
      """)
    let parts = try connection.statement(
      "SELECT frame, bytes FROM part WHERE edition = ?1 ORDER BY id")
    var frames: [ExportedFrame] = []
    while try rows.step() {
      guard names.isEmpty || names.contains(rows.text(4)) else { continue }
      var partsByFrame: [Int: [[UInt8]]] = [:]
      parts.reset()
      parts.bind(1, rows.integer(0))
      while try parts.step() {
        var content = ContentLines(parts.bytes(1))
        content.balance()
        // Those that an export has added it adds anew.
        if ExportedZones.isAdded(content.lines) { continue }
        partsByFrame[parts.integer(0), default: []].append(
          content.lines.reduce(into: []) { $0 += ContentLines.folded($1) })
      }
      var lists = StoredList.lists(rows.bytes(3))
      if lists.isEmpty { lists = [[]] }
      for (number, properties) in lists.enumerated() {
        frames.append(
          ExportedFrame(
            place: ComponentPlace(
              source: rows.integer(1), document: rows.integer(2), frame: number),
            properties: properties, parts: partsByFrame[number] ?? []))
      }
    }
    return frames
  }

  private func componentsByPlace(source: Int) throws(StoreError) -> [ComponentPlace: [Int]] {
    let rows = try connection.statement(
      "SELECT id, document, frame FROM component WHERE source = ?1 AND removed IS NULL ORDER BY id")
    rows.bind(1, source)
    var ids: [ComponentPlace: [Int]] = [:]
    while try rows.step() {
      let place = ComponentPlace(
        source: source, document: rows.integer(1), frame: rows.integer(2))
      ids[place, default: []].append(rows.integer(0))
    }
    return ids
  }

  private func exportedComponent(_ id: Int) throws(StoreError) -> [[UInt8]] {
    guard let event = try event(component: id),
      let bytes = try text(of: EventReference(source: event.reference.source, component: id))
    else { throw damaged(id) }
    var content = ContentLines(bytes)
    content.balance()
    var lines = content.lines
    // Only the component's own properties, not those of its alarms.
    let depths = lines.reduce(into: [0]) { depths, line in
      let depth = depths.last ?? 0
      depths.append(
        line.isProperty("BEGIN") ? depth + 1 : line.isProperty("END") ? depth - 1 : depth)
    }
    func hasOwn(_ name: StaticString) -> Bool {
      zip(lines, depths).contains { line, depth in depth == 1 && line.isProperty(name) }
    }
    var missing: [[UInt8]] = []
    if !hasOwn("UID") { missing.append(Array("UID:\(event.identity.uid)".utf8)) }
    if !hasOwn("DTSTAMP") {
      let stamp = try details(component: id)?.lastModified ?? event.version.modified
      missing.append(Array("DTSTAMP:\((stamp ?? Instant(secondsSinceEpoch: 0)).basicFormat)".utf8))
    }
    lines.insert(contentsOf: missing, at: min(1, lines.count))
    return lines
  }
}

/// A VCALENDAR of a document.
private struct ComponentPlace: Hashable {
  var source: Int
  var document: Int
  var frame: Int
}

/// A VCALENDAR on its way out.
private struct ExportedFrame {
  let place: ComponentPlace
  /// Its own lines, with those that must be there.
  let lines: [[UInt8]]
  /// Whether it brought any.
  let hasOwnLines: Bool
  /// Its VTIMEZONEs and unknown components, folded.
  let parts: [[UInt8]]

  static let needed = ["VERSION:2.0", "PRODID:-//agenda//agenda \(agendaVersion)//EN"]

  init(place: ComponentPlace, properties: [UInt8], parts: [[UInt8]]) {
    self.place = place
    self.parts = parts
    let own = ContentLines(properties).lines
    hasOwnLines = !own.isEmpty
    var lines = own.filter { !$0.isProperty("METHOD") }
    if !lines.contains(where: { $0.isProperty("PRODID") }) {
      lines.insert(Array(Self.needed[1].utf8), at: 0)
    }
    if !lines.contains(where: { $0.isProperty("VERSION") }) {
      lines.insert(Array(Self.needed[0].utf8), at: 0)
    }
    self.lines = lines
  }

  func isSame(as other: ExportedFrame) -> Bool {
    place.source == other.place.source && lines == other.lines && parts == other.parts
  }
}

extension Instant {
  /// `20261121T083000Z`.
  fileprivate var basicFormat: String {
    String("\(self)".unicodeScalars.filter { $0 != "-" && $0 != ":" }.map(Character.init))
  }
}
