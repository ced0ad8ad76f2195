package import CivilTime
package import Recurrence

/// An event with all of its occurrences: a master with its overrides, or a single event.
package struct Series: Sendable {
  /// The event of all occurrences without an override.
  package let master: Event
  /// The overrides, sorted by RECURRENCE-ID.
  package let overrides: [Event]

  /// The largest number of occurrences in one window. Further ones are skipped and reported.
  package static let ceiling = RecurrenceSet.ceiling

  /// A master that has both a rule and a RECURRENCE-ID is a separate series: the RECURRENCE-ID is
  /// ignored.
  package init(_ master: Event, overrides: [Event] = []) {
    self.overrides = overrides
    guard master.repeats, master.identity.recurrenceID != nil else {
      self.master = master
      return
    }
    var master = master
    master.identity.recurrenceID = nil
    master.identity.includesFollowing = false
    self.master = master
  }

  /// Whether the event has only one occurrence. An override without its master also has one.
  package var isSingle: Bool { overrides.isEmpty && master.recurrence == nil }

  /// Whether its master has a rule or additional dates. Exclusions alone do not make it recur.
  var recurs: Bool { master.repeats }

  /// The occurrences that touch the window, in order of their start, including those that began
  /// before it. A task is at the time when it is due.
  ///
  /// Floating times and whole days are in the zone of `viewer`. Cancelled occurrences come only where they are
  /// asked for; their event's status says that they are.
  package func occurrences(
    touching window: Range<Instant>, viewer: Zone, includingCancelled: Bool = false
  ) -> Occurrences {
    occurrences(
      touching: window, viewer: viewer, includingCancelled: includingCancelled, atMost: .max)
  }

  /// The same, at most so many. After `mostExcluded` that are excluded or duplicates, the rest is cut
  /// off.
  package func occurrences(
    touching window: Range<Instant>, viewer: Zone, includingCancelled: Bool, atMost limit: Int,
    mostExcluded: Int = .max
  ) -> Occurrences {
    Occurrences(
      self, nil, window: window, viewer: viewer, includingCancelled: includingCancelled,
      atMost: limit,
      mostExcluded: mostExcluded)
  }

  /// No occurrence is before this moment, in any zone of a viewer; `nil` for a task without a date.
  package var firstMoment: Instant? { recurrenceSet?.firstMoment }

  /// The last moment of all occurrences, for any viewer; `nil` if the series never ends or has no
  /// date.
  package var lastMoment: Instant? { recurrenceSet?.lastMoment }

  func prepared(viewer: Zone) -> PreparedRecurrence? {
    recurrenceSet.map { PreparedRecurrence($0, viewer: viewer) }
  }

  var recurrenceSet: RecurrenceSet? {
    guard let start = master.start else { return nil }
    let recurrence = master.recurrence
    return RecurrenceSet(
      start: start, extent: master.spannedExtent, rules: recurrence?.rules ?? [],
      exceptionRules: recurrence?.exceptionRules ?? [], dates: recurrence?.dates ?? [],
      exceptionDates: recurrence?.exceptionDates ?? [],
      overrides: overrides.map { override in
        let recurrenceID = override.identity.recurrenceID ?? start
        return RecurrenceSet.Override(
          recurrenceID: recurrenceID, includesFollowing: override.identity.includesFollowing,
          start: override.start ?? recurrenceID, extent: override.spannedExtent)
      })
  }
}

extension Event {
  /// Whether it has a rule or dates. Exclusions alone do not make it recur.
  package var repeats: Bool {
    guard let recurrence else { return false }
    return !recurrence.rules.isEmpty || !recurrence.dates.isEmpty
  }

  /// The time from the start to the end, or to the due time of a task.
  package var spannedExtent: Extent {
    if kind == .task, let due, due != start { return .end(due) }
    return extent
  }
}
