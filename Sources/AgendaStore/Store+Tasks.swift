package import AgendaCore

extension Store {
  /// All tasks with their overrides. A task without a date is in no index of times, so every row is
  /// looked at; tasks are few, and the kind is the first column.
  package func series(
    ofKind kind: Event.Kind, _ selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try connection.reading { () throws(StoreError) in
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      let statement = try connection.statement(
        "SELECT \(SeriesRows.columns) FROM component WHERE removed IS NULL AND kind = ?1",
        StoredEnum.number(of: kind, in: StoredEnum.kinds))
      try take(statement, into: &rows)
      return try series(of: rows)
    }
  }
}
