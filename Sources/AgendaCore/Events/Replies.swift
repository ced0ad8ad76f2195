internal import CivilTime
internal import Recurrence

/// The effect of answers to invitations (METHOD:REPLY, RFC 5546 3.2.3): each changes the
/// participation of one attendee. An answer to an earlier SEQUENCE changes nothing.
///
/// The result does not depend on the order of the answers. Of several answers of one attendee the
/// one with the higher SEQUENCE counts, then the one with the later stamp.
package struct Replies: Sendable {
  package struct Reply: Sendable {
    package let event: Event
    /// The attendees who answer.
    package let attendees: [Attendee]

    package init(event: Event, attendees: [Attendee]) {
      self.event = event
      self.attendees = attendees
    }
  }

  /// The result of a reply. If it had different results in several sources, the last of these cases
  /// counts.
  package enum Outcome: Hashable, Comparable, Sendable {
    /// The event is missing.
    case missing
    /// It answers an occurrence that the series does not have.
    case withoutOccurrence
    /// The event has a higher SEQUENCE.
    case outdated
    /// The event does not list the attendee.
    case notInvited
    /// More than `mostOccurrences` occurrences without an override are answered, their overrides do
    /// not fit into the `CopyRoom`, or there are more than `NamedComponents.mostPairs`.
    case tooMany
    /// It answers an occurrence and all that follow (RANGE=THISANDFUTURE). Only the answer to the
    /// first one is applied.
    case appliedToFirst
    /// It answers for several people, and the event does not list all of them. This is so for an
    /// invitation that was delegated (RFC 5546 3.2.2.3).
    case appliedToListed
    case applied
  }

  /// An answer to one occurrence without an override. It needs an override, because all other
  /// occurrences keep the answer of the series.
  package struct AnsweredOccurrence: Sendable {
    /// The series, or its override with RANGE, by its index among the events.
    package let series: Int
    /// The override, with the reference of the series.
    package let override: Event
    /// The new participation, by address in lower case.
    package fileprivate(set) var answers: [String: String]
    /// The index of one of the replies to it.
    package let reply: Int
  }

  /// The limit for answers to occurrences without an override: each of them needs a search in the
  /// rule of its series.
  fileprivate static let mostOccurrences = 1_000

  /// An event, as far as its answers need it.
  package struct Invitation: Sendable {
    /// The addresses of its attendees, in lower case.
    let addresses: Set<String>
    /// The size of its text in bytes.
    let size: Int

    package init(addresses: Set<String>, size: Int) {
      self.addresses = addresses
      self.size = size
    }
  }

  /// The result of each reply, in their order.
  package private(set) var outcomes: [Outcome]
  /// The new participation, by index of the event and address in lower case.
  package private(set) var answers: [Int: [String: String]] = [:]
  package private(set) var occurrences: [AnsweredOccurrence] = []

  private let events: [Event]
  private var components: NamedComponents
  /// See `NamedComponents.mostPairs`.
  private var pairs = 0
  /// The newest answer for each component and attendee.
  private var versions: [Place: (version: EventVersion, participation: String)] = [:]
  /// By index of the event.
  private var invitations: [Int: Invitation] = [:]
  /// What is left of it.
  package private(set) var room: CopyRoom
  /// The overrides that occurrences without one need; `nil` if the series does not have the
  /// occurrence.
  private var overrides: [NamedComponents.Place: Event?] = [:]
  /// The positions in `occurrences`.
  private var occurrencePlaces: [NamedComponents.Place: Int] = [:]

  private struct Place: Hashable {
    let event: Int
    var occurrence: NamedComponents.Place?
    let address: String
  }

  /// `invitation` returns that of an event, by its index.
  package init<Failure: Error>(
    _ replies: [Reply], of events: [Event], room: CopyRoom = CopyRoom(),
    invitation: (Int) throws(Failure) -> Invitation
  ) throws(Failure) {
    self.events = events
    self.room = room
    components = NamedComponents(events)
    outcomes = Array(repeating: .missing, count: replies.count)
    // In an order that doesn't depend on theirs, so that the limit always leaves out the same ones.
    let order = replies.indices.sorted { one, other in
      let (one, other) = (replies[one].event, replies[other].event)
      return (one.identity.uid, one.identity.moment, other.version)
        < (other.identity.uid, other.identity.moment, one.version)
    }
    for number in order {
      outcomes[number] = try apply(replies[number], number: number, invitation)
    }
  }

  private mutating func apply<Failure: Error>(
    _ reply: Reply, number: Int, _ invitation: (Int) throws(Failure) -> Invitation
  ) throws(Failure) -> Outcome {
    var outcome = Outcome.missing
    for group in components.groups(named: reply.event) {
      if pairs > NamedComponents.mostPairs { return .tooMany }
      guard let moment = reply.event.identity.recurrenceID else {
        let masters = group.sources.flatMap {
          components.targets(of: reply.event, in: $0, of: group).masters
        }
        pairs += masters.count
        outcome = max(outcome, try answer(reply, masters, invitation))
        continue
      }
      let targets = components.overrides(namedBy: reply.event, in: group, of: events)
      if !targets.isEmpty {
        outcome = max(outcome, try answer(reply, targets, invitation))
        continue
      }
      for series in group.sources.flatMap(\.masters) {
        pairs += 1
        let one = try answer(reply, number, moment, of: series, group, invitation)
        outcome = max(outcome, one)
      }
    }
    return outcome
  }

  /// Applies an answer to components with its UID and RECURRENCE-ID, unless their SEQUENCE is higher.
  private mutating func answer<Failure: Error>(
    _ reply: Reply, _ targets: [Int], _ invitation: (Int) throws(Failure) -> Invitation
  ) throws(Failure) -> Outcome {
    var outcome = Outcome.missing
    var isOutdated = false
    for index in targets {
      let event = events[index]
      let isMaster = event.identity.recurrenceID == nil
      let current = isMaster ? components.currentSequence(of: event) : event.version.sequence
      if current > reply.event.version.sequence { isOutdated = true }
      if event.version.sequence > reply.event.version.sequence { continue }
      let invited = try self.invitation(to: index, invitation).addresses
      guard let new = newAnswers(of: reply, to: index, invited: invited) else {
        outcome = max(outcome, .notInvited)
        continue
      }
      let one = Self.outcome(of: reply, invited: invited)
      let isRange = event.identity.includesFollowing
      outcome = max(outcome, isRange && one == .appliedToFirst ? .applied : one)
      answers[index, default: [:]].merge(new) { $1 }
    }
    return isOutdated ? .outdated : outcome
  }

  /// Applies an answer to an occurrence without an override. Only the version that the calendar
  /// shows gets an override, because the occurrence can have another time in the others.
  private mutating func answer<Failure: Error>(
    _ reply: Reply, _ number: Int, _ moment: EventTime, of series: Int,
    _ group: NamedComponents.Group, _ invitation: (Int) throws(Failure) -> Invitation
  ) throws(Failure) -> Outcome {
    let current = components.currentSequence(of: events[series])
    if current > reply.event.version.sequence { return .outdated }
    guard components.isCurrent(series) else { return .missing }
    let named = components.place(of: moment, in: series, of: group)
    let range = components.range(namedBy: reply.event, in: group)
    if let range {
      if events[range].version.sequence > reply.event.version.sequence { return .outdated }
      if events[range].status == .cancelled { return try answer(reply, [range], invitation) }
    }
    // The component that the override is otherwise like.
    let model = range ?? series
    if overrides[named] == nil {
      if overrides.count >= Self.mostOccurrences { return .tooMany }
      overrides[named] = .some(
        events[series].override(at: moment, as: range.map { events[$0] }))
    }
    guard let override = overrides[named] ?? nil, let time = override.identity.recurrenceID
    else { return .withoutOccurrence }
    // A date with several occurrences can also refer to one with an override.
    let targets = components.overrides(namedBy: override, in: group, of: events)
    if !targets.isEmpty { return try answer(reply, targets, invitation) }
    let key = components.place(of: time, in: series, of: group)
    let event = try self.invitation(to: model, invitation)
    let invited = event.addresses
    guard let new = newAnswers(of: reply, to: series, at: key, invited: invited) else {
      return .notInvited
    }
    if let known = occurrencePlaces[key] {
      occurrences[known].answers.merge(new) { $1 }
    } else {
      guard room.take(event.size) else { return .tooMany }
      occurrencePlaces[key] = occurrences.count
      occurrences.append(
        AnsweredOccurrence(series: model, override: override, answers: new, reply: number))
    }
    return Self.outcome(of: reply, invited: invited)
  }

  /// The result of a reply to an event that lists one of its attendees.
  private static func outcome(of reply: Reply, invited: Set<String>) -> Outcome {
    if reply.event.identity.includesFollowing { return .appliedToFirst }
    let areListed = reply.attendees.allSatisfy { attendee in
      attendee.person.email.map { invited.contains($0.lowercased()) } ?? true
    }
    return areListed ? .applied : .appliedToListed
  }

  private mutating func invitation<Failure: Error>(
    to index: Int, _ invitation: (Int) throws(Failure) -> Invitation
  ) throws(Failure) -> Invitation {
    if let known = invitations[index] { return known }
    let found = try invitation(index)
    invitations[index] = found
    return found
  }

  /// The new answers, by address in lower case; `nil` if the sender is not invited.
  private mutating func newAnswers(
    of reply: Reply, to index: Int, at occurrence: NamedComponents.Place? = nil,
    invited: Set<String>
  ) -> [String: String]? {
    var answers: [String: String]?
    for attendee in reply.attendees {
      guard let address = attendee.person.email?.lowercased(), invited.contains(address) else {
        continue
      }
      if answers == nil { answers = [:] }
      let place = Place(event: index, occurrence: occurrence, address: address)
      let new = (version: reply.event.version, participation: attendee.participation)
      // If two answers are equally new, the choice must not depend on their order.
      if let known = versions[place], (new.version, new.participation) < known { continue }
      versions[place] = new
      answers?[address] = new.participation
    }
    return answers
  }
}

extension EventIdentity {
  /// The moment of the RECURRENCE-ID; without one, a number before all moments.
  var moment: Int { recurrenceID?.instant(for: .utc).secondsSinceEpoch ?? .min }
}

extension Replies.Outcome {
  /// The finding about a reply without effect; `nil` if it has one.
  package func finding(_ reply: Event, line: Int?) -> Finding? {
    if self == .applied { return nil }
    return Finding(
      .note, .reply(self, isKept: false), line: line, component: reply.kind.component,
      uid: reply.identity.uid, property: "METHOD")
  }
}

extension EventDetails {
  /// The addresses of the attendees, in lower case.
  package var attendeeAddresses: Set<String> {
    Set(attendees.compactMap { $0.person.email?.lowercased() })
  }

  /// Changes the participation of the attendees with these addresses, which are in lower case.
  package mutating func take(answers: [String: String]) {
    for index in attendees.indices {
      guard let email = attendees[index].person.email?.lowercased(),
        let participation = answers[email]
      else { continue }
      attendees[index].participation = participation
    }
  }
}
