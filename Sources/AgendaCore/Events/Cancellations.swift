internal import CivilTime
internal import Recurrence

/// What components whose METHOD is CANCEL (RFC 5546 3.2.5, 3.4.5) do to others that are read
/// together with them: of the same kind and UID, whatever source they are in, unless their SEQUENCE
/// is higher.
///
/// - Without RECURRENCE-ID it cancels the event with all of its overrides.
/// - With one it cancels that occurrence: its override where there is one, else the occurrence that
///   the series has there, as a cancelled override would.
package struct Cancellations: Sendable {
  /// What one of them does.
  package struct Effect: Sendable {
    /// Whether there was anything that it names, in a version that is not later.
    package fileprivate(set) var isAny = false
    /// The override that takes the occurrence out, for each source that has the series: in the
    /// calendar of that series, and with its title where the cancellation has none. The reference
    /// is that of the series.
    package fileprivate(set) var overrides: [Event] = []
  }

  /// Of each cancellation, in their order.
  package private(set) var effects: [Effect]
  /// Which of the events are cancelled now, by index.
  package private(set) var cancelled: Set<Int> = []

  private struct Key: Hashable {
    let kind: Event.Kind
    let uid: String

    init(_ event: Event) {
      kind = event.kind
      uid = event.identity.uid
    }
  }

  package init(_ cancellations: [Event], of events: [Event]) {
    effects = []
    var indices: [Key: [Int]] = [:]
    for (index, event) in events.enumerated() { indices[Key(event), default: []].append(index) }
    for cancellation in cancellations {
      var effect = Effect()
      let named = Dictionary(grouping: indices[Key(cancellation)] ?? []) {
        events[$0].reference.source
      }
      for (_, found) in named.sorted(by: { $0.key < $1.key }) {
        apply(cancellation, to: found, of: events, &effect)
      }
      effects.append(effect)
    }
  }

  /// Applies one to what a source has of its UID.
  private mutating func apply(
    _ cancellation: Event, to found: [Int], of events: [Event], _ effect: inout Effect
  ) {
    var targets = found
    if let moment = cancellation.identity.recurrenceID {
      let master = found.first { events[$0].identity.recurrenceID == nil }.map { events[$0] }
      targets = found.filter {
        guard let other = events[$0].identity.recurrenceID else { return false }
        return Self.isSame(moment, other, in: master?.start)
      }
      if targets.isEmpty, let master {
        effect.isAny = true
        effect.overrides.append(Self.override(cancellation, of: master))
        return
      }
    }
    for index in targets
    where events[index].version.sequence <= cancellation.version.sequence {
      effect.isAny = true
      cancelled.insert(index)
    }
  }

  private static func isSame(_ one: EventTime, _ other: EventTime, in start: EventTime?) -> Bool {
    if let start {
      let matcher = TimeMatcher(start: start, viewer: .utc)
      let isSameForm = matcher.isDate || one.isDate == other.isDate
      return isSameForm && matcher.key(one) == matcher.key(other)
    }
    return one.isDate == other.isDate && one.instant(for: .utc) == other.instant(for: .utc)
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
