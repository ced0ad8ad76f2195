import AgendaCore
import CivilTime
import Foundation
import Recurrence
import TestSupport
import Testing

@testable import AgendaRendering

@Suite("Grids of a terminal")
struct GridTests {
  /// Titles of one column, no two alike, so that each entry can be found in the grid.
  private static let letters = (0x100...0x17f).compactMap(Unicode.Scalar.init).map(Character.init)

  /// A week with entries that begin and end anywhere.
  private struct RandomWeek {
    let zone: Zone
    let firstDay: CivilDate
    var occurrences: [Occurrence] = []
    let columns: Int

    init(using generator: inout SeededGenerator) throws {
      let places: [(zone: String, firstDay: String)] = [
        ("Europe/Berlin", "2026-11-23"), ("Europe/Berlin", "2026-10-19"),
        ("Europe/Berlin", "2026-03-23"), ("America/New_York", "2026-10-26"),
        ("Australia/Lord_Howe", "2026-03-30"), ("Africa/Cairo", "2026-04-20"),
        ("Asia/Kathmandu", "2026-11-22"), ("America/Havana", "2026-10-26"),
      ]
      let place = try #require(places.randomElement(using: &generator))
      zone = try #require(RenderingSample.database.zone(named: place.zone))
      firstDay = try RenderingSample.date(place.firstDay)
      columns = Int.random(in: 40...200, using: &generator)
      let start = zone.startOfDay(firstDay)
      let count = Int.random(in: 0...60, using: &generator)
      for number in 0..<count {
        let isAllDay = Int.random(in: 0..<6, using: &generator) == 0
        let event = Event(
          identity: EventIdentity(uid: "\(number)"), kind: .event, start: nil, extent: .unstated,
          title: String(GridTests.letters[number]), calendar: "home",
          reference: EventReference(source: 0, component: number))
        if isAllDay {
          let day = try #require(
            firstDay.adding(days: Int.random(in: -3...6, using: &generator)))
          let end = try #require(day.adding(days: Int.random(in: 1...4, using: &generator)))
          occurrences.append(
            Occurrence(
              event: event, start: .date(day), begin: zone.startOfDay(day),
              finish: zone.startOfDay(end), allDay: day..<end, recurrenceID: nil))
        } else {
          // Many on one day, so that they overlap.
          let day = [Int.random(in: 0..<7, using: &generator), 2].randomElement(using: &generator)
          let minutes = Int.random(in: 0..<1440, using: &generator)
          let length = [0, 10, 30, 60, 90, 300, 1500, 4000].randomElement(using: &generator) ?? 0
          let begin = start.adding(seconds: ((day ?? 0) * 1440 + minutes) * 60)
          occurrences.append(
            Occurrence(
              event: event, start: .utc(begin.utc), begin: begin,
              finish: begin.adding(seconds: length * 60), allDay: nil, recurrenceID: nil))
        }
      }
    }

