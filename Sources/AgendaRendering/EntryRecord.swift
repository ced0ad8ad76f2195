internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The JSON of an entry, with times as texts.
struct EntryRecord {
  /// The values that depend on an agenda; `nil` for an occurrence alone.
  struct Place {
    /// `nil` for an entry alone.
    var indexPath: EntryPath?
    var day: Int
    var days: Int
  }

  var place: Place?
  private let id: OccurrenceID
  private let recurrenceID: String?
  private let isAllDay: Bool
  private let start: String?
  private let end: String?
  private let timeZone: String?
  /// The properties that are not times.
  private var event: Event

  /// `zone` is the zone of the offsets.
  init(_ occurrence: Occurrence, in zone: Zone) {
    event = occurrence.event
    id = OccurrenceID(of: occurrence)
    func text(_ write: (inout ByteSink) -> Void) -> String {
      String(decoding: ByteSink.bytes(of: write), as: UTF8.self)
    }
    recurrenceID = occurrence.recurrenceID.map { time in text { $0.write(time, in: zone) } }
    isAllDay = occurrence.allDay != nil
    let isUndated = occurrence.isUndated
    start = isUndated ? nil : text { $0.write(startOf: occurrence, in: zone) }
    end = isUndated ? nil : text { $0.write(endOf: occurrence, in: zone) }
    timeZone = occurrence.timeZoneName
  }

  /// The zone for an entry that is decoded alone: one with the offset of its start.
  var viewer: Zone {
    start.flatMap(Zone.offset).flatMap(ZoneDatabase.shared.zone(fixedOffset:)) ?? .utc
  }

  /// The first day on which it is listed; `nil` without a date.
  func firstListedDay(_ occurrence: Occurrence, viewer: Zone) -> CivilDate? {
    if occurrence.isUndated { return nil }
    let first = occurrence.allDay?.lowerBound ?? viewer.day(holding: occurrence.begin)
    return first.adding(days: (place?.day ?? 1) - 1)
  }

  /// The occurrence as a viewer in this zone sees it.
  func occurrence(viewer: Zone, zones: ZoneDatabase) throws -> Occurrence {
    let zone = timeZone.flatMap { Zone.named($0, zones, at: start) }
    func time(_ text: String) throws -> JSONTime {
      guard let time = JSONTime(text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "\"\(text)\" is neither a date nor a time"))
      }
      return time
    }
    var event = event
    var occurrence: Occurrence
    switch try (start.map(time), end.map(time)) {
    case (.date(let first)?, let end):
      var after = first.adding(days: 1) ?? .afterLast
      if case .date(let date)? = end, date > first { after = date }
      event.start = .date(first)
      event.extent = .end(.date(after))
      occurrence = Occurrence(
        event: event, start: .date(first), begin: viewer.startOfDay(first),
        finish: viewer.startOfDay(after), allDay: first..<after, recurrenceID: nil)
    case (.moment(let begin)?, let end):
      let start = JSONTime.moment(begin).eventTime(in: zone, viewer: viewer)
      var finish = begin
      if case .moment(let moment)? = end, moment > begin {
        finish = moment
        event.extent = .end(JSONTime.moment(moment).eventTime(in: zone, viewer: viewer))
      }
      event.start = start
      occurrence = Occurrence(
        event: event, start: start, begin: begin, finish: finish, allDay: nil, recurrenceID: nil)
    case (nil, _): occurrence = Occurrence(undated: event)
    }
    if event.kind == .task { occurrence.event.due = event.start }
    occurrence.recurrenceID = try recurrenceID.map {
      try time($0).eventTime(in: zone, viewer: viewer)
    }
    if OccurrenceID(of: occurrence) != id { occurrence.event.occurrenceID = id }
    return occurrence
  }
}

extension EntryRecord: Codable {
  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    let id = try object.decode(String.self, forKey: .id)
    guard let id = OccurrenceID(id) else { throw object.corrupted(.id, id) }
    self.id = id
    if let day = try object.decodeIfPresent(Int.self, forKey: .day) {
      let path = try object.decodeIfPresent(String.self, forKey: .indexPath).map { text in
        guard let path = EntryPath(text) else { throw object.corrupted(.indexPath, text) }
        return path
      }
      place = Place(
        indexPath: path, day: day, days: try object.decode(Int.self, forKey: .days))
    }
    recurrenceID = try object.decodeIfPresent(String.self, forKey: .recurrenceID)
    isAllDay = try object.decode(Bool.self, forKey: .allDay)
    start = try object.decodeIfPresent(String.self, forKey: .start)
    end = try object.decodeIfPresent(String.self, forKey: .end)
    timeZone = try object.decodeIfPresent(String.self, forKey: .timeZone)
    event = try object.decodeEvent()
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    if let place {
      try object.encodeIfPresent(place.indexPath?.description, forKey: .indexPath)
      try object.encode(place.day, forKey: .day)
      try object.encode(place.days, forKey: .days)
    }
    try object.encode(id.description, forKey: .id)
    try object.encode(recurrenceID, forKey: .recurrenceID)
    try object.encode(isAllDay, forKey: .allDay)
    try object.encode(start, forKey: .start)
    try object.encode(end, forKey: .end)
    try object.encode(timeZone, forKey: .timeZone)
    try object.encode(event: event)
  }
}

// The keys that entries and events have in common.

extension KeyedEncodingContainer<JSONKey> {
  /// The keys of an event that do not depend on its times.
  mutating func encode(event: Event) throws {
    try encode(event.identity.uid, forKey: .uid)
    try encode(event.calendar, forKey: .calendar)
    try encode(event.kind.rawValue, forKey: .kind)
    try encode(event.title.isEmpty ? nil : event.title, forKey: .title)
    try encode(event.status?.rawValue, forKey: .status)
    try encode(event.location, forKey: .location)
    try encode(event.categories, forKey: .categories)
    try encode(entryDetails: event.ownDetails ?? EventDetails())
  }
}

extension KeyedDecodingContainer<JSONKey> {
  func decodeEvent() throws -> Event {
    var event = Event(
      uid: try decode(String.self, forKey: .uid),
      kind: try decode(keyword: Event.Kind.self, forKey: .kind),
      title: try decodeIfPresent(String.self, forKey: .title) ?? "", start: nil,
      location: try decodeIfPresent(String.self, forKey: .location),
      categories: try decodeIfPresent([String].self, forKey: .categories) ?? [],
      calendar: try decode(String.self, forKey: .calendar), details: try decodeEntryDetails())
    if try contains(.status) && !decodeNil(forKey: .status) {
      event.status = try decode(keyword: Event.Status.self, forKey: .status)
    }
    return event
  }
}
