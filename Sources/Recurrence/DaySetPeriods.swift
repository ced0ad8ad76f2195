internal import CivilTime

/// The occurrences of WEEKLY, MONTHLY and YEARLY rules, as seconds of civil time.
///
/// Each period gives a set of days, each day the same times; BYSETPOS chooses among all of a
/// period's. The period at a window is arithmetic.
struct DaySetPeriods: Sendable {
  private let frequency: Rule.Frequency
  private let interval: Int
  /// The period of DTSTART: a week counted from 1970, a month from year 0, a year.
  private let origin: Int
  /// The first period after the year 9999.
  private let endPeriod: Int
  private let times: [Int32]
  private let positions: SetPositions
  private let filter: DayFilter
  private let skip: Rule.Skip
  /// The first day number from 0 that begins a week.
  private let weekOffset: Int
  /// The days of a week where the weekday alone decides, from the week's first day.
  private let plainWeek: UInt64?
  private let isEmpty: Bool

  /// The word of days at hand, and the day number of its bit 0.
  private struct Days {
    var bits: UInt64 = 0
    var base = 0
  }

  private var month = FilteredMonth()
  private var period = 0
  /// What follows the days at hand in a yearly period: 1…12, 13 where it is done.
  private var nextMonth = 13
  private var days = Days()
  private var day = 0
  private var place = 0
  /// What BYSETPOS chose in the period at hand.
  private var chosen: [Int] = []
  private var chosenPlace = 0
  private var places: [Int] = []
  private var emptyPeriods = 0
  private var isAtEnd = false
  /// Steps, of a period or an occurrence, after which the end of a COUNT is not asked for.
  private static let mostEffort = 1_000_000
  /// Counting a period takes as long as stepping through so many occurrences.
  private static let effortOfPeriod = 33
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
    skip = rule.skip
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
      case .yearly: 366
      case .monthly: 33
      case .weekly, .daily, .hourly, .minutely, .secondly: filter.weekdays.nonzeroBitCount
      }
    let most = mostDays * times.count
    isEmpty = !positions.isEmpty && !positions.numbers.contains { abs($0) <= most }
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
    // With SKIP=FORWARD the month before can reach into this one.
    if skip == .forward, frequency == .monthly { wanted -= 1 }
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
        chosenPlace += 1
        if skip == .omit || value > latest {
          latest = value
          return value
        }
        continue
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

  /// Goes on to the next period that gives something; false where there is none.
  @discardableResult
  private mutating func advance() -> Bool {
    let cycle =
      switch frequency {
      case .yearly: GregorianCycle.years
      case .monthly: GregorianCycle.months
      case .weekly, .daily, .hourly, .minutely, .secondly: GregorianCycle.weeks
      }
    repeat {
      period += interval
      load()
      // A cycle of steps without anything means that nothing will ever come.
      if emptyPeriods > cycle { isAtEnd = true }
    } while !isAtEnd && !hasSomething
    return !isAtEnd
  }

  private var hasSomething: Bool {
    positions.isEmpty ? days.bits != 0 || nextMonth <= 12 : !chosen.isEmpty
  }

  /// Reads the days of the period at hand.
  private mutating func load() {
    place = times.count
    guard period < endPeriod else {
      isAtEnd = true
      days = Days()
      nextMonth = 13
      chosen.removeAll(keepingCapacity: true)
      chosenPlace = 0
      return
    }
    switch frequency {
    case .yearly:
      loadYear()
    case .monthly:
      nextMonth = 13
      let (year, index) = (period / 12, period % 12)
      month.load(year: year, month: index + 1, filter)
      days = Days(bits: month.days, base: month.first - 1)
      if !positions.isEmpty { choose([days]) }
    case .weekly, .daily, .hourly, .minutely, .secondly:
      nextMonth = 13
      days = Days(bits: 0, base: period * 7 + weekOffset)
      days.bits = plainWeek ?? daysOfWeek()
      if !positions.isEmpty { choose([days]) }
    }
    emptyPeriods = hasSomething ? 0 : emptyPeriods + 1
  }

  private mutating func daysOfWeek() -> UInt64 {
    var bits: UInt64 = 0
    for offset in 0..<7 {
      let day = days.base + offset
      guard CivilDate(dayNumber: day) != nil else { continue }
      month.load(containing: day, filter)
      if month.allows(day) { bits |= 1 << UInt64(offset) }
    }
    return bits
  }

  private mutating func loadYear() {
    days = Days()
    nextMonth = 1
    if positions.isEmpty {
      while days.bits == 0, nextMonth <= 12 { loadMonthOfYear() }
      return
    }
    var months: [Days] = []
    months.reserveCapacity(12)
    while nextMonth <= 12 {
      loadMonthOfYear()
      if days.bits != 0 { months.append(days) }
    }
    days = Days()
    choose(months)
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
  private mutating func choose(_ words: [Days]) {
    chosenPlace = 0
    chosen.removeAll(keepingCapacity: true)
    var words = words
    if skip != .omit { Self.unite(&words) }
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
  private static func unite(_ words: inout [Days]) {
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

  /// The `number`th occurrence from a civil second on, from 1; `nil` where there are not so many,
  /// or where they are more than anybody asks for.
  mutating func occurrence(_ number: Int, from lower: Int) -> Int? {
    start(from: lower)
    var left = number
    // What a whole period gives is counted, not walked through.
    let countsPeriods = positions.isEmpty && skip == .omit
    var effort = 0
    while !isAtEnd, effort < Self.mostEffort {
      effort += 1
      if countsPeriods, place >= times.count, days.bits != 0 {
        let inWord = days.bits.nonzeroBitCount * times.count
        if left > inWord {
          left -= inWord
          effort += Self.effortOfPeriod
          days.bits = 0
          if let plainWeek {
            let perWeek = plainWeek.nonzeroBitCount * times.count
            // Stays one word before the last.
            let weeks = min((left - 1) / perWeek, (endPeriod - period) / interval)
            left -= weeks * perWeek
            period += weeks * interval
          }
          if nextMonth <= 12 { loadMonthOfYear() } else { advance() }
          continue
        }
      }
      guard let value = next() else { return nil }
      left -= 1
      if left == 0 { return value }
    }
    return nil
  }
}
