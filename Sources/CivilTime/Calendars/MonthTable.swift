/// The months of a calendar that follows observation or astronomy, for the years of a table.
struct MonthTable: Sendable {
  let firstYear: Int
  private let years: [UInt32]
  /// The day number on which each year begins, and the one after the last year.
  private let firstDays: [Int]
  /// How many months lie before each year.
  private let firstMonths: [Int]

  /// `years` is written as `MonthTables` describes; `firstDay` is the day number of the first.
  init(firstYear: Int, firstDay: Int, years: [UInt32]) {
    self.firstYear = firstYear
    self.years = years
    var (day, month) = (firstDay, 0)
    var (days, months) = ([day], [month])
    for year in years {
      let count = Self.monthCount(year)
      for place in 0..<count { day += Self.length(ofMonth: place, year) }
      month += count
      days.append(day)
      months.append(month)
    }
    firstDays = days
    firstMonths = months
  }

  /// The day numbers of the table.
  var days: Range<Int> { (firstDays.first ?? 0)..<(firstDays.last ?? 0) }

  func year(_ number: Int) -> CalendarYear? {
    let (index, overflow) = number.subtractingReportingOverflow(firstYear)
    guard !overflow, years.indices.contains(index) else { return nil }
    let leap = Int(years[index] >> 26)
    var months: [CalendarMonth] = []
    var day = firstDays[index]
    var name = MonthName(1)
    for place in 0..<Self.monthCount(years[index]) {
      let length = Self.length(ofMonth: place, years[index])
      months.append(CalendarMonth(name: name, firstDay: day, length: length))
      day += length
      name =
        name.number == leap && !name.isLeap
        ? MonthName(leap, isLeap: true) : MonthName(name.number + 1)
    }
    return CalendarYear(number: number, firstMonth: firstMonths[index], months: months)
  }

  func year(containing day: Int) -> CalendarYear? { year(in: firstDays, day) }

  /// The year of a month that is counted from the table's first.
  func year(ofMonth month: Int) -> CalendarYear? { year(in: firstMonths, month) }

  private func year(in starts: [Int], _ place: Int) -> CalendarYear? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] > place { high = middle } else { low = middle + 1 }
    }
    return low > 0 ? year(firstYear + low - 1) : nil
  }

  private static func monthCount(_ year: UInt32) -> Int { year >> 26 == 0 ? 12 : 13 }

  private static func length(ofMonth place: Int, _ year: UInt32) -> Int {
    28 + Int(year >> UInt32(2 * place) & 3)
  }
}
