internal import CivilTime

/// BYHOUR, BYMINUTE and BYSECOND as bit sets: which times of day a rule gives or allows.
struct ClockTimes: Sendable {
  private(set) var hours: UInt64
  private(set) var minutes: UInt64
  private(set) var seconds: UInt64

  static let secondsPerDay = 24 * 60 * 60

  /// The times within a period of that many seconds (a day, an hour, a minute, a second). What
  /// the rule leaves open comes from DTSTART.
  static func within(unit: Int, _ rule: Rule, start: TimeOfDay, isDate: Bool) -> ClockTimes {
    if isDate { return ClockTimes(hours: 1, minutes: 1, seconds: 1) }
    return ClockTimes(
      hours: unit > 3600 ? set(rule.byHour, else: start.hour) : 1,
      minutes: unit > 60 ? set(rule.byMinute, else: start.minute) : 1,
      seconds: unit > 1 ? set(rule.bySecond, else: start.second) : 1)
  }

  /// The times of day at which a period of that many seconds may begin.
  static func ofPeriods(unit: Int, _ rule: Rule, isDate: Bool) -> ClockTimes {
    ClockTimes(
      hours: unit <= 3600 ? (isDate ? all(24) : set(rule.byHour, upTo: 24)) : 1,
      minutes: unit <= 60 ? (isDate ? all(60) : set(rule.byMinute, upTo: 60)) : 1,
      seconds: unit <= 1 ? (isDate ? all(60) : set(rule.bySecond, upTo: 60)) : 1)
  }

  private static func all(_ count: UInt64) -> UInt64 { (1 << count) - 1 }

  private static func set(_ numbers: [Int], else single: Int) -> UInt64 {
    numbers.isEmpty ? 1 << UInt64(single) : set(numbers)
  }

  private static func set(_ numbers: [Int], upTo count: UInt64) -> UInt64 {
    numbers.isEmpty ? all(count) : set(numbers)
  }

  private static func set(_ numbers: [Int]) -> UInt64 {
    // A clock without leap seconds shows second 60 as 59 (RFC 5545 3.3.12).
    numbers.reduce(0) { $0 | 1 << UInt64(min($1, 59)) }
  }

  /// All of them, as seconds, in order.
  var list: [Int32] {
    var times: [Int32] = []
    times.reserveCapacity(count)
    var hoursLeft = hours
    while hoursLeft != 0 {
      let hour = Int32(hoursLeft.trailingZeroBitCount)
      hoursLeft &= hoursLeft - 1
      var minutesLeft = minutes
      while minutesLeft != 0 {
        let minute = hour * 60 + Int32(minutesLeft.trailingZeroBitCount)
        minutesLeft &= minutesLeft - 1
        var secondsLeft = seconds
        while secondsLeft != 0 {
          times.append(minute * 60 + Int32(secondsLeft.trailingZeroBitCount))
          secondsLeft &= secondsLeft - 1
        }
      }
    }
    return times
  }

  var count: Int { hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount }

  func contains(_ second: Int) -> Bool {
    hours & 1 << UInt64(second / 3600) != 0 && minutes & 1 << UInt64(second / 60 % 60) != 0
      && seconds & 1 << UInt64(second % 60) != 0
  }

  /// The first of them from this second of the day on; a whole day if none is left.
  func first(from second: Int) -> Int {
    let (hour, minute) = (second / 3600, second / 60 % 60)
    if hours & 1 << UInt64(hour) != 0 {
      if minutes & 1 << UInt64(minute) != 0, let found = Self.bit(of: seconds, from: second % 60) {
        return hour * 3600 + minute * 60 + found
      }
      if let found = Self.bit(of: minutes, from: minute + 1) {
        return hour * 3600 + found * 60 + seconds.trailingZeroBitCount
      }
    }
    guard let found = Self.bit(of: hours, from: hour + 1) else { return Self.secondsPerDay }
    return found * 3600 + minutes.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount
  }

  private static func bit(of set: UInt64, from bit: Int) -> Int? {
    let rest = set & ~0 << UInt64(bit)
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// Whether every period of that many seconds may begin.
  func isTrivial(unit: Int) -> Bool {
    (unit > 3600 || hours == Self.all(24)) && (unit > 60 || minutes == Self.all(60))
      && (unit > 1 || seconds == Self.all(60))
  }
}
