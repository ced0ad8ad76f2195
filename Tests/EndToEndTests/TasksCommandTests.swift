import Foundation
import TestSupport
import Testing

/// `agenda tasks` on the built program.
@Suite("tasks by urgency")
struct TasksCommandTests {
  private static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VTODO
    UID:undated
    SUMMARY:Learn Greek
    END:VTODO
    BEGIN:VTODO
    UID:undated-done
    SUMMARY:Learned Latin
    STATUS:COMPLETED
    END:VTODO
    BEGIN:VTODO
    UID:late
    DUE;TZID=Europe/Berlin:20261121T080000
    SUMMARY:Call the bank
    END:VTODO
    BEGIN:VTODO
    UID:later-but-urgent
    DUE;VALUE=DATE:20261110
    PRIORITY:1
    SUMMARY:Pay the rent
    END:VTODO
    BEGIN:VTODO
    UID:today
    DUE;VALUE=DATE:20261121
    SUMMARY:Water the plants
    STATUS:IN-PROCESS
    END:VTODO
    BEGIN:VTODO
    UID:started
    DTSTART;VALUE=DATE:20261101
    SUMMARY:Without a deadline
    END:VTODO
    BEGIN:VTODO
    UID:weekly
    DTSTART;VALUE=DATE:20261102
    DUE;VALUE=DATE:20261102
    RRULE:FREQ=WEEKLY
    SUMMARY:Bins
    END:VTODO
    BEGIN:VTODO
    UID:weekly
    RECURRENCE-ID;VALUE=DATE:20261116
    DTSTART;VALUE=DATE:20261116
    DUE;VALUE=DATE:20261116
    STATUS:COMPLETED
    SUMMARY:Bins
    END:VTODO
    BEGIN:VTODO
    UID:cancelled
    DUE;VALUE=DATE:20261122
    STATUS:CANCELLED
    SUMMARY:Cancelled
    END:VTODO
    BEGIN:VEVENT
    UID:event
    DTSTART;VALUE=DATE:20261122
    SUMMARY:No task
    END:VEVENT
    END:VCALENDAR

    """

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("todo.ics", Self.calendar)
  }

  private func agenda(_ arguments: String...) throws -> AgendaRun {
    try AgendaRun(
      arguments + AgendaRun.pinned, environment: ["AGENDA_STORE": "agenda.sqlite"],
      in: folder.url)
  }

  private func agendaRun(_ arguments: [String]) throws -> AgendaRun {
    try AgendaRun(
      arguments + AgendaRun.pinned, environment: ["AGENDA_STORE": "agenda.sqlite"], in: folder.url)
  }

  @Test("overdue first, then today, upcoming and undated tasks, each by priority")
  func order() throws {
    let run = try agenda("tasks", "todo.ics")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      run.output == """
        Pay the rent · overdue · Tue, 10 Nov 2026 · priority 1
        Call the bank · overdue · Sat, 21 Nov 2026, 08:00
        Without a deadline · Sun, 1 Nov 2026
        Water the plants · Sat, 21 Nov 2026 · in process
        Bins · Mon, 23 Nov 2026
        Learn Greek · No date

        """)
    #expect(try agenda("tasks", "todo.ics", "--limit", "1").output.hasPrefix("Pay the rent"))
  }

  @Test("the agenda lists overdue tasks today and undated ones last")
  func agendaWithTasks() throws {
    let run = try agenda("show", "todo.ics", "--tasks", "--days", "3")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      run.output == """
        Saturday, 21 November 2026 · today
                       [ ] Pay the rent (overdue: Tue, 10 Nov 2026) · todo
          all day      [ ] Water the plants (in process) · todo
          08:00        [ ] Call the bank · todo

        Sunday, 22 November 2026 · tomorrow
          all day      No task · todo

        Monday, 23 November 2026
          all day      [ ] Bins · todo

        No date
                       [ ] Learn Greek · todo

