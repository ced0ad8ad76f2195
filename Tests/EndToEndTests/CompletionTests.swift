import Foundation
import TestSupport
import Testing

/// The scripts of the built program in real shells, with a store to ask.
@Suite("completions of agenda", .requires("bash", "zsh", "fish"))
struct AgendaCompletionTests {
  private static let cases: [(line: String, offered: [String], not: [String])] = [
    ("agenda ca", ["calendar", "calendars"], ["show"]),
    ("agenda show --calendar ", ["My Home", "Work"], ["show", "My"]),
    ("agenda refresh ", ["My Home", "Work"], ["--quiet"]),
    ("agenda remove W", ["Work"], ["My Home"]),
    ("agenda today --timezone Europe/Be", ["Europe/Berlin", "Europe/Belgrade"], ["Europe/Paris"]),
    ("agenda show -f ", ["text", "markdown", "html", "json", "jsonl", "tsv"], ["day"]),
    ("agenda --format j", ["json", "jsonl"], ["text"]),
    ("agenda calendars -f ", ["text", "json", "tsv"], ["markdown", "jsonl"]),
    ("agenda show --group-by ", ["day", "week", "calendar", "initial", "none"], ["json"]),
    ("agenda show --group-by c", ["calendar", "category"], ["day"]),
    ("agenda show --color ", ["auto", "always", "never"], ["json"]),
    ("agenda import wo", ["work.ics"], ["Work"]),
    ("agenda show --not", ["--not-started", "--not-declined"], ["--now"]),
    ("agenda add --re", ["--repeat"], ["--refresh"]),
    ("agenda completions ", ["bash", "zsh", "fish"], ["show"]),
    ("agenda help ", ["changes", "show"], ["work.ics", "--man"]),
    ("agenda show --also Europe/Be", ["Europe/Berlin", "Europe/Belgrade"], ["Europe/Paris"]),
    ("agenda tasks -f ", ["text", "markdown", "json", "jsonl", "tsv"], ["html"]),
  ]

  @Test("each shell knows calendars, zones, formats and keys", arguments: CompletingShell.allCases)
  func offers(shell: CompletingShell) throws {
    let folder = try ScratchFolder()
    let store = folder.url.appendingPathComponent("agenda.sqlite").path
    let home = ShowCommandTests.calendar.replacing("CALNAME:Work", with: "CALNAME:My Home")
    // What a calendar calls itself is data, to a shell too.
    let hostile = ShowCommandTests.calendar.replacing(
      "CALNAME:Work", with: "CALNAME:Zoo $(touch made) `touch made`")
    for (name, text) in [
      ("work.ics", ShowCommandTests.calendar), ("home.ics", home), ("zoo.ics", hostile),
    ] {
      let run = try AgendaRun(
        ["import", try folder.write(name, text)], environment: ["AGENDA_STORE": store])
      #expect(run.status == 0)
    }
    let script = try AgendaRun(["completions", shell.rawValue]).output
    let environment = [
      "PATH": "\(AgendaRun.program.deletingLastPathComponent().path):/usr/bin:/bin",
      "HOME": folder.url.path, "LC_ALL": "C.UTF-8", "TERM": "dumb", "AGENDA_STORE": store,
    ]
    let answers = try shell.words(
      for: Self.cases.map(\.line), of: "agenda", script: script, in: folder.url,
      environment: environment)
    for (item, words) in zip(Self.cases, answers) {
      for word in item.offered { #expect(words.contains(word), "\(item.line)| \(words.sorted())") }
      for word in item.not { #expect(!words.contains(word), "\(item.line)| \(words.sorted())") }
    }
    let made = folder.url.appendingPathComponent("made").path
    #expect(!FileManager.default.fileExists(atPath: made))
  }

  private static let fetchCases: [(line: String, offered: [String], not: [String])] = [
    ("agenda-fetch --ma", ["--man", "--max-size", "--max-redirects"], ["--any", "--help"]),
    ("agenda-fetch --completions ", ["bash", "zsh", "fish"], ["work.ics"]),
    ("agenda-fetch --url-from wo", ["work.ics"], ["--man"]),
    ("agenda-fetch https://example.com/a wo", ["work.ics"], ["--man"]),
    ("agenda-fetch --timeout 5 --", ["--any", "--help", "--url-from"], ["work.ics"]),
  ]

  @Test("each shell knows the options of agenda-fetch", arguments: CompletingShell.allCases)
  func fetchOffers(shell: CompletingShell) throws {
    let folder = try ScratchFolder()
    try folder.write("work.ics", "")
    let run = try AgendaRun(program: "agenda-fetch", ["--completions", shell.rawValue])
    run.expect(0)
    let environment = [
      "PATH": "\(AgendaRun.program.deletingLastPathComponent().path):/usr/bin:/bin",
      "HOME": folder.url.path, "LC_ALL": "C.UTF-8", "TERM": "dumb",
    ]
    let answers = try shell.words(
      for: Self.fetchCases.map(\.line), of: "agenda-fetch", script: run.output, in: folder.url,
      environment: environment)
    for (item, words) in zip(Self.fetchCases, answers) {
      for word in item.offered { #expect(words.contains(word), "\(item.line)| \(words.sorted())") }
      for word in item.not { #expect(!words.contains(word), "\(item.line)| \(words.sorted())") }
    }
  }
}
