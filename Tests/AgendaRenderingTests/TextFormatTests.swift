import AgendaCore
import CivilTime
import Foundation
import Recurrence
import Testing

@testable import AgendaRendering

@Suite("Text on a terminal")
struct TextFormatTests {
  private static func rendered(
    _ style: TextStyle, options: Agenda.Options = .init(), locale: String = "en_GB"
  ) throws -> String {
    let agenda = try RenderingSample.fortnight().agenda(options: options, locale: locale)
    let wording = DateWording(try LocaleData(locale))
    return text { TextFormat(wording, style: style).render(agenda, to: &$0) }
  }

  @Test("at 80 columns titles wrap under themselves, and long parts get their own line")
  func wide() throws {
    let style = TextStyle(width: 80, today: try RenderingSample.date("2026-11-23"))
    let page = try Self.rendered(style)
    #expect(
      page.hasPrefix(
        """
        Saturday, 21 November 2026
          all day      Trip to Rome (day 2 of 3) · Rome · home

        Sunday, 22 November 2026 · yesterday
          all day      Trip to Rome (day 3 of 3) · Rome · home

        Monday, 23 November 2026 · today
          all day      Bank holiday · home
          09:30–09:45  Stand-up · Room 2 · work

        Tuesday, 24 November 2026 · tomorrow
          22:15–06:40  Night train (day 1 of 2) · Platform 7 · home

        Wednesday, 25 November 2026
              …–06:40  Night train (day 2 of 2) · Platform 7 · home
          16:00–17:00  Call with New York about the budget of the coming year and
                       everything that hangs on it (tentative)
                       https://meet.example.com/a-very-long-room-name-that-nobody-can-re
                       ad-aloud · work
          17:00        Deadline · work

        Thursday, 26 November 2026
          all day      [ ] Pay the rent · home
          12:00        [x] Buy cake · home
          19:00–21:00  Choir (cancelled) · home

        Friday, 27 November 2026
          18:00–01:00  誕生日パーティー 🎂 with 家族 (day 1 of 2) · 東京カフェ · home

        """))
  }

  @Test("at 40 columns only the start is shown; place and calendar are kept")
  func narrow() throws {
    let page = try Self.rendered(TextStyle(width: 40))
    #expect(
      page.contains(
        """

        Tuesday, 24 November 2026
          22:15    Night train (day 1 of 2)
                   Platform 7 · home

        Wednesday, 25 November 2026
          –06:40   Night train (day 2 of 2)
                   Platform 7 · home
          16:00    Call with New York about the
                   budget of the coming year and
                   everything that hangs on it
                   (tentative)
                   https://meet.example.com/a-ve
                   ry-long-room-name-that-nobody
                   -can-read-aloud · work
          17:00    Deadline · work

        """))
  }

  @Test("on a narrow terminal titles move below the dates")
  func narrowWithDates() throws {
    let page = try Self.rendered(TextStyle(width: 40), options: .init(groupedBy: .week))
    #expect(
      page.contains(
        """
          Mon 23 Nov   09:30
            Stand-up · Room 2 · work
          Tue 24 Nov   22:15
            Night train (until Wed 25 Nov)

        """))
    #expect(!page.split(separator: "\n").contains { $0.hasSuffix(" ") })
  }

  @Test(
    "times of twelve hours are aligned, with dates before them if sections are not days")
  func twelveHours() throws {
    let page = try Self.rendered(
      TextStyle(), options: .init(groupedBy: .week), locale: "en_US")
    #expect(
      page.contains(
        """
          Mon, Nov 23   9:30 – 9:45 AM      Stand-up · Room 2 · work
          Tue, Nov 24  10:15 PM – 6:40 AM   Night train (until Wed, Nov 25) · Platform 7 · home

        """))
  }

  @Test("the end of an entry of more than 24 hours is shown only on the day when it ends")
  func longerThanDay() throws {
    var sample = try RenderingSample()
    try sample.add("Hackathon", "2026-11-21T08:00", to: "2026-11-22T15:00")
    try sample.add("Watch", "2026-11-21T09:00", to: "2026-11-22T09:00")
    try sample.add("Party", "2026-11-21T22:00", to: "2026-11-22T01:00")
    let agenda = try sample.agenda(days: 2)
    let wording = DateWording(try LocaleData("en_GB"))
    #expect(
      text { TextFormat(wording).render(agenda, to: &$0) } == """
        Saturday, 21 November 2026
          08:00–…      Hackathon (day 1 of 2) · home
          09:00–09:00  Watch (day 1 of 2) · home
          22:00–01:00  Party (day 1 of 2) · home

        Sunday, 22 November 2026
              …–15:00  Hackathon (day 2 of 2) · home
              …–09:00  Watch (day 2 of 2) · home
              …–01:00  Party (day 2 of 2) · home

        """)
    let markdown = text { MarkdownFormat(wording).render(agenda, to: &$0) }
    #expect(markdown.contains("**08:00–…** Hackathon"))
    #expect(markdown.contains("**22:00–01:00** Party"))
    let page = text { HTMLFormat(wording, details: sample.detailsSource()).render(agenda, to: &$0) }
    #expect(page.contains("<time datetime=\"2026-11-21T08:00:00+01:00\">08:00</time>–…"))
  }

  @Test("a time in another zone is shown on request, if its clocks differ")
  func zones() throws {
    let page = try Self.rendered(TextStyle(showsZones: true))
    #expect(page.contains("hangs on it (tentative, 10:00 America/New_York) · "))
    #expect(page.contains("Stand-up · Room 2"))
  }

  @Test("one line says that today has no entries, but not in a list that is cut")
  func emptyToday() throws {
    let today = try RenderingSample.date("2026-11-30")
    let page = try Self.rendered(TextStyle(today: today, listsEmptyToday: true))
    #expect(page.hasSuffix("\n\nToday: no entries\n"))
    let early = try RenderingSample().agenda(from: "2026-11-19")
    #expect(early.isEmpty)
    let sample = try RenderingSample.fortnight().agenda(from: "2026-11-17", days: 10)
    let wording = DateWording(try LocaleData("en_GB"))
    let style = TextStyle(
      today: try RenderingSample.date("2026-11-18"), listsEmptyToday: true)
    let first = text { TextFormat(wording, style: style).render(sample, to: &$0) }
    #expect(first.hasPrefix("Today: no entries\n\nFriday, 20"))
    let cut = try Self.rendered(
      TextStyle(today: today, listsEmptyToday: true), options: .init(limit: 3))
    #expect(!cut.contains("no entries"))
  }

  @Test("a window without entries has one line")
  func empty() throws {
    let sample = try RenderingSample()
    let wording = DateWording(try LocaleData("en_GB"))
    func line(_ days: Int) throws -> String {
      let agenda = try sample.agenda(days: days)
      return text { TextFormat(wording).render(agenda, to: &$0) }
    }
    #expect(try line(1) == "Nothing on Saturday, 21 November 2026.\n")
    #expect(
      try line(365)
        == "Nothing from Saturday, 21 November 2026 to Saturday, 20 November 2027.\n")
  }

  @Test("without colours text has no control sequences; with colours each ends on its line")
  func colors() throws {
    let plain = try Self.rendered(TextStyle(width: 50))
    #expect(!plain.contains("\u{1b}"))
    for depth in [ColorDepth.indexed, .full] {
      let colored = try Self.rendered(TextStyle(width: 50, color: depth))
      for line in colored.split(separator: "\n") {
        let starts = line.split(separator: "\u{1b}[", omittingEmptySubsequences: false).dropFirst()
        #expect(starts.count % 2 == 0)
        for (number, start) in starts.enumerated() where number % 2 == 1 {
          #expect(start.hasPrefix("0m"))
        }
      }
      // Take the sequences and the bars out, and it is the same text.
      var bare = ""
      var isSequence = false
      for scalar in colored.unicodeScalars {
        if scalar == "\u{1b}" { isSequence = true }
        if !isSequence { bare.unicodeScalars.append(scalar) }
        if isSequence, scalar == "m" { isSequence = false }
      }
      #expect(bare.replacing("▌", with: " ") == plain)
    }
  }

  @Test(
    "a calendar's colour can be read on black and on white",
    arguments: [
      "#FFFFFF", "#000000", "#ffff00ff", "#FF2968", "#1BADF8", "yellow", "MidnightBlue", "#0000ff",
      "#00ff00", "white", "black",
    ])
  func readableColors(color: String) throws {
    let color = try #require(TerminalColor(color))
    // WCAG 2.1: relative luminance of sRGB, and the contrast of two.
    func linear(_ channel: Int) -> Double {
      let share = Double(channel) / 255
      return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    let luminance =
      0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    #expect((luminance + 0.05) / 0.05 >= 2.5)
    #expect(1.05 / (luminance + 0.05) >= 2.5)
  }

  @Test(
    "invalid colours are ignored",
    arguments: ["", "#12345", "#gggggg", "reddish", "rgb(1,2,3)", "#+12345"])
  func noColors(color: String) {
    #expect(TerminalColor(color) == nil)
  }

  @Test("any line of a source is quoted with a mark under the invalid part")
  func quotedLines() {
    func quoted(_ line: String, _ place: Range<Int>?, width: Int? = nil) -> String {
      let excerpt = SourceExcerpt(line: 120, text: line, place: place)
      return text { QuotedLine(excerpt, width: width).render(to: &$0) }
    }
    #expect(
      quoted("DTSTART:20260230T090000", 8..<23) == """
           120 | DTSTART:20260230T090000
               |         ^^^^^^^^^^^^^^^

        """)
    #expect(
      quoted("SUMMARY:日本\u{1b}[31m", 14..<15) == """
           120 | SUMMARY:日本�[31m
               |             ^

        """)
    #expect(quoted("X", nil) == "   120 | X\n")
    #expect(quoted("", 0..<0) == "   120 | \n")
    #expect(quoted("X", 7..<9).hasPrefix("   120 | X\n"))
    let long = quoted(String(repeating: "a", count: 5000) + "b", 5000..<5001)
    #expect(long.split(separator: "\n").allSatisfy { $0.count < 120 })
    #expect(long.contains("…") && long.contains("b\n"))
    // In a terminal no line wraps, and the mark stays under what it means.
    let line = "EXDATE:20261124T090000,20261125T090000,20261199T090000,20261126T090000"
    for width in [30, 40, 60, 80, 100] {
      let lines = quoted(line, 39..<54, width: width).split(separator: "\n").map(Array.init)
      #expect(lines.count == 2)
      #expect(lines.allSatisfy { $0.count <= width })
      let marked = lines[1].indices.filter { lines[1][$0] == "^" }.map { lines[0][$0] }
      #expect(String(marked) == "20261199T090000")
    }
    // Letters of two columns before the place and in it.
    let wide = String(repeating: "会議", count: 30) + ":日付" + String(repeating: "x", count: 50)
    let narrow = quoted(wide, 181..<187, width: 40).split(separator: "\n").map(String.init)
    #expect(narrow.allSatisfy { DisplayWidth.of($0) <= 40 })
    let shown = narrow.first?.range(of: "日付").flatMap { range in
      narrow.first.map { DisplayWidth.of(String($0[..<range.lowerBound])) }
    }
    #expect(shown == narrow.last.map { $0.prefix { $0 != "^" }.count })
    #expect(narrow.last?.filter { $0 == "^" }.count == 4)
  }

  @Test("Markdown has a blank line before each heading but the first")
  func markdownHeadings() throws {
    let agenda = try RenderingSample.fortnight().agenda(days: 10)
    let format = MarkdownFormat(DateWording(try LocaleData("en_GB")))
    let lines = text { format.render(agenda, to: &$0) }
      .split(separator: "\n", omittingEmptySubsequences: false)
    let headings = lines.indices.filter { lines[$0].hasPrefix("#") }
    try #require(headings.count > 2)
    for heading in headings where heading > 0 { #expect(lines[heading - 1].isEmpty) }
  }
}
