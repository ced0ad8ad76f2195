internal import CivilTime

/// The occurrences of WEEKLY, MONTHLY and YEARLY rules, as seconds of civil time.
///
/// Each period gives a set of days, each day the same times; BYSETPOS chooses among all of a
/// period's. The period at a window is arithmetic. With SKIP a period can reach into the last day
/// of the one before it or the first of the one after it.
struct DaySetPeriods: Sendable {
  let frequency: Rule.Frequency
  let interval: Int
  /// The period of DTSTART: a week counted from 1970, a month from year 0, a year.
  let origin: Int
  /// The first period after the year 9999.
  let endPeriod: Int
  let times: [Int32]
  let positions: SetPositions
  private let filter: DayFilter
  let skip: Rule.Skip
  /// The first day number from 0 that begins a week.
  private let weekOffset: Int
  /// The days of a week where the weekday alone decides, from the week's first day.
  let plainWeek: UInt64?
  let isEmpty: Bool

  /// A word of days, and the day number of its bit 0.
  struct Days: Sendable {
    var bits: UInt64 = 0
    var base = 0
  }

  private var month = FilteredMonth()
  private var period = 0
  /// The month after the present days in a yearly period: 1 to 12, or 13 at its end.
  private var nextMonth = 13
  private var days = Days()
  private var day = 0
  private var place = 0
  /// All days of a period, where they are wanted at once.
  private var words: [Days] = []
  /// What BYSETPOS chose in the present period.
  private var chosen: [Int] = []
  private var chosenPlace = 0
  private var places: [Int] = []
  /// With SKIP, the next period can give something from this civil second on.
  private var nextReach = Int.max
  private var emptyPeriods = 0
  private var isAtEnd = false
  /// How much may still be looked at. It ends at 0.
  var work = WorkLimit()
  /// With SKIP, two periods can give the same day.
  private var latest = Int.min

  init(_ rule: Rule, start: CivilDateTime, isDate: Bool) {
    frequency = rule.frequency
    interval = rule.interval
    times =
      ClockTimes.within(
        unit: ClockTimes.secondsPerDay, rule, start: start.time, isDate: isDate
      ).list
    positions = SetPositions(numbers: rule.bySetPosition)
    filter = DayFilter(rule, start: start.date)
    // SKIP only concerns months and years (RFC 7529 4.1).
    skip = rule.frequency >= .monthly ? rule.skip : .omit
    // Day 0, 1970-01-01, was a Thursday.
    weekOffset = rule.weekStart.days(after: .thursday)
    let (year, month, _) = start.date.components
    switch rule.frequency {
    case .yearly:
      origin = year
      endPeriod = 10_000
    case .monthly:
      origin = year * 12 + month - 1
      endPeriod = 10_000 * 12
    case .weekly, .daily, .hourly, .minutely, .secondly:
      origin = floorDivide(Int(start.date.dayNumber) - weekOffset, 7)
      endPeriod = floorDivide(Int(CivilDate.last.dayNumber) - weekOffset, 7) + 1
    }
    if rule.frequency == .weekly, filter.isOnlyWeekdays {
      let week = UInt64(filter.weekdays)
      let first = UInt64(rule.weekStart.rawValue - 1)
      plainWeek = (week >> first | week << (7 - first)) & 0x7F
    } else {
      plainWeek = nil
    }
    let mostDays =
      switch rule.frequency {
      case .yearly: 368
      case .monthly: 33
      case .weekly, .daily, .hourly, .minutely, .secondly: filter.weekdays.nonzeroBitCount
      }
    let most = mostDays * times.count
    isEmpty =
      filter.allowsNoDay
      || (!positions.isEmpty && !positions.numbers.contains { abs($0) <= most })
  }

  /// Begins again with the first occurrence that is not before a civil second.
  mutating func start(from lower: Int) {
    isAtEnd = isEmpty
    emptyPeriods = 0
    latest = lower - 1
    if isAtEnd { return }
    let lowerDay = floorDivide(lower, ClockTimes.secondsPerDay)
    let components = CivilDate.components(ofDayNumber: lowerDay)
    var wanted =
      switch frequency {
      case .yearly: components.year
      case .monthly: components.year * 12 + components.month - 1
      case .weekly, .daily, .hourly, .minutely, .secondly: floorDivide(lowerDay - weekOffset, 7)
      }
    // With SKIP=FORWARD the period before can reach into this one.
    if skip == .forward, frequency >= .monthly { wanted -= 1 }
    wanted = max(origin, wanted)
    let rest = (wanted - origin) % interval
    period = rest == 0 ? wanted : wanted - rest + interval
    load()
    passOver(lower, day: lowerDay)
  }

