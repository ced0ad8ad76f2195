internal import CivilTime
internal import Recurrence

/// What the user hides: an event, one of its occurrences, or an occurrence and all that follow. It stays
/// hidden in all later versions. If several different events have the UID, DTSTART names the event, and
/// of those that begin at the same time SUMMARY.
extension MessageEffects {
  /// What is left out once all messages are known.
  private struct Left {
    var drafts: Set<Int> = []
    var overrides: Set<Target> = []
    /// By draft.
    var moments: [Int: [EventTime]] = [:]
    /// The first moments that are hidden with all that follow.
    var ends: [Int: EventTime] = [:]
  }

  mutating func hide(_ messages: [Message]) {
    if messages.isEmpty { return }
    var left = Left()
    for message in messages {
      let isEffective =
        if message.event.identity.recurrenceID == nil {
          hideWhole(message, &left)
        } else {
          hideOccurrence(message, &left)
        }
      if let isEffective { note(isEffective ? .effective : .missingOccurrence, message) }
    }
    for (draft, moments) in left.moments {
      left.overrides.formUnion(exclude(moments, of: draft))
    }
    for (draft, moment) in left.ends { drafts[draft].master.end(before: moment) }
    for draft in left.drafts {
      left.overrides.formUnion(
        drafts[draft].overrides.indices.map { Target(draft: draft, override: $0) })
    }
    for target in left.drafts.map({ Target(draft: $0) }) + left.overrides {
      let reference = event(target).reference
      if derivations[reference]?.isMade(for: reference) != true { hidden.insert(reference) }
      derivations[reference] = nil
    }
    remove(drafts: left.drafts, overrides: left.overrides)
  }

  /// `nil` if the event is missing.
  private func hideWhole(_ message: Message, _ left: inout Left) -> Bool? {
    let masters = self.masters
    var chosen = masters
    if masters.count > 1 {
      chosen = named(by: message.event, of: masters)
    } else {
      chosen += drafts.indices.filter { drafts[$0].isAlone }
    }
    left.drafts.formUnion(chosen)
    return chosen.isEmpty ? nil : true
  }

  private var masters: [Int] { drafts.indices.filter { !drafts[$0].isAlone } }

  private func named(by message: Event, of masters: [Int]) -> [Int] {
    let start = message.start.map(ComparedStart.init)
    let same = masters.filter { drafts[$0].master.start.map(ComparedStart.init) == start }
    return same.count > 1 ? same.filter { drafts[$0].master.title == message.title } : same
  }

  /// `nil` if the event is missing.
  private mutating func hideOccurrence(_ message: Message, _ left: inout Left) -> Bool? {
    guard let moment = message.event.identity.recurrenceID else { return nil }
    let alone = overridesAlone(namedBy: message.event)
    left.drafts.formUnion(alone.map(\.draft))
    if !alone.isEmpty { return true }
    let masters = self.masters
    if masters.isEmpty { return nil }
    let named = masters.compactMap { draft -> NamedOccurrence? in
      occurrence(at: moment, of: draft).flatMap { has($0) ? $0 : nil }
    }
    guard let occurrence = named.count > 1 ? chosen(message.event, of: named) : named.first else {
      return false
    }
    let draft = occurrence.draft
    let master = drafts[draft].master
    if message.event.identity.includesFollowing {
      hideFollowing(occurrence, &left)
    } else if !master.repeats, drafts[draft].overrides.isEmpty,
      master.hasOccurrence(at: occurrence.moment)
    {
      left.drafts.insert(draft)
    } else {
      if let single = single(at: occurrence) { left.overrides.insert(single) }
      left.moments[draft, default: []].append(occurrence.moment)
    }
    return true
  }

  private mutating func has(_ occurrence: NamedOccurrence) -> Bool {
    if single(at: occurrence) != nil || range(at: occurrence) != nil { return true }
    let master = drafts[occurrence.draft].master
    // Without a check, an occurrence is taken to exist: an exclusion without one does no harm.
    guard budget.spend(master.costOfCheck, on: .ruleChecks) else { return true }
    return master.hasOccurrence(at: occurrence.moment)
  }

