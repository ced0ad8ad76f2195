import AgendaKit
import Foundation
import TestSupport

/// Conditions that are valid but otherwise random, and the calendar that they are asked of.
struct RandomConditions {
  var generator: SeededGenerator

  static func calendars() throws -> Calendars {
    let folder = try ScratchFolder()
    return try withExtendedLifetime(folder) {
      try Calendars(contentsOf: sources(in: folder))
    }
  }

  static func sources(in folder: ScratchFolder) throws -> [String] {
    let path = Repository.fixtures.appendingPathComponent("calendars/household.ics").path
    let extra = extra.replacingOccurrences(of: "\n", with: "\r\n")
    return [path, try folder.write("extra.ics", extra)]
  }

  static func window() throws -> DateWindow {
    let zone = try ZoneDatabase.system(TZDIR: nil).loadZone(named: "Europe/Berlin")
    guard let first = CivilDate(year: 2026, month: 11, day: 1),
      let window = DateWindow(firstDay: first, length: .months(6), zone: zone)
    else { throw CocoaError(.featureUnsupported) }
    return window
  }

  /// Details of every kind, and entries that cross a change of the clocks.
  private static let extra = """
    BEGIN:VCALENDAR
    VERSION:2.0
    X-WR-CALNAME:Extra
    BEGIN:VEVENT
    UID:people
    DTSTART;TZID=America/New_York:20261201T200000
    DTEND;TZID=America/New_York:20261201T213000
    SUMMARY:Réunion "Room 2"
    LOCATION:ROOM 2
    DESCRIPTION:Bring the report
    URL:https://example.com/a
    GEO:52.5;13.4
    STATUS:TENTATIVE
    CATEGORIES:team,private
    ORGANIZER;CN=Ana:mailto:ana@example.com
    ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.com
    ATTENDEE;PARTSTAT=DECLINED:mailto:cy@example.com
    ATTACH;FMTTYPE=image/jpeg:https://example.com/p.jpg
    ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=
    END:VEVENT
    BEGIN:VEVENT
    UID:night
    DTSTART;TZID=Europe/Berlin:20270327T220000
    DTEND;TZID=Europe/Berlin:20270329T060000
    SUMMARY:Night train
    GEO:-33.86;151.21
    ATTENDEE:mailto:bo@example.com
    END:VEVENT
    BEGIN:VEVENT
    UID:point
    DTSTART:20261224T230000Z
    CATEGORIES:team
    END:VEVENT
    BEGIN:VEVENT
    UID:series
    DTSTART:20261130T090000
    DURATION:PT45M
    RRULE:FREQ=WEEKLY;COUNT=12
    SUMMARY:Stand-up
    STATUS:CONFIRMED
    END:VEVENT
    BEGIN:VEVENT
    UID:moved
    DTSTART;VALUE=DATE:20261205
    DTEND;VALUE=DATE:20261208
    RRULE:FREQ=MONTHLY;COUNT=4
    SUMMARY:Days off
    END:VEVENT
    END:VCALENDAR

    """

  mutating func next() -> String { alternatives(depth: 0) }

  private mutating func alternatives(depth: Int) -> String {
    (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in term(depth: depth) }
        .joined(separator: " and ")
    }.joined(separator: " or ")
  }

  private mutating func term(depth: Int) -> String {
    switch Int.random(in: 0..<(depth < 3 ? 6 : 4), using: &generator) {
    case 4: "(" + alternatives(depth: depth + 1) + ")"
    case 5: "not " + term(depth: depth + 1)
    default: comparison()
    }
  }

  private mutating func pick(_ choices: [String]) -> String {
    choices.randomElement(using: &generator) ?? ""
  }

  private mutating func comparison() -> String {
    let orders = ["=", "!=", "<", "<=", ">", ">="]
    let space = pick(["", " "])
    if Int.random(in: 0..<8, using: &generator) == 0 {
      return pick(Condition.fieldNames) + space + pick(["=", "!="]) + space + "null"
    }
    switch Int.random(in: 0..<9, using: &generator) {
    case 7:
      return "day" + space + pick(orders) + space + pick(["1", "2", "3", "4", "0"])
    case 8:
      return "indexPath" + space + pick(["=", "!=", "~"]) + space
        + pick(["1.1", "2.1", "3.2", "1.12", "1.", ".1", "\"5.\"", "0.1", "\"\""])
    case 5:
      return pick(["geo.latitude", "geo.longitude"]) + space + pick(orders) + space
        + pick(["52.5", "0", "-33.86", "13", "151.21", "1e2"])
    case 6:
      return pick(["attachments.number", "attachments.bytes"]) + space + pick(orders) + space
        + pick(["1", "2", "5", "0", "100"])
    case 0:
      return pick(["start", "end", "recurrenceId"]) + space + pick(orders) + space
        + pick([
          "2026-12-01", "2026-12-02", "2026-11-30", "2027-03-28", "2026-12-05",
          "2026-12-02T02:00", "\"2026-12-24 23:59\"", "2026-12-25T00:00:00+01:00",
          "2027-03-28T02:30", "2026-12-07T09:00:00", "2026-11-30T08:00:00Z",
        ])
    case 1:
      return "duration" + space + pick(orders) + space
        + pick(["0", "45m", "1h", "1h30m", "90m", "1d", "3d", "31h", "PT1H", "1w", "2700s"])
    case 2: return "days" + space + pick(orders) + space + pick(["1", "2", "3", "0"])
    case 3: return "allDay" + space + pick(["=", "!="]) + space + pick(["true", "false"])
    default:
      let field = pick([
        "id", "uid", "calendar", "kind", "title", "timeZone", "status", "location", "url",
        "description", "conference", "categories", "category", "organizer", "attendees",
        "attachments", "organizer.name", "organizer.email", "attendees.name", "attendees.email",
        "attendees.status", "attachments.mediaType", "attachments.uri",
      ])
      let value = pick([
        "team", "private", "\"room 2\"", "\"ROOM 2\"", "ana", "Bo", "event", "confirmed",
        "tentative", "Europe/Berlin", "UTC", "Extra", "people", "\"\"", "\"null\"", "e",
        "\"Réunion \\\"Room 2\\\"\"", "RÉUNION", "https", "image/jpeg", "\"Stand-up\"", "report",
        "accepted", "declined", "needs-action", "bo@example.com", "example",
      ])
      return field + space + pick(["=", "!=", "~"]) + space + value
    }
  }
}
