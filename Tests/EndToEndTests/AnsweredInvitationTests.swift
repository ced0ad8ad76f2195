import TestSupport
import Testing

/// Invitations from a single file, which agenda answers in its store.
@Suite("answers to invitations from a single file") struct AnsweredInvitationTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  private func write(
    _ start: String = "20261124T100000Z", sequence: Int = 1, more: [String] = [],
    organizer: String = "ORGANIZER:mailto:boss@example.com",
    attendees: [String] = ["ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ana@example.com"]
  ) throws {
    let lines =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VEVENT", "UID:meet",
        "DTSTAMP:2026010\(sequence)T000000Z", "DTSTART:\(start)", "SEQUENCE:\(sequence)",
        "SUMMARY:Meeting", organizer,
      ] + attendees + more + ["END:VEVENT", "END:VCALENDAR", ""]
    try folder.scratch.write("meet.ics", lines.joined(separator: "\r\n"))
  }

  private func id() throws -> String {
    try #require(try folder.rows("meeting").first?["id"])
  }

  private func answer() throws -> String {
    try folder.agenda("event", try id(), "-f", "json").output
  }

  // Checks Decisions: Messages/1
  @Test("a later version of the invitation asks again, and a correction of the same one does not")
  func newVersion() throws {
    try write()
    #expect(try folder.agenda("import", "meet.ics").status == 0)
    let reply = try folder.agenda("reply", try id(), "--accept")
    #expect(reply.status == 0 && reply.errors.isEmpty, "\(reply.errors)")
    #expect(try answer().contains("\"accepted\""))
    try write(more: ["LOCATION:Room 2"])
    #expect(try folder.agenda("refresh").status == 0)
    #expect(try answer().contains("\"accepted\"") && answer().contains("Room 2"))
    try write("20261125T100000Z", sequence: 2)
    #expect(try folder.agenda("refresh").status == 0)
    #expect(try !answer().contains("\"accepted\""))
    #expect(try folder.starts("meeting") == ["2026-11-25T11:00"])
    #expect(try folder.agenda("reply", try id(), "--decline").status == 0)
    #expect(try folder.agenda("refresh").status == 0)
    #expect(try answer().contains("\"declined\""))
    #expect(try folder.agenda("doctor").status == 0)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try !answer().contains("\"declined\""))
  }

  @Test(
    "the same answer again is reported, and its message printed",
    arguments: ["meet.ics", "folder"])
  func repeated(_ source: String) throws {
    try write()
    if source == "folder" {
      try folder.scratch.write("folder/meet.ics", try folder.contents("meet.ics"))
    }
    #expect(try folder.agenda("import", source).status == 0)
    let id = try id()
    for (answer, isRepeated) in [
      ("--accept", false), ("--accept", true), ("--decline", false), ("--accept", false),
    ] {
      let reply = try folder.agenda("reply", id, answer)
      #expect(reply.status == 0 && reply.output.contains("METHOD:REPLY"))
      let warning = "agenda: warning: \(id): ana@example.com has given this answer before\n"
      #expect(reply.errors == (isRepeated ? warning : ""))
    }
  }

  @Test("agenda reports that an answer to one occurrence is for the whole series")
  func series() throws {
    try write(more: ["RRULE:FREQ=DAILY;COUNT=3"])
    #expect(try folder.agenda("import", "meet.ics").status == 0)
    let id = try #require(try folder.rows("meeting").dropFirst().first?["id"])
    let reply = try folder.agenda("reply", id, "--accept")
    #expect(reply.status == 0)
    #expect(!reply.output.contains("RECURRENCE-ID"))
    #expect(
      reply.errors == "agenda: warning: \(id): the answer is for the whole series; "
        + "--only answers for one occurrence\n")
  }

  // Checks RFC 7986: 6.2/1
  @Test(
    "the mail goes to the EMAIL of an organizer whom Apple names by a number or a path",
    arguments: ["urn:uuid:1234", "/aMTE/principal/"])
  func apple(_ address: String) throws {
    try write(organizer: "ORGANIZER;CN=Boss;EMAIL=boss@icloud.com:\(address)")
    #expect(try folder.agenda("import", "meet.ics").status == 0)
    let reply = try folder.agenda("reply", try id(), "--accept", "--mail")
    #expect(reply.status == 0, "\(reply.errors)")
    #expect(reply.output.contains("To: boss@icloud.com"), "\(reply.output)")
    // The organizer's program finds the meeting by the address that it wrote.
    let message = try folder.agenda("reply", try id(), "--accept").output
    #expect(message.replacing("\r\n ", with: "").contains("EMAIL=boss@icloud.com:\(address)"))
  }

  @Test("an address that is invited twice is listed once")
  func twice() throws {
    let ana = "ATTENDEE:mailto:ana@example.com"
    try write(attendees: [ana, ana, "ATTENDEE:mailto:bo@example.com"])
    #expect(try folder.agenda("import", "meet.ics").status == 0)
    let reply = try folder.agenda("reply", try id(), "--accept")
    #expect(reply.status == 2)
    #expect(reply.errors.contains("--as: ana@example.com, bo@example.com\n"), "\(reply.errors)")
  }

  @Test("--event-color accepts the colour names of CSS")
  func color() throws {
    let wrong = try folder.agenda("add", "Talk", "--at", "2026-12-01", "--event-color", "nocolor")
    #expect(wrong.status == 2 && wrong.errors.contains("got \"nocolor\""), "\(wrong.errors)")
    let right = try folder.agenda("add", "Talk", "--at", "2026-12-01", "--event-color", "Tomato")
    #expect(right.status == 0, "\(right.errors)")
  }
}
