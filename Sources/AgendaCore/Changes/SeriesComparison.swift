package import CivilTime
internal import Recurrence

/// Finds the visible differences between two states of some UIDs.
///
/// An event that was added and removed again in between is not a difference, nor is a property that is
/// not shown, such as SEQUENCE. A series that was added or removed with its overrides is one change.
/// So is one that was split, or moved together with its overrides.
package struct SeriesComparison {
  private typealias Key = SeriesState.Key
  private typealias SeriesKey = SeriesState.SeriesKey

  /// A series that `edit --following` ended, and the new series that continues it.
  package struct Split: Hashable, Sendable {
    package var old: SeriesState.SeriesKey
    package var new: SeriesState.SeriesKey

    package init(old: SeriesState.SeriesKey, new: SeriesState.SeriesKey) {
      self.old = old
      self.new = new
    }
  }

  private let before: SeriesState
  private let after: SeriesState
  private let viewer: Zone
  /// The changed events of both states that are not part of a change yet.
  private var old: [Key: [Event]]
  private var new: [Key: [Event]]
  private let seriesAfter: [SeriesKey: [Series]]
  private var times: [SeriesKey: [SeriesTimes]] = [:]
  private var changes: [Change] = []

  /// The changes in no particular order. Floating times and dates are those of `viewer`.
  package static func changes(
    from before: SeriesState, to after: SeriesState, splits: [Split] = [], viewer: Zone
  ) -> [Change] {
    var comparison = SeriesComparison(before, after, viewer)
    comparison.compare(splits)
    return comparison.withoutExclusionsOfRemoved()
  }

  private init(_ before: SeriesState, _ after: SeriesState, _ viewer: Zone) {
    self.before = before
    self.after = after
    self.viewer = viewer
    (old, new) = before.changedEvents(to: after)
    seriesAfter = Dictionary(grouping: after.series) { SeriesKey($0.master) }
  }

  private mutating func compare(_ splits: [Split]) {
    let rests = splits.compactMap(rest)
    for rest in rests { new[rest.key] = nil }
    changes += Self.takeWholeSeries(.removed, from: &old, unlessIn: new)
    changes += Self.takeWholeSeries(.added, from: &new, unlessIn: old)
    for rest in rests { add(difference(rest.before, rest.after)) }
    for moved in movedOverrides(rests) {
      guard let before = old.removeValue(forKey: moved.from)?.first,
        let after = new.removeValue(forKey: moved.to)?.first
      else { continue }
      add(difference(before, after))
    }
    for (key, events) in new {
      var remaining = old.removeValue(forKey: key) ?? []
      for event in events {
        let index = remaining.firstIndex { $0.start == event.start } ?? remaining.indices.first
        if let index {
          add(difference(remaining.remove(at: index), event))
        } else if let occurrence = replacedOccurrences(event).first {
          add(difference(of: occurrence, to: event, fromReading: after))
          addOthers(replacedBy: event)
        } else {
          changes.append(Change(kind: .added, before: nil, after: event, properties: []))
        }
      }
      if !remaining.isEmpty { old[key] = remaining }
    }
    for event in old.values.joined() {
      // Without its override, an occurrence is as the series has it.
      if let occurrence = replacedOccurrences(event).first {
        add(difference(of: event, to: occurrence, fromReading: before))
        addOthers(restoredWithout: event)
      } else {
        changes.append(Change(kind: .removed, before: event, after: nil, properties: []))
      }
    }
  }

  private mutating func add(_ change: Change?) {
    if let change { changes.append(change) }
  }

  /// An override of a date replaces all occurrences on it, and is compared with the first one.
  private mutating func addOthers(replacedBy override: Event) {
    for occurrence in replacedOccurrences(override).dropFirst() {
      if override.status == .cancelled {
        add(difference(of: occurrence, to: occurrence.cancelled, fromReading: after))
      } else {
        changes.append(Change(kind: .removed, before: occurrence, after: nil, properties: []))
      }
    }
  }

  private mutating func addOthers(restoredWithout override: Event) {
    for occurrence in replacedOccurrences(override).dropFirst() {
      if override.status == .cancelled {
        add(difference(of: occurrence.cancelled, to: occurrence, fromReading: after))
      } else {
        changes.append(Change(kind: .added, before: nil, after: occurrence, properties: []))
      }
    }
  }

  // MARK: Whole series

  /// Takes out each series whose master is in `events` and not in `others`, with its overrides. It was
  /// added or removed as a whole.
  private static func takeWholeSeries(
    _ kind: Change.Kind, from events: inout [Key: [Event]], unlessIn others: [Key: [Event]]
  ) -> [Change] {
    let known = Set(others.keys.lazy.filter(\.isMaster).map(\.series))
    var overrides: [SeriesKey: [Key]] = [:]
    for key in events.keys where !key.isMaster { overrides[key.series, default: []].append(key) }
    var changes: [Change] = []
    for (key, masters) in events where key.isMaster && !known.contains(key.series) {
      guard let own = overrides[key.series] else { continue }
      let first = changes.count
      changes += masters.map { master in
        Change(
          kind: kind, before: kind == .removed ? master : nil,
          after: kind == .added ? master : nil, properties: [])
      }
      for override in own {
        changes[first].overrides += events.removeValue(forKey: override)?.count ?? 0
      }
      events[key] = nil
    }
    return changes
  }

  // MARK: Series that were split or moved

  /// What continues a series that was split.
  private struct Rest {
    let old: SeriesKey
    let key: Key
    /// The first occurrence of the rest as the old series had it, with the rule of the rest.
    let before: Event
    let after: Event

    /// The difference between the old and the new times.
    var shift: Int {
      guard let from = before.start, let to = after.start else { return 0 }
      return to.civil.civilSeconds &- from.civil.civilSeconds
    }
  }

  private func rest(of split: Split) -> Rest? {
    func master(_ series: SeriesKey, _ events: [Key: [Event]]) -> (key: Key, event: Event)? {
      let found = events.first { $0.key.series == series && $0.key.isMaster }
      guard let found, found.value.count == 1 else { return nil }
      return (found.key, found.value[0])
    }
    guard let was = master(split.old, old), let cut = master(split.old, new),
      let next = master(split.new, new), master(split.new, old) == nil,
      let rest = was.event.rest(after: cut.event, continuedBy: next.event, viewer)
    else { return nil }
    return Rest(old: split.old, key: next.key, before: rest, after: next.event)
  }

  /// The overrides of series that moved as a whole, or whose rest did: their RECURRENCE-IDs moved
  /// along, and each is still one override.
  private func movedOverrides(_ rests: [Rest]) -> [(from: Key, to: Key)] {
    struct Place: Hashable {
      let series: SeriesKey
      let recurrenceID: EventTime
    }
    var targets: [SeriesKey: (series: SeriesKey, shift: Int)] = [:]
    for (key, masters) in new where key.isMaster && masters.count == 1 {
      guard let others = old[key], others.count == 1, let from = others[0].start,
        let to = masters[0].start, from.hasSameForm(as: to), from != to
      else { continue }
      targets[key.series] = (key.series, to.civil.civilSeconds &- from.civil.civilSeconds)
    }
    for rest in rests { targets[rest.old] = (rest.key.series, rest.shift) }
    guard !targets.isEmpty else { return [] }
    let moved = Set(targets.values.map(\.series))
    var places: [Place: Key] = [:]
    for (key, events) in new where events.count == 1 && moved.contains(key.series) {
      guard let place = events[0].identity.recurrenceID else { continue }
      places[Place(series: key.series, recurrenceID: place)] = key
    }
    return old.compactMap { key, events in
      guard events.count == 1, let target = targets[key.series],
        let place = events[0].identity.recurrenceID,
        let to = places[
          Place(series: target.series, recurrenceID: place.shifted(by: target.shift))]
      else { return nil }
      return (key, to)
    }
  }

  // MARK: Single events

  private func difference(_ old: Event, _ new: Event) -> Change? {
    Change(
      from: old, to: new,
      details: (
        before.reading.details(of: old.reference), after.reading.details(of: new.reference)
      ),
      others: otherProperties(old, new), viewer: viewer)
  }

  /// The difference between an override and the occurrence that it replaces. The text of a series is
  /// not that of one of its occurrences. The state that an event is from reads its details.
  private func difference(
    of old: Event, to new: Event, fromReading state: SeriesState
  ) -> Change? {
    Change(
      from: old, to: new,
      details: (
        state.reading.details(of: old.reference), after.reading.details(of: new.reference)
      ), others: [], viewer: viewer)
  }

  private func otherProperties(_ old: Event, _ new: Event) -> [String] {
    let (own, its) = (
      before.reading.otherLines(of: old.reference), after.reading.otherLines(of: new.reference)
    )
    return Set(own.keys).union(its.keys).filter { own[$0] != its[$0] }.sorted()
  }

  /// The occurrences that an override replaces, as the present series has them: one, or all of a date.
  private mutating func replacedOccurrences(_ override: Event) -> [Event] {
    guard let recurrenceID = override.identity.recurrenceID else { return [] }
    let key = SeriesKey(override)
    let series = seriesAfter[key] ?? []
    if times[key] == nil {
      times[key] = series.map(\.master).filter { $0.identity.recurrenceID == nil }.compactMap {
        SeriesTimes($0, viewer: viewer)
      }
    }
    for times in times[key] ?? [] {
      let starts = times.starts(of: recurrenceID)
      if starts.isEmpty { continue }
      let ranges =
        override.identity.includesFollowing
        ? [] : series.flatMap(\.overrides).filter(\.identity.includesFollowing)
      return starts.map { start in
        var identity = override.identity
        // Only one of several needs another name.
        if starts.count > 1 { identity.recurrenceID = start }
        let place = starts.count > 1 ? start : recurrenceID
        if !ranges.isEmpty, var occurrence = times.master.override(at: place, among: ranges) {
          occurrence.identity = identity
          return occurrence
        }
        return times.master.occurrence(identity, at: start)
      }
    }
    return []
  }

  // MARK: Exclusions

  /// If an occurrence with an override is removed, its series gets an EXDATE. That is the same change,
  /// so only the removal is listed.
  private func withoutExclusionsOfRemoved() -> [Change] {
    struct Place: Hashable {
      let series: SeriesKey
      let moment: Instant
    }
    func place(_ event: Event, _ time: EventTime) -> Place {
      Place(series: SeriesKey(event), moment: time.instant(for: viewer))
    }
    let removed = Set(
      changes.compactMap { change in
        guard change.kind == .removed, let event = change.before else { return Place?.none }
        return event.identity.recurrenceID.map { place(event, $0) }
      })
    if removed.isEmpty { return changes }
    return changes.compactMap { change in
      var change = change
      guard let series = change.after, !change.excluded.isEmpty else { return change }
      change.excluded.removeAll { removed.contains(place(series, $0)) }
      if change.excluded.isEmpty, change.restored.isEmpty {
        change.properties.removeAll { $0 == "EXDATE" }
      }
      return change.kind == .changed && change.properties.isEmpty ? nil : change
    }
  }
}

extension Event {
  fileprivate var cancelled: Event {
    var event = self
    event.status = .cancelled
    return event
  }
}

extension [Change] {
  /// Sorted by calendar, time and title.
  package var inListOrder: [Change] {
    // Indices are sorted faster than changes, which are large.
    let orders = map { change in
      let event = change.after ?? change.before
      return (
        event?.calendar ?? "", event?.start?.instant(for: .utc).secondsSinceEpoch ?? .max,
        event?.title ?? "", event?.identity.uid ?? ""
      )
    }
    return indices.sorted { orders[$0] < orders[$1] }.map { self[$0] }
  }
}

extension SeriesState {
  /// The events of both states, except for those that are the same in both.
  func changedEvents(to other: SeriesState) -> (before: [Key: [Event]], after: [Key: [Event]]) {
    var (before, after) = (events, other.events)
    for (key, events) in before {
      guard var others = after[key] else { continue }
      let remaining = events.filter { event in
        let index = others.firstIndex { isSame(event, as: $0, in: other) }
        if let index { others.remove(at: index) }
        return index == nil
      }
      before[key] = remaining.isEmpty ? nil : remaining
      after[key] = others.isEmpty ? nil : others
    }
    return (before, after)
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
