import Testing

@testable import AgendaCommands

/// The options of the month and the grids.
@Suite("options of calendar")
struct CalendarOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "calendar": [
      "from", "months", "grid", "format", "locale", "color", "calendar", "not-calendar", "timed",
      "all-day",
      "where", "search", "not-started", "not-declined", "include-cancelled", "tasks", "journal",
    ]
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("calendar: each selection decides which days are marked")
  func gridSelection() {
    func marks(_ options: [String]) -> Bool {
      fixture.run(["calendar", "--search", "kin"] + fixture.sources + options).output
        .contains("22•")
    }
    let lone = ["--calendar", "work", "--search"]
    #expect(!marks(lone + ["off"]))
    #expect(marks(lone + ["off", "--include-cancelled"]))
    #expect(!marks(lone + ["plants"]))
    #expect(marks(lone + ["plants", "--tasks"]))
    #expect(!marks(lone + ["diary"]))
    #expect(marks(lone + ["diary", "--journal"]))
    #expect(marks(lone + ["not"]))
    #expect(!marks(lone + ["not", "--not-declined", "me@example.com"]))
    #expect(!marks(["--calendar", "home", "--search", "not"]))
    #expect(!marks(lone + ["not", "--not-started", "--now", "2026-11-22T12:01:00+01:00"]))
    let grid = ["calendar"] + fixture.sources
    #expect(fixture.run(grid).output.contains("[21•]"))
    #expect(fixture.run(grid + ["--from", "2026-11-26"]).output.contains("[26•]"))
    // Today is marked too, also where nothing is listed.
    #expect(fixture.run(grid + ["--from", "2026-11-26"]).output.contains("(21•)"))
    let empty = grid + ["--search", "never"]
    #expect(fixture.run(empty).output.contains("Saturday, 21 November 2026 · today"))
    #expect(fixture.run(empty + ["--from", "2026-11-26"]).output.contains("(21)"))
    #expect(fixture.run(grid + ["--months", "2"]).output.contains("December 2026"))
    #expect(fixture.run(grid + ["--locale", "de"]).output.contains("Samstag, 21. November"))
    #expect(!fixture.run(grid).output.contains("\u{1b}["))
    #expect(fixture.run(grid + ["--color", "always"]).output.contains("\u{1b}[7m21\u{1b}[0m"))
  }

  @Test("calendar --grid month -f html is a page of months and nothing else")
  func monthPage() {
    let grid = ["calendar"] + fixture.sources + ["--grid", "month"]
    let page = fixture.run(grid + ["-f", "html"]).output
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("@page{size:landscape") && page.contains("<h2>November 2026</h2>"))
    #expect(page.contains("Dentist") && page.components(separatedBy: "<table").count == 2)
    for part in ["<header", "<nav", "<section", "href=", "<script"] {
      #expect(!page.contains(part), "\(part)")
    }
    // Five entries of a day, and the number of the others.
    #expect(!page.contains("class=\"more\""))
    let two = fixture.run(grid + ["-f", "html", "--months", "2"]).output
    #expect(two.components(separatedBy: "<table").count == 3)
    #expect(fixture.run(grid + ["-f", "html"], columns: 80).output == page)
    for wrong in [
      ["--grid", "week", "-f", "html"], ["-f", "html"], ["--grid", "month", "-f", "json"],
    ] {
      #expect(fixture.run(["calendar"] + fixture.sources + wrong).status == .wrongCommandLine)
    }
  }
}
