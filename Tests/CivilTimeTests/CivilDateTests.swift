import CivilTime
import Testing

@Suite struct CivilDateTests {
  /// Counts days, months, weekdays and weeks one by one, by no formula but the leap-year rule.
  @Test("every day of the years 1 to 9999 follows from the one before it")
  func everyDay() throws {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var dayNumber = -719_162
    // 0001-01-01 was a Monday in the proleptic calendar.
    var weekday: UInt8 = 1
    var failures = 0
    var week = 0
    for year in 1...9999 {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      // The week that holds 4 January is the first.
      var weekYear = year
      var dayOfYear = 0
      let yearLength = isLeap ? 366 : 365
      for month in 1...12 {
        let length = month == 2 && isLeap ? 29 : lengths[month - 1]
        for day in 1...length {
          dayOfYear += 1
          // The Thursday of a week decides about its year.
          let thursday = dayOfYear + 4 - Int(weekday)
          if thursday < 1 {
            weekYear = year - 1
          } else if thursday > yearLength {
            weekYear = year + 1
            week = 1
          } else {
            weekYear = year
            week = (thursday - 1) / 7 + 1
          }
          let date = CivilDate(uncheckedForTest: dayNumber)
          let parts = date.components
          if parts != (year, month, day) || date.weekday.rawValue != weekday
            || CivilDate(year: year, month: month, day: day) != date
          {
            failures += 1
          }
          // Weeks change their year around New Year, else only on Mondays.
          if dayOfYear < 8 || dayOfYear > 358 || weekday == 1 {
            let isoWeek = ISOWeek(containing: date)
            if isoWeek.year != weekYear || (thursday >= 1 && isoWeek.number != week) {
              failures += 1
            }
          }
          dayNumber += 1
          weekday = weekday == 7 ? 1 : weekday + 1
        }
        if CivilDate(year: year, month: month, day: length + 1) != nil
          || CivilDate.daysInMonth(month, year: year) != length
        {
          failures += 1
        }
      }
    }
    #expect(failures == 0)
    #expect(dayNumber == 2_932_897)
    #expect(CivilDate.first.description == "0001-01-01")
    #expect(CivilDate.last.description == "9999-12-31")
  }

  @Test(
    "months and years are added by the calendar",
    arguments: [
      ("2028-02-29", 12, "2029-02-28"), ("2027-01-31", 1, "2027-02-28"),
      ("2028-01-31", 1, "2028-02-29"), ("2026-11-21", 12, "2027-11-21"),
      ("2026-12-31", 2, "2027-02-28"), ("2026-03-31", -1, "2026-02-28"),
      ("2026-01-15", -1, "2025-12-15"), ("0001-01-01", 119_987, "9999-12-01"),
      ("2000-02-29", 4800, "2400-02-29"), ("2026-05-31", -3, "2026-02-28"),
    ])
  func months(start: String, months: Int, end: String) throws {
    let date = try CivilDate.parsed(start)
    #expect(date.adding(months: months)?.description == end)
    if months % 12 == 0 {
      #expect(date.adding(years: months / 12)?.description == end)
    }
  }

  @Test("no sum leaves the years 1 to 9999, however large the number")
  func total() {
    for date in [CivilDate.first, .last] {
      for count in [Int.min, .min / 7, .min / 12, -4_000_000, 4_000_000, .max / 12, .max / 7, .max]
      {
        #expect(date.adding(days: count) == nil)
        #expect(date.adding(weeks: count) == nil)
        #expect(date.adding(months: count) == nil)
        #expect(date.adding(years: count) == nil)
      }
    }
    for number in [Int.min, -1, 0, 13, 10_000, Int.max] {
      #expect(CivilDate(year: number, month: number, day: number) == nil)
      #expect(CivilDate.daysInMonth(number, year: number) == 0)
    }
    #expect(CivilDate(dayNumber: .min) == nil)
    #expect(CivilDate(dayNumber: .max) == nil)
    #expect(Instant(secondsSinceEpoch: .max).adding(seconds: .max).secondsSinceEpoch == .max)
    #expect(Instant(secondsSinceEpoch: .min).utc.description == "0001-01-01T00:00:00")
    #expect(Instant(secondsSinceEpoch: .max).utc.description == "9999-12-31T23:59:59")
    #expect(TimeOfDay(hour: 24, minute: 0) == nil)
    #expect(TimeOfDay(hour: 23, minute: 59, second: 60)?.description == "23:59:59")
    #expect(TimeOfDay(secondOfDay: .min) == nil)
    #expect(TimeOfDay(secondOfDay: 86_400) == nil)
  }
}

extension CivilDate {
  fileprivate init(uncheckedForTest dayNumber: Int) {
    self = CivilDate(dayNumber: dayNumber) ?? .first
  }
}