        """)
    let markdown = try agenda("show", "todo.ics", "--tasks", "--days", "1", "-f", "markdown").output
    #expect(markdown.contains("- [ ] Pay the rent (overdue: Tue, 10 Nov 2026) · *todo*\n"))
    #expect(markdown.hasSuffix("## No date\n\n- [ ] Learn Greek · *todo*\n"))
    let list = try agenda("tasks", "todo.ics", "-f", "markdown").output
    #expect(list.hasPrefix("- [ ] Pay the rent · overdue · "), "\(list)")
    let page = try agenda("show", "todo.ics", "--tasks", "--days", "1", "-f", "html").output
    #expect(page.contains("<time datetime=\"2026-11-10\">Tue, 10 Nov</time>"))
    #expect(page.contains("<section id=\"~\">\n<h2>No date</h2>"))
    let lines = try agenda(
      "show", "todo.ics", "--tasks", "--days", "1", "--template", "{title}: {start} {section}")
    #expect(
      lines.output
        == """
        Pay the rent: 2026-11-10 2026-11-21
        Water the plants: 2026-11-21 2026-11-21
        Call the bank: 2026-11-21T08:00:00+01:00 2026-11-21
        Learn Greek:  \n
        """.replacing("\n\n", with: "\n"))
  }

  @Test("the JSON of an undated task has no start, in sections of every key")
  func undatedJSON() throws {
    for key in ["day", "week", "month", "year", "calendar", "none"] {
      let run = try agenda(
        "show", "todo.ics", "--tasks", "--group-by", key, "-f", "json", "--also", "Asia/Tokyo")
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let sections = try #require(document["sections"] as? [[String: Any]])
      let last = try #require((sections.last?["entries"] as? [[String: Any]])?.last)
      #expect(last["uid"] as? String == "undated")
      #expect(["start", "end", "alsoStart", "timeZone"].allSatisfy { last[$0] is NSNull })
      if ["day", "week", "month", "year"].contains(key) {
        #expect(sections.last?["id"] as? String == "" && sections.count > 1)
      }
    }
  }

  @Test("the JSON of an undated task is valid by jsonschema", .requiresPythonPackages)
  func schema() throws {
    let script = """
      import json, subprocess, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      for key in ["day", "week", "month", "year"]:
          found = subprocess.run(sys.argv[2:] + ["--group-by", key], capture_output=True).stdout
          document = json.loads(found)
          jsonschema.Draft202012Validator(schema).validate(document)
          assert document["sections"][-1]["entries"][-1]["start"] is None, key
      """
    let arguments =
      ["show", folder.url.appendingPathComponent("todo.ics").path, "--tasks", "-f", "json"]
      + AgendaRun.pinned
    let schema = Repository.root.appendingPathComponent("Docs/agenda.schema.json").path
    let output = try Python.output(
      of: ["-c", script, schema, AgendaRun.program.path] + arguments)
    #expect(output.isEmpty)
  }

  @Test("a window without today leaves overdue tasks on their day")
  func otherWindows() throws {
    let past = try agenda("show", "todo.ics", "--tasks", "--from", "2026-11-10", "--days", "1")
    #expect(past.output.contains("all day      [ ] Pay the rent · todo\n"))
    let coming = try agenda("show", "todo.ics", "--tasks", "--from", "2026-11-25", "--days", "1")
    #expect(!coming.output.contains("Pay the rent") && coming.output.contains("Learn Greek"))
    let both = try agenda(
      "show", "todo.ics", "--tasks", "--from", "2026-11-01", "--days", "30", "-f", "tsv")
    let rents = both.output.split(separator: "\n").filter { $0.contains("Pay the rent") }
    #expect(rents.count == 1 && rents.first?.contains("\t2026-11-21\t") == true)
    let next = try agenda("next", "9", "todo.ics", "--tasks")
    #expect(!next.output.contains("Learn Greek") && !next.output.contains("Pay the rent"))
  }

  @Test("an undated task is named by its place or its id")
  func undatedReference() throws {
    let byPlace = try agenda("event", "4.1", "todo.ics", "--tasks", "--days", "3")
    #expect(byPlace.output.hasPrefix("Learn Greek\nNo date\n"), "\(byPlace)")
    let tasks = try agenda("tasks", "todo.ics", "-f", "jsonl").output.split(separator: "\n")
    let task = try #require(
      try JSONSerialization.jsonObject(with: Data((tasks.last ?? "").utf8)) as? [String: Any])
    let byID = try agenda("event", try #require(task["id"] as? String), "todo.ics")
    #expect(byID.output == byPlace.output)
  }

  @Test("the store lists the same as the file, in every format")
  func store() throws {
    let imported = try AgendaRun(
      ["import", "todo.ics", "--quiet"], environment: ["AGENDA_STORE": "agenda.sqlite"],
      in: folder.url)
    #expect(imported.status == 0)
    for format in ["text", "markdown", "json", "jsonl", "tsv"] {
      let file = try agenda("tasks", "todo.ics", "-f", format)
      let store = try agenda("tasks", "-f", format)
      #expect(store.status == 0 && store.output == file.output)
    }
    for format in ["text", "markdown", "html", "json", "jsonl", "tsv"] {
      for options in [[], ["--group-by", "month"], ["--group-by", "category", "--limit", "3"]] {
        let arguments = ["--tasks", "--from", "2026-11-15", "-f", format] + options
        let shown = try ["todo.ics"].map { try agendaRun(["show", $0] + arguments) }
        let stored = try agendaRun(["show"] + arguments)
        #expect(stored.status == 0 && stored.output == shown[0].output)
      }
    }
    let lines = try agenda("tasks", "-f", "jsonl").output.split(separator: "\n")
    let tasks = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      tasks.compactMap { $0["urgency"] as? String } == [
        "overdue", "overdue", "today", "today", "upcoming", "undated",
      ])
    #expect(tasks.first?["due"] as? String == "2026-11-10")
    #expect(tasks.last?["due"] is NSNull && tasks.last?["uid"] as? String == "undated")
  }

  @Test(
    "the next occurrence follows one that is done, cancelled or removed, never an older one",
    arguments: ["done", "edit --only --status cancelled", "remove --only --event"])
  func next(command: String) throws {
    let folder = try WrittenFolder()
    let lines = ["RRULE:FREQ=WEEKLY", "SUMMARY:Bins"]
    try folder.scratch.write(
      "home/a.ics",
      TestSupport.calendar(
        component("VTODO", "due", ["DUE;VALUE=DATE:20261102"] + lines),
        component("VTODO", "start", ["DTSTART:20261102T090000Z", "DUE:20261103T090000Z"] + lines)))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    for dates in [["16", "17"], ["23", "24"], ["30", "1"]] {
      let tasks = try folder.agenda("tasks", "--ids").output.split(separator: "\n")
      #expect(tasks.count == 2)
      for (task, date) in zip(tasks, dates) {
        #expect(task.contains(" \(date) "), "\(command): \(task)")
        let run = try folder.agenda(
          command.split(separator: " ").map(String.init) + [String(task.suffix(8))])
        #expect(run.status == 0, "\(run.errors)")
      }
    }
    #expect(try folder.agenda("tasks").output.contains("7 Dec 2026"))
    #expect(try folder.storeAgrees)
  }

  @Test("of a dense series the last occurrence of today is listed, or the first one after it")
  func denseSeries() throws {
    let lastOfToday = [
      "SECONDLY": "21T23:59:59", "MINUTELY": "21T23:59:00", "HOURLY": "21T23:00:00",
      "DAILY": "21T00:00:00",
    ]
    var components: [String] = []
    var expected: [String: String] = [:]
    for (frequency, last) in lastOfToday {
      func add(_ uid: String, start: String, _ lines: String..., due: String) {
        let lines = ["DTSTART:\(start)", "RRULE:FREQ=\(frequency)", "SUMMARY:Dense"] + lines
        components.append(component("VTODO", uid + frequency, lines))
        expected[uid + frequency] = due
      }
      let exclusion = "202611" + last.filter { $0 != ":" }
      add("old", start: "19700101T000000", due: "2026-11-\(last)+01:00")
      add(
        "done", start: "20200101T000000", "EXDATE:\(exclusion)", due: "2026-11-22T00:00:00+01:00")
      add("future", start: "20280301T120000", due: "2028-03-01T12:00:00+01:00")
    }
    try folder.write("dense.ics", TestSupport.calendar(components))
    let file = try agenda("tasks", "dense.ics", "-f", "tsv")
    #expect(file.status == 0 && file.errors.isEmpty)
    var found: [String: String] = [:]
    for line in file.output.split(separator: "\n").dropFirst() {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      found[try #require(columns.last)] = columns[1]
    }
    #expect(found == expected)
    let imported = try AgendaRun(
      ["import", "dense.ics", "--quiet"], environment: ["AGENDA_STORE": "agenda.sqlite"],
      in: folder.url)
    #expect(imported.status == 0)
    #expect(try agenda("tasks", "-f", "tsv").output == file.output)
  }

  @Test("without tasks nothing is printed, and the exit status is 0")
  func nothing() throws {
    let run = try agenda("tasks", "todo.ics", "--search", "nothing of the kind")
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
  }
}
