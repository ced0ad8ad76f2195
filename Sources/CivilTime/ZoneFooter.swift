/// The rule for every year after a zone's last listed transition: the TZ string of POSIX
/// (XBD 8.3), with the extensions of RFC 8536 3.3.1, as TZif files end with and `TZ` may hold.
public struct ZoneFooter: Hashable, Sendable {
  public let standard: LocalTimeType
  /// `nil` if the clocks never change.
  public let daylight: Daylight?

  /// When daylight saving time is kept in each year.
  public struct Daylight: Hashable, Sendable {
    public let type: LocalTimeType
    /// When it begins, by clocks on standard time.
    public let start: YearlyChange
    /// When it ends, by clocks on daylight saving time.
    public let end: YearlyChange

    package init(type: LocalTimeType, start: YearlyChange, end: YearlyChange) {
      self.type = type
      self.start = start
      self.end = end
    }
  }

  package init(standard: LocalTimeType, daylight: Daylight?) {
    self.standard = standard
    self.daylight = daylight
  }
}

/// A day of every year and a time on it.
public struct YearlyChange: Hashable, Sendable {
  public enum Day: Hashable, Sendable {
    /// `Jn`: 1 to 365, 29 February never counted.
    case julian(Int)
    /// `n`: 0 to 365, 29 February counted.
    case dayOfYear(Int)
    /// `Mm.w.d`: the `week`-th such weekday of the month, 5 for the last.
    case weekday(month: Int, week: Int, Weekday)
    /// The first such weekday on or after a day of the month. TZ strings lack this form; definitions
    /// in calendars do (`BYMONTHDAY=13,14,15,16,17,18,19;BYDAY=SU`).
    case weekdayOnOrAfter(month: Int, day: Int, Weekday)
    /// So many weeks before the last such weekday of the month (`BYDAY=-2SU` is 1).
    case weekdayBeforeLast(month: Int, weeks: Int, Weekday)
  }

  public let day: Day
  /// Seconds from that day's midnight by the clock, -167 to 167 hours.
  public let time: Int

  package init(day: Day, time: Int) {
    self.day = day
    self.time = time
  }

  /// Seconds from the beginning of a year to the change, on a clock that never changes.
  func seconds(leap: Bool, firstWeekday: Weekday) -> Int {
    dayOfYear(leap: leap, firstWeekday: firstWeekday) * TimeOfDay.secondsPerCivilDay + time
  }

  /// From 0.
  private func dayOfYear(leap: Bool, firstWeekday: Weekday) -> Int {
    // One year of each kind is enough: only its length and first weekday matter.
    let year = leap ? 2000 : 2001
    switch day {
    case .julian(let number):
      return number - 1 + (leap && number >= 60 ? 1 : 0)
    case .dayOfYear(let number):
      return number
    case .weekday(let month, let week, let weekday):
      let day = Self.firstDay(weekday, month: month, leap: leap, firstWeekday: firstWeekday)
      let length = CivilDate.daysInMonth(month, year: year)
      let wanted = day + (week - 1) * 7
      return Self.daysBefore(month: month, leap: leap) + (wanted < length ? wanted : wanted - 7)
    case .weekdayOnOrAfter(let month, let day, let weekday):
      let before = Self.daysBefore(month: month, leap: leap) + day - 1
      let shift = (weekday.days(after: firstWeekday) - before % 7 + 7) % 7
      return before + shift
    case .weekdayBeforeLast(let month, let weeks, let weekday):
      let day = Self.firstDay(weekday, month: month, leap: leap, firstWeekday: firstWeekday)
      let length = CivilDate.daysInMonth(month, year: year)
      let last = day + (length - 1 - day) / 7 * 7
      return Self.daysBefore(month: month, leap: leap) + last - weeks * 7
    }
  }

  private static func daysBefore(month: Int, leap: Bool) -> Int {
    let year = leap ? 2000 : 2001
    return CivilDate.dayNumber(year: year, month: month, day: 1)
      - CivilDate.dayNumber(year: year, month: 1, day: 1)
  }

  /// The first such weekday of a month, from 0.
  private static func firstDay(
    _ weekday: Weekday, month: Int, leap: Bool, firstWeekday: Weekday
  ) -> Int {
    (weekday.days(after: firstWeekday) - daysBefore(month: month, leap: leap) % 7 + 7) % 7
  }
}
