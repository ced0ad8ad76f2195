import TestSupport
import Testing

@testable import AgendaCommands

/// Every command that reads a source reports its problems with their lines.
@Suite("problems of a source")
struct FindingTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  struct Case: Sendable, CustomTestStringConvertible {
    /// Why it must be reported.
    let rule: String
    /// The lines of one event, after its UID; the first is on line 4.
    let event: String
    let line: Int
    let words: String
    var before = ""

    var testDescription: String { rule }
  }

  private static func definition(_ offset: String) -> String {
    zoneDefinition("Ours", offset) + "\n"
  }

  static let cases = [
    Case(
      rule: "what surrounds the name of a zone is left out",
      event: "DTSTART;TZID=Europe/Berlin 1:20261201T100000", line: 4,
      words: "TZID \"Europe/Berlin 1\" read as Europe/Berlin"),
    Case(
      rule: "a Z after a date has no meaning",
      event: "DTSTART;VALUE=DATE:20261201\nRDATE:20261210Z", line: 5,
      words: "warning: VEVENT 1: RDATE: \"20261210Z\" is a date with a Z; read as 2026-12-10"),
    Case(
      rule: "an invalid detail is left out",
      event: "DTSTART:20261201T100000Z\nGEO:north\nBEGIN:VALARM\nTRIGGER:soon\nEND:VALARM",
      line: 5, words: "\"north\" is not understood; not shown in the details"),
    Case(
      rule: "an alarm without a valid trigger is left out",
      event: "DTSTART:20261201T100000Z\nBEGIN:VALARM\nTRIGGER:soon\nEND:VALARM",
      line: 6, words: "\"soon\" is not understood; not shown in the details"),
    Case(
      rule: "an EXDATE removes the only date of a task",
      event: "DTSTART:20261201T100000Z", line: 6,
      words: "excludes DTSTART, the only occurrence; task not shown",
      before: "BEGIN:VTODO\nUID:2\nDTSTART:20261201T100000Z\nEXDATE:20261201T100000Z\nEND:VTODO\n"
    ),
    Case(
      rule: "a calendar without a name",
      event: "DTSTART:20261201T100000Z\nRRULE:RSCALE=;FREQ=YEARLY", line: 5,
      words: "RRULE: RSCALE has no value; read without this part"),
    Case(
      rule: "an EXDATE removes the only date of an event",
      event: "DTSTART:20261201T100000Z\nEXDATE:20261201T100000Z",
      line: 5, words: "excludes DTSTART, the only occurrence; event not shown"),
    Case(
      rule: "a rule next to RECURRENCE-ID is a series if the master is missing",
      event: "DTSTART:20261201T100000Z\nRECURRENCE-ID:20261201T100000Z\nRRULE:FREQ=DAILY;COUNT=5",
      line: 6, words: "read as a separate series"),
    Case(
      rule: "a newer version of a series removes the occurrence of an older override",
      event: "DTSTART:20261201T100000Z\nSEQUENCE:1\nRRULE:FREQ=DAILY;COUNT=5\n"
        + "EXDATE:20261202T100000Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\n"
        + "DTSTART:20261202T120000Z\nRECURRENCE-ID:20261202T100000Z",
      line: 9, words: "a newer version of the series has removed this occurrence"),
    Case(
      rule: "a time of free/busy that is not a period is left out",
      event: "DTSTART:20261201T100000Z\nEND:VEVENT\nBEGIN:VFREEBUSY\nFREEBUSY:all day\n"
        + "END:VFREEBUSY\nBEGIN:VEVENT\nUID:2\nDTSTART:20261201T100000Z",
      line: 7, words: "\"all day\" is not a period; ignored"),
    Case(
      rule: "an unknown zone makes a time floating",
      event: "DTSTART;TZID=Nowhere/Land:20261201T100000", line: 4, words: "read as local time"),
    Case(
      rule: "an end before the start is taken as missing",
      event: "DTSTART:20261201T100000Z\nDTEND:20261201T090000Z", line: 5,
      words: "is before DTSTART; ignored"),
    Case(
      rule: "the same where only the zones show it",
      event: "DTSTART;TZID=Europe/Berlin:20261201T100000\nDTEND:20261201T083000Z", line: 5,
      words: "is before DTSTART; ignored"),
    Case(
      rule: "a period whose end is before its start is taken as having none",
      event: "DTSTART:20261201T100000Z\nRDATE;VALUE=PERIOD:20261203T100000Z/20261203T090000Z",
      line: 5, words: "is before the start of its period; ignored"),
    Case(
      rule: "a DURATION in addition to DTEND is ignored",
      event: "DTSTART:20261201T100000Z\nDTEND:20261201T110000Z\nDURATION:PT3H", line: 6,
      words: "is set in addition to DTEND; ignored"),
    Case(
      rule: "COUNT and UNTIL together end where the first of them does",
      event: "DTSTART:20261201T100000Z\nRRULE:FREQ=DAILY;COUNT=5;UNTIL=20261203T100000Z", line: 5,
      words: "the earlier end is used"),
    Case(
      rule: "an end without a zone next to a start in UTC",
      event: "DTSTART:20261201T100000Z\nDTEND:20261201T110000", line: 5,
      words: "DTEND: has no TZID, but DTSTART is in UTC; read in UTC"),
    Case(
      rule: "an end in a zone next to a start without one",
      event: "DTSTART:20261201T100000\nDTEND;TZID=Europe/Berlin:20261201T110000", line: 5,
      words: "DTEND: has a time zone, but DTSTART has none; DTSTART read as local time"),
    Case(
      rule: "a COUNT below 1",
      event: "DTSTART:20261201T100000Z\nRRULE:FREQ=DAILY;UNTIL=20261203;COUNT=-1", line: 5,
      words: "warning: VEVENT 1: RRULE: invalid COUNT=-1 (expected at least 1); read without COUNT"),
    Case(
      rule: "the name of a rule twice",
      event: "DTSTART:20261201T100000Z\nRRULE:RRULE:FREQ=DAILY;COUNT=2", line: 5,
      words: "warning: VEVENT 1: the value begins with \"RRULE:\"; read without it"),
    Case(
      rule: "the name of an exception rule twice",
      event: "DTSTART:20261201T100000Z\nRRULE:FREQ=DAILY;COUNT=9\n"
        + "EXRULE:EXRULE:FREQ=DAILY;INTERVAL=3", line: 6,
      words: "warning: VEVENT 1: the value begins with \"EXRULE:\"; read without it"),
    Case(
      rule: "a duration without T is read as the time that it can only mean",
      event: "DTSTART:20261201T100000Z\nDURATION:P45M", line: 5,
      words: "DURATION: \"P45M\" is malformed; read as PT45M"),
    Case(
      rule: "coordinates with commas in the numbers",
      event: "DTSTART:20261201T100000Z\nGEO:48,2;11,5", line: 5,
      words: "GEO: \"48,2;11,5\" is malformed; read as \"48.2;11.5\""),
    Case(
      rule: "coordinates with a comma between the numbers",
      event: "DTSTART:20261201T100000Z\nGEO:48.2,-11.5", line: 5,
      words: "GEO: \"48.2,-11.5\" is malformed; read as \"48.2;-11.5\""),
    Case(
      rule: "coordinates that could be read in two ways",
      event: "DTSTART:20261201T100000Z\nGEO:48,2,11,5", line: 5,
      words: "GEO: \"48,2,11,5\" is not understood; not shown in the details"),
    Case(
      rule: "a TZ of vCalendar 1.0 that is no offset",
      event: "DTSTART:20261201T100000", line: 4,
      words: "VCALENDAR: TZ: \"+5.5\" is not understood; times without a zone read as local time",
      before: "VERSION:1.0\nTZ:+5.5\n"),
    Case(
      rule: "a period of daylight saving time that vCalendar 1.0 does not allow",
      event: "DTSTART:20261201T100000", line: 5,
      words: "VCALENDAR: DAYLIGHT: \"TRUE;foo\" is not understood; ignored",
      before: "VERSION:1.0\nTZ:+01\nDAYLIGHT:TRUE;foo\n"),
    Case(
      rule: "a calendar that is not supported: the event is complete without its rule",
      event: "DTSTART:20261201T100000Z\nRRULE:RSCALE=MAYAN;FREQ=YEARLY", line: 5,
      words: "warning: VEVENT 1: RRULE: RSCALE=MAYAN: the calendar MAYAN is not supported; ignored"),
    Case(
      rule: "a series that begins before the table of its calendar is shown once",
      event: "DTSTART;VALUE=DATE:18990210\nRRULE:RSCALE=CHINESE;FREQ=YEARLY", line: 5,
      words: "warning: VEVENT 1: RRULE: DTSTART is outside the known dates of RSCALE=CHINESE "
        + "(1900-01-31 to 2101-01-28); ignored; the event is shown without this repetition"),
    Case(
      rule: "a rule in no grammar",
      event: "DTSTART:20261201T100000Z\nRRULE:XX1 #2", line: 5,
      words: "XX1: expected a rule such as FREQ=DAILY or, in vCalendar 1.0, D1; ignored"),
    Case(
      rule: "a rule that cannot be read is left out",
      event: "DTSTART:20261201T100000Z\nRRULE:FREQ=FORTNIGHTLY", line: 5,
      words: "shown without this repetition"),
    Case(
      rule: "a description has bytes that are not in its charset",
      event: "DTSTART:20261201T100000Z\n"
        + "DESCRIPTION;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=E9", line: 5,
      words: "DESCRIPTION: bytes in this text are not UTF-8; read as Windows-1252"),
    Case(
      rule: "a comment has a charset that is not supported",
      event: "DTSTART:20261201T100000Z\n"
        + "COMMENT;CHARSET=KLINGON;ENCODING=QUOTED-PRINTABLE:=89=EF=8Bc", line: 5,
      words: "COMMENT: CHARSET=KLINGON is not supported; read as Windows-1252"),
    Case(
      rule: "a comment has bytes that are not in its charset",
      event: "DTSTART:20261201T100000Z\n"
        + "COMMENT;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=89=EF=8B", line: 5,
      words: "COMMENT: bytes in this text are not Shift_JIS; read as U+FFFD"),
    Case(
      rule: "different values of one kind are named",
      event: "DTSTART:20261201T100000Z\nPRIORITY:high\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\n"
        + "DTSTART:20261202T100000Z\nPRIORITY:low", line: 5,
      words: "\"high\" is not understood (also \"low\"); not shown in the details (2 times)"),
    Case(
      rule: "raw line breaks are text of the line before",
      event: "DTSTART:20261201T100000Z\nDESCRIPTION:one\nand two", line: 6,
      words: "added to the text of the line before"),
    Case(
      rule: "one UID at different times: all are kept",
      event: "DTSTART:20261201T100000Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\nDTSTART:20261208T100000Z",
      line: 2, words: "2 different events have the same UID (lines 2, 6); all kept"),
    Case(
      rule: "a second calendar in the file is read as one with the first",
      event: "DTSTART:20261201T100000Z\nEND:VEVENT\nEND:VCALENDAR\nBEGIN:VCALENDAR\nBEGIN:VEVENT\n"
        + "UID:2\nDTSTART:20261208T100000Z",
      line: 7, words: "2 calendars are in one source; read as one"),
    Case(
      rule: "a zone is defined twice with different rules",
      event: "DTSTART;TZID=Ours:20261201T100000", line: 11,
      words: "\"Ours\" is already defined with different rules; the definition on line 2 is used",
      before: definition("+0100") + definition("-0500")),
    Case(
      rule: "a rule of the file's own zone that cannot be read is left out",
      event: "DTSTART;TZID=Ours:20261201T100000", line: 7,
      words: "unknown value \"NEVER\"; ignored",
      before: """
        BEGIN:VTIMEZONE
        TZID:Ours
        BEGIN:STANDARD
        DTSTART:19700101T000000
        RRULE:FREQ=NEVER
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0100
        END:STANDARD
        END:VTIMEZONE

        """),
  ]

  /// Facts that need no action.
  static let notes = [
    Case(
      rule: "an UNTIL before DTSTART leaves no occurrences",
      event: "DTSTART:20261201T100000Z\nRRULE:FREQ=DAILY;UNTIL=20261130T100000Z",
      line: 5, words: "UNTIL is before DTSTART; no occurrences shown"),
    Case(
      rule: "an UNTIL before DTSTART leaves the dates of RDATE",
      event: "DTSTART:20261201T100000Z\nRRULE:FREQ=DAILY;UNTIL=20261130T100000Z\n"
        + "RDATE:20261203T100000Z",
      line: 5, words: "UNTIL is before DTSTART; only the dates of RDATE are shown"),
    Case(
      rule: "an UNTIL before DTSTART leaves the occurrences of another rule",
      event: "DTSTART:20261201T100000Z\nRRULE:FREQ=WEEKLY;COUNT=2\n"
        + "RRULE:FREQ=DAILY;UNTIL=20261130T100000Z",
      line: 6, words: "UNTIL is before DTSTART; this rule has no occurrences"),
    Case(
      rule: "a negative SEQUENCE is older than all others",
      event: "DTSTART:20261201T100000Z\nSEQUENCE:-1", line: 5,
      words: "invalid sequence number \"-1\"; read as 0"),
    Case(
      rule: "a CREATED of the year 0 has no meaning",
      event: "DTSTART:20261201T100000Z\nCREATED:00001231T000000Z", line: 5,
      words: "CREATED: \"00001231T000000Z\" is not understood; not shown in the details"),
  ]

  @Test("only check prints a note; the JSON of show and import has it", arguments: notes)
  func noted(_ example: Case) throws {
    try fixture.write(
      "a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n\(example.event)\nEND:VEVENT\nEND:VCALENDAR\n")
    let file = fixture.path("a.ics")
    let lines = fixture.run(["check", file]).output.split(separator: "\n").filter {
      $0.contains(example.words)
    }
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("\(file):\(example.line): note: ") == true, "\(lines)")
    for command in ["show", "import"] {
      let isPinned = command == "show"
      #expect(fixture.run([command, file], isPinned: isPinned).errors == "")
      let document = fixture.run([command, file, "-f", "json"], isPinned: isPinned).output
      #expect(document.contains("\"severity\":\"note\",\"line\":\(example.line),"))
    }
  }

  @Test("problems are listed by line, also if other files cause them")
  func order() throws {
    try fixture.write(
      "a.ics",
      """
      BEGIN:VCALENDAR
      METHOD:CANCEL
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID:20261201T100000Z
      END:VEVENT
      END:VCALENDAR
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:2
      DTSTART:20261201T100000Z
      PRIORITY:high
      END:VEVENT
      END:VCALENDAR

      """)
    let file = fixture.path("a.ics")
    let runs = [
      fixture.run(["check", file]).output, fixture.run(["show", file]).errors,
      fixture.run(["import", file], isPinned: false).errors,
    ]
    for said in runs {
      let lines = said.split(separator: "\n").filter { $0.contains(": warning: ") }.map {
        $0.dropFirst(file.count + 1).prefix { $0 != ":" }
      }
      #expect(lines == ["3", "12"], "\(said)")
    }
  }

  @Test("an error lists all of its lines, a warning the first ten")
  func allLines() throws {
    let events = (1...50).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20260230\nEND:VEVENT\n"
    }
    try fixture.write("a.ics", "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n")
    let lines = (0..<50).map { String($0 * 4 + 4) }.joined(separator: ",")
    for command in [["check"], ["import"], ["show", "--days", "1"]] {
      let document = fixture.run(
        command + [fixture.path("a.ics"), "-f", "json"], isPinned: command[0] == "show")
      #expect(document.output.contains("\"severity\":\"error\",\"line\":4,\"count\":50,"))
      #expect(document.output.contains("\"lines\":[\(lines)],"), "\(document.output)")
    }
  }

  @Test("a warning about a window has the line of the rule, in a file and from the store")
  func linesOfRules() throws {
    try fixture.write(
      "a.ics",
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:21000101T100000Z
      DESCRIPTION:a folded
        text
      RRULE:RSCALE=CHINESE;FREQ=MONTHLY
      SUMMARY:Moon
      END:VEVENT
      END:VCALENDAR

      """)
    let file = fixture.path("a.ics")
    let window = ["--from", "2101-01-01", "--days", "60"]
    let warning =
      "\(file):7: warning: VEVENT 1: RRULE: the window goes beyond the known dates of RSCALE=CHINESE"
    #expect(fixture.run(["show", file] + window).errors.hasPrefix(warning))
    #expect(fixture.run(["import", file], isPinned: false).errors == "")
    #expect(fixture.run(["show"] + window).errors.hasPrefix(warning))
  }

  @Test("a message to a missing event is kept, for check as for import")
  func keptMessages() throws {
    for (method, words) in [
      ("CANCEL", "nothing cancelled; if the event is imported later, it is cancelled then"),
      ("REPLY", "REPLY to an event that is missing; kept, in case the event is imported later"),
    ] {
      try fixture.write(
        "a.ics",
        """
        BEGIN:VCALENDAR
        METHOD:\(method)
        BEGIN:VEVENT
        UID:missing
        DTSTART:20261201T100000Z
        ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com
        END:VEVENT
        END:VCALENDAR

        """)
      let file = fixture.path("a.ics")
      #expect(fixture.run(["check", file]).output.contains(words))
      let report = fixture.run(["import", file, "-f", "json"], isPinned: false).output
      for part in words.split(separator: "; ", maxSplits: 1) { #expect(report.contains(part)) }
      let shown = fixture.run(["show", file, "-f", "json"]).output
      #expect(!shown.contains("imported later"))
    }
  }

  @Test("nothing else is said about the rule of an override, which is ignored")
  func ignoredRule() throws {
    try fixture.write(
      "a.ics",
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20261201T100000Z
      RRULE:FREQ=DAILY;COUNT=3
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      DTSTART:20261202T120000Z
      RECURRENCE-ID:20261202T100000Z
      RRULE:FREQ=WEEKLY;BYDAY=MO
      END:VEVENT
      END:VCALENDAR

      """)
    let lines = fixture.run(["check", fixture.path("a.ics")]).output.split(separator: "\n")
    #expect(lines.filter { $0.contains("a.ics:11: ") }.count == 1, "\(lines)")
  }

  @Test("the note about a series stays if an override has a rule too", arguments: [true, false])
  func noteNextToIgnoredRule(overrideIsFirst: Bool) throws {
    let override = """
      BEGIN:VEVENT
      UID:1
      DTSTART:20261202T120000Z
      RECURRENCE-ID:20261202T100000Z
      RRULE:FREQ=WEEKLY;BYDAY=MO
      END:VEVENT
      """
    let other = """
      BEGIN:VEVENT
      UID:2
      DTSTART:20261202T120000Z
      X-PLACE:2
      RRULE:FREQ=WEEKLY;BYDAY=MO
      END:VEVENT
      """
    let events = overrideIsFirst ? [override, other] : [other, override]
    try fixture.write(
      "a.ics",
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20261201T100000Z
      RRULE:FREQ=DAILY;COUNT=3
      END:VEVENT
      \(events.joined(separator: "\n"))
      END:VCALENDAR

      """)
    let lines = fixture.run(["check", fixture.path("a.ics")]).output.split(separator: "\n")
    let notes = lines.filter { $0.contains(": note: VEVENT 2: RRULE") }
    #expect(notes.count == 1, "\(lines)")
    #expect(notes.first?.contains("a.ics:\(overrideIsFirst ? 17 : 11): ") == true, "\(lines)")
  }

  @Test("an import names its sources as they were typed, also in lists of events")
  func typedNames() throws {
    for (name, day) in [("p", 1), ("q", 2)] {
      try fixture.write(
        "sub/\(name).ics",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:2026120\(day)T100000Z\nEND:VEVENT\n"
          + "END:VCALENDAR\n")
    }
    let (one, two) = (fixture.path("sub/../sub/p.ics"), fixture.path("sub/./q.ics"))
    let run = fixture.run(["import", one, two, "--calendar", "c"], isPinned: false)
    let words = "have the same UID (\(two):2, \(one):2); all kept"
    #expect(run.errors.hasPrefix("\(two):2: warning: ") && run.errors.contains(words))
    let folder = fixture.path("sub/../sub") + "/"
    let ofFolder = fixture.run(
      ["import", folder, "--store", fixture.path("other.sqlite")], isPinned: false)
    #expect(ofFolder.errors.contains("(\(folder)p.ics:2, \(folder)q.ics:2)"))
  }

  @Test("check, show and import report it once and alike", arguments: cases)
  func reported(_ example: Case) throws {
    let text =
      "BEGIN:VCALENDAR\n\(example.before)BEGIN:VEVENT\nUID:1\n\(example.event)\nEND:VEVENT\n"
      + "END:VCALENDAR\n"
    // The first line of the event is line 4 if nothing is before it.
    let line = example.before.isEmpty ? example.line : example.line - 1
    try fixture.write("a.ics", text)
    let file = fixture.path("a.ics")
    let runs = [
      fixture.run(["check", file]).output, fixture.run(["show", file]).errors,
      fixture.run(["import", file], isPinned: false).errors,
    ]
    for said in runs {
      let lines = said.split(separator: "\n").filter { $0.contains(example.words) }
      #expect(lines.count == 1, "\(said)")
      #expect(lines.first?.hasPrefix("\(file):\(line): ") == true, "\(said)")
    }
    // An unchanged file is not read again: the store has its problems.
    let documents = (0..<2).map { _ in
      fixture.run(
        ["import", file, "-f", "json", "--store", fixture.path("other.sqlite")], isPinned: false
      ).output.split(separator: "\"problems\":").last
    }
    #expect(documents[0]?.contains("\"message\":") == true)
    #expect(documents[0] == documents[1])
  }

  @Test("only check mentions a Windows zone; import and show list it as a note in JSON")
  func windowsZone() throws {
    try fixture.write(
      "a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n"
        + "DTSTART;TZID=W. Europe Standard Time:20261201T100000\n"
        + "DTEND;TZID=W. Europe Standard Time:20261201T110000\nEND:VEVENT\nEND:VCALENDAR\n")
    let file = fixture.path("a.ics")
    #expect(
      fixture.run(["check", file]).output.contains(
        "\(file):4: note: VEVENT 1: TZID \"W. Europe Standard Time\" read as Europe/Berlin (2 times)"
      ))
    for command in ["show", "import"] {
      let isPinned = command == "show"
      #expect(fixture.run([command, file], isPinned: isPinned).errors == "")
      let document = fixture.run([command, file, "-f", "json"], isPinned: isPinned).output
      #expect(document.contains(#""severity":"note","line":4,"count":2,"lines":[4,5]"#))
    }
  }

  // Checks Decisions: Reading files/17
  @Test("a problem in many events is one line with its count, and all of them count")
  func repeated() throws {
    let events = (1...12).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART:202612\($0 < 10 ? "0" : "")\($0)T1000Z\nEND:VEVENT\n"
    }
    try fixture.write("a.ics", "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n")
    let file = fixture.path("a.ics")
    for run in [
      fixture.run(["show", file]), fixture.run(["import", file], isPinned: false),
      // From the store.
      fixture.run(["import", file, "--strict"], isPinned: false),
    ] {
      #expect(
        run.errors
          == "\(file):4: warning: VEVENT 1: DTSTART: \"20261201T1000Z\" has no seconds "
          + "(also \"20261202T1000Z\", \"20261203T1000Z\", \"20261204T1000Z\" and others); "
          + "read as 2026-12-01T10:00:00 (12 times)\n")
    }
    for command in [["check"], ["import"], ["show", "--days", "1"]] {
      let document = fixture.run(command + [file, "-f", "json"], isPinned: command[0] == "show")
      #expect(
        document.output.contains(
          #""line":4,"count":12,"lines":[4,8,12,16,20,24,28,32,36,40]"#))
    }
  }

  // Checks limit: SourceZones.mostUnknownNames
  @Test("many unknown zones are one warning, a few are one each")
  func unknownZones() throws {
    func warnings(_ count: Int) throws -> [String] {
      let events = (1...count).map {
        "BEGIN:VEVENT\nUID:\($0)\nDTSTART;TZID=Land-\($0)x:20261201T100000\nEND:VEVENT\n"
      }
      try fixture.write("a.ics", "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n")
      let said = fixture.run(["show", fixture.path("a.ics")]).errors
      let checked = fixture.run(["check", fixture.path("a.ics")]).output
      let lines = said.split(separator: "\n").map(String.init)
      #expect(lines.allSatisfy { checked.contains($0 + "\n") })
      return lines
    }
    #expect(try warnings(5).count == 5)
    let file = fixture.path("a.ics")
    #expect(
      try warnings(60) == [
        "\(file):4: warning: VEVENT 1: unknown TZID \"Land-1x\" and 59 others; "
          + "read as local time (60 times)"
      ])
  }

  @Test("each file of a folder has its own problems; a problem of many files names the first")
  func severalFiles() throws {
    func reports(_ count: Int) throws -> [String] {
      for number in 1...count {
        try fixture.write(
          "folder/\(number).ics",
          "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\(number)\nDTSTART:20261201T100000Z\n"
            + "DTEND:20261201T090000Z\nEND:VEVENT\nEND:VCALENDAR\n")
      }
      let said = fixture.run(["show", fixture.path("folder")]).errors
      let imported = fixture.run(["import", fixture.path("folder")], isPinned: false).errors
      #expect(imported == said)
      return said.split(separator: "\n").map(String.init)
    }
    let folder = fixture.path("folder")
    #expect(
      try reports(5)
        == (1...5).map {
          "\(folder)/\($0).ics:5: warning: VEVENT \($0): DTEND: is before DTSTART; ignored"
        })
    #expect(
      try reports(6) == [
        "\(folder)/1.ics:5: warning: VEVENT 1: DTEND: is before DTSTART; ignored "
          + "(6 times in 6 files)"
      ])
    let document = fixture.run(["check", folder, "-f", "json"], isPinned: false).output
    #expect(document.contains("\"file\":\"\(folder)/1.ics\",\"files\":6"))
  }

  @Test("a problem of many files names the values of the others, also from the store")
  func valuesOfSeveralFiles() throws {
    for number in 1...6 {
      try fixture.write(
        "folder/\(number).ics",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\(number)\nDTSTART:20261201T100000Z\n"
          + "DURATION:\(number)h\nEND:VEVENT\nEND:VCALENDAR\n")
    }
    let folder = fixture.path("folder")
    _ = fixture.run(["import", folder], isPinned: false)
    for source in [[folder], []] {
      let document = fixture.run(["show", "-f", "json"] + source).output
      #expect(
        document.contains(
          #""message":"invalid duration \"1h\" (also \"2h\", \"3h\", \"4h\" and others)""#),
        "\(document)")
    }
  }

  @Test(
    "check takes sources whose calendars have the same name as different calendars, as import does")
  func sameNames() throws {
    let event = ["UID:a", "DTSTAMP:20261101T000000Z", "DTSTART:20261122T100000Z", "SUMMARY:A"]
    let text =
      (["BEGIN:VCALENDAR", "X-WR-CALNAME:Team", "BEGIN:VEVENT"] + event
      + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\n")
    for name in ["one.ics", "two.ics", "folder/three.ics"] { try fixture.write(name, text) }
    try fixture.write("folder/displayname", "Team")
    let sources = ["one.ics", "two.ics", "folder"].map(fixture.path)
    let check = fixture.run(["check"] + sources).output
    for name in ["calendar Team: 1 to add", "calendar Team (two.ics): 1 to add"] {
      #expect(check.contains(name), "\(check)")
    }
    #expect(check.contains("calendar Team (folder): 1 to add"), "\(check)")
    let imported = fixture.run(["import"] + sources, isPinned: false).output
    for name in ["Team (two.ics): 1 added", "Team (folder): 1 added"] {
      #expect(imported.contains(name), "\(imported)")
    }
    // One calendar has the event once.
    let together = fixture.run(["check", "--calendar", "Team"] + sources).output
    #expect(together.contains("1 superseded"), "\(together)")
  }

  @Test("check reports a UID that two files of a folder share")
  func sharedInFolder() throws {
    for (name, day) in [("a", 1), ("b", 2)] {
      try fixture.write(
        "folder/\(name).ics",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:2026120\(day)T100000Z\nEND:VEVENT\n"
          + "END:VCALENDAR\n")
    }
    let folder = fixture.path("folder")
    let said = fixture.run(["check", folder]).output
    let words =
      "\(folder)/a.ics:2: warning: VEVENT 1: 2 different events have the same UID"
      + " (\(folder)/a.ics:2, \(folder)/b.ics:2); all kept"
    #expect(said.contains(words), "\(said)")
    #expect(fixture.run(["show", folder]).errors.contains(words))
    #expect(fixture.run(["import", folder], isPinned: false).errors.contains(words))
  }

  @Test("import reports a UID that two sources of a calendar share, with the lines of both")
  func sharedBySources() throws {
    for (name, start) in [("a", "20261201T100000Z"), ("b", "20261202T100000Z")] {
      try fixture.write(
        "\(name).ics",
        "BEGIN:VCALENDAR\nX-WR-CALNAME:c\nBEGIN:VEVENT\nUID:1\nDTSTART:\(start)\nEND:VEVENT\n"
          + "END:VCALENDAR\n")
    }
    let (a, b) = (fixture.path("a.ics"), fixture.path("b.ics"))
    #expect(fixture.run(["import", a, "--calendar", "c"], isPinned: false).errors == "")
    #expect(
      fixture.run(["import", b, "--calendar", "c"], isPinned: false).errors
        == "\(b):3: warning: VEVENT 1: 2 different events have the same UID (\(b):3, \(a):3); "
        + "all kept\n")
    #expect(
      fixture.run(["show", a, b, "--days", "1"]).errors
        == "\(a):3: warning: VEVENT 1: 2 different events have the same UID (\(a):3, \(b):3); "
        + "all kept\n")
    // A newer version is not a different event.
    try fixture.write(
      "b.ics",
      "BEGIN:VCALENDAR\nX-WR-CALNAME:c\nBEGIN:VEVENT\nUID:1\nSEQUENCE:1\n"
        + "DTSTART:20261202T100000Z\nEND:VEVENT\nEND:VCALENDAR\n")
    #expect(fixture.run(["import", b, "--calendar", "c"], isPinned: false).errors == "")
  }

  @Test("an override, a version that is outdated and a task share a UID in peace")
  func sharedInPeace() throws {
    try fixture.write(
      "a.ics",
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20261201T100000Z
      RRULE:FREQ=DAILY;COUNT=3
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID:20261202T100000Z
      DTSTART:20261202T120000Z
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      DTSTART:20261201T100000Z
      RRULE:FREQ=DAILY;COUNT=2
      SEQUENCE:1
      END:VEVENT
      BEGIN:VTODO
      UID:1
      DTSTART:20261209T100000Z
      END:VTODO
      END:VCALENDAR

      """)
    #expect(fixture.run(["show", fixture.path("a.ics")]).errors == "")
  }

  @Test("check judges the bytes of attachments", arguments: ["aGV$bG8=", "aGVsb", "aGVsbG8=aGVs"])
  func attachmentBytes(_ text: String) throws {
    func said(_ bytes: String) throws -> String {
      try fixture.write(
        "a.ics",
        OptionFixture.work.replacing("VALUE=BINARY:aGVsbG8=", with: "VALUE=BINARY:\(bytes)"))
      return fixture.run(["check", fixture.path("a.ics")]).output
    }
    #expect(try !said("aGVsbG8=").contains("Base64"))
    #expect(try !said("aGVs\r\n bG8").contains("Base64"))
    #expect(try said(text).contains("a.ics:29: warning: VEVENT dentist: ATTACH: invalid Base64;"))
  }
}
