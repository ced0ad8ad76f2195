internal import Recurrence

/// METHOD:REPLY (RFC 5546 3.2.3): each changes the participation of attendees, unless the event has a
/// newer version.
///
/// - Of several replies of one attendee, the newest counts.
/// - `needs-action` in a newer version with the same SEQUENCE does not take back an answer.
/// - An answer to an occurrence without an override gives it one, because all others keep the answer to
///   the series. So does an answer to an occurrence and all that follow (RANGE=THISANDFUTURE).
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
      if message.event.identity.includesFollowing {
        answerFollowing(occurrence, reply, &answers, &needed, &models)
      } else if let single = single(at: occurrence) {
        answer([single], reply, &answers)
      } else {
        answer(occurrence, reply, &answers, &needed, &models)
      }
    }
    write(answers, models)
  }

  /// Applies a reply to an occurrence and all that follow.
  private mutating func answerFollowing(
    _ occurrence: NamedOccurrence, _ reply: Reply, _ answers: inout [Target: Answers],
    _ needed: inout [NamedOccurrence: Event?], _ models: inout [Target: Target]
  ) {
    let hasOverride = single(at: occurrence) != nil || range(at: occurrence) != nil
    var first: NamedOccurrence? = occurrence
    switch override(at: occurrence, reply, &needed) {
    case nil: return
    case .some(nil):
      guard hasOverride else {
        note(.missingOccurrence, reply.message)
        return
      }
      first = firstOccurrence(after: occurrence)
    case .some(.some): break
    }
    answer(overrides(at: occurrence, for: reply.message.event), reply, &answers)
    if let first, range(at: first) == nil {
      answer(first, reply, &answers, &needed, &models)
    }
  }

  private mutating func answer(
    _ targets: [Target], _ reply: Reply, _ answers: inout [Target: Answers]
  ) {
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
      note(take(reply, event, &known), reply.message)
      answers[target] = known
    }
  }

  /// The occurrence of a series as an override, as long as there is a budget for it: `nil` without one,
  /// `.some(nil)` if the series lacks the occurrence.
  private mutating func override(
    at occurrence: NamedOccurrence, _ reply: Reply, _ needed: inout [NamedOccurrence: Event?]
  ) -> Event?? {
    if let known = needed[occurrence] { return .some(known) }
    guard budget.spend(on: .answeredOccurrences) else {
      note(.tooMany, reply.message)
      return nil
    }
    let range = range(over: occurrence).map { event($0) }
    let found = drafts[occurrence.draft].master.override(at: occurrence.moment, as: range)
    needed[occurrence] = .some(found)
    return .some(found)
  }

  /// Applies a reply to an occurrence without an override, and to all that follow if it has RANGE.
  private mutating func answer(
    _ occurrence: NamedOccurrence, _ reply: Reply, _ answers: inout [Target: Answers],
    _ needed: inout [NamedOccurrence: Event?], _ models: inout [Target: Target]
  ) {
    let master = Target(draft: occurrence.draft)
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
    guard let found = self.override(at: occurrence, reply, &needed) else { return }
    guard var override = found, let time = override.identity.recurrenceID,
      let exact = self.occurrence(at: time, of: occurrence.draft)
    else {
      note(.missingOccurrence, reply.message)
      return
    }
    if reply.message.event.identity.includesFollowing, event(master).repeats {
      let range = range.map { event($0) }
      guard let following = event(master).range(at: time, as: range) else { return }
      override = following
    } else if let single = single(at: exact) {
      // A date with several occurrences can also name one with an override.
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
    // An override with RANGE that a reply made has the text of its series.
    let base = derivations[model.reference]?.base ?? model.reference
    let made = add(override, at: exact, Derivation(base: base))
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
      if isOlder, Attendee.isAnswer(invited), invited != participation { continue }
      taken += 1
      // Of equally new replies, the choice must not depend on their order.
      if let other = answers.given[address], (reply.version, participation) < other { continue }
      answers.given[address] = (reply.version, participation)
    }
    if listed == 0 { return .notInvited }
    if taken == 0 { return .laterVersion }
    return listed < reply.attendees.count ? .appliedToListed : .effective
  }

  private mutating func write(_ answers: [Target: Answers], _ models: [Target: Target]) {
    typealias Given = [String: (version: EventVersion, participation: String)]
    var known: [Target: Given] = [:]
    /// An override also has the answers to the whole series, or to an occurrence and all that follow. Of
    /// these and its own answers, the newest counts.
    func all(_ target: Target) -> Given {
      if let found = known[target] { return found }
      var found = answers[target]?.given ?? [:]
      if let model = models[target] {
        let isOfRange = event(model).identity.includesFollowing
        found = all(model).merging(found) { (old, own) in
          let isNewer = (own.version, own.participation) < (old.version, old.participation)
          return isOfRange && isNewer ? old : own
        }
      }
      known[target] = found
      return found
    }
    for target in answers.keys {
      let reference = event(target).reference
      let given = all(target).mapValues(\.participation)
      if models[target] != nil {
        derivations[reference]?.answers = given
        continue
      }
      let isMade = derivations[reference]?.isMade(for: reference) == true
      let invited = answers[target]?.invited ?? [:]
      let changed = given.filter { isMade || invited[$0.key] != $0.value }
      if changed.isEmpty { continue }
      derivations[reference, default: Derivation(base: reference)].answers = changed
    }
  }
}
