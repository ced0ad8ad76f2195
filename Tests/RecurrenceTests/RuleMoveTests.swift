import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// Rules of series that move to another date.
@Suite struct RuleMoveTests {
  /// A move by the occurrence of a date.
  private struct Move: CustomStringConvertible {
    let loose: LooseRule
    let rule: Rule
    let date: CivilDate
    let days: Int

    var description: String { "\(loose), \(date) moved by \(days) days" }

    var moved: Rule? {
      guard let start = CivilDateTime(civilSeconds: loose.start)?.date,
        let newStart = start.adding(days: days)
      else { return nil }
      return rule.moved(from: start, to: newStart, seenOn: date)
    }

    /// Whether the dates of another rule, by brute force, are those of this one, each moved by the
    /// same difference.
    func agrees(with moved: Rule) -> Bool {
      let day = loose.start / 86400
      let (most, horizon) = (400, 366 * 20)
      let old = BruteForce(rule, start: loose.start, isDate: loose.isDate)
        .expand(throughDay: day + horizon, most: most)
      let newStart = loose.start + days * 86400
      let new = BruteForce(moved, start: newStart, isDate: loose.isDate)
        .expand(throughDay: day + days + horizon, most: most)
      guard let newDate = date.adding(days: days) else { return false }
      let years = newDate.year - date.year
      let months = 12 * years + newDate.month - date.month
      let differences: [(CivilDate) -> CivilDate?] = [
        { $0.adding(days: days) },
        { (old: CivilDate) in
          old.adding(months: months).flatMap { $0.day == old.day ? $0 : nil }
        },
        { CivilDate(year: $0.year + years, month: newDate.month, day: newDate.day) },
      ]
      return differences.contains { difference in
        func at(_ second: Int) -> Int? {
          CivilDateTime(civilSeconds: second).flatMap { difference($0.date) }
            .map { Int($0.dayNumber) * 86400 + second % 86400 }
        }
        // The differences are not more than ten days apart.
        let end = min(old.through / 86400 + days - 10, new.through / 86400) * 86400
        let expected = old.seconds.map { at($0) ?? end }
        return expected.filter { $0 < end } == new.seconds.filter { $0 < end }
      }
    }
  }

  /// A rule with few parts, as people write them, or with any.
  private static func move(
    _ frequency: Rule.Frequency, using generator: inout SeededGenerator
  ) -> Move? {
    var loose = LooseRule.random(frequency, using: &generator)
    (loose.count, loose.until) = (nil, nil)
    if generator.chance(80) {
      for part in Rule.NumberPart.allCases where generator.chance(85) {
        loose.numbers[part] = nil
      }
      if generator.chance(60) { loose.byDay = Array(loose.byDay.prefix(1)) }
    }
    guard let rule = loose.rule else { return nil }
    // Half of the series begin on a date of the rule.
    let starts = Array(RuleExpansion(rule, start: loose.startTime).prefix(2))
    if generator.chance(50), let start = starts.last, start.date.year < 2015 {
      loose.start = start.civilSeconds
    }
    let dates = Array(RuleExpansion(rule, start: loose.startTime).prefix(4)).map(\.date)
    guard let date = dates.randomElement(using: &generator) else { return nil }
    // Often by weeks or to the same day of another month.
    var days = generator.number(-40...40)
    if generator.chance(30) { days = 7 * generator.number(-5...5) }
    if generator.chance(20), let other = date.adding(months: generator.number(-14...14)) {
      days = date.days(until: other)
    }
    return Move(loose: loose, rule: rule, date: date, days: days)
  }

  @Test(
    "a moved rule has the dates of the rule, each moved, by brute force",
    arguments: Rule.Frequency.allCases)
  func random(frequency: Rule.Frequency) {
    var generator = SeededGenerator(seed: 2026 + UInt64(frequency.rawValue))
    var movedCount = 0
    for _ in 0..<200 * TestSettings.rounds {
      guard let move = Self.move(frequency, using: &generator), let moved = move.moved else {
        continue
      }
      movedCount += 1
      #expect(move.agrees(with: moved), "\(move): \(moved)")
    }
    #expect(movedCount > 10, "\(movedCount)")
  }

