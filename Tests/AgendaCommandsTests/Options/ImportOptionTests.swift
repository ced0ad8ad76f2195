import TestSupport
import Testing

@testable import AgendaCommands

/// The options of commands that read sources.
@Suite("options of import, refresh and check")
struct ImportOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "import": [
      "calendar", "dry-run", "strict", "allow-shrink", "quiet", "format", "encoding", "locale",
      "into",
    ],
    "refresh": ["dry-run", "strict", "allow-shrink", "quiet", "format", "locale"],
    "check": ["format", "quiet", "calendar", "strict", "encoding"],
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("import: name, rehearsal, strictness, shrinking, quiet, report, encoding")
  func importing() throws {
    let file = fixture.path("work.ics")
    func calendars() -> [String] { fixture.rows(["calendars"]).compactMap { $0["calendar"] } }
    func run(_ options: String...) -> InMemoryRun {
      fixture.run(["import", file] + options, isPinned: false)
    }
    #expect(run("--dry-run").output.hasSuffix("8 to add\n"))
    #expect(calendars() == [])
    #expect(run("--into", "mine").status == .wrongCommandLine)
    #expect(run("--into", "local", "--calendar", "mine").status == .wrongCommandLine)
    #expect(run("--into", "local").output.hasSuffix("calendar local: 8 added\n"))
    #expect(calendars() == ["local"])
    fixture.run(["undo"], isPinned: false)
    #expect(run("--calendar", "mine", "--quiet").output == "")
    #expect(calendars() == ["mine"])
    #expect(run("--calendar", "mine", "-f", "json").output.hasPrefix("{\"version\":1,"))
    try fixture.write(
      "work.ics", OptionFixture.work.replacing("20261121T083000", with: "20261131T083000"))
    let strict = run("--calendar", "mine", "--strict")
    #expect(strict.status == .failed)
    #expect(fixture.titles(["show"]).contains("21 Running"))
    try fixture.write("work.ics", calendar())
    #expect(run("--calendar", "mine").status == .failed)
    #expect(fixture.titles(["show"]).contains("21 Running"))
    #expect(run("--calendar", "mine", "--allow-shrink").status == .done)
    #expect(fixture.titles(["show"]) == [])
    let latin = fixture.run(
      ["import", fixture.path("latin.ics"), "--encoding", "ISO-8859-15"], isPinned: false)
    #expect(latin.errors == "")
    #expect(fixture.titles(["show"]).contains("21 Café"))
  }

  @Test("refresh: rehearsal, strictness, shrinking, quiet, report")
  func refreshing() throws {
    try fixture.importAll()
    func run(_ options: String...) -> InMemoryRun {
      fixture.run(["refresh"] + options, isPinned: false)
    }
    #expect(run("--quiet").output == "")
    #expect(run("-f", "json").output.hasPrefix("{\"version\":1,"))
    #expect(run("-f", "json", "--quiet").output == "")
    let bad = OptionFixture.work.replacing("20261121T163000", with: "20261131T163000")
    try fixture.write("work.ics", bad)
    let failing = run("-f", "json", "--quiet", "--dry-run")
    #expect(failing.output.contains("work.ics") && !failing.output.contains("home.ics"))
    #expect(run("--strict").status == .failed)
    #expect(fixture.titles(["show"]).contains("21 Dentist"))
    try fixture.write("work.ics", OptionFixture.work.replacing("Running", with: "Walking"))
    #expect(run("--dry-run").output.contains("1 to update"))
    #expect(fixture.titles(["show"]).contains("21 Running"))
    #expect(run().output.contains("1 updated"))
    try fixture.write("work.ics", calendar())
    #expect(run().status == .failed)
    #expect(run("--allow-shrink").status == .done)
    #expect(fixture.titles(["show"]) == ["21 Cake"])
  }

  @Test("check: report, quiet, name, strictness, encoding")
  func checking() throws {
    let file = fixture.path("work.ics")
    #expect(fixture.run(["check", file, "-f", "json"]).output.hasPrefix("{\"version\":1,"))
    #expect(fixture.run(["check", file, "--quiet"]).output == "")
    #expect(fixture.run(["check", file, "--quiet", "-f", "json"]).output == "")
    let home = fixture.path("home.ics")
    let latin = ["check", home, fixture.path("latin.ics"), "--quiet", "-f", "json"]
    let problems = fixture.run(latin).output
    #expect(problems.contains("latin.ics") && !problems.contains("home.ics"))
    #expect(fixture.run(["check", file, "--calendar", "x"]).output.contains("calendar x"))
    #expect(fixture.run(["check", fixture.path("latin.ics")]).output.contains("warning"))
    #expect(
      !fixture.run(["check", fixture.path("latin.ics"), "--encoding", "Windows-1252"]).output
        .contains("warning"))
    try fixture.write(
      "work.ics", OptionFixture.work.replacing("20261121T083000", with: "20261131T083000"))
    #expect(fixture.run(["check", file]).output.contains("1 rejected"))
    #expect(fixture.run(["check", file, "--strict"]).output.contains("refused"))
  }

  @Test("--encoding, wherever sources are read")
  func encoding() {
    let latin = fixture.path("latin.ics")
    let without = fixture.run(["show", latin, "--days", "1"])
    #expect(without.errors.contains("Windows-1252"))
    let commands = [
      ["show", latin], ["today", latin], ["tomorrow", latin], ["week", latin], ["month", latin],
      ["next", latin], ["search", "kin", "--source", latin], ["event", "1.2", latin],
      ["explain", "1.2", latin], ["calendar", latin], ["free", latin], ["alarms", latin],
      ["tasks", latin], ["attachment", "1.4", latin],
    ]
    for command in commands {
      let run = fixture.run(command + ["--encoding", "ISO-8859-1"])
      #expect(run.status == .done, "\(command) \(run.errors)")
      #expect(run.errors == "", "\(command)")
      #expect(fixture.run(command + ["--encoding", "klingon"]).status == .wrongCommandLine)
    }
  }
}
