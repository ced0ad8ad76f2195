internal import CivilTime
package import Recurrence

/// Finds out which occurrence of a series a RECURRENCE-ID or an EXDATE names, in whatever form it is
/// written (RFC 5545 3.8.4.4): in another zone, in UTC, without a zone, or as a date.
struct OccurrencePlaces {
  /// Equal for the same occurrence.
  enum Place: Hashable {
    /// A moment, or the midnight of a whole day, as `TimeMatcher` counts it.
    case occurrence(Int)
    /// A moment in a zone, although the series is floating. Its local time depends on the viewer.
    case moment(Int)
    /// A date on which the series has several occurrences: all of them.
    case day(CivilDate)
    /// Of a series that is missing.
    case withoutSeries(ComparedStart)
  }

  private let series: Event
  private let start: EventTime
  private let matcher: TimeMatcher
  /// Whether every occurrence is at DTSTART's time of day.
  private let hasOneTimeOfDay: Bool
  private let cost: Int

  init(of series: Event, start: EventTime) {
    self.series = series
    self.start = start
    matcher = TimeMatcher(start: start, viewer: .utc)
    let recurrence = series.recurrence ?? Event.Recurrence()
    hasOneTimeOfDay =
      recurrence.dates.isEmpty
      && recurrence.rules.allSatisfy {
        $0.frequency >= .daily && $0.byHour.isEmpty && $0.byMinute.isEmpty && $0.bySecond.isEmpty
      }
    cost = matcher.isDate || hasOneTimeOfDay ? 0 : series.costOfCheck
  }

  /// Whether its occurrences are whole days.
  var areDays: Bool { matcher.isDate }

  /// Without a budget for checks of rules, a date names the occurrence at DTSTART's time of day.
  func place(of time: EventTime, _ budget: inout WorkBudget) -> Place {
    guard case .date(let date) = time, !areDays else { return place(ofMoment: time) }
    let atStart = Place.occurrence(
      matcher.key(start.at(CivilDateTime(date, start.civil.time))))
    guard !hasOneTimeOfDay, budget.spend(cost, on: .ruleChecks) else { return atStart }
    var all = series
    all.recurrence?.exceptionDates = []
    all.recurrence?.exceptionRules = []
    var onDate = all.occurrences(onDateOf: time).makeIterator()
    guard let first = onDate.next()?.recurrenceID else { return atStart }
    return onDate.next() == nil ? .occurrence(matcher.key(first)) : .day(date)
  }

  /// The same for a time of day, or for any time if the occurrences are whole days.
  func place(ofMoment time: EventTime) -> Place {
    if areDays { return .occurrence(matcher.key(series.onOwnClock(time))) }
    let isElsewhere = start.zone == nil && time.zone != nil
    return isElsewhere ? .moment(matcher.key(time)) : .occurrence(matcher.key(time))
  }

  /// A RECURRENCE-ID in the form in which the series has its occurrences, if another program wrote it in
  /// another one: a time for a series of whole days, a time in a zone for a floating series, or a
  /// midnight. `otherZone` is the `dayZone` of the component that has it.
  func named(
    by time: EventTime, otherZone: Zone?, _ budget: inout WorkBudget
  ) -> EventTime {
    let time = onOwnClock(time, otherZone: otherZone, &budget)
    if case .occurrence(let only) = midnight(time, &budget) { return only }
    return time
  }

  /// A time, for a series of whole days: the date that it names. A time in a zone, for a floating series:
  /// the local time, if the series has an occurrence then. Programs write the zone of their user there.
  func onOwnClock(
    _ time: EventTime, otherZone: Zone?, _ budget: inout WorkBudget
  ) -> EventTime {
    if areDays { return series.onOwnClock(time, otherZone: otherZone) }
    guard start.zone == nil, case .zoned = time,
      budget.spend(series.costOfCheck, on: .ruleChecks)
    else { return time }
    return series.onOwnClock(time)
  }

  /// A midnight that the series does not have, although it has an occurrence on that date.
  enum Midnight {
    /// The only one.
    case occurrence(EventTime)
    case several
  }

  /// What a midnight in a RECURRENCE-ID means if the series does not have it: Exchange writes the date
  /// of the occurrence as midnight, also in UTC. `nil` for every other time.
  func midnight(_ time: EventTime, _ budget: inout WorkBudget) -> Midnight? {
    guard !areDays, !time.isDate, time.civil.time == .midnight,
      !(time.zone == start.zone && start.civil.time == .midnight && hasOneTimeOfDay),
      budget.spend(series.costOfCheck, on: .ruleChecks), !series.hasOccurrence(at: time)
    else { return nil }
    let date = EventTime.date(time.civil.date)
    guard series.repeats else {
      return series.hasOccurrence(at: date) ? .occurrence(start) : nil
    }
    var onDate = series.occurrences(onDateOf: date).makeIterator()
    guard let only = onDate.next()?.recurrenceID else { return nil }
    return onDate.next() == nil ? .occurrence(only) : .several
  }

  /// The time on the clock of the series.
  func local(_ time: EventTime) -> CivilDateTime {
    if areDays { return series.onOwnClock(time).civil }
    guard !time.isDate, let own = start.zone, let zone = time.zone, own != zone else {
      return time.civil
    }
    return own.civil(at: time.instant(for: .utc))
  }
}

extension Event {
  /// What its EXDATEs at midnights mean that the series does not have, by their positions: the occurrence
  /// of that date; `nil` if there are several. Programs write the date of the occurrence only.
  package var exceptionsAtMidnight: [Int: EventTime?] {
    guard let start, !start.isDate, var recurrence else { return [:] }
    let exceptions = recurrence.exceptionDates
    recurrence.exceptionDates = []
    var series = self
    series.recurrence = recurrence
    let places = OccurrencePlaces(of: series, start: start)
    var budget = WorkBudget(ruleChecks: Self.mostMidnights)
    var meant: [Int: EventTime?] = [:]
    for (index, time) in exceptions.enumerated() {
      switch places.midnight(time, &budget) {
      case .occurrence(let only): meant.updateValue(only, forKey: index)
      case .several: meant.updateValue(nil, forKey: index)
      case nil: break
      }
    }
    return meant
  }

  /// Each needs a search in the rule, whenever the event is read.
  private static let mostMidnights = 1_000

  /// The work of a rule that counts for one more check.
  private static let workOfOneCheck = 40
  /// A check goes through all dates of RDATE and EXDATE; so many take as long as a rule.
  private static let datesOfOneCheck = 50

  /// The number of checks of rules for which a search in this series counts.
  var costOfCheck: Int {
    guard let start, let recurrence else { return 1 }
    let work = recurrence.rules.reduce(0) { $0 + $1.work(from: start) }
    let dates = recurrence.dates.count + recurrence.exceptionDates.count
    return 1 + work / Self.workOfOneCheck + dates / Self.datesOfOneCheck
  }
}
