import Foundation
import Testing

@testable import AgendaCommands

/// The options of commands that show one entry.
@Suite("options of event, explain and attachment")
struct EntryOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "event": ["format", "locale", "color"],
    "explain": ["format", "locale", "color"],
    "attachment": ["output"],
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("event and explain: format, language, colours")
  func entryPages() {
    for command in ["event", "explain"] {
      let page = [command, "1.4"] + fixture.sources
      #expect(fixture.run(page + ["-f", "json"]).output.hasPrefix("{\"version\":1,"))
      #expect(fixture.run(page + ["--locale", "de"]).output.contains("Samstag, 21. November 2026"))
      #expect(!fixture.run(page).output.contains("\u{1b}["))
      #expect(fixture.run(page + ["--color", "always"]).output.contains("\u{1b}["))
    }
  }

  @Test("attachment --output")
  func attachmentFile() throws {
    let run = fixture.run(
      ["attachment", "1.4"] + fixture.sources + ["--output", fixture.path("out")])
    #expect(run.status == .done)
    #expect(run.output == "")
    #expect(try String(contentsOfFile: fixture.path("out"), encoding: .utf8) == "hello")
  }
}
