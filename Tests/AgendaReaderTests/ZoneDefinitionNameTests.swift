import AgendaCore
import AgendaReader
import CivilTime
import Testing

/// Which zone a TZID means if the file has a VTIMEZONE of that name.
@Suite struct ZoneDefinitionNameTests {
  private static let standard = """
    BEGIN:STANDARD
    DTSTART:19701025T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0105
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    END:STANDARD

    """
  private static let daylight = """
    BEGIN:DAYLIGHT
    DTSTART:19700329T020000
    TZOFFSETFROM:+0105
    TZOFFSETTO:+0200
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    END:DAYLIGHT

    """

  private func read(_ name: String, _ definitions: String) throws -> CalendarFile {
    let event = "BEGIN:VEVENT\nUID:a\nDTSTART;TZID=\"\(name)\":20260706T090000\nEND:VEVENT\n"
    let text = "BEGIN:VCALENDAR\n\(event)\(definitions)END:VCALENDAR\n"
    return try CalendarReader(zones: .system(TZDIR: nil)).read(
      SourceBytes(Array(text.utf8)), name: "file")
  }

  private func definition(_ name: String, _ location: String?, _ observances: String) -> String {
    let location = location.map { "X-LIC-LOCATION:\($0)\n" } ?? ""
    return "BEGIN:VTIMEZONE\nTZID:\(name)\n\(location)\(observances)END:VTIMEZONE\n"
  }

  // Checks Decisions: Time zones/7
  @Test(
    "a VTIMEZONE counts only where its name says nothing, and X-LIC-LOCATION counts before its rules",
    arguments: [
      ("Europe/Berlin", "Asia/Tokyo", "Europe/Berlin", 0),
      ("W. Europe Standard Time", nil, "Europe/Berlin", 1), ("Custom", nil, "Custom", 1),
      ("Located", "Asia/Tokyo", "Asia/Tokyo", 1), ("Badly located", "Nowhere", "Badly located", 1),
    ])
  func definitions(name: String, location: String?, zone: String, notes: Int) throws {
    let file = try read(name, definition(name, location, Self.standard + Self.daylight))
    let found = try #require(file.allEvents.first?.start?.zone)
    #expect(found.name == zone)
    #expect((found.origin == .definition) == (zone == name && notes == 1))
    #expect(file.findings.count { $0.property == "DTSTART" } == notes)
  }

  @Test("the first VTIMEZONE of a name counts, and an empty one gives floating times")
  func first() throws {
    let own = definition("Custom", nil, Self.standard)
    let twice = try read("Custom", own + definition("Custom", "Asia/Tokyo", Self.daylight))
    #expect(twice.allEvents.first?.start?.zone?.name == "Custom")
    for definitions in [definition("Custom", nil, ""), definition("Other", nil, Self.standard)] {
      let file = try read("Custom", definitions)
      let start = try #require(file.allEvents.first?.start)
      #expect(start.zone == nil && start.civil.time.hour == 9)
    }
  }

  // Checks Decisions: Deviations/17
  @Test(
    "a name without daylight time that is no place yields to a VTIMEZONE with daylight time",
    arguments: [
      ("GMT", true), ("est", true), ("MST", true), ("HST", true), ("UTC", true), ("Z", true),
      ("Etc/GMT+5", true), ("GMT+01:00", true), ("(UTC+01:00)", true), ("+0100", true),
      ("Greenwich", true), ("Europe/Moscow", false), ("Asia/Tokyo", false), ("Japan", false),
      ("Russian Standard Time", false), ("CET", false), ("Europe/London", false),
    ])
  func fixedName(_ name: String, yields: Bool) throws {
    let names = ZoneNames(database: .system(TZDIR: nil))
    let known = try #require(names.resolution(of: name).zone)
    let both = Self.standard + Self.daylight
    for (observances, location, expected, isOwn) in [
      (both, nil, name, true), (both, "GMT+1", name, true),
      (both, "Europe/Berlin", "Europe/Berlin", false), (Self.standard, nil, known.name, false),
    ] {
      let file = try read(name, definition(name, location, observances))
      let zone = try #require(file.allEvents.first?.start?.zone)
      #expect(zone.name == (yields ? expected : known.name), "\(location ?? "")")
      #expect((zone.origin == .definition) == (yields && isOwn), "\(location ?? "")")
    }
  }
}
