internal import CivilTime

/// The occurrences of SECONDLY, MINUTELY, HOURLY and DAILY rules, as seconds of civil time.
///
/// Their periods are all of one length and all give the same times within it, so the period at
/// a window is arithmetic, and days or hours that a rule does not allow are jumped over.
struct ClockPeriods: Sendable {
  /// Seconds of a period.
  let unit: Int
  let periodsPerDay: Int
  let interval: Int
  /// The period of DTSTART, counted from 1970.
  let origin: Int
  /// The times within a period, after BYSETPOS.
  let times: [Int32]
  let filter: DayFilter
  let begins: ClockTimes
  let isPlain: Bool
  /// Whether no period can ever match.
  private let isEmpty: Bool

  private var month = FilteredMonth()
  private(set) var period = 0
  private(set) var place = 0
  private(set) var isAtEnd = false
  /// How much may still be looked at. It ends at 0.
  var work = WorkLimit()

  /// The first period after the year 9999.
  let endPeriod: Int

  init(_ rule: Rule, start: CivilDateTime, isDate: Bool) {
    unit =
      switch rule.frequency {
      case .secondly: 1
      case .minutely: 60
      case .hourly: 3600
      case .daily, .weekly, .monthly, .yearly: ClockTimes.secondsPerDay
      }
    periodsPerDay = ClockTimes.secondsPerDay / unit
    endPeriod = (Int(CivilDate.last.dayNumber) + 1) * periodsPerDay
    interval = rule.interval
    origin = floorDivide(start.civilSeconds, unit)
    times = SetPositions(numbers: rule.bySetPosition).applied(
      to: ClockTimes.within(unit: unit, rule, start: start.time, isDate: isDate).list)
    filter = DayFilter(rule, start: start.date)
    begins = ClockTimes.ofPeriods(unit: unit, rule, isDate: isDate)
    isPlain = filter.isTrivial && begins.isTrivial(unit: unit)
    isEmpty =
      times.isEmpty || filter.allowsNoDay
      || (!isPlain && interval > 1
        && !Self.canMeet(
          begins, weekdays: filter.isOnlyWeekdays ? filter.weekdays : 0x7F, unit: unit,
          interval: interval, origin: origin))
  }

  /// Whether steps of the interval ever fall on an allowed time of an allowed weekday: both repeat
  /// every week, so all that counts is the common divisor with a week.
  private static func canMeet(
    _ begins: ClockTimes, weekdays: UInt8, unit: Int, interval: Int, origin: Int
  ) -> Bool {
    let periodsPerDay = ClockTimes.secondsPerDay / unit
    let divisor = greatestCommonDivisor(interval, 7 * periodsPerDay)
    if divisor == 1 { return true }
    let days = (0..<7).filter { weekdays & 1 << UInt8(DayFilter.weekday(ofDayNumber: $0)) != 0 }
    let rest = (origin % divisor + divisor) % divisor
    guard divisor < UInt64.bitWidth else {
      // Few steps fit into a week.
      return stride(from: rest, to: 7 * periodsPerDay, by: divisor).contains { period in
        days.contains(period / periodsPerDay)
          && begins.contains(period % periodsPerDay * unit)
      }
    }
    // The rests that all sums of a day, an hour, a minute and a second can have.
    var rests: UInt64 = 1
    for numbers in [
      days.map { $0 * periodsPerDay }, begins.hours.members.map { $0 * 3600 / unit },
      begins.minutes.members.map { $0 * 60 / unit }, begins.seconds.members.map { $0 / unit },
    ] {
      rests = numbers.reduce(0) { sums, number in
        rests.members.reduce(sums) { $0 | 1 << UInt64(($1 + number) % divisor) }
      }
    }
    return rests & 1 << UInt64(rest) != 0
  }

  /// Begins again with the first occurrence that is not before a civil second.
  mutating func start(from lower: Int) {
    isAtEnd = isEmpty
    if isAtEnd { return }
    // The period of DTSTART is the first; what lies in it before DTSTART is below `lower`.
    let wanted = max(origin, floorDivide(lower, unit))
    guard let first = allowed(from: wanted) else {
      isAtEnd = true
      return
    }
    period = first
    place = 0
    if period == wanted {
      let offset = lower - period * unit
      place = times.partitioningIndex { Int($0) >= offset }
    }
  }

  mutating func next() -> Int? {
    while !isAtEnd {
      if place < times.count {
        defer { place += 1 }
        return period * unit + Int(times[place])
      }
      place = 0
      if isPlain {
        period += interval
        isAtEnd = period >= endPeriod
      } else if let following = allowed(from: period + interval) {
        period = following
      } else {
        isAtEnd = true
      }
    }
    return nil
  }

  /// The first allowed period from this one on, in steps of the interval.
  private mutating func allowed(from wanted: Int) -> Int? {
    var period = aligned(wanted)
    // If the steps skip no month, a whole cycle of empty months means that all others are empty
    // too.
    var emptyMonths = 0
    let seesEachMonth = interval <= 28 * periodsPerDay
    while period < endPeriod {
      if isPlain { return period }
      guard work.spend(filter.other == nil ? 1 : WorkLimit.ofOtherMonth) else { return nil }
      let day = floorDivide(period, periodsPerDay)
      if !filter.isTrivial {
        month.load(containing: day, filter)
        if !month.allows(day) {
          if let found = month.firstDay(from: day) {
            period = aligned(found * periodsPerDay)
            continue
          }
          emptyMonths = month.days == 0 ? emptyMonths + 1 : 0
          if seesEachMonth, emptyMonths > GregorianCycle.months { return nil }
          period = aligned(month.end * periodsPerDay)
          continue
        }
      }
      let second = (period - day * periodsPerDay) * unit
      let allowed = begins.first(from: second)
      if allowed == second { return period }
      period = aligned(day * periodsPerDay + allowed / unit)
    }
    return nil
  }

  private func aligned(_ period: Int) -> Int {
    if interval == 1 { return period }
    let rest = (period - origin) % interval
    return rest == 0 ? period : period - rest + (rest > 0 ? interval : 0)
  }
}

/// Division that rounds down, for a positive divisor.
func floorDivide(_ number: Int, _ divisor: Int) -> Int {
  let quotient = number / divisor
  return number % divisor < 0 ? quotient - 1 : quotient
}

func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
  var (left, right) = (left, right)
  while right != 0 { (left, right) = (right, left % right) }
  return left
}

extension UInt64 {
  /// The numbers of its bits, in order.
  fileprivate var members: [Int] { (0..<Self.bitWidth).filter { self & 1 << UInt64($0) != 0 } }
}
