package import CivilTime

/// A recurrence rule (RFC 5545 3.3.10, RFC 7529), in the Gregorian calendar or in another one.
///
/// A rule is always valid: the initialisers throw an error if a number is out of its range. Its lists
/// are sorted and have no duplicates.
public struct Rule: Hashable, Sendable {
  /// The unit in which a rule repeats (FREQ).
  package enum Frequency: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    /// The rule repeats by seconds.
    case secondly
    /// The rule repeats by minutes.
    case minutely
    /// The rule repeats by hours.
    case hourly
    /// The rule repeats by days.
    case daily
    /// The rule repeats by weeks.
    case weekly
    /// The rule repeats by months.
    case monthly
    /// The rule repeats by years.
    case yearly

    package static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The end of a rule (UNTIL), in the form in which it is written.
  package enum Until: Hashable, Sendable {
    /// The whole of that date, in the zone of the event.
    case date(CivilDate)
    /// A local time of the event.
    case local(CivilDateTime)
    /// A moment in UTC.
    case utc(CivilDateTime)
  }

  /// SKIP of RFC 7529: what happens to a date that does not exist, because the year does not have the
  /// leap month or the month does not have the day.
  package enum Skip: UInt8, Hashable, Sendable, CaseIterable {
    /// The rule has no occurrence there.
    case omit
    /// The previous existing month or day replaces it.
    case backward
    /// The next existing month or day replaces it.
    case forward
  }

