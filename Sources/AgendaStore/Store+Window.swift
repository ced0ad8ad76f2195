package import AgendaCore
package import CivilTime

/// What touches a window, found by the indexes.
extension Store {
  /// The series that can have something to show in a span of time: a few more than have. Each has
  /// the same occurrences there as all of the store gives it.
  /// Dates and floating times are those of `viewer`. A selection leaves out what is of no kind and
  /// calendar that it admits.
  package func series(
    touching window: Range<Instant>, viewer: Zone, of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try series(in: SeriesRows.Window(span: window, viewer: viewer), selection, .all)
  }

  /// The same, each with those of its overrides alone that move or replace something in the window.
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
      try findSpans(SeriesRows.columns, SeriesRows.join, in: window) { row throws(StoreError) in
        try take(row, into: &rows)
      }
      return try series(of: rows)
    }
  }

  /// The names of the calendars, by source.
  package func calendarNames() throws(StoreError) -> [Int: String] {
    let rows = try connection.statement(
      "SELECT source.id, calendar.name FROM source JOIN calendar ON calendar.id = source.calendar")
    var names: [Int: String] = [:]
    while try rows.step() { names[rows.integer(0)] = rows.text(1) }
    return names
  }

  /// Goes through the components that the index finds in a window.
  func findSpans(
    _ columns: String, _ join: String = "", in window: SeriesRows.Window,
    _ take: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let margin = EventSpan.margin
    let begin = window.span.lowerBound.adding(seconds: -margin).secondsSinceEpoch
    let end = window.span.upperBound.adding(seconds: margin).secondsSinceEpoch
    let probe = OccurrencePattern.probe(window.span, viewer: window.viewer)
    let statement = try connection.statement(
      """
      SELECT \(columns) FROM component \(join)
      WHERE span_class = ?1 AND span_begin >= ?2 AND span_begin < ?3 AND span_end >= ?4
        AND removed IS NULL
        \(probe == nil ? "" : "AND " + OccurrencePattern.condition(first: 5))
      """)
    for spanClass in 0...EventSpan.longestClass {
      statement.reset()
      statement.bind(1, spanClass)
      statement.bind(
        2, EventSpan.length(ofClass: spanClass).map { begin.subtractingOrLeast($0) } ?? .min)
      statement.bind(3, end)
      statement.bind(4, begin)
      if let probe { OccurrencePattern.bind(probe, to: statement, first: 5) }
      while try statement.step() { try take(statement) }
    }
  }
}
