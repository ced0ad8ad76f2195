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
    #expect(
      file.findings == [
        Finding(
          severity: .error, line: 4, place: 8..<23, component: "VEVENT", uid: "1",
          property: "DTSTART", message: "20260230T090000 is no date", action: "event rejected")
      ])
    #expect(file.componentCount == 2)
    #expect(file.rejectedCount == 1)
  }

  @Test("what is no calendar is refused by name")
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
