import Foundation
import TestSupport
import Testing

/// The commands of the store, each tried on the built program with a separate store.
@Suite("store commands")
struct StoreCommandTests {
  private let folder: ScratchFolder
  private let store: String
  private let file: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("data/agenda.sqlite").path
    file = try folder.write("work.ics", ShowCommandTests.calendar)
  }

  private func agenda(_ arguments: String..., input: String = "") throws -> AgendaRun {
    try AgendaRun(
      arguments + ["--now", "2026-11-21T09:00:00+01:00"], input: input,
      environment: ["AGENDA_STORE": store], in: folder.url)
  }

  private static let imported =
    "work.ics: 8 components, calendar Work: 8 added\n"

  @Test("a first run suggests what to do next and creates nothing")
  func firstRun() throws {
    let message =
      "agenda: no calendars imported yet. Run agenda import FILE or agenda add TITLE, or agenda show FILE to view one without importing\n"
    for command in ["show", "today", "week", "next", "export"] {
      try agenda(command).expect(1, output: "", errors: message)
    }
    try agenda("remove", "work").expect(1, output: "", errors: message)
    try agenda("undo").expect(1, output: "", errors: "agenda: nothing to undo\n")
    for options in [["--dry-run"], [], ["other.ics"]] {
      let failed = try AgendaRun(
        ["import", "none.ics"] + options, environment: ["AGENDA_STORE": store], in: folder.url)
      #expect(failed.status == 1)
      #expect(failed.errors.hasPrefix("agenda: none.ics: No such file or directory\n"))
    }
    #expect(!FileManager.default.fileExists(atPath: store))
    let noHome = try AgendaRun(["today"])
    noHome.expect(
      1, output: "",
      errors:
        "agenda: cannot choose a path for the store; set --store, AGENDA_STORE, XDG_DATA_HOME or HOME\n"
    )
  }

  @Test("a refresh without anything to fetch succeeds and says so")
  func nothingToFetch() throws {
    let sentence =
      "nothing to fetch: no calendar comes from a file, a folder or an address. "
      + "Run agenda import SOURCE to add one\n"
    for isEmpty in [true, false] {
      if !isEmpty { #expect(try agenda("add", "tomorrow", "Lunch").status == 0) }
      try agenda("refresh").expect(0, output: sentence)
      try agenda("refresh", "--quiet").expect(0, output: "")
      let report = try agenda("refresh", "--format", "json")
      #expect(report.status == 0 && report.output.contains("\"sources\":[]"), "\(report)")
      #expect(FileManager.default.fileExists(atPath: store) == !isEmpty)
    }
    #expect(try agenda("refresh", "work").status == 1)
  }

  @Test("an imported file is shown like the file itself")
  func sameAgenda() throws {
    try agenda("import", "work.ics").expect(0, output: Self.imported)
    for format in ["text", "json", "jsonl", "tsv", "markdown"] {
      for options in [
        ["--days", "2"], [], ["--tasks", "--include-cancelled", "--group-by", "month"],
      ] {
        let pinned = AgendaRun.pinned + ["-f", format] + options
        let fromStore = try AgendaRun(["show", "--store", store] + pinned)
        let fromFile = try AgendaRun(["show", file] + pinned)
        #expect(fromStore.status == 0)
        #expect(fromStore.output == fromFile.output, "\(format) \(options)")
      }
    }
    #expect(try agenda("--days", "1").output == agenda("show", "--days", "1").output)
  }

  @Test("with --limit the store gives the same entries as the file")
  func limits() throws {
    try agenda("import", "work.ics").expect(0, output: Self.imported)
    for limit in ["1", "2", "3", "5", "9", "100"] {
      for command in [
        ["next", limit], ["show", "--limit", limit],
        ["show", "--limit", limit, "--group-by", "month"],
      ] {
        let pinned = AgendaRun.pinned + ["-f", "json", "--from", "2026-11-20"]
        let fromStore = try AgendaRun(command + ["--store", store] + pinned)
        let fromFile = try AgendaRun(command + [file] + pinned)
        #expect(fromStore.status == 0)
        #expect(fromStore.output == fromFile.output, "\(command)")
      }
    }
  }

  @Test("an id that two calendars have needs --calendar to choose one")
  func sameInTwoCalendars() throws {
    for name in ["A", "B"] {
      try folder.write("\(name).ics", Self.calendar(of: "SUMMARY:\(name)"))
      try agenda("import", "\(name).ics", "--quiet").expect(0, output: "")
    }
    let ids = try agenda("show", "-f", "tsv").rows.compactMap { $0["id"] }
    #expect(ids.count == 2 && ids[0] == ids[1])
    let id = ids.first ?? ""
    for command in [["event", id], ["explain", id], ["remove", "--event", id]] {
      try AgendaRun(
        command + ["--now", "2026-11-21T09:00:00+01:00"], environment: ["AGENDA_STORE": store],
        in: folder.url
      ).expect(
        2, output: "",
        errors: "agenda: \(id): several calendars have this entry: A, B; "
          + "choose one, such as A/\(id)\n"
      )
    }
    #expect(try agenda("event", id, "--calendar", "B").output.hasPrefix("B\n"))
    let removed = try agenda("remove", "--event", id, "--calendar", "B")
    #expect(removed.status == 0 && removed.output.hasPrefix("removed B; "), "\(removed)")
    #expect(try agenda("show", "-f", "tsv").rows.map { $0["title"] } == ["A"])
  }

  // Checks Decisions: Importing/15
  @Test("a duplicate in a source is imported once")
  func exactDuplicates() throws {
    let twice = Self.calendar(of: "SUMMARY:Choir", copies: 2)
    try folder.write("choir.ics", twice)
    try agenda("import", "choir.ics").expect(
      0, output: "choir.ics: 2 components, calendar choir: 1 added, 1 superseded\n")
    for ending in ["\r\n", "\r\n\r\n", ""] {
      try folder.write("choir.ics", twice + ending)
      try agenda("import", "choir.ics").expect(
        0, output: "choir.ics: 2 components, calendar choir: 1 unchanged, 1 superseded\n")
    }
  }

  @Test("--strict refuses a source that was imported without it before")
  func strictAfterwards() throws {
    try folder.write(
      "bad.ics", Self.calendar(of: "SUMMARY:Choir\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:none"))
    let first = try agenda("import", "bad.ics")
    #expect(first.status == 1)
    // What an unchanged source still lacks is no success, but cron mails it once.
    let again = try agenda("refresh")
    #expect(again.status == 1 && again.errors.hasSuffix(first.errors), "\(again)")
    try agenda("refresh", "--quiet").expect(1)
    let strict = try agenda("import", "bad.ics", "--strict")
    #expect(strict.status == 1)
    #expect(strict.errors.contains("--strict is set"))
  }

  /// A calendar without a name, with copies of one event.
  private static func calendar(of properties: String, copies: Int = 1) -> String {
    TestSupport.calendar(
      Array(repeating: event("same", "DTSTART:20261126T090000Z", properties), count: copies))
  }

  @Test("search finds the next occurrence of a series, or the last one if it is over")
  func searchOfSeries() throws {
    let series = [
      ("long ago", "19800107T090000", "FREQ=WEEKLY;UNTIL=19850401T235959"),
      ("over", "20250106T090000", "FREQ=WEEKLY;UNTIL=20261103T235959"),
      ("endless", "19700101T090000", "FREQ=DAILY"),
      ("to come", "20300101T090000", "FREQ=YEARLY;COUNT=3"),
    ].map { title, start, rule in
      event(title, "SUMMARY:Choir \(title)", "DTSTART:\(start)", "RRULE:\(rule)")
    }
    try folder.write("choir.ics", TestSupport.calendar(series))
    try agenda("import", "choir.ics", "--quiet").expect(0, output: "")
    for source in [[], ["--source", "choir.ics"]] {
      let found = try AgendaRun(
        ["search", "choir", "-f", "tsv", "--now", "2026-11-21T09:00:00+01:00"] + source,
        environment: ["AGENDA_STORE": store], in: folder.url)
      // The last Mondays before 2 April 1985 and 4 November 2026.
      #expect(
        found.rows.map { "\($0["section"] ?? "") \($0["title"] ?? "")" } == [
          "1985-04-01 Choir long ago", "2026-11-02 Choir over", "2026-11-21 Choir endless",
          "2030-01-01 Choir to come",
        ])
    }
  }

  @Test("--since with anything else lists what it accepts")
  func unknownSince() throws {
    _ = try agenda("import", "work.ics")
    try agenda("changes", "--since", "foo").expect(
      2, output: "",
      errors: "agenda: --since: expected a date such as 2026-11-20 or yesterday, a length of time "
        + "such as 24h or 7d, or a time such as 2026-11-20T18:00:00+01:00, got \"foo\"\n")
  }

  @Test("importing again changes nothing; changes lists differences and undo reverts them")
  func snapshots() throws {
    try agenda("import", "work.ics").expect(0, output: Self.imported)
    try agenda("import", "work.ics").expect(
      0, output: "work.ics: 8 components, calendar Work: 8 unchanged\n")
    let moved = ShowCommandTests.calendar
      .replacing("20261121T083000\r\nDTEND", with: "20261123T110000\r\nDTEND")
      .replacing("20261121T093000", with: "20261123T120000")
    try folder.write("work.ics", moved)
    try agenda("import", "work.ics", "--dry-run").expect(
      0, output: "work.ics: 8 components, calendar Work: 1 to update, 7 unchanged\n")
    try agenda("refresh", "--quiet").expect(0, output: "")
    try agenda("changes").expect(
      0,
      output: """
        Work
          moved      Running: Sat, 21 Nov 2026, 08:30 → Mon, 23 Nov 2026, 11:00

        """)
    let json = try agenda("changes", "-f", "jsonl")
    #expect(
      json.output.contains(#""from":"2026-11-21T08:30:00+01:00","to":"2026-11-23T11:00:00+01:00""#))
    #expect(try agenda("changes", "-f", "markdown").output.contains("- **moved** Running: Sat"))
    #expect(try agenda("changes", "--calendar", "Home", "--if-any").output == "")
    let undone = try agenda("undo")
    #expect(undone.output.hasPrefix("undid: refresh of "), "\(undone)")
    #expect(undone.output.hasSuffix("\nWork: 1 entry changed back\n"), "\(undone)")
    #expect(try agenda("today").output.contains("08:30–09:30  Running"))
  }

  // Checks Decisions: Importing/4
  @Test("a source that shrinks takes nothing away unless it is allowed to")
  func shrinking() throws {
    _ = try agenda("import", "work.ics")
    try folder.write("work.ics", TestSupport.calendar())
    let refused = try agenda("import", "work.ics")
    #expect(refused.status == 1)
    #expect(refused.output == "")
    #expect(refused.errors.hasPrefix("agenda: work.ics: "))
    #expect(try agenda("today").output.contains("Running"))
    #expect(try agenda("import", "work.ics", "--allow-shrink").status == 0)
    #expect(try agenda("today").output == "Nothing on Saturday, 21 November 2026.\n")
  }

  @Test("the report as JSON counts everything; a bad component is rejected alone, or all if strict")
  func report() throws {
    let bad = ShowCommandTests.calendar.replacing(
      "DTSTART;TZID=Europe/Berlin:20261121T080000", with: "DTSTART:20261131T080000")
    let name = try folder.write("bad.ics", bad)
    let strict = try agenda("import", name, "--strict")
    #expect(strict.status == 1)
    #expect(strict.output == "")
    let run = try agenda("import", name, "-f", "json", "--calendar", "mine")
    #expect(run.status == 1)
    #expect(run.errors == "")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let source = try #require((report["sources"] as? [[String: Any]])?.first)
    #expect(source["source"] as? String == name)
    #expect(source["calendar"] as? String == "mine")
    #expect(source["components"] as? Int == 8)
    #expect(source["added"] as? Int == 7)
    #expect(source["rejected"] as? Int == 1)
    let problem = try #require((source["problems"] as? [[String: Any]])?.first)
    let badLine = try #require(
      bad.components(separatedBy: "\r\n").firstIndex(of: "DTSTART:20261131T080000"))
    #expect(problem["line"] as? Int == badLine + 1)
    #expect(problem["property"] as? String == "DTSTART")
    #expect(try agenda("import", "none.ics").status == 1)
    let unreachable = try agenda("import", "http://127.0.0.1:1/secret")
    #expect(unreachable.status == 1)
    #expect(unreachable.errors.hasPrefix("agenda: 127.0.0.1: no connection ("))
    #expect(unreachable.errors.contains(" at http://127.0.0.1:1/…#"))
    #expect(!unreachable.errors.contains("secret"))
  }

  @Test("standard input goes into the calendar that is named")
  func standardInput() throws {
    try agenda("import", "-", "--calendar", "piped", input: ShowCommandTests.calendar).expect(
      0, output: "standard input: 8 components, calendar piped: 8 added\n")
    #expect(try agenda("calendars").output.hasPrefix("piped: 7 events, 1 task\n  standard input"))
  }

  @Test("an added event is found, shown, removed and restored")
  func addAndRemove() throws {
    let added = try agenda(
      "add", "Lunch with Ana", "--at", "2026-11-21T12:30", "--for", "45m", "--location",
      "Café Central, Wien", "--note", "bring; the book", "--category", "food")
    #expect(added.status == 0)
    #expect(added.errors == "")
    #expect(
      added.output.hasSuffix(
        " Lunch with Ana: Saturday, 21 November 2026, 12:30–13:15 (45 min), Europe/Berlin, local\n")
    )
    let id = String(added.output.split(separator: " ")[1])
    #expect(
      try agenda("today").output.contains(
        "12:30–13:15  Lunch with Ana · Café Central, Wien · local\n"))
    let event = try agenda("event", id)
    #expect(event.status == 0)
    for text in ["bring; the book", "food", "Café Central, Wien", id] {
      #expect(event.output.contains(text), "\(text)")
    }
    let control = try agenda("add", "a\u{1B}[31m", "--at", "today")
    #expect(control.status == 2)
    #expect(
      control.errors.contains("SUMMARY: a text cannot contain control characters"))
    #expect(try agenda("add", "Trip", "--at", "2026-12-24", "--until", "2026-12-26").status == 0)
    #expect(
      try agenda("add", "Choir", "--at", "monday 19:00", "--repeat", "FREQ=WEEKLY;COUNT=3").status
        == 0)
    #expect(
      try agenda("show", "--months", "2", "-f", "tsv").rows.map { $0["title"] }
        == ["Lunch with Ana", "Choir", "Choir", "Choir", "Trip", "Trip", "Trip"])
    try agenda("remove", "--event", id).expect(
      0, output: "removed Lunch with Ana; agenda undo brings it back\n")
    let choir = try #require(
      try agenda("show", "--months", "2", "-f", "tsv").rows.first { $0["title"] == "Choir" }?["id"])
    try agenda("remove", "--event", choir, "--all").expect(
      0, output: "removed Choir, the whole series; agenda undo brings it back\n")
    #expect(try agenda("undo").output.hasSuffix(" (local)\nlocal: 1 entry restored\n"))
    #expect(try !agenda("today").output.contains("Lunch"))
    #expect(try agenda("undo").output.hasSuffix(" (local)\nlocal: 1 entry restored\n"))
    #expect(try agenda("today").output.contains("Lunch"))
    for wrong in [
      ["add", "x"], ["add", "", "--at", "today"], ["add", "x", "--at", "soon"],
      ["add", "x", "--at", "2026-11-24T12:30", "--for", "long"],
      ["add", "x", "--at", "2026-11-24T12:30", "--until", "2026-11-24T12:00"],
      ["add", "x", "--at", "2026-11-24", "--until", "2026-11-23"],
      ["add", "x", "--at", "2026-11-24T12:30", "--repeat", "FREQ=SOMETIMES"],
      ["add", "x", "--at", "2026-11-24T12:30", "--repeat", "FREQ=DAILY\nSUMMARY:y"],
      ["remove"], ["remove", "local", "--event", "1.1"],
      ["remove", "local", "--source", "x.ics"], ["remove", "--source", "x.ics", "--event", "1.1"],
      ["attachment", "1.1", "99999999999999999999"], ["attachment", "1.1", "0"],
    ] {
      let run = try AgendaRun(wrong, environment: ["AGENDA_STORE": store])
      #expect(run.status == 2, "\(wrong)")
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("agenda: "))
    }
  }

  @Test("calendars are listed and removed; unknown names are reported")
  func calendars() throws {
    try agenda("calendars").expect(
      0, output: "No calendars imported yet. Run agenda import FILE or agenda add TITLE.\n")
    _ = try agenda("import", "work.ics", "--calendar", "one")
    let list = try agenda("calendars", "-f", "tsv")
    #expect(list.rows.map { $0["calendar"] } == ["one"])
    #expect(list.rows.map { $0["events"] } == ["7"])
    #expect(list.rows.map { $0["tasks"] } == ["1"])
    #expect(list.rows.first?["source"]?.hasSuffix("/work.ics") == true)
    #expect(
      try AgendaRun(
        ["completions", "--words", "calendars"], environment: ["AGENDA_STORE": store]
      ).output == "one\n")
    try agenda("remove", "two").expect(
      1, output: "",
      errors: "agenda: two: no entry has this id or UID, or these words in its title; "
        + "agenda search WORD finds words also in places and descriptions; "
        + "no calendar has this name\n")
    try agenda("remove", "--calendar", "one").expect(
      0, output: "removed one: 8 entries; agenda undo brings it back\n")
    try agenda("refresh", "one").expect(
      1, output: "",
      errors: "agenda: unknown calendar \"one\"; agenda calendars lists what is in the store\n")
  }

  @Test("search goes over everything, in any letter case and without accents")
  func search() throws {
    _ = try agenda("import", "work.ics")
    let found = try agenda("search", "cafe", "-f", "tsv")
    #expect(found.status == 0)
    #expect(found.rows.map { $0["title"] } == ["Later Café"])
    #expect(
      try agenda("search", "weekly", "-f", "tsv").rows.map { $0["section"] } == ["2026-11-26"])
    #expect(try agenda("search", "early", "bird", "-f", "tsv").rows.count == 1)
    // Of the store, of a file and of a window: any part of a word.
    for part in [
      try agenda("search", "eekl", "-f", "tsv"),
      try agenda("search", "eekl", "-f", "tsv", "--source", "work.ics"),
      try agenda("search", "eekl", "-f", "tsv", "--from", "2026-11-21"),
    ] { #expect(part.rows.first?["title"] == "Weekly", "\(part)") }
    #expect(try agenda("search", "nothing-like-that", "--if-any").output == "")
    #expect(try agenda("search", "weekly", "--days", "14", "-f", "tsv").rows.count == 2)
    #expect(
      try agenda("search", "zebra", "--source", "work.ics", "-f", "tsv").rows.map { $0["title"] }
        == ["Later Café"])
  }

  @Test("export returns the imported content")
  func export() throws {
    _ = try agenda("import", "work.ics")
    let exported = try agenda("export")
    #expect(exported.status == 0)
    #expect(exported.errors == "")
    for line in ShowCommandTests.calendar.split(separator: "\r\n") {
      #expect(exported.output.contains("\(line)\r\n"), "\(line)")
    }
    try agenda("export", "-o", "all.ics").expect(0, output: "")
    #expect(
      try String(contentsOf: folder.url.appendingPathComponent("all.ics"), encoding: .utf8)
        == exported.output)
    #expect(
      try AgendaRun(["show", "all.ics"] + AgendaRun.pinned, in: folder.url).output
        == AgendaRun(["show", file] + AgendaRun.pinned).output)
    try agenda("export", "nope").expect(
      1, output: "",
      errors: "agenda: unknown calendar \"nope\"; agenda calendars lists what is in the store\n")
  }

  @Test("doctor accepts a good store, and refuses a foreign file and leaves it alone")
  func doctor() throws {
    _ = try agenda("import", "work.ics")
    let good = try agenda("doctor")
    #expect(good.status == 0, "\(good.output)")
    #expect(good.output.hasSuffix("no problems found\n"))
    let unwritable = try agenda("doctor", "--store", "/proc/agenda.sqlite")
    #expect(unwritable.status == 1)
    #expect(unwritable.output.contains("problem: /proc: cannot be written: "))
    let foreign = try folder.write("foreign.sqlite", "not a database")
    for command in ["show", "doctor", "import"] {
      var arguments = [command, "--store", foreign]
      if command == "import" { arguments.append("work.ics") }
      let run = try AgendaRun(arguments, in: folder.url)
      #expect(run.status == 1)
      #expect((run.output + run.errors).contains("is not a store of agenda"))
      #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "not a database")
    }
  }
}
