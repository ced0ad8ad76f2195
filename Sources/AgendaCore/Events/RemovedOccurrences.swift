internal import CivilTime
internal import Recurrence

/// The occurrences that EXDATE and UNTIL of the series itself removed.
struct RemovedOccurrences {
  private let start: EventTime
  private let recurrence: Event.Recurrence
  private let matcher: TimeMatcher

  init(of master: Event, start: EventTime) {
    self.start = start
    recurrence = master.recurrence ?? Event.Recurrence()
    matcher = TimeMatcher(start: start, viewer: .utc)
  }

  func contains(_ recurrenceID: EventTime) -> Bool {
    isExcluded(recurrenceID) || isAfterEnd(recurrenceID)
  }

  private func isExcluded(_ recurrenceID: EventTime) -> Bool {
    recurrence.exceptionDates.contains { excluded in
      if case .date(let date) = excluded, !matcher.isDate {
        return local(recurrenceID).date == date
      }
      return matcher.key(excluded) == matcher.key(recurrenceID)
    }
  }

  /// Whether every rule ends before it. A date in RDATE may be after that.
  private func isAfterEnd(_ recurrenceID: EventTime) -> Bool {
    !recurrence.rules.isEmpty && recurrence.dates.isEmpty
      && recurrence.rules.allSatisfy { rule in
        switch rule.until {
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
  }

  /// The time on the clock of the series.
  private func local(_ time: EventTime) -> CivilDateTime {
    guard !time.isDate, let own = start.zone, let zone = time.zone, own != zone else {
      return time.civil
    }
    return own.civil(at: time.instant(for: .utc))
  }
}
