internal import CivilTime

/// Where a COUNT ends: months are counted as wholes, and no more of them than until the calendar
/// and the steps of INTERVAL repeat.
extension ClockPeriods {
  /// The `number`th occurrence from a civil second on, from 1; `nil` if the calendar ends before
  /// it.
  mutating func occurrence(_ number: Int, from lower: Int) -> Int? {
    start(from: lower)
    if isAtEnd { return nil }
    let inFirst = times.count - place
    if number <= inFirst { return period * unit + Int(times[place + number - 1]) }
    let more = number - inFirst - 1
    let (skipped, time) = more.quotientAndRemainder(dividingBy: times.count)
    let next = period + interval
    guard next < endPeriod else { return nil }
    if isPlain {
      let (passed, overflow) = skipped.multipliedReportingOverflow(by: interval)
      guard !overflow, passed < endPeriod - next else { return nil }
      return (next + passed) * unit + Int(times[time])
    }
    var count = PeriodCount(self, from: next)
    let found = count.period(ofRank: skipped)
    work = count.work
    // Without work that is left, the count did not reach the rank.
    return work.isExhausted ? nil : found.map { $0 * unit + Int(times[time]) }
  }
}

/// Counts the allowed periods of a rule from one on.
private struct PeriodCount {
  private let periods: ClockPeriods
  private let first: Int
  private let firstDay: Int
  private let beginsAnywhere: Bool
  /// The number of occurrences of each day, if the steps are the same on all days.
  private var everyDay: Int?
  /// The number of occurrences of a day whose first step is this many periods after its start; -1
  /// if not known.
  private var byLag: [Int32]
  private var month = FilteredMonth()
  private(set) var work: WorkLimit

  init(_ periods: ClockPeriods, from first: Int) {
    self.periods = periods
    work = periods.work
    self.first = first
    firstDay = floorDivide(first, periods.periodsPerDay)
    beginsAnywhere = periods.begins.isTrivial(unit: periods.unit)
    let isShort = periods.interval <= periods.periodsPerDay
    byLag = isShort ? [Int32](repeating: -1, count: periods.interval) : []
    if periods.periodsPerDay % periods.interval == 0 { everyDay = steps(lag: lag(of: firstDay)) }
  }

  /// The allowed period of that rank, from 0.
  mutating func period(ofRank rank: Int) -> Int? {
    month.load(containing: firstDay, periods.filter)
    let firstMonth = month.year * 12 + month.month - 1
    // The number of cycles of the calendar after which the steps fall on the same periods again.
    let cyclePeriods = GregorianCycle.days * periods.periodsPerDay
    let cycles = periods.interval / greatestCommonDivisor(periods.interval, cyclePeriods)
    let isGregorian = periods.filter.other == nil
    let months =
      isGregorian && cycles <= Self.mostCycles ? cycles * GregorianCycle.months : Int.max
    var monthsLeft = isGregorian ? Int.max : Self.mostMonthsElsewhere
    /// The total number of occurrences up to and including each of the months. The first month
    /// counts only in part.
    var sums: [Int] = []
    var before = 0
    while sums.count <= months {
      let sum = before + countOfMonth()
      if rank < sum { return period(rank - before) }
      if months != .max { sums.append(sum) }
      before = sum
      monthsLeft -= 1
      guard work.spend(isGregorian ? 1 : WorkLimit.ofOtherMonth), monthsLeft > 0,
        month.end * periods.periodsPerDay < periods.endPeriod
      else {
        return nil
      }
      month.load(containing: month.end, periods.filter)
    }
    let perCycle = sums[months] - sums[0]
    guard perCycle > 0 else { return nil }
    let (passed, rest) = (rank - sums[0]).quotientAndRemainder(dividingBy: perCycle)
    guard passed <= Self.mostCycles else { return nil }
    let place = sums.partitioningIndex { $0 - sums[0] > rest }
    let wanted = firstMonth + passed * months + place
    guard wanted < Self.endMonth else { return nil }
    month.load(year: wanted / 12, month: wanted % 12 + 1, periods.filter)
    return period(rest - (sums[place - 1] - sums[0]))
  }

