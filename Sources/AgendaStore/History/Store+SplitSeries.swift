internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// A series that `edit --following` ended, and the new series that continues it.
struct SplitSeries {
  let old: SourceUID
  let new: ChangeKey
  /// The first occurrence of the rest as the old series had it, with the rule of the rest.
  let before: Event
  let after: Event

  /// The difference between the old and the new times.
  var shift: Int {
    guard let from = before.start, let to = after.start else { return 0 }
    return to.civil.civilSeconds &- from.civil.civilSeconds
  }
}

extension ChangedRows {
  /// agenda writes the old and the new series in the same second, and the new UID names it. The old
  /// one ends a moment before the first occurrence of the rest.
  func splitSeries(viewer: Zone) -> [SplitSeries] {
    func series(_ key: ChangeKey) -> SourceUID {
      SourceUID(source: key.source, uid: key.identity.uid)
    }
    let known = Set(removed.keys.map(series))
    var changed: [Instant: [ChangeKey]] = [:]
    for (key, events) in written where key.identity.isMaster && events.count == 1 {
      guard removed[key]?.count == 1, let moment = events[0].version.modified else { continue }
      changed[moment, default: []].append(key)
    }
    guard !changed.isEmpty else { return [] }
    return written.compactMap { key, events in
      guard key.identity.isMaster, events.count == 1, !known.contains(series(key)),
        let moment = NewUID.moment(of: events[0].identity.uid)
      else { return nil }
      for old in changed[moment] ?? [] where old.source == key.source {
        guard let cut = written[old]?.first, let before = removed[old]?.first,
          cut.kind == events[0].kind,
          let rest = before.rest(after: cut, continuedBy: events[0], viewer)
        else { continue }
        return SplitSeries(old: series(old), new: key, before: rest, after: events[0])
      }
      return nil
    }
  }
}

extension Event {
  /// The part of a series that another version of it lacks because it ends earlier.
  fileprivate func rest(after cut: Event, continuedBy new: Event, _ viewer: Zone) -> Event? {
    let rules = recurrence?.rules ?? []
    let ends = (cut.recurrence?.rules ?? []).filter { !rules.contains($0) }.compactMap(\.until)
    guard let end = ends.first, let times = SeriesTimes(self, viewer: viewer),
      let start = end.next.flatMap(times.start)
    else { return nil }
    var rest = occurrence(identity, at: start)
    // COUNT and UNTIL of the rest follow from the split.
    let keepsRules = rules.map(\.withoutEnd) == (new.recurrence?.rules ?? []).map(\.withoutEnd)
    rest.recurrence = new.recurrence
    if !keepsRules {
      rest.recurrence = Recurrence(rules: rules, dates: new.recurrence?.dates ?? [])
    }
    return rest
  }
}

extension Rule {
  /// The text without COUNT and UNTIL.
  fileprivate var withoutEnd: [Substring] {
    description.split(separator: ";").filter { !$0.hasPrefix("COUNT=") && !$0.hasPrefix("UNTIL=") }
  }
}

extension Rule.Until {
  /// The earliest time after it.
  fileprivate var next: EventTime? {
    switch self {
    case .date(let date): date.adding(days: 1).map { .date($0) }
    case .local(let civil):
      CivilDateTime(civilSeconds: civil.civilSeconds + 1).map { .floating($0) }
    case .utc(let civil): CivilDateTime(civilSeconds: civil.civilSeconds + 1).map { .utc($0) }
    }
  }
}
