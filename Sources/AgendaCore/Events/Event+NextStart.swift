package import CivilTime
package import Recurrence

extension Event {
  /// When the event takes place next, or last if it is over: for one that repeats, the start of its
  /// first occurrence after now.
  package func nearestStart(to now: Instant, viewer: Zone) -> EventTime? {
    guard repeats else { return start }
    let series = PreparedSeries(Series(self), viewer: viewer)
    let today = viewer.civil(at: now).date
    for span in NearbySpan.spans(of: series.series) {
      let end = span.moment(after: now, today, in: viewer)
      guard now < end else { break }
      var coming = series.occurrences(
        touching: now..<end, includingCancelled: true, atMost: 1)
      if let next = coming.next() { return next.start }
    }
    return series.lastOccurrence(before: now, includingCancelled: true)?.start
      ?? start
  }
}

extension [Event] {
  /// The first occurrence of a series, from its event and its overrides; `nil` without any.
  package func firstOccurrence(zone: Zone) -> Occurrence? {
    guard let event = first(where: { $0.identity.recurrenceID == nil }) ?? first else { return nil }
    let overrides = filter { $0.identity.recurrenceID != nil && $0.identity != event.identity }
    let all = zone.startOfDay(.first)..<zone.startOfDay(.afterLast)
    var occurrences = Series(event, overrides: overrides).occurrences(
      touching: all, viewer: zone, includingCancelled: true)
    return occurrences.next() ?? Occurrence(undated: event)
  }
}
