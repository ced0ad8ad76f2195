import AgendaCore
import CivilTime
import Testing

@testable import AgendaReader

/// The zone of a calendar in vCalendar 1.0: TZ, and DAYLIGHT with up to six fields.
@Suite struct VCalendarZoneTests {
  private func read(_ properties: [String]) throws -> CalendarFile {
    let text =
      ["BEGIN:VCALENDAR", "VERSION:1.0"] + properties + [
        "BEGIN:VEVENT", "UID:a", "DTSTART:20260706T090000", "END:VEVENT", "BEGIN:VEVENT", "UID:b",
        "DTSTART:20261206T090000", "END:VEVENT", "END:VCALENDAR", "",
      ]
    return try CalendarReader(zones: .system(TZDIR: nil)).read(
      SourceBytes(Array(text.joined(separator: "\r\n").utf8)), name: "phone")
  }

  @Test(
    "the names of the offsets are those of DAYLIGHT, or else that of the zone",
    arguments: [
      (";CET;CEST", ["CEST", "CET"]), (";CET", ["+01/+02", "CET"]), ("", ["+01/+02", "+01/+02"]),
      (";CET;CEST;more", ["CEST", "CET"]),
    ])
  func names(fields: String, names: [String]) throws {
    let file = try read(["TZ:+01", "DAYLIGHT:TRUE;+02;20260329T020000;20261025T030000\(fields)"])
    let found = try file.allEvents.map { event in
      let start = try #require(event.start)
      return try #require(start.zone).abbreviation(at: start.instant(for: .utc))
    }
    #expect(found == names)
    #expect(
      file.allEvents.map { $0.start?.instant(for: .utc).description }
        == ["2026-07-06T07:00:00Z", "2026-12-06T08:00:00Z"])
  }

  @Test(
    "a DAYLIGHT that is not understood is reported, and does not count",
    arguments: [
      "TRUE;+02;20260329T020000", "TRUE;soon;20260329T020000;20261025T030000;CET;CEST",
      "TRUE;+02;20261025T030000;20260329T020000;CET;CEST",
      "MAYBE;+02;20260329T020000;20261025T030000",
    ])
  func invalid(text: String) throws {
    let file = try read(["TZ:+01", "DAYLIGHT:\(text)"])
    #expect(file.findings.count { $0.property == "DAYLIGHT" } == 1)
    #expect(file.allEvents.first?.start?.instant(for: .utc).description == "2026-07-06T08:00:00Z")
  }
}
