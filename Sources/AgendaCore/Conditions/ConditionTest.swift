package import CivilTime
internal import Recurrence

/// One comparison of a condition.
package struct ConditionTest: Sendable {
  package enum Expected: Sendable {
    case null
    case text(String)
    /// In lower case.
    case part(String)
    case flag(Bool)
    case number(Int, Order)
    case decimal(Double, Order)
    case day(CivilDate, Order)
    case moment(Instant, Order)
  }

  package enum Order: String, Sendable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .equal: left == right
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      case .greaterOrEqual: left >= right
      }
    }
  }

  let field: ConditionField
  let expected: Expected

  package init(field: ConditionField, expected: Expected) {
    self.field = field
    self.expected = expected
  }

  func matches(_ subject: inout ConditionSubject) -> Bool {
    switch expected {
    case .null: subject.isNull(field)
    case .text(let text): subject.texts(of: field).contains(text)
    case .part(let part):
      subject.texts(of: field).contains { $0.lowercased().utf8.contains(part.utf8) }
    case .flag(let flag): subject.isAllDay == flag
    case .number(let number, let order):
      subject.numbers(of: field).contains { order.holds($0, number) }
    case .decimal(let number, let order):
      subject.decimal(field).map { order.holds($0, number) } ?? false
    case .day(let day, let order):
      subject.time(field).map { order.holds(subject.day(of: $0), day) } ?? false
    case .moment(let moment, let order):
      subject.time(field).map { order.holds($0.instant(for: subject.zone), moment) } ?? false
    }
  }
}

/// The entry that a condition is checked against. Details are read when the first test needs them.
struct ConditionSubject {
  let event: Event
  /// `nil` while only the fields of the event are compared.
  let occurrence: Occurrence?
  /// The number of the entry's day within the occurrence, from 1.
  private let day: Int
  private let path: EntryPath?
  let zone: Zone
  private let readDetails: (EventReference) -> EventDetails
  private var knownDetails: EventDetails?

  init(
    _ event: Event, _ occurrence: Occurrence?, day: Int = 1, at path: EntryPath? = nil, zone: Zone,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.event = event
    self.occurrence = occurrence
    self.day = day
    self.path = path
    self.zone = zone
    readDetails = details
  }

  private mutating func details() -> EventDetails {
    if let knownDetails { return knownDetails }
    let details = event.details(readDetails)
    knownDetails = details
    return details
  }

  var isAllDay: Bool { occurrence?.allDay != nil }

  private var isUndated: Bool { occurrence?.isUndated ?? false }

  /// The values of a text field; empty if it is null.
  mutating func texts(of field: ConditionField) -> [String] {
    switch field {
    case .id: occurrence.map { [OccurrenceID(of: $0).description] } ?? []
    case .indexPath: present(path?.description)
    case .uid: [event.identity.uid]
    case .calendar: [event.calendar]
    case .kind: [event.kind.rawValue]
    case .title: event.title.isEmpty ? [] : [event.title]
    case .timeZone: present(occurrence?.timeZoneName)
    case .status: present(event.status?.rawValue)
    case .location: present(event.location)
    case .categories, .category: event.categories
    case .url: present(details().url)
    case .description: present(details().description)
    case .conference: present(details().conference)
    case .organizer: details().organizer.map(texts) ?? []
    case .organizerName: present(details().organizer?.name)
    case .organizerEmail: present(details().organizer?.email)
    case .attendees: details().attendees.flatMap { texts(of: $0.person) }
    case .attendeeName: details().attendees.compactMap(\.person.name)
    case .attendeeEmail: details().attendees.compactMap(\.person.email)
    case .attendeeStatus: details().attendees.map(\.participation)
    case .attachments:
      details().attachments.flatMap { present($0.mediaType) + present($0.uri) }
    case .attachmentMediaType: details().attachments.compactMap(\.mediaType)
    case .attachmentURI: details().attachments.compactMap(\.uri)
    case .recurrenceId, .allDay, .start, .end, .day, .days, .geo, .latitude, .longitude, .duration,
      .attachmentNumber, .attachmentBytes:
      []
    }
  }

  private func present(_ text: String?) -> [String] { text.map { [$0] } ?? [] }

  private func texts(of person: Person) -> [String] {
    present(person.name) + present(person.email)
  }

  mutating func isNull(_ field: ConditionField) -> Bool {
    switch field {
    case .recurrenceId: occurrence?.recurrenceID == nil
    case .start, .end: isUndated
    case .allDay, .day, .days, .duration: false
    case .geo, .latitude, .longitude: details().coordinates == nil
    case .organizer: details().organizer == nil
    case .attendees: details().attendees.isEmpty
    case .attachments: details().attachments.isEmpty
    case .attachmentNumber, .attachmentBytes: numbers(of: field).isEmpty
    default: texts(of: field).isEmpty
    }
  }

  mutating func decimal(_ field: ConditionField) -> Double? {
    let coordinates = details().coordinates
    return field == .latitude ? coordinates?.latitude : coordinates?.longitude
  }

  /// The values of a field of numbers or of a length, in seconds.
  mutating func numbers(of field: ConditionField) -> [Int] {
    switch field {
    case .attachmentNumber: details().attachments.map(\.number)
    case .attachmentBytes: details().attachments.compactMap(\.byteCount)
    default: number(field).map { [$0] } ?? []
    }
  }

  /// The number of the day, the number of days, or the length in seconds. An all-day entry has 24
  /// hours per day.
  private func number(_ field: ConditionField) -> Int? {
    if field == .day { return day }
    guard let occurrence else { return nil }
    if let days = occurrence.allDay {
      if field == .days { return max(1, days.lowerBound.days(until: days.upperBound)) }
      let end = min(days.upperBound, .last)
      return days.lowerBound.days(until: end) * TimeOfDay.secondsPerCivilDay
    }
    let begin = occurrence.begin
    let finish = occurrence.finish
    if field == .duration { return finish.secondsSinceEpoch - begin.secondsSinceEpoch }
    var finder = DayFinder(zone: zone, chunkLength: 1)
    let first = finder.dayNumber(holding: begin)
    let last = finish > begin ? finder.dayNumber(holding: finish.adding(seconds: -1)) : first
    guard last > first else { return 1 }
    return DaySpan(first: first, last: last, isTimed: true)
      .ordinal(of: last, leavingOut: finder.missingDays(from: first, through: last))
  }

  /// A time in the form of the JSON: the date of an all-day entry, otherwise a moment.
  enum Time {
    case date(CivilDate)
    case moment(Instant)

    func instant(for zone: Zone) -> Instant {
      switch self {
      case .date(let date): zone.startOfDay(date)
      case .moment(let moment): moment
      }
    }
  }

  func time(_ field: ConditionField) -> Time? {
    guard let occurrence, !isUndated else { return nil }
    switch field {
    case .recurrenceId:
      guard let time = occurrence.recurrenceID else { return nil }
      if case .date(let date) = time { return .date(date) }
      return .moment(time.instant(for: zone))
    case .start:
      return occurrence.allDay.map { .date($0.lowerBound) } ?? .moment(occurrence.begin)
    case .end:
      return occurrence.allDay.map { .date(min($0.upperBound, .last)) }
        ?? .moment(occurrence.finish)
    default: return nil
    }
  }

  func day(of time: Time) -> CivilDate {
    switch time {
    case .date(let date): date
    case .moment(let moment): zone.civil(at: moment).date
    }
  }
}
