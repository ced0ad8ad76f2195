import AgendaCore
import CivilTime
import Recurrence
import Testing

/// Zones of the system, and occurrences made by hand.
enum AgendaSample {
  static let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)

  static func zone(_ name: String) throws -> Zone {
    try #require(database.zone(named: name), "no zone data for \(name)")
  }

  static func date(_ text: String) throws -> CivilDate {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    try #require(parts.count == 3)
    return try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
  }

  static func window(_ first: String, days: Int = 1, _ zone: Zone) throws -> DateWindow {
    try #require(DateWindow(firstDay: date(first), length: .days(days), zone: zone))
  }

  static func event(
    _ title: String = "", uid: String? = nil, kind: Event.Kind = .event, location: String? = nil,
    status: Event.Status? = nil, categories: [String] = [], calendar: String = "home",
    sharesUID: Bool = false, start: EventTime? = nil, component: Int = 0
  ) -> Event {
    Event(
      identity: EventIdentity(uid: uid ?? "\(title)@example.com"), kind: kind, start: start,
      extent: .unstated, title: title, location: location, status: status, categories: categories,
      calendar: calendar, sharesUID: sharesUID,
      reference: EventReference(source: 0, component: component))
  }

  /// `2026-11-21T09:30` in the zone, for so many seconds.
  static func timed(
    _ start: String, seconds: Int, _ zone: Zone, _ event: Event, recurrenceID: EventTime? = nil
  ) throws -> Occurrence {
    let halves = start.split(separator: "T")
    let clock = halves[1].split(separator: ":").compactMap { Int($0) }
    let time = try #require(TimeOfDay(hour: clock[0], minute: clock[1]))
    let civil = try CivilDateTime(date(String(halves[0])), time)
    let begin = zone.instant(of: civil)
    return Occurrence(
      event: event, start: .zoned(civil, zone), begin: begin,
      finish: begin.adding(seconds: seconds),
      allDay: nil, recurrenceID: recurrenceID)
  }

  static func allDay(
    _ first: String, days: Int, _ zone: Zone, _ event: Event
  ) throws -> Occurrence {
    let first = try date(first)
    let end = try #require(first.adding(days: days))
    return Occurrence(
      event: event, start: .date(first), begin: zone.startOfDay(first),
      finish: zone.startOfDay(end), allDay: first..<end, recurrenceID: nil)
  }
}
