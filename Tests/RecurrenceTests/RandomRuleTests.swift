import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Recurrence

/// Random rules of every FREQ against the brute force.
@Suite struct RandomRuleTests {
  /// How many days of brute force each FREQ gets.
  static func horizon(_ frequency: Rule.Frequency) -> Int {
    switch frequency {
    case .yearly: 366 * 7
    case .monthly: 366 * 3
    case .weekly, .daily: 400
    case .hourly, .minutely, .secondly: 400
    }
  }

  /// What is wrong with the engine's answer, if anything.
  static func difference(_ loose: LooseRule) -> String? {
    guard let rule = loose.rule else { return nil }
    let brute = BruteForce(rule, start: loose.start, isDate: loose.isDate)
    var expected = brute.expand(
      throughDay: loose.start / 86400 + horizon(rule.frequency), most: 40)
    let isComplete = rule.count == expected.seconds.count
    if isComplete { expected.through = Int(CivilDate.last.dayNumber) * 86400 }
    switch rule.until {
    case nil: break
    case .date(let date):
      let end = (Int(date.dayNumber) + 1) * 86400
      expected.seconds.removeAll { $0 >= end && $0 > loose.start }
    case .local(let civil), .utc(let civil):
      let end = loose.isDate ? (Int(civil.date.dayNumber) + 1) * 86400 - 1 : civil.civilSeconds
      expected.seconds.removeAll { $0 > end && $0 > loose.start }
    }
    if loose.isDate {
      // A whole-day series has no times, and half a day says nothing about it.
      let end = (expected.through + 1) / 86400 * 86400
      expected.through = end - 1
      expected.seconds.removeAll { $0 >= end }
      var days: [Int] = []
      for second in expected.seconds where days.last != second / 86400 * 86400 {
        days.append(second / 86400 * 86400)
      }
      expected.seconds = days
    }
    var found: [Int] = []
    var iterator = RuleExpansion(rule, start: loose.startTime).makeIterator()
    while let second = iterator.nextCivilSecond() {
      if second > expected.through { break }
      found.append(second)
      if found.count > expected.seconds.count { break }
    }
    if found == expected.seconds { return nil }
    let place = zip(found, expected.seconds).prefix { $0 == $1 }.count
    func text(_ seconds: [Int]) -> String {
      seconds.dropFirst(place).prefix(3).map {
        CivilDateTime(civilSeconds: $0)?.description ?? "?"
      }.joined(separator: " ")
    }
    return "after \(place) equal ones: engine \(text(found)), brute force \(text(expected.seconds))"
  }

  // Checks RFC 5545: 3.3.10/17, 3.3.10/19, 3.3.10/21, 3.3.10/22, 3.3.10/23, 3.3.10/24, 3.3.10/27
  // Checks RFC 5545: 3.3.10/28
  // Checks Decisions: Recurrence/2
  @Test(
    "random rules match a brute-force search of every day, hour, minute and second",
    arguments: Rule.Frequency.allCases)
  func againstBruteForce(_ frequency: Rule.Frequency) {
    var generator = SeededGenerator(seed: 2026 + UInt64(frequency.rawValue))
    for _ in 0..<Counts.randomRulesOfEachFrequency {
      let loose = LooseRule.random(frequency, using: &generator)
      guard Self.difference(loose) != nil else { continue }
      let smallest = loose.shrunk { Self.difference($0) != nil }
      Issue.record("\(smallest): \(Self.difference(smallest) ?? "")")
      return
    }
    Tally.report("rules against a brute force", ["rules": Counts.randomRulesOfEachFrequency])
  }
}

extension RandomRuleTests {
  // Checks Decisions: Recurrence/2
  @Test(
    "SKIP at the ends of months and years, with BYSETPOS and several times a day",
    arguments: [Rule.Frequency.monthly, .yearly])
  func skip(_ frequency: Rule.Frequency) {
    var generator = SeededGenerator(seed: 7529 + UInt64(frequency.rawValue))
    for _ in 0..<Counts.randomRulesOfEachFrequency {
      let loose = LooseRule.randomSkip(frequency, using: &generator)
      guard Self.difference(loose) != nil else { continue }
      let smallest = loose.shrunk { Self.difference($0) != nil }
      Issue.record("\(smallest): \(Self.difference(smallest) ?? "")")
      return
    }
  }
}

/// How much random tests try.
enum Counts {
  static let randomRulesOfEachFrequency = 600 * TestSettings.rounds
  static let randomWindowsOfEachFrequency = 300 * TestSettings.rounds
  static let randomEndsOfEachFrequency = 100 * TestSettings.rounds
  static let randomSets = 300 * TestSettings.rounds
}
