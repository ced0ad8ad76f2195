public import CivilTime

/// A recurrence rule (RFC 5545 3.3.10, RFC 7529), in the Gregorian calendar or in another one.
///
/// No part of it is out of range: it is made by `RuleText` or by the throwing initializer, and
/// its lists are sorted and without duplicates.
public struct Rule: Hashable, Sendable {
  /// FREQ.
  public enum Frequency: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    public static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// UNTIL, in the form in which it was written.
  public enum Until: Hashable, Sendable {
    /// The whole of that date, in the zone of the event.
    case date(CivilDate)
    /// A local time of the event.
    case local(CivilDateTime)
    /// A moment in UTC.
    case utc(CivilDateTime)
  }

  /// SKIP of RFC 7529: what happens to a leap month that the year lacks, and then to a day that
  /// the month lacks.
  public enum Skip: UInt8, Hashable, Sendable, CaseIterable {
    case omit, backward, forward
  }

  /// One value of BYDAY: `MO`, `2TU`, `-1SU`.
  public struct WeekdayNumber: Hashable, Sendable {
    /// Which of those weekdays in the month or year, from its end where negative; 0 for each.
    public let ordinal: Int
    public let weekday: Weekday

    /// `nil` outside of -53…53.
    public init?(ordinal: Int = 0, _ weekday: Weekday) {
      guard (-53...53).contains(ordinal) else { return nil }
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  /// The BYxxx parts that are lists of numbers.
  public enum NumberPart: UInt8, Hashable, Sendable, CaseIterable {
    case bySecond, byMinute, byHour, byMonthDay, byYearDay, byWeekNumber, byMonth, bySetPosition

    /// The name of the part in a rule's text.
    public var name: String {
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
    public func range(in calendar: CalendarSystem?) -> ClosedRange<Int> {
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

  /// What INTERVAL and COUNT may be. More periods than this lie in no calendar.
  public static let countRange = 1...999_999_999_999_999

  public let frequency: Frequency
  /// INTERVAL.
  public let interval: Int
  /// COUNT; where there is an UNTIL too, whichever ends first.
  public let count: Int?
  public let until: Until?
  public let bySecond: [Int]
  public let byMinute: [Int]
  public let byHour: [Int]
  public let byDay: [WeekdayNumber]
  public let byMonthDay: [Int]
  public let byYearDay: [Int]
  public let byWeekNumber: [Int]
  public let byMonth: [Int]
  /// The leap months of BYMONTH: 5 for `5L`.
  public let byLeapMonth: [Int]
  public let bySetPosition: [Int]
  /// WKST.
  public let weekStart: Weekday
  public let skip: Skip
  /// RSCALE; `nil` for the Gregorian calendar and those that share its months and days.
  public let calendar: CalendarSystem?

  /// Throws where a number is out of its range; sorts the lists.
  public init(
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
    self.byDay =
      byDay.count <= 1
      ? byDay
      : Set(byDay).sorted {
        ($0.ordinal, $0.weekday.rawValue) < ($1.ordinal, $1.weekday.rawValue)
      }
    bySecond = list(.bySecond)
    byMinute = list(.byMinute)
    byHour = list(.byHour)
    byMonthDay = list(.byMonthDay)
    byYearDay = list(.byYearDay)
    byWeekNumber = list(.byWeekNumber)
    byMonth = list(.byMonth)
    self.byLeapMonth = byLeapMonth.count <= 1 ? byLeapMonth : Set(byLeapMonth).sorted()
    bySetPosition = list(.bySetPosition)
    self.weekStart = weekStart
    self.skip = skip
    self.calendar = calendar
  }

  /// The numbers of one list part.
  public subscript(part: NumberPart) -> [Int] {
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
