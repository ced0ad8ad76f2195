import TestSupport
import Testing

@testable import AgendaCommands

/// Files that define zones with names of their own, in one export.
@Suite("zones of several files in one export")
struct ExportedZoneTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func file(
    _ uid: String, zone: String = "Custom", defining offset: String? = nil
  ) -> String {
    let definition = offset.map { zoneDefinition(zone, $0) + "\n" }
    return """
      BEGIN:VCALENDAR
      VERSION:2.0
      \(definition ?? "")BEGIN:VEVENT
      UID:\(uid)
      DTSTAMP:20261101T000000Z
      DTSTART;TZID=\(zone):20261201T100000
      DTEND;TZID=\(zone):20261201T110000
      SUMMARY:\(uid)
      END:VEVENT
      END:VCALENDAR

      """
  }

  /// The start and title of each event. The unknown zone is the viewer's, in Berlin.
  private func shown(_ arguments: [String]) -> [String] {
    fixture.rows(["show", "--from", "2026-12-01"] + arguments).map {
      "\($0["start"]?.dropFirst(11).prefix(5) ?? "") \($0["title"] ?? "")"
    }
  }

  @Test("an undefined zone does not become the zone of that name that another file defines")
  func undefined() throws {
    try fixture.write("folder/a.ics", file("undefined"))
    try fixture.write("folder/b.ics", file("east", defining: "+0500"))
    // Letter case makes no difference between names, and this name is taken too.
    try fixture.write("folder/c.ics", file("other", zone: "CUSTOM (undefined)", defining: "+0300"))
    // Within one file, a definition in another VCALENDAR counts.
    try fixture.write(
      "folder/d.ics", file("first", zone: "Two") + file("second", zone: "Two", defining: "+0200"))
    let folder = fixture.path("folder")
    let expected = ["06:00 east", "08:00 other", "09:00 first", "09:00 second", "10:00 undefined"]
    #expect(shown([folder]) == expected)
    let store = ["--store", fixture.path("zones.sqlite")]
    _ = fixture.run(["import", folder] + store, isPinned: false)
    #expect(shown(store) == expected)
    let exported = fixture.run(["export"] + store, isPinned: false).output
    #expect(exported.contains("DTSTART;TZID=Custom:20261201T100000"))
    #expect(exported.contains("DTSTART;TZID=Custom (undefined) (undefined):20261201T100000"))
    try fixture.write("exported.ics", exported)
    let file = fixture.path("exported.ics")
    #expect(shown([file]) == expected)
    let other = ["--store", fixture.path("other.sqlite")]
    _ = fixture.run(["import", file] + other, isPinned: false)
    #expect(shown(other) == expected)
    #expect(fixture.run(["export"] + other, isPinned: false).output == exported)
  }
}
