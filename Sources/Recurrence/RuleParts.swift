internal import CivilTime

/// What a rule and its DTSTART say about days, times and periods. By reference, because it is large and
/// each iterator has it.
final class RuleParts: Sendable {
  let frequency: Rule.Frequency
  /// How many periods lie between two that the rule has; 1 below WEEKLY, where `times` counts them.
  let interval: Int
  /// The period of DTSTART: a day, a week counted from 1970, a month or a year of the calendar. `nil` if
  /// that lies outside of the calendar's table.
  let origin: Int?
  /// The first day number from 0 that begins a week.
  let weekOffset: Int
  let days: DayRule
  let times: DayTimes
  /// BYSETPOS of a rule above DAILY.
  let positions: SetPositions
  /// The calendar whose months are read; `nil` for the Gregorian one.
  let system: CalendarSystem?
  let isImpossible: Bool
  /// Whether each period has as many occurrences: one step, or the weekdays of a week.
  let isPlain: Bool

  init(_ rule: Rule, start: CivilDateTime, isDate: Bool) {
    frequency = rule.frequency
    interval = rule.frequency < .weekly ? 1 : rule.interval
    // Day 0, 1970-01-01, was a Thursday.
    weekOffset = rule.weekStart.days(after: .thursday)
    times = DayTimes(rule, start: start, isDate: isDate)
    positions = SetPositions(numbers: rule.frequency > .daily ? rule.bySetPosition : [])
    var calendar = RuleCalendar(rule.calendar)
    let startDay = Int(start.date.dayNumber)
    let month = calendar.month(containing: startDay)
    days = DayRule(rule, start: start.date, in: month)
    switch rule.frequency {
    case .yearly: origin = month?.year
    case .monthly: origin = month?.number
    case .weekly: origin = month == nil ? nil : floorDivide(startDay - weekOffset, 7)
    case .daily, .hourly, .minutely, .secondly: origin = startDay
    }
    // Where the rule limits no day, the months are only the steps of reading.
    system = rule.frequency <= .daily && days.isTrivial ? nil : rule.calendar
    isPlain =
      rule.frequency <= .daily
      ? days.isTrivial && times.allBegin
      : rule.frequency == .weekly && days.isOnlyWeekdays && positions.isEmpty
        && rule.calendar == nil
    let mostDays =
      rule.frequency == .weekly
      ? 7 : rule.frequency == .monthly ? 33 : RuleMonth.daysOfLongestYear + 2
    let most = mostDays * times.within.count
    let hasPosition = positions.isEmpty || positions.numbers.contains { abs($0) <= most }
    isImpossible =
      !hasPosition || days.allowsNoDay(in: &calendar)
      || !times.canMeet(weekdays: days.isOnlyWeekdays ? days.weekdays : 0x7F)
  }

  /// Whether a month of the Gregorian calendar can give something to a rule of months or years.
  func mayGive(_ number: Int) -> Bool {
    if days.skip != .omit { return true }
    return hasPeriod(frequency == .monthly ? number : number / 12)
      && days.names(MonthName(number % 12 + 1))
  }

  /// The days of a month that INTERVAL of a week, a day or less reaches.
  func reached(in month: RuleMonth) -> UInt64 {
    var reached: UInt64 = 0
    switch frequency {
    case .monthly, .yearly: return ~0
    case .weekly:
      if interval == 1 { return ~0 }
      var week = aligned(floorDivide(month.first - weekOffset, 7))
      while week * 7 + weekOffset < month.end {
        reached |= month.week(from: week * 7 + weekOffset)
        week += interval
      }
    case .daily, .hourly, .minutely, .secondly:
      if times.interval <= times.stepsPerDay { return ~0 }
      var step = times.aligned(month.first * times.stepsPerDay)
      while step < month.end * times.stepsPerDay {
        reached |= month.bit(floorDivide(step, times.stepsPerDay))
        step += times.interval
      }
    }
    return reached
  }

  func hasPeriod(_ period: Int) -> Bool {
    guard let origin else { return false }
    return period >= origin && (interval == 1 || (period - origin) % interval == 0)
  }

  /// The first period from one on that INTERVAL reaches.
  func aligned(_ period: Int) -> Int {
    guard let origin, period > origin else { return origin ?? period }
    let rest = (period - origin) % interval
    return rest == 0 ? period : period - rest + interval
  }

  func period(of day: Int, _ month: RuleMonth) -> Int {
    switch frequency {
    case .yearly: month.year
    case .monthly: month.number
    default: floorDivide(day - weekOffset, 7)
    }
  }

  /// After so many seconds the calendar and the steps of INTERVAL repeat; `nil` if that is too late.
  var cycle: Int? {
    guard system == nil else { return nil }
    let periods =
      switch frequency {
      case .yearly: GregorianCycle.years
      case .monthly: GregorianCycle.months
      case .weekly: GregorianCycle.weeks
      default: GregorianCycle.days * times.stepsPerDay
      }
    let interval = frequency < .weekly ? times.interval : interval
    let cycles = interval / greatestCommonDivisor(interval, periods)
    guard cycles < 10_000 / GregorianCycle.years else { return nil }
    return cycles * GregorianCycle.seconds
  }

