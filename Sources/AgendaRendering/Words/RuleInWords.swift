internal import CivilTime
public import Recurrence

/// A rule as a sentence: `every month on the second Tuesday until 3 May 2027`.
///
/// Every part of the rule is in the sentence. With DTSTART, the sentence also contains the parts
/// that follow from it, such as the weekday.
public struct RuleInWords: Sendable, CustomStringConvertible {
  private let rule: Rule
  private let start: EventTime?
  private let wording: DateWording
  private let words: Words.Rules

  /// With DTSTART as `start`, `FREQ=WEEKLY` from a Monday is `every Monday`. If the language of
  /// `wording` has no words, its dates are in English too, so that the whole sentence is in one
  /// language.
  public init(
    _ rule: Rule, start: EventTime? = nil, wording: DateWording = DateWording(.plain)
  ) {
    self.rule = rule
    self.start = start
    self.wording = wording.hasOwnWords ? wording : DateWording(.plain)
    words = self.wording.words.rules
  }

  public var description: String {
    let days =
      words.isLargestFirst ? periodLimits + dayClauses : dayClauses + periodLimits
    let clauses = [period] + days + [times].compactMap { $0 }
    let notes = [positions, weekStart, calendar, skip].compactMap { $0 }.map { "(\($0))" }
    let sentence = clauses.filter { !$0.isEmpty }.joined(separator: words.separator)
    let parts = [sentence] + notes
    let ends = [until, count].compactMap { $0 }.joined()
    return parts.joined(separator: " ") + ends
  }
}

// MARK: How often

extension RuleInWords {
  /// `every 2 weeks`; empty if the days already express it: `every Monday`.
  private var period: String {
    if hasEveryWeekdayAsPeriod || hasEveryMonthAsPeriod { return "" }
    let number = rule.interval
    return number == 1
      ? words.every(rule.frequency)
      : words.everyNumber(rule.frequency)(number, wording.number(number))
  }

  /// Whether `every Monday` already expresses the frequency.
  private var hasEveryWeekdayAsPeriod: Bool {
    guard rule.interval == 1, rule.frequency >= .daily, rule.bySetPosition.isEmpty,
      rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty
    else { return false }
    if rule.byDay.isEmpty { return rule.frequency == .weekly && startWeekday != nil }
    return !hasOrdinals
  }

  /// Whether `every month` already expresses the frequency: BYMONTHDAY in a YEARLY rule means every
  /// month. Ordinals of BYDAY still count in the year.
  private var hasEveryMonthAsPeriod: Bool {
    rule.frequency == .yearly && rule.interval == 1 && meansEveryMonth
      && rule.bySetPosition.isEmpty && !hasOrdinals
  }

  private var meansEveryMonth: Bool {
    rule.frequency == .yearly && !rule.byMonthDay.isEmpty && monthNames.isEmpty
  }
}

// MARK: On which days

extension RuleInWords {
  private var dayClauses: [String] {
    var clauses: [String] = []
    if meansEveryMonth { clauses.append(words.every(.monthly)) }
    if !rule.byMonthDay.isEmpty { clauses.append(daysOfMonth(rule.byMonthDay)) }
    if !rule.byYearDay.isEmpty { clauses.append(daysOfYear) }
    if rule.byDay.isEmpty {
      if let day = dayOfStart { clauses.append(day) }
    } else if hasEveryWeekdayAsPeriod {
      clauses.append(everyWeekday(rule.byDay.map(\.weekday)))
    } else {
      clauses.append(clauses.isEmpty ? weekdays : words.only(weekdays))
    }
    return clauses
  }

  /// The day that follows from DTSTART.
  private var dayOfStart: String? {
    guard rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty, let date = start?.civil.date else {
      return nil
    }
    switch rule.frequency {
    case .secondly, .minutely, .hourly, .daily: return nil
    case .weekly:
      return hasEveryWeekdayAsPeriod
        ? everyWeekday([date.weekday]) : onWeekdays([date.weekday])
    case .monthly:
      guard rule.byWeekNumber.isEmpty else { return nil }
      guard let calendar = rule.calendar else { return daysOfMonth([date.day]) }
      return CalendarDate(date, in: calendar).map { daysOfMonth([$0.day]) }
    case .yearly:
      if !rule.byWeekNumber.isEmpty { return onWeekdays([date.weekday]) }
      if let calendar = rule.calendar { return dates(like: date, in: calendar) }
      let months = rule.byMonth.isEmpty ? [date.month] : rule.byMonth
      return words.onDates(
        list(months.map { wording.dayAndMonth(day: date.day, month: $0) }))
    }
  }

  /// `on 8 Adar I`, `on day 15 of month 8`: the day of DTSTART in the months of the rule.
  private func dates(like date: CivilDate, in calendar: CalendarSystem) -> String? {
    guard let date = CalendarDate(date, in: calendar) else { return nil }
    let months = ruleMonths.isEmpty ? [date.month] : ruleMonths
    return words.onDates(list(months.map { calendar.text(day: date.day, of: $0) }))
  }

