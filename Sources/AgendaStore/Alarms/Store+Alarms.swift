package import AgendaCore
package import CivilTime

extension Store {
  /// The series with an alarm that can go off in a span of time. The result can contain a few
  /// series without one.
  package func series(
    ringing span: Range<Instant>, viewer: Zone, of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try connection.reading { () throws(StoreError) in
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      let statement = try connection.statement(
        """
        SELECT \(SeriesRows.columns), alarm_reach FROM component
        WHERE removed IS NULL AND alarm_class = ?1
          AND alarm_begin >= ?2 AND alarm_begin < ?3 AND alarm_end >= ?4
        """)
      try EventSpan.search(statement, touching: span) { () throws(StoreError) in
        try take(statement, into: &rows, ringing: SeriesRows.Window(span: span, viewer: viewer))
      }
      return try series(of: rows)
    }
  }

  package func alarms(of reference: EventReference) throws(StoreError) -> [Alarm] {
    let row = try connection.statement(
      "SELECT alarms FROM detail WHERE id = ?1", reference.component)
    guard try row.step() else {
      guard let answered = try answeredOverride(reference.component) else { return [] }
      return try alarms(of: answered.template)
    }
    defer { row.reset() }
    guard let alarms = StoredAlarms.alarms(row.optionalBytes("alarms")) else {
      throw damaged(reference.component)
    }
    return alarms
  }
}
