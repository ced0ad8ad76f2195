internal import AgendaCore
internal import CivilTime
internal import Recurrence

extension Row {
  /// The columns of `component` from `kind` to `sequence`: everything that a listing shows.
  init(
    _ event: Event, calendarObject: Int, span: EventSpan?, alarms: AlarmSpan?,
    identity: IdentityKey, key: StoreKey
  ) {
    let names = event.identity
    self.init(
      columns: 45,
      bytes: names.uid.utf8.count + event.title.utf8.count
        + (event.location?.utf8.count ?? 0) + 32, key: key)
    add("kind", StoredEnum.number(of: event.kind, in: StoredEnum.kinds))
    add("calendar_object", calendarObject)
    add("span_class", span?.spanClass)
    add("span_begin", span?.begin)
    add("span_end", span?.end)
    add("touched_days", event.touchedDays?.bits)
    add("alarm_class", alarms?.span.spanClass)
    add("alarm_begin", alarms?.span.begin)
    add("alarm_end", alarms?.span.end)
    add("alarm_reach", alarms?.reach)
    // An override with a rule is a series if its master is missing.
    add("replaces", event.repeats ? nil : identity.roughRecurrence)
    add("uid_digest", identity.uid)
    add("uid", names.uid)
    add(("recurrence_form", "recurrence_time", "recurrence_zone"), names.recurrenceID)
    add("includes_following", names.includesFollowing ? 1 : Int?.none)
    add(("start_form", "start_time", "start_zone"), event.start)
    add(("extent_form", "extent_value", "extent_zone"), event.extent)
    add(("due_form", "due_time", "due_zone"), event.due)
    let recurrence = event.recurrence
    // A master without any rule or date has an empty text here, not NULL.
    add("rules", recurrence.map { StoredRecurrence.text($0.rules) ?? "" })
    add("exception_rules", recurrence.flatMap { StoredRecurrence.text($0.exceptionRules) })
    add("dates", blob: recurrence.flatMap { StoredRecurrence.bytes($0.dates) })
    add("exception_dates", blob: recurrence.flatMap { StoredRecurrence.bytes($0.exceptionDates) })
    add("title", event.title)
    add("location", event.location)
    add("status", event.status.map { StoredEnum.number(of: $0, in: StoredEnum.statuses) })
    add("categories", blob: StoredList.bytes(event.categories))
    add("transparent", event.isTransparent ? 1 : Int?.none)
    add("color", event.color)
    add("sequence", event.version.sequence == 0 ? nil : event.version.sequence)
  }
}

/// The cases of an enum in a column: their positions in a list that only grows at its end.
enum StoredEnum {
  static let kinds: [Event.Kind] = [.event, .task, .journal]
  static let statuses: [Event.Status] = [
    .tentative, .confirmed, .cancelled, .needsAction, .inProcess, .completed, .draft, .final,
  ]

  static func number<Value: Equatable>(of value: Value, in list: [Value]) -> Int {
    list.firstIndex(of: value) ?? -1
  }

  static func value<Value>(_ number: Int, in list: [Value]) -> Value? {
    list.indices.contains(number) ? list[number] : nil
  }
}

/// A list in one column.
enum StoredList {
  static func bytes(ofLists lists: [[UInt8]]) -> [UInt8] {
    var writer = PackedBytesWriter()
    for list in lists { writer.add(list) }
    return writer.bytes
  }

  static func lists(_ bytes: [UInt8]) -> [[UInt8]] {
    var reader = PackedBytesReader(bytes)
    var lists: [[UInt8]] = []
    while !reader.isAtEnd, let list = reader.list() { lists.append(list) }
    return lists
  }

  static func bytes(_ texts: [String]) -> [UInt8]? {
    guard !texts.isEmpty else { return nil }
    var writer = PackedBytesWriter()
    for text in texts { writer.add(text) }
    return writer.bytes
  }

  static func texts(_ bytes: [UInt8]?) -> [String]? {
    guard let bytes else { return [] }
    var reader = PackedBytesReader(bytes)
    var texts: [String] = []
    while !reader.isAtEnd {
      guard let text = reader.text() else { return nil }
      texts.append(text)
    }
    return texts
  }
}

extension Event {
  /// The days that a series touches. `nil` for an event that does not recur, which is found by its
  /// span, and for a component that can touch other days than those of its rules.
  fileprivate var touchedDays: TouchedDays? {
    guard kind == .event, identity.recurrenceID == nil, let start, let recurrence else {
      return nil
    }
    let days = TouchedDays(
      RecurrenceSet(
        start: start, extent: extent, rules: recurrence.rules,
        exceptionRules: recurrence.exceptionRules, dates: recurrence.dates))
    return days == .all ? nil : days
  }

  /// The zones of its times.
  var zones: [Zone] {
    var zones: [Zone] = []
    func take(_ time: EventTime?) {
      guard case .zoned(_, let zone) = time, !zones.contains(zone) else { return }
      zones.append(zone)
    }
    take(start)
    take(due)
    take(identity.recurrenceID)
    if case .end(let time) = extent { take(time) }
    if let recurrence {
      for time in recurrence.exceptionDates { take(time) }
      for date in recurrence.dates {
        take(date.start)
        if case .end(let time) = date.extent { take(time) }
      }
    }
    return zones
  }
}
