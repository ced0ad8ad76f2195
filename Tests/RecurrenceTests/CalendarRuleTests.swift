import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// RFC 7529 read literally: every day of the calendar is looked at by itself. It shares the calendar
/// with the engine (`CalendarSystemTests` compares that with other programs), but no code for rules.
struct CalendarBruteForce {
  struct Day {
    let number: Int
    let year: Int
    let month: MonthName
    /// Counts the months of the whole span.
    let monthIndex: Int
    let day: Int
    /// 0…6 from Monday.
    var weekday: Int { (number + 3) % 7 }
  }

  let calendar: CalendarSystem
  let days: [Day]
  private let years: [Int: ClosedRange<Int>]
  private let months: [Int: ClosedRange<Int>]

  /// The days of 1988 to 2040.
  init(_ calendar: CalendarSystem) {
    self.calendar = calendar
    var days: [Day] = []
    var monthIndex = 0
    for number in 6574..<25_933 {
      guard let civil = CivilDate(dayNumber: number), let date = CalendarDate(civil, in: calendar)
      else { continue }
      if let last = days.last, last.month != date.month || last.year != date.year {
        monthIndex += 1
      }
      days.append(
        Day(
          number: number, year: date.year, month: date.month, monthIndex: monthIndex, day: date.day)
      )
    }
    self.days = days
    func spans(_ key: (Day) -> Int) -> [Int: ClosedRange<Int>] {
      Dictionary(grouping: days, by: key).mapValues { $0[0].number...$0[$0.count - 1].number }
    }
    years = spans(\.year)
    months = spans(\.monthIndex)
  }

  func day(_ number: Int) -> Day { days[number - days[0].number] }

  private func position(_ number: Int, in span: ClosedRange<Int>) -> [Int] {
    [number - span.lowerBound + 1, number - span.upperBound - 1]
  }

  private func matches(_ list: [Int], _ number: Int, in span: ClosedRange<Int>?) -> Bool {
    guard let span else { return false }
    return list.isEmpty || position(number, in: span).contains(where: list.contains)
  }

  /// The week number of a day from the start and from the end of the week's year.
  private func weeks(of day: Day, _ weekStart: Int) -> [Int] {
    func yearOfWeek(_ first: Int) -> Int { self.day(first + 3).year }
    let first = day.number - (day.weekday - weekStart + 7) % 7
    let year = yearOfWeek(first)
    var (before, after) = (0, 0)
    while yearOfWeek(first - 7 * (before + 1)) == year { before += 1 }
    while yearOfWeek(first + 7 * (after + 1)) == year { after += 1 }
    return [before + 1, -after - 1]
  }

