import AgendaCore
import Recurrence
import TestSupport
import Testing

@Suite("problems of one kind become one finding")
struct FindingGroupsTests {
  private func finding(_ value: String, line: Int) -> Finding {
    Finding(.warning, "not-understood", "\"\(listed: value)\" is not understood", "ignored").at(
      line: line, component: "VEVENT", property: "PRIORITY")
  }

  private func zoneFinding(_ name: String, usedLine: Int) -> Finding {
    Finding(
      .warning, "other-zone-definition", "\"\(listed: name)\" has different rules",
      "the definition on line \(position: usedLine) is used"
    ).at(component: "VTIMEZONE", property: "TZID")
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
    let errors = (many + [finding("high", line: 45), finding("high", line: 44)]).map { finding in
      var error = finding
      error.severity = .error
      return error
    }
    #expect(errors.grouped.map(\.lines) == [Array(1...10) + [44, 45]])
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

  @Test("another code and another fixed value are other kinds")
  func kinds() {
    let other = finding("high", line: 3).reworded(
      as: Finding(.error, "invalid-duration", "invalid duration \"\(listed: "high")\"", "ignored"))
    let shown = finding("high", line: 4).reworded(
      as: Finding(
        .note, "not-understood", "\"\(listed: "high")\" is not understood",
        "not shown in the details"))
    let grouped = [finding("high", line: 1), other, shown, finding("low", line: 5)].grouped
    #expect(
      grouped.map(\.message) == [
        expected(["high", "low"]), "invalid duration \"high\"", expected(["high"]),
      ])
  }

  @Test("numbers do not make another kind, and are not listed")
  func numbers() {
    let findings = [255, 300].map { number in
      let error = RuleError(
        .outOfRange(number: "\(number)", -53...53), part: "BYDAY=\(number)SU")
      return Finding(.error, "invalid-rule", error.sentence, "ignored").at(
        component: "VEVENT", property: "RRULE")
    }
    #expect(
      findings.grouped.map(\.message) == [
        "BYDAY=255SU: expected a number from -53 to 53, got 255"
      ])
    #expect(findings.grouped.map(\.count) == [2])
  }

  @Test("30,000 different values are grouped in time linear in their number")
  func manyValues() {
    let findings = (1...30_000).map { finding("value \($0)", line: $0) }
    var grouped: [Finding] = []
    let growth = ThreadTime.growth(by: 10) { part in
      grouped = Array(findings.prefix(Int(part * 30_000))).grouped
    }
    #expect(growth < 30)
    #expect(grouped.map(\.count) == [30_000])
    #expect(grouped.map(\.message) == [expected((1...5).map { "value \($0)" })])
  }

  @Test("a problem is known if its file had the same with all of its values")
  func known() {
    let two = [finding("high", line: 1), finding("low", line: 2)].grouped[0]
    let known = KnownFindings([two])
    #expect(known.contains(finding("high", line: 9)))
    #expect(known.contains(finding("low", line: 9)))
    #expect(!known.contains(finding("urgent", line: 9)))
    #expect(!KnownFindings([finding("high", line: 1)]).contains(two))
    var other = finding("high", line: 1)
    other.property = "PERCENT-COMPLETE"
    #expect(!known.contains(other))
    let lines = [12, 30].map { zoneFinding("Ours", usedLine: $0) }
    #expect(KnownFindings([lines[1]]).contains(lines[0]))
  }

  @Test("a known problem explains one other if it is removed")
  func removedKnown() {
    var known = KnownFindings([finding("high", line: 1), finding("high", line: 2)])
    let found = (1...3).map { known.remove(finding("high", line: $0)) }
    #expect(found == [true, true, false])
  }

  @Test("the time to find problems among known ones grows with their number")
  func manyKnown() {
    let findings = (1...6_000).map { zoneFinding("Zone \($0)", usedLine: $0) }
    let growth = ProcessorTime.growth(from: 3_000) { count in
      let some = findings.prefix(count)
      let known = KnownFindings(Array(some))
      #expect(some.allSatisfy(known.contains))
    }
    #expect(growth < ProcessorTime.linearGrowth)
  }
}
