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

  @Test("calendars are set up as described")
  func setUp() throws {
    let home = try CommandHome()
    try home.folder.write("calendar.ics", ShowCommandTests.calendar)
    try home.setNow("2026-11-21T08:00:00+01:00")
    for block in blocks("Set it up in five minutes") {
      let run = try home.run("set -e\n\(block)")
      #expect(run.status == 0, "\(block)\n\(run.errors)")
    }
    let today = try home.run("agenda today --if-any")
    #expect(today.output.contains("Early bird"))
  }
}
