package import AgendaCore
package import CivilTime

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
