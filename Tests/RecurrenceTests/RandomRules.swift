import CivilTime
import TestSupport

@testable import Recurrence

extension SeededGenerator {
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}

/// A rule in pieces, so that it can be made smaller.
struct LooseRule: CustomStringConvertible {
  var frequency = Rule.Frequency.daily
  var interval = 1
  var count: Int?
  var until: Rule.Until?
  var byDay: [Rule.WeekdayNumber] = []
  var numbers: [Rule.NumberPart: [Int]] = [:]
  var weekStart = Weekday.monday
  var skip = Rule.Skip.omit
  /// DTSTART, in seconds of civil time.
  var start = 0
  var isDate = false

  var rule: Rule? {
    try? Rule(
      frequency, interval: interval, count: count, until: until, byDay: byDay, numbers,
      weekStart: weekStart, skip: skip)
  }

  var startTime: EventTime {
    guard let civil = CivilDateTime(civilSeconds: start) else { return .date(.first) }
    return isDate ? .date(civil.date) : .floating(civil)
  }

  var description: String { "DTSTART:\(startTime) RRULE:\(rule?.description ?? "invalid")" }

  /// One part less, or one value less, at a time.
  var smaller: [LooseRule] {
    var found: [LooseRule] = []
    func variant(_ change: (inout LooseRule) -> Void) {
      var copy = self
      change(&copy)
      found.append(copy)
    }
    if interval > 1 {
      variant { $0.interval = 1 }
      variant { $0.interval -= 1 }
    }
    if count != nil { variant { $0.count = nil } }
    if until != nil { variant { $0.until = nil } }
    if weekStart != .monday { variant { $0.weekStart = .monday } }
    if skip != .omit { variant { $0.skip = .omit } }
    for (part, values) in numbers {
      variant { $0.numbers[part] = nil }
      if values.count > 1 {
        for index in values.indices { variant { $0.numbers[part]?.remove(at: index) } }
      }
    }
    if !byDay.isEmpty { variant { $0.byDay = [] } }
    if byDay.count > 1 {
      for index in byDay.indices { variant { $0.byDay.remove(at: index) } }
    }
    if start % 86400 != 0 { variant { $0.start -= $0.start % 86400 } }
    return found
  }

  /// The smallest rule that still fails.
  func shrunk(while fails: (LooseRule) -> Bool) -> LooseRule {
    var current = self
    var rounds = 0
    while rounds < 200, let next = current.smaller.first(where: { $0.rule != nil && fails($0) }) {
      current = next
      rounds += 1
    }
    return current
  }

