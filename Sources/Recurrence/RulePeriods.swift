internal import CivilTime

/// The occurrences of a rule as seconds of civil time, in order, for every FREQ and every calendar.
///
/// A rule gives days, month by month, and each day gives times. BYSETPOS above DAILY chooses among all times
/// of a period, so that periods are then read as wholes. What lies at a window is found by arithmetic.
struct RulePeriods: Sendable {
  private let parts: RuleParts
  private var calendar: RuleCalendar
  private var isAtEnd = true
  /// How much may still be looked at. It ends at 0.
  var work = WorkLimit()

  /// The month that is read. Of its days `left` are still to come.
  private var month: RuleMonth?
  private var base = 0
  private var left: UInt64 = 0
  private var emptyMonths = 0
  /// The present day, the second at which its present step begins, and the place in the times of a step.
  private var day = 0
  private var begin = 0
  private var place = 0

  /// With BYSETPOS: the next period, the first second that it can give, and what was chosen before.
  private var period = 0
  private var reach = Int.max
  private var lower = Int.min
  private var chosen: [Int] = []
  private var emptyPeriods = 0

  init(_ rule: Rule, start: CivilDateTime, isDate: Bool) {
    parts = RuleParts(rule, start: start, isDate: isDate)
    calendar = RuleCalendar(parts.system)
  }

  mutating func end() {
    isAtEnd = true
    (left, chosen, place) = (0, [], parts.times.within.count)
    begin = ClockTimes.secondsPerDay
  }

  /// Begins again with the first occurrence that is not before a civil second.
  mutating func start(from lower: Int) {
    end()
    (emptyMonths, emptyPeriods) = (0, 0)
    guard let origin = parts.origin, !parts.isImpossible else { return }
    var first = floorDivide(lower, ClockTimes.secondsPerDay)
    if parts.frequency < .weekly { first = max(first, origin) }
    if let table = calendar.system?.tableDates {
      first = max(first, Int(table.lowerBound.dayNumber))
    }
    guard let month = calendar.month(containing: first) else { return }
    isAtEnd = false
    guard parts.positions.isEmpty else {
      self.lower = lower
      var wanted = max(origin, parts.period(of: first, month))
      // With SKIP=FORWARD the period before can reach into this one.
      if parts.days.skip == .forward { wanted = max(origin, wanted - 1) }
      period = parts.aligned(wanted)
      reach = parts.firstSecond(of: period, in: &calendar)
      return
    }
    read(month)
    left &= ~0 << UInt64(first - base)
    guard left & 1 << UInt64(first - base) != 0 else { return }
    takeDay()
    guard day * ClockTimes.secondsPerDay < lower else { return }
    // The step in which the second lies, or the next one.
    let second = lower - day * ClockTimes.secondsPerDay
    takeStep(from: second / parts.times.unit * parts.times.unit)
    place = max(place, parts.times.within.partitioningIndex { begin + Int($0) >= second })
    if place == parts.times.within.count { takeStep(from: begin + 1) }
  }

  mutating func next() -> Int? {
    guard parts.positions.isEmpty else { return nextChosen() }
    while true {
      if place < parts.times.within.count {
        defer { place += 1 }
        return day * ClockTimes.secondsPerDay + begin + Int(parts.times.within[place])
      }
      takeStep(from: begin + 1)
      if place < parts.times.within.count { continue }
      if left == 0 { readMonth() }
      if left == 0 { return nil }
      takeDay()
    }
  }

  // MARK: Days and their times

  private mutating func takeDay() {
    day = base + left.trailingZeroBitCount
    left &= left - 1
    takeStep(from: 0)
  }

  private mutating func takeStep(from second: Int) {
    begin = parts.times.begin(onDay: day, from: second) ?? ClockTimes.secondsPerDay
    place = begin < ClockTimes.secondsPerDay ? 0 : parts.times.within.count
  }

  // MARK: Months

  /// Goes on to the next month that has days; to the end, if none has.
  private mutating func readMonth() {
    while !isAtEnd, left == 0 {
      guard work.spend(calendar.system == nil ? 1 : WorkLimit.ofOtherMonth),
        emptyMonths <= parts.mostEmptyMonths, let month,
        let next = parts.month(after: month, in: &calendar)
      else { return end() }
      read(next)
    }
  }

  private mutating func read(_ month: RuleMonth) {
    (self.month, base) = (month, month.first - 1)
    left = parts.word(of: month, in: &calendar)
    emptyMonths = left == 0 ? emptyMonths + 1 : 0
    if left != 0 { left &= parts.reached(in: month) }
  }

  // MARK: BYSETPOS

  private mutating func nextChosen() -> Int? {
    while true {
      while place < chosen.count, isAtEnd || chosen[place] < reach {
        place += 1
        if chosen[place - 1] >= lower { return chosen[place - 1] }
      }
      if isAtEnd { return nil }
      readPeriod()
    }
  }

