internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Reads events from rows of `component`.
enum EventColumns {
  /// What `event(_:calendar:context:)` reads, in its order.
  static let list = """
    component.id, component.source, component.kind, component.uid,
    component.recurrence_form, component.recurrence_time, component.recurrence_zone,
    component.includes_following,
    component.start_form, component.start_time, component.start_zone,
    component.extent_form, component.extent_value, component.extent_zone,
    component.due_form, component.due_time, component.due_zone,
    component.rules, component.exception_rules, component.dates, component.exception_dates,
    component.title, component.location, component.status, component.categories,
    component.transparent, component.color, component.sequence, component.modified
    """
  static let count: Int32 = 29

  /// `nil` where the row holds what no version of the store wrote.
  static func event(
    _ row: Statement, calendar: String, context: ReadingContext
  ) -> Event? {
    let zones = context.zone
    func time(_ first: Int32) -> EventTime? { Self.time(row, first, zones) }
    guard let kind = StoredEnum.value(row.integer(2), in: StoredEnum.kinds),
      let extent = extent(row, zones),
      let categories = StoredList.texts(row.bytesIfAny(24))
    else { return nil }
    var recurrence: Event.Recurrence?
    if !row.isNull(17) {
      guard let rules = context.rules(row.text(17)),
        let exceptionRules = context.rules(row.textIfAny(18)),
        let dates = StoredRecurrence.dates(row.bytesIfAny(19), zones),
        let exceptionDates = StoredRecurrence.times(row.bytesIfAny(20), zones)
      else { return nil }
      recurrence = Event.Recurrence(
        rules: rules, exceptionRules: exceptionRules, dates: dates, exceptionDates: exceptionDates)
    }
    return Event(
      identity: EventIdentity(
        uid: row.text(3), recurrenceID: time(4), includesFollowing: !row.isNull(7)),
      kind: kind, start: time(8), extent: extent, due: time(14), recurrence: recurrence,
      title: row.text(21), location: row.textIfAny(22),
      status: row.integerIfAny(23).flatMap { StoredEnum.value($0, in: StoredEnum.statuses) },
      categories: categories, isTransparent: !row.isNull(25), color: row.textIfAny(26),
      version: EventVersion(
        sequence: row.integer(27),
        modified: row.integerIfAny(28).map { Instant(secondsSinceEpoch: $0) }),
      calendar: calendar,
      reference: EventReference(source: row.integer(1), component: row.integer(0)))
  }

  /// An event that recurs by its rules alone, as a set of what they give: nothing is excluded or
  /// moved. `nil` for all others, and where the row cannot be read.
  static func rulesOnly(_ row: Statement, context: ReadingContext) -> RecurrenceSet? {
    guard !row.isNull(17), row.isNull(4), row.isNull(19),
      StoredEnum.value(row.integer(2), in: StoredEnum.kinds) == .event,
      let start = time(row, 8, context.zone), let extent = extent(row, context.zone),
      let rules = context.rules(row.text(17)), !rules.isEmpty
    else { return nil }
    return RecurrenceSet(start: start, extent: extent, rules: rules)
  }

  private static func time(
    _ row: Statement, _ first: Int32, _ zones: (Int) -> Zone?
  ) -> EventTime? {
    row.integerIfAny(first).flatMap {
      StoredTime(form: $0, time: row.integer(first + 1), zone: row.integerIfAny(first + 2))?
        .eventTime(zones)
    }
  }

  private static func extent(_ row: Statement, _ zones: (Int) -> Zone?) -> Extent? {
    StoredExtent.extent(
      form: row.integerIfAny(11), value: row.integer(12), zone: row.integerIfAny(13), zones)
  }
}
