import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

/// A default is for what its name says in a listing; it decides nothing else.
@Suite("defaults of the configuration, command by command")
struct ConfiguredDefaultTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func run(_ arguments: [String], _ configuration: String) throws -> InMemoryRun {
    try fixture.write("config/agenda/config", configuration)
    return InMemoryRun(
      arguments,
      variables: [
        "AGENDA_STORE": fixture.store, "TZ": "Europe/Berlin",
        "XDG_CONFIG_HOME": fixture.path("config"),
      ])
  }

  private func importAll() {
    #expect(fixture.run(["import"] + fixture.sources, isPinned: false).status == .done)
  }

  /// The id of the entry with that title.
  private func id(_ title: String) throws -> String {
    let rows = fixture.rows(["show", "--include-cancelled"])
    return try #require(rows.first { $0["title"] == title }?["id"])
  }

  @Test("a calendar filter in the configuration does not decide where imports go")
  func calendarOfImports() throws {
    for source in fixture.sources {
      #expect(try run(["import", source], "calendar = Work\n").status == .done)
    }
    #expect(fixture.run(["calendars", "-f", "tsv"]).output.contains("\nHome\t"))
    #expect(
      try run(["check", fixture.path("home.ics")], "calendar = Work\n").output
        .contains("calendar Home"))
    let shown = try run(["show", "--days", "1"], "calendar = Work\n").output
    #expect(shown.contains("Dentist") && !shown.contains("Cake"))
    let typed = try run(
      ["import", "--calendar", "Other", fixture.path("home.ics")], "calendar = Work\n")
    #expect(typed.output.contains("calendar Other"))
  }

  @Test("a configured option that a command lacks is ignored")
  func formatOfPages() throws {
    #expect(try run(["show"] + fixture.sources, "format = html\n").output.hasPrefix("<!DOCTYPE"))
    let tasks = try run(["tasks"] + fixture.sources, "format = html\n")
    #expect(tasks.status == .done && tasks.output.contains("Plants"), "\(tasks.errors)")
  }

  @Test("an id is found wherever the configuration would not look")
  func identifiers() throws {
    importAll()
    let cake = try id("Cake")
    let hidden = "calendar = Work\nfrom = 2027-03-01\ndays = 1\nlimit = 1\n"
    for command in ["event", "explain"] {
      let found = try run([command, cake], hidden)
      #expect(found.status == .done, "\(found.errors)")
      #expect(found.output.contains("Cake"))
    }
    // What is typed is where to look.
    #expect(try run(["event", cake, "--calendar", "Work"], "").status == .failed)
    #expect(try run(["event", cake, "--from", "2027-03-01", "--days", "1"], "").status == .failed)
    let removed = try run(["remove", "--event", cake], hidden)
    #expect(removed.output.hasPrefix("removed Cake; "), "\(removed.errors)")
  }

  @Test("an index path counts in the listing of the same configuration")
  func indexPaths() throws {
    importAll()
    let configuration = "calendar = Home\ndays = 1\n"
    #expect(try run(["event", "1.1"], configuration).output.contains("Cake"))
    #expect(try run(["event", "2.1"], configuration).status == .failed)
  }

  @Test("search and next ignore the default window of the configuration")
  func windows() throws {
    importAll()
    let aDay = "from = 2027-03-01\ndays = 1\n"
    #expect(try run(["search", "cake"], aDay).output.contains("Cake"))
    #expect(try run(["next", "--search", "cake"], aDay).output.contains("Cake"))
    #expect(try !run(["show", "--search", "cake"], aDay).output.contains("Cake"))
    #expect(try !run(["search", "cake", "--from", "2027-03-01"], "").output.contains("Cake"))
  }

  @Test("the months of an agenda are not those of the grid")
  func months() throws {
    let grid = try run(["calendar", fixture.path("work.ics")], "months = 500\n")
    #expect(grid.status == .done, "\(grid.errors)")
    #expect(grid.output.contains("November 2026") && !grid.output.contains("December 2026"))
  }

  @Test(
    "options for a single call cannot be configured",
    arguments: ["event = 3f9a2c71", "output = all.ics", "at = monday"])
  func meantOnce(line: String) throws {
    let name = line.prefix { $0 != " " }
    let refused = try run(["show", fixture.path("work.ics")], "\n\(line)\n")
    #expect(refused.status == .wrongCommandLine)
    #expect(
      refused.errors
        == "agenda: \(fixture.path("config"))/agenda/config:2: \(name) cannot be set here; "
        + "use --\(name) on the command line\n")
  }

  /// Each option that two commands declare with different words, and the commands whose own sense
  /// no default reaches.
  @Test("an option with two meanings is configurable for one of them only")
  func twoSenses() {
    var senses: [String: Set<String>] = [:]
    for command in AgendaCommand.all.map(\.declaration) {
      for option in command.visibleOptions where !option.isTypedOnly {
        senses[option.name, default: []].insert(option.help)
      }
    }
    #expect(
      senses.filter { $0.value.count > 1 } == [
        "format": [
          "set the output format", "set the format of the report", "set the format of the list",
        ]
      ])
  }
}
