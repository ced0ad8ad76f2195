internal import CivilTime
internal import Recurrence

extension Rule {
  /// A rule that agrees with another on so many dates gives the same dates.
  static var mostCompared: Int { 1000 }

  /// The dates of a series with this rule, from `place` on, at most so many.
  func times(
    from start: EventTime, since place: EventTime? = nil, viewer: Zone,
    atMost limit: Int = mostCompared
  ) -> [EventTime] {
    let begin = (place ?? start).instant(for: viewer)
    let window = begin..<max(begin, Zone.utc.startOfDay(.afterLast))
    let set = RecurrenceSet(start: start, extent: .unstated, rules: [self])
    var times: [EventTime] = []
    for instance in set.instances(touching: window, viewer: viewer) {
      if times.count == limit { break }
      if instance.recurrenceID.instant(for: viewer) >= begin { times.append(instance.recurrenceID) }
    }
    return times
  }
}
