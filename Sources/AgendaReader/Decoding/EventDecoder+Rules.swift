internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

extension EventDecoder {
  /// Findings about the recurrence of a component that is not read as it is written. `hasMaster` is
  /// true if the file has a master with that UID.
  mutating func recurrenceFindings(
    at ordinal: Int, hasMaster: (UInt64) -> Bool
  ) -> [Finding] {
    let stub = file.stubs[ordinal]
    guard let event = event(at: ordinal), event.recurrence != nil else { return [] }
    let midnights = midnightFindings()
    return midnights + recurrenceFindings(of: event, stub, hasMaster: hasMaster)
  }

  private mutating func midnightFindings() -> [Finding] {
    for (line, isRead) in midnights.sorted(by: { $0.key < $1.key }) {
      placements.findings.report(.atMidnight(isRead: isRead), slots.exceptionDates[line])
    }
    return placements.findings.all.suffix(midnights.count)
  }

  private mutating func recurrenceFindings(
    of event: Event, _ stub: ComponentStub, hasMaster: (UInt64) -> Bool
  ) -> [Finding] {
    if stub.isOverride, let slot = slots.rules.first ?? slots.dates.first {
      placements.findings.report(
        hasMaster(stub.uidDigest) ? .ruleInOverride : .ruleWithoutSeries, slot)
    } else if !event.repeats, let slot = slots.exceptionDates.first, isExcluded(event) {
      placements.findings.report(.excludedStart(stub.kind), slot)
    } else {
      return ruleFindings(of: event)
    }
    return placements.findings.all.suffix(1)
  }

  private func isExcluded(_ event: Event) -> Bool {
    let allTime = Zone.utc.startOfDay(.first)..<Zone.utc.startOfDay(.afterLast)
    var occurrences = Series(event).occurrences(
      touching: allTime, viewer: .utc, includingCancelled: true)
    return occurrences.next() == nil
  }

  /// A rule that ends before the series begins has no occurrences.
  private mutating func ruleFindings(of event: Event) -> [Finding] {
    guard let firstSlot = slots.rules.first, let start = event.start,
      let rules = event.recurrence?.rules
    else { return [] }
    let ended = rules.indices.filter {
      // To expand a rule with COUNT takes long.
      rules[$0].until != nil && RuleExpansion(rules[$0], start: start).endsBeforeStart
    }
    guard let first = ended.first else { return [] }
    // An invalid rule has a line, but is not among the rules.
    let slot = slots.rules.count == rules.count ? slots.rules[first] : firstSlot
    let hasDates = event.recurrence?.dates.isEmpty == false
    placements.findings.report(
      .untilBeforeStart(
        ended.count < rules.count
          ? "this rule has no occurrences"
          : hasDates ? "only the dates of RDATE are shown" : "no occurrences shown"), slot)
    return placements.findings.all.suffix(1)
  }

  /// Notes about rules that may not mean what their author intended: DTSTART is an occurrence even if
  /// no rule matches it, and it is the only one if the rules match nothing.
  mutating func ruleNotes(at ordinal: Int) -> [Finding] {
    // The rule of an override has a finding of its own.
    guard !file.stubs[ordinal].isOverride, let (slot, start, rules) = series(at: ordinal) else {
      return []
    }
    let expansions = rules.map {
      RuleExpansion($0.withoutCount, start: start, givesStart: false)
    }
    if expansions.allSatisfy(\.endsBeforeStart) { return [] }
    var isEmpty = true
    for expansion in expansions {
      guard let first = expansion.first(where: { _ in true }) else { continue }
      if first == start.civil { return [] }
      isEmpty = false
    }
    placements.findings.report(.ruleWithoutStart(isEmpty: isEmpty), slot)
    return placements.findings.all.suffix(1)
  }

  private mutating func series(
    at ordinal: Int
  ) -> (slot: PropertySlot, start: EventTime, rules: [Rule])? {
    readSlots(file.stubs[ordinal])
    guard let slot = slots.rules.first, let event = event(at: ordinal), let start = event.start,
      let rules = event.recurrence?.rules, !rules.isEmpty
    else { return nil }
    return (slot, start, rules)
  }
}

extension Rule {
  /// Without COUNT the first occurrence is the same, and the last one need not be computed.
  fileprivate var withoutCount: Rule {
    guard count != nil else { return self }
    let numbers = NumberPart.allCases.map { ($0, self[$0]) }
    let rule = try? Rule(
      frequency, interval: interval, until: until, byDay: byDay,
      Dictionary(uniqueKeysWithValues: numbers), weekStart: weekStart, skip: skip,
      calendar: calendar, byLeapMonth: byLeapMonth)
    return rule ?? self
  }
}
