internal import CivilTime

extension DayFilter {
  /// Whether no day of any year satisfies the rule, as with `BYMONTH=2;BYMONTHDAY=30`.
  ///
  /// Which days of a year are allowed depends only on its first weekday and on which of the years
  /// around it are leap years, so one year of each kind is enough.
  var allowsNoDay: Bool {
    if isOnlyWeekdays || other != nil { return false }
    for year in Self.yearsOfEachKind {
      for month in 1...12 where days(year: year, month: month) != 0 { return false }
    }
    return true
  }

  private struct YearKind: Hashable {
    let firstWeekday: Int
    let leapYears: [Bool]

    init(_ year: Int) {
      firstWeekday = DayFilter.weekday(
        ofDayNumber: CivilDate.dayNumber(year: year, month: 1, day: 1))
      leapYears = (year - 2...year + 2).map(CivilDate.isLeapYear)
    }
  }

  /// From 2000 on, where most rules find a day at once.
  private static let yearsOfEachKind: [Int] = {
    var kinds: Set<YearKind> = []
    return (2000..<2000 + GregorianCycle.years).filter { kinds.insert(YearKind($0)).inserted }
  }()
}
