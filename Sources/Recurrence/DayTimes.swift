internal import CivilTime

/// The times of a day that a rule gives.
///
/// A day consists of steps: of an hour, a minute or a second under HOURLY, MINUTELY and SECONDLY, otherwise
/// of the whole day. INTERVAL, BYHOUR, BYMINUTE and BYSECOND decide which steps begin, and each of these
/// gives the same times within it.
struct DayTimes: Sendable {
  /// Seconds of a step.
  let unit: Int
  let stepsPerDay: Int
  /// How many steps lie between two that INTERVAL reaches; 1 where it counts longer periods.
  let interval: Int
  /// The step of DTSTART, counted from 1970.
  let origin: Int
  /// The times within a step. At most a day, BYSETPOS chooses among them.
  let within: [Int32]
  private let begins: ClockTimes
  /// Whether every step that INTERVAL reaches begins.
  let allBegin: Bool

  init(_ rule: Rule, start: CivilDateTime, isDate: Bool) {
    unit =
      switch rule.frequency {
      case .secondly: 1
      case .minutely: 60
      case .hourly: 3600
      case .daily, .weekly, .monthly, .yearly: ClockTimes.secondsPerDay
      }
    stepsPerDay = ClockTimes.secondsPerDay / unit
    interval = rule.frequency <= .daily ? rule.interval : 1
    origin = floorDivide(start.civilSeconds, unit)
    let list = ClockTimes.within(unit: unit, rule, start: start.time, isDate: isDate).list
    within =
      rule.frequency <= .daily
      ? SetPositions(numbers: rule.bySetPosition).applied(to: list) : list
    begins = ClockTimes.ofPeriods(unit: unit, rule, isDate: isDate)
    allBegin = begins.isTrivial(unit: unit)
  }

  /// The first step from one on that INTERVAL reaches.
  func aligned(_ step: Int) -> Int {
    if interval == 1 { return step }
    let rest = (step - origin) % interval
    return rest == 0 ? step : rest > 0 ? step - rest + interval : step - rest
  }

  /// The second of the day at which the first step begins that is not before a second.
  func begin(onDay day: Int, from second: Int) -> Int? {
    if stepsPerDay == 1 { return second <= 0 ? 0 : nil }
    var second = second
    while second < ClockTimes.secondsPerDay {
      let step = aligned(day * stepsPerDay + (second + unit - 1) / unit)
      second = (step - day * stepsPerDay) * unit
      guard second < ClockTimes.secondsPerDay, !allBegin else { break }
      let allowed = begins.first(from: second)
      if allowed == second { break }
      second = allowed
    }
    return second < ClockTimes.secondsPerDay ? second : nil
  }

  /// How many steps of a day begin, where every day has as many.
  func stepsOfEachDay(_ counts: [Int]) -> Int? {
    if stepsPerDay == 1 { return 1 }
    return stepsPerDay % interval == 0 ? steps(onDay: 0, counts) : nil
  }

  /// How many steps of a day begin.
  func steps(onDay day: Int, _ counts: [Int]) -> Int {
    let lag = aligned(day * stepsPerDay) - day * stepsPerDay
    guard lag < stepsPerDay else { return 0 }
    if allBegin { return (stepsPerDay - 1 - lag) / interval + 1 }
    if counts.isEmpty { return begin(onDay: day, from: 0) == nil ? 0 : 1 }
    return counts[lag % counts.count]
  }

  /// How many steps of a day begin, by the number of the first one that INTERVAL reaches. Empty if that
  /// needs no table.
  func counts() -> [Int] {
    if allBegin || interval > stepsPerDay { return [] }
    if interval == 1 { return [begins.count] }
    var counts = [Int](repeating: 0, count: interval)
    var second = begins.first(from: 0)
    while second < ClockTimes.secondsPerDay {
      counts[second / unit % interval] += 1
      second = begins.first(from: second + unit)
    }
    return counts
  }

  /// Whether steps ever meet an allowed time of an allowed weekday: both repeat every week, so all that
  /// counts is the common divisor with a week.
  func canMeet(weekdays: UInt64) -> Bool {
    if within.isEmpty || weekdays == 0 { return false }
    let divisor = greatestCommonDivisor(interval, 7 * stepsPerDay)
    if divisor == 1 { return true }
    let days = (0..<7).filter { weekdays & 1 << UInt64(weekdayIndex(ofDay: $0)) != 0 }
    let rest = (origin % divisor + divisor) % divisor
    guard divisor < UInt64.bitWidth else {
      // Few steps fit into a week.
      return stride(from: rest, to: 7 * stepsPerDay, by: divisor).contains { step in
        days.contains(step / stepsPerDay)
          && begins.contains(step % stepsPerDay * unit)
      }
    }
    // The rests that all sums of a day, an hour, a minute and a second can have.
    var rests: UInt64 = 1
    for numbers in [
      days.map { $0 * stepsPerDay }, begins.hours.members.map { $0 * 3600 / unit },
      begins.minutes.members.map { $0 * 60 / unit }, begins.seconds.members.map { $0 / unit },
    ] {
      rests = numbers.reduce(0) { sums, number in
        rests.members.reduce(sums) { $0 | 1 << UInt64(($1 + number) % divisor) }
      }
    }
    return rests & 1 << UInt64(rest) != 0
  }
}

extension UInt64 {
  /// The numbers of its bits, in order.
  fileprivate var members: [Int] { (0..<Self.bitWidth).filter { self & 1 << UInt64($0) != 0 } }
}
