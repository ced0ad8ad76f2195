import AgendaCore
import TestSupport
import Testing

@Suite("problems of one kind become one finding")
struct FindingGroupsTests {
  private func finding(_ value: String, line: Int) -> Finding {
    Finding(
      severity: .warning, line: line, component: "VEVENT", property: "PRIORITY",
      message: "\"\(value)\" is not understood", action: "ignored")
  }

  /// Counts lines and names values, in the order of the lines.
  private func expected(_ values: [String]) -> String {
    var distinct: [String] = []
    for value in values where !distinct.contains(value) { distinct.append(value) }
    let others = distinct.dropFirst().prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = distinct.count > 4 ? " and others" : ""
    return "\"\(distinct[0])\" is not understood"
      + (distinct.count > 1 ? " (also \(others)\(more))" : "")
  }

  @Test("the lines are in order, also if the problems are not")
  func lineOrder() {
    let lines = [26, 25, 27, 3, 40]
    let grouped = lines.map { finding("high", line: $0) }.grouped
    #expect(grouped.map(\.lines) == [[3, 25, 26, 27, 40]])
    #expect(grouped.map(\.line) == [3])
    let many = (1...30).reversed().map { finding("high", line: $0) }.grouped
    #expect(many.map(\.lines) == [Array(1...10)])
  }

  @Test("other values are named, up to three, also if groups are grouped again")
  func values() {
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<300 * TestSettings.rounds {
      let kinds = Int.random(in: 1...8, using: &generator)
      let values = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
        ["high", "low", "1st", "", "ÄÖ", "a, b", "x (y)", "now"][
          Int.random(in: 0..<kinds, using: &generator)]
      }
      let findings = values.enumerated().map { finding($0.element, line: $0.offset + 1) }
      let cut = Int.random(in: 0...findings.count, using: &generator)
      let parts = Array(findings[..<cut]).grouped + Array(findings[cut...]).grouped
      for grouped in [findings.grouped, parts.grouped, findings.grouped.grouped] {
        #expect(grouped.map(\.message) == [expected(values)])
        #expect(grouped.map(\.count) == [values.count])
        #expect(grouped.map(\.lines) == [Array(1...min(10, values.count))])
      }
    }
  }

  @Test("a different wording is a different kind")
  func wordings() {
    var other = finding("high", line: 3)
    other.message = "\"high\" is too long"
    let grouped = [finding("high", line: 1), other, finding("low", line: 5)].grouped
    #expect(grouped.map(\.message) == [expected(["high", "low"]), "\"high\" is too long"])
  }
}
