package import AgendaCore
package import CivilTime

extension Store {
  /// The series of which an alarm can go off in a span of time: a few more than do.
  package func series(
    ringing span: Range<Instant>, viewer: Zone, of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    try connection.reading { () throws(StoreError) in
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      let reaches = try connection.usingSmallCache { () throws(StoreError) in try alarmReaches() }
      var taken: Set<Int> = []
      func take(_ component: Int) throws(StoreError) {
        guard taken.insert(component).inserted else { return }
        let row = try connection.statement(
          """
          SELECT \(SeriesRows.columns) FROM component \(SeriesRows.join)
          WHERE component.id = ?1 AND component.removed IS NULL
          """)
        row.bind(1, component)
        guard try row.step() else { return }
        defer { row.reset() }
        try self.take(row, into: &rows)
      }
      for one in reaches.fixed
      where one.begin < span.upperBound.secondsSinceEpoch
        && one.end >= span.lowerBound.secondsSinceEpoch
      {
        try take(one.component)
      }
      for list in reaches.lists where !list.components.isEmpty {
        let window = SeriesRows.Window(
          span: span.lowerBound.adding(
            seconds: -list.seconds)..<span.upperBound.adding(
              seconds: list.seconds), viewer: viewer)
        var found: Set<Int> = []
        try findSpans("component.id", in: window) { row in found.insert(row.integer(0)) }
        rows.window = window
        for component in list.components where found.contains(component) { try take(component) }
      }
      return try series(of: rows)
    }
  }

  package func alarms(of reference: EventReference) throws(StoreError) -> [Alarm] {
    let row = try connection.statement("SELECT alarms FROM detail WHERE id = ?1")
    row.bind(1, reference.component)
    guard try row.step() else { return [] }
    defer { row.reset() }
    guard let alarms = StoredAlarms.alarms(row.bytesIfAny(0)) else {
      throw damaged(reference.component)
    }
    return alarms
  }

  /// As it is kept beside the store, for the state that is being read; else worked out.
  private func alarmReaches() throws(StoreError) -> AlarmReaches {
    let state = StoreState(of: connection)
    let folder = DayFolder(ofStore: path)
    if let state, let bytes = folder.bytes(of: .alarms),
      let kept = AlarmReaches(bytes, state, key: key)
    {
      return kept
    }
    var reaches = AlarmReaches()
    // Most events have the same alarms as others.
    var known: [[UInt8]: AlarmReaches.Reach] = [:]
    let rows = try connection.statement(
      "SELECT id, alarms FROM detail WHERE alarms IS NOT NULL ORDER BY id")
    while try rows.step() {
      let bytes = rows.bytes(1)
      if let reach = known[bytes] {
        reaches.add(rows.integer(0), reach)
        continue
      }
      guard let alarms = StoredAlarms.alarms(bytes) else {
        let id = rows.integer(0)
        rows.reset()
        throw damaged(id)
      }
      let reach = AlarmReaches.Reach(alarms)
      known[bytes] = reach
      reaches.add(rows.integer(0), reach)
    }
    if let state, reaches.count >= Self.fewestAlarms {
      folder.keep(reaches.bytes(state, key: key), as: .alarms)
    }
    return reaches
  }

  /// Fewer are not worth keeping.
  private static let fewestAlarms = 128
}
