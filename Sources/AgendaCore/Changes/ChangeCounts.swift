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

  /// The counts of all events that differ. An override counts separately. An updated event counts for
  /// the source that has it in the later state.
  package static func counts(
    from before: SeriesState, to after: SeriesState
  ) -> [Owner: ChangeCounts] {
    var counts: [Owner: ChangeCounts] = [:]
    let (old, new) = before.changedEvents(to: after)
    for (key, events) in new {
      var remaining = old[key] ?? []
      for event in events {
        let index = remaining.firstIndex { $0.start == event.start } ?? remaining.indices.first
        guard let index else {
          counts[Owner(event), default: ChangeCounts()].added += 1
          continue
        }
        let other = remaining.remove(at: index)
        if !before.hasSameContent(other, as: event, in: after) {
          counts[Owner(event), default: ChangeCounts()].updated += 1
        }
      }
      for event in remaining { counts[Owner(event), default: ChangeCounts()].removed += 1 }
    }
    for (key, events) in old where new[key] == nil {
      for event in events { counts[Owner(event), default: ChangeCounts()].removed += 1 }
    }
    return counts
  }
}

extension SeriesState {
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
