import AgendaCore
import AgendaReader
import CivilTime
import Testing

@Suite("Reading a calendar")
struct CalendarReaderTests {
  static let zones = ZoneDatabase.system(TZDIR: nil)

  static func read(
    _ text: String, options: CalendarReader.Options = .init()
  ) throws(ReaderError) -> CalendarFile {
    try CalendarReader(zones: zones, options: options).read(SourceBytes(text), name: "test")
  }

  @Test("an ordinary event comes out with its time, zone and texts")
  func ordinary() throws {
    let file = try Self.read(
      """
      BEGIN:VCALENDAR\r
      X-WR-CALNAME:Work\r
      BEGIN:VEVENT\r
      UID:1@example.com\r
      DTSTART;TZID=Europe/Berlin:20261121T090000\r
      DTEND;TZID=Europe/Berlin:20261121T093000\r
      SUMMARY:Lunch\\, with An\r
       a\r
      CATEGORIES:a,b\\,c\r
      STATUS:TENTATIVE\r
      END:VEVENT\r
      END:VCALENDAR\r

      """)
    #expect(file.findings == [])
    #expect(file.name == "Work")
    #expect(file.componentCount == 1)
    #expect(file.rejectedCount == 0)
    let event = try #require(file.events.first)
    #expect(event.identity.uid == "1@example.com")
    #expect(event.title == "Lunch, with Ana")
    #expect(event.categories == ["a", "b,c"])
    #expect(event.status == .tentative)
    #expect(event.start?.zone?.name == "Europe/Berlin")
    #expect(event.start?.civil.description == "2026-11-21T09:00:00")
  }

