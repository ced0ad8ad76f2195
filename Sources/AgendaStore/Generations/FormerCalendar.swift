/// What a source was in before a generation that moved it to another calendar, or gave its calendar
/// another colour.
struct FormerCalendar {
  var name: String
  var color: String?
  /// Whether that name was given on the command line.
  var isNamed: Bool
  /// The colour of the calendar that it went into, before it did.
  var colorOfNext: String?
}

extension Store {
  func write(_ former: FormerCalendar, generation: Int) throws(StoreError) {
    var row = Row(columns: 4)
    row.add(former.name)
    row.add(former.color)
    row.add(former.isNamed ? 1 : 0)
    row.add(former.colorOfNext)
    try SealedTable.formerCalendar.insert(row, id: generation, into: connection, key: key)
  }

  func formerCalendar(of generation: Int) throws(StoreError) -> FormerCalendar? {
    let row = try connection.statement(
      "SELECT name, color, is_named, color_of_next FROM former_calendar WHERE id = ?1")
    row.bind(1, generation)
    defer { row.reset() }
    guard try row.step() else { return nil }
    return FormerCalendar(
      name: row.text(0), color: row.textIfAny(1), isNamed: row.integer(2) == 1,
      colorOfNext: row.textIfAny(3))
  }

  /// Puts a source back into the calendar that it was in before a generation, as that was.
  func moveBack(source: Int, to former: FormerCalendar) throws(StoreError) {
    guard
      let present = try integers("SELECT calendar FROM source WHERE id = ?1", source).first
    else { return }
    try setColor(of: present, to: former.colorOfNext)
    let calendar = try calendar(named: former.name, color: former.color)
    try setColor(of: calendar, to: former.color)
    try run(
      "UPDATE source SET calendar = ?2, is_named = ?3 WHERE id = ?1", source, calendar,
      former.isNamed ? 1 : 0)
    try SealedTable.source.reseal(id: source, in: connection, key: key)
    try removeCalendarIfEmpty(present)
  }
}
