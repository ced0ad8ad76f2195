internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Reads events from the rows of a statement that selects `EventReader.columns`.
struct EventReader {
  /// For the select list. The source is the one column that other tables have too.
  static let columns = """
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

  private struct TimeColumns {
    let form, time, zone: Int32
  }

  private let row: Statement
  private let context: ReadingContext
  // The index of each column, looked up once for all rows.
  private let idColumn, sourceColumn, kindColumn, uidColumn, includesFollowing: Int32
  private let recurrence, start, extent, due: TimeColumns
  private let rules, exceptionRules, dates, exceptionDates: Int32
  private let title, location, status, categories, transparent, color, sequence, modified: Int32

  init(_ row: Statement, _ context: ReadingContext) {
    self.row = row
    self.context = context
    func time(_ name: String, _ value: String = "time") -> TimeColumns {
      TimeColumns(
        form: row.column("\(name)_form"), time: row.column("\(name)_\(value)"),
        zone: row.column("\(name)_zone"))
    }
    idColumn = row.column("id")
    sourceColumn = row.column("source")
    kindColumn = row.column("kind")
    uidColumn = row.column("uid")
    recurrence = time("recurrence")
    includesFollowing = row.column("includes_following")
    start = time("start")
    extent = time("extent", "value")
    due = time("due")
    rules = row.column("rules")
    exceptionRules = row.column("exception_rules")
    dates = row.column("dates")
    exceptionDates = row.column("exception_dates")
    title = row.column("title")
    location = row.column("location")
    status = row.column("status")
    categories = row.column("categories")
    transparent = row.column("transparent")
    color = row.column("color")
    sequence = row.column("sequence")
    modified = row.column("modified")
  }

  /// The id of the component in the present row.
  var id: Int { row.integer(idColumn) }
  var source: Int { row.integer(sourceColumn) }
  /// `nil` if the row is damaged.
  var kind: Event.Kind? { StoredEnum.value(row.integer(kindColumn), in: StoredEnum.kinds) }

  /// The event in the present row; `nil` if the row contains something that agenda doesn't write.
  func event(calendar: String) -> Event? {
    let zones = context.zone
    guard let kind, let extent = extent(zones),
      let categories = StoredList.texts(row.optionalBytes(categories))
    else { return nil }
    var recurrence: Event.Recurrence?
    if !row.isNull(rules) {
      guard let rules = context.rules(row.text(rules)),
        let exceptionRules = context.rules(row.optionalText(exceptionRules)),
        let dates = StoredRecurrence.dates(row.optionalBytes(dates), zones),
        let exceptionDates = StoredRecurrence.times(row.optionalBytes(exceptionDates), zones)
      else { return nil }
      recurrence = Event.Recurrence(
        rules: rules, exceptionRules: exceptionRules, dates: dates, exceptionDates: exceptionDates)
    }
    return Event(
      identity: EventIdentity(
        uid: row.text(uidColumn), recurrenceID: time(self.recurrence, zones),
        includesFollowing: !row.isNull(includesFollowing)),
      kind: kind, start: time(start, zones), extent: extent, due: time(due, zones),
      recurrence: recurrence, title: row.text(title), location: row.optionalText(location),
      status: row.optionalInteger(status).flatMap {
        StoredEnum.value($0, in: StoredEnum.statuses)
      },
      categories: categories, isTransparent: !row.isNull(transparent),
      color: row.optionalText(color),
      version: EventVersion(
        sequence: row.integer(sequence),
        modified: row.optionalInteger(modified).map { Instant(secondsSinceEpoch: $0) }),
      calendar: calendar, reference: EventReference(source: source, component: id))
  }

  /// The set of an event that recurs by its rules alone, without dates, exclusions and overrides.
  /// `nil` for all others, and if the row cannot be read.
  var rulesOnly: RecurrenceSet? {
    guard !row.isNull(rules), row.isNull(recurrence.form), row.isNull(dates), kind == .event,
      let start = time(start, context.zone), let extent = extent(context.zone),
      let rules = context.rules(row.text(rules)), !rules.isEmpty
    else { return nil }
    return RecurrenceSet(start: start, extent: extent, rules: rules)
  }

  private func time(_ columns: TimeColumns, _ zones: (Int) -> Zone?) -> EventTime? {
    row.optionalInteger(columns.form).flatMap {
      StoredTime(
        form: $0, time: row.integer(columns.time), zone: row.optionalInteger(columns.zone))?
        .eventTime(zones)
    }
  }

  private func extent(_ zones: (Int) -> Zone?) -> Extent? {
    StoredExtent.extent(
      form: row.optionalInteger(extent.form), value: row.integer(extent.time),
      zone: row.optionalInteger(extent.zone), zones)
  }
}

extension Store {
  /// The event in the present row.
  func event(_ reader: EventReader, calendar: String) throws(StoreError) -> Event {
    guard let event = reader.event(calendar: calendar) else { throw damaged(reader.id) }
    return event
  }
}
