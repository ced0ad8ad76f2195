internal import AgendaCore
internal import CivilTime

/// The columns by which the index finds what touches a window, worked out anew for the components
/// of a store that an older version wrote.
enum ComponentSpans {
  private static let names = [
    "span_class", "span_begin", "span_end", "week", "dates_touched", "rhythm",
  ]

  /// Series and tasks: of single events nothing can be wrong.
  static func workOut(in connection: Connection, zones: ZoneDatabase) throws(StoreError) {
    let key = try StoreKey(of: connection)
    let context = ReadingContext(connection, database: zones)
    let rows = try connection.statement(
      """
      SELECT \(EventColumns.list), \(names.joined(separator: ", ")) FROM component
      WHERE rules IS NOT NULL OR due_form IS NOT NULL OR includes_following IS NOT NULL
      """)
    var changed: [(id: Int, event: Event)] = []
    while try rows.step() {
      guard let event = EventColumns.event(rows, calendar: "", context: context) else { continue }
      let first = EventColumns.count
      let span = EventSpan(event)
      let pattern = OccurrencePattern(event)
      let isSame =
        rows.integerIfAny(first) == span?.spanClass && rows.integerIfAny(first + 1) == span?.begin
        && rows.integerIfAny(first + 2) == span?.end
        && rows.integerIfAny(first + 3) == pattern.week
        && rows.integerIfAny(first + 4) == pattern.dates
        && rows.integerIfAny(first + 5) == pattern.rhythm
      if !isSame { changed.append((rows.integer(0), event)) }
    }
    for (id, event) in changed { try write(event, id: id, to: connection, key: key) }
  }

  private static func write(
    _ event: Event, id: Int, to connection: Connection, key: StoreKey
  ) throws(StoreError) {
    let span = EventSpan(event)
    let pattern = OccurrencePattern(event)
    let settings = names.enumerated().map { "\($1) = ?\($0 + 2)" }
    let update = try connection.statement(
      "UPDATE component SET \(settings.joined(separator: ", ")) WHERE id = ?1")
    update.bind(1, id)
    for (place, value) in [
      span?.spanClass, span?.begin, span?.end, pattern.week, pattern.dates, pattern.rhythm,
    ].enumerated() {
      update.bind(Int32(place + 2), value)
    }
    try update.run()
    try Seals.resealComponent(id, in: connection, key: key)
  }
}