    func agenda(days: Int = 7) throws -> Agenda {
      let window = try #require(
        DateWindow(firstDay: firstDay, length: .days(days), zone: zone))
      return Agenda(occurrences, in: window)
    }

    /// Whether an occurrence touches a day, by instants.
    func touches(_ occurrence: Occurrence, _ day: CivilDate) throws -> Bool {
      if let days = occurrence.allDay { return days.contains(day) }
      let start = zone.startOfDay(day)
      let end = zone.startOfDay(try #require(day.adding(days: 1)))
      if occurrence.begin == occurrence.finish {
        return occurrence.begin >= start && occurrence.begin < end
      }
      return occurrence.begin < end && occurrence.finish > start
    }
  }

  /// The numbers after plus signs.
  private static func counted(_ text: String) -> Int {
    text.matches(of: /\+([0-9]+)/).reduce(0) { $0 + (Int($1.1) ?? 0) }
  }

  /// Some columns of a line whose letters take one each.
  private static func part(_ line: String, _ columns: Range<Int>) -> String {
    String(line.dropFirst(columns.lowerBound).prefix(columns.count))
  }

  /// The week from 23 November 2026 with these entries, at a time on its first day.
  private static func week(
    _ sample: RenderingSample, hour: Int = 12, color: ColorDepth = .none
  ) throws -> [String] {
    let agenda = try sample.agenda(from: "2026-11-23", days: 7)
    let now = sample.zone.startOfDay(try RenderingSample.date("2026-11-23"))
      .adding(seconds: hour * 3600)
    let style = GridStyle(columns: 80, color: color, now: now)
    let page = text { WeekGrid(DateWording(.plain), style: style).render(agenda, to: &$0) }
    return page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("the hours of a night without entries are one line")
  func foldedNight() throws {
    var sample = try RenderingSample()
    try sample.add("Feed", "2026-11-24T01:30", to: "2026-11-24T02:15")
    try sample.add("Train", "2026-11-26T22:00", to: "2026-11-26T23:00")
    let lines = try Self.week(sample, hour: 20)
    let times = lines.map { String($0.prefix(5)) }.filter { $0.contains { $0 != " " } }
    #expect(
      times.dropFirst() == [
        "01:00", "02:00", "    ⋮", "08:00", "09:00", "10:00", "11:00", "12:00", "13:00", "14:00",
        "15:00", "16:00", "17:00", "    ⋮", "20:00", "    >", "21:00", "22:00", "* hom",
      ], "\(times)")
    // Without entries in the night there is nothing to fold.
    var day = try RenderingSample()
    try day.add("Talk", "2026-11-24T07:30", to: "2026-11-24T08:15")
    #expect(try !Self.week(day).joined().contains("⋮"))
  }

  @Test("a word that is wider than its column ends with an ellipsis")
  func cutWords() throws {
    var sample = try RenderingSample()
    try sample.add("Zahnarztbesuch bei Dr. Meier", "2026-11-24T09:00", to: "2026-11-24T12:00")
    try sample.add("東京カフェで会議", "2026-11-25T09:00", to: "2026-11-25T12:00")
    let page = try Self.week(sample).joined(separator: "\n")
    #expect(page.contains("*Zahnarz…") && page.contains("*bei Dr.") && page.contains("*Meier"))
    #expect(page.contains("*東京カフ") && page.contains("*ェで会議"))
  }

  @Test("tentative entries and those that leave their time free look different")
  func tentative() throws {
    var sample = try RenderingSample()
    try sample.add("Sure", "2026-11-24T09:00", to: "2026-11-24T10:00")
    try sample.add("Maybe", "2026-11-25T09:00", to: "2026-11-25T10:00", status: .tentative)
    try sample.add("Free", "2026-11-26T09:00", to: "2026-11-26T10:00", isTransparent: true)
    let plain = try Self.week(sample).joined(separator: "\n")
    #expect(plain.contains("*Sure") && plain.contains("*?Maybe") && plain.contains("*(Free)"))
    let colored = try Self.week(sample, color: .basic).joined(separator: "\n")
    #expect(colored.contains(/\e\[30;[0-9]+mSure/))
    #expect(colored.contains(/\e\[[0-9]+m┊Maybe/) && colored.contains(/\e\[2;[0-9]+m│Free/))
  }

  @Test("thousands of entries at the same time are counted", .timeLimit(.minutes(2)))
  func manyOverlaps() throws {
    // Compared one by one with all lanes, they would take far longer than the limit.
    let count = 40_000
    let day = try RenderingSample.date("2026-11-23")
    let begin = Zone.utc.startOfDay(day).adding(seconds: 9 * 3600)
    let occurrences = (0..<count).map { number in
      let event = Event(
        identity: EventIdentity(uid: "\(number)"), kind: .event, start: nil, extent: .unstated,
        title: "x", calendar: "home", reference: EventReference(source: 0, component: number))
      let start = begin.adding(seconds: number / 100)
      return Occurrence(
        event: event, start: .utc(start.utc), begin: start,
        finish: start.adding(seconds: 8 * 3600), allDay: nil, recurrenceID: nil)
    }
    let window = try #require(DateWindow(firstDay: day, length: .days(7), zone: .utc))
    let style = GridStyle(columns: 200, now: Instant(secondsSinceEpoch: 0))
    let page = text {
      WeekGrid(DateWording(.plain), style: style).render(Agenda(occurrences, in: window), to: &$0)
    }
    let lines = page.split(separator: "\n")
    let visible = try #require(lines.map { $0.count { $0 == "x" } }.max())
    #expect(visible > 5)
    #expect(Self.counted(page) == count - visible)
  }

  @Test("every entry of a week is visible or counted, overlaps are side by side")
  func weeks() throws {
    var generator = SeededGenerator(seed: 47)
    for _ in 0..<(40 * TestSettings.rounds) {
      let week = try RandomWeek(using: &generator)
      let agenda = try week.agenda()
      let style = GridStyle(
        columns: week.columns, now: Instant(secondsSinceEpoch: 0))
      let page = text { WeekGrid(DateWording(.plain), style: style).render(agenda, to: &$0) }
      let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= week.columns })
      // Days of which each is as wide as the others, with a blank between them.
      let width = (week.columns - 6 - 6) / 7
      func columns(_ day: Int) -> Range<Int> {
        (6 + day * (width + 1))..<(6 + day * (width + 1) + width)
      }
      let body = lines.dropFirst(3)
      // What is above the hours on a day, and goes on from there.
      var above: Set<Character> = []
      var firstColumn: [Character: (day: Int, line: Int, column: Int)] = [:]
      for day in 0..<7 {
        let date = try #require(week.firstDay.adding(days: day))
        let parts = body.map { Self.part($0, columns(day)) }
        let counted = parts.reduce(0) { $0 + Self.counted($1) }
        var expected: [Occurrence] = []
        for occurrence in week.occurrences where try week.touches(occurrence, date) {
          expected.append(occurrence)
        }
        var visible = 0
        for occurrence in expected {
          let letter = try #require(occurrence.event.title.first)
          if let line = parts.firstIndex(where: { $0.contains(letter) }) {
            let offset = parts[line].distance(
              from: parts[line].startIndex, to: parts[line].firstIndex(of: letter) ?? "".startIndex)
            firstColumn[letter] = (day, line, offset)
            if coversDay(occurrence, date, week) { above.insert(letter) }
            visible += 1
          } else if above.contains(letter), coversDay(occurrence, date, week) {
            visible += 1
          }
        }
        #expect(visible + counted == expected.count, "\(page)")
        for (index, one) in expected.enumerated() where !coversDay(one, date, week) {
          for other in expected[..<index]
          where !coversDay(other, date, week) && one.begin < other.finish
            && other.begin < one.finish
          {
            guard let first = one.event.title.first.flatMap({ firstColumn[$0] }),
              let second = other.event.title.first.flatMap({ firstColumn[$0] }),
              first.day == day, second.day == day
            else { continue }
            #expect(first.column != second.column, "\(page)")
          }
        }
      }
    }
  }

  /// Whether an occurrence takes all of a day, so that it is above the hours.
  private func coversDay(_ occurrence: Occurrence, _ day: CivilDate, _ week: RandomWeek) -> Bool {
    if occurrence.allDay != nil { return true }
    guard let next = day.adding(days: 1) else { return false }
    let (start, end) = (week.zone.startOfDay(day), week.zone.startOfDay(next))
    return occurrence.begin < start && occurrence.finish > end
  }

  @Test("every entry of a month is visible in its day or counted there")
  func months() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<(20 * TestSettings.rounds) {
      let week = try RandomWeek(using: &generator)
      let first = try #require(week.firstDay.firstOfMonth)
      let days = CivilDate.daysInMonth(first.month, year: first.year)
      let window = try #require(DateWindow(firstDay: first, length: .days(days), zone: week.zone))
      let style = GridStyle(columns: week.columns, now: Instant(secondsSinceEpoch: 0))
      let page = text {
        MonthGrid(DateWording(.plain), style: style)
          .render(Agenda(week.occurrences, in: window), to: &$0)
      }
      let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= week.columns })
      let width = (week.columns - 9) / 7
      var left = 3 + first.weekday.days(after: .monday) * (width + 1)
      var top = 2
      for number in 1...days {
        let date = try #require(CivilDate(year: first.year, month: first.month, day: number))
        if date.weekday == .monday, number > 1 {
          left = 3
          top += 1
          while !lines[top].contains("─") { top += 1 }
        }
        #expect(Self.part(lines[top], left..<(left + width)).hasPrefix("\(number)"))
        let below = lines[(top + 1)...].prefix { !$0.contains("─") && !$0.hasPrefix("* ") }
        let cell = below.map { Self.part($0, left..<(left + width)) }
        let expected = try week.occurrences.filter { try week.touches($0, date) }
        let visible = expected.count { occurrence in
          cell.contains { $0.contains(occurrence.event.title) }
        }
        #expect(visible + cell.reduce(0) { $0 + Self.counted($1) } == expected.count, "\(page)")
        left += width + 1
      }
    }
  }

  @Test("the year shows each day's busy hours")
  func years() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<(5 * TestSettings.rounds) {
      let week = try RandomWeek(using: &generator)
      let first = try #require(CivilDate(year: week.firstDay.year, month: 1, day: 1))
      let window = try #require(DateWindow(firstDay: first, length: .years(1), zone: week.zone))
      let style = GridStyle(columns: 40, now: Instant(secondsSinceEpoch: 0))
      let page = text {
        YearGrid(DateWording(.plain), style: style)
          .render(Agenda(week.occurrences, in: window), to: &$0)
      }
      let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= 40 })
      for day in -3..<14 {
        let date = try #require(week.firstDay.adding(days: day))
        // Minute by minute.
        let start = week.zone.startOfDay(date)
        let end = week.zone.startOfDay(try #require(date.adding(days: 1)))
        let length = (end.secondsSinceEpoch - start.secondsSinceEpoch) / 60
        var isBusy = Array(repeating: false, count: length)
        for occurrence in week.occurrences where occurrence.allDay == nil {
          let from = (occurrence.begin.secondsSinceEpoch - start.secondsSinceEpoch) / 60
          let to = (occurrence.finish.secondsSinceEpoch - start.secondsSinceEpoch) / 60
          for minute in (from..<to).clamped(to: 0..<length) { isBusy[minute] = true }
        }
        let minutes = isBusy.count { $0 }
        let hours = minutes == 0 ? 0 : max(1, (minutes + 30) / 60)
        let touched = try week.occurrences.contains { try week.touches($0, date) }
        let monday = first.weekday.days(after: .monday)
        let row = (date.dayOfYear - 1 + monday) / 7
        let column = 8 + date.weekday.days(after: .monday) * 3
        let cell = Self.part(lines[2 + row], column..<(column + 3))
          .trimmingCharacters(in: .whitespaces)
        #expect(cell == (hours > 0 ? "\(hours)" : touched ? "·" : ""), "\(date)\n\(page)")
      }
    }
  }

  @Test("wide letters, colours and locales keep the columns", arguments: [40, 80, 120, 200])
  func widths(columns: Int) throws {
    let sample = try RenderingSample.fortnight()
    for locale in ["en_US", "ja", "ar", "de", "zh_Hant", "C"] {
      let agenda = try sample.agenda(from: "2026-11-22", days: 7, locale: locale)
      let wording = DateWording(try LocaleData(locale))
      for depth in [ColorDepth.none, .basic, .indexed, .full] {
        let now = try #require(Instant(rfc3339: "2026-11-25T10:20:00+01:00"))
        let style = GridStyle(columns: columns, color: depth, now: now)
        for page in [
          text { WeekGrid(wording, style: style).render(agenda, to: &$0) },
          text { MonthGrid(wording, style: style).render(agenda, to: &$0) },
          text { YearGrid(wording, style: style).render(agenda, to: &$0) },
        ] {
          #expect(page.contains("\u{1b}") == (depth != .none))
          let plain = page.replacing(/\u{1b}\[[0-9;]*m/, with: "")
          for line in plain.split(separator: "\n") {
            #expect(DisplayWidth.of(String(line)) <= columns)
          }
        }
      }
    }
  }

  @Test("a day of 25 hours has the repeated hour twice, and one of 23 hours lacks one")
  func clockChanges() throws {
    func lines(_ start: String, _ entries: [(String, String)]) throws -> [String] {
      let zone = try #require(RenderingSample.database.zone(named: "Europe/Berlin"))
      let window = try #require(
        DateWindow(firstDay: RenderingSample.date(start), length: .weeks(1), zone: zone))
      let occurrences = try entries.enumerated().map { number, times in
        let event = Event(
          identity: EventIdentity(uid: "\(number)"), kind: .event, start: nil, extent: .unstated,
          title: ["a", "b"][number], calendar: "home",
          reference: EventReference(source: 0, component: number))
        let begin = try #require(Instant(rfc3339: times.0))
        return Occurrence(
          event: event, start: .utc(begin.utc), begin: begin,
          finish: try #require(Instant(rfc3339: times.1)), allDay: nil, recurrenceID: nil)
      }
      let style = GridStyle(columns: 47, now: Instant(secondsSinceEpoch: 0))
      let page = text { sink in
        WeekGrid(DateWording(.plain), style: style)
          .render(Agenda(occurrences, in: window), to: &sink)
      }
      return page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    let autumn = try lines(
      "2026-10-19",
      [
        ("2026-10-25T02:00:00+02:00", "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T02:00:00+01:00", "2026-10-25T02:30:00+01:00"),
      ])
    let repeated = autumn.filter { $0.hasPrefix("02:00") }
    #expect(repeated.map { $0.contains("*a") } == [true, false])
    #expect(repeated.map { $0.contains("*b") } == [false, true])
    // Other days have the hour once.
    #expect(repeated.map { $0.contains("·····") } == [false, true])
    let spring = try lines(
      "2026-03-23", [("2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00")])
    let skipped = try #require(spring.first { $0.hasPrefix("02:00") })
    #expect(skipped.hasSuffix("*····"))
  }

  @Test("the line for now is in the column of today")
  func now() throws {
    let sample = try RenderingSample.fortnight()
    let agenda = try sample.agenda(from: "2026-11-23", days: 7)
    let now = try #require(Instant(rfc3339: "2026-11-25T13:20:00+01:00"))
    let style = GridStyle(columns: 80, now: now)
    let page = text { WeekGrid(DateWording(.plain), style: style).render(agenda, to: &$0) }
    #expect(page.contains("\n13:20                     ─────────\n"))
    #expect(page.contains("[25]"))
    // No time is there twice.
    for time in ["2026-11-25T08:00:00+01:00", "2026-11-25T08:10:00+01:00"] {
      for (columns, locale) in [(80, "C"), (40, "en_US")] {
        let style = GridStyle(columns: columns, now: try #require(Instant(rfc3339: time)))
        let wording = DateWording(try LocaleData(locale))
        let page = text { WeekGrid(wording, style: style).render(agenda, to: &$0) }
        let times = page.split(separator: "\n").map { $0.prefix(columns == 80 ? 5 : 2) }
          .filter { $0.contains(/\d/) && !$0.contains("W") }
        #expect(Set(times).count == times.count, "\(page)")
      }
    }
  }
}
