import Foundation
import TestSupport
import Testing

/// The picture and the commands of the README.
@Suite("README")
struct ReadmeTests {
  private let document: CommandDocument

  init() throws {
    document = try CommandDocument("README.md")
  }

  private func blocks(_ heading: String) -> [String] {
    document.blocks.filter { $0.heading == heading && $0.language == "sh" }.map(\.text)
  }

  @Test("the picture shows what the program prints", .requiresPython)
  func picture() throws {
    let script = Repository.root.appendingPathComponent("Docs/make-picture").path
    let run = try Python.run([script, "--check", AgendaRun.program.path])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("the first command prints a week of the household, and what the page shows is true")
  func firstCommand() throws {
    let command = try #require(blocks("Try it").first { $0.contains("swift run") })
    let arguments = try #require(command.split(separator: "agenda ", maxSplits: 1).last)
    let run = try AgendaRun(shell: "agenda \(arguments)", in: Repository.root)
    #expect(run.status == 0)
    #expect(run.output.contains("Stand-up"))
    let pinned = try AgendaRun(
      shell: "agenda \(arguments) --now 2026-11-21T09:00:00+01:00 --timezone Europe/Berlin "
        + "--locale en_GB", in: Repository.root)
    let shown = try #require(
      document.blocks.first { $0.heading == "Try it" && $0.language == "text" })
    #expect(pinned.output.hasPrefix(shown.text))
  }

  @Test("an event is added, moved, shown and undone as described")
  func addSomething() throws {
    let home = try CommandHome()
    try home.setNow("2026-11-21T08:00:00+01:00")
    let lines = blocks("Add something").joined(separator: "\n").split(separator: "\n")
    #expect(lines.count == 4)
    for line in lines {
      let run = try home.run(String(line))
      #expect(run.status == 0, "\(line)\n\(run.errors)")
    }
    let moved = try home.run("agenda redo && agenda tomorrow")
    #expect(moved.output.contains("13:00–14:00  Lunch with Ana"), "\(moved.output)")
  }

  @Test("the scripts that are named exist")
  func scripts() throws {
    let names = (blocks("Try it") + blocks("Install it")).flatMap {
      $0.matches(of: #/\.ci\/\w+/#).map { String($0.output) }
    }
    #expect(Set(names) == [".ci/install", ".ci/test", ".ci/package"])
    for name in names {
      let path = Repository.root.appendingPathComponent(name).path
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(name)")
    }
  }

  @Test("calendars are set up as described, word by word in an empty home")
  func setUp() throws {
    let home = try CommandHome()
    try home.folder.write("calendar.ics", ShowCommandTests.calendar)
    try home.folder.write(
      "old.ics", calendar(event("old", "DTSTART:20261124T100000Z", "SUMMARY:Old friend")))
    let script = blocks("Set it up in five minutes").joined(separator: "\n")
    let run = try home.run("set -e\n\(script)")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(run.output.hasSuffix("You can add events to home and local; work belongs to others.\n"))
    let list = try home.run("agenda calendars -f json").output
    #expect(list.contains(#"{"name":"home","color":null,"events":2,"#), "\(list)")
    #expect(try home.run("agenda search lunch").output.contains("Lunch with Ana · home"))
    #expect(try home.run("agenda search friend").output.contains("Old friend · home"))
    let now = "--now 2026-11-21T08:00:00+01:00"
    #expect(try home.run("agenda today \(now)").output.contains("Early bird"))
  }

  @Test("a default calendar that cannot be used is a mistake in the configuration")
  func defaultCalendar() throws {
    let home = try CommandHome()
    try home.folder.write("calendar.ics", ShowCommandTests.calendar)
    #expect(try home.run("agenda import --calendar work calendar.ics").status == 0)
    for (name, reason) in [
      (
        "work",
        "calendar work takes no new events; you can add events to local; work belongs to others"
      ),
      ("nowhere", "no calendar is called \"nowhere\"; you can add events to local; work belongs"),
    ] {
      try home.folder.write(".config/agenda/config", "timezone = UTC\ndefault-calendar = \(name)\n")
      let run = try home.run("agenda add tomorrow 12:30 Lunch")
      #expect(run.status == 2 && run.output.isEmpty)
      let place = "\(home.folder.url.path)/.config/agenda/config:2: "
      #expect(run.errors.contains(place) && run.errors.contains(reason), "\(run)")
      #expect(run.errors.contains("agenda calendars new "), "\(run)")
      #expect(
        try home.run("agenda add tomorrow 12:30 Lunch --calendar local --dry-run").status == 0)
    }
    // What the message says leads on.
    #expect(try home.run("agenda calendars new nowhere").status == 0)
    #expect(try home.run("agenda add tomorrow 12:30 Lunch").status == 0)
  }
}