  /// Drops what lies before a civil second; that can be nearly all of a year.
  private mutating func passOver(_ lower: Int, day lowerDay: Int) {
    while !isAtEnd {
      if !positions.isEmpty {
        chosenPlace = chosen.partitioningIndex { $0 >= lower }
        if chosenPlace < chosen.count { return }
      } else {
        while true {
          let offset = lowerDay - days.base
          if offset > 0 { days.bits &= offset < 64 ? ~0 << UInt64(offset) : 0 }
          if days.bits != 0 { break }
          guard nextMonth <= 12 else { break }
          loadMonthOfYear()
        }
        if days.bits != 0 {
          takeDay()
          if day == lowerDay {
            let second = lower - day * ClockTimes.secondsPerDay
            place = times.partitioningIndex { Int($0) >= second }
          }
          return
        }
      }
      // A lower bound lies in the first period, or in the one after it with SKIP.
      guard advance() else { return }
    }
  }

  mutating func next() -> Int? {
    while !isAtEnd {
      if positions.isEmpty {
        if place < times.count {
          let value = day * ClockTimes.secondsPerDay + Int(times[place])
          place += 1
          if skip == .omit { return value }
          if value > latest {
            latest = value
            return value
          }
          continue
        }
        if days.bits != 0 {
          takeDay()
          continue
        }
        if nextMonth <= 12 {
          loadMonthOfYear()
          continue
        }
      } else if chosenPlace < chosen.count {
        let value = chosen[chosenPlace]
        if value >= nextReach {
          mergeNextPeriod()
          continue
        }
        chosenPlace += 1
        return value
      }
      advance()
    }
    return nil
  }

  private mutating func takeDay() {
    day = days.base + days.bits.trailingZeroBitCount
    days.bits &= days.bits - 1
    place = 0
  }

  /// Merges the rest of the present period with the next one. They share a day, so their times can
  /// be in any order.
  private mutating func mergeNextPeriod() {
    let rest = Set(chosen[chosenPlace...])
    period += interval
    load()
    chosen = rest.union(chosen).sorted()
  }

  /// Goes on to the next period that is not empty; false at the end.
  @discardableResult
  private mutating func advance() -> Bool {
    repeat {
      period += interval
      load()
      // A cycle of steps without anything means that nothing will ever come.
      if emptyPeriods > cycle || !work.spend(1) { isAtEnd = true }
    } while !isAtEnd && !hasSomething
    return !isAtEnd
  }

  /// The number of periods after which the calendar repeats.
  var cycle: Int {
    switch frequency {
    case .yearly: GregorianCycle.years
    case .monthly: GregorianCycle.months
    case .weekly, .daily, .hourly, .minutely, .secondly: GregorianCycle.weeks
    }
  }

  private var hasSomething: Bool {
    positions.isEmpty ? days.bits != 0 || nextMonth <= 12 : !chosen.isEmpty
  }

  /// Reads the days of the present period.
  private mutating func load() {
    place = times.count
    guard period < endPeriod else {
      isAtEnd = true
      days = Days()
      nextMonth = 13
      chosen.removeAll(keepingCapacity: true)
      chosenPlace = 0
      nextReach = .max
      return
    }
    if !positions.isEmpty {
      loadWords()
      choose()
      nextReach = skip == .omit ? .max : reach(of: period + interval)
    } else if frequency == .yearly {
      nextMonth = 1
      days = Days()
      while days.bits == 0, nextMonth <= 12 { loadMonthOfYear() }
    } else {
      nextMonth = 13
      days = frequency == .monthly ? daysOfMonth() : daysOfWeek()
    }
    emptyPeriods = hasSomething ? 0 : emptyPeriods + 1
  }

