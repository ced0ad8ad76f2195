internal import CivilTime

extension Rule {
  /// Whether finding its occurrences, or that it has none, can take more than a tenth of a
  /// millisecond, or much memory. Hardly any calendar has such a rule; a hostile one has thousands.
  ///
  /// It is measured, not guessed: a few occurrences are looked for at several times.
  package func isCostly(from start: EventTime) -> Bool {
    guard mayBeCostly else { return false }
    let times = [byHour, byMinute, bySecond].reduce(1) { $0 * max(1, $1.count) }
    // They are all in a list.
    if frequency >= .daily, times > Self.mostWork { return true }
    let first = start.civil
    let bounded = BoundedRule(self, start: start, work: WorkLimit(Self.mostWork))
    return [0, 30, 60].contains { years in
      guard let date = first.date.adding(years: years) else { return false }
      let expansion = RuleExpansion(bounded, from: CivilDateTime(date, first.time))
      var occurrences = expansion.makeIterator()
      for _ in 0..<3 where occurrences.next() == nil { break }
      return occurrences.isExhausted
    }
  }

  /// Ordinary rules need less; more takes milliseconds.
  private static let mostWork = 1_000

  /// Rules that only choose weekdays, or days of months, find the next one within a few months.
  private var mayBeCostly: Bool {
    if calendar != nil || frequency < .daily || count ?? 0 > 100 { return true }
    let times = [byHour, byMinute, bySecond].contains { $0.count > 1 }
    let limits = [byMonth, byLeapMonth, byMonthDay, byYearDay, byWeekNumber].contains {
      !$0.isEmpty
    }
    return times || (limits && frequency < .monthly)
  }
}
