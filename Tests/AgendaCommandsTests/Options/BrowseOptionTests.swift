import TestSupport
import Testing

@testable import AgendaCommands

/// The options of the browser, tried in its linear form, which needs no screen.
@Suite("options of browse")
struct BrowseOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "browse": [
      "view", "linear", "key", "from", "to", "days", "weeks", "months", "years", "calendar",
      "not-calendar", "search", "where", "timed",
      "all-day", "not-started", "not-declined", "include-cancelled", "tasks", "journal", "also",
      "locale", "color", "encoding",
    ]
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func lines(_ options: [String], typing typed: String...) -> [String] {
    let run = fixture.run(
      ["browse", "--linear", "--color", "never"] + options, columns: 200, typedLines: typed)
    #expect(run.status == .done, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  /// The titles that a listing has, in its order.
  private func titles(_ options: [String]) -> [String] {
    fixture.rows(["show", "--days", "1"] + fixture.sources + options).compactMap { $0["title"] }
  }

  @Test(
    "a day has the entries of show with the same options",
    arguments: [
      [], ["--calendar", "home"], ["--not-calendar", "home"], ["--search", "running"],
      ["--where", "location ~ \"a\""], ["--timed"], ["--all-day"], ["--not-started"],
      ["--not-declined", "me@example.com"], ["--include-cancelled"], ["--tasks"], ["--journal"],
      ["--from", "tomorrow"],
    ])
  func selection(options: [String]) {
    let shown = titles(options)
    let listed = lines(fixture.sources + options).dropFirst().prefix { !$0.hasPrefix("keys:") }
    // Those without a date are after all days.
    for title in shown where !title.isEmpty {
      let isUndated = options == ["--tasks"] || options == ["--journal"]
      #expect(listed.contains { $0.contains(title) } || isUndated, "\(options): \(title)")
    }
    if options != ["--tasks"], options != ["--journal"], !shown.isEmpty {
      #expect(listed.count == shown.count, "\(options): \(listed) instead of \(shown)")
    }
  }

  @Test("view, key, also, locale and color")
  func presentation() {
    #expect(lines(fixture.sources + ["--view", "year"]).count >= 12)
    #expect(lines(fixture.sources + ["--view", "week"])[0].hasPrefix("Thursday, 19 November"))
    let quit = lines(fixture.sources + ["--key", "quit = Z, F9"], typing: "Z", "?")
    #expect(!quit.contains { $0.contains("Z F9") })
    #expect(
      lines(fixture.sources + ["--key", "quit = Z"], typing: "?").contains {
        $0.hasPrefix("q Ctrl-C Z")
      })
    #expect(
      lines(fixture.sources + ["--also", "America/New_York"]).contains { $0.contains("New York") })
    #expect(lines(fixture.sources + ["--locale", "de"])[0] == "Samstag, 21. November 2026 · heute")
    let colored = fixture.run(
      ["browse", "--linear", "--color", "always"] + fixture.sources, columns: 80, typedLines: [])
    #expect(colored.output.hasPrefix("\u{1b}[1mSaturday"))
  }

  @Test("mistakes are usage errors that say what is expected")
  func mistakes() {
    func error(_ options: String..., columns: Int? = 80) -> String {
      let run = fixture.run(["browse"] + options, columns: columns, typedLines: [])
      #expect(run.status == .wrongCommandLine)
      return run.errors
    }
    #expect(error("--linear", "--key", "dance = d").contains("unknown action \"dance\""))
    #expect(error("--linear", "--key", "done = Hyper").contains("unknown key \"Hyper\""))
    #expect(error("--linear", "--key", "done").contains("expected an action and its keys"))
    #expect(error("--view", "decade").contains("--view"))
    #expect(error(columns: nil).contains("needs a terminal"))
    #expect(error("--linear", columns: nil).contains("needs a terminal"))
  }

  @Test("a window limits the days that have entries")
  func window() {
    for (options, hasMore) in [
      (["--days", "1"], false), (["--to", "today"], false), (["--weeks", "1"], true),
      (["--months", "1"], true), (["--years", "1"], true), ([], true),
    ] {
      let output = lines(fixture.sources + options, typing: "End", "j")
      #expect(output.contains { $0.hasSuffix("nothing later") } != hasMore, "\(options): \(output)")
    }
  }

  @Test("a store that has nothing opens, and says what to do")
  func emptyStore() {
    let output = lines(["--store", fixture.path("nowhere.sqlite")], typing: "a", "9:00 First", "q")
    #expect(output.contains { $0.hasPrefix("no calendars imported yet") })
    #expect(output.contains { $0.contains("added") && $0.contains("First") })
    #expect(lines(["--store", fixture.path("nowhere.sqlite")]).contains { $0.contains("First") })
  }

  @Test("keys change the store as the commands do")
  func changes() throws {
    try fixture.importAll()
    func titles() -> [String] {
      fixture.rows(["show", "--days", "3"]).compactMap { $0["title"] }
    }
    let before = titles()
    var output = lines([], typing: "a", "22:00 Star gazing", "a", "Pancakes", "q")
    #expect(output.contains { $0.contains("added") && $0.contains("Star gazing") })
    #expect(Set(titles()).subtracting(before) == ["Star gazing", "Pancakes"], "\(output)")
    output = lines([], typing: "/", "gazing", "x", "n", "x", "y", "q")
    #expect(output.contains { $0.contains("Remove? y") && $0.contains("Star gazing") })
    #expect(
      output.contains { $0 == "> nothing was changed" || $0.hasSuffix("nothing was changed") })
    #expect(output.contains { $0.contains("removed Star gazing") })
    #expect(Set(titles()).subtracting(before) == ["Pancakes"])
    output = lines([], typing: "u", "u", "u", "q")
    #expect(output.filter { $0.contains("undid: ") }.count == 3)
    #expect(titles() == before)
  }
}
