import CivilTime
import Foundation
import Testing

@testable import Recurrence

/// A case of `Fixtures/recurrence/*.txt`: what it is for, a rule, and what it gives.
struct TableCase: CustomTestStringConvertible, Sendable {
  var why = ""
  var rule = ""
  var start = ""
  var exception: String?
  var instances = ""

  var testDescription: String { "\(why): \(rule) from \(start)" }

  static func all(_ name: String) throws -> [TableCase] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Fixtures/recurrence/\(name).txt")
    var cases: [TableCase] = []
    var current = TableCase()
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      func value(_ prefix: String) -> String? {
        line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : nil
      }
      if let why = value("# ") { current.why = why }
      if let rule = value("RRULE:") { current.rule = rule }
      if let start = value("DTSTART:") { current.start = start }
      if let exception = value("EXDATE:") { current.exception = exception }
      if let instances = value("INSTANCES:") {
        current.instances = instances
        cases.append(current)
        current = TableCase()
      }
    }
    return cases
  }

  var isEndless: Bool { instances.hasSuffix("...") }

  /// As `2024-01-31T17:00`, or a date alone.
  func expected() -> [String] {
    let startClock =
      start.count > 8 ? "T\(start.dropFirst(9).prefix(2)):\(start.dropFirst(11).prefix(2))" : ""
    var found: [String] = []
    for token in instances.split(separator: " ") where token != "..." {
      let halves = token.split(separator: "T")
      let month = halves[0].prefix(8)
      var days: [String] = []
      for item in halves[0].dropFirst(8).split(separator: ",") {
        let ends = item.components(separatedBy: "..").compactMap { Int($0) }
        days += (ends[0]...ends[ends.count - 1]).map { String(format: "%02d", $0) }
      }
      let times = halves.count > 1 ? halves[1].split(separator: ",").map { "T\($0)" } : [startClock]
      for day in days { found += times.map { "\(month)\(day)\($0)" } }
    }
    return found
  }
}

@Suite struct TableTests {
  static let newYork = RecurrenceSetTests.newYork

  static func time(_ text: String) throws -> EventTime {
    guard case .local(let civil)? = try Rule(parsing: "FREQ=DAILY;UNTIL=\(text)").until else {
      return .date(
        RecurrenceSetTests.civil(
          "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
        ).date)
    }
    return .zoned(civil, newYork)
  }

  static func check(_ example: TableCase) throws {
    let set = RecurrenceSet(
      start: try time(example.start), extent: .unstated, rules: [try Rule(parsing: example.rule)],
      exceptionDates: try example.exception.map { [try time($0)] } ?? [])
    let expected = example.expected()
    let always = Instant(secondsSinceEpoch: .min)..<Instant(secondsSinceEpoch: .max)
    var found: [String] = []
    for instance in set.instances(touching: always, viewer: newYork) {
      if example.isEndless, found.count == expected.count { break }
      found.append(
        instance.allDay.map { "\($0.lowerBound)" }
          ?? String(newYork.civil(at: instance.begin).description.dropLast(3)))
      if found.count > expected.count { break }
    }
    #expect(found == expected)
  }

  // Checks RFC 5545: 3.3.10/8, 3.3.10/9, 3.3.10/23, 3.3.10/25, 3.3.10/26, 3.8.5.1/4, 3.8.5.3/4
  @Test("the examples of RFC 5545 3.8.5.3", arguments: try TableCase.all("rfc5545"))
  func rfc5545(_ example: TableCase) throws { try Self.check(example) }

  // Checks RFC 5545: 3.3.10/2, 3.3.10/10, 3.3.10/15, 3.3.10/16, 3.3.10/17, 3.3.10/18, 3.3.10/25
  // Checks RFC 5545: 3.3.10/26
  // Checks Decisions: Small decisions/1, Small decisions/2, Small decisions/7
  @Test("odd rules", arguments: try TableCase.all("cases"))
  func cases(_ example: TableCase) throws { try Self.check(example) }

  // Checks RFC 7529: 4/2, 4.1/1, 4.2/1, 4.3/1
  // Checks Decisions: Rules in other calendars/5, Rules in other calendars/6
  @Test(
    "rules in other calendars, with the examples of RFC 7529",
    arguments: try TableCase.all("rfc7529"))
  func rfc7529(_ example: TableCase) throws { try Self.check(example) }

  @Test("the tables are whole")
  func counts() throws {
    #expect(try TableCase.all("rfc5545").count == 42)
    #expect(try TableCase.all("rfc7529").count == 22)
    #expect(try TableCase.all("cases").count > 25)
  }
}
