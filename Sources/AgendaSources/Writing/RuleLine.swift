internal import AgendaCore
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

  /// The rule, as a series with it has it; `nil` if it cannot be read.
  func rule(of series: Event) -> Rule? {
    let rule = try? Rule(parsing: line.value)
    return series.start?.isDate == true ? rule?.ofWholeDays(onClockOf: series.dayZone) : rule
  }

  /// Sets the end of the rule of a series, instead of its previous UNTIL or COUNT.
  mutating func end(until: Rule.Until, of series: Event, _ startLine: PropertyLine?) {
    var rest = parts.filter { $0.name != "UNTIL" && $0.name != "COUNT" }
    rest.append(("UNTIL", Self.text(until, of: series, startLine)))
    parts = rest
  }

  /// UNTIL in the form of DTSTART (RFC 5545 3.3.10). Of whole days that are written as midnights, it is a
  /// midnight in UTC.
  private static func text(
    _ until: Rule.Until, of series: Event, _ startLine: PropertyLine?
  ) -> String {
    guard case .date(let date) = until, series.start?.isDate == true, let startLine,
      startLine.hasTimes
    else { return until.text }
    let midnight = CivilDateTime(date, .midnight)
    let isUTC = startLine.value.last == UInt8(ascii: "Z")
    guard let zone = isUTC ? .utc : series.dayZone else { return TimeLine.text(midnight) }
    return TimeLine.value(.utc(zone.instant(of: midnight).utc))
  }

  mutating func set(_ name: String, _ value: String) {
    guard let index = parts.firstIndex(where: { $0.name == name }) else { return }
    parts[index].value = value
  }

  /// Moves UNTIL.
  mutating func moveEnd(
    of rule: Rule, _ shift: TimeShift, in series: Event, _ startLine: PropertyLine?
  ) {
    guard let until = rule.until, let moved = shift.moved(until) else { return }
    set(
      "UNTIL",
      shift.changesForm
        ? moved.matching(shift.to, viewer: shift.viewer).text
        : Self.text(moved, of: series, startLine))
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
