import AgendaCore
import AgendaReader
import AgendaSources
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite("Details")
struct DetailsTests {
  @Test(
    "a line without a name continues the text directly before it"
  )
  func strayLines() throws {
    let source = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1@example.com
      DTSTART:20261124T093000Z
      SUMMARY:one
      DESCRIPTION:first
      and more of it
      URL:https://example.com/a
      SUMMARY:two
      more of two
      DESCRIPTION:second
      more of the second
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT5M
      DESCRIPTION:ring
      Url: of no property
      END:VALARM
      END:VEVENT
      END:VCALENDAR

      """
    let file = try CalendarReader(zones: .system(TZDIR: nil))
      .read(SourceBytes(Array(source.utf8)), name: "stray")
    let event = try #require(file.allEvents.first)
    let details = file.details(of: event.reference)
    #expect(event.title == "one")
    #expect(details.description == "first\nand more of it")
    #expect(details.url == "https://example.com/a")
    #expect(details.alarms.map(\.description) == ["ring"])
  }

  @Test("a line without a name continues the title and the location too")
  func strayTitle() throws {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261124T093000Z\nSUMMARY:one\nand more\n"
      + "LOCATION:here\nand there\nEND:VEVENT\nEND:VCALENDAR\n"
    let event = try #require(
      try CalendarReader(zones: .system(TZDIR: nil))
        .read(SourceBytes(Array(text.utf8)), name: "stray").allEvents.first)
    #expect(event.title == "one\nand more" && event.location == "here\nand there")
  }

  // Checks RFC 5545: 3.3.3/1
  @Test(
    "a mail address is read without what RFC 6068 allows around it",
    arguments: [
      ("mailto:ana@example.com", "ana@example.com"),
      (" MAILTO: Ana@example.com ", "Ana@example.com"),
      ("mailto:ana@example.com?subject=Hi&body=x", "ana@example.com"),
      ("mailto:ana%2Bwork@example.com", "ana+work@example.com"),
      ("mailto:j%C3%BCrg@example.com", "jürg@example.com"),
      // A line break, half of a character, and what is not two digits.
      ("mailto:ana%0ABcc:bo@example.com", "ana%0ABcc:bo@example.com"),
      ("mailto:ana%C3@example.com", "ana%C3@example.com"),
      ("mailto:ana%+f%2@example.com", "ana%+f%2@example.com"),
      ("ana@example.com", "ana@example.com"),
    ])
  func mailAddress(_ value: String, _ address: String) throws {
    let (details, _) = try details("ATTENDEE:\(value)\r\nORGANIZER:\(value)")
    #expect(details.attendees.map(\.person.email) == [address])
    #expect(details.organizer?.email == address)
  }

  private func details(_ lines: String) throws -> (EventDetails, [String]) {
    let source = """
      BEGIN:VCALENDAR\r
      BEGIN:VEVENT\r
      UID:1@example.com\r
      DTSTART:20261124T093000Z\r
      \(lines)\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    let file = try CalendarReader(zones: .system(TZDIR: nil)).read(SourceBytes(source), name: "one")
    let event = try #require(file.allEvents.first)
    return (file.details(of: event.reference), file.detailFindings().compactMap(\.property))
  }

  // Checks RFC 5545: 3.1.1/2, 3.8.1.6/1
  @Test(
    "coordinates that are not two decimal numbers are reported and do not replace valid ones",
    arguments: ["52.51;x1", "0x10;0", "52.51", ";", "1e1;0", "nan;0", "91;0", "52.51;13.4;1"])
  func malformedCoordinates(_ value: String) throws {
    for lines in ["GEO:\(value)\r\nGEO:52.5;13.4", "GEO:52.5;13.4\r\nGEO:\(value)"] {
      let (details, properties) = try details(lines)
      #expect(details.coordinates == Coordinates(latitude: 52.5, longitude: 13.4))
      #expect(properties == ["GEO"])
    }
  }

  // Checks RFC 5545: 3.8.1.6/1, 3.8.1.6/2
  @Test("coordinates may have signs, no digits before the point, and white space around them")
  func coordinates() throws {
    let blanks = String(repeating: " ", count: 500)
    let (details, properties) = try details("GEO:\(blanks)-.5 ;\t+13.")
    #expect(details.coordinates == Coordinates(latitude: -0.5, longitude: 13))
    #expect(properties == [])
    let (exact, _) = try self.details("GEO:37.386013;-122.082932")
    #expect(exact.coordinates == Coordinates(latitude: 37.386013, longitude: -122.082932))
  }

  @Test(
    "a description of a media type is read as that type",
    arguments: [
      ("", "lit"), (";FMTTYPE=text/html", "lit"), (";FMTTYPE=text/plain", "<p>lit</p>"),
    ])
  func mediaType(_ parameter: String, _ description: String) throws {
    let (details, _) = try details("DESCRIPTION\(parameter):<p>lit</p>")
    #expect(details.description == description)
  }

  // Checks Decisions: Small decisions/14
  @Test("keywords are read in any letter case, and unknown ones are kept")
  func keywords() throws {
    let (details, _) = try details(
      "CLASS: private\r\nATTENDEE;PARTSTAT=accepted;ROLE=x-Guest;CN=\"^'Bo^' ^^ ^n\":mailto:bo@example.com"
    )
    #expect(details.classification == "private")
    let attendee = try #require(details.attendees.first)
    #expect(attendee.participation == "accepted")
    #expect(attendee.role == "x-guest")
    #expect(attendee.person == Person(name: "\"Bo\" ^", email: "bo@example.com"))
  }
}
