internal import CivilTime
internal import Recurrence

/// The occurrences that EXDATE and UNTIL of the series itself removed.
struct RemovedOccurrences {
  private let master: Event
  private let start: EventTime
  private let recurrence: Event.Recurrence
  private let matcher: TimeMatcher
  /// The moments that EXDATEs exclude.
  private let keys: Set<Int>
  /// The dates that EXDATEs exclude as a whole.
  private let dates: Set<CivilDate>

  init(of master: Event, start: EventTime) {
    self.master = master
    self.start = start
    recurrence = master.recurrence ?? Event.Recurrence()
    matcher = TimeMatcher(start: start, viewer: .utc)
    var keys: Set<Int> = []
    var dates: Set<CivilDate> = []
    for excluded in recurrence.exceptionDates {
      if case .date(let date) = excluded, !matcher.isDate {
        dates.insert(date)
      } else {
        keys.insert(matcher.key(excluded))
      }
    }
    (self.keys, self.dates) = (keys, dates)
  }

  /// `looks` is the remaining number of checks of rules. Without any, an occurrence counts as removed
  /// only if that needs no check.
  func contains(_ recurrenceID: EventTime, looks: inout Int) -> Bool {
    isExcluded(recurrenceID) || isAfterEnd(recurrenceID, looks: &looks)
  }

  private func isExcluded(_ recurrenceID: EventTime) -> Bool {
    keys.contains(matcher.key(recurrenceID)) || dates.contains(local(recurrenceID).date)
  }

  /// Whether a rule ends before it that would have it without its end. Another rule, or a date in
  /// RDATE, can still have it.
  private func isAfterEnd(_ recurrenceID: EventTime, looks: inout Int) -> Bool {
    let ended = recurrence.rules.filter { isAfter($0.until, recurrenceID) }
    if ended.isEmpty { return false }
    let areAllEnded = ended.count == recurrence.rules.count
    if areAllEnded, recurrence.dates.isEmpty { return true }
    guard looks > 0 else { return false }
    looks -= 1
    if master.hasOccurrence(at: recurrenceID) { return false }
    if areAllEnded { return true }
    var endless = master
    endless.recurrence = Event.Recurrence(rules: ended.map(\.withoutUntil))
    return endless.hasOccurrence(at: recurrenceID)
  }

  private func isAfter(_ until: Rule.Until?, _ recurrenceID: EventTime) -> Bool {
    switch until {
    case .date(let date): local(recurrenceID).date > date
    case .local(let civil):
      recurrenceID.isDate
        ? local(recurrenceID).date > civil.date : local(recurrenceID) > civil
    case .utc(let civil):
      recurrenceID.isDate
        ? local(recurrenceID).date > civil.date
        : recurrenceID.instant(for: .utc) > Instant(utc: civil)
    case nil: false
    }
  }

  /// The time on the clock of the series.
  private func local(_ time: EventTime) -> CivilDateTime {
    guard !time.isDate, let own = start.zone, let zone = time.zone, own != zone else {
      return time.civil
    }
    return own.civil(at: time.instant(for: .utc))
  }
}
