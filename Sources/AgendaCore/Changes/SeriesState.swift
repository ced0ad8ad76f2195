/// The series of some UIDs at one moment, and what a comparison with another moment needs besides.
package struct SeriesState {
  package var series: [Series]
  /// The events of `series` that messages changed.
  package var derivations: [EventReference: Derivation]
  /// What a comparison reads of single events.
  package var reading: any EventReading

  package init(
    _ series: [Series], derivations: [EventReference: Derivation] = [:],
    reading: any EventReading
  ) {
    self.series = series
    self.derivations = derivations
    self.reading = reading
  }

  /// The events by what they are and which occurrence they are for. If several have the same key, they
  /// are in the order of `series`.
  var events: [Key: [Event]] {
    var events: [Key: [Event]] = [:]
    for series in series {
      let named = series.namedOccurrences
      for event in [series.master] + series.overrides {
        events[Key(event, named[event.reference]), default: []].append(event)
      }
    }
    return events
  }

  /// Whether an event is the same component as one of another state, and messages change both in the
  /// same way.
  func isSame(_ event: Event, as other: Event, in state: SeriesState) -> Bool {
    event.reference == other.reference && event.hasSameContent(as: other)
      && derivations[event.reference] == state.derivations[other.reference]
  }
}

/// How a comparison reads more of an event than the event itself has.
package protocol EventReading {
  func details(of event: EventReference) -> EventDetails
  func content(of event: Event) -> EventContent
  /// The lines of those visible properties that neither events nor details have, by name.
  func otherLines(of event: EventReference) -> [String: Set<[UInt8]>]
}

extension SeriesState {
  /// A series within its calendar.
  package struct SeriesKey: Hashable, Sendable {
    package var calendar: String
    package var kind: Event.Kind
    package var uid: String

    package init(_ event: Event) {
      calendar = event.calendar
      kind = event.kind
      uid = event.identity.uid
    }
  }

  /// A series without its overrides, or one of its overrides. Different events can have the same key.
  struct Key: Hashable {
    var series: SeriesKey
    /// The occurrence of an override, in whatever form it is written.
    var occurrence: ComparedStart?
    /// Another override can change the first occurrence of a range.
    var includesFollowing: Bool

    /// `named` is the occurrence that an override replaces, if its series is known.
    init(_ event: Event, _ named: ComparedStart?) {
      series = SeriesKey(event)
      occurrence = named ?? event.identity.recurrenceID.map(ComparedStart.init)
      includesFollowing = event.identity.includesFollowing
    }

    var isMaster: Bool { occurrence == nil }
  }
}
