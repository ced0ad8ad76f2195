import Foundation
import TestSupport
import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

/// The options of commands that manage the store, and the choice of the store.
@Suite("options of the store")
struct StoreOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "calendars": ["format", "locale", "color"],
    "changes": ["since", "calendar", "format", "locale", "if-any", "color"],
    "export": ["output", "into"],
    "undo": ["quiet", "list", "yes", "format", "locale"],
    "redo": ["quiet", "locale"],
    "watch": ["calendar"],
    "doctor": ["format", "locale", "rebuild"],
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("calendars, changes, undo, export, remove: formats, languages, files, quiet")
  func storeReports() throws {
    try fixture.importAll()
    #expect(fixture.run(["calendars", "-f", "json"]).output.hasPrefix("{\"version\":1,"))
    let german = fixture.run(["calendars", "--locale", "de"]).output
    #expect(german != fixture.run(["calendars"]).output)
    try fixture.write("work.ics", OptionFixture.work.replacing("Running", with: "Walking"))
    let later = ["--now", "2026-11-22T09:00:00+01:00"]
    #expect(fixture.run(["refresh"] + later, isPinned: false).status == .done)
    func changes(_ options: String...) -> String {
      fixture.run(["changes"] + options + later).output
    }
    #expect(changes().split(separator: "\n").count == 2, "\(changes())")
    #expect(changes("--since", "2020-01-01").split(separator: "\n").count > 5)
    #expect(changes("--since", "1h", "--calendar", "home", "--if-any") == "")
    #expect(changes("--calendar", "work").contains("Walking"))
    #expect(changes("-f", "json").hasPrefix("{\"version\":1,"))
    let narrow = fixture.run(
      ["changes", "--since", "2020-01-01"] + later, columns: 30, variables: ["NO_COLOR": "1"]
    ).output
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 30 })
    #expect(narrow.contains("\n             "))
    let since = ["changes", "--since", "2020-01-01"] + later
    #expect(fixture.run(since + ["--locale", "de"]).output != fixture.run(since).output)
    #expect(fixture.run(["export", "--output", fixture.path("all.ics")]).output == "")
    #expect(
      try String(contentsOfFile: fixture.path("all.ics"), encoding: .utf8)
        == fixture.run(["export"]).output)
    #expect(fixture.run(["undo", "--quiet"]).output == "")
    #expect(fixture.titles(["show"]).contains("21 Running"))
    #expect(fixture.run(["remove", "--calendar", "Home", "--quiet"]).output == "")
    #expect(!fixture.titles(["show"]).contains("21 Cake"))
    #expect(fixture.run(["doctor", "-f", "json"]).output.hasPrefix("{\"version\":1,"))
    #expect(fixture.run(["doctor", "--locale", "de"]).output.contains("locale  "))
    #expect(fixture.run(["doctor", "--locale", "de"]).output.contains("  de\n"))
  }

  @Test("doctor --rebuild makes a damaged index again", .requiresPython)
  func rebuild() throws {
    try fixture.importAll()
    let (found, shown) = (fixture.titles(["search", "kin"]), fixture.titles(["show"]))
    #expect(!found.isEmpty)
    let script =
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
      + "c.execute('DELETE FROM search_data WHERE id > 10'); c.commit()"
    let damage = try Python.run(["-c", script, fixture.store])
    try #require(damage.status == 0, "\(damage.errors)")
    let damaged = fixture.run(["doctor"])
    #expect(damaged.status != .done)
    #expect(damaged.output.contains("search index"), "\(damaged.output)")
    let rebuilt = fixture.run(["doctor", "--rebuild"])
    #expect(rebuilt.status == .done)
    #expect(rebuilt.output.contains("no problems found"), "\(rebuilt.output)")
    #expect(fixture.titles(["search", "kin"]) == found)
    #expect(fixture.titles(["show"]) == shown)
    #expect(fixture.run(["undo"]).status == .done)
    let nowhere = fixture.run(["doctor", "--rebuild", "--store", fixture.path("nowhere.sqlite")])
    #expect(nowhere.status != .done)
    #expect(!FileManager.default.fileExists(atPath: fixture.path("nowhere.sqlite")))
  }

  @Test("doctor --rebuild repairs times, but does not hide that a text is damaged", .requiresPython)
  func rebuildDamaged() throws {
    try fixture.importAll()
    func damage(_ column: String, _ value: String) throws {
      let script =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
        + "c.execute(\"UPDATE component SET \(column) = \(value) WHERE id = 1\"); c.commit()"
      let run = try Python.run(["-c", script, fixture.store])
      try #require(run.status == 0, "\(run.errors)")
    }
    try damage("span_begin", "span_begin + 100000")
    #expect(fixture.run(["doctor"]).output.contains("component 1 is damaged"))
    #expect(fixture.run(["doctor", "--rebuild"]).output.contains("no problems found"))
    // Another minute is another time, so that the row has other derived columns.
    try damage("text", "CAST(replace(text, 'T083000', 'T083100') AS BLOB)")
    for options in [[], ["--rebuild"], []] {
      let run = fixture.run(["doctor"] + options)
      #expect(run.status == .failed)
      #expect(run.output.contains("component 1 is damaged"), "\(options): \(run.output)")
    }
  }

  @Test("undo and redo name days in the language of the viewer, JSON in none")
  func languages() throws {
    try fixture.importAll()
    fixture.run(["add", "Tea", "--at", "today"])
    let later = ["--now", "2026-11-23T09:00:00+01:00"]
    func list(_ options: String...) -> String {
      fixture.run(["undo", "--list"] + later + options).output
    }
    #expect(list().hasPrefix("1 add of \"Tea\" of Sat, 21 Nov 2026, 09:00 (local)\n"), "\(list())")
    #expect(
      list("--locale", "de").hasPrefix("1 add of \"Tea\" of Sa., 21. Nov. 2026, 09:00 (local)\n"))
    #expect(list("--locale", "en_US").hasPrefix("1 add of \"Tea\" of Sat, Nov 21, 2026, 9:00"))
    #expect(list("-f", "json") == list("-f", "json", "--locale", "de"))
    #expect(list("-f", "json").contains("\"calendars\":[\"local\"],\"titles\":[\"Tea\"]"))
    let undone = fixture.run(["undo", "--locale", "de"] + later).output
    #expect(undone.hasPrefix("undid: add of \"Tea\" of Sa., 21. Nov. 2026"), "\(undone)")
    let redone = fixture.run(["redo", "--locale", "de"] + later).output
    #expect(redone.hasPrefix("redid: add of \"Tea\" of Sa., 21. Nov. 2026"), "\(redone)")
  }

  @Test(
    "changes since a time that has not come is a usage error",
    arguments: ["tomorrow", "2026-11-21T09:00:01+01:00", "2027-01-01"])
  func comingChanges(since: String) throws {
    try fixture.importAll()
    let run = fixture.run(["changes", "--since", since])
    #expect(run.status == .wrongCommandLine && run.output.isEmpty)
    #expect(
      run.errors == "agenda: --since: expected a day or time that has begun, got \"\(since)\"\n")
    for begun in ["today", "2026-11-21T09:00:00+01:00"] {
      #expect(fixture.run(["changes", "--since", begun]).status == .done)
    }
  }

  /// A command, and whether it fails for a path without a store.
  private static let readers: [([String], Bool)] = [
    (["show"], true), (["next"], true), (["event", "cake"], true), (["calendars"], true),
    (["changes"], true), (["undo"], true), (["undo", "--list"], true), (["redo"], true),
    (["export"], true), (["free"], true), (["alarms"], true), (["tasks"], true),
    (["resolve"], true), (["edit", "cake", "--title", "x"], true), (["remove", "Home"], true),
    (["reply", "cake", "--accept"], true), (["refresh"], false),
  ]

  @Test("a chosen path without a store is named, with what chose it", arguments: readers)
  func missingStore(command: [String], fails: Bool) throws {
    let path = fixture.path("nowhere.sqlite")
    let advice = "\(path) does not exist; agenda import FILE"
    try fixture.write("config/agenda/config", "store = \(path)\n")
    let configuration = fixture.path("config/agenda/config")
    let begin = fails ? "agenda: " : "agenda: warning: "
    for (options, variables, message) in [
      (["--store", path], [:], "--store: \(advice) --store \(path) begins a store there"),
      (
        [], ["AGENDA_STORE": "", "XDG_CONFIG_HOME": fixture.path("config")],
        "\(configuration):1: \(advice) begins a store there"
      ),
    ] {
      let run = fixture.run(command + options, isPinned: false, variables: variables)
      #expect(run.status == (fails ? .failed : .done), "\(command) \(run)")
      #expect(run.errors == "\(begin)\(message)\n", "\(command)")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("--store, wherever there is one; AGENDA_STORE without it")
  func store() throws {
    try fixture.importAll()
    let other = ["--store", fixture.path("other.sqlite")]
    #expect(
      fixture.run(["import", fixture.path("home.ics")] + other, isPinned: false).status == .done)
    #expect(fixture.titles(["show"] + other) == ["21 Cake"])
    for command in AgendaCommand.all.map(\.declaration)
    where command.option(named: "store") != nil {
      var line = [command.name]
      switch command.name {
      case "event", "explain": line.append("1.1")
      case "search": line.append("kin")
      case "invitations": line += ["--as", "ana@example.com"]
      case "notify": line += ["--once", "--command", "cat > /dev/null; true"]
      case "attachment", "open", "remove", "add", "edit", "done", "reply", "import", "undo", "redo",
        // `watch` waits for a signal, `browse` needs a terminal, and `resolve` a server.
        "completions", "watch", "browse", "resolve":
        continue
      default: break
      }
      let nowhere = ["--store", fixture.path("nowhere.sqlite")]
      let isPinned = command.option(named: "timezone") != nil
      let here = fixture.run(line + other, isPinned: isPinned)
      let there = fixture.run(line + nowhere, isPinned: isPinned)
      #expect(here.status == .done, "\(line) \(here.errors)")
      #expect(
        here.output != there.output || here.status != there.status, "\(line) \(here.output)")
    }
    #expect(fixture.run(["attachment", "1.1"] + other).errors.contains("no attachments"))
    _ = fixture.run(["add", "Tea", "--at", "today"] + other)
    #expect(fixture.titles(["show"] + other) == ["21 Tea", "21 Cake"])
    #expect(!fixture.titles(["show"]).contains("21 Tea"))
    _ = fixture.run(["undo"] + other)
    #expect(fixture.run(["redo", "--quiet"] + other).output == "")
    #expect(fixture.titles(["show"] + other) == ["21 Tea", "21 Cake"])
    _ = fixture.run(["undo"] + other)
    _ = fixture.run(["remove", "Home", "--yes"] + other)
    #expect(fixture.titles(["show"] + other) == [])
    #expect(
      fixture.run(["completions", "--words", "calendars"], isPinned: false).output
        == "Home\nWork\n")
    #expect(
      fixture.run(["completions", "--words", "calendars"] + other, isPinned: false).output == "")
  }
}
