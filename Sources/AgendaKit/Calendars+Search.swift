public import AgendaCore
public import AgendaSources
public import CivilTime
internal import Recurrence

extension Calendars {
  /// The events at any time that match a selection, each with one occurrence: the first one that is not
  /// over at `now`, or the last one if all are over. `zone` is the zone of dates and floating times.
  ///
  /// Those that are not over come first, by time; then those that are over, the latest first.
  public func search(
    _ selection: Selection, now: Instant, zone: Zone
  ) throws(CalendarError) -> [Occurrence] {
    let query = SeriesQuery(.words(selection.words), viewer: zone, of: selection)
    let series = try CalendarError.catching { try source.series(query) }
    return series.compactMap { series in
      NextOrLast(series: series, selection: selection, now: now, zone: zone)
        .occurrence(details: source.details)
    }.map { ($0.nearness(to: now), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension Occurrence {
  /// The order of a search: what is to come, what is over, what has no date. The title and UID make
  /// files and the store list the same.
  fileprivate func nearness(to now: Instant) -> (Int, Int, String, String) {
    if isUndated { return (2, 0, event.title, event.identity.uid) }
    let isOver = finish <= now && begin < now
    let begin = begin.secondsSinceEpoch
    return (isOver ? 1 : 0, isOver ? -begin : begin, event.title, event.identity.uid)
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

  func occurrence(details: @escaping (EventReference) -> EventDetails) -> Occurrence? {
    var admitted = SeriesSelection(selection, details: details)
    guard let part = matchingPart(details: details) else { return nil }
    let series = PreparedSeries(part, viewer: zone)
    var coming = series.occurrences(
      touching: now..<zone.startOfDay(.afterLast),
      includingCancelled: selection.includesCancelled)
    var tries = 0
    while tries < Self.mostTries, let occurrence = coming.next() {
      tries += 1
      if admitted.admits(occurrence) { return occurrence }
    }
    let last = series.lastOccurrence(
      before: now, includingCancelled: selection.includesCancelled
    ) { admitted.admits($0) }
    if last != nil || part.master.start != nil { return last }
    let undated = Occurrence(undated: part.master)
    return admitted.admits(undated) ? undated : nil
  }

  /// The series, without its rules if only single occurrences can match; `nil` if none can.
  private func matchingPart(details: (EventReference) -> EventDetails) -> Series? {
    if selection.admits(series.master, details: details) { return series }
    let overrides = series.overrides.filter { override in
      var override = override
      // As its occurrence is shown.
      if series.master.status == .cancelled { override.status = .cancelled }
      return selection.admits(override, details: details)
    }
    if overrides.isEmpty { return nil }
    if overrides.contains(where: \.identity.includesFollowing) { return series }
    return series.with(only: overrides)
  }
}

extension Series {
  /// These overrides and the first occurrence. An override is at its own time without the rules too.
  func with(only overrides: [Event]) -> Series {
    var master = master
    if master.repeats, let start = master.start {
      // DTSTART alone, still as one of several occurrences.
      master.recurrence = Event.Recurrence(dates: [RecurrenceDate(start: start)])
    }
    return Series(master, overrides: overrides)
  }
}
