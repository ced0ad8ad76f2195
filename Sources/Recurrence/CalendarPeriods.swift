internal import CivilTime

/// The occurrences of WEEKLY, MONTHLY and YEARLY rules in a calendar other than the Gregorian one,
/// as seconds of civil time.
///
/// A period is a year or a month of that calendar, or a week. The period at a window is found by
/// arithmetic or in the calendar's table. A period is read as a whole. With SKIP it can reach into
/// the last day of the period before it or the first day of the one after it, so that their
/// occurrences are merged.
struct CalendarPeriods: Sendable {
  private let frequency: Rule.Frequency
  private let interval: Int
  private let skip: Rule.Skip
  private let filter: DayFilter
  private let months: CalendarDayFilter
  private let times: [Int32]
  private let positions: SetPositions
  /// The first day number from 0 on which a week begins.
  private let weekOffset: Int
  /// The period of DTSTART; `nil` if that lies outside of the calendar's table.
  private let origin: Int?

  private var period = 0
  private var isAtEnd = true
  private var lower = Int.min
  /// The times of the periods that were read so far, in order: midnights of days, each with all
  /// `times`, or the choice of BYSETPOS.
  private var ready: [Int] = []
  private var readyPlace = 0
  private var timePlace = 0
  /// The first second that the next period can give.
  private var reach = Int.max
  private var periodsRead = 0
  private var emptyPeriods = 0
  /// The year that was looked at last.
  private var year: CalendarYear?
  private var month = FilteredMonth()
  private var chosen: [Int] = []
  /// How much may still be looked at. It ends at 0.
  var work = WorkLimit()

  init(
    _ rule: Rule, filter: DayFilter, months: CalendarDayFilter, start: CivilDateTime, isDate: Bool
  ) {
    frequency = rule.frequency
    interval = rule.interval
    skip = rule.frequency >= .monthly ? rule.skip : .omit
    self.filter = filter
    self.months = months
    times =
      ClockTimes.within(
        unit: ClockTimes.secondsPerDay, rule, start: start.time, isDate: isDate
      ).list
    positions = SetPositions(numbers: rule.bySetPosition)
    // Day 0, 1970-01-01, was a Thursday.
    weekOffset = rule.weekStart.days(after: .thursday)
    let day = Int(start.date.dayNumber)
    origin = Self.period(of: day, rule.frequency, in: months.calendar, weekOffset)
  }

  private static func period(
    of day: Int, _ frequency: Rule.Frequency, in calendar: CalendarSystem, _ weekOffset: Int
  ) -> Int? {
    guard let year = calendar.year(containing: day), let place = year.place(of: day) else {
      return nil
    }
    return switch frequency {
    case .yearly: year.number
    case .monthly: year.firstMonth + place
    case .weekly, .daily, .hourly, .minutely, .secondly: floorDivide(day - weekOffset, 7)
    }
  }

  /// The most periods that are read for a COUNT, and the most without any occurrence before a rule
  /// ends. Every possible date comes sooner, and a rule for an impossible date must end.
  private var mostPeriods: Int {
    switch frequency {
    case .yearly: 600
    case .monthly: 600 * 12
    case .weekly, .daily, .hourly, .minutely, .secondly: 600 * 52
    }
  }

  /// Begins again with the first occurrence that is not before a civil second.
  mutating func start(from lower: Int) {
    self.lower = lower
    (ready, readyPlace, timePlace) = ([], 0, 0)
    (periodsRead, emptyPeriods) = (0, 0)
    isAtEnd = true
    let day = floorDivide(lower, ClockTimes.secondsPerDay)
    guard let origin else { return }
    var wanted = origin
    if let found = Self.period(of: day, frequency, in: months.calendar, weekOffset) {
      // With SKIP=FORWARD the period before can reach into this one.
      wanted = max(origin, skip == .forward ? found - 1 : found)
    } else if day > Int(CivilDate.first.dayNumber), months.calendar.ends(before: day) {
      return
    }
    let rest = (wanted - origin) % interval
    period = rest == 0 ? wanted : wanted - rest + interval
    isAtEnd = false
    reach = reach(of: period)
  }