  /// The next month after one that can have days.
  func month(after month: RuleMonth, in calendar: inout RuleCalendar) -> RuleMonth? {
    if frequency <= .weekly {
      // INTERVAL can leave out whole months.
      let step: Int
      if frequency == .weekly {
        if interval < 4 { return calendar.month(containing: month.end) }
        step = aligned(floorDivide(month.end - weekOffset, 7)) * 7 + weekOffset
      } else {
        if times.interval <= times.stepsPerDay { return calendar.month(containing: month.end) }
        step = floorDivide(times.aligned(month.end * times.stepsPerDay), times.stepsPerDay)
      }
      return calendar.month(containing: max(month.end, step))
    }
    var number = month.number + 1
    if system == nil {
      while number < 10_000 * 12, !mayGive(number) { number += 1 }
      guard number < 10_000 * 12 else { return nil }
    }
    return calendar.month(number)
  }

  /// The days of a month that the rule gives, with those that SKIP moves there. INTERVAL of months and years
  /// is in it.
  func word(of month: RuleMonth, in calendar: inout RuleCalendar) -> UInt64 {
    let own = given(by: month, in: &calendar)
    if days.skip == .omit { return own }
    var word = own & month.allDays
    if days.skip == .forward, let previous = calendar.month(month.number - 1),
      given(by: previous, in: &calendar) & previous.bit(previous.end) != 0
    {
      word |= 1 << 1
    }
    if days.skip == .backward, let next = calendar.month(month.number + 1),
      given(by: next, in: &calendar) & 1 != 0
    {
      word |= 1 << UInt64(month.length)
    }
    return word
  }

  /// What a month gives, with the days that SKIP moves out of it: in any of the periods, or as a part of one.
  private func given(
    by month: RuleMonth, of period: Int? = nil, in calendar: inout RuleCalendar
  ) -> UInt64 {
    func isIn(_ year: Int) -> Bool { period.map { $0 == year } ?? hasPeriod(year) }
    let isChosen: Bool
    switch frequency {
    case .yearly:
      isChosen =
        days.names(month.name) && isIn(month.year)
        || days.month(movedTo: month, in: &calendar).map { isIn($0.year) } ?? false
    case .monthly:
      isChosen = days.names(month.name) && (period != nil || hasPeriod(month.number))
    case .weekly, .daily, .hourly, .minutely, .secondly: isChosen = days.names(month.name)
    }
    return isChosen ? days.days(of: month, in: &calendar) : 0
  }

  /// The Gregorian calendar repeats after 400 years. Elsewhere every possible date comes within 600, and a
  /// rule for an impossible date must end.
  var mostEmptyMonths: Int {
    if system != nil { return RuleParts.mostMonthsElsewhere }
    // With SKIP the months between those of INTERVAL are read too.
    return GregorianCycle.months * (days.skip == .omit ? 1 : min(interval, 25))
  }

  // MARK: BYSETPOS

  var mostEmptyPeriods: Int {
    let cycle = system == nil ? GregorianCycle.years : 600
    return switch frequency {
    case .yearly: cycle
    case .monthly: cycle * 12
    default: cycle * 53
    }
  }

  /// The days of a period, in order; `nil` after the end of the calendar.
  func days(ofPeriod period: Int, in calendar: inout RuleCalendar) -> [Int]? {
    var found: [Int] = []
    found.reserveCapacity(frequency == .yearly ? RuleMonth.daysOfLongestYear : 31)
    func add(_ word: UInt64, _ first: Int) {
      var word = word
      while word != 0 {
        found.append(first - 1 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
    if frequency == .weekly {
      let first = period * 7 + weekOffset
      guard let month = calendar.month(containing: max(first, Int(CivilDate.first.dayNumber)))
      else { return nil }
      add(word(of: month, in: &calendar) & month.week(from: first), month.first)
      if first + 7 > month.end, let next = calendar.month(containing: month.end) {
        add(word(of: next, in: &calendar) & next.week(from: first), next.first)
      }
      return found
    }
    var months = period..<period + 1
    if frequency == .yearly {
      guard let all = calendar.months(ofYear: period) else { return nil }
      months = all
      // A leap month after the last month moves into the next year.
      if days.skip == .forward, system != nil {
        months = all.lowerBound..<all.upperBound + 1
      }
    }
    for number in months {
      guard let month = calendar.month(number), system != nil || number < 10_000 * 12
      else {
        if frequency == .monthly { return nil }
        continue
      }
      add(given(by: month, of: period, in: &calendar), month.first)
    }
    return days.skip == .omit ? found : Set(found).sorted()
  }

  /// The first second that a period can give.
  func firstSecond(of period: Int, in calendar: inout RuleCalendar) -> Int {
    let first: Int?
    switch frequency {
    case .yearly: first = calendar.days(ofYear: period)?.lowerBound
    case .monthly: first = calendar.month(period)?.first
    default: first = period * 7 + weekOffset
    }
    guard let first, first <= Int(CivilDate.last.dayNumber) else { return .max }
    return (days.skip == .backward ? first - 1 : first) * ClockTimes.secondsPerDay
  }

  /// In another calendar a COUNT is followed for about 600 years; beyond them it does not end the rule.
  static let mostMonthsElsewhere = 7_200
}
