internal import AgendaCore
internal import CivilTime

/// The zones that a source names, each resolved once by the order of RFC and custom: tzdata,
/// Windows names, the source's own VTIMEZONE.
struct SourceZones: Sendable {
  private struct Key: Hashable {
    var name: String
    var calendar: Int
  }

  private var zones: [Key: Zone?] = [:]
  private var floating: [Int: Zone] = [:]
  private(set) var findings: [Finding] = []

  init(
    _ names: [ZoneNameTable.Entry], _ calendars: [ScannedCalendar], database: ZoneDatabase?
  ) {
    for entry in names {
      zones[Key(name: entry.name, calendar: entry.calendar)] = database?.zone(named: entry.name)
    }
    for (number, calendar) in calendars.enumerated() {
      if let name = calendar.zoneName { floating[number] = database?.zone(named: name.text) }
    }
  }

  func zone(named name: String, inCalendar calendar: Int) -> Zone? {
    zones[Key(name: name, calendar: calendar)] ?? nil
  }

  /// What the calendar's floating times are read in; `nil` for the zone of whoever looks.
  func floating(inCalendar calendar: Int) -> Zone? {
    floating[calendar]
  }
}
