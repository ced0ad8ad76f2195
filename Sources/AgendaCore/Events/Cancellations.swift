internal import CivilTime
internal import Recurrence

/// What components whose METHOD is CANCEL (RFC 5546 3.2.5, 3.4.5) do to others of the same kind and
/// UID, whatever source they are in, unless their SEQUENCE is higher.
///
/// - Without RECURRENCE-ID it cancels the event with all of its overrides.
/// - With one it cancels that occurrence: its override where there is one, else the occurrence that
///   the series has there, as a cancelled override would.
///
/// The result does not depend on the order of the cancellations.
package struct Cancellations: Sendable {
  /// The override that cancels an occurrence in a source that has the series: in the calendar of that
  /// series, and with its title if the cancellation has none.
  package struct CancelledOccurrence: Sendable {
    /// With the reference of the series.
    package let override: Event
    /// The newest cancellation of the occurrence, by index.
    package let cancellation: Int
    /// The series, by its index among the events.
    package let series: Int
  }

  /// Whether each of them cancelled anything that the calendar shows, in their order.
  package private(set) var hasEffect: [Bool]
  /// Which of the events are cancelled now, by index.
  package private(set) var cancelled: Set<Int> = []
  /// In the order of the cancellations.
  package private(set) var occurrences: [CancelledOccurrence] = []

  private struct OccurrencePlace: Hashable {
    let series: Int
    let place: NamedComponents.Place
    let includesFollowing: Bool
  }

  package init(_ cancellations: [Event], of events: [Event]) {
    hasEffect = Array(repeating: false, count: cancellations.count)
    let components = NamedComponents(events)
    var newest: [OccurrencePlace: Int] = [:]
    for (number, cancellation) in cancellations.enumerated() {
      for members in components.members(named: cancellation) {
        var targets = members.masters
        if let moment = cancellation.identity.recurrenceID {
          targets = members.overrides(at: moment)
          if targets.isEmpty {
            let series = members.masters.last {
              events[$0].version.sequence == components.currentSequence(of: events[$0])
            }
            guard let series,
              events[series].version.sequence <= cancellation.version.sequence
            else { continue }
            hasEffect[number] = true
            let place = OccurrencePlace(
              series: series, place: members.place(of: moment),
              includesFollowing: cancellation.identity.includesFollowing)
            if let other = newest[place],
              !Self.isNewer(cancellation, than: cancellations[other])
            {
              continue
            }
            newest[place] = number
            continue
          }
        } else {
          targets += members.allOverrides
        }
        for index in targets
        where events[index].version.sequence <= cancellation.version.sequence {
          // The calendar does not show an earlier version.
          if events[index].identity.recurrenceID != nil
            || events[index].version.sequence >= components.currentSequence(of: events[index])
          {
            hasEffect[number] = true
          }
          cancelled.insert(index)
        }
      }
    }
    occurrences = newest.map { place, number in
      CancelledOccurrence(
        override: Self.override(cancellations[number], of: events[place.series]),
        cancellation: number, series: place.series)
    }.sorted { ($0.cancellation, $0.series) < ($1.cancellation, $1.series) }
  }

  /// Of two cancellations that are equally new, any will do, but always the same.
  private static func isNewer(_ one: Event, than other: Event) -> Bool {
    (one.version, one.title) > (other.version, other.title)
  }

  private static func override(_ cancellation: Event, of master: Event) -> Event {
    var event = cancellation
    event.status = .cancelled
    event.calendar = master.calendar
    event.reference = master.reference
    if event.title.isEmpty { event.title = master.title }
    if event.start == nil { event.start = event.identity.recurrenceID }
    return event
  }
}
