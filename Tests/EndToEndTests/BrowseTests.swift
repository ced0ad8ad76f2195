import Foundation
import TestSupport
import Testing

/// `agenda browse` on a pseudo-terminal, seen through a terminal emulator
/// (`Tests/Oracles/browse_screen.py`).
@Suite("browse")
struct BrowseTests {
  private let folder: ScratchFolder

  /// Saturday, 21 November 2026, 10:00.
  private static let pinned = ["--now", "2026-11-21T10:00:00+01:00", "--timezone", "Europe/Berlin"]

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      "team/a.ics",
      calendar([
        event(
          "a", "DTSTART;TZID=Europe/Berlin:20261121T120000",
          "DTEND;TZID=Europe/Berlin:20261121T130000", "SUMMARY:Lunch")
      ]))
    try folder.write(
      "team/b.ics",
      calendar([
        event(
          "b", "DTSTART;TZID=Europe/Berlin:20261122T093000", "DURATION:PT15M",
          "RRULE:FREQ=DAILY;COUNT=9", "SUMMARY:Stand-up", "X-OWN:kept")
      ]))
    try folder.write(
      "team/c.ics", calendar([event("c", "DTSTART;VALUE=DATE:20261123", "SUMMARY:東京 trip")]))
    try agenda("import", "team")
  }

  @discardableResult
  private func agenda(_ arguments: String...) throws -> AgendaRun {
    let run = try AgendaRun(
      process: arguments, environment: ["AGENDA_STORE": "agenda.sqlite"], in: folder.url)
    try #require(run.status == 0, "\(run.errors)")
    return run
  }

  /// Runs a check of the emulator, which prints what is wrong.
  private func check(
    _ name: String, _ options: [String] = BrowseTests.pinned, settings: [String: Any] = [:],
    environment: [String: String] = [:]
  ) throws {
    let script = Repository.oracles.appendingPathComponent("browse_screen.py").path
    let usual: [String: Any] = ["rounds": TestSettings.rounds, "seed": 1]
    let input = try JSONSerialization.data(withJSONObject: usual.merging(settings) { $1 })
    let python = try #require(Python.interpreter)
    let run = try ProgramRun(
      python, ["-B", script, name, AgendaRun.program.path, "browse"] + options, input: input,
      environment: AgendaRun.bareEnvironment.merging([
        "AGENDA_STORE": folder.url.appendingPathComponent("agenda.sqlite").path,
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.url.path,
      ]) { $1 }.merging(environment) { $1 }, in: folder.url)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.errors)")
  }

  @Test("however it ends, the terminal is given back", .requiresPythonPackages)
  func endings() throws { try check("endings") }

  @Test("every view at every size is what is drawn at once", .requiresPythonPackages)
  func sizes() throws { try check("sizes") }

  @Test("random keys, mouse, pastes, sizes and stops", .requiresPythonPackages)
  func randomKeys() throws {
    try check("random_keys", settings: ["seed": Int.random(in: 0..<1_000_000)])
  }

  @Test("the list has the entries of show", .requiresPythonPackages)
  func sameAsShow() throws {
    try check("same_as_show")
    let path = Repository.fixtures.appendingPathComponent("calendars/household.ics").path
    try check("same_as_show", Self.pinned + [path])
  }

  @Test("what another program adds appears, and waiting costs nothing", .requiresPythonPackages)
  func live() throws {
    let words = ["today", "19:00", "Pottery"] + Self.pinned
    try check("live", settings: ["words": words, "title": "Pottery"])
  }

  @Test("a key that was typed before a question was seen never answers it", .requiresPythonPackages)
  func bursts() throws {
    try check(
      "bursts",
      settings: [
        "folder": folder.url.path + "/team",
        "bursts": [
          [["xy"], 0], [["x", "a", "y", "o", "g", "a"], 0.02], [["xayoga"], 0], [["j+o"], 0],
          [["j>a"], 0],
          [["jxay"], 0], [["j-f"], 0],
        ],
      ])
  }

  @Test("a store that is cut ends the browser with a message", .requiresPythonPackages)
  func cutStore() throws {
    try check(
      "cut",
      settings: [
        "ends": [[""], ["", "-wal", "-shm"], ["-shm"]],
        "keys": [["j", "3", "l", "R"], ["a", "tomorrow 9:00 Yoga", "\r", "q"]],
      ])
  }

  @Test("u gives files their bytes back", .requiresPythonPackages)
  func undo() throws {
    // Each is a change of the entry that is selected at the start, or of the series after it.
    let changes: [[Any]] = [
      ["later", ["+"]], ["a day later", [">"]], ["remove", ["x", "y"]],
      ["edit", ["e", "Long ", "\u{13}"]], ["one of a series", ["j", "-", "o"]],
      ["this and following", ["j", "<", "f"]], ["the whole series", ["j", "x", "a", "y"]],
    ]
    for change in changes {
      try check(
        "undone", settings: ["folder": folder.url.path + "/team", "changes": [change]])
    }
  }

  @Test(
    "a photograph that was taken on its side is upright", .requiresPythonPackages,
    PictureTests.needsLibrary)
  func pictures() throws {
    // Of red and blue side by side, one is above the other.
    for (orientation, top, bottom) in [(UInt8(6), 0, 2), (8, 2, 0)] {
      let picture = PictureSample.line(PictureSample.jpeg(orientation: orientation))
      let path = try folder.write(
        "photo.ics",
        calendar([event("photo", "DTSTART:20261121T150000Z", "SUMMARY:Photo", picture)]))
      try check(
        "picture", Self.pinned + ["--color", "always", path],
        settings: ["top": top, "bottom": bottom], environment: ["COLORTERM": "truecolor"])
    }
  }

  @Test("titles from strangers reach the terminal as text only", .requiresPythonPackages)
  func hostileTitles() throws {
    let marks = String(repeating: "\u{301}", count: 10_000)
    let titles = [
      "\u{1b}[31mred\u{1b}]0;title\u{7}", "\u{9b}31m", "\u{202e}txt.exe", "a" + marks, "\u{feff}x",
      "nul\u{0}nul", "👩‍👩‍👧 ❤️ 1️⃣ 🇩🇪", "ישיבה اجتماع",
    ]
    let events = titles.enumerated().map {
      event(
        "\($0)", "DTSTART:20261121T1\($0)0000Z", "SUMMARY:\($1)", "LOCATION:\($1)",
        "DESCRIPTION:\($1)")
    }
    let path = try folder.write("hostile.ics", calendar(events))
    try check("hostile", Self.pinned + [path])
  }

  @Test("without a terminal it is a usage error")
  func noTerminal() throws {
    for options in [[], ["--linear"], ["-"]] {
      let run = try AgendaRun(process: ["browse"] + options, in: folder.url)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("needs a terminal"))
    }
  }

  @Test("keys come from the terminal if standard input is a calendar")
  func standardInput() throws {
    try folder.write(
      "in.ics", calendar([event("x", "DTSTART:20261121T150000Z", "SUMMARY:From a pipe")]))
    let run = try TerminalRun(
      "'\(AgendaRun.program.path)' browse \(Self.pinned.joined(separator: " ")) - < in.ics",
      keys: [("From a pipe", "q")], environment: ["TZ": "Europe/Berlin"], in: folder)
    #expect(run.status == 0)
    #expect(run.screen.contains("From a pipe"))
  }
}
