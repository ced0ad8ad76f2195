internal import AgendaCore
internal import AgendaReader
internal import CivilTime
internal import ICalendar
internal import Recurrence

extension SeriesEditor.Member {
  /// The zone for times without a known TZID in its source: X-WR-TIMEZONE.
  func calendarZone(_ names: ZoneNames) -> Zone? {
    let times: [(name: StaticString, time: EventTime?)] = [
      ("DTSTART", event.start), ("DUE", event.due),
    ]
    for (property, time) in times {
      guard let line = text.own(property).first else { continue }
      guard case .zoned(_, let zone) = time else { return nil }
      guard let name = PropertyLine(line.content)["TZID"] else { return zone }
      return zone.origin == .definition || names.resolution(of: name).zone != nil ? nil : zone
    }
    return nil
  }

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
      let edit = try text.naming(name, where: isLocal) { line in
        var named = line
        named["TZID"] = zone.name
        return named.content
      }
      if let edit { edits.append(edit) }
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

extension [SeriesEditor.Member] {
  /// The components, where EXDATE, RDATE and RECURRENCE-ID without a zone name the one in which they
  /// are read: that of the series' DTSTART (RFC 5545 3.8.5.1).
  func namingZoneOfSeries() throws(WritingError) -> [SeriesEditor.Member] {
    guard
      let start = first(where: { $0.event.identity.recurrenceID == nil })?.text.own("DTSTART").first
    else { return self }
    let line = PropertyLine(start.content)
    let isUTC = line.value.last == UInt8(ascii: "Z")
    guard isUTC || line["TZID"] != nil else { return self }
    var members: [SeriesEditor.Member] = []
    for member in self {
      var edits: [PropertyEdit] = []
      for name: StaticString in ["EXDATE", "RDATE", "RECURRENCE-ID"] {
        let edit = try member.text.naming(name, where: \.isLocal) {
          $0.inZone(of: line, isUTC: isUTC)
        }
        if let edit { edits.append(edit) }
      }
      members.append(
        edits.isEmpty
          ? member
          : SeriesEditor.Member(
            id: member.id, event: member.event, text: member.text.applying(edits),
            isFromMessages: member.isFromMessages))
    }
    return members
  }
}

extension ComponentText {
  /// A property whose lines without a zone get the one that `named` adds; `nil` if all have a zone.
  fileprivate func naming(
    _ name: StaticString, where isLocal: (PropertyLine) -> Bool,
    _ named: (PropertyLine) -> [UInt8]
  ) throws(WritingError) -> PropertyEdit? {
    let lines = own(name).map { PropertyLine($0.content) }
    guard lines.contains(where: isLocal) else { return nil }
    let edit = PropertyEdit("\(name)", lines: lines.map { isLocal($0) ? named($0) : $0.content })
    guard let edit else { throw SeriesEditor.damaged("\(name)") }
    return edit
  }
}

extension PropertyLine {
  /// Whether all of its values are times without a zone.
  fileprivate var isLocal: Bool {
    self["TZID"] == nil
      && value.split(separator: UInt8(ascii: ",")).allSatisfy { time in
        time.contains(UInt8(ascii: "T")) && !time.contains(UInt8(ascii: "Z"))
      }
  }

  fileprivate func inZone(of start: PropertyLine, isUTC: Bool) -> [UInt8] {
    var named = self
    named["TZID"] = start["TZID"]
    guard isUTC else { return named.content }
    let times = value.split(separator: UInt8(ascii: ",")).map { period in
      period.split(separator: UInt8(ascii: "/"))
        .map { $0.first == UInt8(ascii: "P") ? Array($0) : Array($0) + [UInt8(ascii: "Z")] }
        .joined(separator: [UInt8(ascii: "/")])
    }.joined(separator: [UInt8(ascii: ",")])
    return content.dropLast(value.count) + Array(times)
  }
}
