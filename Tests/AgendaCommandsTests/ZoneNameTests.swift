import TestSupport
import Testing

/// Which names of zones programs get: those that mean the same everywhere.
@Suite("names of zones in the output for programs")
struct ZoneNameTests {
  private static let text = """
    BEGIN:VCALENDAR
    BEGIN:VTIMEZONE
    TZID:Ours
    BEGIN:STANDARD
    DTSTART:20200101T000000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0200
    TZNAME:OUR
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VTIMEZONE
    TZID:Theirs
    X-LIC-LOCATION:Asia/Tokyo
    BEGIN:STANDARD
    DTSTART:20200101T000000
    TZOFFSETFROM:+0900
    TZOFFSETTO:+0900
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:1
    DTSTART;TZID=Ours:20261124T090000
    END:VEVENT
    BEGIN:VEVENT
    UID:2
    DTSTART;TZID=Theirs:20261124T170000
    END:VEVENT
    BEGIN:VEVENT
    UID:3
    DTSTART;TZID=GMT+05:30:20261124T140000
    END:VEVENT
    BEGIN:VEVENT
    UID:4
    DTSTART;TZID=W. Europe Standard Time:20261124T100000
    END:VEVENT
    BEGIN:VEVENT
    UID:5
    DTSTART:20261124T110000Z
    END:VEVENT
    END:VCALENDAR
    BEGIN:VCALENDAR
    VERSION:1.0
    TZ:+01
    DAYLIGHT:TRUE;+02;20260329T020000;20261025T030000;CET;CEST
    BEGIN:VEVENT
    UID:6
    DTSTART:20261124T130000
    END:VEVENT
    END:VCALENDAR

    """

  /// By UID.
  private static let names: [String?] = [
    nil, "Asia/Tokyo", nil, "Europe/Berlin", "UTC", nil,
  ]

  @Test("a zone that only the file defines has none, from the file and from the store")
  func names() throws {
    let fixture = try OptionFixture()
    try fixture.write("zones.ics", Self.text)
    let imported = fixture.run(["import", fixture.path("zones.ics")], isPinned: false)
    try #require(imported.status == .done, "\(imported.errors)")
    for source in [[fixture.path("zones.ics")], []] {
      let entries = try fixture.entries(source)
      #expect(entries.map { $0["uid"] as? String } == ["1", "2", "3", "4", "5", "6"])
      #expect(entries.map { $0["timeZone"] as? String } == Self.names)
      let rows = fixture.rows(["show"] + source)
      #expect(rows.map { $0["timeZone"] } == Self.names.map { $0 ?? "" })
      let template = fixture.run(["show", "--template", "{timeZone}"] + source).output
      #expect(template == Self.names.map { ($0 ?? "") + "\n" }.joined())
      let found = fixture.run(
        ["show", "--where", "timeZone ~ \"+\"", "--template", "{uid}"] + source)
      #expect(found.output == "")
    }
  }

  @Test(
    "a time in a zone that only TZ defines is written in UTC, and a series there needs a zone",
    arguments: [
      ("EST5EDT,M3.2.0,M11.1.0", "20261123T140000Z"), ("<+0530>-5:30", "20261123T033000Z"),
    ])
  func zoneOfRule(_ zone: String, _ start: String) throws {
    let fixture = try OptionFixture()
    try fixture.write("vdir/day.ics", calendar(event("day", "DTSTART;VALUE=DATE:20261123")))
    fixture.run(["import", fixture.path("vdir")], isPinned: false)
    func run(_ arguments: [String]) -> InMemoryRun {
      fixture.run(
        arguments + ["--now", "2026-11-21T09:00:00+01:00"], isPinned: false,
        variables: ["TZ": zone])
    }
    let added = run(["add", "23 nov", "9:00", "Foo", "--calendar", "vdir", "--dry-run"])
    #expect(added.output.contains("+DTSTART:\(start)\n"), "\(added)")
    let edited = run(["edit", "day", "--at", "9:00", "--dry-run"])
    #expect(edited.output.contains("+DTSTART:\(start)\n"), "\(edited)")
    let series = run(["add", "every", "monday", "9:00", "Foo"])
    #expect(series.status == .wrongCommandLine && series.errors.hasSuffix(": add --in-zone\n"))
    let single = run(["add", "23 nov", "9:00", "Bar", "--calendar", "vdir"])
    let repeated = run(["edit", "bar", "--repeat", "weekly"])
    #expect(single.status == .done && repeated.status == .wrongCommandLine, "\(repeated)")
    let named = run(["add", "every", "monday", "9:00", "Foo", "--in-zone", "Europe/Berlin"])
    #expect(named.status == .done, "\(named)")
  }
}