  /// Of events that have an occurrence at the same time, the one with the title of the message,
  /// otherwise the one to which an override would belong.
  private mutating func chosen(
    _ message: Event, of named: [NamedOccurrence]
  ) -> NamedOccurrence? {
    let titled = named.filter { occurrence in
      let target = single(at: occurrence) ?? Target(draft: occurrence.draft)
      return event(target).title == message.title
    }
    if titled.count == 1 { return titled.first }
    let owner = self.occurrence(namedBy: message)?.draft
    return (titled.isEmpty ? named : titled).first { $0.draft == owner } ?? named.first
  }

  private func hideFollowing(_ occurrence: NamedOccurrence, _ left: inout Left) {
    let draft = occurrence.draft
    guard let start = drafts[draft].master.start else { return }
    let matcher = TimeMatcher(start: start, viewer: .utc)
    let first = matcher.key(occurrence.moment)
    let hidden = drafts[draft].overrides.indices.filter { number in
      guard let moment = drafts[draft].overrides[number].identity.recurrenceID else { return true }
      // A date names the occurrence at any time of it.
      let isDay = moment.isDate && !matcher.isDate
      return matcher.key(moment) + (isDay ? TimeOfDay.secondsPerCivilDay - 1 : 0) >= first
    }
    if matcher.key(start) >= first, hidden.count == drafts[draft].overrides.count {
      left.drafts.insert(draft)
      return
    }
    left.overrides.formUnion(hidden.map { Target(draft: draft, override: $0) })
    if let other = left.ends[draft], matcher.key(other) <= first { return }
    left.ends[draft] = occurrence.moment
  }

  /// Excludes occurrences. If one is the first that an override with RANGE changes, that override begins
  /// at the next one.
  ///
  /// - Returns: the overrides that change nothing any more.
  private mutating func exclude(_ moments: [EventTime], of draft: Int) -> [Target] {
    var recurrence = drafts[draft].master.recurrence ?? Event.Recurrence()
    recurrence.exceptionDates += moments
    drafts[draft].master.recurrence = recurrence
    guard let start = drafts[draft].master.start else { return [] }
    let matcher = TimeMatcher(start: start, viewer: .utc)
    let excluded = Set(moments.map(matcher.key))
    var empty: [Target] = []
    let ranges = drafts[draft].overrides.filter(\.identity.includesFollowing)
      .compactMap { $0.identity.recurrenceID.map(matcher.key) }
    for (number, override) in drafts[draft].overrides.enumerated()
    where override.identity.includesFollowing {
      guard let first = override.identity.recurrenceID, excluded.contains(matcher.key(first)) else {
        continue
      }
      let end = ranges.filter { $0 > matcher.key(first) }.min() ?? .max
      if let moved = drafts[draft].master.following(override, after: first),
        let next = moved.identity.recurrenceID, matcher.key(next) < end
      {
        drafts[draft].overrides[number] = moved
      } else {
        empty.append(Target(draft: draft, override: number))
      }
    }
    return empty
  }
}

extension Event {
  /// Ends a series before a moment.
  fileprivate mutating func end(before moment: EventTime) {
    guard let start else { return }
    var recurrence = recurrence ?? Event.Recurrence()
    let matcher = TimeMatcher(start: start, viewer: .utc)
    let isOnly = recurrence.rules.count == 1 && recurrence.dates.isEmpty
    let isOccurrence = isOnly && hasOccurrence(at: moment)
    recurrence.rules = recurrence.rules.map {
      $0.ending(before: moment, isOccurrence: isOccurrence)
    }
    recurrence.dates.removeAll { matcher.key($0.start) >= matcher.key(moment) }
    if matcher.key(start) >= matcher.key(moment) { recurrence.exceptionDates.append(start) }
    self.recurrence = recurrence
  }

  /// An override with RANGE, from the next occurrence of its series on; `nil` if there is none.
  fileprivate func following(_ range: Event, after moment: EventTime) -> Event? {
    occurrence(after: moment).flatMap { self.range(at: $0, as: range) }
  }
}