  // Checks Decisions: Deviations/10
  @Test("a date with a Z in RDATE is that date, also for an event at a time")
  func dateWithZ() throws {
    for start in ["DTSTART;VALUE=DATE:20131203", "DTSTART;TZID=Europe/Berlin:20131203T090000"] {
      let file = try Self.read(
        """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        UID:1
        \(start)
        RDATE:20131210Z,20131217z
        END:VEVENT
        END:VCALENDAR

        """)
      let dates = try #require(file.events.first?.recurrence?.dates)
      #expect(dates.map(\.start.civil.date.description) == ["2013-12-10", "2013-12-17"])
      #expect(dates.map(\.start.isDate) == [true, true])
      #expect(file.findings.map(\.severity) == [.warning])
    }
    let invalid = try Self.read(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20130230Z\nEND:VEVENT\nEND:VCALENDAR\n")
    #expect(invalid.rejectedCount == 1)
  }

  // Checks Decisions: Deviations/11
  @Test("a zone with a number after a known name is the one that the file defines")
  func numberedZone() throws {
    let definition = """
      BEGIN:VTIMEZONE
      TZID:Eastern Standard Time 1
      BEGIN:STANDARD
      DTSTART:16010101T000000
      TZOFFSETFROM:+1000
      TZOFFSETTO:+1000
      END:STANDARD
      END:VTIMEZONE

      """
    for (zone, hour) in [(definition, 0), ("", 15)] {
      let file = try Self.read(
        """
        BEGIN:VCALENDAR
        \(zone)BEGIN:VEVENT
        UID:1
        DTSTART;TZID=Eastern Standard Time 1:20261201T100000
        END:VEVENT
        END:VCALENDAR
        """)
      let start = try #require(file.events.first?.start)
      let utc = start.zone?.instant(of: start.civil).utc
      #expect(utc?.time.hour == hour)
    }
  }

  @Test("a rule of vCalendar 1.0 within another is ignored, and the outer one holds")
  func ruleWithinRule() throws {
    let file = try Self.read(
      """
      BEGIN:VCALENDAR
      VERSION:1.0
      BEGIN:VEVENT
      UID:1
      DTSTART:20261201T100000
      RRULE:D1 #5 W1 #2
      END:VEVENT
      END:VCALENDAR
      """)
    #expect(
      file.events.first?.recurrence?.rules.map(\.description) == ["FREQ=DAILY;COUNT=5"])
    #expect(
      file.findings.filter { $0.severity == .warning }.map(\.message).joined()
        .contains("W1 within a rule is not supported"))
  }

  @Test(
    "several calendars in one source are a note in mail",
    arguments: [("METHOD:PUBLISH\n", Finding.Severity.note), ("", .warning)])
  func severalCalendars(method: String, severity: Finding.Severity) throws {
    let calendar = """
      BEGIN:VCALENDAR
      \(method)BEGIN:VEVENT
      UID:1
      DTSTART:20261201T100000Z
      END:VEVENT
      END:VCALENDAR

      """
    let file = try Self.read(calendar + calendar.replacing("UID:1", with: "UID:2"))
    let findings = file.findings.filter { $0.message == "2 calendars are in one source" }
    #expect(findings.map(\.severity) == [severity])
  }

  @Test("30 February is rejected by name and costs no neighbour")
  func noDate() throws {
    let file = try Self.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20260230T090000
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      DTSTART:20260301T090000
      END:VEVENT
      END:VCALENDAR
      """)
    #expect(file.events.map(\.identity.uid) == ["2"])
    let finding = try #require(file.findings.first)
    #expect(finding.severity == .error && finding.code == "invalid-time")
    #expect(finding.line == 4 && finding.place == 8..<23 && finding.count == 1)
    #expect(finding.component == "VEVENT" && finding.uid == "1" && finding.property == "DTSTART")
    #expect(
      file.findings.map(\.message) == ["invalid DTSTART \"20260230T090000\": no such date"])
    #expect(file.findings.map(\.action) == ["event rejected"])
    #expect(file.componentCount == 2)
    #expect(file.rejectedCount == 1)
  }

  // Checks Decisions: Reading files/15
  @Test("a file that is not a calendar is refused with what it is")
  func foreign() {
    #expect(throws: ReaderError.notACalendar(.html)) {
      try Self.read("<!DOCTYPE html><html><body>Please log in</body></html>")
    }
    #expect(throws: ReaderError.notACalendar(.empty)) { try Self.read("") }
    #expect(throws: ReaderError.notACalendar(.json)) { try Self.read("{\"error\": 404}") }
    #expect(
      "\(ReaderError.notACalendar(.html))" == "not an iCalendar file: this is HTML")
  }
}

@Suite("Excerpts of a source")
struct ExcerptTests {
  @Test("a finding's line is quoted with its place")
  func place() throws {
    let file = try CalendarReaderTests.read(
      "\u{FEFF}BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:ü\nDTSTART;X-Ü=ä:20260230\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    let quote = try #require(file.excerpts(of: file.findings).first ?? nil)
    #expect(quote.text == "DTSTART;X-Ü=ä:20260230")
    let place = try #require(quote.place)
    #expect(String(decoding: Array(quote.text.utf8)[place], as: UTF8.self) == "20260230")
  }

  @Test("in a folded line a finding names the physical line of the invalid part")
  func folded() throws {
    let file = try CalendarReaderTests.read(
      "BEGIN:VEVENT\nUID:1\nDTSTART:20261124\nRRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20261125,\n 20261126,2026\n 1131,20261127\nEND:VEVENT\n"
    )
    let finding = try #require(file.findings.last)
    #expect(finding.line == 6)
    let quote = try #require(file.excerpts(of: [finding]).first ?? nil)
    #expect(quote.text == " 20261126,2026")
    #expect(quote.place == 10..<14)
  }

  @Test("only the surroundings of the invalid part are quoted from a long line")
  func long() throws {
    let long = String(repeating: "y", count: 1000)
    let file = try CalendarReaderTests.read(
      "BEGIN:VEVENT\nUID:1\nDTSTART;X-A=\(long);X-B=b:tomorrow\nEND:VEVENT\n")
    let finding = try #require(file.findings.last)
    let quote = try #require(file.excerpts(of: [finding]).first ?? nil)
    #expect(quote.text.hasPrefix("…yyyy"))
    #expect(quote.text.hasSuffix(";X-B=b:tomorrow"))
    let place = try #require(quote.place)
    #expect(String(decoding: Array(quote.text.utf8)[place], as: UTF8.self) == "tomorrow")
  }
}