  /// One value of BYDAY: `MO`, `2TU`, `-1SU`.
  package struct WeekdayNumber: Hashable, Sendable {
    /// The number of the weekday within the month or year, from its end if negative. 0 means each.
    package let ordinal: Int
    /// The day of the week.
    package let weekday: Weekday

    /// `nil` if `ordinal` is not from −53 to 53.
    package init?(ordinal: Int = 0, _ weekday: Weekday) {
      guard (-53...53).contains(ordinal) else { return nil }
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  /// The BYxxx parts that are lists of numbers.
  package enum NumberPart: UInt8, Hashable, Sendable, CaseIterable {
    /// BYSECOND: seconds of the minute.
    case bySecond
    /// BYMINUTE: minutes of the hour.
    case byMinute
    /// BYHOUR: hours of the day.
    case byHour
    /// BYMONTHDAY: days of the month.
    case byMonthDay
    /// BYYEARDAY: days of the year.
    case byYearDay
    /// BYWEEKNO: ISO 8601 weeks of the year.
    case byWeekNumber
    /// BYMONTH: months of the year.
    case byMonth
    /// BYSETPOS: positions among the occurrences of a period.
    case bySetPosition

    /// The name of the part in a rule's text.
    package var name: String {
      switch self {
      case .bySecond: "BYSECOND"
      case .byMinute: "BYMINUTE"
      case .byHour: "BYHOUR"
      case .byMonthDay: "BYMONTHDAY"
      case .byYearDay: "BYYEARDAY"
      case .byWeekNumber: "BYWEEKNO"
      case .byMonth: "BYMONTH"
      case .bySetPosition: "BYSETPOS"
      }
    }

    /// The allowed values. 0 is not allowed in a part that also counts from the end.
    package func range(in calendar: CalendarSystem?) -> ClosedRange<Int> {
      let longestYear = calendar?.longestYear ?? 366
      return switch self {
      case .bySecond: 0...60
      case .byMinute: 0...59
      case .byHour: 0...23
      case .byMonthDay: -31...31
      case .byYearDay, .bySetPosition: -longestYear...longestYear
      // A year that is longer than 55 weeks does not exist.
      case .byWeekNumber: longestYear > 366 ? -55...55 : -53...53
      case .byMonth: 1...(calendar?.lastMonth ?? 12)
      }
    }

    func allows(_ number: Int, in calendar: CalendarSystem?) -> Bool {
      let range = range(in: calendar)
      return range.contains(number) && (number != 0 || range.lowerBound == 0)
    }
  }

  /// The allowed values of INTERVAL and COUNT. No calendar has more periods than this.
  package static let countRange = 1...999_999_999_999_999

  /// FREQ: the unit in which the rule repeats.
  package let frequency: Frequency
  /// INTERVAL: the number of units from one period to the next; 1 if the rule does not state it.
  package private(set) var interval: Int
  /// COUNT: the number of occurrences; `nil` if the rule does not state it. A rule with COUNT and
  /// UNTIL ends with the one that comes first.
  package private(set) var count: Int?
  /// UNTIL: the last possible occurrence; `nil` if the rule does not state it.
  package private(set) var until: Until?
  /// BYSECOND, 0 to 60. This list and those below are sorted, and empty if the rule does not have
  /// the part.
  package var bySecond: [Int] { lists.bySecond }
  /// BYMINUTE, 0 to 59.
  package var byMinute: [Int] { lists.byMinute }
  /// BYHOUR, 0 to 23.
  package var byHour: [Int] { lists.byHour }
  /// BYDAY: weekdays, possibly with their number within the month or year.
  package var byDay: [WeekdayNumber] { lists.byDay }
  /// BYMONTHDAY, 1 to 31, or −31 to −1 from the end of the month.
  package var byMonthDay: [Int] { lists.byMonthDay }
  /// BYYEARDAY, 1 to 366, or −366 to −1 from the end of the year.
  package var byYearDay: [Int] { lists.byYearDay }
  /// BYWEEKNO, 1 to 53, or −53 to −1 from the end of the year.
  package var byWeekNumber: [Int] { lists.byWeekNumber }
  /// BYMONTH, 1 to 12.
  package var byMonth: [Int] { lists.byMonth }
  /// The leap months of BYMONTH in other calendars: 5 for `5L`.
  package var byLeapMonth: [Int] { lists.byLeapMonth }
  /// BYSETPOS: which occurrences of each period remain, from 1, or from the end if negative.
  package var bySetPosition: [Int] { lists.bySetPosition }
  /// WKST: the day on which weeks begin; Monday if the rule does not state it.
  package let weekStart: Weekday
  /// SKIP: what happens to dates that do not exist; `omit` if the rule does not state it.
  package let skip: Skip
  /// RSCALE; `nil` for the Gregorian calendar and those with the same months and days.
  package let calendar: CalendarSystem?
  private let lists: Lists

  /// A rule with these parts. Throws if a number is out of its range.
  package init(
    _ frequency: Frequency, interval: Int = 1, count: Int? = nil, until: Until? = nil,
    byDay: [WeekdayNumber] = [], _ numbers: [NumberPart: [Int]] = [:],
    weekStart: Weekday = .monday, skip: Skip = .omit, calendar: CalendarSystem? = nil,
    byLeapMonth: [Int] = []
  ) throws(RuleError) {
    func check(_ number: Int, _ name: String) throws(RuleError) {
      if Self.countRange.contains(number) { return }
      throw RuleError(.outOfRange(number: "\(number)", Self.countRange), part: "\(name)=\(number)")
    }
    try check(interval, "INTERVAL")
    if let count { try check(count, "COUNT") }
    for (part, values) in numbers {
      for value in values where !part.allows(value, in: calendar) {
        throw RuleError(
          .outOfRange(number: "\(value)", part.range(in: calendar)),
          part: "\(part.name)=\(value)")
      }
    }
    for month in byLeapMonth
    where calendar?.hasLeapMonths != true || !NumberPart.byMonth.allows(month, in: calendar) {
      throw RuleError(.leapMonth("\(month)L"), part: "BYMONTH=\(month)L")
    }
    func list(_ part: NumberPart) -> [Int] {
      guard let values = numbers[part], !values.isEmpty else { return [] }
      return values.count == 1 ? values : Set(values).sorted()
    }
    self.frequency = frequency
    self.interval = interval
    self.count = count
    self.until = until
    let days =
      byDay.count <= 1
      ? byDay
      : Set(byDay).sorted {
        ($0.ordinal, $0.weekday.rawValue) < ($1.ordinal, $1.weekday.rawValue)
      }
    lists = Lists(
      bySecond: list(.bySecond), byMinute: list(.byMinute), byHour: list(.byHour), byDay: days,
      byMonthDay: list(.byMonthDay), byYearDay: list(.byYearDay),
      byWeekNumber: list(.byWeekNumber), byMonth: list(.byMonth),
      byLeapMonth: byLeapMonth.count <= 1 ? byLeapMonth : Set(byLeapMonth).sorted(),
      bySetPosition: list(.bySetPosition))
    self.weekStart = weekStart
    self.skip = skip
    self.calendar = calendar
  }

  /// Whether it names times of day, which no whole day has (RFC 5545 3.3.10).
  package var repeatsWithinDay: Bool {
    frequency < .daily || !(byHour.isEmpty && byMinute.isEmpty && bySecond.isEmpty)
  }

  /// The same rule without its UNTIL.
  package var withoutUntil: Rule {
    var rule = self
    rule.until = nil
    return rule
  }

  /// The rule of a series of whole days, which ends with a date. `dayZone` is that of the series.
  package func ofWholeDays(onClockOf dayZone: Zone?) -> Rule {
    guard let until else { return self }
    var rule = self
    rule.until = .date(until.date(onClockOf: dayZone))
    return rule
  }

  /// The same rule without INTERVAL.
  package var inEachPeriod: Rule {
    var rule = self
    rule.interval = 1
    return rule
  }

  /// The rule without its occurrences from a moment on. A date means the whole day. With `isOccurrence` it
  /// has one at that moment, so that its COUNT ends later.
  package func ending(before moment: EventTime, isOccurrence: Bool) -> Rule {
    let end: Until
    switch moment {
    case .date(let date): end = date.adding(days: -1).map(Until.date) ?? .date(.first)
    case .floating(let civil):
      end = CivilDateTime(civilSeconds: civil.civilSeconds - 1).map(Until.local) ?? .date(.first)
    case .zoned, .utc: end = .utc(moment.instant(for: .utc).adding(seconds: -1).utc)
    }
    if let until, until.civilSeconds <= end.civilSeconds { return self }
    var rule = self
    rule.until = end
    if isOccurrence { rule.count = nil }
    return rule
  }

  /// The numbers of one list part.
  package subscript(part: NumberPart) -> [Int] {
    switch part {
    case .bySecond: bySecond
    case .byMinute: byMinute
    case .byHour: byHour
    case .byMonthDay: byMonthDay
    case .byYearDay: byYearDay
    case .byWeekNumber: byWeekNumber
    case .byMonth: byMonth
    case .bySetPosition: bySetPosition
    }
  }
}

extension Rule.Until {
  /// The last date of a series of whole days that ends there, as `EventTime.date(onClockOf:)` finds
  /// it. Without a `dayZone`, only a moment at a full quarter of an hour is a midnight of its producer:
  /// `20261019T215959Z` is the end of its date in UTC, 19 October.
  package func date(onClockOf dayZone: Zone?) -> CivilDate {
    switch self {
    case .date(let date): return date
    case .local(let civil): return civil.date
    case .utc(let civil):
      let isMidnight = civil.time.secondOfDay % (15 * 60) == 0
      if dayZone == nil, !isMidnight { return civil.date }
      return EventTime.utc(civil).date(onClockOf: dayZone)
    }
  }

  /// Roughly when it is: UNTIL and the time that it is compared with have the same form, apart from
  /// mistakes.
  fileprivate var civilSeconds: Int {
    switch self {
    case .date(let date): Int(date.dayNumber) * TimeOfDay.secondsPerCivilDay
    case .local(let civil), .utc(let civil): civil.civilSeconds
    }
  }
}

/// The lists of a rule. By reference, because a rule is copied often, and there are ten of them.
private final class Lists: Hashable, Sendable {
  let bySecond, byMinute, byHour: [Int]
  let byDay: [Rule.WeekdayNumber]
  let byMonthDay, byYearDay, byWeekNumber, byMonth, byLeapMonth, bySetPosition: [Int]

  init(
    bySecond: [Int], byMinute: [Int], byHour: [Int], byDay: [Rule.WeekdayNumber],
    byMonthDay: [Int], byYearDay: [Int], byWeekNumber: [Int], byMonth: [Int], byLeapMonth: [Int],
    bySetPosition: [Int]
  ) {
    (self.bySecond, self.byMinute, self.byHour, self.byDay) = (bySecond, byMinute, byHour, byDay)
    (self.byMonthDay, self.byYearDay, self.byWeekNumber) = (byMonthDay, byYearDay, byWeekNumber)
    (self.byMonth, self.byLeapMonth, self.bySetPosition) = (byMonth, byLeapMonth, bySetPosition)
  }

  private var numbers: [[Int]] {
    [
      bySecond, byMinute, byHour, byMonthDay, byYearDay, byWeekNumber, byMonth, byLeapMonth,
      bySetPosition,
    ]
  }

  static func == (left: Lists, right: Lists) -> Bool {
    left === right || left.byDay == right.byDay && left.numbers == right.numbers
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(byDay)
    hasher.combine(numbers)
  }
}
