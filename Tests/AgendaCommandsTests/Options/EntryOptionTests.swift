import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// The options of commands that show one entry.
@Suite("options of event, explain and attachment")
struct EntryOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "event": ["format", "locale", "color"],
    "explain": ["format", "locale", "color"],
    "attachment": ["output", "locale"],
    "open": ["locale"],
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

  @Test(
    "the list of entries with the same words is in the language of the viewer",
    arguments: [["attachment"], ["open"], ["remove"], ["edit", "--title", "x"], ["event"]])
  func choices(command: [String]) throws {
    try fixture.write(
      "two.ics",
      calendar(
        event("p-1", "DTSTART:20261124T100000Z", "SUMMARY:Party one"),
        event("p-2", "DTSTART:20261124T110000Z", "SUMMARY:Party two")))
    fixture.run(["import", fixture.path("two.ics")], isPinned: false)
    let run = fixture.run(command.prefix(1) + ["party", "--locale", "de"] + command.dropFirst())
    #expect(run.status == .wrongCommandLine)
    #expect(run.errors.contains(" Dienstag, 24. November 2026, 11:00 Party one"), "\(run)")
  }

  @Test(
    "event -f json has the index path of the listing with the same options, or null",
    arguments: [
      [], ["--calendar", "Work"], ["--group-by", "month"], ["--from", "2026-11-21", "--days", "1"],
    ])
  func indexPaths(options: [String]) throws {
    try fixture.importAll()
    let rows = fixture.rows(["show"] + options)
    for (words, title) in [("cake", "Cake"), ("dentist", "Dentist"), ("called off", "Called off")] {
      let path = rows.first { $0["title"] == title }?["indexPath"]
      let found = fixture.run(["event", words, "-f", "json"] + options)
      let expected = "\"indexPath\":" + (path.map { "\"\($0)\"" } ?? "null") + ","
      guard found.status == .done else {
        #expect(path == nil, "\(found)")
        continue
      }
      #expect(found.output.contains(expected), "\(words) \(options): \(found.output.prefix(60))")
      let id = rows.first { $0["title"] == title }?["id"] ?? ""
      if path != nil {
        #expect(fixture.run(["event", id, "-f", "json"] + options).output == found.output)
      }
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
