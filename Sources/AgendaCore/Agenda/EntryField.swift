package import CivilTime

/// A field of an entry: its name, the type of its value, and the value itself.
///
/// Conditions, templates, JSON and TSV name the fields below. This is the only list of them.
package struct EntryField: Sendable {
  /// The name in JSON, in TSV, in templates and in conditions.
  package let name: String
  package let type: ValueType
  package let owner: Owner
  /// The value. Only fields of the details read the details.
  package let read: Reader

  package enum ValueType: Sendable {
    case text, flag, time, number, decimal, length
    /// A field that a condition can only compare with null.
    case presence
  }

  /// The owner of the value, from the event to the listing.
  package enum Owner: Comparable, Sendable {
    case event
    /// The details of the event, which are decoded on demand.
    case details
    case occurrence
    /// One line of a listing.
    case entry
    /// The place of that line.
    case place
    /// The listing as it is printed. No condition can name it.
    case listing
    /// The zone of `--also`.
    case secondZone
  }

  package typealias Reader =
    @Sendable (borrowing Occurrence, borrowing EventDetails, borrowing FieldContext) -> FieldValue

  private init(
    _ name: String, _ type: ValueType = .text, of owner: Owner, read: @escaping Reader
  ) {
    self.name = name
    self.type = type
    self.owner = owner
    self.read = read
  }
}

/// What a field can depend on besides its occurrence.
package struct FieldContext: ~Copyable {
  package let zone: Zone
  /// The zone of `alsoStart` and `alsoEnd`.
  package let secondZone: Zone?
  /// The moment from which `in` counts.
  package let now: Instant?
  package var section: String?
  package var path: EntryPath?
  package var day = 1
  /// The number of days on which the occurrence is listed; `nil` to count them.
  package var days: Int?
  /// The identifier of the occurrence, if it is known.
  package var id: OccurrenceID?

  package init(zone: Zone, secondZone: Zone? = nil, now: Instant? = nil) {
    self.zone = zone
    self.secondZone = secondZone
    self.now = now
  }
}

/// The fields of an entry in JSON.
extension EntryField {
  package static let section = EntryField("section", of: .listing) { _, _, context in
    FieldValue(context.section)
  }
  package static let path = EntryField("indexPath", of: .place) { _, _, context in
    context.path.map(FieldValue.path) ?? .none
  }
  package static let id = EntryField("id", of: .occurrence) { occurrence, _, context in
    .id(context.id ?? OccurrenceID(of: occurrence))
  }
  package static let uid = EntryField("uid", of: .event) { occurrence, _, _ in
    .text(occurrence.event.identity.uid)
  }
  package static let recurrenceID = EntryField("recurrenceId", .time, of: .occurrence) {
    occurrence, _, context in
    guard let time = occurrence.recurrenceID else { return .none }
    return .time(EntryTime(time, in: context.zone), context.zone)
  }
  package static let calendar = EntryField("calendar", of: .event) { occurrence, _, _ in
    .text(occurrence.event.calendar)
  }
  package static let kind = EntryField("kind", of: .event) { occurrence, _, _ in
    .text(occurrence.event.kind.rawValue)
  }
  package static let title = EntryField("title", of: .event) { occurrence, _, _ in
    let title = occurrence.event.title
    return title.isEmpty ? .none : .text(title)
  }
  package static let allDay = EntryField("allDay", .flag, of: .occurrence) { occurrence, _, _ in
    .flag(occurrence.allDay != nil)
  }
  package static let start = EntryField("start", .time, of: .occurrence) { occurrence, _, context in
    FieldValue(EntryTime(startOf: occurrence), in: context.zone)
  }
  package static let end = EntryField("end", .time, of: .occurrence) { occurrence, _, context in
    FieldValue(EntryTime(endOf: occurrence), in: context.zone)
  }
  package static let alsoStart = EntryField("alsoStart", .time, of: .secondZone) {
    occurrence, _, context in
    guard let zone = context.secondZone else { return .none }
    return FieldValue(EntryTime(startOf: occurrence), in: zone)
  }
  package static let alsoEnd = EntryField("alsoEnd", .time, of: .secondZone) {
    occurrence, _, context in
    guard let zone = context.secondZone else { return .none }
    return FieldValue(EntryTime(endOf: occurrence), in: zone)
  }
  package static let timeZone = EntryField("timeZone", of: .occurrence) { occurrence, _, _ in
    FieldValue(occurrence.timeZoneName)
  }
  package static let day = EntryField("day", .number, of: .entry) { _, _, context in
    .number(context.day)
  }
  package static let days = EntryField("days", .number, of: .occurrence) { occurrence, _, context in
    .number(context.days ?? occurrence.dayCount(in: context.zone))
  }
  package static let status = EntryField("status", of: .event) { occurrence, _, _ in
    FieldValue(occurrence.event.status?.rawValue)
  }
  package static let location = EntryField("location", of: .event) { occurrence, _, _ in
    FieldValue(occurrence.event.location)
  }
  package static let geo = EntryField("geo", .presence, of: .details) { _, details, _ in
    details.coordinates.map(FieldValue.coordinates) ?? .none
  }
  package static let url = EntryField("url", of: .details) { _, details, _ in
    FieldValue(details.url)
  }
  package static let description = EntryField("description", of: .details) { _, details, _ in
    FieldValue(details.description)
  }
  package static let conference = EntryField("conference", of: .details) { _, details, _ in
    FieldValue(details.conference)
  }
  package static let categories = EntryField("categories", of: .event) { occurrence, _, _ in
    .texts(occurrence.event.categories)
  }
  package static let organizer = EntryField("organizer", of: .details) { _, details, _ in
    details.organizer.map(FieldValue.person) ?? .none
  }
  package static let attendees = EntryField("attendees", of: .details) { _, details, _ in
    .attendees(details.attendees)
  }
  package static let attachments = EntryField("attachments", of: .details) {
    occurrence, details, _ in
    .attachments(details.attachments, of: occurrence.event.reference)
  }

