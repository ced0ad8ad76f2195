import Foundation
import TestSupport
import Testing

/// What sources of every kind do to a store, on the built program.
@Suite("sources of the store")
struct StoreSourceTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("data/agenda.sqlite").path
  }

  private func agenda(_ arguments: String..., input: String = "") throws -> AgendaRun {
    try AgendaRun(
      arguments + ["--now", "2026-11-21T09:00:00+01:00"], input: input,
      environment: ["AGENDA_STORE": store], in: folder.url)
  }

  private func titles(_ options: String...) throws -> [String] {
    try AgendaRun(
      ["show", "--days", "30", "-f", "tsv"] + options + AgendaRun.pinned,
      environment: ["AGENDA_STORE": store]
    ).rows.map { "\(($0["start"] ?? "").dropFirst(8).prefix(8)) \($0["title"] ?? "")" }
  }

  // Checks Decisions: Recurrence/12
  @Test("METHOD:CANCEL cancels the occurrence or the series that it names in the store")
  func cancel() throws {
    try folder.write(
      "work.ics",
      calendar(
        event(
          "daily", "DTSTART;TZID=Europe/Berlin:20261123T090000", "RRULE:FREQ=DAILY;COUNT=3",
          "SUMMARY:Daily", "SEQUENCE:2"),
        event("once", "DTSTART;TZID=Europe/Berlin:20261124T100000", "SUMMARY:Once")))
    _ = try agenda("import", "work.ics")
    let whole = ["23T09:00 Daily", "24T09:00 Daily", "24T10:00 Once", "25T09:00 Daily"]
    #expect(try titles() == whole)
    let occurrence = calendar(
      event(
        "daily", "RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000",
        "DTSTART;TZID=Europe/Berlin:20261124T090000", "SEQUENCE:2"), properties: "METHOD:CANCEL")
    try folder.write("cancel.ics", occurrence)
    try agenda("import", "cancel.ics", "--dry-run").expect(
      0, output: "cancel.ics: 1 component: 1 to update\n")
    #expect(try titles() == whole)
    try agenda("import", "cancel.ics").expect(0, output: "cancel.ics: 1 component: 1 updated\n")
    #expect(try titles() == ["23T09:00 Daily", "24T10:00 Once", "25T09:00 Daily"])
    #expect(try titles("--include-cancelled") == whole)
    try agenda("changes").expect(
      0, output: "work\n  cancelled  Daily: Tue, 24 Nov 2026, 09:00\n")
    #expect(try agenda("calendars").output.hasPrefix("work: 3 events\n  /"))
    // For as long as the source says what it said before, a refresh in the morning brings nothing back.
    #expect(try agenda("refresh").status == 0)
    #expect(try titles() == ["23T09:00 Daily", "24T10:00 Once", "25T09:00 Daily"])
    // Twice is once, and an older version than the store's says nothing.
    #expect(try agenda("import", "cancel.ics").output.hasSuffix(": 1 unchanged\n"))
    let old = calendar(event("daily", "SEQUENCE:1"), properties: "METHOD:CANCEL")
    #expect(try agenda("import", "-", input: old).output.hasSuffix(": 1 unchanged\n"))
    #expect(try titles().count == 3)
    // All of it, by mail; what the store does not have is said.
    let all = calendar(
      event("daily", "SEQUENCE:3"), event("other", "SEQUENCE:3"), properties: "METHOD:CANCEL")
    let run = try agenda("import", "-", input: all)
    #expect(run.status == 0)
    #expect(run.output == "standard input: 2 components: 1 updated, 1 unchanged\n")
    #expect(run.errors.contains("cancels an event that is missing"))
    #expect(try titles() == ["24T10:00 Once"])
    #expect(try agenda("doctor").status == 0)
    _ = try agenda("undo")
    #expect(try titles().count == 3)
    // The cancellation holds for the series, whatever else changes in its source.
    let later = try String(
      contentsOf: folder.url.appendingPathComponent("work.ics"), encoding: .utf8
    )
    .replacingOccurrences(of: "SUMMARY:Once", with: "SUMMARY:Later")
    try folder.write("work.ics", later)
    #expect(try agenda("refresh").status == 0)
    #expect(try titles() == ["23T09:00 Daily", "24T10:00 Later", "25T09:00 Daily"])
    #expect(try agenda("doctor").status == 0)
  }

  // Checks Decisions: Importing/7
  @Test("a later SEQUENCE replaces, an earlier one in the same source does not")
  func sequence() throws {
    func version(_ sequence: Int, _ title: String) -> String {
      event("a", "DTSTART:20261124T100000Z", "SEQUENCE:\(sequence)", "SUMMARY:\(title)")
    }
    try folder.write("a.ics", calendar(version(3, "new"), version(1, "old")))
    try agenda("import", "a.ics").expect(
      0, output: "a.ics: 2 components, calendar a: 1 added, 1 superseded\n")
    #expect(try titles() == ["24T11:00 new"])
    try folder.write("a.ics", calendar(version(3, "new"), version(4, "newer")))
    #expect(try agenda("import", "a.ics").status == 0)
    #expect(try titles() == ["24T11:00 newer"])
  }

  @Test("a folder: files that come, change, go and break between two imports")
  func folders() throws {
    func write(_ name: String, _ title: String) throws {
      try folder.write(
        "vdir/\(name).ics",
        calendar(event(name, "DTSTART:20261124T100000Z", "SUMMARY:\(title)")))
    }
    try write("one", "one")
    try write("two", "two")
    try write("three", "three")
    try agenda("import", "vdir").expect(
      0, output: "vdir: 3 components, calendar vdir: 3 added\n")
    try write("two", "TWO")
    try write("four", "four")
    try FileManager.default.removeItem(
      at: folder.url.appendingPathComponent("vdir/three.ics"))
    try agenda("import", "vdir").expect(
      0,
      output: "vdir: 3 components, calendar vdir: 1 added, 1 updated, 1 removed, 1 unchanged\n")
    #expect(try titles().sorted() == ["24T11:00 TWO", "24T11:00 four", "24T11:00 one"])
    // A file that can't be read keeps what the store has of it. What is gone is removed.
    try folder.write("vdir/two.ics", "<html>")
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("vdir/four.ics"))
    let broken = try agenda("refresh")
    #expect(broken.status == 1)
    #expect(
      broken.errors.contains(
        "/vdir/two.ics: error: not an iCalendar file: this is HTML; file skipped\n"))
    #expect(try titles().sorted() == ["24T11:00 TWO", "24T11:00 one"])
    let again = try agenda("refresh")
    #expect(again.errors == broken.errors)
    #expect(try titles().sorted() == ["24T11:00 TWO", "24T11:00 one"])
    let exported = try agenda("export").output
    #expect(exported.contains("SUMMARY:TWO\r\n") && exported.contains("SUMMARY:one\r\n"))
    try write("two", "two again")
    #expect(try agenda("refresh").status == 0)
    #expect(try titles().sorted() == ["24T11:00 one", "24T11:00 two again"])
    #expect(try agenda("doctor").status == 0)
  }

  @Test("a file of a folder moves and replaces events of other files out of the window")
  func foldersOfOneSource() throws {
    try folder.write(
      "vdir/a.ics",
      calendar(
        event("moved", "DTSTART:20261101T100000Z", "RRULE:FREQ=DAILY;COUNT=60", "SUMMARY:Moved"),
        event("old", "DTSTART:20261102T110000Z", "RRULE:FREQ=DAILY;COUNT=60", "SUMMARY:Old")))
    try folder.write(
      "vdir/b.ics",
      calendar(
        event(
          "moved", "RECURRENCE-ID:20261121T100000Z", "DTSTART:20270121T150000Z", "SUMMARY:Away"),
        event("old", "DTSTART:20261102T110000Z", "SEQUENCE:1", "SUMMARY:Only once")))
    #expect(try agenda("import", "vdir").status == 0)
    for day in ["2026-11-20", "2026-11-21", "2026-11-22"] {
      let source = try agenda("show", "vdir", "--from", day, "--days", "1", "-f", "tsv")
      #expect(source.rows.map { $0["title"] } == (day == "2026-11-21" ? [] : ["Moved"]))
      let kept = try agenda("show", "--from", day, "--days", "1", "-f", "tsv")
      #expect(kept.output == source.output)
    }
    let first = try agenda("show", "vdir", "--from", "2026-11-02", "--days", "2", "-f", "tsv")
    #expect(first.rows.map { $0["title"] } == ["Moved", "Only once", "Moved"])
    #expect(try agenda("next", "vdir", "-f", "tsv").rows.allSatisfy { $0["title"] != "Old" })
    #expect(try agenda("show", "vdir", "--search", "old", "-f", "tsv").rows.isEmpty)
  }

  @Test("moving a source to another calendar is reported, listed by changes and undone")
  func move() throws {
    func write(named name: String) throws {
      try folder.write(
        "x.ics",
        calendar(
          event("a", "DTSTART:20261124T100000Z", "SUMMARY:A"), properties: "X-WR-CALNAME:\(name)"))
    }
    let path = folder.url.resolvingSymlinksInPath().appendingPathComponent("x.ics").path
    try write(named: "Own")
    _ = try agenda("import", "x.ics", "--calendar", "A")
    try agenda("import", "x.ics", "--calendar", "B", "--dry-run").expect(
      0, output: "x.ics: 1 component, calendar B (to move from A): 1 unchanged\n")
    #expect(try agenda("calendars", "-f", "tsv").rows.map { $0["calendar"] } == ["A"])
    try agenda("import", "x.ics", "--calendar", "B").expect(
      0, output: "x.ics: 1 component, calendar B (moved from A): 1 unchanged\n")
    try agenda("changes", "--if-any").expect(
      0, output: "B\n  moved      \(path): from calendar A, with 1 entry\n")
    try agenda("changes", "-f", "jsonl").expect(
      0,
      output: """
        {"change":"moved","calendar":"B","uid":null,"title":null,"from":null,"to":null,\
        "properties":[],"source":"\(path)","previousCalendar":"A","overrides":0,"fromEnd":null,\
        "toEnd":null}

        """)
    try agenda("undo").expect(
      0, output: "undid: import of 09:00 (x.ics)\nB: moved back to A\n")
    #expect(try agenda("calendars", "-f", "tsv").rows.map { $0["calendar"] } == ["A"])
    // It was named on the command line, so a refresh leaves it there.
    try agenda("refresh").expect(0, output: "\(path): 1 component, calendar A: 1 unchanged\n")
    try agenda("import", "x.ics").expect(
      0, output: "x.ics: 1 component, calendar A: 1 unchanged\n")
    // A source without a name of the user's has its own.
    _ = try agenda("remove", "--source", "x.ics")
    try agenda("import", "x.ics").expect(
      0, output: "x.ics: 1 component, calendar Own: 1 added\n")
    try write(named: "Renamed")
    let report = try agenda("refresh", "-f", "json")
    #expect(
      report.output.contains(#""calendar":"Renamed","calendars":[],"previousCalendar":"Own""#))
    try agenda("undo").expect(
      0, output: "undid: refresh of 09:00 (x.ics)\nRenamed: moved back to Own\n")
    #expect(try agenda("calendars", "-f", "tsv").rows.map { $0["calendar"] } == ["Own"])
    #expect(try agenda("doctor").status == 0)
  }

  @Test("many changes are counted for people and listed for programs")
  func manyChanges() throws {
    func write(_ count: Int, _ title: String) throws {
      try folder.write(
        "many.ics",
        calendar(
          (0..<count).map {
            event("\($0)", "DTSTART:20261124T100000Z", "SUMMARY:\(title) \($0)")
          }.joined(separator: "\n")))
    }
    let path = folder.url.resolvingSymlinksInPath().appendingPathComponent("many.ics").path
    try write(20, "Few")
    _ = try agenda("import", "many.ics", "--calendar", "few")
    #expect(try agenda("changes").output.split(separator: "\n").count == 21)
    _ = try agenda("undo")
    try write(300, "One")
    _ = try agenda("import", "many.ics")
    try agenda("changes").expect(0, output: "many\n  added      \(path): 300 entries\n")
    #expect(try agenda("changes", "-f", "tsv").rows.count == 300)
    try write(290, "Two")
    _ = try agenda("import", "many.ics")
    let lines = try agenda("changes").output.split(separator: "\n")
    #expect(lines.count == 102)
    #expect(lines.last?.contains("and 200 more: ") == true)
    #expect(try agenda("changes", "-f", "jsonl").output.split(separator: "\n").count == 300)
  }

  @Test("problems in a file of a folder name the file, as text and JSON")
  func messagesOfFolders() throws {
    for name in ["a", "b", "c"] {
      try folder.write(
        "vdir/\(name).ics",
        calendar(
          event(name, "DTSTART;TZID=Europe/Berlin 1:20261124T100000"),
          event("bad-\(name)", "DTSTART:20261131T100000Z")))
    }
    try folder.write("vdir/page.ics", "<html>")
    let report =
      ["a", "b", "c"].map { name in
        """
        vdir/\(name).ics:7: warning: VEVENT \(name): TZID "Europe/Berlin 1" read as Europe/Berlin
        vdir/\(name).ics:12: error: VEVENT bad-\(name): invalid DTSTART "20261131T100000Z": no such date; event rejected

        """
      }.joined() + "vdir/page.ics: error: not an iCalendar file: this is HTML; file skipped\n"
    let first = try agenda("import", "vdir")
    first.expect(
      1, output: "vdir: 6 components, calendar vdir: 3 added, 3 rejected\n", errors: report)
    try agenda("import", "vdir/").expect(1, errors: report)
    for command in [["import", "vdir"], ["refresh"], ["check", "vdir"]] {
      let run = try AgendaRun(
        command + ["-f", "json", "--now", "2026-11-21T09:00:00+01:00"],
        environment: ["AGENDA_STORE": store], in: folder.url)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let source = try #require((document["sources"] as? [[String: Any]])?.first)
      let problems = try #require(source["problems"] as? [[String: Any]])
      let name = source["source"] as? String ?? ""
      // Only check adds notes on what libical makes of the files.
      let reported = problems.filter { $0["severity"] as? String != "note" }.map {
        "\((($0["file"] as? String) ?? "").dropFirst(name.count)) \($0["line"] as? Int ?? 0)"
      }
      let expected = ["a", "b", "c"].flatMap { ["/\($0).ics 12", "/\($0).ics 7"] }
      #expect(reported.sorted() == expected + ["/page.ics 0"], "\(command)")
    }
    // Of a file the source says where the line is.
    let file = try agenda("check", "vdir/a.ics", "-f", "json")
    #expect(file.output.contains(#""file":null"#))
    // The store reports it as the folder does.
    let path = folder.url.resolvingSymlinksInPath().appendingPathComponent("vdir").path
    let options = ["-f", "json"] + AgendaRun.pinned
    #expect(
      try AgendaRun(["show", "--store", store] + options).output
        == AgendaRun(["show", path] + options).output)
  }

  @Test("a folder that lost its last event keeps it in the store, unless it may shrink")
  func emptiedFolder() throws {
    let file = try folder.write(
      "work/a.ics", calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:A")))
    _ = try agenda("import", "work")
    try FileManager.default.removeItem(atPath: file)
    for arguments in [["import", "work"], ["refresh"]] {
      let refused = try AgendaRun(
        arguments + ["--now", "2026-11-21T09:00:00+01:00"], environment: ["AGENDA_STORE": store],
        in: folder.url)
      #expect(refused.status == 1)
      #expect(
        refused.errors.hasSuffix(
          "work: the source has no entries left; it had 1; --allow-shrink removes them from the "
            + "store; keeping 1 event as of today\n"), "\(refused.errors)")
      #expect(try titles() == ["24T11:00 A"])
    }
    let emptied = try agenda("refresh", "--allow-shrink")
    #expect(emptied.status == 0)
    #expect(
      emptied.output.hasSuffix("work: 0 components, calendar work: 1 removed\n"),
      "\(emptied.output)")
    #expect(try titles() == [])
    #expect(try agenda("refresh").status == 0)
    #expect(try agenda("doctor").status == 0)
  }

  @Test("a folder that is given as . or .. has the name of the folder")
  func folderByDots() throws {
    try folder.write("work/a.ics", calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:A")))
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("work/deep"), withIntermediateDirectories: true)
    for (place, path) in [("work", "."), ("work/deep", ".."), ("work/deep", "./../")] {
      let run = try AgendaRun(
        ["show", path, "-f", "tsv"] + AgendaRun.pinned,
        in: folder.url.appendingPathComponent(place))
      #expect(run.rows.map { $0["calendar"] } == ["work"], "\(place) \(path)")
    }
  }

  @Test("a missing source is reported and listed, and its events are kept")
  func gone() throws {
    let file = try folder.write(
      "work.ics", calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:A")))
    _ = try agenda("import", "work.ics")
    try FileManager.default.removeItem(atPath: file)
    let run = try agenda("refresh")
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(
      run.errors == "agenda: \(file): No such file or directory; "
        + "agenda remove --source '\(file)' removes it from the store; "
        + "keeping 1 event as of today\n")
    #expect(try titles() == ["24T11:00 A"])
    #expect(try agenda("calendars").output.contains("No such file or directory"))
    #expect(try agenda("doctor").status == 0)
    try folder.write("work.ics", calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:B")))
    #expect(try agenda("refresh").status == 0)
    #expect(try !agenda("calendars").output.contains("No such file"))
  }

  @Test("a strict import of a good source is like any other")
  func strict() throws {
    try folder.write("work.ics", calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:A")))
    try agenda("import", "work.ics", "--strict").expect(
      0, output: "work.ics: 1 component, calendar work: 1 added\n")
    let bad = calendar(
      event("a", "DTSTART:20261124T100000Z"), event("b", "DTSTART:20261131T100000Z"))
    try folder.write("work.ics", bad)
    let run = try agenda("import", "work.ics", "--strict")
    #expect(run.status == 1)
    #expect(run.errors.contains("--strict is set"))
    #expect(try titles() == ["24T11:00 A"])
  }

  @Test("a store that cannot be written is read, also by somebody else; writing to it is refused")
  func readOnly() throws {
    try folder.write(
      "work.ics", calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:Planning")))
    _ = try agenda("import", "work.ics")
    let files = FileManager.default
    let data = folder.url.appendingPathComponent("data").path
    for (path, permissions) in [(folder.url.path, 0o755), (data, 0o555), (store, 0o444)] {
      try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    // Root may write anywhere, so then it is somebody else who reads.
    let other = "setpriv --reuid=65534 --regid=65534 --clear-groups "
    let isRoot = geteuid() == 0
    if isRoot, try AgendaRun(shell: "\(other)agenda --version").status != 0 { return }
    func asOther(_ line: String) throws -> AgendaRun {
      try AgendaRun(
        shell: (isRoot ? other : "") + "agenda \(line) --now 2026-11-21T09:00:00+01:00",
        environment: ["AGENDA_STORE": store], in: folder.url)
    }
    for command in ["show --days 7", "week", "search planning", "calendars", "changes", "export"] {
      let run = try asOther(command)
      #expect(run.status == 0, "\(command): \(run.errors)")
      #expect(run.errors == "", "\(command)")
      #expect(run.output != "", "\(command)")
    }
    for command in ["import work.ics", "undo", "remove --calendar work", "add x --at 2026-11-24"] {
      let run = try asOther(command)
      #expect(run.status == 1, "\(command)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(command): \(run.errors)")
      #expect(run.errors.contains(store), "\(command): \(run.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    #expect(try files.contentsOfDirectory(atPath: data) == ["agenda.sqlite"])
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data)
  }

  @Test("a store of a newer agenda is refused by name by every command, and left as it is")
  func newer() throws {
    try folder.write("work.ics", calendar(event("a", "DTSTART:20261124T100000Z")))
    _ = try agenda("import", "work.ics")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    // The user_version of SQLite's header.
    bytes[63] = 99
    try bytes.write(to: URL(fileURLWithPath: store))
    for command in [
      ["show"], ["import", "work.ics"], ["undo"], ["changes"], ["calendars"], ["search", "x"],
      ["add", "x", "--at", "today"], ["export"], ["refresh"], ["doctor"],
    ] {
      let run = try AgendaRun(command, environment: ["AGENDA_STORE": store], in: folder.url)
      #expect(run.status == 1, "\(command)")
      #expect((run.errors + run.output).contains("version 99"), "\(command): \(run.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
  }
}