  mutating func next() -> Int? {
    while let item = currentItem() {
      guard positions.isEmpty else {
        readyPlace += 1
        if item >= lower { return item }
        continue
      }
      if timePlace == 0, item < lower {
        timePlace = times.partitioningIndex { item + Int($0) >= lower }
      }
      guard timePlace < times.count else {
        (readyPlace, timePlace) = (readyPlace + 1, 0)
        continue
      }
      timePlace += 1
      return item + Int(times[timePlace - 1])
    }
    return nil
  }

  /// The `number`th occurrence from a civil second on, from 1; `nil` if it does not come within
  /// about 600 years.
  mutating func occurrence(_ number: Int, from lower: Int) -> Int? {
    start(from: lower)
    var left = number
    while let item = currentItem(), periodsRead <= mostPeriods {
      readyPlace += 1
      guard positions.isEmpty else {
        if item >= lower { left -= 1 }
        if left == 0 { return item }
        continue
      }
      let first = item < lower ? times.partitioningIndex { item + Int($0) >= lower } : 0
      if left <= times.count - first { return item + Int(times[first + left - 1]) }
      left -= times.count - first
    }
    return nil
  }

  /// The midnight or, with BYSETPOS, the occurrence that is next.
  private mutating func currentItem() -> Int? {
    while true {
      if readyPlace < ready.count, isAtEnd || ready[readyPlace] < reach { return ready[readyPlace] }
      if isAtEnd { return nil }
      readPeriod()
    }
  }

  private mutating func readPeriod() {
    guard work.spend(WorkLimit.ofOtherMonth), let days = days(of: period) else {
      isAtEnd = true
      return
    }
    let rest = ready[readyPlace...]
    let given = chosen(from: days)
    ready = rest.isEmpty ? given : Set(rest).union(given).sorted()
    readyPlace = 0
    timePlace = 0
    periodsRead += 1
    emptyPeriods = given.isEmpty ? emptyPeriods + 1 : 0
    if emptyPeriods > mostPeriods { isAtEnd = true }
    period += interval
    reach = reach(of: period)
  }

  /// Midnights, or what BYSETPOS chooses of all times of the days.
  private mutating func chosen(from days: [Int]) -> [Int] {
    if positions.isEmpty { return days.map { $0 * ClockTimes.secondsPerDay } }
    positions.places(inSetOf: days.count * times.count, into: &chosen)
    return chosen.map {
      days[$0 / times.count] * ClockTimes.secondsPerDay + Int(times[$0 % times.count])
    }
  }

  /// The days of a period, in order; `nil` after the calendar's end.
  private mutating func days(of period: Int) -> [Int]? {
    let calendar = months.calendar
    switch frequency {
    case .yearly: return calendar.year(period).map { months.days(of: $0) }
    case .monthly:
      guard let year = year(ofMonth: period) else { return nil }
      return months.days(ofMonth: period - year.firstMonth, of: year)
    case .weekly, .daily, .hourly, .minutely, .secondly:
      let first = period * 7 + weekOffset
      guard CivilDate(dayNumber: first) != nil, !calendar.ends(before: first) else { return nil }
      return (first..<first + 7).filter { day in
        month.load(containing: day, filter)
        return month.allows(day)
      }
    }
  }

  private mutating func year(ofMonth month: Int) -> CalendarYear? {
    if let year, month >= year.firstMonth, month < year.endMonth { return year }
    year = months.calendar.year(ofMonth: month)
    return year
  }

  private mutating func reach(of period: Int) -> Int {
    let first: Int?
    switch frequency {
    case .yearly: first = months.calendar.year(period)?.firstDay
    case .monthly:
      first = year(ofMonth: period).map { $0.months[period - $0.firstMonth].firstDay }
    case .weekly, .daily, .hourly, .minutely, .secondly: first = period * 7 + weekOffset
    }
    guard let first, first < Int(CivilDate.afterLast.dayNumber) else { return .max }
    return (skip == .backward ? first - 1 : first) * ClockTimes.secondsPerDay
  }
}
