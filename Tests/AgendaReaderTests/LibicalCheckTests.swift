import AgendaCore
import AgendaReader
import CivilTime
import Foundation
import TestSupport
import Testing

/// Notes on what programs built on libical 3 would refuse, lose or change.
@Suite("Notes on libical")
struct LibicalCheckTests {
  private func notes(_ lines: String) throws -> [Finding] {
    let source = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1@example.com
      DTSTAMP:20261101T000000Z
      DTSTART:20261124T093000Z
      \(lines)
      END:VEVENT
      END:VCALENDAR

      """
    return try CalendarReader(zones: .system(TZDIR: nil))
      .read(SourceBytes(source), name: "one").libicalNotes()
  }

  @Test(
    "a property that libical refuses, loses or changes gets a note with its line",
    arguments: [
      ("EXDATE:20260230T093000Z", "EXDATE", "20260230T093000Z"),
      ("RRULE:FREQ=DAILY;COUNT=3;UNTIL=20261201T000000Z", "RRULE", "does not accept"),
      ("STATUS:PERHAPS", "STATUS", "does not know"),
      ("ATTENDEE;PARTSTAT=MAYBE:mailto:a@example.com", "ATTENDEE", "MAYBE"),
      ("SUMMARY:C:\\Users\\anna", "SUMMARY", "backslash"),
      ("SEQUENCE:high", "SEQUENCE", "as 0"),
      ("GEO:52.51;x1", "GEO", "as 52.5"),
      ("STYLED-FOO:bar", "STYLED-FOO", "does not accept"),
      ("DURATION:-PT0DT0H10M0S", "DURATION", "does not accept"),
      // Numbers that libical keeps in too few bits.
      ("SEQUENCE:9999999999", "SEQUENCE", "as 1410065407"),
      ("PRIORITY:4294967297", "PRIORITY", "as 1"),
      ("DURATION:PT5000000000S", "DURATION", "as PT705032704S"),
      ("RRULE:FREQ=DAILY;INTERVAL=70000", "RRULE", "as FREQ=DAILY;INTERVAL=4464"),
      ("RRULE:FREQ=DAILY;INTERVAL=65537", "RRULE", "as FREQ=DAILY"),
      ("RRULE:FREQ=DAILY;COUNT=4294967298", "RRULE", "as FREQ=DAILY;COUNT=2"),
      ("RRULE:FREQ=MONTHLY;BYDAY=255SU", "RRULE", "as FREQ=MONTHLY;BYDAY=-1SU"),
      ("GEO:48.2;11.5;300", "GEO", "as 48.200000;11.500000"),
    ])
  func problem(line: String, property: String, message: String) throws {
    let found = try notes(line)
    #expect(found.map(\.property) == [property])
    #expect(found.allSatisfy { $0.severity == .note && $0.line == 6 && $0.component == "VEVENT" })
    #expect(found.allSatisfy { $0.uid == "1@example.com" && $0.message.contains(message) })
  }

  // Checks limit: LibicalLineParser.mostValues
  @Test("values beyond the 500th are counted")
  func longList() throws {
    let dates = (0..<612).map { "2026\(1000 + $0 % 28 + 101)T093000Z" }.joined(separator: ",")
    let found = try notes("EXDATE:\(dates)")
    #expect(found.map(\.message) == ["libical reads only the first 500 of 612 values"])
    #expect(try notes("EXDATE:\(dates.prefix(17 * 500 - 1))") == [])
  }

  // Checks limit: LibicalCheck.mostBytes
  @Test("libical gets no more than a mebibyte of a component")
  func largeComponent() throws {
    let line = "X-PADDING:" + String(repeating: "x", count: 60_000) + "\n"
    for (count, notes) in [(17, 1), (18, 0)] {
      let lines = String(repeating: line, count: count) + "STATUS:PERHAPS"
      #expect(try self.notes(lines).count == notes)
    }
  }

  @Test("a component that libical reads as it is meant gets no note")
  func clean() throws {
    let lines = """
      SUMMARY:a\\, b\\nc \\\\ \\;
      STATUS:confirmed
      CLASS:PRIVATE
      GEO:52.123456789;+013.4
      SEQUENCE:+0000000007
      PRIORITY:0000000005
      DURATION:+PT0000000090M
      RRULE:FREQ=MONTHLY;INTERVAL=0001;BYDAY=+002MO,-1SU;BYYEARDAY=-366;UNTIL=20301231T235959Z
      EXDATE;TZID=Europe/Berlin:20261125T103000,20261126T103000
      RRULE:FREQ=DAILY;COUNT=3
      ATTENDEE;ROLE=CHAIR;PARTSTAT=ACCEPTED;CN="Bo; B":mailto:bo@example.com
      X-RAW:C:\\Users
      ATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT5M
      DESCRIPTION:ring
      END:VALARM
      """
    #expect(try notes(lines) == [])
  }

  @Test("a rejected component and a VTIMEZONE are checked too, unclosed components are not lost")
  func otherComponents() throws {
    let source = """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:Home
      BEGIN:STANDARD
      DTSTART:20260101T000000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0100
      RRULE:FREQ=NEVER
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:rejected
      DTSTART:20260230T093000Z
      END:VEVENT
      BEGIN:VEVENT
      UID:open
      DTSTART:20261124T093000Z
      BEGIN:VALARM
      STATUS:PERHAPS
      BEGIN:VEVENT
      UID:last
      DTSTART:20261124T093000Z
      STATUS:PERHAPS
      END:VEVENT
      END:VCALENDAR

      """
    let file = try CalendarReader(zones: .system(TZDIR: nil)).read(
      SourceBytes(source), name: "some")
    let found = file.libicalNotes().sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    #expect(found.map(\.line) == [8, 13, 19, 23])
    #expect(found.map(\.uid) == [nil, "rejected", "open", "last"])
  }

  @Test("hostile lines take time that is linear in their length")
  func hostile() throws {
    func repeated(_ text: String, _ count: Int) -> (Double) -> String {
      { part in String(repeating: text, count: Int(Double(count) * part)) }
    }
    let parameters = repeated(";X", 20_000)
    let values = repeated(";X=1", 20_000)
    let names = repeated("a,", 30_000)
    let dates = repeated("20260101,", 7_000)
    let blanks = repeated(" ", 5000)
    let tabs = repeated("\u{0B}", 5000)
    let escapes = repeated("\\x", 5_000_000)
    let components = repeated("BEGIN:X-DEEP\n", 100_000)
    let lines = repeated("STATUS:PERHAPS\n", 50_000)
    let hostile: [(Double) -> String] = [
      { "SUMMARY\(parameters($0)):x" }, { "SUMMARY\(values($0)):x" },
      { "CATEGORIES:\(names($0))" }, { "EXDATE:\(dates($0))" },
      { "GEO:\(blanks($0))1;\(tabs($0))" }, { "DESCRIPTION:\(escapes($0))" },
      { "\(components($0))END:X-DEEP" }, { "\(lines($0))END:NOTHING" },
    ]
    for text in hostile {
      let texts = [1.0 / 8: text(1.0 / 8), 1: text(1)]
      var count = 0
      let growth = try ThreadTime.growth(by: 8) { count = try notes(texts[$0] ?? "").count }
      #expect(count <= 100)
      // Quadratic would be 64.
      #expect(growth < 24, "\(text(0.001)): \(growth)")
    }
  }
}
