package import AgendaCore
package import CivilTime
internal import Recurrence

/// What touches a window, found by the indexes.
extension Store {
  /// Which overrides a series comes with.
  package enum SeriesExtent {
    /// All of them.
    case whole
    /// Those that move or replace something in the window: enough to list it.
    case listed
  }

  /// The series that can have something to show in a span of time: a few more than have. Each has
  /// the same occurrences there as all of the store gives it.
  /// Dates and floating times are those of `viewer`. A selection leaves out what is of no kind and
  /// calendar that it admits.
  package func series(
    touching window: Range<Instant>, viewer: Zone, of selection: Selection? = nil,
    _ extent: SeriesExtent = .whole
  ) throws(StoreError) -> [Series] {
    guard !window.isEmpty else { return [] }
    return try connection.reading { () throws(StoreError) in
      var rows = WindowRows(window: window, viewer: viewer, extent: extent)
      rows.kinds = Event.Kind.allCases.filter { selection?.admitsKind($0) ?? true }
      rows.calendars = try calendarNames().filter {
        selection?.admitsCalendar(named: $0.value) ?? true
      }
      try readSpans(into: &rows)
      try readRepeated(into: &rows)
      return rows.alone + SeriesAssembly(rows.repeated).series
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

  /// The rows read so far, and what is asked for.
  private struct WindowRows {
    let window: Range<Instant>
    let viewer: Zone
    let extent: SeriesExtent
    var kinds: [Event.Kind] = []
    /// By source.
    var calendars: [Int: String] = [:]
    /// Events whose UID no other has: a series each.
    var alone: [Series] = []
    /// UIDs that are not alone: whatever of them moves, replaces or outdates another comes with
    /// it. In the order in which they were met.
    var groups: [Group] = []
    var placeOfGroup: [SourceUID: Int] = [:]
    /// The events of those.
    var repeated: [Event] = []
  }

  private struct SourceUID: Hashable {
    var source: Int
    var uid: Int
  }

  private struct Group {
    let uid: SourceUID
    /// How long its occurrences last at most, where only overrides of such that touch the window
    /// are wanted; `nil` where all are.
    var reach: Int?
  }

  private func readSpans(into rows: inout WindowRows) throws(StoreError) {
    let margin = EventSpan.margin
    let begin = rows.window.lowerBound.adding(seconds: -margin).secondsSinceEpoch
    let end = rows.window.upperBound.adding(seconds: margin).secondsSinceEpoch
    let probe = OccurrencePattern.probe(rows.window, viewer: rows.viewer)
    let statement = try connection.statement(
      """
      SELECT \(EventColumns.list), component.uid_digest, repeated.uid_digest
      FROM component LEFT JOIN repeated
        ON repeated.source = component.source AND repeated.uid_digest = component.uid_digest
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
      while try statement.step() { try take(statement, into: &rows) }
    }
  }

  /// One that the index found.
  private func take(_ row: Statement, into rows: inout WindowRows) throws(StoreError) {
    let source = row.integer(1)
    guard let calendar = rows.calendars[source],
      StoredEnum.value(row.integer(2), in: StoredEnum.kinds).map(rows.kinds.contains) ?? true
    else { return }
    let rules = EventColumns.rulesOnly(row, context: context)
    if let rules, rules.surelyMisses(rows.window, viewer: rows.viewer) { return }
    guard !row.isNull(EventColumns.count + 1) else {
      rows.alone.append(Series(try event(row, calendar: calendar)))
      return
    }
    let uid = SourceUID(source: source, uid: row.integer(EventColumns.count))
    let reach = rows.extent == .listed ? rules?.longest(viewer: rows.viewer) : nil
    if let place = rows.placeOfGroup[uid] {
      rows.groups[place].reach =
        reach.flatMap { reach in rows.groups[place].reach.map { max($0, reach) } }
    } else {
      rows.placeOfGroup[uid] = rows.groups.count
      rows.groups.append(Group(uid: uid, reach: reach))
    }
  }

  private func readRepeated(into rows: inout WindowRows) throws(StoreError) {
    let statement = try connection.statement(
      """
      SELECT \(EventColumns.list) FROM component
      WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL
        AND (replaces IS NULL OR replaces BETWEEN ?3 AND ?4)
      """)
    for group in rows.groups {
      statement.reset()
      statement.bind(1, group.uid.source)
      statement.bind(2, group.uid.uid)
      // Moments of dates and floating times are right to within a day, and so are windows.
      let slack = 2 * EventSpan.margin
      statement.bind(
        3,
        group.reach.map {
          rows.window.lowerBound.secondsSinceEpoch.subtractingOrLeast($0 + slack)
        } ?? .min)
      statement.bind(
        4, group.reach.map { _ in rows.window.upperBound.secondsSinceEpoch + slack } ?? .max)
      let first = rows.repeated.count
      let calendar = rows.calendars[group.uid.source] ?? ""
      while try statement.step() {
        rows.repeated.append(try event(statement, calendar: calendar))
      }
      // In the order in which their source has them.
      rows.repeated[first...].sort { $0.reference.component < $1.reference.component }
    }
  }

  private func event(_ row: Statement, calendar: String) throws(StoreError) -> Event {
    guard let event = EventColumns.event(row, calendar: calendar, context: context) else {
      let id = row.integer(0)
      row.reset()
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
