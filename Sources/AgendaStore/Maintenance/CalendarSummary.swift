public import CivilTime

/// A calendar of the store and its sources.
public struct CalendarSummary: Hashable, Sendable {
  public var name: String
  public var color: String?
  public var sources: [SourceSummary]

  public var events: Int { sources.reduce(0) { $0 + $1.events } }
  public var tasks: Int { sources.reduce(0) { $0 + $1.tasks } }
}

/// A source of the store.
public struct SourceSummary: Hashable, Sendable {
  /// In the order in which sources were first imported.
  public var number: Int
  public var source: ImportedSource
  public var events: Int
  public var tasks: Int
  public var journals: Int
  public var lastImport: Instant?
  /// Why its last import was refused.
  public var lastError: String?
}

extension Store {
  /// Whether anything was ever imported or added.
  package func hasSources() throws(StoreError) -> Bool {
    try connection.integer("SELECT id FROM source LIMIT 1") != nil
  }

  /// The calendars by name, their sources by location.
  package func calendars() throws(StoreError) -> [CalendarSummary] {
    try connection.reading { () throws(StoreError) in
      let rows = try connection.statement(
        """
        SELECT source.id, calendar.name, calendar.color, kind, location, encoding,
          has_explicit_name, last_import, last_error, events, tasks, journals
        FROM source JOIN calendar ON calendar.id = source.calendar
        WHERE source.removed IS NULL ORDER BY calendar.name, location
        """)
      var calendars: [CalendarSummary] = []
      while try rows.step() {
        let name = rows.text("name")
        let color = rows.optionalText("color")
        let source = ImportedSource(
          kind: ImportedSource.Kind(rawValue: rows.integer("kind")) ?? .file,
          location: rows.text("location"), calendar: name,
          hasExplicitName: rows.bool("has_explicit_name"), color: color,
          encoding: rows.optionalText("encoding"))
        let summary = SourceSummary(
          number: rows.integer("id"), source: source, events: rows.integer("events"),
          tasks: rows.integer("tasks"),
          journals: rows.integer("journals"), lastImport: rows.optionalInstant("last_import"),
          lastError: rows.optionalText("last_error"))
        if calendars.last?.name == name {
          calendars[calendars.count - 1].sources.append(summary)
        } else {
          calendars.append(CalendarSummary(name: name, color: color, sources: [summary]))
        }
      }
      return calendars
    }
  }
}
