import Foundation
import TestSupport
import Testing

@testable import CivilTime

/// Calendars with other months than the Gregorian one.
@Suite struct CalendarSystemTests {
  static func text(_ date: CivilDate, _ calendar: CalendarSystem) -> String {
    guard let found = CalendarDate(date, in: calendar) else { return "nil" }
    return "\(found.year) \(found.month) \(found.day)"
  }

  @Test(
    "known dates",
    arguments: [
      (CalendarSystem.hebrew, "2024-10-03", "5785 1 1"), (.hebrew, "2024-02-17", "5784 5L 8"),
      (.hebrew, "2024-03-24", "5784 6 14"), (.hebrew, "2045-09-13", "5806 1 2"),
      (.chinese, "2027-02-06", "2027 1 1"), (.chinese, "2030-02-03", "2030 1 1"),
      (.chinese, "2033-12-22", "2033 11L 1"), (.chinese, "1987-07-26", "1987 6L 1"),
      (.chinese, "1900-01-31", "1900 1 1"), (.chinese, "1900-01-30", "nil"),
      (.chinese, "2101-01-28", "2100 12 29"), (.chinese, "2101-01-29", "nil"),
      (.dangi, "2024-09-17", "2024 8 15"), (.ummAlQura, "2025-03-01", "1446 9 1"),
      (.ummAlQura, "1924-07-31", "nil"), (.ummAlQura, "2077-11-17", "nil"),
      (.islamicCivil, "2024-07-08", "1446 1 1"), (.ethiopic, "2024-09-11", "2017 1 1"),
      (.coptic, "2023-09-11", "1739 13 6"), (.indian, "2024-03-21", "1946 1 1"),
      (.persian, "2025-03-20", "1403 12 30"),
    ])
  func known(calendar: CalendarSystem, date: String, text: String) throws {
    let civil = try CivilDate.parsed(date)
    #expect(Self.text(civil, calendar) == text)
  }

  @Test("years follow each other without a gap", arguments: CalendarSystem.allCases)
  func noGaps(calendar: CalendarSystem) throws {
    let anchor = try #require(CivilDate(year: 1990, month: 6, day: 1))
    let middle = try #require(calendar.year(containing: Int(anchor.dayNumber)))
    var year = middle
    while let next = calendar.year(year.number + 1) {
      #expect(next.firstDay == year.endDay)
      #expect(next.firstMonth == year.endMonth)
      #expect((353...385).contains(next.length))
      if next.number % 97 == 0 {
        for month in next.months.indices {
          #expect(calendar.year(ofMonth: next.firstMonth + month) == next)
        }
        if CivilDate(dayNumber: next.endDay - 1) != nil {
          #expect(calendar.year(containing: next.firstDay) == next)
          #expect(calendar.year(containing: next.endDay - 1) == next)
        }
      }
      year = next
    }
    #expect(calendar.ends(before: year.endDay))
    year = middle
    while let previous = calendar.year(year.number - 1) {
      #expect(previous.endDay == year.firstDay)
      year = previous
    }
  }

  /// The same dates by a package of PyPI: a program that reads day numbers and prints dates.
  static func others(_ module: String, _ expression: String, days: [Int]) throws -> [String] {
    let program = """
      import datetime, sys, \(module)
      for line in sys.stdin:
        date = datetime.date(1970, 1, 1) + datetime.timedelta(int(line))
        y, m, d = date.year, date.month, date.day
        print(*(\(expression)))
      """
    return try Python.output(
      of: ["-c", program], input: days.map { "\($0)\n" }.joined()
    ).split(separator: "\n").map(String.init)
  }

  static func compare(
    _ calendar: CalendarSystem, _ module: String, _ expression: String, years: ClosedRange<Int>,
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let (first, last) = (
      CivilDate.dayNumber(year: years.lowerBound, month: 1, day: 1),
      CivilDate.dayNumber(year: years.upperBound, month: 12, day: 31)
    )
    let days = (0..<300 * TestSettings.rounds).map { _ in
      Int.random(in: first...last, using: &generator)
    }
    let other = try others(module, expression, days: days)
    #expect(other.count == days.count)
    for (day, text) in zip(days, other) {
      let date = try #require(CivilDate(dayNumber: day))
      if Self.text(date, calendar) != text {
        Issue.record("\(calendar) \(date): \(Self.text(date, calendar)), \(module): \(text)")
        return
      }
    }
  }

  // Checks Decisions: Rules in other calendars/2
  @Test("dates by convertdate and lunar_python agree")
  func recorded() throws {
    let file = Repository.root.appendingPathComponent("Fixtures/recurrence/calendar-dates.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1000)
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 2)
      let calendar = try #require(CalendarSystem(rawValue: String(words[0])))
      let date = try CivilDate.parsed(String(words[1]))
      #expect(Self.text(date, calendar) == words[2], "\(line)")
    }
  }

  // Checks Decisions: Rules in other calendars/3
  @Test("dates of Umm al-Qura by hijridate agree", .requiresPythonPackages)
  func ummAlQura() throws {
    try Self.compare(
      .ummAlQura, "hijridate", "hijridate.Gregorian(y, m, d).to_hijri().datetuple()",
      years: 1925...2076, seed: 5)
  }

  // Checks Decisions: Rules in other calendars/2
  @Test("Hebrew dates by pyluach agree", .requiresPythonPackages)
  func hebrew() throws {
    // pyluach numbers Nisan 1, Adar or Adar I 12 and Adar II 13.
    let month = "h.month - 6 if h.month > 6 else h.month + 6"
    let name = "'5L' if leap and h.month == 12 else 6 if h.month >= 12 else \(month)"
    try Self.compare(
      .hebrew, "pyluach.dates",
      "(lambda h: (lambda leap: (h.year, \(name), h.day))((7 * h.year + 1) % 19 < 7))"
        + "(pyluach.dates.GregorianDate(y, m, d).to_heb())",
      years: 1600...2400, seed: 6)
  }

  // Checks Decisions: Rules in other calendars/3
  @Test(
    "Korean dates by korean_lunar_calendar agree",
    .requiresPythonPackages)
  func lunar() throws {
    try Self.compare(
      .dangi, "korean_lunar_calendar",
      "(lambda k: (k.setSolarDate(y, m, d), (k.lunarYear, f'{k.lunarMonth}L' if k.isIntercalation "
        + "else k.lunarMonth, k.lunarDay))[1])(korean_lunar_calendar.KoreanLunarCalendar())",
      years: 1901...2049, seed: 8)
  }
}