  @Test(
    "days that a rule names move with its series",
    arguments: [
      ("WEEKLY;BYDAY=MO,FR", "2026-11-23", 3, "WEEKLY;BYDAY=MO,TH"),
      ("WEEKLY;INTERVAL=2;BYDAY=MO,WE", "2026-11-23", 2, "WEEKLY;INTERVAL=2;BYDAY=WE,FR"),
      ("WEEKLY;INTERVAL=2;BYDAY=MO,WE", "2026-11-23", -7, "WEEKLY;INTERVAL=2;BYDAY=MO,WE"),
      ("DAILY;BYDAY=MO", "2026-11-23", 1, "DAILY;BYDAY=TU"),
      ("MONTHLY;BYMONTHDAY=15", "2026-11-15", 2, "MONTHLY;BYMONTHDAY=17"),
      ("MONTHLY;BYMONTHDAY=15", "2026-01-15", 424, "MONTHLY;BYMONTHDAY=15"),
      ("MONTHLY;BYDAY=2TU", "2026-12-08", 7, "MONTHLY;BYDAY=3TU"),
      ("MONTHLY;BYDAY=-1FR", "2026-11-27", -7, "MONTHLY;BYDAY=-2FR"),
      ("YEARLY;BYMONTH=3;BYMONTHDAY=10", "2026-03-10", 31, "YEARLY;BYMONTHDAY=10;BYMONTH=4"),
      ("YEARLY;BYMONTH=2;BYMONTHDAY=20", "2026-02-20", 18, "YEARLY;BYMONTHDAY=10;BYMONTH=3"),
      ("YEARLY;BYMONTH=3;BYDAY=2TU", "2026-03-10", 7, "YEARLY;BYDAY=3TU;BYMONTH=3"),
      ("YEARLY;UNTIL=20300101", "2026-03-10", 40, "YEARLY;UNTIL=20300101"),
      (
        "MONTHLY;BYMONTHDAY=28;UNTIL=20270128", "2026-11-28", 1,
        "MONTHLY;UNTIL=20270128;BYMONTHDAY=29"
      ),
      ("HOURLY;INTERVAL=36", "2026-03-10", 40, "HOURLY;INTERVAL=36"),
    ])
  func moves(rule: String, date: String, days: Int, moved: String) throws {
    #expect(try Self.moved(rule, date, days)?.description == "FREQ=\(moved)")
  }

  @Test(
    "a rule whose days cannot move is refused",
    arguments: [
      ("MONTHLY", "2026-11-30", 1), ("MONTHLY;BYMONTHDAY=15", "2026-12-15", 18),
      ("MONTHLY;BYMONTHDAY=28", "2026-12-28", 1), ("MONTHLY;BYDAY=1MO", "2026-12-07", 1),
      ("MONTHLY;BYDAY=-1FR", "2026-11-27", -28), ("MONTHLY;BYDAY=9SU", "2009-03-07", 4),
      // 5 May is after UNTIL, moved by as many days.
      ("MONTHLY;UNTIL=20260305", "2026-01-05", 59), ("YEARLY", "2028-02-29", 1),
      ("WEEKLY;INTERVAL=2;BYDAY=MO,FR", "2026-12-11", 3), ("YEARLY;BYYEARDAY=60", "2026-03-01", 1),
      ("MONTHLY;BYDAY=MO,TU;BYSETPOS=-1", "2026-11-30", 1), ("MINUTELY;BYMONTH=3", "2026-03-10", 1),
      (
        "MONTHLY;BYMONTHDAY=28;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,10,20,30,40,50"
          + ";BYSECOND=0,10,20,30,40,50", "2026-03-28", 1
      ),
    ])
  func refused(rule: String, date: String, days: Int) throws {
    #expect(try Self.moved(rule, date, days) == nil)
  }

  private static func moved(_ rule: String, _ date: String, _ days: Int) throws -> Rule? {
    let start = try #require(Instant(rfc3339: date + "T00:00:00Z")).utc.date
    let newStart = try #require(start.adding(days: days))
    return try Rule(parsing: "FREQ=\(rule)").moved(from: start, to: newStart, seenOn: start)
  }
}
