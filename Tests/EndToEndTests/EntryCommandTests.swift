import Foundation
import TestSupport
import Testing

/// `event`, `explain`, `attachment`, `alarms`, `free`, `calendar` and `check` on the built program.
@Suite("commands for one entry, for time and for sources")
struct EntryCommandTests {
  static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    X-WR-CALNAME:Work
    BEGIN:VEVENT
    UID:daily
    DTSTART;TZID=Europe/Berlin:20261019T093000
    DTEND;TZID=Europe/Berlin:20261019T094500
    RRULE:FREQ=DAILY
    EXDATE;TZID=Europe/Berlin:20261020T093000
    SUMMARY:Stand-up
    LOCATION:Room 2
    GEO:52.5;13.4
    DESCRIPTION:Bring\\nnumbers
    URL:https://example.com/standup
    ORGANIZER;CN=Ana:mailto:ana@example.com
    ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.com
    ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=
    ATTACH;FMTTYPE=image/png:https://example.com/picture.png
    X-ROOM-COLOUR:green
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    REPEAT:1
    DURATION:PT5M
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:daily
    RECURRENCE-ID;TZID=Europe/Berlin:20261122T093000
    DTSTART;TZID=Europe/Berlin:20261122T110000
    DTEND;TZID=Europe/Berlin:20261122T111500
    SUMMARY:Stand-up (moved)
    END:VEVENT
    BEGIN:VEVENT
    UID:call
    DTSTART;TZID=Eastern Standard Time:20261121T040000
    DTEND;TZID=Eastern Standard Time:20261121T050000
    SUMMARY:Call
    END:VEVENT
    BEGIN:VEVENT
    UID:gap
    DTSTART;TZID=Europe/Berlin:20270328T023000
    SUMMARY:In the gap
    END:VEVENT
    BEGIN:VEVENT
    UID:floating
    DTSTART:20261123T120000
    SUMMARY:\u{1b}]0;owned\u{7}Floating\u{202e}
    END:VEVENT
    END:VCALENDAR

    """.replacingOccurrences(of: "\n", with: "\r\n")

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("work.ics", Self.calendar)
  }

  private func agenda(_ arguments: String...) throws -> AgendaRun {
    try AgendaRun(
      arguments + ["--now", "2026-11-21T09:00:00+01:00"], in: folder.url)
  }

  private func json(_ run: AgendaRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  // Checks RFC 5545: 3.1.2/2
  @Test("event says everything, by place, by id and by UID")
  func event() throws {
    let run = try agenda("event", "1.1", "work.ics")
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("Stand-up\nSaturday, 21 November 2026, 09:30–09:45 (15 min)\n"))
    for text in [
      "Room 2", "geo:52.5,13.4", "https://example.com/standup", "Ana <ana@example.com>",
      "Bo <bo@example.com>: accepted", "1: text/plain 5 bytes",
      "2: image/png https://example.com/picture.png", "15 min before the start",
      "X-ROOM-COLOUR:green", "work.ics:4", "\n  Bring\n  numbers\n", "Sun, 22 Nov 2026, 11:00",
    ] { #expect(run.output.contains(text), "\(text) in \(run.output)") }
    let document = try json(agenda("event", "1.1", "work.ics", "-f", "json"))
    let entry = try #require(document["entry"] as? [String: Any])
    #expect(entry["title"] as? String == "Stand-up")
    #expect(entry["indexPath"] as? String == "1.1")
    let id = try #require(entry["id"] as? String)
    #expect((document["next"] as? [String])?.first == "2026-11-22T11:00:00+01:00")
    #expect((document["rules"] as? [[String: Any]])?.first?["rrule"] as? String == "FREQ=DAILY")
    #expect(try agenda("event", id, "work.ics").output == run.output)
    #expect(try agenda("event", id.uppercased(), "work.ics").output == run.output)
    #expect(try agenda("event", "floating-x@y", "work.ics").status == 1)
    // Long past, and far ahead.
    #expect(try agenda("event", "3f9a2c71", "work.ics").status == 1)
    let last = try json(
      agenda("event", "1.1", "work.ics", "--from", "2020-01-01", "--years", "7", "-f", "json"))
    let oldID = try #require((last["entry"] as? [String: Any])?["id"] as? String)
    #expect(
      try agenda("event", oldID, "work.ics").output.contains("Monday, 19 October 2026"))
  }

  @Test("event shows a description in HTML as readable text and as the file has it")
  func originalDescription() throws {
    func shown(_ lines: String...) throws -> String {
      let page = component(
        "VEVENT", "page", ["DTSTART:20261123T100000Z", "SUMMARY:Page"] + lines)
      try folder.write("page.ics", TestSupport.calendar(page))
      return try agenda("event", "1.1", "page.ics").output
    }
    let long = String(repeating: "word ", count: 80)
    let page = try shown(
      "DESCRIPTION:<p>Dear <b>all</b>\\,</p>\(long)<br>end", "X-ALT-DESC;FMTTYPE=text/html:<p>x</p>"
    )
    #expect(page.contains("\n  Dear all,\n"))
    #expect(page.contains("DESCRIPTION: <p>Dear <b>all</b>,</p>\(long)<br>end\n"))
    #expect(!page.contains("X-ALT-DESC"))
    #expect(try shown("X-ALT-DESC;FMTTYPE=text/html:<p>x</p>").contains("X-ALT-DESC;FMTTYPE"))
    let text = try shown("DESCRIPTION:if a<b and b>c & more")
    #expect(text.contains("\n  if a<b and b>c & more\n"))
    #expect(!text.contains("DESCRIPTION"))
  }

  @Test("event shows texts without escapes, what attendees are, and the label of a conference")
  func decodedDetails() throws {
    try folder.write(
      "details.ics",
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20261121T100000Z
      SUMMARY:Talk
      CLASS:CONFIDENTIAL
      COMMENT:Bring\\, please
      CONTACT:Jim\\; room 2
      RESOURCES:Projector,Easel\\, big
      ATTENDEE;CUTYPE=ROOM;CN=Hall;PARTSTAT=ACCEPTED:mailto:hall@example.com
      ATTENDEE;CUTYPE=INDIVIDUAL;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.com
      CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL="Team, ^'A^'":https://meet.example.com/x
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT15M
      END:VALARM
      BEGIN:VALARM
      ACTION:X-HORN
      TRIGGER:PT0S
      END:VALARM
      END:VEVENT
      END:VCALENDAR

      """)
    let store = folder.url.appendingPathComponent("details.sqlite").path
    #expect(try agenda("import", "details.ics", "--store", store).status == 0)
    for run in [
      try agenda("event", "1.1", "details.ics"), try agenda("event", "1.1", "--store", store),
    ] {
      for text in [
        "COMMENT: Bring, please", "CONTACT: Jim; room 2", "RESOURCES: Projector, Easel, big",
        "Hall <hall@example.com> (room): accepted", "Bo <bo@example.com>: accepted",
        "https://meet.example.com/x (Team, \"A\"; audio,video)",
        "confidential", "15 min before the start (message)", "at the start (x-horn)",
      ] { #expect(run.output.contains(text), "\(text) in \(run.output)") }
    }
    let german = try agenda("event", "1.1", "details.ics", "--locale", "de").output
    for text in ["(Raum): zugesagt", "vertraulich", "(Meldung)", "(x-horn)"] {
      #expect(german.contains(text), "\(text) in \(german)")
    }
    let french = try agenda("event", "1.1", "details.ics", "--locale", "fr").output
    #expect(french.contains("(salle) : accepté"), "\(french)")
  }

  @Test("unknown index paths and ids are reported")
  func nowhere() throws {
    try agenda("event", "9999.1", "work.ics", "--days", "1").expect(
      1, output: "",
      errors: "agenda: no entry 9999.1; the list has 2 entries in 1 section\n")
    try agenda("event", "3", "work.ics").expect(
      1, output: "",
      errors:
        "agenda: 3: no entry has this id or UID, or these words in its title; "
        + "agenda search WORD finds words also in places and descriptions\n")
    try agenda("explain").expect(
      2, output: "", errors: "agenda: missing REF; see agenda explain --help\n")
  }

  @Test("explain says DTSTART as written, the zone and its source, the rule, override, exclusions")
  func explain() throws {
    let daily = try agenda("explain", "1.1", "work.ics")
    #expect(daily.status == 0)
    // Excluded ones count: 19 October is the first, 21 November the 34th.
    for text in [
      "DTSTART;TZID=Europe/Berlin:20261019T093000", "rules of tzdata", "RRULE:FREQ=DAILY",
      "number 34\n", "was at +02:00 at the first occurrence and is at +01:00 now",
      "excluded 1: Tue, 20 Oct 2026, 09:30", "overrides 1: Sun, 22 Nov 2026, 09:30",
    ] { #expect(daily.output.squeezed.contains(text), "\(text) in \(daily.output)") }
    let moved = try agenda("explain", "2.1", "work.ics").output.squeezed
    #expect(moved.contains("moved by an override, originally Sunday, 22 November 2026, 09:30"))
    #expect(moved.contains("RECURRENCE-ID;TZID=Europe/Berlin:20261122T093000"))
    #expect(moved.contains("number 35\n"))
    let call = try agenda("explain", "1.1", "work.ics", "--search", "call").output.squeezed
    #expect(call.contains("America/New_York, rules of tzdata"))
    #expect(call.contains("written as \"Eastern Standard Time\""))
    #expect(call.contains("shown in Europe/Berlin (6 h ahead)"))
    let gap = try agenda("explain", "1.1", "work.ics", "--search", "gap").output
    #expect(
      gap.contains(
        "Sun, 28 Mar 2027, 02:30 does not exist in Europe/Berlin: the clocks go forward, so it is at 03:30"
      ))
    let floating = try agenda("explain", "1.1", "work.ics", "--search", "floating")
    #expect(floating.output.contains("not specified: floating, read in Europe/Berlin"))
    for scalar in (floating.output + floating.errors).unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 32 && !(127...159).contains(scalar.value) && scalar != "\u{202e}")
    }
    let document = try json(agenda("explain", "1.1", "work.ics", "-f", "json"))
    #expect((document["facts"] as? [[String: String]])?.first?["heading"] == "source")
    try folder.write(
      "day.ics", TestSupport.calendar(TestSupport.event("d", "DTSTART;VALUE=DATE:20261124")))
    let day = try json(agenda("explain", "1.1", "day.ics", "--from", "2026-11-24", "-f", "json"))
    #expect(day["start"] as? String == "2026-11-24")
  }

  @Test("explain shows a rule that was refused, the first date, and where an offset comes from")
  func doubtfulFacts() throws {
    try folder.write(
      "refused.ics",
      TestSupport.calendar(TestSupport.event("1", "DTSTART:20261201T100000Z", "RRULE:FREQ=NEVER")))
    let refused = try agenda("explain", "1.1", "refused.ics").output
    #expect(refused.contains("written as  RRULE:FREQ=NEVER\n"), "\(refused)")
    try folder.write(
      "ended.ics",
      TestSupport.calendar(
        TestSupport.event(
          "1", "DTSTART:20261202T100000Z", "RRULE:FREQ=DAILY;UNTIL=20261101T100000Z",
          "RDATE:20261204T100000Z,20261203T100000Z")))
    let ended = try agenda("explain", "1.1", "ended.ics").output
    #expect(ended.contains("first       Thursday, 3 December 2026, 11:00\n"), "\(ended)")
    try folder.write(
      "phone.vcs",
      """
      BEGIN:VCALENDAR\r\nVERSION:1.0\r\nTZ:+01\r\nBEGIN:VEVENT\r\nUID:1\r\n\
      DTSTART:20261201T100000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """)
    let phone = try agenda("explain", "1.1", "phone.vcs").output
    #expect(phone.contains("from the calendar's TZ\n"), "\(phone)")
    #expect(!phone.contains("X-WR-TIMEZONE") && !phone.contains("VTIMEZONE"))
  }

  @Test("sources are read and reported once, also if an entry is far away or missing")
  func readOnce() throws {
    let text = TestSupport.calendar(
      TestSupport.event("1", "DTSTART:20261201T100000Z", "RRULE:FREQ=NEVER"),
      TestSupport.event("far@example.com", "DTSTART:20201201T100000Z"))
    let file = try folder.write("far.ics", text)
    let missing = try agenda("explain", "00000000", file)
    #expect(missing.status == 1)
    #expect(missing.errors.components(separatedBy: "NEVER").count == 3, "\(missing.errors)")
    // Standard input cannot be read a second time.
    let far = try AgendaRun(
      ["event", "far@example.com", "-", "--now", "2026-11-21T09:00:00+01:00"], input: text,
      in: folder.url)
    #expect(far.output.contains("2020"), "\(far.errors)")
  }

  // Checks RFC 4791: 8.5.1/1
  // Checks RFC 5545: 3.3.1/2
  // Checks RFC 7986: 7/1, 7/2, 8/1
  @Test("attachments are written as they are, those that are only named are not fetched")
  func attachment() throws {
    try agenda("attachment", "1.1", "work.ics").expect(0, output: "hello")
    let run = try agenda("attachment", "1.1", "1", "work.ics", "-o", "out.txt")
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(
      try String(contentsOf: folder.url.appendingPathComponent("out.txt"), encoding: .utf8)
        == "hello")
    try agenda("attachment", "1.1", "2", "work.ics").expect(
      1, output: "",
      errors:
        "agenda: 1.1: the calendar contains only the address of attachment 2: https://example.com/picture.png\n"
    )
    try agenda("attachment", "1.1", "3", "work.ics").expect(
      1, output: "", errors: "agenda: 1.1: no attachment 3; this entry has 2\n")
    try agenda("attachment", "1.1", "0", "work.ics").expect(
      2, output: "",
      errors: "agenda: NUMBER: expected the number of an attachment, from 1, got 0; "
        + "write ./0 for a source of that name\n")
  }

  // Checks RFC 5545: 3.6.6/5, 3.6.6/19, 3.6.6/20, 3.8.6.2/1
  @Test("alarms: due from now on and before the time is over, repeated ones too")
  func alarms() throws {
    func moments(_ now: String, _ within: String) throws -> [String] {
      let run = try AgendaRun(
        ["alarms", "work.ics", "--within", within, "--now", now, "-f", "tsv"], in: folder.url)
      #expect(run.status == 0)
      return run.rows.compactMap { $0["alarm"] }
    }
    #expect(try moments("2026-11-21T09:10:00+01:00", "10m") == ["2026-11-21T09:15:00+01:00"])
    #expect(try moments("2026-11-21T09:15:00+01:00", "5m") == ["2026-11-21T09:15:00+01:00"])
    #expect(try moments("2026-11-21T09:15:01+01:00", "5m") == ["2026-11-21T09:20:00+01:00"])
    #expect(try moments("2026-11-21T09:20:01+01:00", "1h") == [])
    // The moved one has no separate alarm.
    #expect(try moments("2026-11-21T12:00:00+01:00", "2d").count == 2)
    let text = try AgendaRun(
      ["alarms", "work.ics", "--now", "2026-11-21T09:10:00+01:00"], in: folder.url)
    let lines = ["09:15", "09:20"].map { "\($0)  Stand-up · 09:30 · Room 2\n" }
    #expect(text.output == lines.joined())
    let document = try json(
      AgendaRun(
        ["alarms", "work.ics", "--now", "2026-11-21T09:10:00+01:00", "-f", "json"],
        in: folder.url))
    #expect((document["alarms"] as? [[String: Any]])?.count == 2)
    #expect(try agenda("alarms", "work.ics", "--within", "1s", "--if-any").output == "")
    #expect(try agenda("alarms", "work.ics", "--within", "soon").status == 2)
  }

  @Test("free time between working hours, from now on")
  func free() throws {
    let run = try agenda("free", "work.ics", "--days", "2", "-f", "tsv")
    #expect(run.status == 0)
    #expect(
      run.rows.map { "\($0["start"] ?? "") \($0["minutes"] ?? "")" } == [
        "2026-11-21T09:00:00+01:00 30", "2026-11-21T09:45:00+01:00 15",
        "2026-11-21T11:00:00+01:00 360", "2026-11-22T09:00:00+01:00 120",
        "2026-11-22T11:15:00+01:00 345",
      ])
    #expect(
      try agenda("free", "work.ics", "--days", "2", "--at-least", "3h", "-f", "tsv").rows.count == 2
    )
    #expect(try agenda("free", "work.ics", "--days", "2", "--weekdays", "-f", "tsv").rows.isEmpty)
    #expect(
      try agenda("free", "work.ics", "--days", "1", "--between", "08:00-10:00").output == """
        Saturday, 21 November 2026
          09:00–09:30  30 min
          09:45–10:00  15 min

        """)
    for wrong in [["--between", "9:00-5:00"], ["--at-least", "x"], ["--between", "17:00-09:00"]] {
      #expect(try AgendaRun(["free", "work.ics"] + wrong, in: folder.url).status == 2)
    }
  }

  @Test("an entry of several days has its dates next to one that it overlaps")
  func longConflict() throws {
    try folder.write(
      "long.ics",
      TestSupport.calendar(
        TestSupport.event(
          "a", "DTSTART:20261122T230000Z", "DTEND:20261126T010000Z", "SUMMARY:Long run"),
        TestSupport.event(
          "b", "DTSTART:20261124T083000Z", "DTEND:20261124T093000Z", "SUMMARY:Call")))
    try agenda("free", "long.ics", "--conflicts").expect(
      0,
      output: """
        Tuesday, 24 November 2026, 09:30 (1 h)
          Mon, 23 Nov 2026, 00:00 – Thu, 26 Nov 2026, 02:00  Long run · long
          09:30–10:30  Call · long

        """)
  }

  @Test("overlapping entries are listed")
  func conflicts() throws {
    try folder.write(
      "other.ics",
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:a
      DTSTART;TZID=Europe/Berlin:20261121T094000
      DTEND;TZID=Europe/Berlin:20261121T103000
      SUMMARY:Dentist
      END:VEVENT
      END:VCALENDAR
      """)
    let run = try agenda("free", "work.ics", "other.ics", "--conflicts", "--days", "1")
    #expect(run.status == 0)
    #expect(
      run.output == """
        Saturday, 21 November 2026, 09:40 (5 min)
          09:30–09:45  Stand-up · Work
          09:40–10:30  Dentist · other
        Saturday, 21 November 2026, 10:00 (30 min)
          09:40–10:30  Dentist · other
          10:00–11:00  Call · Work

        """)
    #expect(
      try agenda("free", "other.ics", "--conflicts").output == "Nothing overlaps.\n")
  }

  @Test("the month is a grid next to the list of the day")
  func calendarGrid() throws {
    let run = try agenda("calendar", "work.ics", "--search", "call")
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.contains("November 2026") == true)
    #expect(lines.first?.contains("Saturday, 21 November 2026 · today") == true)
    #expect(run.output.contains("[21•]"))
    #expect(run.output.contains("10:00"))
    #expect(!run.output.contains("22•"))
    #expect(
      try agenda("calendar", "work.ics", "--months", "3").output.contains("January 2027"))
    #expect(
      try agenda("calendar", "work.ics", "--locale", "en_US").output.split(separator: "\n")[1]
        .hasPrefix("  Su"))
    #expect(try agenda("calendar", "work.ics", "--months", "0").status == 2)
  }

  @Test("check quotes the line of each problem and counts everything")
  func check() throws {
    let good = try agenda("check", "work.ics")
    #expect(good.status == 0)
    #expect(good.errors == "")
    #expect(
      good.output == """
        work.ics:36: note: VEVENT call: TZID "Eastern Standard Time" read as America/New_York (2 times)
            36 | DTSTART;TZID=Eastern Standard Time:20261121T040000
               |              ^^^^^^^^^^^^^^^^^^^^^
        work.ics: 5 components, calendar Work: 5 to add

        """)
    try folder.write(
      "bad.ics",
      Self.calendar.replacing("DTSTART:20261123T120000", with: "DTSTART:20261131T120000"))
    let bad = try agenda("check", "bad.ics", "-f", "json")
    #expect(bad.status == 1)
    #expect(bad.errors == "")
    let sources = try #require(try json(bad)["sources"] as? [[String: Any]])
    #expect(sources.first?["components"] as? Int == 5)
    #expect(sources.first?["added"] as? Int == 4)
    #expect(sources.first?["rejected"] as? Int == 1)
    let problems = try #require(sources.first?["problems"] as? [[String: Any]])
    // The zone name, the date, and that libical accepts the date.
    #expect(
      problems.map { $0["severity"] as? String }.sorted { ($0 ?? "") < ($1 ?? "") }
        == ["error", "note", "note"])
    let strict = try agenda("check", "bad.ics", "--strict", "--quiet")
    #expect(strict.status == 1)
    #expect(strict.output.contains("bad.ics: refused: rejected components: 1, and --strict is set"))
    #expect(try agenda("check", "none.ics").status == 1)
    #expect(try agenda("check").status == 2)
  }

  @Test(
    "shells load their completion scripts without a message", .requires("bash", "zsh", "fish"))
  func completionScripts() throws {
    for (shell, options) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
      try AgendaRun(
        shell: "agenda completions \(shell) > script && \(shell) \(options) script", in: folder.url
      ).expect(0, output: "")
    }
    #expect(try agenda("completions", "tcsh").status == 2)
    let zones = try AgendaRun(["completions", "--words", "zones"]).output
    #expect(zones.contains("\nEurope/Berlin\n"))
  }
}

extension String {
  /// With single spaces for several, as columns have.
  fileprivate var squeezed: String { replacing(#/ +/#, with: " ") }
}
