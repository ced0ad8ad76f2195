package import CivilTime

/// What became of a source as a whole between two moments of the store.
package struct SourceChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// It is new in the store: every event of it was added.
    case added
    /// It went into another calendar, with all that is in it.
    case moved
  }

  package var kind: Kind
  package var source: ImportedSource
  /// What its events carry in their references.
  package var number: Int
  /// The calendar that a moved one was in.
  package var formerCalendar: String?
  /// How many events, tasks and journals it has, a series being one.
  package var entries: Int
}

extension Store {
  /// The sources that came or were moved since that moment, or by the last import; by calendar and
  /// location. One that was moved and moved back is not told.
  package func sourceChanges(since moment: Instant?) throws(StoreError) -> [SourceChange] {
    try connection.reading { () throws(StoreError) in
      guard let first = try firstGeneration(since: moment) else { return [] }
      let rows = try connection.statement(
        """
        SELECT source.id, source.kind, location, calendar.name, source.added >= ?1,
          (SELECT former_calendar.name FROM generation
            JOIN former_calendar ON former_calendar.id = generation.id
            WHERE generation.source = source.id AND generation.id >= ?1
            ORDER BY generation.id LIMIT 1)
        FROM source JOIN calendar ON calendar.id = source.calendar
        WHERE source.removed IS NULL ORDER BY calendar.name, location
        """)
      rows.bind(1, first)
      var changes: [SourceChange] = []
      while try rows.step() {
        let isNew = rows.integer(4) == 1
        let former = rows.textIfAny(5)
        let calendar = rows.text(3)
        guard isNew || former != nil && former != calendar else { continue }
        changes.append(
          SourceChange(
            kind: isNew ? .added : .moved,
            source: ImportedSource(
              kind: ImportedSource.Kind(rawValue: rows.integer(1)) ?? .file,
              location: rows.text(2), calendar: calendar),
            number: rows.integer(0), formerCalendar: isNew ? nil : former, entries: 0))
      }
      for index in changes.indices {
        changes[index].entries =
          try integers(
            """
            SELECT count(DISTINCT uid_digest) FROM component
            WHERE source = ?1 AND removed IS NULL
            """, changes[index].number
          ).first ?? 0
      }
      return changes
    }
  }
}
