internal import Recurrence

/// METHOD:REPLY (RFC 5546 3.2.3): each changes the participation of attendees, unless the event has a
/// newer version.
///
/// - Of several replies of one attendee, the newest counts.
/// - `needs-action` in a newer version with the same SEQUENCE does not take back an answer.
/// - An answer to an occurrence without an override gives it one, because all others keep the answer to
///   the series.
extension MessageEffects {
  /// The answers to an event, before they are written into its derivation.
  private struct Answers {
    /// What the event says, by address in lower case.
    let invited: [String: String]
    /// The newest replies.
    var given: [String: (version: EventVersion, participation: String)] = [:]
  }

  private struct Reply {
    let message: Message
    let attendees: [(address: String, participation: String)]
    var version: EventVersion { message.event.version }

    init(_ message: Message, _ attendees: [Attendee]) {
      self.message = message
      self.attendees = attendees.compactMap { attendee in
        attendee.person.email.map { ($0.lowercased(), attendee.participation) }
      }
    }
  }

  mutating func answer(_ messages: [Message]) {
    var answers: [Target: Answers] = [:]
    /// The overrides that occurrences without one need; `nil` if the series does not have the
    /// occurrence.
    var needed: [NamedOccurrence: Event?] = [:]
    /// The events that these are made of.
    var models: [Target: Target] = [:]
    for message in messages {
      let reply = Reply(message, reading.attendees(of: message.event.reference))
      guard message.event.identity.recurrenceID != nil else {
        answer(
          draftsNamed(by: message).filter { !drafts[$0].isAlone }.map { Target(draft: $0) },
          reply, &answers)
        continue
      }
      guard let occurrence = occurrence(namedBy: message.event) else {
        let targets = overridesAlone(namedBy: message.event)
        if targets.isEmpty { note(.missingOccurrence, message) }
        answer(targets, reply, &answers)
        continue
      }
      let targets = overrides(at: occurrence, for: message.event)
      if targets.isEmpty {
        answer(occurrence, reply, &answers, &needed, &models)
      } else {
        answer(targets, reply, &answers)
      }
    }
    write(answers, models)
  }

  private mutating func answer(
    _ named: [Target], _ reply: Reply, _ answers: inout [Target: Answers]
  ) {
    let targets = named.filter { isInScope(reply.message, $0) }
    guard budget.spend(targets.count, on: .comparisons) else {
      note(.tooMany, reply.message)
      return
    }
    for target in targets {
      let event = event(target)
      guard reply.version.sequence >= event.version.sequence else {
        note(.laterVersion, reply.message)
        continue
      }
      var known = answers[target] ?? Answers(invited: participations(of: event.reference))
      let outcome = take(reply, event, &known)
      answers[target] = known
      // A reply to all that follow applies to an override with RANGE as a whole.
      let isWhole = outcome == .appliedToFirst && event.identity.includesFollowing
      note(isWhole ? .effective : outcome, reply.message)
    }
  }

  /// Applies a reply to an occurrence without an override.
  private mutating func answer(
    _ occurrence: NamedOccurrence, _ reply: Reply, _ answers: inout [Target: Answers],
    _ needed: inout [NamedOccurrence: Event?], _ models: inout [Target: Target]
  ) {
    let master = Target(draft: occurrence.draft)
    guard isInScope(reply.message, master) else { return }
    guard budget.spend(on: .comparisons) else {
      note(.tooMany, reply.message)
      return
    }
    let range = range(over: occurrence)
    if let range, event(range).status == .cancelled {
      answer([range], reply, &answers)
      return
    }
    let target = range ?? master
    let model = event(target)
    let sequences = [event(master), model].map(\.version.sequence)
    if sequences.contains(where: { $0 > reply.version.sequence }) {
      note(.laterVersion, reply.message)
      return
    }
    if needed[occurrence] == nil {
      guard budget.spend(on: .answeredOccurrences) else {
        note(.tooMany, reply.message)
        return
      }
      needed[occurrence] = .some(
        event(master).override(at: occurrence.moment, as: range.map { event($0) }))
    }
    guard let override = needed[occurrence] ?? nil, let time = override.identity.recurrenceID,
      let exact = self.occurrence(at: time, of: occurrence.draft)
    else {
      note(.missingOccurrence, reply.message)
      return
    }
    // A date with several occurrences can also name one with an override.
    if let single = single(at: exact) {
      answer([single], reply, &answers)
      return
    }
    var known = answers[target] ?? Answers(invited: participations(of: model.reference))
    answers[target] = known
    known.given = [:]
    let outcome = take(reply, model, &known)
    guard outcome.isEffective else {
      note(outcome, reply.message)
      return
    }
    guard budget.spend(reading.size(of: model.reference), on: .copies) else {
      note(.tooMany, reply.message)
      return
    }
    note(outcome, reply.message)
    let made = add(override, at: exact, Derivation(base: model.reference))
    answers[made] = known
    models[made] = target
  }

  /// Whom a component invites, and what they have answered, by address in lower case.
  private func participations(of reference: EventReference) -> [String: String] {
    let derivation = derivations[reference]
    var attendees = reading.attendees(of: derivation?.base ?? reference)
    if attendees.isEmpty, let series = derivation?.completedBy {
      attendees = reading.attendees(of: series)
    }
    return Dictionary(
      attendees.compactMap { attendee in
        attendee.person.email.map { ($0.lowercased(), attendee.participation) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Takes what a reply says about the attendees of an event.
  private func take(_ reply: Reply, _ event: Event, _ answers: inout Answers) -> Message.Outcome {
    let isOlder = reply.version.isOlder(than: event.version)
    var listed = 0
    var taken = 0
    for (address, participation) in reply.attendees {
      guard let invited = answers.invited[address] else { continue }
      listed += 1
      if isOlder, invited != Self.noAnswer, invited != participation { continue }
      taken += 1
      // Of equally new replies, the choice must not depend on their order.
      if let other = answers.given[address], (reply.version, participation) < other { continue }
      answers.given[address] = (reply.version, participation)
    }
    if listed == 0 { return .notInvited }
    if taken == 0 { return .laterVersion }
    if reply.message.event.identity.includesFollowing { return .appliedToFirst }
    return listed < reply.attendees.count ? .appliedToListed : .effective
  }

  private static let noAnswer = "needs-action"

  private mutating func write(_ answers: [Target: Answers], _ models: [Target: Target]) {
    func given(_ target: Target) -> [String: String] {
      answers[target]?.given.mapValues(\.participation) ?? [:]
    }
    for target in answers.keys {
      let reference = event(target).reference
      if let model = models[target] {
        // The override also has the answers to the whole series.
        derivations[reference]?.answers = given(model).merging(given(target)) { $1 }
        continue
      }
      let isMade = derivations[reference]?.isMade(for: reference) == true
      let invited = answers[target]?.invited ?? [:]
      let changed = given(target).filter { isMade || invited[$0.key] != $0.value }
      if changed.isEmpty { continue }
      derivations[reference, default: Derivation(base: reference)].answers = changed
    }
  }
}
