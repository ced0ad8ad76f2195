internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

extension SeriesEditor.Member {
  /// The component with the zone of its calendar (X-WR-TIMEZONE) at each time that names no other
  /// one, for a copy in another calendar. `known` are the TZIDs that the calendar defines.
  func namingZone(
    _ zone: Zone, known: Set<String>, _ database: ZoneDatabase
  ) throws(WritingError) -> ComponentText {
    let names = ZoneNames(database: database)
    func isNamed(_ line: PropertyLine) -> Bool {
      line["TZID"].map { known.contains($0) || names.resolution(of: $0).zone != nil } ?? false
    }
    func isLocal(_ line: PropertyLine) -> Bool {
      line.value.contains(UInt8(ascii: "T")) && line.value.last != UInt8(ascii: "Z")
        && !isNamed(line)
    }
    func isInZone(_ time: EventTime?) -> Bool { time?.zone?.name == zone.name }
    var properties: [StaticString] = ["DTSTART", "DUE"]
    // Without a zone, all other times of a component are in that of its start.
    let start = text.own("DTSTART").first.map { PropertyLine($0.content) }
    if isInZone(event.start), start.map(isNamed) != true {
      properties += ["DTEND", "RDATE", "EXDATE"]
    }
    if isInZone(event.identity.recurrenceID) { properties.append("RECURRENCE-ID") }
    var edits: [PropertyEdit] = []
    for name in properties {
      let lines = text.own(name).map { PropertyLine($0.content) }
      guard lines.contains(where: isLocal) else { continue }
      let named = lines.map { line in
        guard isLocal(line) else { return line.content }
        var named = line
        named["TZID"] = zone.name
        return named.content
      }
      guard let edit = PropertyEdit("\(name)", lines: named) else {
        throw SeriesEditor.damaged("\(name)")
      }
      edits.append(edit)
    }
    if let edit = try ruleEnd(start: event.start) { edits.append(edit) }
    return ComponentText(text.applying(edits))
  }

  /// With a zone, UNTIL is in UTC (RFC 5545 3.3.10).
  private func ruleEnd(start: EventTime?) throws(WritingError) -> PropertyEdit? {
    let (lines, rules) = (text.own("RRULE"), event.recurrence?.rules ?? [])
    guard case .zoned(_, let zone) = start, let start, lines.count == rules.count else {
      return nil
    }
    guard rules.contains(where: { if case .local = $0.until { true } else { false } }) else {
      return nil
    }
    let changed = zip(lines, rules).map { line, rule in
      var changed = RuleLine(line.content)
      if let until = rule.until { changed.set("UNTIL", until.matching(start, viewer: zone).text) }
      return changed.line.content
    }
    guard let edit = PropertyEdit("RRULE", lines: changed) else {
      throw SeriesEditor.damaged("RRULE")
    }
    return edit
  }
}
