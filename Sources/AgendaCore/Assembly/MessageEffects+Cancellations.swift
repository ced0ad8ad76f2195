internal import CivilTime
internal import Recurrence

/// METHOD:CANCEL (RFC 5546 3.2.5, 3.4.5): cancels an event with all of its overrides, an occurrence, or
/// with RANGE an occurrence and all that follow, unless they have a newer version.
///
/// An occurrence without an override is cancelled as a cancelled override would do it. What the message
/// leaves out is as in the series, as long as there is room for copies.
extension MessageEffects {
  /// An occurrence that messages cancel, and that has no override.
  private struct Place: Hashable {
    let occurrence: NamedOccurrence
    let includesFollowing: Bool
  }

  private struct CancelledOccurrence {
    let occurrence: NamedOccurrence
    /// The newest message.
    let message: Event
    /// The series, or its override with RANGE that changes the occurrence.
    let model: Target
  }

  mutating func cancel(_ messages: [Message]) {
    var found: [Place: CancelledOccurrence] = [:]
    var order: [Place] = []
    var search = OccurrenceSearch()
    for message in messages {
      guard message.event.identity.recurrenceID != nil else {
        let targets = draftsNamed(by: message).flatMap { draft in
          [Target(draft: draft)]
            + drafts[draft].overrides.indices.map { Target(draft: draft, override: $0) }
        }
        cancel(targets, message)
        continue
      }
      guard var occurrence = occurrence(namedBy: message.event) else {
        let targets = overridesAlone(namedBy: message.event)
        if targets.isEmpty { note(.missingOccurrence, message) }
        cancel(targets, message)
        continue
      }
      let targets = overrides(at: occurrence, for: message.event)
      cancel(targets, message)
      let includesFollowing = message.event.identity.includesFollowing
      guard targets.isEmpty || includesFollowing && range(at: occurrence) == nil else { continue }
      guard budget.spend(on: .comparisons) else {
        note(.tooMany, message)
        continue
      }
      let master = Target(draft: occurrence.draft)
      let model = range(over: occurrence) ?? master
      if [master, model].contains(where: { message.event.version.isOlder(than: event($0).version) })
      {
        note(.laterVersion, message)
      } else {
        if !search.finds(occurrence, in: drafts[occurrence.draft].master, &budget) {
          guard includesFollowing, let next = firstOccurrence(after: occurrence),
            range(at: next) == nil
          else {
            note(.missingOccurrence, message)
            continue
          }
          occurrence = next
        }
        note(.effective, message)
        let place = Place(occurrence: occurrence, includesFollowing: includesFollowing)
        if let other = found[place], !isPreferred(message.event, to: other.message) { continue }
        if found[place] == nil { order.append(place) }
        found[place] = CancelledOccurrence(
          occurrence: occurrence, message: message.event, model: model)
      }
    }
    var sizes: [Target: Int] = [:]
    for place in order {
      guard let cancelled = found[place] else { continue }
      let model = event(cancelled.model)
      let size = sizes[cancelled.model] ?? reading.copiedSize(of: model.reference)
      sizes[cancelled.model] = size
      let found = search.occurrence(
        cancelled.occurrence, in: drafts[cancelled.occurrence.draft].master,
        as: cancelled.model.override == nil ? nil : model, &budget)
      let needsTime =
        (cancelled.message.start ?? cancelled.occurrence.moment).isDate != model.start?.isDate
      let isComplete = !(needsTime && search.isExhausted) && budget.spend(size, on: .copies)
      let override = Self.override(
        cancelled.message, at: cancelled.occurrence.moment, of: model, found,
        isComplete: isComplete)
      _ = add(
        override, at: cancelled.occurrence,
        Derivation(
          base: cancelled.message.reference, completedBy: isComplete ? model.reference : nil,
          isCancelled: true))
    }
  }

  private mutating func cancel(_ targets: [Target], _ message: Message) {
    guard budget.spend(targets.count, on: .comparisons) else {
      note(.tooMany, message)
      return
    }
    for target in targets {
      let event = event(target)
      if message.event.version.isOlder(than: event.version) {
        note(.laterVersion, message)
        continue
      }
      note(.effective, message)
      if event.status == .cancelled { continue }
      change(target) { $0.status = .cancelled }
      derivations[event.reference, default: Derivation(base: event.reference)].isCancelled = true
    }
  }

  /// Of two equally new messages, any will do, but always the same.
  private func isPreferred(_ one: Event, to other: Event) -> Bool {
    let (left, right) = ((one.version, one.title), (other.version, other.title))
    if left != right { return left > right }
    let (first, second) = (reading.content(of: one), reading.content(of: other))
    return first == second ? one.reference < other.reference : first > second
  }

  private static func override(
    _ message: Event, at moment: EventTime, of model: Event, _ occurrence: Event?, isComplete: Bool
  ) -> Event {
    var event = message
    event.status = .cancelled
    if event.start == nil || event.start == event.identity.recurrenceID { event.start = moment }
    event.identity.recurrenceID = moment
    if isComplete { event.complete(from: model, occurrence) }
    return event
  }
}

/// The occurrences of series that messages name, as overrides. Each one needs a search in the rule of
/// its series.
private struct OccurrenceSearch {
  /// `nil` for those that their series does not have.
  private var known: [MessageEffects.NamedOccurrence: Event?] = [:]
  /// Whether the last occurrence was not searched for.
  private(set) var isExhausted = false

  /// Further occurrences than the budget allows are taken to exist.
  mutating func finds(
    _ occurrence: MessageEffects.NamedOccurrence, in series: Event, _ budget: inout WorkBudget
  ) -> Bool {
    guard series.repeats else { return series.hasOccurrence(at: occurrence.moment) }
    return self.occurrence(occurrence, in: series, as: nil, &budget) != nil || isExhausted
  }

  /// `nil` also for an occurrence that was not searched for. `model` is the override with RANGE that
  /// changes it.
  mutating func occurrence(
    _ occurrence: MessageEffects.NamedOccurrence, in series: Event, as model: Event?,
    _ budget: inout WorkBudget
  ) -> Event? {
    isExhausted = false
    if model == nil, let found = known[occurrence] { return found }
    guard budget.spend(on: .cancelledOccurrences) else {
      isExhausted = true
      return nil
    }
    let found = series.override(at: occurrence.moment, as: model)
    if model == nil { known[occurrence] = .some(found) }
    return found
  }
}
