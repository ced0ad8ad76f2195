/// What answers to invitations (METHOD:REPLY, RFC 5546 3.2.3) change in the events that they answer:
/// the participation of one attendee. An answer to an earlier SEQUENCE changes nothing.
///
/// The result does not depend on the order of the answers: of several answers of one attendee the
/// one with the higher SEQUENCE holds, then the one with the later stamp.
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

  /// What one of them did.
  package enum Outcome: Hashable, Sendable {
    case applied
    /// The event is missing.
    case missing
    /// The event has a higher SEQUENCE.
    case outdated
    /// The event does not list the attendee.
    case notInvited
    /// It answers one occurrence of a series, which has no override there.
    case withoutOverride
  }

  /// Of each reply, in their order.
  package private(set) var outcomes: [Outcome] = []
  /// By index of the event and address in lower case, the new participation.
  package private(set) var answers: [Int: [String: String]] = [:]

  private var versions: [Place: (version: EventVersion, participation: String)] = [:]

  private struct Place: Hashable {
    let event: Int
    let address: String
  }

  /// `addresses` gives the addresses of the attendees of an event, in lower case.
  package init<Failure: Error>(
    _ replies: [Reply], of events: [Event],
    addresses: (Event) throws(Failure) -> Set<String>
  ) throws(Failure) {
    for reply in replies { outcomes.append(try apply(reply, to: events, addresses)) }
  }

  private mutating func apply<Failure: Error>(
    _ reply: Reply, to events: [Event], _ addresses: (Event) throws(Failure) -> Set<String>
  ) throws(Failure) -> Outcome {
    let named = events.indices.filter {
      events[$0].kind == reply.event.kind
        && events[$0].identity.uid == reply.event.identity.uid
    }
    if named.isEmpty { return .missing }
    let targets = named.filter { events[$0].identity.isSameOccurrence(as: reply.event.identity) }
    if targets.isEmpty {
      return reply.event.identity.recurrenceID == nil ? .missing : .withoutOverride
    }
    let newest = targets.lazy.map { events[$0].version.sequence }.max() ?? 0
    if newest > reply.event.version.sequence { return .outdated }
    var outcome = Outcome.notInvited
    for index in targets {
      let invited = try addresses(events[index])
      for attendee in reply.attendees {
        guard let address = attendee.person.email?.lowercased(), invited.contains(address) else {
          continue
        }
        outcome = .applied
        let place = Place(event: index, address: address)
        let new = (version: reply.event.version, participation: attendee.participation)
        // Of two answers that are equally new, any will do, but always the same.
        if let known = versions[place], (new.version, new.participation) < known { continue }
        versions[place] = new
        answers[index, default: [:]][address] = new.participation
      }
    }
    return outcome
  }
}

extension EventIdentity {
  fileprivate func isSameOccurrence(as other: EventIdentity) -> Bool {
    guard let recurrenceID, let otherID = other.recurrenceID else {
      return recurrenceID == nil && other.recurrenceID == nil
    }
    return recurrenceID.isDate == otherID.isDate
      && recurrenceID.instant(for: .utc) == otherID.instant(for: .utc)
  }
}

extension Replies.Outcome {
  /// That a reply changes nothing, as a note; `nil` if it does.
  package func finding(_ reply: Event, line: Int?) -> Finding? {
    let message: String
    switch self {
    case .applied: return nil
    case .missing: message = "REPLY to an event that is missing"
    case .outdated: message = "REPLY to an earlier version of the event"
    case .notInvited: message = "REPLY from a person whom the event does not list"
    case .withoutOverride: message = "REPLY to one occurrence, which has no override"
    }
    return Finding(
      severity: .note, line: line, component: reply.kind.component, uid: reply.identity.uid,
      property: "METHOD", message: message, action: "ignored")
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
