internal import CivilTime
internal import Recurrence

/// What the components of calendars mean: the series that are shown, whatever sources and files their
/// components come from.
///
/// The components of a calendar with one kind and UID belong together. `UIDVersions` decides which of
/// them count, and `MessageEffects` applies the messages about them.
package struct SeriesAssembly: Sendable {
  /// In the order in which they first appear.
  package private(set) var series: [Series] = []
  /// The findings, each with its events.
  package private(set) var problems: [(finding: Finding, events: [EventReference])] = []
  /// The versions that a later one, or an exact duplicate, replaces.
  package private(set) var superseded: Set<EventReference> = []
  /// The events that the user hides with a message, and that would be shown otherwise.
  package private(set) var hidden: Set<EventReference> = []
  /// The messages of mails: they stay without an effect until their event comes.
  private(set) var mails: Set<EventReference> = []
  /// The messages with which the user hides or completes something. A calendar is in order although the
  /// event of such a message is missing: its source can have deleted it, too.
  private(set) var lastingDecisions: Set<EventReference> = []
  /// What each message did, by its reference.
  package private(set) var outcomes: [EventReference: Message.Outcome] = [:]
  /// The events of `series` that differ from their components because of messages. An event that
  /// messages made has a reference that no component has, the same in every assembly.
  package private(set) var derivations: [EventReference: Derivation] = [:]

  /// The overrides of occurrences that a newer version of their series does not have.
  private var stale: Set<EventReference> = []

  package var findings: [Finding] { problems.map(\.finding) }

  private struct Key: Hashable {
    let kind: Event.Kind
    let calendar: String
    let uid: ComparedText
  }

  /// - Parameters:
  ///   - events: the versions of events, from any number of sources and calendars. The source in the
  ///     reference of each is that of its component, and its calendar is the one that the source
  ///     belongs to. Those of one source are in the order of its files. Otherwise the order does not
  ///     matter.
  ///   - messages: the messages of these sources, in any order.
  ///   - reading: gives more of a component when the decision needs it.
  ///   - budget: the work that may be done. What runs out becomes a finding.
  package init(
    _ events: [Event], messages: [Message] = [], reading: any ComponentReading,
    budget: inout WorkBudget
  ) {
    let addressed = AddressedMessages(messages)
    let all = addressed.isEmpty ? events : events + addressed.additions(to: events)
    var groupOfKey: [Key: Int] = [:]
    groupOfKey.reserveCapacity(all.count)
    // Nearly all components have a separate UID, so a list is made only for a repeated one.
    var first: [Int] = []
    first.reserveCapacity(all.count)
    var others: [Int: [Int]] = [:]
    for (index, event) in all.enumerated() {
      let key = Key(
        kind: event.kind, calendar: event.calendar, uid: ComparedText(event.identity.uid))
      if let group = groupOfKey[key] {
        others[group, default: []].append(index)
      } else {
        groupOfKey[key] = first.count
        first.append(index)
      }
    }
    series.reserveCapacity(first.count)
    for (group, index) in first.enumerated() {
      let messages = addressed.isEmpty ? [] : addressed.messages(about: all[index])
      if let more = others[group] {
        assemble([index] + more, of: all, firstAdded: events.count, messages, reading, &budget)
      } else if !messages.isEmpty {
        assemble([index], of: all, firstAdded: events.count, messages, reading, &budget)
      } else {
        series.append(Series(all[index].alone))
      }
    }
    lastingDecisions = Set(
      messages.lazy.filter { $0.hides || $0.completes }.map(\.event.reference))
    mails = Set(messages.lazy.filter { $0.scope == .allCalendars }.map(\.event.reference))
    for message in messages where outcomes[message.event.reference] == nil {
      outcomes[message.event.reference] = outcomeWithoutEvents(message)
    }
  }

  /// What a message did that no series has noted.
  private func outcomeWithoutEvents(_ message: Message) -> Message.Outcome {
    guard message.method == .add else { return .missingEvent }
    let reference = message.event.reference
    return superseded.contains(reference) || stale.contains(reference) ? .laterVersion : .effective
  }

  private mutating func assemble(
    _ group: [Int], of events: [Event], firstAdded: Int, _ messages: [Message],
    _ reading: any ComponentReading, _ budget: inout WorkBudget
  ) {
    budget.startRecording()
    let versions = UIDVersions(
      group, of: events, firstAdded: firstAdded, hasMessages: !messages.isEmpty, reading, &budget)
    problems += versions.problems
    superseded.formUnion(versions.superseded)
    stale.formUnion(versions.stale)
    if messages.isEmpty {
      series += versions.drafts.map { Series($0.master, overrides: $0.overrides) }
    } else {
      var effects = MessageEffects(on: versions, reading, budget)
      effects.apply(messages)
      budget = effects.budget
      series += effects.drafts.map { Series($0.master, overrides: $0.overrides) }
      hidden.formUnion(effects.hidden)
      for (reference, outcome) in effects.outcomes {
        outcomes[reference] = max(outcomes[reference] ?? outcome, outcome)
      }
      derivations.merge(effects.derivations) { $1 }
    }
    for work in budget.recorded {
      let first = group.map { events[$0] }.min { $0.reference < $1.reference }
      guard let first else { continue }
      problems.append((.tooMuchWork(work, first), [first.reference]))
    }
  }
}

/// Messages by the events that they are about.
private struct AddressedMessages {
  private struct Key: Hashable {
    let kind: Event.Kind
    let uid: ComparedText

    init(_ event: Event) {
      kind = event.kind
      uid = ComparedText(event.identity.uid)
    }
  }

  private var byKey: [Key: [Message]] = [:]

  init(_ messages: [Message]) {
    for message in messages { byKey[Key(message.event), default: []].append(message) }
  }

  var isEmpty: Bool { byKey.isEmpty }

  /// The cancellations and replies that can change an event or others of its calendar with its UID.
  func messages(about event: Event) -> [Message] {
    let messages = byKey[Key(event)] ?? []
    return messages.filter { $0.method != .add && $0.isAbout(calendar: event.calendar) }
  }

  /// The occurrences that METHOD:ADD adds. A mail adds to the calendar of the newest series, of equally
  /// new ones to that with the first name.
  func additions(to events: [Event]) -> [Event] {
    let additions = byKey.values.flatMap { $0.filter { $0.method == .add } }
      .sorted { $0.event.reference < $1.event.reference }
    if additions.isEmpty { return [] }
    let keys = Set(additions.lazy.map { Key($0.event) })
    var newest: [Key: Event] = [:]
    for event in events where event.identity.recurrenceID == nil && keys.contains(Key(event)) {
      guard let other = newest[Key(event)] else {
        newest[Key(event)] = event
        continue
      }
      if other.version < event.version
        || !(event.version < other.version) && event.calendar < other.calendar
      {
        newest[Key(event)] = event
      }
    }
    return additions.map { addition in
      var event = addition.event
      if addition.scope == .allCalendars, let series = newest[Key(event)] {
        event.calendar = series.calendar
      }
      return event
    }
  }
}

extension EventReference {
  /// An order that does not depend on that of the sources in memory.
  static func < (left: EventReference, right: EventReference) -> Bool {
    (left.source, left.component) < (right.source, right.component)
  }
}
