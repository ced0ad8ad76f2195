internal import AgendaCore
internal import Recurrence

extension EventDecoder {
  /// What a component's rules say otherwise than whoever wrote them may have meant: DTSTART is an
  /// occurrence also where no rule gives it, and the only one where they give none.
  mutating func ruleFindings(at ordinal: Int) -> [Finding] {
    guard let event = event(at: ordinal), let start = event.start,
      let rules = event.recurrence?.rules, let slot = slots.rules.first
    else { return [] }
    var isEmpty = true
    for rule in rules {
      guard
        let first = RuleExpansion(rule, start: start, givesStart: false).first(where: { _ in true })
      else { continue }
      if first == start.civil { return [] }
      isEmpty = false
    }
    guard !rules.isEmpty else { return [] }
    placements.findings.report(
      .warning, slot, nil,
      isEmpty ? "gives no occurrence" : "does not give DTSTART",
      action: isEmpty ? "DTSTART is the only one" : "DTSTART is one all the same")
    return placements.findings.all.suffix(1)
  }
}
