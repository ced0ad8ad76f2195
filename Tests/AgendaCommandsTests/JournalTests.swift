import Testing

@testable import AgendaCommands

/// Journals without a date, and sources without events.
@Suite("journals and busy times")
struct JournalTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  // Checks Decisions: Reading files/14
  @Test("--journal lists journals without a date last, from the file and from the store")
  func undated() throws {
    try fixture.write(
      "notes.ics",
      "BEGIN:VCALENDAR\nBEGIN:VJOURNAL\nUID:1\nSUMMARY:Idea\nEND:VJOURNAL\n"
        + "BEGIN:VJOURNAL\nUID:2\nDTSTART;VALUE=DATE:20261123\nSUMMARY:Dated\nEND:VJOURNAL\n"
        + "BEGIN:VJOURNAL\nUID:3\nSUMMARY:Old idea\nSTATUS:CANCELLED\nEND:VJOURNAL\nEND:VCALENDAR\n"
    )
    let file = fixture.path("notes.ics")
    #expect(fixture.titles(["show", file]) == [])
    #expect(fixture.titles(["show", "--journal", file]) == ["23 Dated", " Idea"])
    #expect(fixture.titles(["show", "--journal", "--limit", "1", file]) == ["23 Dated"])
    let imported = fixture.run(["import", file], isPinned: false)
    #expect(imported.output == "\(file): 3 journals, calendar notes\n")
    for options in [["--journal"], ["--journal", "--include-cancelled"], ["--journal", "--once"]] {
      #expect(
        fixture.run(["show"] + options).output == fixture.run(["show"] + options + [file]).output)
    }
    #expect(fixture.run(["show", "--journal"]).output.contains("Idea"))
  }

  @Test("a task and a journal without a date are listed once, from the file and from the store")
  func undatedTogether() throws {
    try fixture.write(
      "both.ics",
      "BEGIN:VCALENDAR\nBEGIN:VJOURNAL\nUID:1\nSUMMARY:Idea\nEND:VJOURNAL\n"
        + "BEGIN:VTODO\nUID:1\nSUMMARY:Paint\nEND:VTODO\nEND:VCALENDAR\n")
    let file = fixture.path("both.ics")
    #expect(fixture.run(["import", file], isPinned: false).status == .done)
    for sources in [[file], []] {
      #expect(fixture.titles(["show", "--tasks", "--journal"] + sources) == [" Idea", " Paint"])
      #expect(fixture.titles(["show", "--tasks"] + sources) == [" Paint"])
      #expect(fixture.titles(["show", "--journal"] + sources) == [" Idea"])
    }
  }

  @Test(
    "a report mentions journals and busy times",
    arguments: [
      ("BEGIN:VJOURNAL\nUID:1\nEND:VJOURNAL\n", "1 journal, calendar a"),
      (
        "BEGIN:VFREEBUSY\nFREEBUSY:20261201T100000Z/PT1H\nEND:VFREEBUSY\n",
        "1 free/busy component, calendar a"
      ),
      (
        "BEGIN:VJOURNAL\nUID:1\nEND:VJOURNAL\nBEGIN:VEVENT\nUID:2\nDTSTART:20261201T100000Z\n"
          + "END:VEVENT\nBEGIN:VJOURNAL\nUID:3\nEND:VJOURNAL\n",
        "1 component, 2 journals, calendar a: 1"
      ),
      ("", "0 components, calendar a: nothing to do"),
    ])
  func report(_ components: String, _ words: String) throws {
    try fixture.write("a.ics", "BEGIN:VCALENDAR\n\(components)END:VCALENDAR\n")
    let file = fixture.path("a.ics")
    for command in ["check", "import"] {
      #expect(
        fixture.run([command, file], isPinned: false).output.hasPrefix("\(file): \(words)"),
        "\(command)")
    }
  }

  @Test("--strict refuses a source with a rejected journal, also if it was imported before")
  func strict() throws {
    try fixture.write(
      "a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261201T100000Z\nEND:VEVENT\n"
        + "BEGIN:VJOURNAL\nUID:2\nDTSTART:2026\nEND:VJOURNAL\nEND:VCALENDAR\n")
    let file = fixture.path("a.ics")
    let words = "rejected components: 1, and --strict is set"
    for isImported in [false, true] {
      if isImported { _ = fixture.run(["import", file], isPinned: false) }
      for command in ["check", "import"] {
        let run = fixture.run([command, "--strict", file], isPinned: false)
        #expect((run.output + run.errors).contains(words), "\(command)")
        #expect(run.status == .failed)
      }
    }
    #expect(fixture.titles(["show"]).count == 1)
  }

  @Test("a source of journals that has lost most of them is refused, with a message about entries")
  func shrunk() throws {
    func write(_ count: Int) throws {
      let journals = (0..<count).map { "BEGIN:VJOURNAL\nUID:\($0)\nEND:VJOURNAL\n" }
      try fixture.write("a.ics", "BEGIN:VCALENDAR\n\(journals.joined())END:VCALENDAR\n")
    }
    let file = fixture.path("a.ics")
    try write(12)
    _ = fixture.run(["import", file], isPinned: false)
    for (count, words) in [
      (1, "only 1 of 12 entries left; --allow-shrink removes the other 11 from the store"),
      (0, "no entries left; it had 12; --allow-shrink removes them from the store"),
    ] {
      try write(count)
      let errors = fixture.run(["import", file], isPinned: false).errors
      #expect(errors.contains("the source has \(words)"), "\(errors)")
    }
  }

  @Test("a problem of busy times names their UID, wherever the component has it")
  func busyTimeProblem() throws {
    try fixture.write(
      "a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VFREEBUSY\nFREEBUSY:soon\nUID:busy\nEND:VFREEBUSY\nEND:VCALENDAR\n")
    let file = fixture.path("a.ics")
    let words = "\(file):3: warning: VFREEBUSY busy: FREEBUSY: \"soon\" is not a period; ignored"
    #expect(fixture.run(["check", file]).output.contains(words))
    #expect(fixture.run(["import", file], isPinned: false).errors.contains(words))
  }

  // Checks Decisions: Reading files/14
  @Test("busy times count whatever METHOD they have", arguments: ["REPLY", "PUBLISH", ""])
  func busyTimes(_ method: String) throws {
    let header = method.isEmpty ? "" : "METHOD:\(method)\n"
    try fixture.write(
      "busy.ics",
      "BEGIN:VCALENDAR\n\(header)BEGIN:VFREEBUSY\nUID:1\nDTSTAMP:20261120T000000Z\n"
        + "FREEBUSY:20261201T100000Z/20261201T110000Z\nEND:VFREEBUSY\nEND:VCALENDAR\n")
    let store = ["--store", fixture.path("busy.sqlite")]
    let options = ["--from", "2026-12-01", "--days", "1", "-f", "tsv"]
    let file = fixture.run(["free", fixture.path("busy.ics")] + options).output
    #expect(file.contains("T11:00:00+01:00") && file.contains("T12:00:00+01:00"), "\(file)")
    _ = fixture.run(["import", fixture.path("busy.ics")] + store, isPinned: false)
    #expect(fixture.run(["free"] + store + options).output == file)
    let again = fixture.run(["import", fixture.path("busy.ics")] + store, isPinned: false)
    #expect(again.status == .done)
    #expect(fixture.run(["free"] + store + options).output == file)
  }

  @Test("busy times with a TZID are in that zone, in a file and in the store")
  func busyTimesInZone() throws {
    try fixture.write(
      "busy.ics",
      "BEGIN:VCALENDAR\nBEGIN:VFREEBUSY\nUID:1\n"
        + "FREEBUSY;TZID=Europe/Berlin:20261201T130000/PT1H\n"
        + "FREEBUSY;TZID=\"Nowhere\":20261201T160000/20261201T170000\n"
        + "END:VFREEBUSY\nEND:VCALENDAR\n")
    let options = ["--from", "2026-12-01", "--days", "1", "-f", "tsv"]
    let file = fixture.run(["free", fixture.path("busy.ics")] + options).output
    for time in ["T13:00:00+01:00", "T14:00:00+01:00", "T17:00:00+01:00"] {
      #expect(file.contains(time), "\(file)")
    }
    let run = fixture.run(["import", fixture.path("busy.ics")], isPinned: false)
    #expect(run.errors.contains("is not in UTC; read as Europe/Berlin"), "\(run.errors)")
    #expect(run.errors.contains("is not in UTC; read as UTC"))
    #expect(fixture.run(["free"] + options).output == file)
  }

  @Test("calendars counts journals and busy times, as text, JSON and a table")
  func calendars() throws {
    try fixture.write(
      "notes.ics",
      "BEGIN:VCALENDAR\nBEGIN:VJOURNAL\nUID:1\nEND:VJOURNAL\nBEGIN:VJOURNAL\nUID:2\nEND:VJOURNAL\n"
        + "END:VCALENDAR\n")
    try fixture.write(
      "busy.ics",
      "BEGIN:VCALENDAR\nBEGIN:VFREEBUSY\nFREEBUSY:20261201T100000Z/PT1H\nEND:VFREEBUSY\n"
        + "END:VCALENDAR\n")
    try fixture.write("none.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    let files = ["notes.ics", "busy.ics", "none.ics"].map(fixture.path)
    #expect(fixture.run(["import"] + files, isPinned: false).status == .done)
    let text = fixture.run(["calendars"]).output
    #expect(text.contains("notes: 2 journals\n"), "\(text)")
    #expect(text.contains("busy: 1 free/busy component\n"))
    #expect(text.contains("none: 0 events\n"))
    let json = fixture.run(["calendars", "--format", "json"]).output
    #expect(
      json.contains(
        #""name":"notes","color":null,"events":0,"tasks":0,"journals":2,"freeBusy":0"#))
    #expect(json.contains(#""events":0,"tasks":0,"journals":0,"freeBusy":1,"lastImport""#))
    let rows = fixture.rows(["calendars"])
    #expect(rows.map { $0["journals"] } == ["0", "0", "2"])
    #expect(rows.map { $0["freeBusy"] } == ["1", "0", "0"])
    // A VFREEBUSY that the file no longer has does not count.
    try fixture.write("busy.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    _ = fixture.run(["import", fixture.path("busy.ics")], isPinned: false)
    #expect(fixture.run(["calendars"]).output.contains("busy: 0 events\n"))
  }

  @Test("a calendar of a .vcs file is named without the extension")
  func vcsName() throws {
    try fixture.write(
      "phone.VCS",
      "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nDTSTART:20261201T100000\n"
        + "RRULE:D1 #5 M5 #3\nEND:VEVENT\nEND:VCALENDAR\n")
    let rows = fixture.rows(["show", fixture.path("phone.VCS")])
    #expect(Set(rows.map { $0["calendar"] ?? "" }) == ["phone"])
    #expect(rows.count == 15)
  }

  @Test(
    "a number with letters after it is not a source of attachment",
    arguments: ["1x", "0", "+2a"])
  func attachmentNumber(_ number: String) {
    let run = fixture.run(["attachment", "1.1", number] + fixture.sources)
    #expect(run.status == .wrongCommandLine)
    #expect(run.errors.contains("expected the number of an attachment, from 1, got \(number)"))
    #expect(run.output.isEmpty)
  }
}
