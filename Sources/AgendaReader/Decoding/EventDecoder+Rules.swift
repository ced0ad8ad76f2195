internal import AgendaCore
internal import Recurrence

extension EventDecoder {
  /// What a component's rules say otherwise than whoever wrote them may have meant: DTSTART is an
  /// occurrence also where no rule gives it, and the only one where they give none.
  mutating func ruleFindings(at ordinal: Int) -> [Finding] {
    readSlots(file.stubs[ordinal])
    guard let slot = slots.rules.first, let event = event(at: ordinal), let start = event.start,
      let rules = event.recurrence?.rules, !rules.isEmpty
    else { return [] }
    if rules.allSatisfy({ RuleExpansion($0, start: start).endsBeforeStart }) {
      placements.findings.report(
        .warning, slot, nil, "UNTIL is before DTSTART", action: "no occurrences shown")
      return placements.findings.all.suffix(1)
    }
    var isEmpty = true
    for rule in rules {
      let expansion = RuleExpansion(rule.withoutCount, start: start, givesStart: false)
      guard let first = expansion.first(where: { _ in true }) else { continue }
      if first == start.civil { return [] }
      isEmpty = false
    }
    placements.findings.report(
      .warning, slot, nil,
      isEmpty ? "has no occurrences" : "has no occurrence on DTSTART",
      action: isEmpty ? "only DTSTART is shown" : "DTSTART is shown too")
    return placements.findings.all.suffix(1)
  }
}

extension Rule {
  /// The first occurrence is the same, and where the last one is need not be worked out.
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
