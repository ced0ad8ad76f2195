import AgendaCore
import CivilTime
import Testing

@testable import AgendaReader

/// Lines of vCalendar 1.0, and what stands for them in iCalendar 2.0 (RFC 5545).
@Suite("vCalendar 1.0 as iCalendar 2.0")
struct ConvertedComponentTests {
  /// The lines of a component that begins on 6 July 2026 at 09:00, without those that every case has.
  private func converted(_ lines: [String], kind: String = "VEVENT") throws -> [String] {
    let start = lines.contains { $0.hasPrefix("DTSTART") } ? [] : ["DTSTART:20260706T090000"]
    let text =
      ["BEGIN:VCALENDAR", "VERSION:1.0", "BEGIN:\(kind)", "UID:a", "SUMMARY:Choir"] + start + lines
      + ["END:\(kind)", "END:VCALENDAR", ""]
    let file = try CalendarReader(zones: .system(TZDIR: nil)).read(
      SourceBytes(Array(text.joined(separator: "\r\n").utf8)), name: "phone")
    let event = try #require(file.allEvents.first)
    let bytes = try #require(file.withComponent(event.reference.component) { Array($0) })
    let component = ConvertedComponent(
      bytes, event: event, details: file.details(of: event.reference))
    var found = component.lines.map { String(decoding: $0, as: UTF8.self) }
    for line in ["BEGIN:\(kind)", "UID:a", "SUMMARY:Choir", "END:\(kind)"] + start {
      try found.remove(at: #require(found.firstIndex(of: line)))
    }
    return found
  }

  @Test(
    "a line becomes these lines",
    arguments: [
      // Lists are separated by semicolons.
      (
        "RDATE:20260708T090000;20260709T090000", ["RDATE:20260708T090000", "RDATE:20260709T090000"]
      ),
      ("EXDATE:20260708T090000", ["EXDATE:20260708T090000"]),
      ("RESOURCES:PROJECTOR;VCR", ["RESOURCES:PROJECTOR,VCR"]),
      ("RESOURCES;ENCODING=QUOTED-PRINTABLE:M=C3=BChle=3BVCR", ["RESOURCES:Mühle,VCR"]),
      ("CATEGORIES:MEETING;PERSONAL", ["CATEGORIES:MEETING,PERSONAL"]),
      // Rules.
      ("RRULE:D2 #5", ["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=5"]),
      ("RRULE:D1 20260801T090000", ["RRULE:FREQ=DAILY;UNTIL=20260801T090000"]),
      // Words and moments.
      ("STATUS:CONFIRMED", ["STATUS:CONFIRMED"]), ("STATUS:SENT", ["X-STATUS:SENT"]),
      ("TRANSP:0", ["TRANSP:OPAQUE"]), ("TRANSP:1", ["TRANSP:TRANSPARENT"]),
      ("DCREATED:20260101T080000Z", ["CREATED:20260101T080000Z"]),
      ("LAST-MODIFIED:20260101T080000Z", ["LAST-MODIFIED:20260101T080000Z"]),
      ("LAST-MODIFIED:yesterday", ["X-LAST-MODIFIED:yesterday"]),
      ("RDATE:someday", ["X-RDATE:someday"]),
      // Texts.
      ("COMMENT;ENCODING=8BIT:abc", ["COMMENT:abc"]), ("comment;x=\"a\":b", ["comment;x=\"a\":b"]),
      ("DESCRIPTION;ENCODING=QUOTED-PRINTABLE:a=2Cb=0D=0Ac", ["DESCRIPTION:a\\,b\\nc"]),
      (
        "URL;ENCODING=QUOTED-PRINTABLE:https://example.com/?a=3Db", ["URL:https://example.com/?a=b"]
      ),
      ("ATTACH;ENCODING=QUOTED-PRINTABLE:file:///a=3Db", ["ATTACH:file:///a=b"]),
      // People.
      (
        "ATTENDEE;ROLE=ORGANIZER:Ana <ana@example.com>",
        ["ORGANIZER;CN=Ana:mailto:ana@example.com"]
      ),
      (
        "ATTENDEE;CN=Bo;RSVP=NO;EXPECT=REQUIRE:bo@example.com",
        ["ATTENDEE;CN=Bo;RSVP=FALSE;X-EXPECT=REQUIRE:mailto:bo@example.com"]
      ),
      ("ATTENDEE;STATUS=ACCEPTED:Bo <room 5>", ["ATTENDEE;PARTSTAT=ACCEPTED:Bo <room 5>"]),
    ])
  func line(old: String, new: [String]) throws {
    #expect(try converted([old]) == new)
  }

  @Test(
    "an alarm becomes a VALARM, which counts from the start if both are local times",
    arguments: [
      ("DALARM:20260706T084500", ["ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:"]),
      (
        "DALARM:20260706T084500;PT5M;2;Go; now",
        [
          "ACTION:DISPLAY", "TRIGGER:-PT15M", "DURATION:PT5M", "REPEAT:2", "DESCRIPTION:Go\\; now",
        ]
      ),
      (
        // Without an interval nothing says when it would go off again.
        "DALARM:20260706T084500;;2;Go", ["ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:Go"]
      ),
      (
        "DALARM:20260706T084500Z;;;Go",
        ["ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20260706T084500Z", "DESCRIPTION:Go"]
      ),
      (
        "AALARM;TYPE=WAVE;VALUE=URL:20260706T084500;;;file:///ta\u{7F}ps.wav",
        ["ACTION:AUDIO", "TRIGGER:-PT15M", "ATTACH:file:///taps.wav"]
      ),
      (
        "PALARM:20260706T090000;;;file:///run.exe",
        ["ACTION:PROCEDURE", "TRIGGER:PT0S", "ATTACH:file:///run.exe"]
      ),
      (
        "MALARM:20260706T083000;PT1H;2;ana@example.com;Do it",
        [
          "ACTION:EMAIL", "TRIGGER:-PT30M", "DURATION:PT1H", "REPEAT:2", "SUMMARY:Choir",
          "ATTENDEE:mailto:ana@example.com", "DESCRIPTION:Do it",
        ]
      ),
      (
        "MALARM:20260706T083000;;;ana@example.com;",
        [
          "ACTION:EMAIL", "TRIGGER:-PT30M", "SUMMARY:Choir", "ATTENDEE:mailto:ana@example.com",
          "DESCRIPTION:",
        ]
      ),
    ])
  func alarm(old: String, new: [String]) throws {
    #expect(try converted([old]) == ["BEGIN:VALARM"] + new + ["END:VALARM"])
  }

  @Test("an alarm that begins with no date and time is kept under another name")
  func unreadableAlarm() throws {
    #expect(try converted(["DALARM:tomorrow"]) == ["X-DALARM:tomorrow"])
    #expect(try converted(["DALARM:20260706"]) == ["X-DALARM:20260706"])
  }

  @Test("the first line of a property has all that its lines mean, and one person is the organizer")
  func severalLines() throws {
    #expect(
      try converted(["EXDATE:20260708T090000", "EXDATE:20260709T090000"]) == [
        "EXDATE:20260708T090000", "EXDATE:20260709T090000",
      ])
    #expect(
      try converted(["RRULE:D1 #10", "EXRULE:W1 WE #4"]) == [
        "RRULE:FREQ=DAILY;COUNT=10", "EXRULE:FREQ=WEEKLY;COUNT=4;BYDAY=WE",
      ])
    #expect(
      try converted(["DTSTART:20260706T090000", "DTSTART:20260707T090000"])
        == ["DTSTART:20260706T090000"])
    let people = try converted([
      "ATTENDEE;ROLE=ORGANIZER:ana@example.com", "ATTENDEE;ROLE=ORGANIZER:bo@example.com",
    ])
    #expect(people.map { $0.split { ":;".contains($0) }.first } == ["ORGANIZER", "ATTENDEE"])
    #expect(people.map { $0.hasSuffix("bo@example.com") } == [false, true])
  }

  @Test("an all-day event has dates, also at the end of its rule")
  func allDay() throws {
    #expect(
      try converted(["DTSTART:20260706", "RRULE:D1 20260801T000000"]) == [
        "DTSTART;VALUE=DATE:20260706", "RRULE:FREQ=DAILY;UNTIL=20260801",
      ])
  }

  @Test("a task keeps when it is due and when it was done")
  func task() throws {
    #expect(
      try converted(["DUE:20260710T090000", "COMPLETED:20260708T080000Z"], kind: "VTODO") == [
        "DUE:20260710T090000", "COMPLETED:20260708T080000Z",
      ])
    #expect(try converted(["COMPLETED:done"], kind: "VTODO") == ["X-COMPLETED:done"])
  }
}
