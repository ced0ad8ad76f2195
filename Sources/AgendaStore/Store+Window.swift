package import AgendaCore
package import CivilTime

/// What touches a window, found by the indexes.
extension Store {
  /// The events, tasks and journals that can have something to show in a span of time: a few more
  /// than have, and with each the others of its UID. What `SeriesAssembly` makes of them has the
  /// same occurrences in that span as all of the store.
  /// Dates and floating times are those of `viewer`.
  package func events(
    touching window: Range<Instant>, viewer: Zone
  ) throws(StoreError) -> [Event] {
    guard !window.isEmpty else { return [] }
    return try connection.reading { () throws(StoreError) in
      var rows = WindowRows(names: try calendarNames())
      try readSpans(touching: window, viewer: viewer, into: &rows)
      try readRepeated(into: &rows)
      return rows.events
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

  /// The rows read so far.
  private struct WindowRows {
    let names: [Int: String]
    var events: [Event] = []
    /// UIDs that are not alone: whatever of them moves, replaces or outdates another comes with
    /// it. In the order in which they were met.
    var repeated: [SourceUID] = []
    var known: Set<SourceUID> = []

    init(names: [Int: String]) {
      self.names = names
    }
  }

  private struct SourceUID: Hashable {
    var source: Int
    var uid: Int
  }

  private func readSpans(
    touching window: Range<Instant>, viewer: Zone, into rows: inout WindowRows
  ) throws(StoreError) {
    let margin = EventSpan.margin
    let begin = window.lowerBound.adding(seconds: -margin).secondsSinceEpoch
    let end = window.upperBound.adding(seconds: margin).secondsSinceEpoch
    let probe = OccurrencePattern.probe(window, viewer: viewer)
    let statement = try connection.statement(
      """
      SELECT \(EventColumns.list), component.uid_digest,
        EXISTS (
          SELECT 1 FROM repeated
          WHERE repeated.source = component.source
            AND repeated.uid_digest = component.uid_digest)
      FROM component
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
      while try statement.step() {
        guard statement.integer(EventColumns.count + 1) == 0 else {
          let uid = SourceUID(
            source: statement.integer(1), uid: statement.integer(EventColumns.count))
          if rows.known.insert(uid).inserted { rows.repeated.append(uid) }
          continue
        }
        rows.events.append(try event(statement, names: rows.names))
      }
    }
  }

  private func readRepeated(into rows: inout WindowRows) throws(StoreError) {
    let statement = try connection.statement(
      """
      SELECT \(EventColumns.list) FROM component
      WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL ORDER BY component.id
      """)
    for uid in rows.repeated {
      statement.reset()
      statement.bind(1, uid.source)
      statement.bind(2, uid.uid)
      while try statement.step() {
        rows.events.append(try event(statement, names: rows.names))
      }
    }
  }

  private func event(
    _ statement: Statement, names: [Int: String]
  ) throws(StoreError) -> Event {
    guard
      let event = EventColumns.event(
        statement, calendar: names[statement.integer(1)] ?? "", context: context)
    else {
      let id = statement.integer(0)
      statement.reset()
      throw damaged(id)
    }
    return event
  }
}

extension Int {
  fileprivate func subtractingOrLeast(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min : difference
  }
}