  private var ruleMonths: [MonthName] {
    rule.byMonth.map { MonthName($0) } + rule.byLeapMonth.map { MonthName($0, isLeap: true) }
  }

  /// `every Monday and Thursday`, `every weekday`, `every day`.
  private func everyWeekday(_ days: [Weekday]) -> String {
    if Set(days).count == 7 { return words.every(.daily) }
    if isWorkdays(days) { return words.everyWorkday }
    return words.everyWeekday(list(days.map { name($0, .everyWeekdayNames) }))
  }

  /// `on Monday and Thursday`, `on weekdays`.
  private func onWeekdays(_ days: [Weekday]) -> String {
    if isWorkdays(days) { return words.onWorkdays }
    return words.onWeekday(list(days.map { name($0, .onWeekdayNames) }))
  }

  /// BYDAY: `on the second Tuesday`, `every Monday`.
  private var weekdays: String {
    if let position = onlyPosition {
      return words.onOrdinal(ordinal(position, choice.noun, choice.gender))
    }
    if !hasOrdinals {
      let days = rule.byDay.map(\.weekday)
      let isWithinPeriod = rule.frequency >= .monthly && rule.byMonthDay.isEmpty
      return isWithinPeriod && rule.byYearDay.isEmpty ? everyWeekday(days) : onWeekdays(days)
    }
    let sorted = rule.byDay.sorted {
      (Self.rank($0.ordinal), $0.weekday.rawValue) < (Self.rank($1.ordinal), $1.weekday.rawValue)
    }
    let ordinals = sorted.filter { $0.ordinal != 0 }.map { day in
      ordinal(
        day.ordinal, name(day.weekday, .ordinalWeekdayNames), words.gender(of: day.weekday))
    }
    let others = sorted.filter { $0.ordinal == 0 }.map(\.weekday)
    let clause = words.onOrdinal(list(ordinals))
    return others.isEmpty ? clause : list([everyWeekday(others), clause])
  }

  /// Ordinals from the start of the period come before those from its end.
  private static func rank(_ ordinal: Int) -> Int { ordinal >= 0 ? ordinal : 1000 + ordinal }

  /// Only months and years can have a second Tuesday.
  private var hasOrdinals: Bool {
    (rule.frequency == .monthly || (rule.frequency == .yearly && rule.byWeekNumber.isEmpty))
      && rule.byDay.contains { $0.ordinal != 0 }
  }

  private func isWorkdays(_ days: [Weekday]) -> Bool {
    days.count == 5 && Set(days) == [.monday, .tuesday, .wednesday, .thursday, .friday]
  }

  private var startWeekday: Weekday? { start?.civil.date.weekday }

  /// `on the 1st and 15th`, `on the last day`.
  private func daysOfMonth(_ days: [Int]) -> String {
    let fromStart = days.filter { $0 > 0 }.map {
      words.dayOfMonth($0, wording.number($0))
    }
    let fromEnd = days.filter { $0 < 0 }.map { ordinal($0, words.day, .masculine) }
    return list(
      (fromStart.isEmpty ? [] : [words.onDaysOfMonth(list(fromStart))])
        + (fromEnd.isEmpty ? [] : [words.onOrdinal(list(fromEnd))]))
  }

  private var daysOfYear: String {
    counted(rule.byYearDay, words.onDaysOfYear, fromEnd: words.onDaysFromEndOfYear)
  }

  /// Numbers from the start and numbers from the end, each in a separate clause.
  private func counted(_ numbers: [Int], _ clause: Phrase1, fromEnd: Phrase1) -> String {
    let first = numbers.filter { $0 > 0 }.map { wording.number($0) }
    let last = numbers.filter { $0 < 0 }.map { wording.number(-$0) }
    return list(
      (first.isEmpty ? [] : [clause(list(first))]) + (last.isEmpty ? [] : [fromEnd(list(last))]))
  }

  /// `second Tuesday`, `last day`, `3rd to last Sunday`.
  private func ordinal(_ number: Int, _ noun: String, _ gender: Words.Gender) -> String {
    words.ordinal(number, wording.number(abs(number)), noun, gender)
  }

  private func name(_ weekday: Weekday, _ list: Words.Rules.WeekdayList) -> String {
    words.weekdayName(weekday, list) ?? wording.weekdayName(weekday)
  }

  private func list(_ items: [String]) -> String { wording.words.lists.and(items) }
}

// MARK: Limits

extension RuleInWords {
  /// BYWEEKNO and BYMONTH, unless a date already names the month.
  private var periodLimits: [String] {
    var limits: [String] = []
    if !rule.byWeekNumber.isEmpty {
      limits.append(
        counted(rule.byWeekNumber, words.inWeeks, fromEnd: words.inWeeksFromEndOfYear))
    }
    let isInDate =
      rule.frequency == .yearly && start != nil && rule.byDay.isEmpty && rule.byMonthDay.isEmpty
      && rule.byYearDay.isEmpty && rule.byWeekNumber.isEmpty
    if !monthNames.isEmpty, !isInDate { limits.append(words.inMonths(list(monthNames))) }
    return limits
  }

