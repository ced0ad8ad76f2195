internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence
internal import Synchronization

/// The zones that a source names, each resolved once: by its name, otherwise by the VTIMEZONEs of
/// its VCALENDAR, otherwise by those of the whole source. Those of stored components are resolved when
/// they are needed, because no pass over the components has collected their names.
struct SourceZones: Sendable {
  fileprivate struct Key: Hashable {
    var name: String
    var calendar: Int
  }

  private var zones: [Key: Zone] = [:]
  private var floating: [Int: Zone] = [:]
  private(set) var findings: [Finding] = []
  let names: ZoneNames
  private let stored: StoredZones?

  init(_ scan: ScanResult, of bytes: Bytes, names: ZoneNames, isStored: Bool = false) {
    self.names = names
    stored = isStored ? StoredZones() : nil
    var book = ZoneBook(scan.others, of: bytes, names: names)
    var indexOfFinding: [[Sentence]: Int] = [:]
    var unknown: Set<Int> = []
    for (number, calendar) in scan.calendars.enumerated() {
      let oldZone = VCalendarZone(of: calendar, names: names)
      floating[number] = oldZone.zone
      findings += oldZone.findings
      guard let (name, line) = calendar.zoneName else { continue }
      let resolution = book.resolution(of: name, inCalendar: number)
      floating[number] = resolution.zone
      if resolution.zone == nil {
        findings.append(
          .unknownCalendarZone(name).at(
            line: line, component: "VCALENDAR", property: "X-WR-TIMEZONE"))
      }
    }
    for entry in scan.zones.entries {
      let resolution = book.resolution(of: entry.name, inCalendar: entry.calendar)
      zones[Key(name: entry.name, calendar: entry.calendar)] = resolution.zone
      guard resolution.needsMention else { continue }
      let other = entry.otherName.flatMap { name in
        book.resolution(of: name, inCalendar: entry.calendar).zone
      }
      let finding = Self.finding(
        entry, resolution, isNearKnown: other != nil, floating[entry.calendar])
      let words = [finding.messageText, finding.actionText]
      if let index = indexOfFinding[words] {
        findings[index].count += entry.uses
      } else {
        indexOfFinding[words] = findings.count
        if resolution.source == .unresolved { unknown.insert(findings.count) }
        findings.append(finding)
      }
    }
    summarize(unknown)
    findings += book.findings
  }

  /// If there are more unknown names, they become one finding.
  private static let mostUnknownNames = 5

  /// `indexes` are those of the findings about unknown names.
  private mutating func summarize(_ indexes: Set<Int>) {
    let unknown = indexes.map { findings[$0] }.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    guard unknown.count > Self.mostUnknownNames, var summary = unknown.first else { return }
    summary.addOtherZones(unknown.count - 1)
    summary.count = unknown.reduce(0) { $0 + $1.count }
    summary.laterLines = Array(unknown.flatMap(\.lines).sorted().dropFirst().prefix(9))
    findings = findings.indices.filter { !indexes.contains($0) }.map { findings[$0] } + [summary]
  }

  /// `file` is the one whose zones these are.
  func zone(named name: String, inCalendar calendar: Int, of file: CalendarFile) -> Zone? {
    let key = Key(name: name, calendar: calendar)
    guard let stored else { return zones[key] }
    return stored.zone(key) {
      var book = ZoneBook(file.others, of: file.text.bytes.bytes, names: names)
      return book.resolution(of: name, inCalendar: calendar).zone
    }
  }

  /// The names of zones that the components of each calendar have, in lower case.
  var namesByCalendar: [Int: Set<String>] {
    zones.keys.reduce(into: [:]) { $0[$1.calendar, default: []].insert($1.name.lowercased()) }
  }

  /// The zone of the only definition that counts for a VCALENDAR; `nil` if there are several.
  func onlyDefined(inCalendar calendar: Int, of file: CalendarFile) -> Zone? {
    guard let name = file.onlyDefinition(ofCalendar: calendar) else { return nil }
    if let zone = zone(named: name, inCalendar: calendar, of: file) { return zone }
    var book = ZoneBook(file.others, of: file.text.bytes.bytes, names: names)
    return book.resolution(of: name, inCalendar: calendar).zone
  }

  /// The zone of the calendar's floating times; `nil` for the zone of the viewer.
  func floating(inCalendar calendar: Int) -> Zone? {
    floating[calendar]
  }

  /// One finding for a name, at its first use, because Outlook repeats the zone in every event.
  private static func finding(
    _ entry: ZoneNameTable.Entry, _ resolution: ZoneResolution, isNearKnown: Bool,
    _ floating: Zone?
  ) -> Finding {
    let longest = 128
    let name = entry.name.count > longest ? entry.name.prefix(longest) + "…" : entry.name
    var finding: Finding =
      switch (resolution.source, resolution.zone) {
      case (.definition, _): .zoneOfDefinition(name)
      case (_, let zone?): .zone(name, readAs: zone)
      case (_, nil):
        .unknownZone(
          name, uses: entry.uses, inOtherZone: isNearKnown ? entry.usesNearOther : 0,
          floating: floating)
      }
    finding = finding.at(
      line: entry.line, place: entry.place, component: entry.component, uid: entry.uid,
      property: entry.property)
    finding.severity = resolution.isDoubtful ? .warning : .note
    finding.laterLines = entry.laterLines
    finding.count = entry.uses
    return finding
  }
}

