/// A calendar with other months than the Gregorian one, in which a rule can count (RFC 7529).
///
/// The raw value is the name that RSCALE has for it. A day begins at midnight, not at sunset.
///
/// HEBREW, ISLAMIC-CIVIL, ETHIOPIC, COPTIC, INDIAN and PERSIAN are computed. The others come from
/// tables: CHINESE and DANGI for the years that begin in 1900 to 2100, ISLAMIC-UMALQURA for 1343 to
/// 1500 (1924 to 2077).
public enum CalendarSystem: String, Hashable, Sendable, CaseIterable {
  case chinese = "CHINESE"
  case dangi = "DANGI"
  case hebrew = "HEBREW"
  case islamicCivil = "ISLAMIC-CIVIL"
  case ummAlQura = "ISLAMIC-UMALQURA"
  case ethiopic = "ETHIOPIC"
  case coptic = "COPTIC"
  case indian = "INDIAN"
  case persian = "PERSIAN"

  /// The greatest month number.
  public var lastMonth: Int { self == .ethiopic || self == .coptic ? 13 : 12 }

  public var hasLeapMonths: Bool { self == .chinese || self == .dangi || self == .hebrew }

  /// The greatest number of days in a year.
  public var longestYear: Int { hasLeapMonths ? 385 : 366 }

  private var table: MonthTable? {
    switch self {
    case .chinese: MonthTables.chinese
    case .dangi: MonthTables.dangi
    case .ummAlQura: MonthTables.ummAlQura
    case .hebrew, .islamicCivil, .ethiopic, .coptic, .indian, .persian: nil
    }
  }

  /// The dates of its table; `nil` for a calendar that is computed.
  package var tableDates: ClosedRange<CivilDate>? {
    guard let days = table?.days, let first = CivilDate(dayNumber: days.lowerBound),
      let last = CivilDate(dayNumber: days.upperBound - 1)
    else { return nil }
    return first...last
  }

  /// Whether its table ends before a day.
  package func ends(before day: Int) -> Bool {
    table.map { $0.days.upperBound <= day } ?? (day > Int(CivilDate.last.dayNumber))
  }

  /// `nil` outside of its table, and outside of the Gregorian years 1 to 9999.
  package func year(_ number: Int) -> CalendarYear? {
    if let table { return table.year(number) }
    guard (-6000...15_000).contains(number) else { return nil }
    let year = computedYear(number)
    return year.endDay > Int(CivilDate.first.dayNumber)
      && year.firstDay <= Int(CivilDate.last.dayNumber) ? year : nil
  }

  /// The year that holds a day, given in days from 1970-01-01.
  package func year(containing day: Int) -> CalendarYear? {
    if let table { return table.year(containing: day) }
    guard CivilDate(dayNumber: day) != nil else { return nil }
    var number = floorQuotient((day - firstDay(ofYear: 1)) * 1000, averageYear) + 1
    while firstDay(ofYear: number) > day { number -= 1 }
    while firstDay(ofYear: number + 1) <= day { number += 1 }
    return year(number)
  }

  /// The year of a month, counted as `CalendarYear.firstMonth` counts.
  package func year(ofMonth month: Int) -> CalendarYear? {
    if let table { return table.year(ofMonth: month) }
    guard (-100_000...200_000).contains(month) else { return nil }
    var number = self == .hebrew ? floorQuotient(month * 19, 235) : floorQuotient(month, lastMonth)
    while firstMonth(ofYear: number) > month { number -= 1 }
    while firstMonth(ofYear: number + 1) <= month { number += 1 }
    return year(number)
  }
}

// The arithmetic of E. M. Reingold and N. Dershowitz, "Calendrical Calculations", in days from
// 1970-01-01.
extension CalendarSystem {
  private func computedYear(_ number: Int) -> CalendarYear {
    let first = firstDay(ofYear: number)
    var months: [CalendarMonth] = []
    months.reserveCapacity(13)
    var day = first
    for (name, length) in monthLengths(days: firstDay(ofYear: number + 1) - first) {
      months.append(CalendarMonth(name: name, firstDay: day, length: length))
      day += length
    }
    return CalendarYear(number: number, firstMonth: firstMonth(ofYear: number), months: months)
  }

