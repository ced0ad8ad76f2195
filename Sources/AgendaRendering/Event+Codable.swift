public import AgendaCore
internal import CivilTime
internal import Recurrence

/// An event has the keys of an entry that do not depend on a window, and the keys below for a
/// series. Its times are in the form of its source: `start` and `end` have the offset of
/// `timeZone`, floating times have no offset, and the name of another zone follows in brackets, as
/// does that of a zone which only the source defines.
extension Event: Codable {
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    let start = try object.decodeIfPresent(String.self, forKey: .start)
    let zone = try object.decodeIfPresent(String.self, forKey: .timeZone).flatMap {
      Zone.named($0, decoder.zones, at: start)
    }
    let times = EventTimes(object, zone: zone, zones: decoder.zones)
    var event = try decoder.container(keyedBy: EntryField.self).decodeEvent()
    event.start = try times.time(.start)
    event.due = try times.time(.due)
    event.identity.recurrenceID = try times.time(.recurrenceID)
    event.identity.includesFollowing =
      try object.decodeIfPresent(Bool.self, forKey: .includesFollowing) ?? false
    if let end = try times.time(.end) {
      event.extent = .end(end)
    } else if let length = try object.decodeIfPresent(DurationRecord.self, forKey: .duration) {
      event.extent = .duration(length.duration)
    }
    event.recurrence = try times.recurrence()
    event.isTransparent = try object.decodeIfPresent(Bool.self, forKey: .transparent) ?? false
    event.color = try object.decodeIfPresent(String.self, forKey: .color)
    event.version = EventVersion(
      sequence: try object.decodeIfPresent(Int.self, forKey: .sequence) ?? 0,
      modified: try times.moment(.modified))
    var details = event.ownDetails ?? EventDetails()
    details.alarms = try object.decodeIfPresent([Alarm].self, forKey: .alarms) ?? []
    details.classification = try object.decodeIfPresent(String.self, forKey: .classification)
    details.priority = try object.decodeIfPresent(Int.self, forKey: .priority)
    details.created = try times.moment(.created)
    details.lastModified = try times.moment(.lastModified)
    details.stamp = try times.moment(.stamp)
    details.percentComplete = try object.decodeIfPresent(Int.self, forKey: .percentComplete)
    details.completed = try times.moment(.completed)
    event.ownDetails = details
    self = event
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try Occurrence(undated: self).encode(
      EntryField.keys.filter { $0.owner <= .details }, FieldContext(zone: .utc), to: encoder)
    // Of any other zone, the name is in brackets after each time.
    let zone = start?.zone.flatMap { $0.standardName == nil ? nil : $0 }
    func text(_ time: EventTime?) -> String? { time?.text(near: zone) }
    try object.encode(start?.isDate ?? false, forKey: .allDay)
    try object.encode(zone?.name, forKey: .timeZone)
    try object.encode(text(start), forKey: .start)
    try object.encode(text(due), forKey: .due)
    try object.encode(text(identity.recurrenceID), forKey: .recurrenceID)
    try object.encode(identity.includesFollowing, forKey: .includesFollowing)
    let (end, length) = extent.parts
    try object.encode(text(end), forKey: .end)
    try object.encode(length.map(DurationRecord.init), forKey: .duration)
    try object.encode(recurrence?.rules.map(\.description) ?? [], forKey: .rules)
    try object.encode(recurrence?.exceptionRules.map(\.description) ?? [], forKey: .exceptionRules)
    try object.encode(
      recurrence?.dates.map { DateRecord($0, near: zone) } ?? [], forKey: .dates)
    try object.encode(
      recurrence?.exceptionDates.map { $0.text(near: zone) } ?? [],
      forKey: .exceptionDates)
    try object.encode(isTransparent, forKey: .transparent)
    try object.encode(color, forKey: .color)
    try object.encode(version.sequence, forKey: .sequence)
    try object.encode(version.modified?.description, forKey: .modified)
    let details = ownDetails ?? EventDetails()
    try object.encode(details.alarms, forKey: .alarms)
    try object.encode(details.classification, forKey: .classification)
    try object.encode(details.priority, forKey: .priority)
    try object.encode(details.created?.description, forKey: .created)
    try object.encode(details.lastModified?.description, forKey: .lastModified)
    try object.encode(details.stamp?.description, forKey: .stamp)
    try object.encode(details.percentComplete, forKey: .percentComplete)
    try object.encode(details.completed?.description, forKey: .completed)
  }
}

extension Alarm: Codable {
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    let trigger: Trigger
    if let length = try object.decodeIfPresent(DurationRecord.self, forKey: .fromStart) {
      trigger = .fromStart(length.duration)
    } else if let length = try object.decodeIfPresent(DurationRecord.self, forKey: .fromEnd) {
      trigger = .fromEnd(length.duration)
    } else {
      let text = try object.decode(String.self, forKey: .at)
      guard let moment = Instant(rfc3339: text) else { throw object.corrupted(.at, text) }
      trigger = .at(moment)
    }
    self.init(
      action: try object.decode(String.self, forKey: .action), trigger: trigger,
      repetitions: try object.decodeIfPresent(Int.self, forKey: .repetitions) ?? 0,
      interval: try object.decodeIfPresent(DurationRecord.self, forKey: .interval)?.duration,
      description: try object.decodeIfPresent(String.self, forKey: .description))
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(action, forKey: .action)
    switch trigger {
    case .fromStart(let length): try object.encode(DurationRecord(length), forKey: .fromStart)
    case .fromEnd(let length): try object.encode(DurationRecord(length), forKey: .fromEnd)
    case .at(let moment): try object.encode(moment.description, forKey: .at)
    }
    try object.encode(repetitions, forKey: .repetitions)
    try object.encode(interval.map(DurationRecord.init), forKey: .interval)
    try object.encode(description, forKey: .description)
  }
}

