import Foundation
import TestSupport
import Testing

/// `add`, `edit`, `done` and `remove --event` on the built program, in a folder that vdirsyncer could
/// synchronise.
@Suite("events are written where they live")
struct WritingTests {
  private let scratch: ScratchFolder

  private static let zone = """
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    BEGIN:STANDARD
    DTSTART:19701025T030000
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:19700329T020000
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    END:DAYLIGHT
    END:VTIMEZONE
    """

  private static let team = calendar(
    """
    BEGIN:VEVENT
    UID:team
    DTSTAMP:20260101T000000Z
    DTSTART;X-SEEN=1;TZID=Europe/Berlin:20261103T090000
    DTEND;TZID=Europe/Berlin:20261103T100000
    RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10
    EXDATE;TZID=Europe/Berlin:20261215T090000
    X-FOO;BAR=baz:keep
      me
    SUMMARY;LANGUAGE=de:Team
    SEQUENCE:4
    ATTENDEE:mailto:bo@example.com
    ORGANIZER:mailto:ana@example.com
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT5M
    DESCRIPTION:x
    END:VALARM
    END:VEVENT
    """)

  private static let lunch = calendar(
    """
    BEGIN:VEVENT
    UID:../../lunch
    DTSTAMP:20260101T000000Z
    DTSTART;TZID=Europe/Berlin:20261124T123000
    DURATION:PT45M
    SUMMARY:Lunch
    LOCATION:Café
    END:VEVENT
    """)

  private static let rent = calendar(
    """
    BEGIN:VTODO
    UID:rent
    DTSTAMP:20260101T000000Z
    DUE;VALUE=DATE:20261120
    SUMMARY:Pay the rent
    ATTENDEE:mailto:bo@example.com
    END:VTODO
    BEGIN:VTODO
    UID:greek
    DTSTAMP:20260101T000000Z
    SUMMARY:Learn Greek
    END:VTODO
    """)

  private static func calendar(_ components: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Phone//EN\n\(zone)\n\(components)\nEND:VCALENDAR\n"
      .replacing("\n", with: "\r\n")
  }

  init() throws {
    scratch = try ScratchFolder()
    try scratch.write("home/team.ics", Self.team)
    try scratch.write("home/lunch.ics", Self.lunch)
    try scratch.write("home/tasks.ics", Self.rent)
    #expect(try agenda("import", "home", "--quiet").status == 0)
  }

  private func agenda(_ arguments: String..., pinned: Bool = true) throws -> AgendaRun {
    try agenda(arguments, pinned: pinned)
  }

  private func agenda(_ arguments: [String], pinned: Bool = true) throws -> AgendaRun {
    let takesMoment = !["import", "refresh", "doctor", "changes"].contains(arguments[0])
    return try AgendaRun(
      arguments + (takesMoment ? AgendaRun.pinned : []),
      environment: ["AGENDA_STORE": "agenda.sqlite"], in: scratch.url)
  }