  /// The dates of a rule from `start` up to 2035, DTSTART included.
  func dates(_ rule: Rule, start startNumber: Int) -> [Int] {
    let start = day(startNumber)
    let saysDay = !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !rule.byYearDay.isEmpty
    let isOpen = !saysDay && rule.byWeekNumber.isEmpty && rule.frequency >= .monthly
    let monthDays = isOpen ? [start.day] : rule.byMonthDay
    var names =
      rule.byMonth.map { MonthName($0) } + rule.byLeapMonth.map { MonthName($0, isLeap: true) }
    let saysMonth = !names.isEmpty
    if isOpen, rule.frequency == .yearly, !saysMonth { names = [start.month] }
    let needsWeekday =
      !saysDay
      && (rule.frequency == .weekly || (rule.frequency >= .monthly && !rule.byWeekNumber.isEmpty))
    let takesOrdinals =
      rule.frequency == .monthly || (rule.frequency == .yearly && rule.byWeekNumber.isEmpty)
    let weekStart = Int(rule.weekStart.rawValue) - 1
    let skip = rule.frequency >= .monthly ? rule.skip : .omit

    func allows(_ number: Int) -> Bool {
      let day = day(number)
      if needsWeekday, day.weekday != start.weekday { return false }
      if !rule.byDay.isEmpty {
        let span =
          rule.frequency == .yearly && !saysMonth ? years[day.year] : months[day.monthIndex]
        guard let span else { return false }
        let found = rule.byDay.contains { value in
          guard Int(value.weekday.rawValue) - 1 == day.weekday else { return false }
          if value.ordinal == 0 || !takesOrdinals { return true }
          let (step, end) =
            value.ordinal > 0 ? (7, span.lowerBound) : (-7, span.upperBound)
          var wanted = end
          while self.day(wanted).weekday != day.weekday { wanted += step / 7 }
          return number == wanted + step * (abs(value.ordinal) - 1)
        }
        if !found { return false }
      }
      if !matches(rule.byYearDay, number, in: years[day.year]) { return false }
      return rule.byWeekNumber.isEmpty
        || weeks(of: day, weekStart).contains(where: rule.byWeekNumber.contains)
    }

    /// The month of a year that has this name, moved by SKIP if the year lacks it.
    func month(_ name: MonthName, of year: ClosedRange<Int>) -> Int? {
      if let exact = year.first(where: { day($0).month == name }) { return day(exact).monthIndex }
      guard name.isLeap, skip != .omit,
        let regular = year.first(where: { day($0).month == MonthName(name.number) })
      else { return nil }
      return day(regular).monthIndex + (skip == .forward ? 1 : 0)
    }

    func inMonth(_ index: Int) -> [Int] {
      guard let span = months[index] else { return [] }
      if monthDays.isEmpty { return span.filter(allows) }
      return monthDays.compactMap { wanted in
        let number = wanted > 0 ? span.lowerBound + wanted - 1 : span.upperBound + wanted + 1
        if span.contains(number) { return number }
        switch (skip, wanted > 0) {
        case (.omit, _): return nil
        case (.forward, true): return span.upperBound + 1
        case (.forward, false): return span.lowerBound
        case (.backward, true): return span.upperBound
        case (.backward, false): return span.lowerBound - 1
        }
      }.filter(allows)
    }

    func key(_ day: Day) -> Int {
      switch rule.frequency {
      case .yearly: day.year
      case .monthly: day.monthIndex
      case .weekly: (day.number - (weekStart - 3 + 7) % 7 + 7000) / 7
      default: day.number
      }
    }

    let periods = Dictionary(
      grouping: days.lazy.filter { $0.number >= startNumber - 7 && $0.number < 24_000 }, by: key)
    var found: Set<Int> = [startNumber]
    let last = key(day(24_000))
    for period in stride(from: key(start), through: last, by: rule.interval) {
      var given: [Int] = []
      switch rule.frequency {
      case .yearly:
        guard let year = years[period] else { continue }
        let chosen =
          names.isEmpty
          ? Array(Set(year.map { day($0).monthIndex })) : names.compactMap { month($0, of: year) }
        given = Set(chosen).flatMap(inMonth)
      case .monthly:
        guard let span = months[period] else { continue }
        if names.isEmpty || names.contains(day(span.lowerBound).month) { given = inMonth(period) }
      default:
        given = (periods[period] ?? []).filter { day in
          (names.isEmpty || names.contains(day.month))
            && matches(monthDays, day.number, in: months[day.monthIndex]) && allows(day.number)
        }.map(\.number)
      }
      given = Set(given).sorted()
      if !rule.bySetPosition.isEmpty {
        given = given.enumerated().filter { place, _ in
          rule.bySetPosition.contains(place + 1)
            || rule.bySetPosition.contains(place - given.count)
        }.map(\.element)
      }
      found.formUnion(given.filter { $0 > startNumber && $0 < 23_700 })
    }
    let sorted = found.sorted()
    return rule.count.map { Array(sorted.prefix($0)) } ?? sorted
  }
}

