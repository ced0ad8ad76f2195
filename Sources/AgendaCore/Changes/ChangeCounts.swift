/// How many events of a calendar of a source are different in a later state, also if the difference is
/// not visible.
package struct ChangeCounts: Hashable, Sendable {
  package var added = 0
  package var updated = 0
  package var removed = 0

  package init(added: Int = 0, updated: Int = 0, removed: Int = 0) {
    self.added = added
    self.updated = updated
    self.removed = removed
  }

  /// A calendar of a source.
  package struct Owner: Hashable, Sendable {
    package var source: Int
    package var calendar: String

    package init(source: Int, calendar: String) {
      self.source = source
      self.calendar = calendar
    }

    init(_ event: Event) {
      self.init(source: event.reference.source, calendar: event.calendar)
    }
  }

  /// The counts of all events that differ. An override counts separately, as an update if the series has
  /// the occurrence without it. An updated event counts for the source that has it in the later state.
  package static func counts(
    from before: SeriesState, to after: SeriesState
  ) -> [Owner: ChangeCounts] {
    var counts: [Owner: ChangeCounts] = [:]
    let (old, new) = before.changedEvents(to: after)
    let (seriesBefore, seriesAfter) = (before.recurring, after.recurring)
    /// Overrides without a counterpart at the same place, which moved if their series did.
    var (gone, come): ([SeriesState.SeriesKey: [Event]], [SeriesState.SeriesKey: [Event]]) = (
      [:], [:]
    )
    for (key, events) in new {
      var remaining = old[key] ?? []
      for event in events {
        let index = remaining.firstIndex { $0.start == event.start } ?? remaining.indices.first
        guard let index else {
          if seriesBefore.haveOccurrence(replacedBy: event) {
            counts[Owner(event), default: ChangeCounts()].updated += 1
          } else {
            come[key.series, default: []].append(event)
          }
          continue
        }
        let other = remaining.remove(at: index)
        if !before.hasSameContent(other, as: event, in: after) {
          counts[Owner(event), default: ChangeCounts()].updated += 1
        }
      }
      gone[key.series, default: []] += remaining
    }
    for (key, events) in old where new[key] == nil {
      for event in events {
        if seriesAfter.haveOccurrence(replacedBy: event) {
          counts[Owner(event), default: ChangeCounts()].updated += 1
        } else {
          gone[key.series, default: []].append(event)
        }
      }
    }
    for (series, events) in come {
      var left = gone[series] ?? []
      for event in events {
        let isOverride = event.identity.recurrenceID != nil
        let other = left.firstIndex { isOverride && $0.identity.recurrenceID != nil }
        if let other {
          left.remove(at: other)
          counts[Owner(event), default: ChangeCounts()].updated += 1
        } else {
          counts[Owner(event), default: ChangeCounts()].added += 1
        }
      }
      gone[series] = left
    }
    for event in gone.values.joined() {
      counts[Owner(event), default: ChangeCounts()].removed += 1
    }
    return counts
  }
}

extension [SeriesState.SeriesKey: [Event]] {
  /// Whether one of the series has the occurrence that an override replaces, without this override.
  fileprivate func haveOccurrence(replacedBy override: Event) -> Bool {
    guard let place = override.identity.recurrenceID else { return false }
    return self[SeriesState.SeriesKey(override)]?.contains { $0.hasOccurrence(at: place) } ?? false
  }
}

extension SeriesState {
  /// The series that recur.
  fileprivate var recurring: [SeriesKey: [Event]] {
    Dictionary(grouping: series.lazy.map(\.master).filter(\.repeats)) { SeriesKey($0) }
  }

  /// Whether an event has the same text and times as one of another state, with the same changes by
  /// messages.
  fileprivate func hasSameContent(
    _ event: Event, as other: Event, in state: SeriesState
  ) -> Bool {
    var plain = event
    plain.sharesUID = other.sharesUID
    plain.sharesStart = other.sharesStart
    plain.sharedTitleContent = other.sharedTitleContent
    let (own, its) = (derivations[event.reference], state.derivations[other.reference])
    return plain.hasSameContent(as: other)
      && reading.content(of: event).text == state.reading.content(of: other).text
      && own?.isCancelled == its?.isCancelled && own?.answers == its?.answers
      && own?.completed == its?.completed
  }
}