/// The keys of the times of an event, and those that an entry lacks.
extension JSONKey {
  fileprivate static var allDay: JSONKey { "allDay" }
  fileprivate static var recurrenceID: JSONKey { "recurrenceId" }
  fileprivate static var due: JSONKey { "due" }
  fileprivate static var includesFollowing: JSONKey { "includesFollowing" }
  fileprivate static var duration: JSONKey { "duration" }
  fileprivate static var seconds: JSONKey { "seconds" }
  fileprivate static var rules: JSONKey { "rules" }
  fileprivate static var exceptionRules: JSONKey { "exceptionRules" }
  fileprivate static var dates: JSONKey { "dates" }
  fileprivate static var exceptionDates: JSONKey { "exceptionDates" }
  fileprivate static var transparent: JSONKey { "transparent" }
  fileprivate static var color: JSONKey { "color" }
  fileprivate static var sequence: JSONKey { "sequence" }
  fileprivate static var modified: JSONKey { "modified" }
  fileprivate static var alarms: JSONKey { "alarms" }
  fileprivate static var fromStart: JSONKey { "fromStart" }
  fileprivate static var fromEnd: JSONKey { "fromEnd" }
  fileprivate static var at: JSONKey { "at" }
  fileprivate static var repetitions: JSONKey { "repetitions" }
  fileprivate static var interval: JSONKey { "interval" }
  fileprivate static var classification: JSONKey { "class" }
  fileprivate static var priority: JSONKey { "priority" }
  fileprivate static var created: JSONKey { "created" }
  fileprivate static var lastModified: JSONKey { "lastModified" }
  fileprivate static var stamp: JSONKey { "stamp" }
  fileprivate static var percentComplete: JSONKey { "percentComplete" }
  fileprivate static var completed: JSONKey { "completed" }
}

/// Reads the times of one event.
private struct EventTimes {
  private let object: KeyedDecodingContainer<JSONKey>
  private let zone: Zone?
  private let zones: ZoneDatabase

  init(_ object: KeyedDecodingContainer<JSONKey>, zone: Zone?, zones: ZoneDatabase) {
    self.object = object
    self.zone = zone
    self.zones = zones
  }

  func time(_ key: JSONKey) throws -> EventTime? {
    try object.decodeIfPresent(String.self, forKey: key).map { try time($0, key) }
  }

  private func time(_ text: String, _ key: JSONKey) throws -> EventTime {
    guard let time = EventTime(text: text, near: zone, zones: zones) else {
      throw object.corrupted(key, text)
    }
    return time
  }

  func moment(_ key: JSONKey) throws -> Instant? {
    guard let text = try object.decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let moment = Instant(rfc3339: text) else { throw object.corrupted(key, text) }
    return moment
  }

  /// `nil` if the event has no property of a series.
  func recurrence() throws -> Event.Recurrence? {
    func rules(_ key: JSONKey) throws -> [Rule] {
      try (object.decodeIfPresent([String].self, forKey: key) ?? []).map { text in
        do {
          return try Rule(parsing: text)
        } catch {
          throw object.corrupted(key, text)
        }
      }
    }
    let dates = try object.decodeIfPresent([DateRecord].self, forKey: .dates) ?? []
    let recurrence = Event.Recurrence(
      rules: try rules(.rules), exceptionRules: try rules(.exceptionRules),
      dates: try dates.map { record in
        RecurrenceDate(
          start: try time(record.start, .dates),
          extent: try record.end.map { .end(try time($0, .dates)) }
            ?? record.duration.map { .duration($0.duration) })
      },
      exceptionDates: try (object.decodeIfPresent([String].self, forKey: .exceptionDates) ?? [])
        .map { try time($0, .exceptionDates) })
    return recurrence == Event.Recurrence() ? nil : recurrence
  }
}

/// An RDATE. `end` and `duration` are only in periods.
private struct DateRecord: Codable {
  let start: String
  let end: String?
  let duration: DurationRecord?

  init(_ date: RecurrenceDate, near zone: Zone?) {
    let (end, length) = date.extent?.parts ?? (nil, nil)
    start = date.start.text(near: zone)
    self.end = end?.text(near: zone)
    duration = length.map(DurationRecord.init)
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    start = try object.decode(String.self, forKey: .start)
    end = try object.decodeIfPresent(String.self, forKey: .end)
    duration = try object.decodeIfPresent(DurationRecord.self, forKey: .duration)
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(start, forKey: .start)
    try object.encode(end, forKey: .end)
    try object.encode(duration, forKey: .duration)
  }
}

/// Nominal days and exact seconds, which must not be added up (RFC 5545 3.3.6).
private struct DurationRecord: Codable {
  let duration: EventDuration

  init(_ duration: EventDuration) { self.duration = duration }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    duration = EventDuration(
      days: try object.decode(Int.self, forKey: .days),
      seconds: try object.decode(Int.self, forKey: .seconds))
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(duration.days, forKey: .days)
    try object.encode(duration.seconds, forKey: .seconds)
  }
}

extension Extent {
  fileprivate var parts: (end: EventTime?, duration: EventDuration?) {
    switch self {
    case .unstated: (nil, nil)
    case .end(let end): (end, nil)
    case .duration(let duration): (nil, duration)
    }
  }
}
