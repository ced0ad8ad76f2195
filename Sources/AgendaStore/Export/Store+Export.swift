package import AgendaCore
package import CivilTime

/// A VFREEBUSY, and the name of its calendar.
package struct FreeBusyPart {
  package let calendar: String
  package let bytes: [UInt8]
}

/// A VCALENDAR of a source, without its events, tasks and journals.
package struct StoredCalendarObject {
  package let place: Place
  /// Its own lines, as the source wrote them.
  package let properties: [UInt8]
  /// Its VTIMEZONEs and unknown components as the source wrote them.
  package let parts: [[UInt8]]

  package struct Place: Hashable {
    package let source: Int
    /// A source that is a folder has a document for each file.
    package let document: Int
    /// The number of the VCALENDAR within the document.
    let number: Int
  }
}

/// An event, task or journal, with the values for an export.
package struct StoredComponent {
  /// As the source wrote it.
  package let text: [UInt8]
  /// The UID that agenda made if the source wrote none.
  package let uid: String
  package let modified: Instant?
}

/// Queries for the export.
extension Store {
  /// The VCALENDARs of some calendars, or of all if `calendars` is empty, in the order of an export.
  package func calendarObjects(
    of calendars: [String]
  ) throws(StoreError) -> [StoredCalendarObject] {
    let rows = try connection.statement(
      """
      SELECT revision.id, source.id AS source, document.id AS document, properties,
        calendar.name AS calendar
      FROM revision JOIN document ON document.id = revision.document
      JOIN source ON source.id = document.source JOIN calendar ON calendar.id = source.calendar
      WHERE revision.removed IS NULL AND source.removed IS NULL
      ORDER BY calendar.name, source.id, document.name
      """)
    let partRows = try connection.statement(
      "SELECT calendar_object, bytes FROM part WHERE revision = ?1 ORDER BY id")
    var objects: [StoredCalendarObject] = []
    while try rows.step() {
      guard calendars.isEmpty || calendars.contains(rows.text("calendar")) else { continue }
      var parts: [Int: [[UInt8]]] = [:]
      partRows.reset()
      partRows.bind(1, rows.integer("id"))
      while try partRows.step() {
        parts[partRows.integer("calendar_object"), default: []].append(partRows.bytes("bytes"))
      }
      let lists = StoredList.lists(rows.bytes("properties"))
      // The local calendar has no lines. Its events are in VCALENDAR 1: 0 is for those outside any.
      for (number, properties) in (lists.isEmpty ? [[], []] : lists).enumerated() {
        objects.append(
          StoredCalendarObject(
            place: StoredCalendarObject.Place(
              source: rows.integer("source"), document: rows.integer("document"), number: number),
            properties: properties, parts: parts[number] ?? []))
      }
    }
    return objects
  }

  /// The VCALENDAR of a component, with its time zones; `nil` if nothing is known of it.
  package func calendarObject(
    of reference: EventReference
  ) throws(StoreError) -> StoredCalendarObject? {
    let row = try connection.statement(
      """
      SELECT revision.id, properties, component.source, component.document, calendar_object
      FROM component JOIN revision ON revision.document = component.document
      WHERE component.id = ?1 AND revision.removed IS NULL
      """, reference.component)
    guard try row.step() else { return nil }
    defer { row.reset() }
    let number = row.integer("calendar_object")
    let parts = try connection.statement(
      """
      SELECT bytes FROM part WHERE revision = ?1 AND calendar_object = ?2 AND kind = 'VTIMEZONE'
      ORDER BY id
      """, row.integer("id"), number)
    var zones: [[UInt8]] = []
    while try parts.step() { zones.append(parts.bytes("bytes")) }
    let lists = StoredList.lists(row.bytes("properties"))
    return StoredCalendarObject(
      place: StoredCalendarObject.Place(
        source: row.integer("source"), document: row.integer("document"), number: number),
      properties: lists.indices.contains(number) ? lists[number] : [], parts: zones)
  }

  /// The VFREEBUSYs of all calendars.
  package func freeBusyParts() throws(StoreError) -> [FreeBusyPart] {
    let rows = try connection.statement(
      """
      SELECT part.bytes, calendar.name FROM part JOIN revision ON revision.id = part.revision
      JOIN document ON document.id = revision.document
      JOIN source ON source.id = document.source JOIN calendar ON calendar.id = source.calendar
      WHERE part.kind = 'VFREEBUSY' AND revision.removed IS NULL AND source.removed IS NULL
      ORDER BY part.id
      """)
    var parts: [FreeBusyPart] = []
    while try rows.step() {
      parts.append(FreeBusyPart(calendar: rows.text("name"), bytes: rows.bytes("bytes")))
    }
    return parts
  }

  /// The ids of a source's components by their VCALENDARs, in the order of the source.
  package func componentsByPlace(
    source: Int
  ) throws(StoreError) -> [StoredCalendarObject.Place: [Int]] {
    let rows = try connection.statement(
      """
      SELECT id, document, calendar_object FROM component
      WHERE source = ?1 AND removed IS NULL ORDER BY id
      """, source)
    var ids: [StoredCalendarObject.Place: [Int]] = [:]
    while try rows.step() {
      let place = StoredCalendarObject.Place(
        source: source, document: rows.integer("document"),
        number: rows.integer("calendar_object"))
      ids[place, default: []].append(rows.integer("id"))
    }
    return ids
  }

  /// The overrides that an override in another source of their calendar supersedes, by component.
  package func supersededOverrides(of calendars: [String]) throws(StoreError) -> Set<Int> {
    let rows = try connection.statement(
      """
      SELECT calendar.name, component.uid_digest,
        (SELECT group_concat(id) FROM source AS other
         WHERE other.calendar = calendar.id AND other.removed IS NULL) AS sources
      FROM component JOIN source ON source.id = component.source
      JOIN calendar ON calendar.id = source.calendar
      WHERE component.removed IS NULL AND source.removed IS NULL
        AND component.recurrence_form IS NOT NULL
      GROUP BY calendar.id, component.uid_digest HAVING count(DISTINCT source.id) > 1
      """)
    var shared: [(calendar: String, uid: Int, sources: [Int])] = []
    while try rows.step() {
      let calendar = rows.text("name")
      guard calendars.isEmpty || calendars.contains(calendar) else { continue }
      let sources = rows.text("sources").split(separator: ",").compactMap { Int($0) }
      shared.append((calendar, rows.integer("uid_digest"), sources))
    }
    var found: Set<Int> = []
    for (calendar, uid, sources) in shared {
      let versions = try versions(of: uid, in: sources, calendar: calendar)
      for event in versions.events
      where event.identity.recurrenceID != nil
        && versions.assembly.superseded.contains(event.reference)
      {
        found.insert(event.reference.component)
      }
    }
    return found
  }

  package func storedComponent(_ id: Int) throws(StoreError) -> StoredComponent {
    // Without a transaction, SQLite would lock the store for each of the statements.
    try connection.reading { () throws(StoreError) in
      guard let event = try event(component: id), let text = try text(of: event.reference) else {
        throw damaged(id)
      }
      return StoredComponent(
        text: text, uid: event.identity.uid,
        modified: try details(component: id)?.lastModified ?? event.version.modified)
    }
  }
}
