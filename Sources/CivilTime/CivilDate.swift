/// A date of the Gregorian calendar in the years 1 to 9999, without a time zone.
///
/// Dates before 1582 also follow the rules of the Gregorian calendar. Arithmetic that would leave
/// these years returns `nil`.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// The number of days since 1970-01-01; negative for earlier dates.
  @usableFromInline package let dayNumber: Int32

  /// 0001-01-01.
  public static let first = CivilDate(uncheckedDayNumber: -719_162)
  /// 9999-12-31.
  @usableFromInline package static let last = CivilDate(uncheckedDayNumber: 2_932_896)
  /// The end of a span of days that includes the last one. It is not a date itself, nothing falls on it,
  /// and no arithmetic leads to it.
  package static let afterLast = CivilDate(uncheckedDayNumber: 2_932_897)

  @usableFromInline
  init(uncheckedDayNumber: Int32) {
    self.dayNumber = uncheckedDayNumber
  }

  /// The date that is a number of days after 1970-01-01; `nil` outside of the years 1 to 9999.
  @inlinable
  package init?(dayNumber: Int) {
    guard dayNumber >= Self.firstDayNumber, dayNumber <= Self.lastDayNumber else { return nil }
    self.init(uncheckedDayNumber: Int32(dayNumber))
  }

  /// A date; `nil` if it does not exist, such as 30 February, month 13 or year 0.
  @inlinable
  public init?(year: Int, month: Int, day: Int) {
    guard year >= 1, year <= 9999, month >= 1, month <= 12, day >= 1,
      day <= Self.daysInMonth(month, year: year)
    else { return nil }
    self.init(uncheckedDayNumber: Int32(Self.dayNumber(year: year, month: month, day: day)))
  }

  @usableFromInline static let firstDayNumber = -719_162
  @usableFromInline static let lastDayNumber = 2_932_896

  /// Days from 1970-01-01 to the given date. Counts years from March, so that the leap day is
  /// the last of its year (the era arithmetic of Howard Hinnant's "chrono-compatible low-level
  /// date algorithms").
  @inlinable
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Year, month and day of a day number, the inverse of `dayNumber(year:month:day:)`.
  @inlinable
  package static func components(ofDayNumber dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The year, the month (1 to 12) and the day (1 to 31), computed together.
  @inlinable
  package var components: (year: Int, month: Int, day: Int) {
    Self.components(ofDayNumber: Int(dayNumber))
  }

  /// The year of the Gregorian calendar, 1 to 9999.
  public var year: Int { components.year }
  /// The month, 1 to 12.
  public var month: Int { components.month }
  /// The day of the month, 1 to 31.
  public var day: Int { components.day }

  /// The day of the year, 1 to 366.
  package var dayOfYear: Int {
    Int(dayNumber) - Self.dayNumber(year: year, month: 1, day: 1) + 1
  }

  /// The day of the week.
  @inlinable
  public var weekday: Weekday {
    Weekday(ofDayNumber: Int(dayNumber))
  }

  /// Whether a year of the Gregorian calendar has 366 days.
  @inlinable
  package static func isLeapYear(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days of a month, 28 to 31; 0 if `month` is not from 1 to 12.
  @inlinable
  package static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: isLeapYear(year) ? 29 : 28
    default: 0
    }
  }

  @inlinable
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.dayNumber < right.dayNumber
  }
}

extension CivilDate {
  /// The date `days` later, or `nil` outside of the years 1 to 9999.
  @inlinable
  public func adding(days: Int) -> CivilDate? {
    let (sum, overflow) = Int(dayNumber).addingReportingOverflow(days)
    return overflow ? nil : CivilDate(dayNumber: sum)
  }

  /// `nil` outside of the years 1 to 9999.
  package func adding(weeks: Int) -> CivilDate? {
    let (days, overflow) = weeks.multipliedReportingOverflow(by: 7)
    return overflow ? nil : adding(days: days)
  }

  /// The same day of a later month, or that month's last day where it is shorter:
  /// 31 January + 1 month = 28 February.
  public func adding(months: Int) -> CivilDate? {
    let (year, month, day) = components
    let (total, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !overflow, total >= 12, total < 10_000 * 12 else { return nil }
    let newYear = total / 12
    let newMonth = total % 12 + 1
    return CivilDate(
      year: newYear, month: newMonth, day: min(day, Self.daysInMonth(newMonth, year: newYear)))
  }

  /// The same date of a later year; 29 February + 1 year = 28 February.
  public func adding(years: Int) -> CivilDate? {
    let (months, overflow) = years.multipliedReportingOverflow(by: 12)
    return overflow ? nil : adding(months: months)
  }

  /// Days from this date to another, negative where that is earlier.
  @inlinable
  public func days(until other: CivilDate) -> Int {
    Int(other.dayNumber) - Int(dayNumber)
  }
}

extension CivilDate: CustomStringConvertible {
  /// ISO 8601: `2026-11-21`.
  public var description: String {
    let (year, month, day) = components
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }
}

/// Decimal digits with leading zeros.
package func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// The number of days after which the Gregorian calendar repeats. They are whole weeks.
package enum GregorianCycle {
  package static let years = 400
  package static let months = 400 * 12
  package static let days = 146_097
  package static let weeks = 146_097 / 7
  package static let seconds = days * TimeOfDay.secondsPerCivilDay
}
