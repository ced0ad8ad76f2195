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
    let names = fixture.run(["completions", "--list", "commands"], isPinned: false).output
    #expect(names.split(separator: "\n").contains("show"))
    let script = fixture.run(["completions", "bash"], isPinned: false).output
    #expect(script.contains("_agenda_listed commands"))
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
