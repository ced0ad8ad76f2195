package import CivilTime

/// A source that was added to the store, or moved to another calendar, between two moments.
public struct SourceChange: Hashable, Sendable {
  /// The kind of the change.
  public enum Kind: String, Hashable, Sendable {
    /// The source is new in the store, with all of its events.
    case added
    /// The source moved to another calendar, with all of its events.
    case moved
  }

  /// The kind of the change.
  public var kind: Kind
  /// The source, as the store has it now.
  public var source: ImportedSource
  /// The number of the source in the references of its events.
  public var number: Int
  /// The previous calendar of a source that was moved; `nil` for a new source.
  public var previousCalendar: String?
  /// The number of its events, tasks and journals. A series counts once.
  public var entries: Int
}

extension Store {
  /// The sources that were added or moved since that moment, or by the last import, sorted by
  /// calendar and location. A source that was moved and moved back is not listed.
  package func sourceChanges(since moment: Instant?) throws(StoreError) -> [SourceChange] {
    try connection.reading { () throws(StoreError) in
      guard let first = try firstGeneration(since: moment) else { return [] }
      return try sourceChanges(from: first)
    }
  }

  /// The same from a generation on.
  package func sourceChanges(from first: Int) throws(StoreError) -> [SourceChange] {
    try connection.reading { () throws(StoreError) in
      let rows = try connection.statement(
        """
        SELECT source.id, source.kind, location, calendar.name AS calendar,
          source.added >= ?1 AS is_new,
          (SELECT previous_calendar.name FROM generation
            JOIN previous_calendar ON previous_calendar.id = generation.id
            WHERE generation.source = source.id AND generation.id >= ?1
            ORDER BY generation.id LIMIT 1) AS previous
        FROM source JOIN calendar ON calendar.id = source.calendar
        WHERE source.removed IS NULL ORDER BY calendar.name, location
        """, first)
      var changes: [SourceChange] = []
      while try rows.step() {
        let isNew = rows.bool("is_new")
        let previous = rows.optionalText("previous")
        let calendar = rows.text("calendar")
        guard isNew || previous != nil && previous != calendar else { continue }
        changes.append(
          SourceChange(
            kind: isNew ? .added : .moved,
            source: ImportedSource(
              kind: ImportedSource.Kind(rawValue: rows.integer("kind")) ?? .file,
              location: rows.text("location"), calendar: calendar),
            number: rows.integer("id"), previousCalendar: isNew ? nil : previous, entries: 0))
      }
      for index in changes.indices {
        changes[index].entries =
          try connection.integer(
            """
            SELECT count(DISTINCT uid_digest) FROM component
            WHERE source = ?1 AND removed IS NULL
            """, changes[index].number) ?? 0
      }
      return changes
    }
  }
}
