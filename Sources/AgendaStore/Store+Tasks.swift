package import AgendaCore

extension Store {
  /// All components of a kind with their overrides. A task without a date is in no index of times.
  /// So every component is read, in the sources that have this kind.
  package func series(
    ofKind kind: Event.Kind, _ selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try connection.reading { () throws(StoreError) in
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      let count =
        switch kind {
        case .event: "events"
        case .task: "tasks"
        case .journal: "journals"
        }
      let statement = try connection.statement(
        """
        SELECT \(SeriesRows.columns) FROM component
        WHERE removed IS NULL AND kind = ?1
          AND source IN (SELECT id FROM source WHERE \(count) > 0)
        """,
        StoredEnum.number(of: kind, in: StoredEnum.kinds))
      try take(statement, into: &rows)
      return try series(of: rows)
    }
  }
}
