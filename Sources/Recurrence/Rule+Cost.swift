extension Rule {
  /// Whether finding its occurrences, or that it has none, can take milliseconds: rules below DAILY
  /// that only some times allow, and in other calendars all but birthdays. Hardly any calendar has
  /// one; a hostile one has thousands.
  package var isCostly: Bool {
    let hasDays = !byDay.isEmpty || !byYearDay.isEmpty || !byWeekNumber.isEmpty
    if calendar != nil {
      // More birthdays than any calendar has.
      let longCount = 1_000
      return frequency < .yearly || hasDays || count ?? 0 > longCount
    }
    guard frequency < .daily else { return false }
    return hasDays || !byMonth.isEmpty || !byLeapMonth.isEmpty || !byMonthDay.isEmpty
      || !byHour.isEmpty || !byMinute.isEmpty || !bySecond.isEmpty || !bySetPosition.isEmpty
  }

  /// Whether it can have thousands of occurrences in a week.
  package var isFrequent: Bool { frequency < .daily }
}
