internal import AgendaReader
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Changes parts of an RRULE. The text of all other parts stays the same.
struct RuleLine {
  private(set) var line: PropertyLine
  private var parts: [(name: String, value: String)] {
    didSet {
      line.value = Array(parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";").utf8)
    }
  }

  init(_ content: [UInt8]) {
    line = PropertyLine(content)
    parts = String(decoding: line.value, as: UTF8.self).split(separator: ";").map { part in
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (halves[0].uppercased(), halves.count > 1 ? String(halves[1]) : "")
    }
  }

  /// Sets the end of the rule, instead of its previous UNTIL or COUNT.
  mutating func end(until: Rule.Until) {
    var rest = parts.filter { $0.name != "UNTIL" && $0.name != "COUNT" }
    rest.append(("UNTIL", until.text))
    parts = rest
  }

  mutating func set(_ name: String, _ value: String) {
    guard let index = parts.firstIndex(where: { $0.name == name }) else { return }
    parts[index].value = value
  }

  /// Moves UNTIL.
  mutating func moveEnd(of rule: Rule, _ shift: TimeShift) {
    guard let until = rule.until, let moved = shift.moved(until) else { return }
    let written = shift.changesForm ? moved.matching(shift.to, viewer: shift.viewer) : moved
    set("UNTIL", written.text)
  }

  func removing(_ name: String) -> RuleLine {
    var rest = self
    rest.parts = parts.filter { $0.name != name }
    return rest
  }

  /// Changes the parts in which a rule with the same parts differs from this one.
  mutating func change(_ rule: Rule, to changed: Rule) {
    for (old, new) in zip(rule.parts, changed.parts) where old != new { set(new.name, new.value) }
  }
}
