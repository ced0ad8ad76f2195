internal import CivilTime
internal import Recurrence

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
    /// It answers an occurrence that the series does not have.
    case withoutOccurrence
    /// More than `mostOccurrences` answer occurrences without an override.
    case tooMany
  }

  /// An answer for one occurrence that has no override. It needs one, because all other occurrences
  /// keep the answer of the series.
  package struct AnsweredOccurrence: Sendable {
    /// The series, by its index among the events.
    package let series: Int
    /// The override, with the reference of the series.
    package let override: Event
    /// The new participation, by address in lower case.
    package fileprivate(set) var answers: [String: String] = [:]
    /// The first of the replies that answer it, by index.
    package let reply: Int
  }

  /// More answers for occurrences without an override are not read: each of them takes a look at the
  /// rule of its series.
  fileprivate static let mostOccurrences = 1_000

  /// Of each reply, in their order.
  package private(set) var outcomes: [Outcome] = []
  /// By index of the event and address in lower case, the new participation.
  package private(set) var answers: [Int: [String: String]] = [:]
  package private(set) var occurrences: [AnsweredOccurrence] = []

  private var versions: [Place: (version: EventVersion, participation: String)] = [:]
  /// The places in `occurrences`.
  private var occurrencePlaces: [OccurrencePlace: Int] = [:]
  private var occurrenceCount = 0

  private struct OccurrencePlace: Hashable {
    let series: Int
    let recurrenceID: EventTime
  }

  private struct Place: Hashable {
    let event: Int
    var recurrenceID: EventTime?
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
      guard let recurrenceID = reply.event.identity.recurrenceID else { return .missing }
      return try apply(reply, at: recurrenceID, to: events, named, addresses)
    }
    let newest = targets.lazy.map { events[$0].version.sequence }.max() ?? 0
    if newest > reply.event.version.sequence { return .outdated }
    var outcome = Outcome.notInvited
    for index in targets {
      let invited = try addresses(events[index])
      guard let new = newAnswers(of: reply, to: index, invited: invited) else { continue }
      outcome = .applied
      answers[index, default: [:]].merge(new) { $1 }
    }
    return outcome
  }

  /// Applies an answer for an occurrence without an override.
  private mutating func apply<Failure: Error>(
    _ reply: Reply, at recurrenceID: EventTime, to events: [Event], _ named: [Int],
    _ addresses: (Event) throws(Failure) -> Set<String>
  ) throws(Failure) -> Outcome {
    occurrenceCount += 1
    if occurrenceCount > Self.mostOccurrences { return .tooMany }
    let masters = named.filter { events[$0].identity.recurrenceID == nil }
    let newest = masters.lazy.map { events[$0].version }.max() ?? EventVersion()
    if newest.sequence > reply.event.version.sequence { return .outdated }
    var outcome = Outcome.withoutOccurrence
    for index in masters where events[index].version == newest {
      guard let override = events[index].override(at: recurrenceID),
        let place = override.identity.recurrenceID
      else { continue }
      let invited = try addresses(events[index])
      guard let new = newAnswers(of: reply, to: index, at: place, invited: invited) else {
        if outcome == .withoutOccurrence { outcome = .notInvited }
        continue
      }
      outcome = .applied
      let key = OccurrencePlace(series: index, recurrenceID: place)
      if occurrencePlaces[key] == nil {
        occurrencePlaces[key] = occurrences.count
        occurrences.append(
          AnsweredOccurrence(series: index, override: override, reply: outcomes.count))
      }
      if let known = occurrencePlaces[key] { occurrences[known].answers.merge(new) { $1 } }
    }
    return outcome
  }

  /// What is new of an answer, by address in lower case; `nil` if the sender is not invited.
  private mutating func newAnswers(
    of reply: Reply, to index: Int, at recurrenceID: EventTime? = nil, invited: Set<String>
  ) -> [String: String]? {
    var answers: [String: String]?
    for attendee in reply.attendees {
      guard let address = attendee.person.email?.lowercased(), invited.contains(address) else {
        continue
      }
      if answers == nil { answers = [:] }
      let place = Place(event: index, recurrenceID: recurrenceID, address: address)
      let new = (version: reply.event.version, participation: attendee.participation)
      // Of two answers that are equally new, any will do, but always the same.
      if let known = versions[place], (new.version, new.participation) < known { continue }
      versions[place] = new
      answers?[address] = new.participation
    }
    return answers
  }
}

extension Event {
  /// What a series says of one of its occurrences, as an override; `nil` if its rule and dates do
  /// not give that occurrence.
  fileprivate func override(at recurrenceID: EventTime) -> Event? {
    guard repeats, let start else { return nil }
    // Without their length, only occurrences that begin there are in the span.
    var bare = self
    bare.extent = .unstated
    bare.due = nil
    let matcher = TimeMatcher(start: start, viewer: .utc)
    let isDay = matcher.isDate || recurrenceID.isDate
    let first = Instant(secondsSinceEpoch: matcher.key(recurrenceID))
    let last = first.adding(seconds: isDay ? TimeOfDay.secondsPerCivilDay : 1)
    let given = Series(bare).occurrences(touching: first..<last, viewer: .utc)
    guard
      let occurrence = given.first(where: { occurrence in
        guard let time = occurrence.recurrenceID else { return false }
        return isDay
          ? time.civil.date == recurrenceID.civil.date
          : matcher.key(time) == matcher.key(recurrenceID)
      })
    else { return nil }
    var event = self
    event.recurrence = nil
    event.identity.recurrenceID = occurrence.recurrenceID
    event.start = occurrence.start
    if case .end(let end) = extent {
      event.extent = .end(end.moved(from: start, to: occurrence.start))
    }
    event.due = due?.moved(from: start, to: occurrence.start)
    return event
  }
}

extension EventTime {
  /// An end, at the same distance from another start.
  fileprivate func moved(from start: EventTime, to newStart: EventTime) -> EventTime {
    if isDate || start.isDate {
      let days = start.civil.date.days(until: civil.date)
      return newStart.civil.date.adding(days: days).map { .date($0) } ?? self
    }
    let length =
      instant(for: .utc).secondsSinceEpoch - start.instant(for: .utc).secondsSinceEpoch
    let moment = newStart.instant(for: .utc).adding(seconds: length)
    return at((zone ?? .utc).civil(at: moment))
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
    case .withoutOccurrence: message = "REPLY to an occurrence that the series does not have"
    case .tooMany:
      message = "more than \(Replies.mostOccurrences) answers to single occurrences"
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
