import Testing

@testable import AgendaCommands

@Suite("--where and its relatives on the command line")
struct ConditionOptionTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func errors(_ typed: [String]) -> String {
    let run = fixture.run(["show"] + fixture.sources + typed)
    #expect(run.status == .wrongCommandLine)
    #expect(run.output.isEmpty)
    return run.errors
  }

  @Test("an unknown field is an error with its column and the nearest name")
  func unknownField() {
    #expect(
      errors(["--where", "title ~ a or durration > 1h"])
        == "agenda: --where: column 14: unknown field \"durration\"; "
        + "did you mean \"duration\"?\n")
    #expect(
      errors(["--where", "foo = 1"]).contains("\"foo\"; the fields are indexPath, id, uid, "))
  }

  @Test("only timed and only all-day entries exclude each other")
  func exclusive() {
    #expect(errors(["--timed", "--all-day"]).contains("--timed"))
  }

  @Test("an unknown calendar that is excluded is warned about")
  func unknownCalendar() {
    let run = fixture.run(["show"] + fixture.sources + ["--not-calendar", "wrok"])
    #expect(run.status == .done)
    #expect(run.errors.contains("unknown calendar \"wrok\"; did you mean Work?"))
  }

  @Test("single quotes are like double quotes")
  func singleQuotes() {
    func titles(_ condition: String) -> [[String: String]] {
      fixture.rows(["show"] + fixture.sources + ["--days", "3", "--where", condition])
    }
    #expect(!titles("title = \"Later\"").isEmpty)
    #expect(titles("title = 'Later'") == titles("title = \"Later\""))
    #expect(titles("title = 'La\\'ter'").isEmpty)
  }

  @Test("days are those of the zone")
  func zone() {
    // 10:00 in New York is the next day in Tokyo.
    let later =
      fixture.sources + ["--days", "3", "--where", "start = 2026-11-22 and title = Later"]
    #expect(fixture.rows(["show"] + later).isEmpty)
    #expect(fixture.rows(["show"] + later + ["--timezone", "Asia/Tokyo"]).count == 1)
  }

  @Test("search takes files from its words, too")
  func searchInFile() {
    let found = fixture.run(["search", "dentist", fixture.path("work.ics"), "-f", "tsv"])
    #expect(found.status == .done)
    #expect(found.output.split(separator: "\n").count == 2)
    let nothing = fixture.run(["search", fixture.path("work.ics")])
    #expect(nothing.errors == "agenda: WORDS: expected at least one word to find\n")
  }

  @Test("an unknown option before a word is reported, not the word")
  func unknownOption() {
    let run = fixture.run(["-d", "3"], isPinned: false)
    #expect(run.status == .wrongCommandLine)
    #expect(run.errors.contains("unknown option -d"))
    // `import` has --dry-run, so the word is a misspelled command.
    let misspelled = fixture.run(["--dry-run", "imprt"], isPinned: false)
    #expect(misspelled.errors.contains("import"))
  }

  @Test("the names of commands are offered after help")
  func completedHelp() {
    let names = fixture.run(["completions", "--words", "commands"], isPinned: false).output
    #expect(names.split(separator: "\n").contains("show"))
    let script = fixture.run(["completions", "bash"], isPinned: false).output
    #expect(script.contains("_agenda_listed commands"))
  }

  /// The same from files and from a store of them.
  private func titles(_ typed: [String], _ command: String = "show") -> [String] {
    let ofFiles = fixture.titles([command] + fixture.sources + typed)
    _ = fixture.run(["import", "--quiet"] + fixture.sources, isPinned: false)
    #expect(fixture.titles([command] + typed) == ofFiles)
    return ofFiles
  }

  @Test("an entry of several days is checked for each day")
  func dayOfSeveral() {
    let days = ["--days", "3", "--where", "title = Trip and day = 2"]
    #expect(titles(days) == ["21 Trip"])
    #expect(titles(["--days", "3", "--where", "title = Trip and not day = 2"]) == ["22 Trip"])
    #expect(titles(["--where", "title = Trip and day >= 2", "--limit", "1"]) == ["21 Trip"])
    #expect(titles(["--where", "title = Trip and day = 3"], "today").isEmpty)
    // An entry is listed once under its first day of the window, which is its second day.
    #expect(titles(days + ["--group-by", "calendar"]).count == 1)
    #expect(titles(["--where", "title = Trip and day = 3", "--group-by", "calendar"]).isEmpty)
    #expect(titles(["--where", "title = Trip and day = 2"], "next") == ["21 Trip"])
    #expect(titles(["--where", "title = Trip and day = 3"], "next").isEmpty)
  }

  @Test("an index path is the position in the listing without the condition")
  func indexPaths() {
    for options in [["--days", "3"], ["--months", "2", "--group-by", "calendar"]] {
      for row in fixture.rows(["show"] + fixture.sources + options) {
        let path = row["indexPath"] ?? ""
        let found = fixture.rows(
          ["show"] + fixture.sources + options + ["--where", "indexPath = \(path) and title != x"])
        #expect(found.map { $0["title"] } == [row["title"]])
        #expect(found.map { $0["section"] } == [row["section"]])
        #expect(found.map { $0["indexPath"] } == ["1.1"])
      }
    }
    #expect(
      titles(["--where", "indexPath = 1.1 or indexPath = 2.1", "--limit", "1"]) == ["21 Trip"])
    let alarms = fixture.run(["alarms", "--where", "indexPath = 1.1"] + fixture.sources)
    #expect(alarms.status == .wrongCommandLine)
    #expect(alarms.errors.contains("indexPath cannot be used with alarms"))
  }

  @Test("every output leaves out the days that a condition excludes")
  func outputsOfDays() {
    let condition = ["--where", "title = Trip and day = 3"]
    func output(_ typed: [String]) -> String { fixture.run(typed + fixture.sources).output }
    for format in ["text", "markdown", "html", "json", "jsonl"] {
      let page = output(["show", "--days", "3", "-f", format] + condition)
      #expect(page.contains("Trip") && page.contains("22"), "\(format)")
      #expect(!page.contains("href=\"#2026-11-21"), "\(format)")
      #expect(!output(["today", "-f", format] + condition).contains("Trip"), "\(format)")
    }
    // A cell for each day; and a bar that ends on Sunday, where the third day has one of its own.
    let month = output(["calendar", "--grid", "month"] + condition)
    #expect(month.ranges(of: "Trip").count == 1)
    let week = output(["calendar", "--grid", "week"] + condition)
    #expect(
      week.split(separator: "\n").contains {
        $0.hasSuffix(String(repeating: " ", count: 60) + "*Trip")
      })
    #expect(output(["calendar", "--from", "2026-11-22"] + condition).contains("Trip"))
    #expect(!output(["calendar", "--from", "2026-11-21"] + condition).contains("Trip"))
    let mail = output(["show", "--days", "3", "--mail", "a@example.com"] + condition)
    #expect(mail.contains("Trip (day 3 of 3)") && !mail.contains("day 2 of 3"))
  }

  @Test("alarms are selected by a condition")
  func alarms() {
    let alarms = ["alarms", "--within", "2d", "-f", "json"] + fixture.sources
    #expect(fixture.run(alarms).output.contains("Not for me"))
    let selected = fixture.run(alarms + ["--where", "title = Dentist", "--timed"]).output
    #expect(selected.contains("Dentist") && !selected.contains("Not for me"))
    let others = fixture.run(alarms + ["--all-day"]).output
    #expect(!others.contains("Dentist"))
    #expect(!fixture.run(alarms + ["--not-calendar", "work"]).output.contains("Dentist"))
  }
}
