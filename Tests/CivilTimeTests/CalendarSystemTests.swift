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

  @Test(
    "a date of another calendar is written with the names of its months",
    arguments: [
      (CalendarSystem.hebrew, "2027-04-21", "14 Nisan 5787"),
      (.hebrew, "2024-02-17", "8 Adar I 5784"), (.hebrew, "2024-03-24", "14 Adar 5784"),
      (.chinese, "2026-09-25", "day 15 of month 8, 2026"),
      (.chinese, "2033-12-22", "day 1 of leap month 11, 2033"),
      (.dangi, "2024-09-17", "day 15 of month 8, 2024"),
      (.ummAlQura, "2025-03-01", "1 Ramadan 1446"),
      (.islamicCivil, "2024-07-08", "1 Muharram 1446"),
      (.ethiopic, "2024-09-11", "1 Meskerem 2017"), (.coptic, "2023-09-11", "6 Nasie 1739"),
      (.indian, "2024-03-21", "1 Chaitra 1946"), (.persian, "2025-03-20", "30 Esfand 1403"),
    ])
  func named(calendar: CalendarSystem, date: String, text: String) throws {
    let civil = try CivilDate.parsed(date)
    let found = try #require(CalendarDate(civil, in: calendar))
    #expect(found.description == text)
    #expect(!calendar.name.isEmpty)
  }

  @Test(
    "a date of another calendar leads back to the Gregorian one; days that a month lacks do not",
    arguments: CalendarSystem.allCases)
  func back(calendar: CalendarSystem) throws {
    let first = try #require(CivilDate(year: 1990, month: 1, day: 1))
    for day in 0..<1500 {
      let date = try #require(first.adding(days: day))
      let found = try #require(CalendarDate(date, in: calendar))
      let civil = CalendarDate.civil(
        year: found.year, month: found.month, day: found.day, in: calendar)
      #expect(civil == date)
      let tomorrow = try #require(first.adding(days: day + 1))
      let next = try #require(CalendarDate(tomorrow, in: calendar))
      if next.day == 1 {
        #expect(
          CalendarDate.civil(
            year: found.year, month: found.month, day: found.day + 1, in: calendar) == nil)
        #expect(
          CalendarDate.civil(year: next.year, month: next.month, day: 0, in: calendar) == nil)
      }
    }
    #expect(Set(CalendarSystem.allCases.map(\.name)).count == CalendarSystem.allCases.count)
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

  // A month begins on the day of the new moon: at 120° east in China, at 135° in Korea, an hour earlier.
  @Test("Korean months begin with the Chinese ones, or a day later if the new moon is after 23:00")
  func koreanMonths() throws {
    var (chinese, korean) = (Set<Int>(), [Int: [Int]]())
    for number in 1913...2099 {
      let year = try #require(CalendarSystem.chinese.year(number))
      chinese.formUnion(year.months.map(\.firstDay))
      korean[number] = try #require(CalendarSystem.dangi.year(number)).months.map(\.firstDay)
    }
    var (later, months) = (0, 0)
    for (number, starts) in korean.sorted(by: { $0.key < $1.key }) {
      let different = starts.filter { !chinese.contains($0) }
      #expect(different.allSatisfy { chinese.contains($0 - 1) }, "\(number)")
      // An hour of 24 is one month in two years.
      #expect(different.count <= 4, "\(number)")
      later += different.count
      months += starts.count
    }
    #expect((months / 30...months / 20).contains(later))
  }
}