  private func contents(_ name: String) throws -> String {
    try String(
      contentsOf: scratch.url.appendingPathComponent("home/\(name)"), encoding: .utf8)
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: scratch.url.appendingPathComponent("home").path
      ).sorted()
    }
  }

  /// The columns of a listing.
  private func rows(_ words: String) throws -> [[String: String]] {
    let run = try agenda(
      "show", "--tasks", "--include-cancelled", "--search", words, "-f", "tsv", "--years", "2")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  private func starts(_ words: String) throws -> [String] {
    try rows(words).map { String(($0["start"] ?? "").prefix(16)) }
  }

  /// What an import of the folder finds to do: the store must agree with the folder.
  private func expectAgreement(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let refresh = try agenda("refresh")
    #expect(refresh.status == 0, sourceLocation: sourceLocation)
    #expect(!refresh.output.contains("added"), "\(refresh.output)", sourceLocation: sourceLocation)
    #expect(
      !refresh.output.contains("updated"), "\(refresh.output)", sourceLocation: sourceLocation)
    #expect(
      !refresh.output.contains("removed"), "\(refresh.output)", sourceLocation: sourceLocation)
    #expect(try agenda("doctor").status == 0, sourceLocation: sourceLocation)
  }

  @Test("an edit changes its own lines only, and undo restores every byte")
  func editOne() throws {
    let id = try #require(try rows("lunch").first?["id"])
    let run = try agenda("edit", id, "--at", "2026-11-25T13:00", "--location", "")
    run.expect(
      0,
      output: "changed \(id) Lunch: Wednesday, 25 November 2026, 13:00–13:45 (45 min), "
        + "Europe/Berlin, home\n"
        + "  Tue, 24 Nov 2026, 12:30 → Wed, 25 Nov 2026, 13:00; also location: Café → –\n")
    #expect(
      try contents("lunch.ics")
        == Self.lunch.replacing("20261124T123000", with: "20261125T130000")
        .replacing("LOCATION:Café\r\n", with: "")
        .replacing("DTSTAMP:20260101T000000Z", with: "DTSTAMP:20261121T080000Z")
        .replacing("END:VEVENT", with: "LAST-MODIFIED:20261121T080000Z\r\nEND:VEVENT"))
    let changes = try agenda("changes").output
    #expect(changes.contains("Lunch") && changes.contains("Café"), "\(changes)")
    try expectAgreement()
    #expect(try agenda("undo").status == 0)
    #expect(try contents("lunch.ics") == Self.lunch)
    #expect(try starts("lunch") == ["2026-11-24T12:30"])
    try expectAgreement()
  }

  @Test("an edit that changes nothing writes nothing and says so")
  func nothing() throws {
    let id = try #require(try rows("lunch").first?["id"])
    try agenda("edit", id, "--location", "Café", "--title", "Lunch", "--for", "45m").expect(
      0, output: "nothing to change in Lunch\n")
    #expect(try contents("lunch.ics") == Self.lunch)
    let dry = try agenda("edit", id, "--title", "Dinner", "--dry-run")
    #expect(dry.output.contains("-SUMMARY:Lunch\n"))
    #expect(dry.output.contains("+SUMMARY:Dinner\n"))
    #expect(try contents("lunch.ics") == Self.lunch)
    #expect(try agenda("edit", id).status == 2)
    #expect(try agenda("edit", id, "--title", "").status == 2)
    #expect(try agenda("edit", id, "--only", "--all", "--title", "x").status == 2)
  }

  @Test("a series needs to know which of its occurrences are meant")
  func scopeIsNeeded() throws {
    let id = try #require(try rows("team").dropFirst().first?["id"])
    for command in [["edit", id, "--title", "x"], ["remove", "--event", id]] {
      let run = try AgendaRun(
        command + AgendaRun.pinned, environment: ["AGENDA_STORE": "agenda.sqlite"],
        in: scratch.url)
      run.expect(
        2, output: "",
        errors: "agenda: \(id): this is a series: choose --only, --following or --all\n")
    }
    #expect(try contents("team.ics") == Self.team)
  }

  // Checks RFC 5545: 3.8.4.4/1, 3.8.4.4/2
  @Test("--only writes an override, and the next edit changes it")
  func only() throws {
    let id = try #require(try rows("team").first?["id"])
    #expect(try agenda("edit", id, "--only", "--at", "2026-11-24T15:00").status == 0)
    #expect(
      try starts("team").prefix(3) == ["2026-11-24T15:00", "2026-12-01T09:00", "2026-12-08T09:00"])
    let text = try contents("team.ics")
    #expect(text.hasPrefix(Self.team.replacing("END:VCALENDAR\r\n", with: "")))
    #expect(text.contains("RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000\r\n"))
    #expect(text.contains("SEQUENCE:5\r\n"))
    try expectAgreement()
    #expect(try agenda("edit", id, "--only", "--title", "Moved").status == 0)
    #expect(try rows("moved").count == 1)
    #expect(try contents("team.ics").components(separatedBy: "BEGIN:VEVENT").count == 3)
    try expectAgreement()
  }

  @Test("--all moves the rule, exclusions and overrides along")
  func all() throws {
    let first = try #require(try rows("team").first?["id"])
    _ = try agenda("edit", first, "--only", "--location", "Room 2")
    let id = try #require(try rows("team").dropFirst().first?["id"])
    #expect(try agenda("edit", id, "--all", "--at", "2026-12-02T10:30").status == 0)
    // 15 December was excluded, so 16 December is; the override of 24 November keeps its values.
    #expect(
      try starts("team") == [
        "2026-11-24T09:00", "2026-12-02T10:30", "2026-12-09T10:30", "2026-12-23T10:30",
        "2026-12-30T10:30", "2027-01-06T10:30",
      ])
    let text = try contents("team.ics")
    #expect(text.contains("RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=10\r\n"))
    #expect(text.contains("EXDATE;TZID=Europe/Berlin:20261216T103000\r\n"))
    #expect(text.contains("RECURRENCE-ID;TZID=Europe/Berlin:20261125T103000\r\n"))
    #expect(text.contains("DTSTART;X-SEEN=1;TZID=Europe/Berlin:20261104T103000\r\n"))
    try expectAgreement()
  }

  @Test("--following ends the series and continues it in a separate file")
  func following() throws {
    let id = try #require(try rows("team").dropFirst().first?["id"])
    #expect(
      try agenda("edit", id, "--following", "--at", "2026-12-01T11:00", "--title", "Crew").status
        == 0)
    #expect(try starts("team") == ["2026-11-24T09:00"])
    #expect(
      try starts("crew") == [
        "2026-12-01T11:00", "2026-12-08T11:00", "2026-12-22T11:00", "2026-12-29T11:00",
        "2027-01-05T11:00",
      ])
    #expect(try names.count == 4)
    let text = try contents("team.ics")
    #expect(text.contains("RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261201T075959Z\r\n"))
    #expect(text.contains("SEQUENCE:5\r\n"))
    #expect(!text.contains("EXDATE"))
    let new = try #require(try names.first { $0.contains("@agenda") })
    #expect(try contents(new).contains("RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=6\r\n"))
    #expect(try contents(new).contains("TZID:Europe/Berlin"))
    try expectAgreement()
    #expect(try agenda("undo").status == 0)
    #expect(try contents("team.ics") == Self.team)
    #expect(try names.count == 3)
    try expectAgreement()
  }

  /// Runs `edit --editor` with a script as the editor.
  private func edited(_ script: String, _ arguments: String...) throws -> AgendaRun {
    try scratch.write("editor", "#!/bin/sh\necho run >> runs\n\(script)\n")
    return try AgendaRun(
      ["edit"] + arguments + ["--editor"] + AgendaRun.pinned,
      environment: [
        "AGENDA_STORE": "agenda.sqlite", "VISUAL": "sh ./editor", "TMPDIR": scratch.url.path,
      ], in: scratch.url)
  }

  private var editorRuns: Int {
    let runs = try? String(contentsOf: scratch.url.appendingPathComponent("runs"), encoding: .utf8)
    return runs?.split(separator: "\n").count ?? 0
  }

  // Checks limit: CommandRun.mostAttempts
  @Test("an editor that makes the same mistake for ever is run 50 times")
  func editorWithoutEnd() throws {
    let id = try #require(try rows("lunch").first?["id"])
    // Each time one more character, which is another text.
    let forever = try edited("sed -i 's/^DTSTART.*/&x/' \"$1\"", id)
    #expect(forever.status != 0 && forever.errors.contains("nothing was changed"), "\(forever)")
    #expect(editorRuns == 50)
    try scratch.write("runs", "")
    // The 50th text is right.
    let late = try edited(
      "if [ $(wc -l < runs) = 50 ]; then sed -i 's/^\\(DTSTART[^x]*\\)x*/\\1/; "
        + "s/^SUMMARY:.*/SUMMARY:Dinner/' \"$1\"; else sed -i 's/^DTSTART.*/&x/' \"$1\"; fi", id)
    #expect(late.status == 0 && late.output.contains("Dinner"), "\(late)")
    #expect(editorRuns == 50)
  }

  @Test("--editor changes only the lines that a person changed")
  func editor() throws {
    let id = try #require(try rows("lunch").first?["id"])
    let run = try edited("sed -i 's/^SUMMARY:.*/SUMMARY:Dinner/; /^LOCATION/d' \"$1\"", id)
    #expect(run.status == 0 && run.output.contains("changed \(id) Dinner"), "\(run)")
    #expect(
      try contents("lunch.ics")
        == Self.lunch.replacing("SUMMARY:Lunch", with: "SUMMARY:Dinner")
        .replacing("LOCATION:Café\r\n", with: "")
        .replacing("DTSTAMP:20260101T000000Z", with: "DTSTAMP:20261121T080000Z")
        .replacing("END:VEVENT", with: "LAST-MODIFIED:20261121T080000Z\r\nEND:VEVENT"))
    try expectAgreement()
    // Nothing of the text is left in the temporary folder.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).allSatisfy {
        !$0.hasPrefix("agenda-")
      })
    for script in ["true", "echo '# a comment' >> \"$1\"", ": > \"$1\""] {
      try edited(script, id).expect(0, output: "nothing to change in Dinner\n")
    }
    let failed = try edited("exit 3", id)
    #expect(failed.status == 1 && failed.errors.contains("ended with code 3; nothing was changed"))
    #expect(try agenda("edit", id, "--editor", "--title", "x").status == 2)
    #expect(try agenda("undo").status == 0)
    #expect(try contents("lunch.ics") == Self.lunch)
  }

  // Checks limit: TextEditor.largestText
  @Test("--editor reads a text of 64 MiB, and no larger one")
  func largestText() throws {
    let id = try #require(try rows("lunch").first?["id"])
    for (count, reason) in [(67_108_864, "not UTF-8"), (67_108_865, "larger than 67108864 bytes")] {
      let run = try edited(
        "head -c \(count - 1) /dev/zero > \"$1\"; printf '\\377' >> \"$1\"", id)
      #expect(run.status == 1 && run.errors.contains("cannot be read: \(reason)"), "\(run)")
      let kept = try #require(run.errors.firstMatch(of: #/your text is in (\S+)\n/#)?.output.1)
      try FileManager.default.removeItem(atPath: String(kept))
    }
  }

  @Test("--editor opens the text again with the error above its line, and keeps it at last")
  func editorErrors() throws {
    let id = try #require(try rows("lunch").first?["id"])
    // The first attempt has a date that does not exist; the second one repairs it.
    let repaired = try edited(
      """
      if grep -q '^# error: ' "$1"; then
        grep -A1 '^# error: ' "$1" > seen
        sed -i 's/20260230T/20261126T/' "$1"
      else
        sed -i 's/^\\(DTSTART.*:\\)20261124T/\\120260230T/' "$1"
      fi
      """, id)
    #expect(repaired.status == 0, "\(repaired)")
    let seen = try String(
      contentsOf: scratch.url.appendingPathComponent("seen"), encoding: .utf8)
    #expect(
      seen.contains("no such date")
        && seen.hasSuffix("\nDTSTART;TZID=Europe/Berlin:20260230T123000\n"),
      "\(seen)")
    #expect(try starts("lunch") == ["2026-11-26T12:30"])
    let before = try contents("lunch.ics")
    for (script, reason) in [
      ("sed -i 's/^SUMMARY:.*/SUMMARY/' \"$1\"", "expected a property such as SUMMARY:Lunch"),
      ("sed -i 's/^UID:.*/UID:mine/' \"$1\"", "BEGIN, END, UID and RECURRENCE-ID cannot change"),
      ("sed -i '/^END:/d' \"$1\"", "END:VEVENT is missing after this line"),
      ("sed -i 's/^DTSTART.*/DTSTART:tomorrow/' \"$1\"", "DTSTART"),
      ("sed -i '/^DTSTART/d' \"$1\"", ": missing DTSTART; nothing"),
      (
        "sed -i 's/^DTSTART.*/DTSTART;TZID=Mars\\/X:20261124T123000/' \"$1\"",
        "DTSTART: unknown TZID \"Mars/X\"; nothing"
      ),
      (
        "grep -q ^COMMENT \"$1\" || echo COMMENT:late >> \"$1\"",
        "a property comes before the END of its component, not after it"
      ),
      (
        "grep -q '^# error' \"$1\" || printf 'SUMMARY:x\\n' > \"$1\"",
        "expected BEGIN:VEVENT or BEGIN:VTODO"
      ),
      ("sed -i 's/^END:VEVENT/END:VTODO/' \"$1\"", "expected END:VEVENT"),
      (
        "[ $(grep -c ^END:VEVENT \"$1\") = 2 ] || printf 'BEGIN:VEVENT\\nEND:VEVENT\\n' >> \"$1\"",
        "the text has 2 components, expected 1"
      ),
    ] {
      let runs = editorRuns
      let run = try edited(script, id)
      // The second run of the script changes nothing, so agenda gives up.
      #expect(run.status == 1 && run.errors.contains(reason), "\(run)")
      #expect(editorRuns == runs + 2, "\(script)")
      let kept = try #require(run.errors.firstMatch(of: #/your text is in (\S+)\n/#)?.output.1)
      #expect(try String(contentsOfFile: String(kept), encoding: .utf8).contains("# error: "))
      #expect(try contents("lunch.ics") == before)
    }
    let bytes = try edited("printf '# \\377\\n' >> \"$1\"", id)
    let kept = try #require(
      bytes.errors.firstMatch(of: #/not UTF-8.* text is in (\S+)\n/#)?.output.1)
    #expect(bytes.status == 1 && FileManager.default.fileExists(atPath: String(kept)))
    try expectAgreement()
  }

  @Test("--editor changes one occurrence of a series, or all of it")
  func editorOfSeries() throws {
    let ids = try rows("team").compactMap { $0["id"] }
    #expect(try edited("true", ids[1]).status == 2)
    #expect(try edited("true", ids[1], "--following").status == 2)
    let rename = "sed -i 's/^SUMMARY;LANGUAGE=de:Team/SUMMARY:Crew/' \"$1\""
    #expect(try edited(rename, ids[1], "--only").status == 0)
    #expect(try rows("crew").count == 1)
    // Now the occurrence has a text of its own.
    let move = "sed -i '/^DTSTAMP/d; s/^SUMMARY:Crew/SUMMARY:Crew 2/' \"$1\""
    let own = try #require(try rows("crew").first?["id"])
    #expect(try edited(move, own, "--only").status == 0)
    #expect(try rows("crew").map { $0["title"] } == ["Crew 2"])
    #expect(try contents("team.ics").components(separatedBy: "RECURRENCE-ID").count == 2)
    #expect(try contents("team.ics").hasPrefix(Self.team.replacing("END:VCALENDAR\r\n", with: "")))
    try expectAgreement()
    #expect(try edited(rename, ids[0], "--all").status == 0)
    #expect(try rows("crew").count == ids.count)
    #expect(try contents("team.ics").contains("X-FOO;BAR=baz:keep\r\n  me\r\n"))
    try expectAgreement()
  }

  // Checks RFC 5545: 3.2.19/1
  @Test("--calendar moves an event with its zone, and undo brings it back")
  func move() throws {
    try scratch.write("family/trip.ics", Self.lunch.replacing("../../lunch", with: "trip"))
    #expect(try agenda("import", "family", "--quiet").status == 0)
    let family = scratch.url.appendingPathComponent("family").path
    func familyNames() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: family).sorted()
    }
    let id = try #require(try rows("lunch").first { $0["calendar"] == "home" }?["id"])
    let dry = try agenda("edit", id, "--calendar", "family", "--dry-run")
    #expect(dry.output.contains("+SUMMARY:Lunch\n") && dry.output.contains("-SUMMARY:Lunch\n"))
    #expect(try names.contains("lunch.ics") && familyNames() == ["trip.ics"])
    let run = try agenda("edit", id, "--calendar", "Family", "--title", "Dinner")
    #expect(run.status == 0 && run.output.contains(", family\n"), "\(run)")
    #expect(run.output.hasSuffix(": title: Lunch → Dinner; calendar: home → family\n"))
    #expect(try names == ["tasks.ics", "team.ics"])
    let new = try #require(try familyNames().first { $0 != "trip.ics" })
    let text = try String(contentsOfFile: "\(family)/\(new)", encoding: .utf8)
    #expect(text.contains("TZID:Europe/Berlin\r\n") && text.contains("UID:../../lunch\r\n"))
    #expect(text.contains("SUMMARY:Dinner\r\n") && text.contains("DURATION:PT45M\r\n"))
    #expect(try rows("dinner").map { $0["calendar"] } == ["family"])
    try expectAgreement()
    #expect(try agenda("undo").status == 0)
    #expect(try contents("lunch.ics") == Self.lunch && familyNames() == ["trip.ics"])
    try expectAgreement()
    // Into the store's own calendar and back, a series with its overrides as a whole.
    let team = try rows("team").compactMap { $0["id"] }
    #expect(try agenda("edit", team[0], "--only", "--location", "Room 2").status == 0)
    for options in [["--title", "x"], ["--only"], ["--title", "x", "--following"]] {
      let run = try agenda(["edit", team[1], "--calendar", "local"] + options)
      #expect(run.status == 2 && run.errors.contains("as a whole: choose --all"), "\(run)")
    }
    let starts = try starts("team")
    for (calendar, scope) in [("local", ["--all"]), ("family", []), ("home", [])] {
      #expect(try agenda(["edit", team[1], "--calendar", calendar] + scope).status == 0)
      #expect(try rows("team").allSatisfy { $0["calendar"] == calendar })
      #expect(try self.starts("team") == starts && rows("room").count == 1)
      try expectAgreement()
    }
    #expect(try contents("team.ics").contains("X-FOO;BAR=baz:keep\r\n  me\r\n"))
    let unknown = try agenda("edit", team[1], "--calendar", "nowhere", "--all")
    #expect(unknown.status == 2 && unknown.errors.contains("no calendar is called \"nowhere\""))
  }

  @Test("remove: one occurrence, the rest of a series, and all of it with its file")
  func remove() throws {
    let ids = try rows("team").compactMap { $0["id"] }
    #expect(try agenda("remove", "--event", ids[1], "--only").status == 0)
    #expect(
      try contents("team.ics").contains(
        "EXDATE;TZID=Europe/Berlin:20261215T090000\r\n"
          + "EXDATE;TZID=Europe/Berlin:20261201T090000\r\n"))
    #expect(try rows("team").count == ids.count - 1)
    try expectAgreement()
    #expect(try agenda("remove", "--event", ids[2], "--following").status == 0)
    #expect(try rows("team").count == 1)
    try expectAgreement()
    #expect(try agenda("remove", "--event", ids[0], "--all").status == 0)
    #expect(try names == ["lunch.ics", "tasks.ics"])
    try expectAgreement()
    for _ in 1...3 { #expect(try agenda("undo").status == 0) }
    #expect(try contents("team.ics") == Self.team)
    #expect(try rows("team").compactMap { $0["id"] } == ids)
  }

  // Checks RFC 5545: 3.8.2.1/1
  @Test("done completes a task; one of several in a file keeps its neighbours")
  func done() throws {
    let rent = try #require(try agenda("tasks", "--ids").output.split(separator: "\n").first)
    let id = String(rent.suffix(8))
    #expect(try agenda("done", id).status == 0)
    #expect(
      try contents("tasks.ics")
        == Self.rent.replacing(
          "ATTENDEE:mailto:bo@example.com\r\n",
          with: "ATTENDEE:mailto:bo@example.com\r\nSTATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\n"
            + "COMPLETED:20261121T080000Z\r\nLAST-MODIFIED:20261121T080000Z\r\n"
        ).replacing(
          "UID:rent\r\nDTSTAMP:20260101T000000Z", with: "UID:rent\r\nDTSTAMP:20261121T080000Z"))
    try expectAgreement()
    // A task without a date has an id too.
    let greek = try #require(try agenda("tasks", "--ids").output.split(separator: "\n").first)
    #expect(try agenda("done", String(greek.suffix(8))).status == 0)
    #expect(try agenda("tasks").output == "")
    try expectAgreement()
    // A cancelled task stays cancelled.
    #expect(try agenda("edit", id, "--status", "cancelled").status == 0)
    let cancelled = try agenda("done", id)
    #expect(cancelled.status == 2 && cancelled.errors.contains("the task is cancelled"))
    #expect(try contents("tasks.ics").contains("STATUS:CANCELLED\r\n"))
    #expect(try agenda("done", try #require(try rows("lunch").first?["id"])).status == 2)
  }

  @Test("an occurrence of a repeating task keeps its start and its due date")
  func startAndDue() throws {
    let task = component(
      "VTODO", "steps",
      [
        "DTSTART:20261120T080000Z", "DUE:20261122T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3",
        "SUMMARY:Steps",
      ])
    try scratch.write("home/steps.ics", TestSupport.calendar(task))
    #expect(try agenda("refresh").status == 0)
    let before = try rows("steps")
    #expect(before.compactMap { $0["start"] }.count == 3)
    #expect(try agenda("done", try #require(before[0]["id"])).status == 0)
    #expect(
      try agenda("edit", try #require(before[1]["id"]), "--only", "--title", "Two steps").status
        == 0)
    let text = try contents("steps.ics")
    for (start, due) in [("20261120", "20261122"), ("20261127", "20261129")] {
      let id = try #require(text.range(of: "RECURRENCE-ID:\(start)T080000Z"))
      let end = try #require(text[id.lowerBound...].range(of: "END:VTODO")).lowerBound
      let begin = try #require(
        text[..<id.lowerBound].range(of: "BEGIN:VTODO", options: .backwards)
      ).lowerBound
      #expect(text[begin..<end].contains("DTSTART:\(start)T080000Z\r\n"))
      #expect(text[begin..<end].contains("DUE:\(due)T100000Z\r\n"))
    }
    #expect(try rows("steps").compactMap { $0["start"] } == before.compactMap { $0["start"] })
    try expectAgreement()
  }

  @Test("somebody else's events are not changed; remove hides them until undo")
  func foreign() throws {
    try scratch.write("work.ics", Self.team.replacing("UID:team", with: "UID:other"))
    _ = try agenda("import", "work.ics", "--quiet")
    _ = try agenda("remove", "--calendar", "home")
    let ids = try rows("team").compactMap { $0["id"] }
    let edit = try agenda("edit", ids[0], "--all", "--title", "x")
    #expect(edit.status == 1)
    #expect(edit.errors.contains("agenda add --like \(ids[0]) --calendar NAME"))
    let removed = try agenda("remove", "--event", ids[1], "--only")
    #expect(removed.status == 0)
    #expect(
      removed.output.hasSuffix(
        "/work.ics still has it, and later imports leave it out until agenda undo\n"))
    let hidden = "\n    1 entry removed from the store, but not from the source\n"
    #expect(try agenda("calendars").output.contains(hidden))
    #expect(try agenda("calendars", "-f", "json").output.contains(#""hidden":1"#))
    #expect(try rows("team").count == ids.count - 1)
    // A change in the source keeps the occurrence hidden.
    try scratch.write(
      "work.ics",
      Self.team.replacing("UID:team", with: "UID:other").replacing("de:Team", with: "de:Team 2"))
    #expect(try agenda("import", "work.ics").output.contains("1 updated"))
    #expect(
      try rows("team").map { $0["title"] } == Array(repeating: "Team 2", count: ids.count - 1))
    #expect(try agenda("remove", "--event", ids[0], "--all").status == 0)
    #expect(try rows("team").isEmpty)
    #expect(try agenda("import", "work.ics").output.contains("1 unchanged"))
    #expect(try rows("team").isEmpty)
    #expect(try agenda("undo").status == 0)
    #expect(try rows("team").count == ids.count - 1)
    #expect(try agenda("doctor").status == 0)
    #expect(
      try agenda("add", "--like", ids[0], "--calendar", "local", "--location", "Here").status == 0)
    let copies = try rows("here")
    #expect(copies.count == ids.count - 1)
    #expect(copies.allSatisfy { $0["calendar"] == "local" })
  }

  @Test("an event that another program changed is not overwritten")
  func conflict() throws {
    let id = try #require(try rows("lunch").first?["id"])
    let theirs = Self.lunch.replacing("SUMMARY:Lunch", with: "SUMMARY:Brunch")
    try scratch.write("home/lunch.ics", theirs)
    let run = try agenda("edit", id, "--location", "x")
    #expect(run.status == 1)
    #expect(run.errors.contains("the store has \"Lunch\" SEQUENCE 0"))
    #expect(run.errors.contains("the file has \"Brunch\" SEQUENCE 0"))
    #expect(try contents("lunch.ics") == theirs)
    // A new stamp or another event in the file is not a conflict.
    let restamped = Self.lunch.replacing("DTSTAMP:2026", with: "DTSTAMP:2025").replacing(
      "END:VCALENDAR",
      with:
        "BEGIN:VEVENT\r\nUID:b\r\nDTSTART:20261126T100000Z\r\nSUMMARY:Neighbour\r\nEND:VEVENT\r\nEND:VCALENDAR"
    )
    try scratch.write("home/lunch.ics", restamped)
    #expect(try agenda("edit", id, "--location", "x").status == 0)
    #expect(try rows("neighbour").count == 1)
    try expectAgreement()
    try FileManager.default.removeItem(at: scratch.url.appendingPathComponent("home/lunch.ics"))
    #expect(try agenda("edit", id, "--location", "y").status == 1)
    #expect(try agenda("undo").status == 1)
  }

  @Test("undo refuses if a file was changed since")
  func undoRefuses() throws {
    let id = try #require(try rows("lunch").first?["id"])
    #expect(try agenda("edit", id, "--location", "x").status == 0)
    let theirs = try contents("lunch.ics").replacing("SUMMARY:Lunch", with: "SUMMARY:Brunch")
    try scratch.write("home/lunch.ics", theirs)
    let run = try agenda("undo")
    #expect(run.status == 1)
    #expect(run.errors.contains("home/lunch.ics: changed since agenda wrote it"))
    #expect(run.errors.contains("agenda changes shows the previous values"))
    #expect(try agenda("changes").output.contains("location"))
    #expect(try contents("lunch.ics") == theirs)
  }

  @Test("plain words: date, time, length, then the title")
  func plainWords() throws {
    let run = try agenda(
      "add", "tomorrow", "12:30", "1h", "Lunch", "with", "Ana", "--calendar", "home")
    #expect(
      run.output.hasSuffix(
        " Lunch with Ana: Sunday, 22 November 2026, 12:30–13:30 (1 h), Europe/Berlin, home\n"))
    #expect(try names.count == 4)
    let new = try #require(try names.first { $0.contains("@agenda") })
    #expect(try contents(new).contains("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n"))
    try expectAgreement()
    #expect(try agenda("undo").status == 0)
    #expect(try names.count == 3)
    #expect(
      try agenda("add", "24 dec", "Christmas", "dinner").output.hasSuffix(
        " Christmas dinner: Thursday, 24 December 2026, all day, local\n"))
    #expect(
      try agenda("add", "mon", "22-24", "Party").output.contains(
        "Monday, 23 November 2026, 22:00 – Tuesday, 24 November 2026, 00:00 (2 h)"))
    #expect(
      try agenda("add", "mon", "9-9:15", "Stand-up", "--repeat", "weekdays").output.contains(
        "Monday, 23 November 2026, 09:00–09:15 (15 min), Europe/Berlin, every weekday, local"))
    // The time can come after the title, and one argument means the same as several.
    for words in [
      ["tomorrow 12:30 Lunch"], ["Lunch", "tomorrow", "12:30"], ["tomorrow", "Lunch", "12:30"],
      ["Lunch tomorrow at 12:30"], ["tomorrow", "Lunch 12:30"],
    ] {
      let added = try AgendaRun(
        ["add"] + words + AgendaRun.pinned, environment: ["AGENDA_STORE": "agenda.sqlite"],
        in: scratch.url)
      #expect(
        added.output.hasSuffix(
          " Lunch: Sunday, 22 November 2026, 12:30–13:30 (1 h), Europe/Berlin, local\n")
          == (words != ["tomorrow", "Lunch 12:30"]), "\(added)")
    }
    #expect(
      try agenda("add", "--task", "due friday buy milk").output.hasSuffix(
        " buy milk: due Friday, 27 November 2026, local\n"))
    #expect(try agenda("add", "--calendar", "nowhere", "tomorrow", "Lunch").status == 2)
    #expect(
      try agenda("add", "--task", "Buy milk", "--due", "tomorrow", "--priority", "2").status == 0)
    #expect(try agenda("tasks").output.contains("Buy milk · Sun, 22 Nov 2026 · priority 2"))
  }

  @Test("plain words that are wrong or come too late are reported")
  func unclearWords() throws {
    let quotes = "give the time of such a title with --at"
    let kept = "--timezone Europe/Berlin --now 2026-11-21T09:00:00+01:00"
    for (words, errors) in [
      (
        ["25:00", "Lunch"],
        "25:00: expected a time from 0:00 to 23:59, or from 12am to 11:59pm; \(quotes)"
      ),
      (["30", "feb", "Lunch"], "30 feb: expected a day from 1 to 29, got 30; \(quotes)"),
      (
        ["3/4", "Lunch"],
        "3/4: the order of day and month is unclear; write 3 apr or 4 mar: "
          + "agenda add 3 apr Lunch \(kept), or agenda add 4 mar Lunch \(kept); \(quotes)"
      ),
      (
        ["tomorrow", "1h", "walk"],
        "1h: expected a time before the length, such as 12:30 1h; \(quotes)"
      ),
      (["tomorrow"], "TITLE: a title is missing"),
      (
        ["Lunch", "12:30", "with", "Ana"],
        "\"12:30\" is part of the title: begin with the time, such as tomorrow 12:30 or every tuesday 18:00, "
          + "or give --at 2026-11-24T12:30"
      ),
    ] {
      let run = try AgendaRun(
        ["add"] + words + AgendaRun.pinned, environment: ["AGENDA_STORE": "agenda.sqlite"],
        in: scratch.url)
      run.expect(2, output: "", errors: "agenda: \(errors)\n")
    }
    let late = try agenda("add", "tomorrow", "Lunch", "12:30", "with", "Ana")
    late.expect(
      2, output: "",
      errors:
        "agenda: \"12:30\" looks like a part of the time, and agenda does not understand it there: "
        + "write the time in other words, or give it with --at\n")
    for (words, text, way) in [
      (
        ["12:30", "America/New_York"], "America/New_York",
        "looks like a time zone: set it with --in-zone America/New_York"
      ),
      (["12:30", "UTC"], "UTC", "looks like a time zone: set it with --in-zone UTC"),
      (
        ["12:30", "PST"], "PST", "looks like a time zone: set it with --in-zone and a name such as"
      ),
      (["Evening"], "Evening", "looks like a part of the time"),
    ] {
      let run = try AgendaRun(
        ["add", "tomorrow"] + words + ["Lunch", "--dry-run"] + AgendaRun.pinned,
        environment: ["AGENDA_STORE": "agenda.sqlite"], in: scratch.url)
      #expect(run.status == 2 && run.output.isEmpty)
      #expect(run.errors.hasPrefix("agenda: \"\(text)\" \(way)"), "\(run.errors)")
    }
    let number = try agenda("add", "tomorrow", "12", "Lunch", "--dry-run")
    #expect(
      number.errors
        == "agenda: warning: \"12\" is part of the title; to have it read as a time, write: "
        + "agenda add tomorrow at 12 Lunch --dry-run \(kept)\n")
    // Words that titles begin with.
    for words in [["12:30", "Cuba"], ["12:30", "SPD"], ["12:30", "Evening"], ["Every", "now"]] {
      let run = try AgendaRun(
        ["add", "tomorrow"] + words + ["Lunch", "--dry-run"] + AgendaRun.pinned,
        environment: ["AGENDA_STORE": "agenda.sqlite"], in: scratch.url)
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    }
    let quoted = try agenda("add", "tomorrow", "1h walk")
    #expect(quoted.output.hasSuffix(" 1h walk: Sunday, 22 November 2026, all day, local\n"))
    #expect(quoted.errors.hasPrefix("agenda: warning: \"1h\" is part of the title; "))
    let range = try agenda("add", "24 dec", "-", "2", "jan", "Holidays")
    #expect(
      range.output.hasSuffix(
        " Holidays: Thursday, 24 December 2026 – Saturday, 2 January 2027, all day (10 d), local\n")
    )
    #expect(
      try agenda("show", "--from", "next week", "--days", "1").output.contains("23 November"))
  }

  @Test("every property is set, kept in its zone, and removed by an empty value")
  func properties() throws {
    let id = try #require(try rows("lunch").first?["id"])
    try scratch.write("menu.txt", "soup")
    try scratch.write("empty.txt", "")
    let run = try agenda(
      "edit", id, "--note", "bring; the book", "--url", "https://example.com/", "--category", "a",
      "--category", "b", "--event-color", "tomato", "--status", "tentative", "--alarm", "10m",
      "--alarm", "0m",
      "--geo", "52.52,13.40", "--attach", "menu.txt", "--in-zone", "America/New_York")
    #expect(run.status == 0, "\(run.errors)")
    let text = try contents("lunch.ics")
    for line in [
      "DESCRIPTION:bring\\; the book", "URL:https://example.com/", "CATEGORIES:a,b",
      "COLOR:tomato", "STATUS:TENTATIVE", "TRIGGER:-PT10M", "TRIGGER:PT0S", "GEO:52.52;13.4",
      "DTSTART;TZID=America/New_York:20261124T123000", "TZID:America/New_York",
    ] { #expect(text.contains("\(line)\r\n"), "\(line)") }
    #expect(text.contains(Data("soup".utf8).base64EncodedString()))
    #expect(try starts("lunch") == ["2026-11-24T18:30"])
    // Berlin time, written in the event's own zone.
    #expect(try agenda("edit", id, "--at", "2026-11-24T20:00").status == 0)
    #expect(
      try contents("lunch.ics").contains("DTSTART;TZID=America/New_York:20261124T140000\r\n"))
    #expect(try agenda("edit", id, "--alarm", "", "--alarm", "5m", "--alarm", "1d").status == 0)
    let alarms = try contents("lunch.ics").split(separator: "\r\n").filter {
      $0.contains("TRIGGER")
    }
    #expect(alarms == ["TRIGGER:-PT5M", "TRIGGER:-P1D"])
    #expect(try agenda("edit", id, "--alarm", "", "--category", "", "--for", "").status == 0)
    let less = try contents("lunch.ics")
    #expect(!less.contains("VALARM") && !less.contains("CATEGORIES") && !less.contains("DURATION"))
    #expect(try agenda("edit", id, "--at", "2026-12-24", "--until", "2026-12-26").status == 0)
    #expect(try contents("lunch.ics").contains("DTEND;VALUE=DATE:20261227\r\n"))
    try expectAgreement()
    #expect(try agenda("edit", id, "--repeat", "daily, 3 times").status == 0)
    #expect(try rows("lunch").count == 9)
    for wrong in [
      ["--geo", "91,0"], ["--status", "maybe"], ["--at", "soon"], ["--for", "long"],
      ["--attach", "none.txt"], ["--attach", "empty.txt"], ["--alarm", "0"], ["--url", "a b"],
      ["--event-color", "1"], ["--in-zone", "Mars"],
    ] {
      let run = try AgendaRun(
        ["edit", id, "--all"] + wrong + AgendaRun.pinned,
        environment: ["AGENDA_STORE": "agenda.sqlite"], in: scratch.url)
      #expect(run.status != 0 && !run.errors.isEmpty, "\(wrong)")
    }
  }

  /// A JPEG with nothing but Exif data: when and where it was taken.
  private static func picture(
    time: String = "2026:08:09 17:30:00", offset: String = "+02:00", latitude: UInt32 = 46,
    isDamaged: Bool = false
  ) -> [UInt8] {
    func number(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32(count - 1 - $0))) }
    }
    func entry(_ tag: UInt32, _ type: UInt32, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value
    }
    // Places: the first directory at 8, Exif at 50, GPS at 100, then the values.
    var tiff = Array("MM".utf8) + number(42, 2) + number(8, 4)
    tiff += number(2, 2) + entry(0x8769, 4, 1, number(50, 4))
    tiff += entry(0x8825, 4, 1, number(isDamaged ? 60_000 : 100, 4)) + number(0, 4)
    tiff += [UInt8](repeating: 0, count: 50 - tiff.count)
    tiff += number(2, 2) + entry(0x9003, 2, 20, number(170, 4))
    tiff += entry(0x9011, 2, 7, number(190, 4)) + number(0, 4)
    tiff += [UInt8](repeating: 0, count: 100 - tiff.count)
    tiff += number(4, 2) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + entry(2, 5, 3, number(200, 4))
    tiff += entry(3, 2, 2, Array("W\0\0\0".utf8)) + entry(4, 5, 3, number(224, 4)) + number(0, 4)
    tiff += [UInt8](repeating: 0, count: 170 - tiff.count)
    tiff += Array(time.utf8) + [0] + Array(offset.utf8) + [0, 0, 0, 0]
    for value in [latitude, 30, 0, 7, 45, 36] { tiff += number(value, 4) + number(1, 4) }
    let exif = Array("Exif\0\0".utf8) + tiff
    return [0xff, 0xd8, 0xff, 0xe1] + number(UInt32(exif.count + 2), 2) + exif + [0xff, 0xd9]
  }

  @Test("add --title leaves the words for the time")
  func addTitle() throws {
    for words in [["tomorrow", "12:30", "45m"], ["tomorrow 12:30 45m"]] {
      let run = try AgendaRun(
        ["add"] + words + ["--title", "24 dec", "--dry-run"] + AgendaRun.pinned,
        environment: ["AGENDA_STORE": "agenda.sqlite"], in: scratch.url)
      #expect(run.output.contains("+SUMMARY:24 dec\n"), "\(run)")
      #expect(run.output.contains("+DTSTART;TZID=Europe/Berlin:20261122T123000\n"))
      #expect(run.output.contains("+DURATION:PT45M\n") || run.output.contains("T131500\n"))
    }
    let both = try agenda("add", "tomorrow", "Lunch", "--title", "Dinner")
    both.expect(2, output: "", errors: "agenda: --title and TITLE cannot be used together\n")
    #expect(try agenda("add", "tomorrow", "--at", "2026-12-01", "--title", "x").status == 2)
  }

  @Test("an import of a folder waits until its writer has finished", .requires("flock"))
  func importLocks() throws {
    // flock keeps the lock for itself, so that agenda does not inherit it.
    let program = AgendaRun.program.path
    let run = try AgendaRun(
      shell: """
        flock -o home sh -c '
          { \(program) import home -q; echo done > finished; } &
          sleep 1
          [ ! -e finished ] || echo early'
        until [ -e finished ]; do sleep 0.1; done
        echo late
        """, environment: ["AGENDA_STORE": "agenda.sqlite"], in: scratch.url)
    run.expect(0, output: "late\n")
  }

  @Test(
    "a UID never leads out of the folder",
    arguments: [
      "../../../out", "/tmp/out", "a/b/c", ".hidden", "..", "-rf", "line\\nbreak", "con:*?\"|",
      String(repeating: "é", count: 300), "a.ics",
    ])
  func hostileUID(_ uid: String) throws {
    let text = Self.lunch.replacing("UID:../../lunch", with: "UID:\(uid)")
      .replacing("SUMMARY:Lunch", with: "SUMMARY:Hostile\r\nRRULE:FREQ=DAILY;COUNT=4")
    try scratch.write("other/x.ics", text)
    #expect(try agenda("import", "other", "--quiet").status == 0)
    func everything() throws -> Set<String> {
      let found = FileManager.default.enumerator(atPath: scratch.url.path)
      return Set((found?.allObjects as? [String] ?? []).filter { !$0.hasPrefix("agenda.sqlite") })
    }
    let files = try everything()
    let id = try #require(try rows("hostile").dropFirst().first?["id"])
    #expect(try agenda("edit", id, "--calendar", "home", "--all").status == 0)
    let new = try everything().subtracting(files)
    let name = try #require(new.first)
    #expect(new.count == 1 && name.hasPrefix("home/") && name.hasSuffix(".ics"), "\(new)")
    #expect(!name.dropFirst(5).contains("/") && !name.hasPrefix("home/."))
    #expect(name.utf8.count <= 105)
    try expectAgreement()
    #expect(try agenda("edit", id, "--following", "--title", "Hostile too").status == 0)
    #expect(try everything().subtracting(files).allSatisfy { $0.hasPrefix("home/") })
    #expect(try rows("hostile").count == 4)
    try expectAgreement()
    for _ in 1...2 { #expect(try agenda("undo").status == 0) }
    #expect(try everything() == files)
    let restored = try String(
      contentsOf: scratch.url.appendingPathComponent("other/x.ics"), encoding: .utf8)
    #expect(restored == text)
  }

  // Checks RFC 5545: 3.8.1.6/2
  @Test("a photo gives a new event its time and place; a damaged one is refused")
  func photo() throws {
    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: scratch.url.appendingPathComponent(name))
    }
    try write("summit.jpg", Self.picture())
    let run = try agenda("add", "Summit", "--photo", "summit.jpg", "--calendar", "home")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(" Summit: Sunday, 9 August 2026, 17:30–18:30 (1 h)"))
    let new = try #require(try names.first { $0.contains("@agenda") })
    // 46° 30′ north, 7° 45′ 36″ west.
    #expect(try contents(new).contains("GEO:46.5;-7.76\r\n"))
    let id = String(run.output.split(separator: " ")[1])
    #expect(try agenda("attachment", id, "--from", "2026-08-01", "-o", "copy.jpg").status == 0)
    #expect(
      try Data(contentsOf: scratch.url.appendingPathComponent("copy.jpg"))
        == Data(Self.picture()))
    try write("other.jpg", Self.picture(time: "2020:01:01 00:00:00"))
    #expect(try agenda("edit", id, "--photo", "other.jpg", "--from", "2026-08-01").status == 0)
    let text = try contents(new)
    #expect(text.components(separatedBy: "IMAGE;").count == 2)
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20260809T173000"))
    try write("place.jpg", Self.picture(latitude: 95))
    try write("time.jpg", Self.picture(time: "2026:13:40 17:30:00"))
    try write("damaged.jpg", Self.picture(isDamaged: true))
    try write("text.jpg", Array("no picture".utf8))
    // Without the marker at the end.
    try write("cut.jpg", Self.picture().dropLast(2))
    try write("large.jpg", Self.picture() + [UInt8](repeating: 0, count: 50 << 20))
    for name in ["place", "time", "damaged", "text", "cut", "large", "missing"] {
      let run = try agenda("add", "Summit", "--photo", "\(name).jpg", "--calendar", "home")
      #expect(run.status == 1 && run.errors.contains("--photo: \(name).jpg: "), "\(run.errors)")
    }
    #expect(try names.count == 4)
    #expect(try agenda("edit", id, "--attach", "text.jpg", "--from", "2026-08-01").status == 0)
    let before = try contents(new)
    for option in ["--photo", "--attach"] {
      let run = try agenda("edit", id, option, "large.jpg", "--from", "2026-08-01")
      #expect(run.status == 1 && run.errors.contains("\(option): large.jpg: "), "\(run.errors)")
    }
    #expect(try contents(new) == before)
    // Empty values remove the picture, the coordinates and all attachments, and no other line.
    let emptied = try agenda(
      "edit", id, "--photo", "", "--geo", "", "--attach", "", "--from", "2026-08-01")
    #expect(emptied.status == 0, "\(emptied.errors)")
    func lines(_ text: String) -> [String] {
      text.replacing("\r\n ", with: "").components(separatedBy: "\r\n").filter { line in
        !["IMAGE;", "GEO:", "ATTACH;", "DTSTAMP:", "LAST-MODIFIED:"].contains {
          line.hasPrefix($0)
        }
      }
    }
    let after = try contents(new)
    #expect(lines(after) == lines(before))
    #expect(!["\nIMAGE", "\nGEO", "\nATTACH"].contains { after.contains($0) })
    let words = try agenda("add", "mon 9:00", "Climb", "--geo", "1,2", "--photo", "place.jpg")
    #expect(words.output.contains(" Climb: Monday, 23 November 2026, 09:00–10:00 (1 h)"))
    let digits = try agenda("add", "mon", "x", "--geo", "52.123456789,-0.0000001", "--dry-run")
    #expect(digits.output.contains("+GEO:52.123457;0.0\n"), "\(digits.output)")
  }

  @Test("a folder that cannot be written is reported before anything happens")
  func readOnly() throws {
    guard getuid() != 0 else { return }
    let folder = scratch.url.appendingPathComponent("home").path
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }
    let id = try #require(try rows("lunch").first?["id"])
    let run = try agenda("edit", id, "--title", "x")
    #expect(run.status == 1)
    #expect(run.errors.contains("not writable"))
    #expect(try agenda("add", "today", "x", "--calendar", "home").status == 1)
  }
}
