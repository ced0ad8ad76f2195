/// The calendar of a source before a generation that moved the source to another calendar or
/// changed the colour.
struct PreviousCalendar {
  var name: String
  var color: String?
  /// Whether the name was given on the command line.
  var hasExplicitName: Bool
  /// The colour that the next calendar had before the source moved there.
  var nextColor: String?
}

extension Store {
  func write(_ previous: PreviousCalendar, generation: Int) throws(StoreError) {
    var row = Row(columns: 4, key: key)
    row.add("name", previous.name)
    row.add("color", previous.color)
    row.add("has_explicit_name", previous.hasExplicitName ? 1 : 0)
    row.add("next_color", previous.nextColor)
    try connection.insert(row, id: generation, into: Schema.previousCalendar)
  }

  func previousCalendar(of generation: Int) throws(StoreError) -> PreviousCalendar? {
    let row = try connection.statement(
      "SELECT \(Schema.previousCalendar.columnList) FROM previous_calendar WHERE id = ?1",
      generation)
    defer { row.reset() }
    guard try row.step() else { return nil }
    return PreviousCalendar(
      name: row.text("name"), color: row.optionalText("color"),
      hasExplicitName: row.bool("has_explicit_name"), nextColor: row.optionalText("next_color"))
  }

  /// Moves a source back to the calendar that it was in before a generation, and restores that one.
  func moveBack(source: Int, to previous: PreviousCalendar) throws(StoreError) {
    guard
      let present = try connection.integer("SELECT calendar FROM source WHERE id = ?1", source)
    else { return }
    try setColor(of: present, to: previous.nextColor)
    let calendar = try calendar(named: previous.name, color: previous.color)
    try setColor(of: calendar, to: previous.color)
    try connection.update(
      Schema.source,
      set: ["calendar": calendar, "has_explicit_name": previous.hasExplicitName ? 1 : 0],
      where: "id = ?", source)
    try removeCalendarIfEmpty(present)
  }
}