  /// The months of BYMONTH. Those of other calendars are in English.
  private var monthNames: [String] {
    guard let calendar = rule.calendar else { return rule.byMonth.map(monthName) }
    return ruleMonths.map { calendar.name(of: $0) }
  }

  private var calendar: String? { rule.calendar.map { "\($0.name) calendar" } }

  private func monthName(_ month: Int) -> String {
    words.monthName(month) ?? wording.monthName(month)
  }

  /// The start of the week matters only if the rule counts weeks.
  private var weekStart: String? {
    let countsWeeks =
      !rule.byWeekNumber.isEmpty
      || (rule.frequency == .weekly && rule.interval > 1 && rule.byDay.count > 1)
    guard countsWeeks, rule.weekStart != .monday else { return nil }
    return words.weeksBeginOn(wording.weekdayName(rule.weekStart))
  }

  /// BYHOUR, BYMINUTE, BYSECOND.
  private var times: String? {
    let (hours, minutes, seconds) = (rule.byHour, rule.byMinute, rule.bySecond)
    if hours.isEmpty, minutes.isEmpty, seconds.isEmpty { return nil }
    if start?.isDate == true { return nil }
    if rule.frequency >= .daily, !hours.isEmpty {
      let minutesOfStart = start.map { [$0.civil.time.minute] } ?? [0]
      let clock = minutes.isEmpty ? minutesOfStart : minutes
      if seconds.isEmpty, hours.count * clock.count <= 12 {
        let times = hours.flatMap { hour in
          clock.compactMap { TimeOfDay(hour: hour, minute: $0).map(wording.time) }
        }
        return words.atTimes(list(times))
      }
    }
    return [
      (hours, words.inHours), (minutes, words.atMinutes), (seconds, words.atSeconds),
    ].filter { !$0.0.isEmpty }
      .map { numbers, clause in clause(list(numbers.map { wording.number($0) })) }
      .joined(separator: words.separator)
  }

  /// BYSETPOS that chooses one of some weekdays: `on the last weekday`.
  private var onlyPosition: Int? {
    guard rule.bySetPosition.count == 1, rule.frequency >= .monthly, rule.byMonthDay.isEmpty,
      rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, !rule.byDay.isEmpty,
      rule.frequency == .monthly || rule.byMonth.count == 1,
      rule.byDay.allSatisfy({ $0.ordinal == 0 }), rule.byHour.count < 2, rule.byMinute.count < 2,
      rule.bySecond.count < 2
    else { return nil }
    return rule.bySetPosition.first
  }

  /// The words for the occurrences that BYSETPOS chooses from.
  private var choice: (noun: String, gender: Words.Gender) {
    let days = rule.byDay.map(\.weekday)
    if Set(days).count == 7 { return (words.day, .masculine) }
    if isWorkdays(days) { return (words.workday, .masculine) }
    if Set(days) == [.saturday, .sunday] { return (words.weekendDay, .masculine) }
    let names = days.map { name($0, .ordinalWeekdayNames) }
    let gender = days.first.map(words.gender) ?? .masculine
    return (wording.words.lists.or(names), gender)
  }

  /// BYSETPOS that `onlyPosition` does not cover.
  private var positions: String? {
    guard !rule.bySetPosition.isEmpty, onlyPosition == nil else { return nil }
    let sorted = rule.bySetPosition.sorted { Self.rank($0) < Self.rank($1) }
    let dates = sorted.map { ordinal($0, words.date, .masculine) }
    return words.onlyPositions(words.onOrdinal(list(dates)))
  }

  private var skip: String? {
    guard rule.frequency >= .monthly else { return nil }
    return switch rule.skip {
    case .omit: nil
    case .backward: words.skipBackward
    case .forward: words.skipForward
    }
  }
}

// MARK: Until when

extension RuleInWords {
  private var until: String? {
    rule.until.map { words.separator + words.until(text(of: $0)) }
  }

  private var count: String? {
    guard let count = rule.count else { return nil }
    let times = words.times(count, wording.number(count))
    // The series ends at whichever comes first.
    return wording.words.lists.comma + (rule.until == nil ? times : words.atMost(times))
  }

  private func text(of until: Rule.Until) -> String {
    let civil: CivilDateTime
    switch until {
    case .date(let date): return wording.longDate(date)
    case .local(let local): civil = local
    case .utc(let moment):
      if start?.isDate == true { return wording.longDate(moment.date) }
      guard let zone = start?.zone else { return text(of: moment) + " UTC" }
      civil = zone.civil(at: Instant(utc: moment))
    }
    // The time is left out if it is that of the last occurrence or the end of the day.
    if start?.isDate == true || civil.time == start?.civil.time
      || civil.time.secondOfDay >= TimeOfDay.secondsPerCivilDay - 60
    {
      return wording.longDate(civil.date)
    }
    return text(of: civil)
  }

  private func text(of civil: CivilDateTime) -> String {
    wording.dateAndTime(wording.longDate(civil.date), wording.time(civil.time))
  }
}