  private func firstMonth(ofYear number: Int) -> Int {
    self == .hebrew ? Self.hebrewMonths(before: number) : number * lastMonth
  }

  /// Thousandths of a day.
  private var averageYear: Int {
    switch self {
    case .hebrew: 365_247
    case .islamicCivil: 354_367
    case .ethiopic, .coptic: 365_250
    case .chinese, .dangi, .ummAlQura, .indian, .persian: 365_242
    }
  }

  private func firstDay(ofYear number: Int) -> Int {
    switch self {
    case .hebrew: return Self.hebrewNewYear(number)
    case .islamicCivil:
      // Leap years are 2, 5, 7, 10, 13, 16, 18, 21, 24, 26 and 29 of each 30.
      return (number - 1) * 354 + floorQuotient(3 + 11 * number, 30) - 492_148
    case .ethiopic: return 365 * (number - 1) + floorQuotient(number, 4) - 716_367
    case .coptic: return 365 * (number - 1) + floorQuotient(number, 4) - 615_558
    case .indian:
      // The Saka year begins on 22 March, or on 21 March of a Gregorian leap year.
      let year = number + 78
      return CivilDate.dayNumber(
        year: year, month: 3, day: CivilDate.isLeapYear(year) ? 21 : 22)
    case .persian:
      // Eight leap years in 33; it follows the equinox in Tehran from 1900 to 2085 at least.
      return 365 * (number - 1) + floorQuotient(8 * number + 21, 33) - 492_268
    case .chinese, .dangi, .ummAlQura: return 0
    }
  }

  private func monthLengths(days: Int) -> [(MonthName, Int)] {
    switch self {
    case .hebrew:
      let (heshvan, kislev) = (days % 10 == 5 ? 30 : 29, days % 10 == 3 ? 29 : 30)
      var lengths = [30, heshvan, kislev, 29, 30, 29, 30, 29, 30, 29, 30, 29].enumerated()
        .map { (MonthName($0.offset + 1), $0.element) }
      if days > 360 { lengths.insert((MonthName(5, isLeap: true), 30), at: 5) }
      return lengths
    case .islamicCivil:
      return Self.numbered((1...12).map { $0 % 2 == 1 || ($0 == 12 && days == 355) ? 30 : 29 })
    case .ethiopic, .coptic:
      return Self.numbered([Int](repeating: 30, count: 12) + [days - 360])
    case .indian:
      return Self.numbered((1...12).map { $0 == 1 ? days - 335 : $0 <= 6 ? 31 : 30 })
    case .persian:
      return Self.numbered((1...12).map { $0 <= 6 ? 31 : $0 < 12 ? 30 : days - 336 })
    case .chinese, .dangi, .ummAlQura: return []
    }
  }

  private static func numbered(_ lengths: [Int]) -> [(MonthName, Int)] {
    lengths.enumerated().map { (MonthName($0.offset + 1), $0.element) }
  }

  private static func hebrewMonths(before year: Int) -> Int { floorQuotient(235 * year - 234, 19) }

  /// Days before the year by the mean new moon, postponed if it would begin on a Sunday, Wednesday
  /// or Friday.
  private static func hebrewElapsedDays(_ year: Int) -> Int {
    let months = hebrewMonths(before: year)
    let parts = 12_084 + 13_753 * months
    let day = 29 * months + floorQuotient(parts, 25_920)
    let weekday = (3 * (day + 1)) % 7
    return (weekday < 0 ? weekday + 7 : weekday) < 3 ? day + 1 : day
  }

  /// Postponed further if the year or the one before would get a length that no year has.
  private static func hebrewNewYear(_ year: Int) -> Int {
    let before = hebrewElapsedDays(year - 1)
    let day = hebrewElapsedDays(year)
    let after = hebrewElapsedDays(year + 1)
    let delay = after - day == 356 ? 2 : day - before == 382 ? 1 : 0
    return day + delay - 2_092_590
  }
}

private func floorQuotient(_ number: Int, _ divisor: Int) -> Int {
  let quotient = number / divisor
  return number % divisor < 0 ? quotient - 1 : quotient
}
