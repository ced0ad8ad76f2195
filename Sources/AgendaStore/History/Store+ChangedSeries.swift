package import AgendaCore

/// The series that commands have changed. A listing needs them to update itself.
package struct ChangedSeries: Sendable {
  /// Every component of these series that an earlier listing can contain.
  package var components: Set<EventReference> = []
  /// The current series, with all of their overrides.
  package var series: [Series] = []
}

extension Store {
  /// The changes after a generation, in the calendars that `selection` admits. `nil` if more than
  /// `most` components changed, or if a calendar has another name. The generation must still exist,
  /// because an undo leaves no trace here.
  package func changedSeries(
    after generation: Int, of selection: Selection, atMost most: Int
  ) throws(StoreError) -> ChangedSeries? {
    try connection.reading { () throws(StoreError) in
      if try connection.integer(
        "SELECT 1 FROM previous_calendar WHERE id > ?1", generation) != nil
      {
        return nil
      }
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      var changed = ChangedSeries()
      var uids: Set<SeriesRows.CalendarUID> = []
      let first =
        try connection.integer(
          "SELECT min(first_component) FROM generation WHERE id > ?1", generation) ?? .max
      let found = try connection.statement(
        """
        SELECT id, source, uid_digest FROM component WHERE removed > ?1
        UNION ALL
        SELECT id, source, uid_digest FROM component WHERE id >= ?2 AND removed IS NULL
        LIMIT ?3
        """, generation, first, most + 1)
      var count = 0
      while try found.step() {
        count += 1
        let source = found.integer("source")
        guard let uid = rows.calendarUID(found.integer("uid_digest"), in: source) else { continue }
        uids.insert(uid)
        changed.components.insert(
          EventReference(source: source, component: found.integer("id")))
      }
      if count > most { return nil }
      let events = try events(of: uids, rows)
      changed.components.formUnion(events.map(\.reference))
      changed.series = try SeriesAssembly(events) { event throws(StoreError) in
        try content(of: event)
      }.series
      return changed
    }
  }
}
