import AgendaCore
import AgendaRendering
import CivilTime
import Recurrence
import Testing

/// Occurrences made by hand, and their renderings as text.
struct RenderingSample {
  let zone: Zone
  private(set) var occurrences: [Occurrence] = []
  private(set) var details: [Int: EventDetails] = [:]

  static let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)

  init(zone: String = "Europe/Berlin") throws {
    self.zone = try #require(Self.database.zone(named: zone))
  }

  static func date(_ text: some StringProtocol) throws -> CivilDate {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    try #require(parts.count == 3)
    return try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
  }

  private static func civil(_ text: some StringProtocol) throws -> CivilDateTime {
    let halves = text.split(separator: "T")
    let clock = halves[1].split(separator: ":").compactMap { Int($0) }
    return CivilDateTime(
      try date(halves[0]), try #require(TimeOfDay(hour: clock[0], minute: clock[1])))
  }

  /// From `2026-11-21` for whole days, or from `2026-11-21T09:30` to another such time.
  mutating func add(
    _ title: String, _ start: String, to end: String, in zone: String? = nil,
    kind: Event.Kind = .event, location: String? = nil, status: Event.Status? = nil,
    categories: [String] = [], calendar: String = "home", color: String? = nil, uid: String? = nil,
    recurrenceID: EventTime? = nil, isTransparent: Bool = false, details: EventDetails? = nil
  ) throws {
    let own = try zone.map { try #require(Self.database.zone(named: $0)) } ?? self.zone
    let number = occurrences.count
    var event = Event(
      identity: EventIdentity(uid: uid ?? "\(number)@example.com"), kind: kind, start: nil,
      extent: .unstated, title: title, location: location, status: status, categories: categories,
      color: color, calendar: calendar, reference: EventReference(source: 0, component: number))
    event.isTransparent = isTransparent
    if start.contains("T") {
      let civil = try Self.civil(start)
      occurrences.append(
        Occurrence(
          event: event, start: .zoned(civil, own), begin: own.instant(of: civil),
          finish: own.instant(of: try Self.civil(end)), allDay: nil, recurrenceID: recurrenceID))
    } else {
      let days = try Self.date(start)..<Self.date(end)
      occurrences.append(
        Occurrence(
          event: event, start: .date(days.lowerBound),
          begin: self.zone.startOfDay(days.lowerBound),
          finish: self.zone.startOfDay(days.upperBound),
          allDay: days, recurrenceID: recurrenceID))
    }
    if let details { self.details[number] = details }
  }

  func detailsSource() -> (EventReference) -> EventDetails {
    { [details] in details[$0.component] ?? EventDetails() }
  }

  func agenda(
    from first: String = "2026-11-21", days: Int = 10, options: Agenda.Options = .init(),
    locale: String = "en_GB"
  ) throws -> Agenda {
    let window = try #require(
      DateWindow(firstDay: Self.date(first), length: .days(days), zone: zone))
    return Agenda(
      occurrences, in: window, options: options, wording: DateWording(try LocaleData(locale)))
  }

  /// An ordinary fortnight, with one of everything.
  static func fortnight() throws -> RenderingSample {
    var sample = try RenderingSample()
    var party = EventDetails()
    party.url = "https://example.com/party?a=1&b=(2)"
    party.conference = "https://meet.example.com/abc"
    party.description = "Bring:\n- cake\n- a \"present\""
    party.coordinates = Coordinates(latitude: 52.5, longitude: 13.4)
    party.organizer = Person(name: "Ana", email: "ana@example.com")
    party.attendees = [
      Attendee(
        person: Person(name: nil, email: "bo@example.com"), participation: "needs-action",
        role: "req-participant")
    ]
    party.attachments = [
      Attachment(
        number: 1, mediaType: "image/jpeg", byteCount: 48213, uri: nil, name: nil, isImage: true)
    ]
    try sample.add(
      "Stand-up", "2026-11-23T09:30", to: "2026-11-23T09:45", location: "Room 2", calendar: "work")
    try sample.add("Bank holiday", "2026-11-23", to: "2026-11-24")
    try sample.add(
      "Trip to Rome", "2026-11-20", to: "2026-11-23", location: "Rome", categories: ["travel"])
    try sample.add(
      "Night train", "2026-11-24T22:15", to: "2026-11-25T06:40", location: "Platform 7",
      categories: ["travel"])
    try sample.add("Deadline", "2026-11-25T17:00", to: "2026-11-25T17:00", calendar: "work")
    try sample.add(
      "Call with New York about the budget of the coming year and everything that hangs on it",
      "2026-11-25T10:00", to: "2026-11-25T11:00", in: "America/New_York",
      location: "https://meet.example.com/a-very-long-room-name-that-nobody-can-read-aloud",
      status: .tentative, calendar: "work")
    try sample.add("Choir", "2026-11-26T19:00", to: "2026-11-26T21:00", status: .cancelled)
    try sample.add(
      "Pay the rent", "2026-11-26", to: "2026-11-27", kind: .task, status: .needsAction)
    try sample.add(
      "Buy cake", "2026-11-26T12:00", to: "2026-11-26T12:00", kind: .task, status: .completed)
    try sample.add(
      "誕生日パーティー 🎂 with 家族", "2026-11-27T18:00", to: "2026-11-28T01:00", location: "東京カフェ",
      categories: ["family"], details: party)
    try sample.add("لقاء مع أنا", "2026-11-28T10:00", to: "2026-11-28T11:30", location: "القاهرة")
    try sample.add("", "2026-11-28T12:00", to: "2026-11-28T12:30")
    try sample.add(
      "# <img src=x> *bold* [a](b) `c` \u{1b}[31mred\u{7}\u{202e}evil", "2026-11-29T08:00",
      to: "2026-11-29T09:00",
      location: "a\tb\nc", calendar: "we|ird")
    return sample
  }
}

/// A rendering as text.
func text(_ body: (inout ByteSink) -> Void) -> String {
  String(decoding: ByteSink.bytes(of: body), as: UTF8.self)
}
