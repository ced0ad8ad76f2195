import Testing

@testable import AgendaCommands

@Suite("--template on the command line")
struct TemplateOptionTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func run(_ command: [String], _ template: String) -> InMemoryRun {
    fixture.run(command + ["--template", template])
  }

  @Test("one line is printed per entry, and --format is ignored")
  func lines() {
    let today = ["today", "--timed", "-f", "json"] + fixture.sources
    let found = run(today, "{start:%H:%M} {title}")
    #expect(found.status == .done)
    #expect(found.output == "08:30 Running\n16:00 Later\n16:30 Dentist\n20:00 Cake\n")
  }

  @Test(
    "two braces print one, and a closing brace alone prints itself",
    arguments: [
      ("{{title}}", "{title}"), ("{title}", "Dentist"), ("{title}}", "Dentist}"), ("}", "}"),
      ("}}", "}"),
      ("}}}", "}}"), ("{{{title}}}", "{Dentist}"), ("{{}}", "{}"), ("a{{b", "a{b"),
      ("{start:%H}}}", "16}"), ("{{{{", "{{"),
    ])
  func braces(template: String, text: String) {
    let found = run(["today", "--search", "dentist"] + fixture.sources, template)
    #expect(found.output == text + "\n")
  }

  @Test("next counts down")
  func next() {
    let next = ["next", "--timed", "--not-started"] + fixture.sources
    #expect(run(next, "{title} in {in}").output == "Later in 7 h\n")
    #expect(run(next + ["--locale", "de"], "{in} {start:%a}").output == "7 Std. Sa.\n")
  }

  @Test("nothing is printed if nothing is found")
  func nothing() {
    for command in [["today", "--search", "nobody"], ["search", "nobody"]] {
      let found = run(command + fixture.sources, "{title}")
      #expect(found.status == .done)
      #expect(found.output == "")
    }
  }

  @Test("an error in a template is a usage error with its place")
  func errors() {
    let unknown = run(["today"] + fixture.sources, "{start} {titel}")
    #expect(unknown.status == .wrongCommandLine)
    #expect(unknown.output.isEmpty)
    #expect(
      unknown.errors
        == "agenda: --template: column 10: unknown field \"titel\"; did you mean \"title\"?\n")
    let open = run(["today"] + fixture.sources, "{start")
    #expect(open.errors == "agenda: --template: column 1: missing \"}\"\n")
    let mail = run(["today", "--mail", "ana@example.com"] + fixture.sources, "{title}")
    #expect(mail.status == .wrongCommandLine)
    #expect(mail.errors.contains("--mail") && mail.errors.contains("--template"))
  }
}
