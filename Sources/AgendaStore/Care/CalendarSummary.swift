package import CivilTime

/// A calendar of the store and what feeds it.
package struct CalendarSummary: Hashable, Sendable {
  package var name: String
  package var color: String?
  package var sources: [SourceSummary]

  package var events: Int { sources.reduce(0) { $0 + $1.events } }
  package var tasks: Int { sources.reduce(0) { $0 + $1.tasks } }
}

/// A source of the store.
package struct SourceSummary: Hashable, Sendable {
  package var source: ImportedSource
  package var events: Int
  package var tasks: Int
  package var journals: Int
  package var lastImport: Instant?
  /// Why its last import was refused.
  package var lastError: String?
}

extension Store {
  /// Whether anything was ever imported or added.
  package func hasSources() throws(StoreError) -> Bool {
    try connection.integer("SELECT id FROM source LIMIT 1") != nil
  }

  /// The calendars by name, their sources by location. Counting costs a look at every component.
  package func calendars(
    isCounting: Bool = true
  ) throws(StoreError) -> [CalendarSummary] {
    try connection.reading { () throws(StoreError) in
      let rows = try connection.statement(
        """
        SELECT calendar.name, calendar.color, source.id, kind, location, encoding, is_named,
          last_import, last_error
        FROM source JOIN calendar ON calendar.id = source.calendar
        WHERE source.removed IS NULL ORDER BY calendar.name, location
        """)
      let counts = isCounting ? try componentCounts() : [:]
      var calendars: [CalendarSummary] = []
      while try rows.step() {
        let name = rows.text(0)
        let count = counts[rows.integer(2)] ?? [:]
        let source = ImportedSource(
          kind: ImportedSource.Kind(rawValue: rows.integer(3)) ?? .file, location: rows.text(4),
          calendar: name, isNamed: rows.integer(6) == 1, color: rows.textIfAny(1),
          encoding: rows.textIfAny(5))
        let summary = SourceSummary(
          source: source, events: count[0] ?? 0, tasks: count[1] ?? 0, journals: count[2] ?? 0,
          lastImport: rows.instantIfAny(7), lastError: rows.textIfAny(8))
        if calendars.last?.name == name {
          calendars[calendars.count - 1].sources.append(summary)
        } else {
          calendars.append(
            CalendarSummary(name: name, color: rows.textIfAny(1), sources: [summary]))
        }
      }
      return calendars
    }
  }

  /// The number of components by source and kind.
  private func componentCounts() throws(StoreError) -> [Int: [Int: Int]] {
    let rows = try connection.statement(
      "SELECT source, kind, count(*) FROM component WHERE removed IS NULL GROUP BY source, kind")
    var counts: [Int: [Int: Int]] = [:]
    while try rows.step() {
      counts[rows.integer(0), default: [:]][rows.integer(1)] = rows.integer(2)
    }
    return counts
  }
}
