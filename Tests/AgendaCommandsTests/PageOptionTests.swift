import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

@Suite("Pages, mails and grids on the command line")
struct PageOptionTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private var today: [String] { ["today"] + fixture.sources }
  private var mail: [String] { today + ["--mail", "ana@example.com"] }
  private var grid: [String] { ["calendar"] + fixture.sources + ["--grid"] }

  @Test("-f html writes one page")
  func page() {
    let run = fixture.run(["show"] + fixture.sources + ["-f", "html", "--locale", "de"])
    #expect(run.status == .done)
    #expect(run.output.hasPrefix("<!DOCTYPE html>\n<html lang=\"de\" dir=\"ltr\">"))
    #expect(run.output.hasSuffix("</html>\n"))
    #expect(run.output.contains("<section id=\"2026-11-21\">"))
    #expect(run.output.contains("<h2>November 2026</h2>"))
    #expect(
      run.output
        == fixture.run(["show"] + fixture.sources + ["-f", "html", "--locale", "de"]).output)
    let nothing = today + ["--search", "nobody", "--if-any", "-f", "html"]
    #expect(fixture.run(nothing).output == "")
  }

  @Test("calendars without a colour have different ones in pages")
  func calendarColors() throws {
    // Both names mean the same colour.
    for name in ["work", "family"] {
      let text = OptionFixture.work.replacing("X-WR-CALNAME:Work", with: "X-WR-CALNAME:\(name)")
      try fixture.write("\(name).ics", text)
    }
    let sources = [fixture.path("work.ics"), fixture.path("family.ics")]
    let page = fixture.run(["show"] + sources + ["--days", "2", "-f", "html"]).output
    let colors = page.matches(of: /class="?key"? style="--own:(#[0-9a-f]{6})"/).map { $0.output.1 }
    #expect(colors.count == 2)
    #expect(Set(colors).count == 2)
  }

  @Test("--mail writes a message with a header")
  func message() {
    let run = fixture.run(mail + ["--mail", "bo@example.com"])
    #expect(run.status == .done)
    #expect(
      run.output.hasPrefix(
        """
        To: ana@example.com,
         bo@example.com
        Subject: Today: 5 entries, first at 08:30
        Date: Sat, 21 Nov 2026 09:00:00 +0100
        Message-ID: <
        """))
    #expect(fixture.run(mail + ["--subject", "Hello"]).output.contains("\nSubject: Hello\n"))
  }

  @Test("--if-any with --mail prints nothing on a day without entries")
  func emptyMessage() {
    let nothing = mail + ["--search", "nobody"]
    #expect(fixture.run(nothing).output.contains("Subject: Today: nothing that matches\n"))
    #expect(fixture.run(nothing + ["--if-any"]).output == "")
  }

  @Test("blanks around an address do not matter")
  func blanksAroundAddress() {
    let run = fixture.run(today + ["--mail", " ana@example.com\t"])
    #expect(run.status == .done)
    #expect(run.output == fixture.run(mail).output)
  }

  /// The fixture has no entry on this day.
  private static let emptyDay = ["--now", "2026-11-24T09:00:00+01:00", "--locale", "en_GB"]

  @Test(
    "no sentence claims that a day has no entries if options can leave them out",
    arguments: [
      ([], "no entries"), (["--not-started"], "nothing more"),
      (["--calendar", "Work"], "nothing that matches"),
      (["--not-calendar", "home"], "nothing that matches"),
      (["--not-declined", "bo@example.com"], "nothing that matches"),
      (["--search", "nobody"], "nothing that matches"),
      (["--where", "title = nobody"], "nothing that matches"),
      (["--timed"], "nothing that matches"),
      (["--calendar", "Work", "--not-started"], "nothing more that matches"),
    ])
  func omissions(_ options: [String], _ words: String) {
    let mail = fixture.run(self.mail + Self.emptyDay + options).output
    #expect(mail.contains("Subject: Today: \(words)\n"), "\(mail)")
    let isListed = options.isEmpty || !["--search", "--where", "--timed"].contains(options[0])
    let week = fixture.run(["week"] + fixture.sources + Self.emptyDay + options).output
    #expect(week.hasPrefix("Today: \(words)\n") == isListed, "\(week)")
    let day = fixture.run(today + Self.emptyDay + options).output
    #expect(
      day
        == (options.isEmpty
          ? "Nothing on Tuesday, 24 November 2026.\n"
          : "Tuesday, 24 November 2026: \(words)\n"))
    if !options.contains("--not-started") {
      let calendar = fixture.run(
        ["calendar"] + fixture.sources + Self.emptyDay + options, columns: 80
      ).output
      #expect(calendar.contains("  \(words)\n"), "\(calendar)")
    }
  }

  @Test("an invalid address and a subject without an address are usage errors")
  func wrongUsage() {
    for (options, message) in [
      (
        ["--mail", "ana"],
        "agenda: --mail: expected an address like ana@example.com or Ana <ana@example.com>, "
          + "got \"ana\"\n"
      ),
      (["--subject", "x"], "agenda: --subject can only be used with --mail ADDRESS\n"),
    ] {
      let run = fixture.run(today + options)
      #expect(run.status == .wrongCommandLine)
      #expect(run.output == "")
      #expect(run.errors == message)
    }
    let run = fixture.run(grid + ["week", "--months", "2"])
    #expect(run.status == .wrongCommandLine)
    #expect(run.errors == "agenda: --months and --grid week cannot be used together\n")
  }

  @Test("--grid shows a month, a week or a year as wide as the terminal")
  func grids() {
    let month = fixture.run(grid + ["month", "--color", "never"], columns: 120).output
    #expect(month.contains("November 2026"))
    #expect(month.contains("08:30 Run"))
    let week = fixture.run(grid + ["week"]).output
    #expect(week.contains("16 Nov 2026 – Sun, 22 Nov 2026"))
    let narrow = fixture.run(grid + ["week", "--locale", "ja", "--color", "never"], columns: 40)
    #expect(narrow.output.hasPrefix("第47週 · 11月15日(日) – 11月21日(土)\n"), "\(narrow.output)")
    #expect(week.contains("09:00 "))
    #expect(fixture.run(grid + ["week", "--locale", "en_US"]).output.contains("Nov 15"))
    let year = fixture.run(grid + ["year"]).output
    #expect(year.hasPrefix("2026 · "))
    for page in [month, week, year] { #expect(!page.contains("\u{1b}")) }
    let colored = fixture.run(grid + ["week", "--color", "always"]).output
    #expect(colored.contains("\u{1b}[38;5;"))
  }

  @Test("the dots of agenda calendar have the colours of their calendars")
  func dots() throws {
    try fixture.write(
      "red.ics",
      OptionFixture.home.replacing(
        "X-WR-CALNAME:Home", with: "X-WR-CALNAME:Home\r\nX-APPLE-CALENDAR-COLOR:#CC0000"))
    let arguments = ["calendar", fixture.path("red.ics"), "--color", "always"]
    let plain = fixture.run(["calendar", fixture.path("home.ics"), "--color", "always"]).output
    let output = fixture.run(arguments).output
    #expect(output.contains("m•\u{1b}[0m"))
    #expect(output != plain)
  }

  @Test("tasks without a date have a line of their own in the table of contents")
  func contentsWithoutDate() throws {
    try fixture.write(
      "todo.ics",
      calendar(
        component("VTODO", "a", ["DUE:20261124T100000Z", "SUMMARY:Rent"]),
        component("VTODO", "b", ["SUMMARY:Someday"])))
    let page = fixture.run(["show", fixture.path("todo.ics"), "--tasks", "--toc", "-f", "markdown"])
    #expect(
      page.output.hasPrefix(
        "- November 2026: [24](#tuesday-24-november-2026)\n- [No date](#no-date)\n\n## "),
      "\(page)")
  }
}
