package import CivilTime
package import Recurrence

/// The occurrences of one version of a series. Its exception dates are prepared once, for many
/// look-ups.
package struct SeriesTimes {
  package let master: Event
  private let prepared: PreparedRecurrence
  private let matcher: TimeMatcher
  private let viewer: Zone
  private var excludedKeys: Set<Int> = []
  private var excludedDays: Set<CivilDate> = []

  /// `nil` if it has no time.
  package init?(_ master: Event, viewer: Zone) {
    guard let start = master.start else { return nil }
    self.master = master
    self.viewer = viewer
    let recurrence = master.recurrence
    let set = RecurrenceSet(
      start: start, extent: master.spannedExtent, rules: recurrence?.rules ?? [],
      exceptionRules: recurrence?.exceptionRules ?? [], dates: recurrence?.dates ?? [])
    prepared = PreparedRecurrence(set, viewer: viewer)
    matcher = TimeMatcher(start: start, viewer: viewer)
    for time in recurrence?.exceptionDates ?? [] {
      if case .date(let date) = time, !matcher.isDate {
        excludedDays.insert(date)
      } else {
        excludedKeys.insert(matcher.key(time))
      }
    }
  }

  /// The start of the occurrence in a RECURRENCE-ID or an EXDATE; `nil` if the series lacks it.
  package func start(of named: EventTime) -> EventTime? { starts(of: named).first }

  /// The starts of all of them: a date can name several.
  func starts(of named: EventTime) -> [EventTime] {
    let isWholeDay = !matcher.isDate && named.isDate
    let key = matcher.key(named)
    var begin = Instant(secondsSinceEpoch: key)
    if matcher.isDate { begin = viewer.startOfDay(begin.utc.date) }
    // No day of any zone is longer.
    let window = begin..<begin.adding(seconds: isWholeDay ? 26 * 60 * 60 : 1)
    return prepared.instances(touching: window).filter { instance in
      let time = instance.recurrenceID
      let isMatching =
        isWholeDay ? time.civil.date == named.civil.date : matcher.key(time) == key
      return isMatching && !excludedKeys.contains(matcher.key(time))
        && !excludedDays.contains(time.civil.date)
    }.map(\.start)
  }
}
