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
  }

  public let day: Day
  /// Seconds from that day's midnight by the clock, -167 to 167 hours.
  public let time: Int

  package init(day: Day, time: Int) {
    self.day = day
    self.time = time
  }

  /// The seconds from 1970 to the change in a year, on a clock that never changes.
  fileprivate func seconds(inYear year: Int) -> Int {
    dayNumber(inYear: year) * TimeOfDay.secondsPerCivilDay + time
  }

  private func dayNumber(inYear year: Int) -> Int {
    let newYear = CivilDate.dayNumber(year: year, month: 1, day: 1)
    switch day {
    case .julian(let number):
      return newYear + number - (CivilDate.isLeapYear(year) && number >= 60 ? 0 : 1)
    case .dayOfYear(let number):
      return newYear + number
    case .weekday(let month, let week, let weekday):
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      let span = first..<first + CivilDate.daysInMonth(month, year: year)
      return weekday.day(week == 5 ? -1 : week, in: span)
    }
  }
}

extension ZoneFooter {
  /// The types that the rule keeps.
  var types: [LocalTimeType] { [standard] + (daylight.map { [$0.type] } ?? []) }

  /// What the rule keeps at an instant, and its changes in the 400 years after it, which repeat.
  func changes(
    after begin: Int
  ) -> (type: LocalTimeType, changes: [(instant: Int, type: LocalTimeType)]) {
    guard let daylight, daylight.type != standard else { return (standard, []) }
    var all: [(instant: Int, isDaylight: Bool)] = []
    func add(_ instant: Int, isDaylight: Bool) {
      let place = all.lastIndex { $0.instant <= instant }.map { $0 + 1 } ?? 0
      all.insert((instant, isDaylight), at: place)
    }
    // RFC 8536 3.3.1: daylight saving time that ends when it begins anew is kept all year.
    var isAlwaysDaylight = true
    let day = begin / TimeOfDay.secondsPerCivilDay
    let first = CivilDate.components(ofDayNumber: day).year
    // A change can be more than a week outside of its year.
    for year in first - 2...first + GregorianCycle.years + 2 {
      let start = daylight.start.seconds(inYear: year) - standard.utcOffset
      let end = daylight.end.seconds(inYear: year) - daylight.type.utcOffset
      if start >= end || all.last.map({ $0.instant < start }) ?? false { isAlwaysDaylight = false }
      if start <= end { add(start, isDaylight: true) }
      add(end, isDaylight: false)
      if start > end { add(start, isDaylight: true) }
    }
    if isAlwaysDaylight { return (daylight.type, []) }
    // Of two at one instant the later one counts.
    var changes: [(instant: Int, type: LocalTimeType)] = []
    var isDaylight = false
    var isDaylightBefore = false
    for (index, change) in all.enumerated() {
      if index + 1 < all.count, all[index + 1].instant == change.instant { continue }
      if isDaylight == change.isDaylight { continue }
      isDaylight = change.isDaylight
      if change.instant <= begin { isDaylightBefore = isDaylight }
      if change.instant > begin, change.instant <= begin + GregorianCycle.seconds {
        changes.append((change.instant, isDaylight ? daylight.type : standard))
      }
    }
    return (isDaylightBefore ? daylight.type : standard, changes)
  }
}
