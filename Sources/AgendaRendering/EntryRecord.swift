internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// An entry that is read from JSON, with times as texts.
struct EntryRecord {
  /// The values that depend on an agenda; `nil` for an occurrence alone.
  struct Place {
    /// `nil` for an entry alone.
    let path: EntryPath?
    let day: Int
    let days: Int
  }

  private(set) var place: Place?
  private let id: OccurrenceID
  private let recurrenceID: String?
  private let start: String?
  private let end: String?
  private let timeZone: String?
  /// The properties that are not times.
  private var event: Event

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
    func time(_ text: String) throws -> EntryTime {
      guard let time = EntryTime(text) else {
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
      let start = EntryTime.moment(begin).eventTime(in: zone, viewer: viewer)
      var finish = begin
      if case .moment(let moment)? = end, moment > begin {
        finish = moment
        event.extent = .end(EntryTime.moment(moment).eventTime(in: zone, viewer: viewer))
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

extension EntryRecord: Decodable {
  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: EntryField.self)
    let id = try object.decode(String.self, forKey: .id)
    guard let id = OccurrenceID(id) else { throw object.corrupted(.id, id) }
    self.id = id
    if let day = try object.decodeIfPresent(Int.self, forKey: .day) {
      let path = try object.decodeIfPresent(String.self, forKey: .path).map { text in
        guard let path = EntryPath(text) else { throw object.corrupted(.path, text) }
        return path
      }
      place = Place(path: path, day: day, days: try object.decode(Int.self, forKey: .days))
    }
    recurrenceID = try object.decodeIfPresent(String.self, forKey: .recurrenceID)
    start = try object.decodeIfPresent(String.self, forKey: .start)
    end = try object.decodeIfPresent(String.self, forKey: .end)
    timeZone = try object.decodeIfPresent(String.self, forKey: .timeZone)
    event = try object.decodeEvent()
  }
}

extension Occurrence {
  /// Encodes these fields. Details are those of the event itself.
  func encode(
    _ fields: [EntryField], _ context: consuming FieldContext, to encoder: any Encoder
  ) throws {
    var object = encoder.container(keyedBy: EntryField.self)
    let details = event.ownDetails ?? EventDetails()
    for field in fields {
      try object.encode(field.read(self, details, context), forKey: field)
    }
  }
}

extension EntryField: CodingKey {
  package var stringValue: String { name }
  package var intValue: Int? { nil }

  // Objects are read with the fields of the table. Other keys are ignored, so they need no value.
  package init?(stringValue: String) { nil }
  package init?(intValue: Int) { nil }
}

extension FieldValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .text(let text): try container.encode(text)
    case .texts(let texts), .choice(let texts): try container.encode(texts)
    case .flag(let flag): try container.encode(flag)
    case .number(let number), .length(let number): try container.encode(number)
    case .numbers(let numbers): try container.encode(numbers)
    case .decimal(let number): try container.encode(number)
    case .time(let time, let zone):
      let bytes = ByteSink.bytes { $0.write(time, in: zone) }
      try container.encode(String(decoding: bytes, as: UTF8.self))
    case .id(let id): try container.encode(id.description)
    case .path(let path): try container.encode(path.description)
    case .coordinates(let coordinates): try container.encode(coordinates)
    case .person(let person): try container.encode(person)
    case .attendees(let attendees): try container.encode(attendees)
    case .attachments(let attachments, _): try container.encode(attachments)
    }
  }
}

extension KeyedDecodingContainer<EntryField> {
  /// The fields of an event that do not depend on its times.
  func decodeEvent() throws -> Event {
    var details = EventDetails()
    details.coordinates = try decodeIfPresent(Coordinates.self, forKey: .geo)
    details.url = try decodeIfPresent(String.self, forKey: .url)
    details.description = try decodeIfPresent(String.self, forKey: .description)
    details.conference = try decodeIfPresent(String.self, forKey: .conference)
    details.organizer = try decodeIfPresent(Person.self, forKey: .organizer)
    details.attendees = try decodeIfPresent([Attendee].self, forKey: .attendees) ?? []
    details.attachments = try decodeIfPresent([Attachment].self, forKey: .attachments) ?? []
    var event = Event(
      uid: try decode(String.self, forKey: .uid),
      kind: try decode(keyword: Event.Kind.self, forKey: .kind),
      title: try decodeIfPresent(String.self, forKey: .title) ?? "", start: nil,
      location: try decodeIfPresent(String.self, forKey: .location),
      categories: try decodeIfPresent([String].self, forKey: .categories) ?? [],
      calendar: try decode(String.self, forKey: .calendar), details: details)
    if try contains(.status) && !decodeNil(forKey: .status) {
      event.status = try decode(keyword: Event.Status.self, forKey: .status)
    }
    return event
  }
}
