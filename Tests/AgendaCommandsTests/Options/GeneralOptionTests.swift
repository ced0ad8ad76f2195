import Foundation
import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

/// The options that every command has, help, and the ways to write an option.
@Suite("options of all commands")
struct GeneralOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "help": ["man", "into"]
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("--now and --timezone are understood by every command that looks at the time")
  func everywhere() throws {
    try fixture.importAll()
    let pins = ["--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin"]
    for command in AgendaCommand.all.map(\.declaration)
    where command.option(named: "now") != nil {
      let run = fixture.run(
        [command.name, "--now", "noon"] + Self.operands(of: command), isPinned: false)
      #expect(run.status == .wrongCommandLine, "\(command.name)")
      #expect(
        run.errors.hasPrefix("agenda: --now: expected a time such as 2026"), "\(run.errors)")
      if command.option(named: "timezone") != nil {
        let zone = fixture.run(
          [command.name] + pins + ["--timezone", "Nowhere"] + Self.operands(of: command),
          isPinned: false)
        #expect(zone.status == .wrongCommandLine, "\(command.name)")
        #expect(zone.errors.hasPrefix("agenda: --timezone: "), "\(zone.errors)")
      }
    }
  }

  /// Enough for the command to begin.
  private static func operands(of command: Command) -> [String] {
    let required = command.operands.filter { !$0.isOptional }.map { operand in
      operand.value.name == "REF" ? "1.1" : "x"
    }
    return required + (command.name == "add" ? ["--at", "today"] : [])
      + (["remove", "import"].contains(command.name) ? ["x"] : [])
  }

  @Test("help: as a manual page, and all of them into a folder")
  func help() throws {
    #expect(fixture.run(["help", "--man"], isPinned: false).output.hasPrefix(".Dd "))
    let folder = fixture.path("share/man/man1")
    let run = fixture.run(["help", "--into", folder], isPinned: false)
    #expect(run.status == .done)
    #expect(run.output == "")
    for command in AgendaCommand.all.map(\.declaration.name) {
      #expect(
        try String(contentsOfFile: "\(folder)/agenda-\(command).1", encoding: .utf8)
          == fixture.run(["help", "--man", command], isPinned: false).output)
    }
    try fixture.write("file", "")
    let failed = fixture.run(["help", "--into", fixture.path("file/man1")], isPinned: false)
    #expect(failed.status == .failed)
    #expect(failed.errors == "agenda: \(fixture.path("file/man1")): Not a directory\n")
    for command in AgendaCommand.all.map(\.declaration.name) {
      let run = fixture.run([command, "--version"], isPinned: false)
      #expect(run.output == fixture.run(["--version"], isPinned: false).output)
    }
  }

  @Test("options can be attached, combined, and before or after the command")
  func spellings() {
    let sources = fixture.sources
    let plain = fixture.run(["show"] + sources + ["--format", "json", "--days", "3"])
    #expect(plain.status == .done)
    for line in [
      ["show", "--format=json", "--days=3"] + sources,
      ["show", "-f", "json", "--days", "3"] + sources,
      ["show", sources[0], "--days", "3", sources[1], "-fjson"],
      ["show", "--days", "3", "-f", "json", "--"] + sources,
      ["show", "-f", "text", "--days", "3", "-f", "json"] + sources,
    ] { #expect(fixture.run(line).output == plain.output, "\(line)") }
    let shortened = fixture.run(["show", "--not"] + sources)
    #expect(shortened.status == .wrongCommandLine)
    #expect(shortened.errors == "agenda: unknown option --not; did you mean --now?\n")
    #expect(
      fixture.run(["today", "--to", "2026-12-01"]).errors
        == "agenda: agenda today does not have the option --to; agenda show has it\n")
    #expect(
      fixture.run(["show", "--once", "--no-once"] + sources).output
        == fixture.run(["show"] + sources).output)
    #expect(
      fixture.run(["show", "-days"]).errors
        == "agenda: unknown option -days; did you mean --days?\n")
    for (typed, meant) in [("-V", "--version"), ("-d", "--days"), ("version", "--version")] {
      let run = fixture.run([typed], isPinned: false)
      #expect(run.status == .wrongCommandLine)
      #expect(run.errors.hasSuffix("; did you mean \(meant)?\n"), "\(run.errors)")
    }
    #expect(
      fixture.run(["show", "-c"]).errors
        == "agenda: unknown option -c; agenda show --help lists all options\n")
    #expect(
      fixture.run(["show", "--once=yes"]).errors
        == "agenda: --once: this option does not take a value\n")
    #expect(
      fixture.run(["show", "--days"]).errors == "agenda: --days: missing value; write --days N\n")
    #expect(fixture.run(["show", "--", "--days"]).errors.contains("\"--days\" is neither a file"))
  }
}
