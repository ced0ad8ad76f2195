public import AgendaCore
internal import AgendaSources
public import CivilTime

extension CalendarCollection {
  /// The alarms that go off in a span of time, sorted by their moments. `zone` is the zone of dates and
  /// floating times.
  public func alarms(
    in span: Range<Instant>, of selection: Selection = Selection(), zone: Zone
  ) throws -> [DueAlarm] {
    let query = SeriesQuery(.alarms, in: span, viewer: zone, of: selection)
    return try source.series(query).flatMap { series in
      let search = AlarmSearch(
        series: series, span: span, selection: selection, zone: zone, source: source)
      return search.moving + search.fixed
    }.sorted { $0.order < $1.order }
  }
}

/// The alarms of one series that go off in a span.
private struct AlarmSearch {
  let series: Series
  let span: Range<Instant>
  let selection: Selection
  let zone: Zone
  let source: any EventSource
  /// The alarms of the master and of each override, read once for all their occurrences.
  private let alarms: [EventReference: [Alarm]]

  init(
    series: Series, span: Range<Instant>, selection: Selection, zone: Zone,
    source: any EventSource
  ) {
    self.series = series
    self.span = span
    self.selection = selection
    self.zone = zone
    self.source = source
    alarms = Dictionary(
      ([series.master] + series.overrides).map {
        ($0.reference, source.alarms(of: $0.reference))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Alarms that are some time before or after their occurrence.
  var moving: [DueAlarm] {
    guard let reach = DueAlarm.reach(of: alarms.values.joined()) else { return [] }
    let window =
      span.lowerBound.adding(
        seconds: -reach.after)..<span.upperBound.adding(seconds: reach.before)
    let moving = alarms.mapValues { alarms in
      alarms.filter { DueAlarm.span(ofFixed: $0) == nil }
    }
    var found: [DueAlarm] = []
    for occurrence in occurrences(touching: window)
    where selection.admits(occurrence, details: source.details) {
      found += due(moving[occurrence.event.reference] ?? [], of: occurrence)
    }
    return found
  }

  /// Alarms at a fixed moment, which is independent of the time of the event. Each goes off once
  /// for the series.
  var fixed: [DueAlarm] {
    var remaining = Set(
      alarms.values.joined().filter { alarm in
        DueAlarm.span(ofFixed: alarm).map {
          $0.lowerBound < span.upperBound && $0.upperBound >= span.lowerBound
        } ?? false
      })
    var found: [DueAlarm] = []
    if remaining.isEmpty { return found }
    for occurrence in occurrences(touching: zone.startOfDay(.first)..<zone.startOfDay(.afterLast))
    where selection.admits(occurrence, details: source.details) {
      let own = (alarms[occurrence.event.reference] ?? []).filter {
        remaining.remove($0) != nil
      }
      found += due(own, of: occurrence)
      if remaining.isEmpty { break }
    }
    return found
  }

  private func occurrences(touching window: Range<Instant>) -> Occurrences {
    series.occurrences(
      touching: window, viewer: zone, includingCancelled: selection.includesCancelled)
  }

  private func due(_ alarms: [Alarm], of occurrence: Occurrence) -> [DueAlarm] {
    DueAlarm.all(of: occurrence, alarms: alarms, in: span, viewer: zone)
  }
}

extension DueAlarm {
  /// By moment, then by event, so that files and the store list the same.
  fileprivate var order: (Int, Int, String, String, String, Int) {
    (
      moment.secondsSinceEpoch, occurrence.begin.secondsSinceEpoch, occurrence.event.title,
      occurrence.event.identity.uid, alarm.action, repetition
    )
  }
}
