internal import CivilTime

extension YearlyChange {
  /// The day and time on which a rule comes round every year for ever; `nil` for rules that do
  /// not, or not on a day that a zone's rule can say.
  ///
  /// `BYMONTH=3;BYDAY=-1SU`, `BYMONTH=3;BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14`,
  /// `BYMONTH=10;BYDAY=SU;BYSETPOS=-1` and `BYMONTH=4;BYMONTHDAY=1` all can.
  init?(_ rule: Rule, start: CivilDateTime) {
    guard rule.calendar == nil, rule.frequency == .yearly, rule.interval == 1, rule.count == nil,
      rule.until == nil,
      rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, rule.byMonth.count <= 1,
      let time = Self.time(of: rule, start: start)
    else { return nil }
    let day: Day?
    switch (rule.byDay.first, rule.byDay.count) {
    case (nil, _): day = Self.fixedDay(rule, start: start.date)
    case (let weekday?, 1): day = rule.byMonth.first.flatMap { Self.day(rule, weekday, month: $0) }
    default: day = nil
    }
    guard let day else { return nil }
    self.init(day: day, time: time)
  }

  private static func time(of rule: Rule, start: CivilDateTime) -> Int? {
    guard rule.byHour.count <= 1, rule.byMinute.count <= 1, rule.bySecond.count <= 1 else {
      return nil
    }
    return TimeOfDay(
      hour: rule.byHour.first ?? start.time.hour, minute: rule.byMinute.first ?? start.time.minute,
      second: rule.bySecond.first ?? start.time.second
    ).map { Int($0.secondOfDay) }
  }

  private static func fixedDay(_ rule: Rule, start: CivilDate) -> Day? {
    guard rule.bySetPosition.isEmpty, rule.byMonthDay.count <= 1 else { return nil }
    // BYMONTHDAY without BYMONTH is in every month.
    guard rule.byMonthDay.isEmpty || !rule.byMonth.isEmpty else { return nil }
    let month = rule.byMonth.first ?? start.month
    let day = rule.byMonthDay.first ?? start.day
    let commonYear = 2001
    guard let date = CivilDate(year: commonYear, month: month, day: day) else { return nil }
    return .julian(date.dayOfYear)
  }

  private static func day(_ rule: Rule, _ weekday: Rule.WeekdayNumber, month: Int) -> Day? {
    var ordinal = weekday.ordinal
    if rule.bySetPosition.count == 1, ordinal == 0, rule.byMonthDay.isEmpty {
      ordinal = rule.bySetPosition[0]
    } else if !rule.bySetPosition.isEmpty {
      return nil
    }
    switch ordinal {
    case 1...4 where rule.byMonthDay.isEmpty:
      return .weekday(month: month, week: ordinal, weekday.weekday)
    case -1 where rule.byMonthDay.isEmpty:
      return .weekday(month: month, week: 5, weekday.weekday)
    case -4 ... -2 where rule.byMonthDay.isEmpty:
      return .weekdayBeforeLast(month: month, weeks: -1 - ordinal, weekday.weekday)
    case 0: return day(in: rule.byMonthDay, weekday.weekday, month: month)
    default: return nil
    }
  }

  /// Seven days of the month in a row hold each weekday once.
  private static func day(in days: [Int], _ weekday: Weekday, month: Int) -> Day? {
    guard days.count == 7, let first = days.first, let last = days.last, last - first == 6 else {
      return nil
    }
    if first > 0 {
      // The days must be there in every year.
      let shortYear = 2001
      guard last <= CivilDate.daysInMonth(month, year: shortYear) else { return nil }
      return .weekdayOnOrAfter(month: month, day: first, weekday)
    }
    switch last {
    case -1: return .weekday(month: month, week: 5, weekday)
    case -8, -15, -22: return .weekdayBeforeLast(month: month, weeks: -last / 7, weekday)
    default: return nil
    }
  }
}
