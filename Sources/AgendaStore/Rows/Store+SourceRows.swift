internal import AgendaCore
internal import CivilTime

/// Calendars and sources.
extension Store {
  struct SourceRow {
    var id: Int
    /// The id of its calendar.
    var calendar: Int
    var calendarName: String
    var color: String?
    var hasExplicitName: Bool
  }

  func sourceRow(location: String) throws(StoreError) -> SourceRow? {
    let row = try connection.statement(
      """
      SELECT source.id, calendar, calendar.name, calendar.color, has_explicit_name
      FROM source JOIN calendar ON calendar.id = source.calendar
      WHERE location = ?1 AND removed IS NULL
      """, location)
    defer { row.reset() }
    guard try row.step() else { return nil }
    return SourceRow(
      id: row.integer("id"), calendar: row.integer("calendar"), calendarName: row.text("name"),
      color: row.optionalText("color"), hasExplicitName: row.bool("has_explicit_name"))
  }

  func nextComponent() throws(StoreError) -> Int {
    try connection.integer("SELECT next_component FROM store WHERE id = 1") ?? 1
  }

  /// A number for all imports of one command.
  package func nextRun() throws(StoreError) -> Int {
    try connection.integer("SELECT next_run FROM store WHERE id = 1") ?? 1
  }

  func update(nextComponent: Int, run: Int) throws(StoreError) {
    try connection.update(
      Schema.store,
      set: ["next_component": nextComponent, "next_run": max(try nextRun(), run + 1)],
      where: "id = 1")
  }

  /// The calendar with that name, created if it is missing.
  func calendar(named name: String, color: String?) throws(StoreError) -> Int {
    if let id = try connection.integer("SELECT id FROM calendar WHERE name = ?1", name) {
      if let color, try self.color(ofCalendar: name) != color { try setColor(of: id, to: color) }
      return id
    }
    let id = try connection.nextID(in: Schema.calendar)
    var row = Row(columns: 2, key: key)
    row.add("name", name)
    row.add("color", color)
    try connection.insert(row, id: id, into: Schema.calendar)
    return id
  }

  func setColor(of calendar: Int, to color: String?) throws(StoreError) {
    try connection.update(Schema.calendar, set: ["color": color], where: "id = ?", calendar)
  }

  func color(ofCalendar name: String) throws(StoreError) -> String? {
    let row = try connection.statement("SELECT color FROM calendar WHERE name = ?1", name)
    defer { row.reset() }
    return try row.step() ? row.optionalText("color") : nil
  }

  func removeCalendarIfEmpty(_ id: Int) throws(StoreError) {
    try connection.run(
      """
      DELETE FROM calendar WHERE id = ?1
        AND NOT EXISTS (SELECT 1 FROM source WHERE calendar = ?1)
      """, id)
  }

  func write(
    source: ImportedSource, id: Int, isNew: Bool, calendar: Int, generation: Int, now: Instant
  ) throws(StoreError) {
    guard isNew else {
      return try connection.update(
        Schema.source,
        set: [
          "calendar": calendar, "encoding": source.encoding,
          "has_explicit_name": source.hasExplicitName ? 1 : 0, "last_import": now.secondsSinceEpoch,
          "last_error": nil,
        ], where: "id = ?", id)
    }
    var row = Row(columns: 12, key: key)
    row.add("calendar", calendar)
    row.add("kind", source.kind.rawValue)
    row.add("location", source.location)
    row.add("encoding", source.encoding)
    row.add("has_explicit_name", source.hasExplicitName ? 1 : 0)
    row.add("added", generation)
    row.add("removed", Int?.none)
    row.add("last_import", now.secondsSinceEpoch)
    row.add("last_error", String?.none)
    row.add("events", 0)
    row.add("tasks", 0)
    row.add("journals", 0)
    try connection.insert(row, id: id, into: Schema.source)
  }

  /// Records the reason why a known source could not be read.
  package func note(error: String, location: String) throws(StoreError) {
    guard let source = try sourceRow(location: location) else { return }
    try note(error: error, source: source.id)
  }

  /// Records the reason why a source was refused, in a separate transaction.
  func note(error: String?, source: Int) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      try connection.update(Schema.source, set: ["last_error": error], where: "id = ?", source)
    }
  }
}