@Suite struct CalendarRuleTests {
  static func random(
    _ calendar: CalendarSystem, using generator: inout SeededGenerator
  ) -> Rule? {
    let frequency = [Rule.Frequency.yearly, .yearly, .yearly, .monthly, .monthly, .weekly, .daily]
      .randomElement(using: &generator)
    guard let frequency else { return nil }
    func some(_ most: Int, _ range: ClosedRange<Int>) -> [Int] {
      (0..<generator.number(1...most)).map { _ in
        generator.number(range) * (range.lowerBound > 0 && generator.chance(30) ? -1 : 1)
      }
    }
    var numbers: [Rule.NumberPart: [Int]] = [:]
    var leapMonths: [Int] = []
    if generator.chance(45) {
      numbers[.byMonth] = some(3, 1...calendar.lastMonth).map { abs($0) }
    }
    if calendar.hasLeapMonths, generator.chance(30) {
      leapMonths = calendar == .hebrew ? [5] : some(3, 2...11).map { abs($0) }
    }
    if generator.chance(45) {
      numbers[.byMonthDay] = some(4, generator.chance(50) ? 28...31 : 1...31)
    }
    if frequency == .yearly, generator.chance(12) {
      numbers[.byYearDay] = some(6, 1...calendar.longestYear)
    }
    if frequency == .yearly, generator.chance(12) { numbers[.byWeekNumber] = some(4, 1...53) }
    var byDay: [Rule.WeekdayNumber] = []
    if generator.chance(35) {
      byDay = (0..<generator.number(1...3)).compactMap { _ in
        let ordinal = generator.chance(50) ? 0 : generator.number(1...5)
        return Weekday.allCases.randomElement(using: &generator).flatMap {
          Rule.WeekdayNumber(ordinal: generator.chance(30) ? -ordinal : ordinal, $0)
        }
      }
    }
    if generator.chance(20) { numbers[.bySetPosition] = some(2, 1...4) }
    let skip = Rule.Skip.allCases.randomElement(using: &generator) ?? .omit
    return try? Rule(
      frequency, interval: generator.chance(50) ? 1 : generator.number(2...5),
      count: generator.chance(30) ? generator.number(1...30) : nil, byDay: byDay, numbers,
      weekStart: generator.chance(50) ? .monday : .sunday,
      skip: numbers[.byYearDay] == nil ? skip : .omit, calendar: calendar, byLeapMonth: leapMonths)
  }

