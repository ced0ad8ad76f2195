extension Rule {
  /// Whether finding its occurrences, or that it has none, can take milliseconds or much memory:
  /// rules below DAILY that only some times allow, rules with many times a day, and in other
  /// calendars all but birthdays. Hardly any calendar has one; a hostile one has thousands.
  package var isCostly: Bool {
    let hasDays = !byDay.isEmpty || !byYearDay.isEmpty || !byWeekNumber.isEmpty
    if calendar != nil {
      // More birthdays than any calendar has.
      let longCount = 1_000
      return frequency < .yearly || hasDays || count ?? 0 > longCount
    }
    guard frequency < .daily else {
      return [byHour, byMinute, bySecond].reduce(1) { $0 * max(1, $1.count) } > Self.manyTimes
    }
    return hasDays || !byMonth.isEmpty || !byLeapMonth.isEmpty || !byMonthDay.isEmpty
      || !byHour.isEmpty || !byMinute.isEmpty || !bySecond.isEmpty || !bySetPosition.isEmpty
  }

  /// Every five minutes.
  private static let manyTimes = 288

  /// Whether it can have thousands of occurrences in a week.
  package var isFrequent: Bool { frequency < .daily }
}
