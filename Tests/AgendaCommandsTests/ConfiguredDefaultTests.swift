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

  /// A wrong line of the configuration.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let line: String
    let command: String
    /// The message behind the place of the line.
    let message: String
    let fails: Bool

    init(_ line: String, _ command: String, _ message: String, fails: Bool = true) {
      (self.line, self.command, self.message, self.fails) = (line, command, message, fails)
    }

    var testDescription: String { "\(line): \(command)" }
  }

  private static let mistakes: [Mistake] = [
    Mistake("key = foo = x", "show", "--key: unknown action \"foo\"; the actions are "),
    Mistake("key = done", "calendars", "--key: expected an action and its keys "),
    Mistake("key = done = Foo", "today", "--key: unknown key \"Foo\"; "),
    Mistake("days = abc", "calendars", "--days: expected a number from 1 to "),
    Mistake("format = nonsense", "calendars", "--format: expected one of text, json, tsv, "),
    Mistake("once = maybe", "changes", "--once: expected yes or no, got \"maybe\""),
    Mistake(
      "calendar = Nosuch", "show", "unknown calendar \"Nosuch\"; agenda calendars lists",
      fails: false),
    Mistake(
      "calendar = Wrok", "today", "unknown calendar \"Wrok\"; did you mean Work?", fails: false),
    Mistake("not-calendar = Nosuch", "next", "unknown calendar \"Nosuch\"; ", fails: false),
    Mistake("calendar = Nosuch", "free", "--calendar: nothing is listed, because "),
    Mistake("calendar = Nosuch", "changes", "unknown calendar \"Nosuch\"; ", fails: false),
    Mistake("since = tomorrow", "changes", "--since: expected a day or time that has begun"),
    Mistake("locale = xx_nowhere", "undo", "--locale: "),
    Mistake("locale = xx_nowhere", "remove cake", "--locale: "),
    Mistake("where = foo = 1", "free", "--where: column 1: unknown field \"foo\""),
  ]

  @Test("a wrong value is reported with its file and line", arguments: mistakes)
  func wrongValues(mistake: Mistake) throws {
    importAll()
    let found = try run(
      mistake.command.split(separator: " ").map(String.init), "\n\(mistake.line)\n")
    let place = "\(fixture.path("config"))/agenda/config:2: "
    #expect(found.errors.contains(place + mistake.message), "\(found)")
    #expect(found.status == (mistake.fails ? .wrongCommandLine : .done), "\(found)")
  }

  @Test("of several lines, the one with the wrong value is named")
  func repeatedLine() throws {
    importAll()
    let found = try run(["show"], "calendar = Work\ncalendar = Nosuch\ncalendar = Home\n")
    #expect(found.errors.contains("agenda/config:2: unknown calendar \"Nosuch\""), "\(found)")
    // What is typed has no line.
    let typed = try run(["show", "--calendar", "Other"], "calendar = Nosuch\n")
    #expect(
      typed.errors
        == "agenda: warning: unknown calendar \"Other\"; agenda calendars lists all calendars\n")
  }

  @Test("TZ and AGENDA_STORE beat the configuration, and it beats LC_ALL")
  func environment() throws {
    importAll()
    let configuration =
      "timezone = America/New_York\nlocale = de\nstore = \(fixture.path("other.sqlite"))\n"
    try fixture.write("config/agenda/config", configuration)
    func run(_ arguments: [String], _ variables: [String: String]) -> InMemoryRun {
      InMemoryRun(
        arguments,
        variables: variables.merging(
          ["XDG_CONFIG_HOME": fixture.path("config"), "LC_ALL": "en_US.UTF-8"]) { $1 })
    }
    let store = ["AGENDA_STORE": fixture.store]
    #expect(run(["event", "cake"], store).output.contains("21. November 2026, 14:00"))
    let inBerlin = run(["event", "cake"], store.merging(["TZ": "Europe/Berlin"]) { $1 })
    #expect(inBerlin.output.contains("Samstag, 21. November 2026, 20:00"), "\(inBerlin)")
    let typed = run(
      ["event", "cake", "--timezone", "UTC"], store.merging(["TZ": "Europe/Berlin"]) { $1 })
    #expect(typed.output.contains("19:00"))
    #expect(run(["show"], [:]).errors.contains("other.sqlite does not exist"))
  }

  /// Commands whose output has no dates in words.
  private static let withoutDates: Set<String> = [
    "check", "completions", "export", "help", "resolve", "watch",
  ]

  @Test("every command that prints dates in words takes the locale of the configuration")
  func locales() {
    for command in AgendaCommand.all.map(\.declaration) {
      let takesLocale = command.option(named: "locale") != nil
      #expect(takesLocale != Self.withoutDates.contains(command.name), "\(command.name)")
    }
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
