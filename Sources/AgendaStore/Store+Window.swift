package import AgendaCore
package import CivilTime

/// What touches a window, found by the indexes.
extension Store {
  /// The events, tasks and journals that can have something to show in a span of time: a few more
  /// than have, and with each the others of its UID that decide what it shows there. What
  /// `SeriesAssembly` makes of them has the same occurrences in that span as all of the store.
  /// Dates and floating times are those of `viewer`.
  package func events(
    touching window: Range<Instant>, viewer: Zone
  ) throws(StoreError) -> [Event] {
    guard !window.isEmpty else { return [] }
    return try connection.reading { () throws(StoreError) in
      var rows = WindowRows(names: try calendarNames())
      try readSpans(touching: window, viewer: viewer, into: &rows)
      try readOverrides(replacing: window, into: &rows)
      try readMasters(into: &rows)
      return rows.events
    }
  }

  /// The names of the calendars, by source.
  func calendarNames() throws(StoreError) -> [Int: String] {
    let rows = try connection.statement(
      "SELECT source.id, calendar.name FROM source JOIN calendar ON calendar.id = source.calendar")
    var names: [Int: String] = [:]
    while try rows.step() { names[rows.integer(0)] = rows.text(1) }
    return names
  }

  /// The rows read so far, each once.
  struct WindowRows {
    let names: [Int: String]
    var events: [Event] = []
    var ids: Set<Int> = []
    /// Overrides of which no master was read yet, by source and digest of the UID.
    var orphans: Set<SourceUID> = []
    var masters: Set<SourceUID> = []
    /// Masters of occurrences that last longer than a day.
    var longSeries: Set<SourceUID> = []

    init(names: [Int: String]) {
      self.names = names
    }
  }

  struct SourceUID: Hashable {
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
      SELECT \(EventColumns.list), component.uid_digest FROM component
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
      try read(statement, into: &rows)
    }
  }

  /// Overrides of occurrences that stand in the window, wherever they moved them.
  private func readOverrides(
    replacing window: Range<Instant>, into rows: inout WindowRows
  ) throws(StoreError) {
    let statement = try connection.statement(
      """
      SELECT \(EventColumns.list), component.uid_digest FROM component
      WHERE replaces >= ?1 AND replaces < ?2 AND replaces IS NOT NULL AND removed IS NULL
      """)
    // An occurrence that began the day before may still run in the window.
    let reach = EventSpan.margin + secondsOfDay
    statement.bind(1, window.lowerBound.adding(seconds: -reach).secondsSinceEpoch)
    statement.bind(2, window.upperBound.adding(seconds: EventSpan.margin).secondsSinceEpoch)
    try read(statement, into: &rows)
    // And one that lasts longer than a day, from further back.
    for series in rows.longSeries {
      let statement = try connection.statement(
        """
        SELECT \(EventColumns.list), component.uid_digest FROM component
        WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL
        """)
      statement.bind(1, series.source)
      statement.bind(2, series.uid)
      try read(statement, into: &rows)
    }
  }

  /// The masters of overrides that came alone: a cancelled one cancels them.
  private func readMasters(into rows: inout WindowRows) throws(StoreError) {
    let statement = try connection.statement(
      """
      SELECT \(EventColumns.list), component.uid_digest FROM component
      WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL AND recurrence_form IS NULL
      """)
    for override in rows.orphans.subtracting(rows.masters) {
      statement.reset()
      statement.bind(1, override.source)
      statement.bind(2, override.uid)
      try read(statement, into: &rows)
    }
  }

  private func read(_ statement: Statement, into rows: inout WindowRows) throws(StoreError) {
    while try statement.step() {
      let id = statement.integer(0)
      guard rows.ids.insert(id).inserted else { continue }
      let source = statement.integer(1)
      guard
        let event = EventColumns.event(
          statement, calendar: rows.names[source] ?? "", context: context)
      else {
        statement.reset()
        throw damaged(id)
      }
      let uid = SourceUID(source: source, uid: statement.integer(EventColumns.count))
      if event.identity.recurrenceID == nil {
        rows.masters.insert(uid)
        if event.recurrence != nil, let span = EventSpan(singleOf: event),
          span.end - span.begin > secondsOfDay
        {
          rows.longSeries.insert(uid)
        }
      } else {
        rows.orphans.insert(uid)
      }
      rows.events.append(event)
    }
  }
}

extension Int {
  fileprivate func subtractingOrLeast(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min : difference
  }
}
