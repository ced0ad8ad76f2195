import Testing

@testable import AgendaCommands

/// What `explain` says about an entry of a file and of a store.
@Suite("explanations of times")
struct ExplainedTimeTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// The explanation of the first entry from 1 December on. It is the same for the store, which names
  /// the file by its path too.
  private func explanation(_ lines: String, calendar: String = "") throws -> String {
    try fixture.write(
      "a.ics",
      "BEGIN:VCALENDAR\n\(calendar)BEGIN:VEVENT\nUID:1\nSUMMARY:Talk\n\(lines)\nEND:VEVENT\n"
        + "END:VCALENDAR\n")
    let file = fixture.path("a.ics")
    let arguments = ["explain", "1.1", "--from", "2026-12-01"]
    let explained = fixture.run(arguments + [file]).output
    _ = fixture.run(["import", file], isPinned: false)
    #expect(fixture.run(arguments).output == explained)
    return explained
  }

  private static let zoneName = "X-WR-TIMEZONE:Asia/Tokyo\n"
  private static let origin = "from the calendar's X-WR-TIMEZONE"

  // Checks Decisions: Time zones/8
  @Test("a TZID that is unknown leaves the time to X-WR-TIMEZONE, and the explanation says so")
  func unknownZone() throws {
    let text = try explanation("DTSTART;TZID=Nope:20261201T100000", calendar: Self.zoneName)
    #expect(text.contains("Asia/Tokyo, rules of tzdata"))
    #expect(text.contains("written as \"Nope\"; \(Self.origin)\n"), "\(text)")
  }

  @Test(
    "X-WR-TIMEZONE is not mentioned if the TZID means a zone",
    arguments: [
      "Tokyo Standard Time", "/example.com/Asia/Tokyo", "Asia/Tokyo", "Europe/Rome",
    ])
  func knownZone(_ name: String) throws {
    let text = try explanation("DTSTART;TZID=\(name):20261201T100000", calendar: Self.zoneName)
    #expect(!text.contains(Self.origin), "\(text)")
  }

  // Checks RFC 5545: 3.8.5.1/4
  @Test(
    "the start of a series is not its first occurrence if it is excluded",
    arguments: ["EXRULE:FREQ=WEEKLY;BYDAY=TU", "EXDATE:20261201T100000Z"])
  func excludedStart(_ exclusion: String) throws {
    let series = "DTSTART:20261201T100000Z\nRRULE:FREQ=DAILY;COUNT=10"
    let first = "first       Tuesday, 1 December 2026"
    #expect(try explanation(series).contains(first))
    let text = try explanation("\(series)\n\(exclusion)")
    #expect(!text.contains(first), "\(text)")
    #expect(text.contains("Wednesday, 2 December 2026"))
  }

  @Test("a VTIMEZONE is found whatever the letter case of its TZID")
  func letterCase() throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:My Zone
      BEGIN:STANDARD
      DTSTART:19700101T000000
      TZOFFSETFROM:+0500
      TZOFFSETTO:+0500
      END:STANDARD
      END:VTIMEZONE

      """
    let text = try explanation("DTSTART;TZID=\"my zone\":20261201T100000", calendar: zone)
    #expect(text.contains("Tuesday, 1 December 2026, 06:00"), "\(text)")
  }
}
