internal import CivilTime

/// A month of the calendar in which a rule counts.
struct RuleMonth: Sendable {
  /// Counted as the calendar counts; in the Gregorian calendar from January of year 0.
  let number: Int
  let name: MonthName
  /// The day number of its first day.
  let first: Int
  let length: Int
  let year: Int
  /// The days of its year in another calendar.
  fileprivate let daysOfOtherYear: Range<Int>?

  /// The days of its year.
  var daysOfYear: Range<Int> { daysOfOtherYear ?? RuleCalendar.days(ofGregorianYear: year) }

  /// A month of so many days, from day 0 on.
  static func ofDays(_ length: Int) -> RuleMonth {
    RuleMonth(
      number: 0, name: MonthName(1), first: 0, length: length, year: 0, daysOfOtherYear: nil)
  }

  /// The first day of the month after it.
  var end: Int { first + length }

  /// Bits 1 to `length`.
  var allDays: UInt64 { (1 << UInt64(length) - 1) << 1 }

  /// No year of any calendar has more days.
  static let daysOfLongestYear = 385

  /// The bits of the week that begins on a day, as far as it lies in the month.
  func week(from day: Int) -> UInt64 {
    let offset = day - first + 1
    return (offset >= 0 ? 0x7F << UInt64(offset) : 0x7F >> UInt64(-offset)) & allDays
  }

  /// The bit of a day.
  func bit(_ day: Int) -> UInt64 { 1 << UInt64(day - first + 1) }
}

/// The months of the Gregorian calendar, or of another one, with the year that was looked at last.
struct RuleCalendar: Sendable {
  /// `nil` for the Gregorian calendar.
  let system: CalendarSystem?
  private var year: CalendarYear?

  init(_ system: CalendarSystem?) { self.system = system }

  /// `nil` outside of the calendar's table, and of the Gregorian years 1 to 9999.
  mutating func month(containing day: Int) -> RuleMonth? {
    guard let system else {
      guard CivilDate(dayNumber: day) != nil else { return nil }
      let components = CivilDate.components(ofDayNumber: day)
      return month(components.year * 12 + components.month - 1)
    }
    if year?.contains(day) != true { year = system.year(containing: day) ?? year }
    return year.flatMap { year in year.place(of: day).map { RuleMonth(year, $0) } }
  }

  /// `nil` outside of the calendar's table. Of the Gregorian years 0 and 10000, the months next to the
  /// years 1 to 9999 exist, because SKIP looks at them.
  mutating func month(_ number: Int) -> RuleMonth? {
    guard let system else {
      guard (11...10_000 * 12).contains(number) else { return nil }
      let (year, place) = number.quotientAndRemainder(dividingBy: 12)
      let first = CivilDate.dayNumber(year: year, month: place + 1, day: 1)
      return RuleMonth(
        number: number, name: MonthName(place + 1), first: first,
        length: CivilDate.daysInMonth(place + 1, year: year), year: year, daysOfOtherYear: nil)
    }
    if let year, number >= year.firstMonth, number < year.endMonth {
      return RuleMonth(year, number - year.firstMonth)
    }
    guard let found = system.year(ofMonth: number) else { return nil }
    year = found
    return RuleMonth(found, number - found.firstMonth)
  }

  /// The numbers of the months of a year; `nil` outside of the calendar's table.
  mutating func months(ofYear number: Int) -> Range<Int>? {
    guard let system else { return number < 10_000 ? number * 12..<number * 12 + 12 : nil }
    if year?.number != number { year = system.year(number) ?? year }
    guard let year, year.number == number else { return nil }
    return year.firstMonth..<year.endMonth
  }

  /// The days of a year; `nil` outside of the calendar's table.
  func days(ofYear number: Int) -> Range<Int>? {
    guard let system else { return Self.days(ofGregorianYear: number) }
    return system.year(number).map { $0.firstDay..<$0.endDay }
  }

  /// Whether a year has a month of that name.
  func has(_ name: MonthName, inYearOf month: RuleMonth) -> Bool {
    system?.year(month.year)?.place(of: name) != nil
  }

  fileprivate static func days(ofGregorianYear year: Int) -> Range<Int> {
    let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
    return first..<first + (CivilDate.isLeapYear(year) ? 366 : 365)
  }
}

extension RuleMonth {
  fileprivate init(_ year: CalendarYear, _ place: Int) {
    let month = year.months[place]
    self.init(
      number: year.firstMonth + place, name: month.name, first: month.firstDay,
      length: month.length, year: year.number,
      daysOfOtherYear: year.firstDay..<year.endDay)
  }
}

/// 0 to 6 from Monday; 1970-01-01 was a Thursday.
func weekdayIndex(ofDay day: Int) -> Int {
  let rest = (day + 3) % 7
  return rest < 0 ? rest + 7 : rest
}

/// Division that rounds down, for a positive divisor.
func floorDivide(_ number: Int, _ divisor: Int) -> Int {
  let quotient = number / divisor
  return number % divisor < 0 ? quotient - 1 : quotient
}

func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
  var (left, right) = (left, right)
  while right != 0 { (left, right) = (right, left % right) }
  return left
}
