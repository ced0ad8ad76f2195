import AgendaCore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaSources

/// Exports, and what an import of them into an empty store makes.
@Suite("The export of a store")
struct ExportTests {
  private let session: ImportSession

  init() throws { session = try ImportSession() }

  /// The same export from a store that imported it.
  private func again(_ export: String) throws -> (export: String, counts: [String]) {
    let copy = try ImportSession()
    try copy.importing("copy.ics", export)
    return (try copy.export(), try copy.counts())
  }

  @Test(
    "the colour of a calendar comes back, wherever its source states it",
    arguments: ["#1a2b3c", "red"])
  func colors(color: String) throws {
    // The colour within a file is not that of its folder.
    try session.scratch.write(
      "vdir/a.ics",
      calendar(event("a", "DTSTART:20261123T090000Z"), properties: "COLOR:blue", "X-A:1"))
    try session.scratch.write("vdir/color", color + "\n")
    try session.importing(path: session.scratch.url.appendingPathComponent("vdir").path)
    try session.importing(
      "own.ics", calendar(event("b", "DTSTART:20261123T090000Z"), properties: "COLOR:blue"))
    let colors = ["vdir": color, "own": "blue"]
    #expect(try session.reader().store.calendarColors() == colors)
    let export = try session.export()
    let name = color == "red" ? "COLOR" : "X-APPLE-CALENDAR-COLOR"
    #expect(export.contains("\r\n\(name):\(color)\r\n") && export.contains("\r\nX-A:1\r\n"))
    let copy = try ImportSession()
    try copy.importing("copy.ics", export)
    #expect(try copy.reader().store.calendarColors() == colors)
    #expect(try copy.export() == export)
  }

