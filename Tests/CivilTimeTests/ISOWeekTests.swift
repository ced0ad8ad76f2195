import Testing

@testable import CivilTime

/// Weeks of ISO 8601, compared with its rule: a week belongs to the year of its Thursday, and its number
/// is that of this Thursday in the year.
@Suite struct ISOWeekTests {
  @Test("each day of 400 years is in the week that its Thursday counts")
  func everyDay() throws {
    let first = try #require(CivilDate(year: 2000, month: 1, day: 3))
    #expect(first.weekday == .monday)
    var (thursdays, year) = (0, 0)
    for week in 0..<20_871 {
      let monday = try #require(first.adding(days: 7 * week))
      let thursday = try #require(monday.adding(days: 3))
      thursdays = thursday.year == year ? thursdays + 1 : 1
      year = thursday.year
      for day in 0..<7 {
        let date = try #require(monday.adding(days: day))
        let found = ISOWeek(containing: date)
        guard found.year == year, found.number == thursdays, date.weekNumber == thursdays else {
          Issue.record("\(date) is in \(found), not in week \(thursdays) of \(year)")
          return
        }
      }
      let named = try #require(ISOWeek(year: year, number: thursdays))
      #expect(named.monday == monday)
      if thursdays == 53 { #expect(ISOWeek(year: year, number: 54) == nil) }
      let next = try #require(thursday.adding(days: 7))
      if next.year != year {
        #expect(ISOWeek(year: year, number: thursdays + 1) == nil)
      }
    }
  }

  @Test("weeks outside of the calendar, and week 0, do not exist")
  func outside() throws {
    #expect(ISOWeek(year: 2026, number: 0) == nil)
    #expect(ISOWeek(year: 0, number: 1) == nil)
    #expect(ISOWeek(year: 10_000, number: 1) == nil)
    #expect(ISOWeek(year: 9999, number: 53) == nil)
    #expect(ISOWeek(year: 2026, number: .max) == nil)
    // 1 January 1 is a Monday, 31 December 9999 a Friday.
    #expect(
      try #require(ISOWeek(year: 1, number: 1)).monday == CivilDate(year: 1, month: 1, day: 1))
    #expect(ISOWeek(containing: .last) == ISOWeek(year: 9999, number: 52))
  }

  @Test("weeks are ordered by year and number, and written as ISO 8601 has it")
  func order() throws {
    let weeks = try [(2025, 52), (2026, 1), (2026, 2), (2026, 53), (2027, 1)].map {
      try #require(ISOWeek(year: $0.0, number: $0.1))
    }
    #expect(weeks.reversed().sorted() == weeks)
    #expect(
      weeks.map(\.description) == ["2025-W52", "2026-W01", "2026-W02", "2026-W53", "2027-W01"])
  }
}
