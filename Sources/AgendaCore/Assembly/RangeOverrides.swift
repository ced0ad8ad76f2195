internal import CivilTime
package import Recurrence

/// The overrides of a series that also change the occurrences after their own
/// (RANGE=THISANDFUTURE, RFC 5545 3.2.13). A message to one of these occurrences changes only that
/// one: it gets a separate override, which is otherwise like the one with RANGE. A message with RANGE
/// makes another such override, from its occurrence on.
struct RangeOverrides {
  private let matcher: TimeMatcher?
  /// The first occurrences, in order, each with its newest override.
  private var ranges: [(first: Int, index: Int)] = []

  /// `start` is that of the series. Without one there is no range.
  init(_ overrides: [Int], start: EventTime?, of events: [Event]) {
    matcher = start.map { TimeMatcher(start: $0, viewer: .utc) }
    guard let matcher else { return }
    var newest: [Int: Int] = [:]
    for index in overrides where events[index].identity.includesFollowing {
      guard let first = events[index].identity.recurrenceID.map(matcher.key) else { continue }
      if let other = newest[first], events[index].version < events[other].version { continue }
      newest[first] = index
    }
    ranges = newest.map { (first: $0, index: $1) }.sorted { $0.first < $1.first }
  }

  /// Adds an override at a moment that has none yet.
  mutating func insert(_ index: Int, at moment: EventTime) {
    guard let first = matcher?.key(moment) else { return }
    ranges.insert((first, index), at: ranges.partitioningIndex { $0.first > first })
  }

  /// The override that changes the occurrence at a moment together with others.
  func range(of moment: EventTime) -> Int? {
    guard let matcher, !ranges.isEmpty else { return nil }
    // A date names an occurrence at any time of it.
    let isDay = moment.isDate && !matcher.isDate
    let key = matcher.key(moment) + (isDay ? TimeOfDay.secondsPerCivilDay - 1 : 0)
    let later = ranges.partitioningIndex { $0.first > key }
    return later > 0 ? ranges[later - 1].index : nil
  }
}

extension Event {
  /// The occurrence of a series at a moment as its overrides with RANGE have it, as an override.
  package func override(at recurrenceID: EventTime, among ranges: [Event]) -> Event? {
    let known = RangeOverrides(Array(ranges.indices), start: start, of: ranges)
    return override(at: recurrenceID, as: known.range(of: recurrenceID).map { ranges[$0] })
  }

  /// The occurrence of a series at a moment as one of its overrides with RANGE has it, as an
  /// override; `nil` if the series lacks that occurrence.
  func override(at recurrenceID: EventTime, as range: Event?) -> Event? {
    guard let plain = override(at: recurrenceID) else { return nil }
    guard let range, let first = range.identity.recurrenceID, let newStart = range.start,
      let time = plain.start, let start = moved(time, from: first, to: newStart, by: range)
    else { return plain }
    var event = range
    event.recurrence = nil
    event.identity.recurrenceID = plain.identity.recurrenceID
    event.identity.includesFollowing = false
    event.takeTimes(of: range, movedTo: start)
    if let stated = statedExtent(at: time), case .duration = stated { event.extent = stated }
    return event
  }

  /// The same for an occurrence and all that follow. The length of a single RDATE does not apply to
  /// these.
  func range(at recurrenceID: EventTime, as range: Event?) -> Event? {
    guard var event = override(at: recurrenceID, as: range), let start = event.start else {
      return nil
    }
    let model = range ?? self
    event.extent = model.extent
    event.takeTimes(of: model, movedTo: start)
    event.identity.includesFollowing = true
    return event
  }

  /// The RECURRENCE-ID of the first occurrence of a series after a moment; `nil` after the last one.
  func occurrence(after moment: EventTime) -> EventTime? {
    var bare = self
    (bare.extent, bare.due, bare.status) = (.unstated, nil, nil)
    let matcher = TimeMatcher(start: start ?? moment, viewer: .utc)
    let from = Instant(secondsSinceEpoch: matcher.key(moment) + 1)
    let end = Zone.utc.startOfDay(.afterLast)
    guard from < end else { return nil }
    var later = Series(bare).occurrences(
      touching: from..<end, viewer: .utc, includingCancelled: true, atMost: 1)
    return later.next()?.recurrenceID
  }

  /// The start of the occurrence at `time` after the override `range`.
  private func moved(
    _ time: EventTime, from first: EventTime, to newStart: EventTime, by range: Event
  ) -> EventTime? {
    var bare = self
    var range = range
    (bare.extent, bare.due, bare.status) = (.unstated, nil, nil)
    (range.extent, range.due, range.status) = (.unstated, nil, nil)
    let shift =
      newStart.instant(for: .utc).secondsSinceEpoch - first.instant(for: .utc).secondsSinceEpoch
    let near = time.instant(for: .utc).adding(seconds: shift)
    // The clocks of two zones and their changes are at most two days apart.
    let slack = 2 * TimeOfDay.secondsPerCivilDay
    let window = near.adding(seconds: -slack)..<near.adding(seconds: slack)
    var occurrences = Series(bare, overrides: [range]).occurrences(
      touching: window, viewer: .utc, includingCancelled: true, atMost: Self.mostNearOccurrences)
    while let occurrence = occurrences.next() {
      if occurrence.recurrenceID == time { return occurrence.start }
    }
    return nil
  }

  /// Of a series with more occurrences in four days, an occurrence is as in the series.
  private static let mostNearOccurrences = 1_000
}
