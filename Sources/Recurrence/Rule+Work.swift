internal import CivilTime

extension Rule {
  /// How many months are looked at to find where the rule ends, and its occurrences at several times; 0 if
  /// they are as few as for ordinary rules. A rule that takes more than some milliseconds counts as
  /// `unmeasuredWork`, and `coarsely` every rule that is not ordinary.
  ///
  /// It is measured, not guessed. A hostile source has thousands of rules that take long.
  package func work(from start: EventTime, coarsely: Bool = false) -> Int {
    guard mayTakeLong else { return 0 }
    let times = [byHour, byMinute, bySecond].reduce(1) { $0 * max(1, $1.count) }
    // They are all in a list.
    if frequency >= .daily, times > Self.ordinaryWork { return Self.unmeasuredWork }
    let first = start.civil
    let limit = coarsely ? Self.ordinaryWork : Self.measuredWork
    let bounded = BoundedRule(self, start: start, work: WorkLimit(limit))
    var most = 0
    for years in [0, 30, 60] {
      guard let date = first.date.adding(years: years) else { continue }
      let expansion = RuleExpansion(bounded, from: CivilDateTime(date, first.time))
      var occurrences = expansion.makeIterator()
      for _ in 0..<3 where occurrences.next() == nil { break }
      if occurrences.isExhausted { return Self.unmeasuredWork }
      most = max(most, limit - occurrences.workLeft)
    }
    return most > Self.ordinaryWork ? most : 0
  }

  /// Hardly any rule of an ordinary calendar takes more.
  private static let ordinaryWork = 1_000
  /// A rule that never matches takes so much in another calendar.
  private static let measuredWork = 25_000
  /// About as much as the months of all years from now on.
  package static let unmeasuredWork = 100_000

  /// Rules that only choose weekdays, or days of months, find the next one within a few months.
  private var mayTakeLong: Bool {
    if calendar != nil || frequency < .daily || count ?? 0 > 100 { return true }
    let times = [byHour, byMinute, bySecond].contains { $0.count > 1 }
    let limits = [byMonth, byLeapMonth, byMonthDay, byYearDay, byWeekNumber].contains {
      !$0.isEmpty
    }
    return times || (limits && frequency < .monthly)
  }
}
