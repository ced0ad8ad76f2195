import TestSupport
import Testing

/// Events of files, which agenda does not change, and their copies.
@Suite("events of a single file")
struct ForeignEventTests {
  private let folder: WrittenFolder

  init() throws {
    folder = try WrittenFolder()
    try folder.scratch.write(
      "work.ics",
      calendar(
        """
        BEGIN:VTIMEZONE
        TZID:Office
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0200
        END:STANDARD
        END:VTIMEZONE
        """,
        component("VTODO", "task", ["DUE:20261122T100000Z", "SUMMARY:Report"]),
        event("event", "DTSTART;TZID=Office:20261123T100000", "SUMMARY:Meeting")))
    #expect(try folder.agenda("import", "work.ics").status == 0)
  }

  private func copyCommand(_ errors: String) -> [String] {
    guard let found = errors.firstRange(of: "agenda add ") else { return [] }
    return errors[found.upperBound...].split(separator: " ").prefix(4).map(String.init)
  }

  /// `edit` and `add` can number different lists.
  @Test("the command that copies an entry names its id, not its index path")
  func copy() throws {
    let edit = try folder.agenda("edit", "1.1", "--title", "x")
    #expect(edit.status == 1)
    let command = copyCommand(edit.errors)
    #expect(command.count == 4 && !command.contains("1.1"), "\(edit)")
    let copy = try folder.agenda(["add"] + command.dropLast() + ["local"])
    #expect(copy.status == 0 && copy.output.contains("Meeting"), "\(copy)")
  }

  @Test("the source of a copy is the store, also if it has its own zone definition")
  func sourceOfCopy() throws {
    let edit = try folder.agenda("edit", "1.1", "--title", "x")
    let copy = try folder.agenda(["add"] + copyCommand(edit.errors).dropLast() + ["local"])
    let id = String(copy.output.split(separator: " ")[1])
    for command in ["event", "explain"] {
      let run = try folder.agenda(command, id)
      let source = run.output.split(separator: "\n").first { $0.hasPrefix("  source ") }
      #expect(source?.hasSuffix("agenda.sqlite") == true, "\(run)")
    }
  }

  @Test("a hidden event that its source deletes is not counted, and is no problem")
  func deletedAfterHiding() throws {
    func write(_ events: [String]) throws {
      try folder.scratch.write("club.ics", calendar(events.joined(separator: "\n")))
    }
    let keep = event("keep", "DTSTART:20261124T100000Z", "SUMMARY:Keep")
    let run = ["DTSTART:20261125T100000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Run"]
    try write([
      keep, event("gone", "DTSTART:20261123T100000Z", "SUMMARY:Gone"),
      component("VEVENT", "run", run),
    ])
    let imported = try folder.agenda("import", "club.ics")
    #expect(imported.status == 0, "\(imported)")
    let first = try #require(try folder.rows("Run").first?["id"])
    for reference in ["club/gone", first] {
      let remove = try folder.agenda("remove", "--event", reference, "--only")
      #expect(remove.status == 0, "\(remove)")
    }
    func counts() throws -> String { try folder.agenda("calendars", "-f", "json").output }
    #expect(try counts().contains("\"hidden\":2"))
    // Now the source lacks what is hidden.
    try write([
      keep, component("VEVENT", "run", run + ["EXDATE:20261125T100000Z"]),
    ])
    let refresh = try folder.agenda("refresh")
    refresh.expect(0)
    #expect(try counts().contains("\"hidden\":0") && !counts().contains("\"hidden\":2"))
    #expect(try folder.rows("Keep").count == 1 && folder.rows("Run").count == 2)
    for command in [["show"], ["calendars"], ["refresh"], ["doctor"]] {
      try folder.agenda(command).expect(0)
    }
  }

  @Test("a copy of an event in vCalendar 1.0 is iCalendar 2.0, at the same times")
  func copyOfOldCalendar() throws {
    try folder.scratch.write(
      "phone.ics",
      """
      BEGIN:VCALENDAR
      VERSION:1.0
      BEGIN:VEVENT
      UID:old
      SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Caf=E9=
       early
      DTSTART:20261123T080000Z
      DTEND:20261123T090000Z
      RRULE:W1 MO WE #4
      DALARM:20261123T074500Z;PT5M;2;Go
      END:VEVENT
      END:VCALENDAR

      """.replacing("\n", with: "\r\n"))
    #expect(try folder.agenda("import", "phone.ics").status == 0)
    let id = try #require(try folder.rows("Caf").first?["id"])
    let starts = try folder.starts("Caf")
    let copy = try folder.agenda("add", "--like", id, "--title", "Copy")
    #expect(copy.status == 0, "\(copy)")
    #expect(try folder.starts("Copy") == starts)
    let text = try folder.agenda("export", "local").output
    #expect(text.contains("RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=MO,WE\r\n"), "\(text)")
    #expect(text.contains("BEGIN:VALARM\r\n") && !text.contains("DALARM"))
  }
}
