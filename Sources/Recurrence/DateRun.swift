internal import CivilTime

/// The occurrences of one rule on a few dates: the quick way for a window of some days.
///
/// It is used for rules that only choose dates, with DTSTART's time of day. Each date is checked
/// separately, and no period is expanded. All other sets use `BaseStream`, and both have the same
/// results.
struct DateRun: Sendable {
  private let exclusions: Exclusions
  private let zone: Zone
  private let low: Int
  private let high: Int
  /// The first date asked about, by its day number, and which of those from there on are given.
  private let firstDay: Int
  private var days: UInt64 = 0
  private let secondOfDay: Int
  private var latest = Int.min

  /// More dates than these are gone through by period.
  private static let mostDays = 24

  /// `nil` if the dates alone do not decide it.
  init?(
    _ set: RecurrenceSet, _ matcher: TimeMatcher, _ exclusions: Exclusions, from low: Int,
    before high: Int
  ) {
    guard set.rules.count == 1, set.exceptionRules.isEmpty, set.dates.isEmpty, low < high,
      low > -1 << 40, high < 1 << 40
    else { return nil }
    let rule = set.rules[0]
    guard rule.saysDatesOnly(isDate: matcher.isDate) else { return nil }
    let day = ClockTimes.secondsPerDay
    let start = set.start.civil
    let startDay = Int(start.date.dayNumber)
    // A time in a gap is moved by less than a day, and clocks go back by no more.
    let margin = matcher.isDate ? 0 : 1
    let firstDay = max(startDay, floorDivide(matcher.civil(ofKey: low), day) - margin)
    let lastDay = min(
      Int(CivilDate.last.dayNumber), floorDivide(matcher.civil(ofKey: high), day) + margin)
    guard lastDay - firstDay < Self.mostDays, !rule.mayEnd(by: lastDay) else { return nil }
    let filter = DayFilter(rule, start: start.date)
    if let count = rule.count,
      rule.mostDates(filter, from: start.date, through: lastDay) >= count
    {
      return nil
    }
    self.exclusions = exclusions
    zone = matcher.zone
    self.low = low
    self.high = high
    self.firstDay = firstDay
    secondOfDay = Int(start.time.secondOfDay)
    guard firstDay <= lastDay else { return }
    days = Self.days(of: rule, filter, start: start.date, from: firstDay, through: lastDay)
    if firstDay == startDay { days |= 1 }
  }

  private static func days(
    of rule: Rule, _ filter: DayFilter, start: CivilDate, from firstDay: Int,
    through lastDay: Int
  ) -> UInt64 {
    var month = FilteredMonth()
    var days: UInt64 = 0
    for day in firstDay...lastDay {
      if rule.interval > 1, !rule.hasPeriod(onDay: day, start: start) { continue }
      if filter.isOnlyWeekdays {
        if filter.weekdays & 1 << UInt8(DayFilter.weekday(ofDayNumber: day)) == 0 { continue }
      } else {
        month.load(containing: day, filter)
        if !month.allows(day) { continue }
      }
      days |= 1 << UInt64(day - firstDay)
    }
    return days
  }

  mutating func next() -> Candidate? {
    while days != 0 {
      let second =
        (firstDay + days.trailingZeroBitCount) * ClockTimes.secondsPerDay + secondOfDay
      days &= days - 1
      guard let civil = CivilDateTime(civilSeconds: second) else { continue }
      let key = zone == .utc ? second : zone.instant(of: civil).secondsSinceEpoch
      let candidate = Candidate(key: key, civil: second)
      // The first of two dates that one day represents.
      guard key > latest else { continue }
      latest = key
      if key >= low, key < high, !exclusions.contains(candidate) { return candidate }
    }
    return nil
  }
}

extension Rule {
  /// Whether it gives dates, each with DTSTART's time, and every date can be judged for itself.
  fileprivate func saysDatesOnly(isDate: Bool) -> Bool {
    calendar == nil && frequency >= .daily && bySetPosition.isEmpty && skip == .omit
      && (isDate || (byHour.isEmpty && byMinute.isEmpty && bySecond.isEmpty))
  }

  /// Whether UNTIL can exclude something up to this day, in any zone.
  fileprivate func mayEnd(by day: Int) -> Bool {
    let last: CivilDate
    switch until {
    case nil: return false
    case .date(let date): last = date
    case .local(let civil), .utc(let civil): last = civil.date
    }
    return Int(last.dayNumber) - 2 <= day
  }

  /// No more dates than these are given up to that day, DTSTART and both ends included: COUNT leaves
  /// out nothing there if it is greater.
  fileprivate func mostDates(_ filter: DayFilter, from start: CivilDate, through day: Int) -> Int {
    let periods = max(0, distance(toDay: day, start: start)) / interval + 1
    // No calendar has more days than fit into this product.
    return 1 + periods * filter.mostDays(inPeriodOf: frequency)
  }

  /// Whether INTERVAL counts the period that the day lies in.
  fileprivate func hasPeriod(onDay day: Int, start: CivilDate) -> Bool {
    distance(toDay: day, start: start) % interval == 0
  }

  /// How many periods a day lies after the one of DTSTART.
  private func distance(toDay day: Int, start: CivilDate) -> Int {
    let startDay = Int(start.dayNumber)
    switch frequency {
    case .secondly, .minutely, .hourly, .daily: return day - startDay
    case .weekly:
      // Day 0, 1970-01-01, was a Thursday.
      let offset = weekStart.days(after: .thursday)
      return floorDivide(day - offset, 7) - floorDivide(startDay - offset, 7)
    case .monthly:
      let (first, own) = (start.components, CivilDate.components(ofDayNumber: day))
      return (own.year - first.year) * 12 + own.month - first.month
    case .yearly:
      return CivilDate.components(ofDayNumber: day).year - start.components.year
    }
  }
}