  static func random(
    _ frequency: Rule.Frequency, using generator: inout SeededGenerator
  ) -> LooseRule {
    var rule = LooseRule()
    rule.frequency = frequency
    rule.isDate = generator.chance(20)
    let day = generator.number(9131...16_436)  // 1995 to 2014
    // Often near the end of a day, where the sub-daily rules show what they do with days.
    let second =
      generator.chance(40) ? generator.number(86000...86399) : generator.number(0...86399)
    rule.start = day * 86400 + (rule.isDate ? 0 : second)
    switch generator.number(0...9) {
    case 0...4: break
    case 5...7: rule.interval = generator.number(2...4)
    case 8: rule.interval = generator.number(5...40)
    default: rule.interval = generator.number(2...400)
    }
    rule.weekStart = Weekday.allCases.randomElement(using: &generator) ?? .monday
    if generator.chance(40) { rule.weekStart = .monday }
    func list(_ range: ClosedRange<Int>, _ most: Int, negative: Bool = false) -> [Int] {
      (0..<generator.number(1...most)).map { _ in
        let number = generator.number(range)
        return negative && generator.chance(35) ? -number : number
      }
    }
    if generator.chance(22) { rule.numbers[.byMonth] = list(1...12, 4) }
    if generator.chance(frequency == .yearly ? 25 : 3) {
      rule.numbers[.byWeekNumber] = list(generator.chance(30) ? 50...53 : 1...53, 5, negative: true)
    }
    if generator.chance(frequency == .yearly || frequency < .daily ? 15 : 3) {
      let range = generator.chance(30) ? 360...366 : 1...366
      rule.numbers[.byYearDay] = list(range, 20, negative: true)
    }
    if generator.chance(frequency == .weekly ? 5 : 25) {
      rule.numbers[.byMonthDay] = list(generator.chance(30) ? 28...31 : 1...31, 6, negative: true)
    }
    if generator.chance(40) {
      rule.byDay = (0..<generator.number(1...4)).compactMap { _ in
        let ordinal: Int =
          switch generator.number(0...9) {
          case 0...5: 0
          case 6...8: generator.number(1...5) * (generator.chance(40) ? -1 : 1)
          default: generator.number(1...53) * (generator.chance(40) ? -1 : 1)
          }
        return Weekday.allCases.randomElement(using: &generator).flatMap {
          Rule.WeekdayNumber(ordinal: ordinal, $0)
        }
      }
    }
    if generator.chance(frequency < .daily ? 30 : 15) { rule.numbers[.byHour] = list(0...23, 4) }
    if generator.chance(frequency < .daily ? 30 : 10) { rule.numbers[.byMinute] = list(0...59, 4) }
    if generator.chance(frequency < .daily ? 25 : 8) { rule.numbers[.bySecond] = list(0...60, 4) }
    if generator.chance(20) {
      rule.numbers[.bySetPosition] = list(
        generator.chance(80) ? 1...6 : 1...366, 3, negative: true)
    }
    if frequency >= .monthly, generator.chance(15) {
      rule.skip = generator.chance(50) ? .forward : .backward
    }
    if generator.chance(15) { rule.count = generator.number(1...40) }
    if generator.chance(15),
      let until = CivilDateTime(civilSeconds: rule.start + generator.number(0...1200) * 43_200)
    {
      rule.until = generator.chance(50) ? .date(until.date) : .local(until)
    }
    return rule
  }

  /// A rule that says SKIP and speaks of the ends of months and years, often several times a day
  /// and with BYSETPOS.
  static func randomSkip(
    _ frequency: Rule.Frequency, using generator: inout SeededGenerator
  ) -> LooseRule {
    var rule = LooseRule()
    rule.frequency = frequency
    rule.skip = generator.chance(50) ? .forward : .backward
    rule.isDate = generator.chance(10)
    let second = generator.chance(50) ? 0 : generator.number(0...86399)
    rule.start = generator.number(9131...16_436) * 86400 + (rule.isDate ? 0 : second)
    if generator.chance(30) { rule.interval = generator.number(2...5) }
    func some(_ most: Int, _ values: [Int]) -> [Int] {
      (0..<generator.number(1...most)).compactMap { _ in values.randomElement(using: &generator) }
    }
    let ends = [1, 2, 15, 28, 29, 30, 31, 29, 30, 31]
    let edges = ends + ends.map { -$0 }
    if frequency == .monthly || generator.chance(60) {
      if generator.chance(90) { rule.numbers[.byMonthDay] = some(4, edges) }
    } else {
      rule.numbers[.byYearDay] = some(4, [1, 2, 59, 60, 365, 366, 366, -1, -365, -366, -366])
    }
    if generator.chance(20) { rule.numbers[.byMonth] = some(3, [1, 2, 3, 4, 11, 12]) }
    if generator.chance(15) {
      rule.byDay = Weekday.allCases.filter { _ in generator.chance(60) }.compactMap {
        Rule.WeekdayNumber($0)
      }
    }
    if generator.chance(60) { rule.numbers[.byHour] = some(4, Array(0...23)) }
    if generator.chance(20) { rule.numbers[.byMinute] = some(2, [0, 30, 59]) }
    if generator.chance(60) {
      rule.numbers[.bySetPosition] = some(3, [1, 2, 3, 4, 5, -1, -2, -3, -4])
    }
    if generator.chance(20) { rule.count = generator.number(1...60) }
    return rule
  }
}
