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

extension ComponentText {
  /// The text of a series without the occurrences that the user hides: messages made `new` of `old`.
  func changing(_ old: Event, to new: Event, _ zones: ZoneDatabase) -> [UInt8] {
    guard let start = old.start, let recurrence = new.recurrence, recurrence != old.recurrence
    else { return bytes }
    let before = old.recurrence ?? Event.Recurrence()
    let rules = own("RRULE")
    var edits: [PropertyEdit?] = []
    if rules.count == before.rules.count, before.rules != recurrence.rules {
      let ends = zip(before.rules, recurrence.rules).map { $0 == $1 ? nil : $1.until }
      let lines = zip(rules, zip(before.rules, ends)).map { line, rule in
        guard let until = rule.1, !rule.0.ends(by: until, from: start) else { return line.content }
        var changed = RuleLine(line.content)
        changed.end(until: until, of: old, startLine)
        return changed.line.content
      }
      edits.append(PropertyEdit("RRULE", lines: lines))
    }
    if before.dates != recurrence.dates {
      let lines = own("RDATE").compactMap { line -> [UInt8]? in
        guard let dates = try? DateList(line.content, of: old, startLine: startLine, zones: zones)
        else { return line.content }
        return dates.filtered { date in
          recurrence.dates.contains { $0.start.isSameStart(as: date, viewer: .utc) }
        }?.content
      }
      edits.append(PropertyEdit("RDATE", lines: lines))
    }
    let known = Set(before.exceptionDates)
    let added = recurrence.exceptionDates.filter { !known.contains($0) }.map {
      TimeLine.line("EXDATE", $0.onClock(of: start), replacing: startLine, at: start)
    }
    if !added.isEmpty {
      let lines = own("EXDATE").map(\.content) + added.map(\.content)
      edits.append(PropertyEdit("EXDATE", lines: lines))
    }
    return applying(edits.compactMap(\.self))
  }
}

extension Rule {
  /// Whether it has no dates after an end: a COUNT or UNTIL of its own comes first.
  fileprivate func ends(by end: Until, from start: EventTime) -> Bool {
    let next: EventTime? =
      switch end {
      case .date(let date): date.adding(days: 1).map { .date($0) }
      case .local(let civil):
        CivilDateTime(civilSeconds: civil.civilSeconds + 1).map { start.at($0) }
      case .utc(let civil): CivilDateTime(civilSeconds: civil.civilSeconds + 1).map { .utc($0) }
      }
    guard let next else { return true }
    return times(from: start, since: next, viewer: .utc, atMost: 1).isEmpty
  }
}

extension EventTime {
  /// A time in the form of the start of its series. Without a zone, it is on the clock of the series.
  fileprivate func onClock(of start: EventTime) -> EventTime {
    if case .floating(let civil) = self { return start.at(civil) }
    return converted(like: start, viewer: .utc)
  }
}
