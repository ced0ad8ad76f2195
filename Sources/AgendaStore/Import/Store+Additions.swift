package import AgendaCore
internal import ICalendar

/// Sources that only add occurrences to events of other sources (METHOD:ADD). Unless the user names a
/// calendar for them, they belong to the calendar of these events, whichever is imported first.
extension Store {
  /// A source that belongs to another calendar than its own.
  package struct MisplacedAddition {
    package let location: String
    package let calendar: String
  }

  /// The calendar of the newest series with the UIDs and kinds of these events, in another source
  /// than the one at `location`. Of equally new ones, the first name counts.
  package func calendar(
    ofSeriesOf events: [Event], besides location: String
  ) throws(StoreError) -> String? {
    var newest: (version: EventVersion, calendar: String)?
    for uid in Set(events.map { IdentityKey($0, key: key).uid }) {
      let rows = try connection.statement(
        """
        SELECT \(EventReader.columns), calendar.name AS calendar FROM source
        JOIN component ON component.source = source.id AND component.uid_digest = ?1
          AND component.removed IS NULL AND component.recurrence_form IS NULL
        JOIN calendar ON calendar.id = source.calendar
        WHERE source.removed IS NULL AND source.location <> ?2
        """, uid, location)
      let reader = EventReader(rows, context)
      while try rows.step() {
        let calendar = rows.text("calendar")
        let version = try event(reader, calendar: calendar).version
        if let newest,
          version < newest.version || version == newest.version && calendar >= newest.calendar
        {
          continue
        }
        newest = (version, calendar)
      }
    }
    return newest?.calendar
  }

  /// The sources whose series came into another calendar later, or got a newer version there.
  package func misplacedAdditions() throws(StoreError) -> [MisplacedAddition] {
    try connection.reading { () throws(StoreError) in
      // CROSS JOIN keeps SQLite from reading the revisions of all files of folders first.
      let rows = try connection.statement(
        """
        SELECT source.id, source.location, calendar.name, revision.properties FROM source
        JOIN calendar ON calendar.id = source.calendar
        CROSS JOIN document ON document.source = source.id
        CROSS JOIN revision ON revision.document = document.id AND revision.removed IS NULL
        WHERE source.removed IS NULL AND source.has_explicit_name = 0
          AND source.kind IN (?1, ?2, ?3)
          AND NOT EXISTS (
            SELECT 1 FROM component
            WHERE component.source = source.id AND component.removed IS NULL
              AND component.recurrence_form IS NULL)
        """, ImportedSource.Kind.file.rawValue, ImportedSource.Kind.url.rawValue,
        ImportedSource.Kind.standardInput.rawValue)
      var additions: [(id: Int, location: String, calendar: String)] = []
      while try rows.step() {
        let objects = StoredList.lists(rows.bytes("properties")).filter { !$0.isEmpty }
        guard !objects.isEmpty, objects.allSatisfy(Self.isAddition) else { continue }
        additions.append((rows.integer("id"), rows.text("location"), rows.text("name")))
      }
      var found: [MisplacedAddition] = []
      for addition in additions {
        let events = try events(ofSource: addition.id)
        if let calendar = try calendar(ofSeriesOf: events, besides: addition.location),
          calendar != addition.calendar
        {
          found.append(MisplacedAddition(location: addition.location, calendar: calendar))
        }
      }
      return found
    }
  }

  private func events(ofSource source: Int) throws(StoreError) -> [Event] {
    let rows = try connection.statement(
      """
      SELECT \(EventReader.columns) FROM component WHERE source = ?1 AND removed IS NULL
      """, source)
    let reader = EventReader(rows, context)
    var events: [Event] = []
    while try rows.step() { events.append(try event(reader, calendar: "")) }
    return events
  }

  /// Whether a VCALENDAR with these lines adds occurrences.
  package static func isAddition(_ properties: [UInt8]) -> Bool {
    FileLines(properties).lines.contains { $0.method == "ADD" }
  }
}

extension SourceImport {
  /// Keeps all documents as the store has them, for a source that only moves to another calendar.
  package func keepAll() throws(StoreError) {
    let rows = try connection.statement(
      """
      SELECT \(RevisionRow.columns), document.name FROM document
      JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE document.source = ?1
      """, sourceID)
    let columns = RevisionRow.Columns(rows)
    var revisions: [(row: RevisionRow, name: String)] = []
    while try rows.step() {
      revisions.append((RevisionRow(rows, columns), rows.text("name")))
    }
    for (row, name) in revisions {
      keep(row, name: name, findings: try store.findings(revision: row.id))
    }
  }
}
