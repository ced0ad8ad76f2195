import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Recurrence

/// Writes random rules with the brute force's answers and the engine's, for `Tests/Oracles/rules`,
/// which asks other programs the same. Only where RULES_EXPORT names a file. RULES_PER_FREQUENCY is
/// how many of each FREQ.
@Suite struct OracleExportTests {
  static let path = ProcessInfo.processInfo.environment["RULES_EXPORT"]
  static let perFrequency = ProcessInfo.processInfo.environment["RULES_PER_FREQUENCY"]
    .flatMap { Int($0) }
  static let asked = 20

  @Test("random rules for other programs", .enabled(if: path != nil, "RULES_EXPORT names no file"))
  func export() throws {
    let perFrequency = Self.perFrequency ?? 500 * TestSettings.rounds
    var lines: [String] = []
    for frequency in Rule.Frequency.allCases {
      var generator = SeededGenerator(seed: 4711 + UInt64(frequency.rawValue))
      var written = 0
      while written < perFrequency {
        var loose = LooseRule.random(frequency, using: &generator)
        (loose.count, loose.until, loose.skip, loose.isDate) = (nil, nil, .omit, false)
        // Second 60 is read differently by each of them.
        loose.numbers[.bySecond] = loose.numbers[.bySecond]?.map { min($0, 59) }
        guard let rule = loose.rule, try RuleText(rule.description).notes.isEmpty,
          let start = CivilDateTime(civilSeconds: loose.start)
        else { continue }
        written += 1
        let answer = BruteForce(rule, start: loose.start, isDate: false).expand(
          throughDay: loose.start / 86400 + RandomRuleTests.horizon(frequency),
          most: Self.asked + 1)
        let engine = RuleExpansion(rule, start: .floating(start)).dropFirst().prefix(Self.asked)
        lines.append(
          [
            Self.text(start), rule.description,
            Self.text(CivilDateTime(civilSeconds: answer.through) ?? start),
            answer.seconds.dropFirst().prefix(Self.asked)
              .compactMap { CivilDateTime(civilSeconds: $0).map(Self.text) }.joined(separator: ","),
            engine.map(Self.text).joined(separator: ","),
          ].joined(separator: "\t"))
      }
    }
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: Self.path ?? "", atomically: true, encoding: .utf8)
  }

  static func text(_ civil: CivilDateTime) -> String { Rule.Until.local(civil).text }
}
