package import AgendaCore
package import CivilTime
internal import Recurrence

/// Queries for a window, by the indexes.
extension Store {
  /// The series that can have occurrences in a span of time, and possibly a few others. Each has
  /// the same occurrences there as in the whole store. Dates and floating times are those of
  /// `viewer`. Only the kinds and calendars that `selection` admits are read.
  package func series(
    touching window: Range<Instant>, viewer: Zone, of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try series(in: SeriesRows.Window(span: window, viewer: viewer), selection, .all)
  }

  /// The same, each with only those overrides that move or replace an occurrence in the window.
  package func listedSeries(
    touching window: Range<Instant>, viewer: Zone, of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try series(in: SeriesRows.Window(span: window, viewer: viewer), selection, .inWindow)
  }

  private func series(
    in window: SeriesRows.Window, _ selection: Selection?, _ overrides: SeriesRows.Overrides
  ) throws(StoreError) -> [Series] {
    guard !window.span.isEmpty else { return [] }
    return try connection.reading { () throws(StoreError) in
      var rows = SeriesRows(in: window, overrides)
      try select(selection, for: &rows)
      let statement = try connection.statement(
        """
        SELECT \(SeriesRows.columns) FROM component
        WHERE removed IS NULL AND span_class = ?1
          AND span_begin >= ?2 AND span_begin < ?3 AND span_end >= ?4
          AND (touched_days IS NULL
            OR touched_days & \(TouchedDays.isOnDateOfUTC) = 0
              AND touched_days & ?5 <> 0 AND touched_days & ?6 <> 0 AND touched_days & ?7 <> 0
            OR touched_days & \(TouchedDays.isOnDateOfUTC) <> 0
              AND touched_days & ?8 <> 0 AND touched_days & ?9 <> 0 AND touched_days & ?10 <> 0)
        """)
      let days = TouchedDays(window.span).bits
      let datesOfUTC = TouchedDays(datesOfUTCIn: window.span).bits
      try EventSpan.search(statement, touching: window.span) { () throws(StoreError) in
        statement.bind(5, days & TouchedDays.weekdays)
        statement.bind(6, days & TouchedDays.monthDays)
        statement.bind(7, days & TouchedDays.months)
        statement.bind(8, datesOfUTC & TouchedDays.weekdays)
        statement.bind(9, datesOfUTC & TouchedDays.monthDays)
        statement.bind(10, datesOfUTC & TouchedDays.months)
        try take(statement, into: &rows)
      }
      return try series(of: rows)
    }
  }

  /// The series of all events with a UID, at any time.
  package func series(
    withUID uid: String, of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try connection.reading { () throws(StoreError) in
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      let statement = try connection.statement(
        """
        SELECT \(SeriesRows.columns) FROM component
        WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL
        """)
      for kind in rows.kinds {
        let digest = IdentityKey.uidDigest(of: uid, kind, key: key)
        for source in rows.calendars.keys.sorted() {
          statement.reset()
          statement.bind(1, source)
          statement.bind(2, digest)
          try take(statement, into: &rows)
        }
      }
      return try series(of: rows)
    }
  }

  /// The names of the calendars, by source.
  package func calendarNames() throws(StoreError) -> [Int: String] {
    let rows = try connection.statement(
      "SELECT source.id, calendar.name FROM source JOIN calendar ON calendar.id = source.calendar")
    var names: [Int: String] = [:]
    while try rows.step() { names[rows.integer("id")] = rows.text("name") }
    return names
  }
}

extension EventSpan {
  /// Runs a statement once for each class of spans. Its parameters select the spans that touch the
  /// window: ?1 is the class, they begin from ?2 to ?3, and do not end before ?4.
  static func search(
    _ statement: Statement, touching window: Range<Instant>,
    _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let begin = window.lowerBound.adding(seconds: -margin).secondsSinceEpoch
    let end = window.upperBound.adding(seconds: margin).secondsSinceEpoch
    for spanClass in 0...longestClass {
      statement.reset()
      statement.bind(1, spanClass)
      statement.bind(2, length(ofClass: spanClass).map { begin.subtractingOrLeast($0) } ?? .min)
      statement.bind(3, end)
      statement.bind(4, begin)
      try body()
    }
  }
}
