internal import CivilTime
internal import Recurrence

/// The occurrences that EXDATE and UNTIL of the series itself removed.
struct RemovedOccurrences {
  private let master: Event
  private let recurrence: Event.Recurrence
  private let places: OccurrencePlaces
  /// The occurrences that EXDATEs exclude.
  private let excluded: Set<OccurrencePlaces.Place>
  /// The dates that EXDATEs exclude as a whole.
  private let dates: Set<CivilDate>

  init(of master: Event, start: EventTime) {
    self.master = master
    recurrence = master.recurrence ?? Event.Recurrence()
    places = OccurrencePlaces(of: master, start: start)
    var excluded: Set<OccurrencePlaces.Place> = []
    var dates: Set<CivilDate> = []
    for time in recurrence.exceptionDates {
      if case .date(let date) = time, !places.areDays {
        dates.insert(date)
      } else {
        excluded.insert(places.place(ofMoment: time))
      }
    }
    (self.excluded, self.dates) = (excluded, dates)
  }

  /// Without a budget for checks of rules, an occurrence counts as removed only if that needs no
  /// check.
  func contains(_ recurrenceID: EventTime, _ budget: inout WorkBudget) -> Bool {
    isExcluded(recurrenceID, &budget) || isAfterEnd(recurrenceID, &budget)
  }

  private func isExcluded(_ recurrenceID: EventTime, _ budget: inout WorkBudget) -> Bool {
    if excluded.isEmpty, dates.isEmpty { return false }
    if dates.contains(places.local(recurrenceID).date) { return true }
    let place = places.place(of: recurrenceID, &budget)
    if case .day = place, budget.spend(master.costOfCheck, on: .ruleChecks) {
      return !master.hasOccurrence(at: recurrenceID)
    }
    return excluded.contains(place)
  }

  /// Whether a rule ends before it that would have it without its end. Another rule, or a date in
  /// RDATE, can still have it.
  private func isAfterEnd(_ recurrenceID: EventTime, _ budget: inout WorkBudget) -> Bool {
    let ended = recurrence.rules.filter { isAfter($0.until, recurrenceID) }
    if ended.isEmpty { return false }
    let areAllEnded = ended.count == recurrence.rules.count
    if areAllEnded, recurrence.dates.isEmpty { return true }
    guard budget.spend(on: .ruleChecks) else { return false }
    if master.hasOccurrence(at: recurrenceID) { return false }
    if areAllEnded { return true }
    var endless = master
    endless.recurrence = Event.Recurrence(rules: ended.map(\.withoutUntil))
    return endless.hasOccurrence(at: recurrenceID)
  }

  private func isAfter(_ until: Rule.Until?, _ recurrenceID: EventTime) -> Bool {
    switch until {
    case .date(let date): places.local(recurrenceID).date > date
    case .local(let civil):
      recurrenceID.isDate
        ? places.local(recurrenceID).date > civil.date : places.local(recurrenceID) > civil
    case .utc(let civil):
      recurrenceID.isDate
        ? places.local(recurrenceID).date > civil.date
        : recurrenceID.instant(for: .utc) > Instant(utc: civil)
    case nil: false
    }
  }
}