/// The zones of stored components that were needed.
private final class StoredZones: Sendable {
  private let known = Mutex<[SourceZones.Key: Zone?]>([:])

  func zone(_ key: SourceZones.Key, _ resolve: () -> Zone?) -> Zone? {
    known.withLock { known in
      if let zone = known[key] { return zone }
      let zone = resolve()
      known.updateValue(zone, forKey: key)
      return zone
    }
  }
}

/// The meaning of the zone names of a source. Its VTIMEZONEs are read only if a name alone does not
/// identify a zone.
private struct ZoneBook {
  private let names: ZoneNames
  private let others: [OtherComponent]
  private let bytes: Bytes
  /// The VTIMEZONEs by TZID, once one was needed: those of each VCALENDAR, those of the whole
  /// source, and the latter by their TZIDs in lower case.
  private var definitions: Definitions?
  /// The VTIMEZONEs that were compared with the one that is used for their TZID.
  private var compared: Set<Int> = []
  private(set) var findings: [Finding] = []
  /// What the VTIMEZONEs that were read mean, by their numbers.
  private var resolved: [Int: ZoneResolution] = [:]
  private var unknownCount = 0

  /// An unknown name is searched for in every table. A source with more unknown names is meant to
  /// take time.
  private static let mostUnknownNames = 1000
  /// Real sources repeat a definition, but have few that differ.
  private static let mostDifferentDefinitions = 10

  private struct Definitions {
    var byCalendar: [SourceZones.Key: [Int]] = [:]
    var all: [String: [Int]] = [:]
    var ignoringCase: [String: [Int]] = [:]

    func numbers(of name: String, inCalendar calendar: Int) -> [Int]? {
      byCalendar[SourceZones.Key(name: name, calendar: calendar)] ?? all[name]
        ?? ignoringCase[name.lowercased()]
    }
  }

  /// `others` are the VTIMEZONEs and other components of the source.
  init(_ others: [OtherComponent], of bytes: Bytes, names: ZoneNames) {
    self.others = others
    self.bytes = bytes
    self.names = names
  }

  mutating func resolution(of name: String, inCalendar calendar: Int) -> ZoneResolution {
    guard unknownCount < Self.mostUnknownNames else { return .unresolved }
    let byName = names.resolution(of: name)
    if byName.zone != nil, !names.yieldsToDefinition(name) { return byName }
    if byName.zone == nil { unknownCount += 1 }
    if definitions == nil { definitions = Self.definitions(others, bytes) }
    guard let numbers = definitions?.numbers(of: name, inCalendar: calendar),
      let number = numbers.first
    else { return byName }
    // Most names have the letter case of their definition.
    if let known = resolved[number] { return known }
    let component = others[number]
    let text = ZoneDefinitionText(component, of: bytes)
    let (zone, problems) = text.definition.zone()
    let resolution = resolution(of: name, text, zone)
    resolved[number] = resolution
    if let zone = resolution.zone {
      compare(text, zone, component, name, with: numbers.dropFirst())
    }
    if resolution.source == .definition || resolution.zone == nil {
      findings += text.faults
      for problem in problems {
        findings.append(
          .zoneDefinition(problem, isUsable: zone != nil).at(
            line: component.line, component: "VTIMEZONE"))
      }
    }
    return resolution
  }

  /// The zone of a name that means nothing alone, or another zone if its VTIMEZONE says so: by
  /// X-LIC-LOCATION, otherwise by the rules. A name such as `GMT` yields only to daylight time.
  private func resolution(
    of name: String, _ text: ZoneDefinitionText, _ zone: Zone?
  ) -> ZoneResolution {
    let isOfFixedTime = names.isOfFixedTime(name)
    if let location = text.location, !isOfFixedTime || !names.isOfFixedTime(location),
      let zone = names.resolution(of: location).zone
    {
      return ZoneResolution(zone: zone, source: .otherName)
    }
    if let zone, !isOfFixedTime || zone.hasDaylight {
      return ZoneResolution(zone: zone, source: .definition)
    }
    return names.resolution(of: name)
  }

  /// Reports the other definitions of a name if their clocks differ from those of the one in use.
  private mutating func compare(
    _ text: ZoneDefinitionText, _ zone: Zone, _ used: OtherComponent, _ name: String,
    with numbers: ArraySlice<Int>
  ) {
    var count = 0
    for number in numbers where compared.insert(number).inserted {
      let component = others[number]
      let other = ZoneDefinitionText(component, of: bytes)
      if other.definition == text.definition, other.location == text.location { continue }
      count += 1
      guard count <= Self.mostDifferentDefinitions else { return }
      guard let otherZone = resolution(of: name, other, other.definition.zone().zone).zone,
        !otherZone.hasSameClocks(as: zone)
      else { continue }
      findings.append(
        .otherZoneDefinition(String(name.prefix(128)), usedLine: used.line).at(
          line: component.line, component: "VTIMEZONE", property: "TZID"))
    }
  }

  private static func definitions(
    _ others: [OtherComponent], _ bytes: Bytes
  ) -> Definitions {
    var found = Definitions()
    for (number, component) in others.enumerated() where component.name == "VTIMEZONE" {
      guard let name = ZoneDefinitionText.identifier(component, of: bytes) else { continue }
      found.byCalendar[SourceZones.Key(name: name, calendar: component.calendar), default: []]
        .append(number)
      found.all[name, default: []].append(number)
      found.ignoringCase[name.lowercased(), default: []].append(number)
    }
    return found
  }
}