  // Checks Decisions: Rules in other calendars/5, Rules in other calendars/6
  // Checks Decisions: Rules in other calendars/7, Rules in other calendars/8
  @Test("random rules match a brute-force search of every day", arguments: CalendarSystem.allCases)
  func bruteForce(calendar: CalendarSystem) throws {
    var generator = SeededGenerator(seed: 7529)
    let force = CalendarBruteForce(calendar)
    for _ in 0..<25 * TestSettings.rounds {
      guard let rule = Self.random(calendar, using: &generator) else { continue }
      let start = generator.number(14_000...17_000)
      guard let date = CivilDate(dayNumber: start) else { continue }
      let expected = force.dates(rule, start: start)
      let found = RuleExpansion(rule, start: .date(date)).lazy
        .map { Int($0.date.dayNumber) }.prefix { $0 < 23_700 }
      if Array(found) != expected {
        let differences = Set(found).symmetricDifference(expected).sorted().prefix(5)
          .compactMap { CivilDate(dayNumber: $0) }
        Issue.record("\(rule) from \(date): \(differences)")
        return
      }
      // From the middle it gives the same as from the start.
      let middle = generator.number(start...21_000)
      guard let from = CivilDate(dayNumber: middle) else { continue }
      let later = RuleExpansion(
        rule, start: .date(date), from: CivilDateTime(from, .midnight)
      ).lazy.map { Int($0.date.dayNumber) }.prefix { $0 < 23_700 }
      #expect(
        Array(later) == expected.filter { $0 >= middle }, "\(rule) from \(date), seen from \(from)")
    }
  }

  private static func dates(_ rule: String, from start: String, _ count: Int) throws -> [String] {
    let parts = start.split(separator: "-").compactMap { Int($0) }
    let start = try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
    let rule = try Rule(parsing: "RSCALE=HEBREW;FREQ=YEARLY;\(rule)")
    return RuleExpansion(rule, start: .date(start)).lazy.prefix(count).map { "\($0.date)" }
  }

  // The years 5785 to 5788 begin on 3 October 2024, 23 September 2025, 12 September 2026 and 2 October
  // 2027: they have 355, 354 and 385 days.
  // Checks Decisions: Rules in other calendars/6
  @Test(
    "a day that a year lacks is left out, or is the last day of the year or the first of the next",
    arguments: [
      ("BYYEARDAY=355", ["2025-09-22", "2027-09-01"]),
      ("BYYEARDAY=355;SKIP=FORWARD", ["2025-09-22", "2026-09-12", "2027-09-01"]),
      ("BYYEARDAY=355;SKIP=BACKWARD", ["2025-09-22", "2026-09-11", "2027-09-01"]),
      ("BYYEARDAY=-355", ["2024-10-03", "2026-10-12"]),
      ("BYYEARDAY=-355;SKIP=FORWARD", ["2024-10-03", "2025-09-23", "2026-10-12"]),
      ("BYYEARDAY=-355;SKIP=BACKWARD", ["2024-10-03", "2025-09-22", "2026-10-12"]),
      // Of several days each counts by itself, and none twice.
      (
        "BYYEARDAY=1,355;SKIP=FORWARD",
        ["2024-10-03", "2025-09-22", "2025-09-23", "2026-09-12", "2027-09-01", "2027-10-02"]
      ),
    ])
  func skippedYearDays(rule: String, dates: [String]) throws {
    // DTSTART is always an occurrence.
    #expect(try Self.dates(rule, from: dates[0], dates.count) == dates)
  }

  // The years 5785 to 5789 begin on a Thursday, a Tuesday, two Saturdays and a Thursday.
  @Test(
    "the first week is the first one with four days in the year",
    arguments: [
      ("SU", ["2024-10-06", "2025-09-21", "2026-09-13", "2027-10-03", "2028-09-24"]),
      ("MO", ["2024-09-30", "2025-09-22", "2026-09-14", "2027-10-04", "2028-09-18"]),
    ])
  func firstWeek(day: String, dates: [String]) throws {
    #expect(
      try Self.dates("BYWEEKNO=1;BYDAY=\(day);WKST=\(day)", from: dates[0], dates.count) == dates)
  }

  // Checks Decisions: Rules in other calendars/4
  @Test("a window outside of the table gives no dates and says so")
  func outsideTable() throws {
    func seen(_ rule: String, from first: Int, to last: Int) throws -> (Int, RecurrenceSet.Cut?) {
      let start = try #require(CivilDate(year: 2024, month: 2, day: 10))
      let set = RecurrenceSet(
        start: .date(start), extent: .unstated, rules: [try Rule(parsing: rule)])
      let low = try #require(CivilDate(year: first, month: 1, day: 1))
      let high = try #require(CivilDate(year: last, month: 1, day: 1))
      var instances = set.instances(
        touching: Instant(
          utc: CivilDateTime(low, .midnight))..<Instant(
            utc: CivilDateTime(high, .midnight)), viewer: .utc)
      var count = 0
      while instances.next() != nil { count += 1 }
      return (count, instances.cut)
    }
    let chinese = "RSCALE=CHINESE;FREQ=YEARLY"
    #expect(try seen(chinese, from: 2090, to: 2100) == (10, nil))
    #expect(try seen(chinese, from: 2095, to: 2110) == (6, .outsideTable(.chinese)))
    #expect(try seen(chinese, from: 2105, to: 2110) == (0, .outsideTable(.chinese)))
    #expect(try seen(chinese + ";COUNT=5", from: 2105, to: 2110) == (0, nil))
    #expect(try seen(chinese + ";UNTIL=20500101", from: 2105, to: 2110) == (0, nil))
    #expect(
      try seen("RSCALE=PERSIAN;FREQ=YEARLY", from: 3000, to: 3010) == (10, nil))
  }

  // Checks Decisions: Rules in other calendars/4, Rules in other calendars/8
  @Test("the last day of the table is known, the day after it is not, and DTSTART has to be known")
  func endOfTable() throws {
    let last = try #require(CalendarSystem.chinese.tableDates?.upperBound)
    func cut(from first: CivilDate, days: Int, start: CivilDate) throws -> RecurrenceSet.Cut? {
      let set = RecurrenceSet(
        start: .date(start), extent: .unstated,
        rules: [try Rule(parsing: "RSCALE=CHINESE;FREQ=YEARLY")])
      let begin = Instant(utc: CivilDateTime(first, .midnight))
      let end = Instant(
        utc: CivilDateTime(try #require(first.adding(days: days)), .midnight))
      return set.instances(touching: begin..<end, viewer: .utc).cut
    }
    let start = try #require(CivilDate(year: 2024, month: 2, day: 10))
    #expect(try cut(from: last, days: 1, start: start) == nil)
    #expect(try cut(from: last, days: 2, start: start) == .outsideTable(.chinese))
    let before = try #require(CivilDate(year: 1899, month: 2, day: 10))
    #expect(try cut(from: start, days: 1, start: before) == .startOutsideTable(.chinese))
    let after = try #require(last.adding(days: 1))
    #expect(try cut(from: after, days: 1, start: after) == .startOutsideTable(.chinese))
  }
}