  /// More cycles than this have no place in the years 1 to 9999.
  private static let mostCycles = 10_000 / GregorianCycle.years
  private static let endMonth = 10_000 * 12
  /// In another calendar a COUNT is followed for about 600 years; beyond them it does not end the
  /// rule.
  private static let mostMonthsElsewhere = 600 * 12

  /// How many periods after the start of a day its first step lies, or that of a later day.
  private func lag(of day: Int) -> Int {
    let rest = (periods.origin - day * periods.periodsPerDay) % periods.interval
    return rest < 0 ? rest + periods.interval : rest
  }

  /// How many of a day's steps may begin.
  private mutating func steps(lag: Int) -> Int {
    guard lag < periods.periodsPerDay else { return 0 }
    if beginsAnywhere { return (periods.periodsPerDay - lag - 1) / periods.interval + 1 }
    if byLag.isEmpty { return periods.begins.contains(lag * periods.unit) ? 1 : 0 }
    if byLag[lag] >= 0 { return Int(byLag[lag]) }
    let count = beginnings(from: lag)
    byLag[lag] = Int32(count)
    return count
  }

  /// How many of a day's steps from one on may begin.
  private mutating func beginnings(from step: Int) -> Int {
    if periods.interval == 1 {
      return periods.begins.count(from: step * periods.unit, unit: periods.unit)
    }
    var count = 0
    var step = next(from: step)
    while step < periods.periodsPerDay {
      count += 1
      step = next(from: step + periods.interval)
    }
    return count
  }

  /// The first of a day's steps from one on that may begin; one after the end of the day if none is
  /// left, or no work.
  private mutating func next(from step: Int) -> Int {
    let (unit, interval) = (periods.unit, periods.interval)
    var step = step
    while step < periods.periodsPerDay {
      guard work.spend(1) else { return periods.periodsPerDay }
      // The next period that may begin, which the steps may leave out.
      let next = (periods.begins.first(from: step * unit) + unit - 1) / unit
      if next == step { return step }
      step += (next - step + interval - 1) / interval * interval
    }
    return step
  }

  /// The allowed days of the present month as bits from 1, beginning with the day of the first period.
  private var days: UInt64 {
    firstDay < month.first ? month.days : month.days & ~0 << UInt64(firstDay - month.first + 1)
  }

  private mutating func countOfMonth() -> Int {
    var days = days
    var count = 0
    if firstDay >= month.first, month.allows(firstDay) {
      count += countOfFirstDay()
      days &= ~(1 << UInt64(firstDay - month.first + 1))
    }
    if let everyDay { return count + everyDay * days.nonzeroBitCount }
    let perDay = periods.periodsPerDay % periods.interval
    var lag = lag(of: month.first)
    days >>= 1
    while days != 0 {
      if days & 1 != 0 { count += steps(lag: lag) }
      days >>= 1
      lag -= perDay
      if lag < 0 { lag += periods.interval }
    }
    return count
  }

  private mutating func countOfFirstDay() -> Int {
    beginnings(from: first - firstDay * periods.periodsPerDay)
  }

  /// The period of that rank in the present month.
  private mutating func period(_ rank: Int) -> Int? {
    var left = rank
    var days = days
    while days != 0 {
      let day = month.first + days.trailingZeroBitCount - 1
      days &= days - 1
      let count = day == firstDay ? countOfFirstDay() : steps(lag: lag(of: day))
      guard left < count else {
        left -= count
        continue
      }
      let firstStep = first - firstDay * periods.periodsPerDay
      return day * periods.periodsPerDay
        + step(ofRank: left, from: day == firstDay ? firstStep : lag(of: day))
    }
    return nil
  }

  /// The step of that rank among a day's steps from one on that may begin.
  private mutating func step(ofRank rank: Int, from step: Int) -> Int {
    let (begins, unit) = (periods.begins, periods.unit)
    if beginsAnywhere { return step + rank * periods.interval }
    if periods.interval == 1 {
      return begins.time(ofRank: rank, from: step * unit, unit: unit) / unit
    }
    var step = next(from: step)
    for _ in 0..<rank { step = next(from: step + periods.interval) }
    return step
  }
}