  /// The keys of an entry in JSON lines, in their order.
  package static let keys = [
    section, path, id, uid, recurrenceID, calendar, kind, title, allDay, start, end, alsoStart,
    alsoEnd, timeZone, day, days, status, location, geo, url, description, conference, categories,
    organizer, attendees, attachments,
  ]
}

/// The fields that only conditions and templates have.
extension EntryField {
  private static let others = [
    EntryField("in", .length, of: .listing) { occurrence, _, context in
      guard let now = context.now else { return .none }
      return .length(occurrence.isUndated ? 0 : TimeUntil(occurrence.begin, from: now).seconds)
    },
    EntryField("duration", .length, of: .occurrence) { occurrence, _, _ in
      .length(occurrence.seconds)
    },
    EntryField("category", of: .event) { occurrence, _, _ in
      .choice(occurrence.event.categories)
    },
  ]

  /// The parts of other fields.
  private static let parts = [
    EntryField("geo.latitude", .decimal, of: .details) { _, details, _ in
      FieldValue(details.coordinates?.latitude)
    },
    EntryField("geo.longitude", .decimal, of: .details) { _, details, _ in
      FieldValue(details.coordinates?.longitude)
    },
    EntryField("organizer.name", of: .details) { _, details, _ in
      FieldValue(details.organizer?.name)
    },
    EntryField("organizer.email", of: .details) { _, details, _ in
      FieldValue(details.organizer?.email)
    },
    EntryField("attendees.name", of: .details) { _, details, _ in
      .texts(details.attendees.compactMap(\.person.name))
    },
    EntryField("attendees.email", of: .details) { _, details, _ in
      .texts(details.attendees.compactMap(\.person.email))
    },
    EntryField("attendees.status", of: .details) { _, details, _ in
      .texts(details.attendees.map(\.participation))
    },
    EntryField("attachments.number", .number, of: .details) { _, details, _ in
      .numbers(details.attachments.map(\.number))
    },
    EntryField("attachments.mediaType", of: .details) { _, details, _ in
      .texts(details.attachments.compactMap(\.mediaType))
    },
    EntryField("attachments.bytes", .number, of: .details) { _, details, _ in
      .numbers(details.attachments.compactMap(\.byteCount))
    },
    EntryField("attachments.uri", of: .details) { _, details, _ in
      .texts(details.attachments.compactMap(\.uri))
    },
  ]

  /// The fields that a template can name.
  package static let ofTemplates = keys + others

  /// The fields that a condition can name.
  package static let ofConditions = (ofTemplates + parts).filter { $0.owner < .listing }
}

extension [EntryField] {
  package func named(_ name: String) -> EntryField? { first { $0.name == name } }
}

extension Occurrence {
  /// The length in seconds. An all-day entry has 24 hours per day.
  fileprivate var seconds: Int {
    if let days = allDay {
      return days.lowerBound.days(until: min(days.upperBound, .last))
        * TimeOfDay.secondsPerCivilDay
    }
    return finish.secondsSinceEpoch - begin.secondsSinceEpoch
  }

  /// The number of days on which it is listed.
  fileprivate func dayCount(in zone: Zone) -> Int {
    if let days = allDay { return max(1, days.lowerBound.days(until: days.upperBound)) }
    var finder = DayFinder(zone: zone, chunkLength: 1)
    let first = finder.dayNumber(holding: begin)
    let last = finish > begin ? finder.dayNumber(holding: finish.adding(seconds: -1)) : first
    guard last > first else { return 1 }
    return DaySpan(first: first, last: last, isTimed: true)
      .ordinal(of: last, leavingOut: finder.missingDays(from: first, through: last))
  }
}
