public import AgendaCore
internal import AgendaSources
public import CivilTime

extension CalendarCollection {
  /// The events at any time that match a selection, each with one occurrence: the first one that is not
  /// over at `now`, or the last one if all are over. `zone` is the zone of dates and floating times.
  public func search(
    _ selection: Selection, now: Instant, zone: Zone
  ) throws -> [Occurrence] {
    let query = SeriesQuery(.words(selection.words), viewer: zone, of: selection)
    return try source.series(query).compactMap { series in
      NextOrLast(series: series, selection: selection, now: now, zone: zone)
        .occurrence(details: source.details)
    }
  }
}

/// Finds one occurrence of a series near a moment.
private struct NextOrLast {
  let series: Series
  let selection: Selection
  let now: Instant
  let zone: Zone

  /// An override may match although its series does not; the search ends here.
  private static let mostTries = 1_000
  private static let yearsBack = [1, 10, 100, 10_000]

  func occurrence(details: @escaping (EventReference) -> EventDetails) -> Occurrence? {
    var admitted = SeriesSelection(selection, details: details)
    var coming = occurrences(touching: now..<zone.startOfDay(.afterLast))
    var tries = 0
    while tries < Self.mostTries, let occurrence = coming.next() {
      tries += 1
      if admitted.admits(occurrence) { return occurrence }
    }
    // Further and further back, so that the last one is found without all those before it.
    var end = now
    for years in Self.yearsBack {
      let day = zone.civil(at: now).date.adding(years: -years) ?? .first
      let begin = min(zone.startOfDay(day), end)
      var last: Occurrence?
      for occurrence in occurrences(touching: begin..<end) where admitted.admits(occurrence) {
        last = occurrence
      }
      if let last { return last }
      end = begin
    }
    return nil
  }

  private func occurrences(touching span: Range<Instant>) -> Occurrences {
    series.occurrences(
      touching: span, viewer: zone, includingCancelled: selection.includesCancelled)
  }
}
