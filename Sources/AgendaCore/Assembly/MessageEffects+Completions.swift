internal import CivilTime

/// What the user completes: a task whose source agenda does not write, or one of its occurrences.
///
/// As an answer, it is for the versions with its SEQUENCE: a later stamp of the source does not open the
/// task again, a higher SEQUENCE does. An occurrence without an override gets one, because the others
/// stay open.
extension MessageEffects {
  mutating func complete(_ messages: [Message]) {
    for message in messages {
      let targets = tasks(completedBy: message)
      for target in targets ?? [] {
        let task = event(target)
        guard message.event.version.sequence >= task.version.sequence else {
          note(.laterVersion, message)
          continue
        }
        note(.effective, message)
        // What the source says of a completed or cancelled task counts.
        if task.status == .completed || task.status == .cancelled { continue }
        change(target) { $0.status = .completed }
        derivations[task.reference, default: Derivation(base: task.reference)].completed =
          message.event.version.modified ?? Instant(secondsSinceEpoch: 0)
      }
    }
  }

  /// `nil` if the task is missing.
  private mutating func tasks(completedBy message: Message) -> [Target]? {
    guard message.event.identity.recurrenceID != nil else {
      let all = draftsNamed(by: message).map { Target(draft: $0) }
      let series = all.filter { !drafts[$0.draft].isAlone }
      return series.isEmpty ? all : series
    }
    guard let occurrence = occurrence(namedBy: message.event) else {
      return overridesAlone(namedBy: message.event)
    }
    let master = Target(draft: occurrence.draft)
    if let single = single(at: occurrence) { return [single] }
    let range = range(over: occurrence)
    let model = event(range ?? master)
    guard budget.spend(on: .answeredOccurrences),
      budget.spend(reading.size(of: model.reference), on: .copies)
    else {
      note(.tooMany, message)
      return nil
    }
    guard
      let override = event(master).override(at: occurrence.moment, as: range.map { event($0) }),
      let time = override.identity.recurrenceID,
      let exact = self.occurrence(at: time, of: occurrence.draft)
    else {
      note(.missingOccurrence, message)
      return nil
    }
    if let single = single(at: exact) { return [single] }
    let base = derivations[model.reference]?.base ?? model.reference
    let answers = derivations[model.reference]?.answers ?? [:]
    return [add(override, at: exact, Derivation(base: base, answers: answers))]
  }
}