  /// The first civil second that a period can give.
  private func reach(of period: Int) -> Int {
    guard period < endPeriod else { return .max }
    let first =
      frequency == .yearly
      ? CivilDate.dayNumber(year: period, month: 1, day: 1)
      : CivilDate.dayNumber(year: period / 12, month: period % 12 + 1, day: 1)
    return (first - 1) * ClockTimes.secondsPerDay
  }

  /// Reads all days of the present period, in order.
  private mutating func loadWords() {
    words.removeAll(keepingCapacity: true)
    switch frequency {
    case .yearly:
      nextMonth = 1
      while nextMonth <= 12 {
        loadMonthOfYear()
        if days.bits != 0 { words.append(days) }
      }
      if skip != .omit { unite() }
    case .monthly: words.append(daysOfMonth())
    case .weekly, .daily, .hourly, .minutely, .secondly: words.append(daysOfWeek())
    }
    days = Days()
    nextMonth = 13
  }

  private mutating func daysOfMonth() -> Days {
    let (year, index) = (period / 12, period % 12)
    month.load(year: year, month: index + 1, filter)
    return Days(bits: month.days, base: month.first - 1)
  }

  private mutating func daysOfWeek() -> Days {
    var week = Days(bits: plainWeek ?? 0, base: period * 7 + weekOffset)
    if plainWeek != nil { return week }
    for offset in 0..<7 {
      let day = week.base + offset
      guard CivilDate(dayNumber: day) != nil else { continue }
      month.load(containing: day, filter)
      if month.allows(day) { week.bits |= 1 << UInt64(offset) }
    }
    return week
  }

  /// Goes on to the next month that BYMONTH allows.
  private mutating func loadMonthOfYear() {
    let months = filter.months & ~0 << UInt16(nextMonth)
    guard months != 0 else {
      nextMonth = 13
      days = Days()
      return
    }
    let number = months.trailingZeroBitCount
    month.load(year: period, month: number, filter)
    days = Days(bits: month.days, base: month.first - 1)
    nextMonth = number + 1
  }

  /// Applies BYSETPOS to the days of a whole period.
  private mutating func choose() {
    chosenPlace = 0
    chosen.removeAll(keepingCapacity: true)
    let dayCount = words.reduce(0) { $0 + $1.bits.nonzeroBitCount }
    positions.places(inSetOf: dayCount * times.count, into: &places)
    guard var word = words.first else { return }
    var wordIndex = 0
    var passed = 0
    for place in places {
      let wanted = place / times.count
      while passed + word.bits.nonzeroBitCount <= wanted {
        passed += word.bits.nonzeroBitCount
        wordIndex += 1
        guard wordIndex < words.count else { return }
        word = words[wordIndex]
      }
      while passed < wanted {
        word.bits &= word.bits - 1
        passed += 1
      }
      let day = word.base + word.bits.trailingZeroBitCount
      chosen.append(day * ClockTimes.secondsPerDay + Int(times[place % times.count]))
    }
  }

  /// Where SKIP moved a day into another month of the year that has that day too, it counts once.
  private mutating func unite() {
    for index in words.indices.dropFirst() {
      let (before, after) = (words[index - 1], words[index])
      let distance = after.base - before.base
      guard distance < 64 else { continue }
      // What the earlier month gives from the first of the later one on stays there; what the
      // later one gives up to the last of the earlier one goes there.
      let early = after.bits & 1
      words[index - 1].bits |= early << UInt64(distance)
      words[index].bits &= ~1
      words[index].bits &= ~(words[index - 1].bits >> UInt64(distance))
    }
  }

  /// The occurrences of a period, in order: its days, or the choice of BYSETPOS. The state of the
  /// previous period is lost.
  mutating func contents(of period: Int) -> [Int] {
    guard period >= origin, period < endPeriod else { return [] }
    self.period = period
    loadWords()
    if !positions.isEmpty {
      choose()
      return chosen
    }
    var list: [Int] = []
    for word in words {
      var bits = word.bits
      while bits != 0 {
        list.append(word.base + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    return list
  }

  /// How much that is.
  mutating func contentCount(of period: Int) -> Int {
    self.period = period
    loadWords()
    let dayCount = words.reduce(0) { $0 + $1.bits.nonzeroBitCount }
    if positions.isEmpty { return dayCount }
    positions.places(inSetOf: dayCount * times.count, into: &places)
    return places.count
  }
}
