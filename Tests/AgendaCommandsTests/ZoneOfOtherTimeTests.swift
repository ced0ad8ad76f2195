import TestSupport
import Testing

/// Times without a zone, or with an unknown one, next to a DTSTART or an end with a zone. The times
/// are converted by hand.
@Suite("a time without a known zone is in the zone of the event's other time")
struct ZoneOfOtherTimeTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static let text = """
    BEGIN:VCALENDAR
    X-WR-TIMEZONE:Asia/Tokyo
    BEGIN:VEVENT
    UID:dates
    DTSTART;TZID=America/New_York:20261201T090000
    RDATE:20261203T090000,20261204T090000
    SUMMARY:Dates
    END:VEVENT
    BEGIN:VEVENT
    UID:period
    DTSTART;TZID=America/New_York:20261207T090000
    RDATE;VALUE=PERIOD:20261208T090000/20261208T100000
    SUMMARY:Period
    END:VEVENT
    BEGIN:VEVENT
    UID:end
    DTSTART;TZID=America/New_York:20261210T110000
    DTEND;TZID=Nowhere/Xyz:20261210T120000
    SUMMARY:End
    END:VEVENT
    BEGIN:VEVENT
    UID:start
    DTSTART;TZID=Nowhere/Abc:20261211T130000
    DTEND;TZID=America/New_York:20261211T140000
    SUMMARY:Start
    END:VEVENT
    BEGIN:VEVENT
    UID:utc
    DTSTART:20261214T150000Z
    RDATE:20261215T150000
    SUMMARY:UTC
    END:VEVENT
    BEGIN:VEVENT
    UID:exceptions
    DTSTART;TZID=America/New_York:20261216T090000
    RRULE:FREQ=DAILY;COUNT=5
    EXDATE:20261217T090000,20261218T090000
    EXDATE;TZID=Nowhere/Except:20261219T090000
    SUMMARY:Exceptions
    END:VEVENT
    BEGIN:VEVENT
    UID:moved
    DTSTART:20261221T150000Z
    RRULE:FREQ=DAILY;COUNT=2
    EXDATE:20261221T150000
    SUMMARY:Moved
    END:VEVENT
    BEGIN:VEVENT
    UID:moved
    RECURRENCE-ID:20261222T150000
    DTSTART:20261222T160000Z
    SUMMARY:Moved
    END:VEVENT
    BEGIN:VEVENT
    UID:added
    DTSTART;TZID=Nowhere/Start:20261224T090000
    DTEND;TZID=America/New_York:20261224T100000
    RDATE;TZID=Nowhere/Start:20261225T090000,20261226T090000
    EXDATE;TZID=Nowhere/Start:20261226T090000
    SUMMARY:Added
    END:VEVENT
    BEGIN:VEVENT
    UID:added
    RECURRENCE-ID;TZID=Nowhere/Id:20261225T090000
    DTSTART;TZID=America/New_York:20261225T110000
    SUMMARY:Added
    END:VEVENT
    BEGIN:VEVENT
    UID:abroad
    DTSTART;TZID=America/New_York:20261228T090000
    RRULE:FREQ=DAILY;COUNT=2
    SUMMARY:Abroad
    END:VEVENT
    BEGIN:VEVENT
    UID:abroad
    RECURRENCE-ID:20261228T090000
    DTSTART;TZID=Europe/Berlin:20261228T180000
    SUMMARY:Abroad
    END:VEVENT
    BEGIN:VEVENT
    UID:abroad
    RECURRENCE-ID:20261229T090000
    DTSTART:20261229T180000Z
    SUMMARY:Abroad
    END:VEVENT
    END:VCALENDAR

    """

  private static let expected = [
    "2026-12-01T14:00:00Z 2026-12-01T14:00:00Z Dates",
    "2026-12-03T14:00:00Z 2026-12-03T14:00:00Z Dates",
    "2026-12-04T14:00:00Z 2026-12-04T14:00:00Z Dates",
    "2026-12-07T14:00:00Z 2026-12-07T14:00:00Z Period",
    "2026-12-08T14:00:00Z 2026-12-08T15:00:00Z Period",
    "2026-12-10T16:00:00Z 2026-12-10T17:00:00Z End",
    "2026-12-11T18:00:00Z 2026-12-11T19:00:00Z Start",
    "2026-12-14T15:00:00Z 2026-12-14T15:00:00Z UTC",
    "2026-12-15T15:00:00Z 2026-12-15T15:00:00Z UTC",
    "2026-12-16T14:00:00Z 2026-12-16T14:00:00Z Exceptions",
    "2026-12-20T14:00:00Z 2026-12-20T14:00:00Z Exceptions",
    "2026-12-22T16:00:00Z 2026-12-22T16:00:00Z Moved",
    "2026-12-24T14:00:00Z 2026-12-24T15:00:00Z Added",
    "2026-12-25T16:00:00Z 2026-12-25T16:00:00Z Added",
    "2026-12-28T17:00:00Z 2026-12-28T17:00:00Z Abroad",
    "2026-12-29T18:00:00Z 2026-12-29T18:00:00Z Abroad",
  ]

  @Test("from the file and from the store, with warnings, and with or without X-WR-TIMEZONE")
  func zones() throws {
    for (name, text) in [
      ("tokyo.ics", Self.text),
      ("plain.ics", Self.text.replacing("X-WR-TIMEZONE:Asia/Tokyo\n", with: "")),
    ] {
      try fixture.write(name, text)
      let store = ["--store", fixture.path("\(name).sqlite")]
      let imported = fixture.run(["import", fixture.path(name)] + store, isPinned: false)
      for warning in [
        "RDATE: has no TZID, but DTSTART has one; read in the same zone",
        "RDATE: has no TZID, but DTSTART is in UTC; read in UTC",
        "unknown TZID \"Nowhere/Xyz\"; read in the zone of the event's other time",
        "unknown TZID \"Nowhere/Abc\"; read in the zone of the event's other time",
        "EXDATE: has no TZID, but DTSTART has one; read in the same zone",
        "EXDATE: has no TZID, but DTSTART is in UTC; read in UTC",
        "RECURRENCE-ID: has no TZID, but DTSTART is in UTC; read in the zone of the series",
        "RECURRENCE-ID: has no TZID, but DTSTART has one; read in the zone of the series",
        "unknown TZID \"Nowhere/Except\"; read in the zone of the event's other time",
        "unknown TZID \"Nowhere/Start\"; read in the zone of the event's other time",
        "unknown TZID \"Nowhere/Id\"; read in the zone of the event's other time",
      ] {
        #expect(imported.errors.contains(warning), "\(imported.errors)")
      }
      for source in [[fixture.path(name)], store] {
        let rows = fixture.rows(
          ["show"] + source + ["--from", "2026-12-01", "--months", "1", "--timezone", "UTC"])
        #expect(
          rows.map { "\($0["start"] ?? "") \($0["end"] ?? "") \($0["title"] ?? "")" }
            == Self.expected)
      }
    }
  }

  @Test(
    "a warning names both readings of an unknown zone, in whatever order they come",
    arguments: [("", "local time"), ("X-WR-TIMEZONE:Asia/Tokyo\n", "Asia/Tokyo")])
  func bothReadings(_ head: String, _ zone: String) throws {
    func event(_ uid: Int, _ lines: String) -> String {
      "BEGIN:VEVENT\nUID:\(uid)\nDTSTART;TZID=Foo:20261124T080000\n\(lines)END:VEVENT\n"
    }
    let both = event(1, "DTEND;TZID=America/New_York:20261124T090000\n")
    let alone = event(2, "")
    let words = "unknown TZID \"Foo\"; read in the zone of the event's other time"
    for (events, ending) in [
      (both + alone, ", otherwise as \(zone) (2 times)"),
      (alone + both, ", otherwise as \(zone) (2 times)"), (both, ""),
    ] {
      try fixture.write("a.ics", "BEGIN:VCALENDAR\n\(head)\(events)END:VCALENDAR\n")
      let run = fixture.run(["check", fixture.path("a.ics")])
      #expect(run.output.contains(words + ending + "\n"), "\(run.output)")
    }
  }
}
