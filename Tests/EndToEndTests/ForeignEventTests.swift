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

  /// A file with a series of five days, one of them moved, and an override without its series.
  private func writeClub(_ lines: String..., kind: String = "VEVENT", sequence: Int = 0) throws {
    let number = "SEQUENCE:\(sequence)"
    try folder.scratch.write(
      "club.ics",
      calendar(
        component(
          kind, "run",
          ["DTSTART:20261123T100000Z", "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Run", number] + lines),
        component(
          kind, "run",
          [
            "RECURRENCE-ID:20261124T100000Z", "DTSTART:20261124T120000Z", "SUMMARY:Run, late",
            number,
          ] + lines),
        component(
          kind, "alone",
          ["RECURRENCE-ID:20261124T080000Z", "DTSTART:20261124T090000Z", "SUMMARY:Swim"] + lines)))
  }

  private func importClub() throws { #expect(try folder.agenda("import", "club.ics").status == 0) }

  private func days(_ words: String) throws -> [String] {
    try folder.starts(words).map { String($0.dropFirst(8).prefix(2)) }
  }

  @Test(
    "a copy of a series has the occurrences that are shown",
    arguments: [
      ("24", "--only", ["23", "25", "26", "27"]), ("25", "--only", ["23", "24", "26", "27"]),
      ("25", "--following", ["23", "24"]), ("24", "--following", ["23"]),
    ])
  func copyWithoutHidden(day: String, scope: String, left: [String]) throws {
    try writeClub()
    try importClub()
    let row = try #require(
      try folder.rows("Run").first { $0["start"]?.dropFirst(8).hasPrefix(day) == true })
    let hidden = try folder.agenda("remove", "--event", row["id"] ?? "", scope)
    #expect(hidden.status == 0, "\(hidden)")
    #expect(try days("Run") == left)
    let id = try #require(try folder.rows("Run").first?["id"])
    let copy = try folder.agenda("add", "--like", id, "--title", "Copy")
    #expect(copy.status == 0, "\(copy)")
    // An override keeps its own title.
    #expect(
      try (days("Copy") + days("late")).sorted()
        == (left + (left.contains("24") ? ["24"] : [])).sorted())
    // The source has all of them, and `undo` shows them again.
    #expect(try folder.agenda("undo", "2").status == 0)
    #expect(try days("Run") == ["23", "24", "25", "26", "27"])
  }

  @Test("an override without its series is hidden as the event that it is")
  func hiddenOrphan() throws {
    try writeClub()
    try importClub()
    let id = try #require(try folder.rows("Swim").first?["id"])
    let dry = try folder.agenda("remove", "--event", id, "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("-SUMMARY:Swim\n"), "\(dry)")
    #expect(try days("Swim") == ["24"])
    #expect(try folder.agenda("remove", "--event", id).status == 0)
    #expect(try days("Swim") == [] && days("Run").count == 5)
    #expect(try folder.agenda("refresh").status == 0 && days("Swim") == [])
    #expect(try folder.agenda("undo").status == 0 && days("Swim") == ["24"])
  }

  @Test("an occurrence of a task is done, also a moved one, until its source asks again")
  func doneOccurrence() throws {
    func completed() throws -> [String] {
      try folder.rows("Run").filter { $0["status"] == "completed" }.map {
        String(($0["start"] ?? "").dropFirst(8).prefix(2))
      }
    }
    func components() throws -> Int? {
      let words = try folder.agenda("doctor").output.split(whereSeparator: \.isWhitespace)
      return words.firstIndex(of: "components").flatMap { Int(words[$0 + 1]) }
    }
    try writeClub(kind: "VTODO")
    try importClub()
    let count = try #require(try components())
    for day in ["24", "26"] {
      let row = try #require(
        try folder.rows("Run").first { $0["start"]?.dropFirst(8).hasPrefix(day) == true })
      let done = try folder.agenda("done", row["id"] ?? "")
      #expect(done.status == 0, "\(done)")
      // The second answer takes the place of the first one.
      #expect(try folder.agenda("done", row["id"] ?? "").status == 0)
    }
    #expect(try completed() == ["24", "26"])
    #expect(try components() == count + 2)
    // A newer version of the source takes the answers back, and each can be given again.
    try writeClub(kind: "VTODO", sequence: 1)
    #expect(try folder.agenda("refresh").status == 0)
    #expect(try completed() == [])
    let row = try #require(
      try folder.rows("Run").first { $0["start"]?.dropFirst(8).hasPrefix("26") == true })
    #expect(try folder.agenda("done", row["id"] ?? "").status == 0)
    #expect(try completed() == ["26"])
  }
}