  @Test("several calendars come back as several calendars")
  func calendars() throws {
    try session.importing(
      "work.ics", calendar(event("a", "DTSTART:20261123T090000Z")), calendar: "Work")
    try session.importing(
      "home.ics",
      calendar([event("a", "DTSTART:20261124T090000Z")], ["X-WR-CALNAME:House", "NAME:House"]),
      calendar: "Home, mine")
    let export = try session.export()
    #expect(export.contains("X-WR-CALNAME:Work\r\n"))
    #expect(export.contains("X-WR-CALNAME:Home\\, mine\r\nNAME:House\r\n"))
    let copy = try again(export)
    #expect(copy.export == export)
    #expect(
      copy.counts == [
        "Home, mine: 1 events, 0 tasks, 0 journals, 0 hidden",
        "Work: 1 events, 0 tasks, 0 journals, 0 hidden",
      ])
    #expect(try !session.export("Work").contains("Home"))
  }

  @Test("messages are applied to what they are about, and not exported themselves")
  func messages() throws {
    try session.importing(
      "work.ics",
      calendar(
        event(
          "a", "DTSTART:20261123T090000Z", "RRULE:FREQ=WEEKLY", "ORGANIZER:mailto:o@example.com",
          "ATTENDEE:mailto:bo@example.com"),
        event("b", "DTSTART:20261124T090000Z", "SUMMARY:Party")), calendar: "Work")
    try session.importing(
      "reply.ics",
      calendar(
        [event("a", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com")],
        ["METHOD:REPLY"]))
    try session.importing(
      "cancel.ics",
      calendar([event("b", "SEQUENCE:1")], ["METHOD:CANCEL"]))
    let export = try session.export()
    #expect(export.contains("ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com"))
    #expect(export.contains("STATUS:CANCELLED"))
    #expect(!export.contains("METHOD"))
    #expect(export.components(separatedBy: "BEGIN:VEVENT").count == 3)
    #expect(try again(export).export == export)
  }

  @Test("what METHOD:ADD adds becomes an override of its series")
  func addition() throws {
    try session.importing(
      "work.ics",
      calendar(event("a", "DTSTART:20261123T090000Z", "RRULE:FREQ=WEEKLY")), calendar: "Work")
    try session.importing(
      "add.ics",
      calendar([event("a", "SEQUENCE:1", "DTSTART:20261125T090000Z")], ["METHOD:ADD"]))
    let export = try session.export()
    #expect(export.contains("RECURRENCE-ID:20261125T090000Z"))
    #expect(try again(export).export == export)
  }

  // Checks Decisions: Importing/20
  @Test("vCalendar 1.0 becomes iCalendar 2.0, and means the same")
  func version1() throws {
    try session.importing(
      "phone.ics",
      """
      BEGIN:VCALENDAR
      VERSION:1.0
      TZ:+01
      DAYLIGHT:TRUE;+02;20260329T020000;20261025T030000;CET;CEST
      BEGIN:VEVENT
      UID:a
      SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:F=C3=BCr=
       alle
      DTSTART:20260706T090000
      DTEND:20260706T100000
      RRULE:W1 MO WE 20261001T000000
      EXDATE:20260708T090000;20260713T090000
      CATEGORIES:MEETING;PERSONAL
      DALARM:20260706T084500;PT5M;2;Go, now
      ATTENDEE;ROLE=ATTENDEE;STATUS=NEEDS ACTION;RSVP=YES:Bo Baker <bo@example.com>
      ATTACH;BASE64;TYPE=TEXT:aGVsbG8=
      TRANSP:1
      GEO:48.1;11.5
      X-OWN;ENCODING=QUOTED-PRINTABLE:a=3Bb
      END:VEVENT
      END:VCALENDAR

      """, calendar: "Phone")
    let export = try session.export()
    let lines = Set(export.replacing("\r\n ", with: "").components(separatedBy: "\r\n"))
    for line in [
      "VERSION:2.0", "TZID:+01/+02", "SUMMARY:Für alle", "DTSTART;TZID=+01/+02:20260706T090000",
      "RRULE:FREQ=WEEKLY;UNTIL=20260930T220000Z;BYDAY=MO,WE",
      "EXDATE;TZID=+01/+02:20260713T090000", "CATEGORIES:MEETING,PERSONAL", "BEGIN:VALARM",
      "ACTION:DISPLAY", "TRIGGER:-PT15M", "DURATION:PT5M", "REPEAT:2", "DESCRIPTION:Go\\, now",
      "ATTACH;X-TYPE=TEXT;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=", "TRANSP:TRANSPARENT",
      "GEO:48.1;11.5", "X-OWN:a\\;b",
      "ATTENDEE;CN=Bo Baker;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE"
        + ":mailto:bo@example.com",
    ] { #expect(lines.contains(line), "\(line) in \(export)") }
    #expect(!export.contains("DALARM") && !export.contains("DAYLIGHT:"))
    #expect(try again(export).export == export)
    let copy = try ImportSession()
    try copy.importing("copy.ics", export)
    func series(_ session: ImportSession) throws -> [Event] {
      let reader = try session.reader()
      return try reader.excerpt(ofUIDs: reader.store.uids(ofSource: 1)).assembly.series.map(
        \.master)
    }
    let (old, new) = (try series(session)[0], try series(copy)[0])
    #expect(old.start?.instant(for: .utc) == new.start?.instant(for: .utc))
    #expect(old.title == new.title && old.categories == new.categories)
    let (begin, end) = (
      Instant(secondsSinceEpoch: 1_780_000_000), Instant(secondsSinceEpoch: 1_800_000_000)
    )
    func begins(_ event: Event) -> [Instant] {
      Series(event).occurrences(touching: begin..<end, viewer: .utc).map(\.begin)
    }
    #expect(begins(old) == begins(new))
    #expect(begins(old).count > 10)
  }

  @Test("BEGIN and END lines lose what other readers do not expect there")
  func bareLines() throws {
    try session.importing(
      "blanks.ics",
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN: vevent \r\nUID:a\r\nDTSTART:20261123T090000Z\r\n"
        + "END:VEVENT\u{1}\r\nEND:VCALENDAR\r\n", calendar: "Work")
    let export = try session.export()
    #expect(export.contains("\r\nBEGIN:VEVENT\r\n"))
    #expect(export.contains("\r\nEND:VEVENT\r\n"))
  }

  // Checks RFC 5545: 3.6/7
  @Test("busy times, unknown components and lines of the calendar are kept")
  func otherParts() throws {
    let busy = "BEGIN:VFREEBUSY\nUID:f\nFREEBUSY:20261123T090000Z/PT1H\nEND:VFREEBUSY"
    let poll = "BEGIN:VPOLL\nUID:p\nEND:VPOLL"
    try session.importing(
      "work.ics", calendar([busy, poll, event("a", "DTSTART:20261123T090000Z")], ["X-A:1"]),
      calendar: "Work")
    let export = try session.export()
    for line in ["BEGIN:VFREEBUSY", "BEGIN:VPOLL", "X-A:1", "UID:a"] {
      #expect(export.contains("\(line)\r\n"), "\(line)")
    }
    #expect(try session.reader().countedCalendars()[0].freeBusy == 1)
    #expect(try again(export).export == export)
  }

  /// Imports a folder of a file for each text, and returns the VCALENDARs of its export.
  private func exported(_ texts: [String]) throws -> [String] {
    for (index, text) in texts.enumerated() {
      try session.scratch.write("Work/\(index).ics", text)
    }
    try session.importing(path: session.scratch.url.appendingPathComponent("Work").path)
    let export = try session.export()
    #expect(try again(export).export == export)
    return export.components(separatedBy: "BEGIN:VCALENDAR\r\n").dropFirst().map(\.self)
  }

  // Checks Decisions: Importing/20
  @Test("the files of a folder become one VCALENDAR, also if only some define zones")
  func joinedFiles() throws {
    let start = "DTSTART;TZID=Office:20261123T090000"
    let calendars = try exported([
      calendar([event("a", "DTSTART:20261123T090000Z")], ["X-A:1", "X-B:2"]),
      calendar([zoneDefinition("Office", "+0300"), event("b", start)], ["X-B:2", "X-A:1"]),
      calendar(
        [zoneDefinition("Office", "+0300"), zoneDefinition("Home", "+0100"), event("c", start)],
        ["X-A:1", "X-B:2"]),
    ])
    try #require(calendars.count == 1)
    for line in ["UID:a", "UID:b", "UID:c", "TZID:Home"] {
      #expect(calendars[0].contains("\(line)\r\n"), "\(line)")
    }
    #expect(calendars[0].components(separatedBy: "TZID:Office\r\n").count == 2)
  }

  @Test("files with other properties, or another zone of the same name, stay apart")
  func separateFiles() throws {
    let start = "DTSTART;TZID=Office:20261123T090000"
    let calendars = try exported([
      calendar([zoneDefinition("Office", "+0300"), event("a", start)]),
      calendar([zoneDefinition("Office", "+0400"), event("b", start)]),
      calendar([event("c", "DTSTART:20261123T090000Z")], ["X-A:1"]),
      // Nothing defines its zone. In one file with the others it would be in theirs.
      calendar([event("d", start)]),
      calendar([zoneDefinition("Office", "+0400"), event("e", start)]),
    ])
    try #require(calendars.count == 3)
    #expect(calendars[0].contains("UID:a\r\n") && calendars[0].contains("UID:d\r\n"))
    #expect(calendars[0].contains("DTSTART;TZID=Office (undefined):20261123T090000\r\n"))
    #expect(calendars[1].contains("UID:b\r\n") && calendars[1].contains("UID:e\r\n"))
    #expect(calendars[2].contains("UID:c\r\n"))
  }

  @Test("a file that has a zone from the system stays apart from another definition of this name")
  func systemZone() throws {
    let start = "DTSTART;TZID=Europe/Berlin:20261123T090000"
    let calendars = try exported([
      calendar([event("a", start)]),
      calendar([zoneDefinition("Europe/Berlin", "+0500"), event("b", start)]),
      calendar([event("c", "DTSTART:20261123T090000Z")]), calendar([event("d", start)]),
    ])
    try #require(calendars.count == 2)
    for uid in ["a", "c", "d"] { #expect(calendars[0].contains("UID:\(uid)\r\n")) }
    #expect(!calendars[0].contains("+0500") && calendars[1].contains("+0500"))
  }

  @Test("the other components of joined files are kept, equal ones once")
  func otherPartsOfJoinedFiles() throws {
    func poll(_ uid: String) -> String { "BEGIN:VPOLL\nUID:\(uid)\nEND:VPOLL" }
    let calendars = try exported([
      calendar([poll("p"), event("a", "DTSTART:20261123T090000Z")]),
      calendar([poll("q"), event("b", "DTSTART:20261123T090000Z")]),
      calendar([poll("p"), event("c", "DTSTART:20261123T090000Z")]),
    ])
    try #require(calendars.count == 1)
    #expect(calendars[0].components(separatedBy: "BEGIN:VPOLL").count == 3)
    #expect(calendars[0].contains("UID:p\r\n") && calendars[0].contains("UID:q\r\n"))
  }

  @Test("an empty UID is replaced by the one that identifies the event")
  func emptyUID() throws {
    try session.importing(
      "nu.ics", calendar(event("x", "DTSTART:20261201T101500Z")).replacing("UID:x", with: "UID: "),
      calendar: "Work")
    let lines = try session.export().components(separatedBy: "\r\n").filter { $0.hasPrefix("UID") }
    #expect(lines.count == 1 && lines[0].count > "UID: ".count, "\(lines)")
  }
}