  /// Adds what BYSETPOS chooses of the next period. With SKIP it can share a day with the one before it.
  private mutating func readPeriod() {
    guard work.spend(calendar.system == nil ? 1 : WorkLimit.ofOtherMonth),
      emptyPeriods <= parts.mostEmptyPeriods,
      let found = parts.days(ofPeriod: period, in: &calendar)
    else {
      isAtEnd = true
      return
    }
    var places: [Int] = []
    parts.positions.places(inSetOf: found.count * parts.times.within.count, into: &places)
    let given = places.map {
      found[$0 / parts.times.within.count] * ClockTimes.secondsPerDay
        + Int(parts.times.within[$0 % parts.times.within.count])
    }
    emptyPeriods = given.isEmpty ? emptyPeriods + 1 : 0
    chosen = place < chosen.count ? Set(chosen[place...]).union(given).sorted() : given
    place = 0
    period += parts.interval
    reach = parts.firstSecond(of: period, in: &calendar)
  }

  // MARK: COUNT

  /// The `number`th occurrence from a civil second on, from 1. `nil` if the calendar ends before it, or if
  /// in another calendar it does not come within about 600 years.
  ///
  /// Months and periods are counted as wholes, and no more of them than until the calendar and the steps of
  /// INTERVAL repeat.
  mutating func occurrence(_ number: Int, from lower: Int) -> Int? {
    if parts.isPlain { return plain(number, from: lower) }
    // From here on every period that can give something lies after DTSTART.
    let settled = (floorDivide(lower, ClockTimes.secondsPerDay) + 800) * ClockTimes.secondsPerDay
    var search = Search(left: number, end: settled)
    if let found = walk(&search, from: lower) { return found }
    guard let cycle = parts.cycle else {
      if calendar.system != nil {
        let month = calendar.month(containing: floorDivide(lower, ClockTimes.secondsPerDay))
        let last = month.flatMap { calendar.month($0.number + RuleParts.mostMonthsElsewhere) }
        search.end = last.map { $0.first * ClockTimes.secondsPerDay } ?? .max
      } else {
        search.end = .max
      }
      return walk(&search, from: settled)
    }
    let before = search.left
    search.end = settled + cycle
    if let found = walk(&search, from: settled) { return found }
    let perCycle = before - search.left
    guard perCycle > 0 else { return nil }
    let passed = (before - 1) / perCycle
    let (start, overflow) = passed.multipliedReportingOverflow(by: cycle)
    guard !overflow, start < Self.lastSecond - settled else { return nil }
    search = Search(left: before - passed * perCycle, end: .max)
    return walk(&search, from: settled + start)
  }

  private static let lastSecond =
    (Int(CivilDate.last.dayNumber) + 1) * ClockTimes.secondsPerDay

  /// What is still to be counted, before a second.
  private struct Search {
    var left: Int
    var end: Int
  }

  /// The last one that is to be counted, if it is before the end.
  private mutating func walk(_ search: inout Search, from lower: Int) -> Int? {
    start(from: lower)
    if !parts.positions.isEmpty {
      while let second = nextChosen(), second < search.end {
        search.left -= 1
        if search.left == 0 { return second }
      }
      return nil
    }
    let counts = parts.times.counts()
    if counts.count > 1 { _ = work.spend(parts.times.stepsPerDay / 8) }
    let each = parts.times.stepsOfEachDay(counts)
    let endDay = search.end == .max ? Int.max : search.end / ClockTimes.secondsPerDay
    // The rest of the first day.
    while place < parts.times.within.count {
      search.left -= 1
      if search.left == 0 { return next() }
      place += 1
      if place == parts.times.within.count { takeStep(from: begin + 1) }
    }
    while true {
      if left == 0 { readMonth() }
      guard left != 0, base < endDay else { return nil }
      if endDay - base < 64 { left &= (1 << UInt64(endDay - base)) - 1 }
      if let each {
        let count = left.nonzeroBitCount * each * parts.times.within.count
        if count < search.left {
          search.left -= count
          left = 0
          continue
        }
      }
      while left != 0 {
        let next = base + left.trailingZeroBitCount
        let steps = each ?? parts.times.steps(onDay: next, counts)
        let count = steps * parts.times.within.count
        if count >= search.left {
          takeDay()
          for _ in 0..<(search.left - 1) / parts.times.within.count { takeStep(from: begin + 1) }
          place = (search.left - 1) % parts.times.within.count
          return self.next()
        }
        search.left -= count
        left &= left - 1
      }
    }
  }

  /// The same where each period has as many occurrences: one step, or the weekdays of a week.
  private mutating func plain(_ number: Int, from lower: Int) -> Int? {
    start(from: lower)
    if place == parts.times.within.count {
      if left == 0 { readMonth() }
      if left == 0 { return nil }
      takeDay()
    }
    let times = parts.times.within
    // The days of a period, and where the present day is among them.
    var days = [0]
    var first = day
    var distance = parts.times.interval * parts.times.unit
    if parts.frequency == .weekly {
      first = floorDivide(day - parts.weekOffset, 7) * 7 + parts.weekOffset
      days = (0..<7).filter {
        parts.days.weekdays & 1 << UInt64(weekdayIndex(ofDay: first + $0)) != 0
      }
      distance = parts.interval * 7 * ClockTimes.secondsPerDay
    }
    let before = (days.firstIndex(of: day - first) ?? 0) * times.count + place
    let (periods, rest) = (before + number - 1)
      .quotientAndRemainder(dividingBy: days.count * times.count)
    let (passed, overflow) = periods.multipliedReportingOverflow(by: distance)
    let second = (first + days[rest / times.count]) * ClockTimes.secondsPerDay + begin
    guard !overflow, passed < Self.lastSecond - second else { return nil }
    return second + passed + Int(times[rest % times.count])
  }
}
