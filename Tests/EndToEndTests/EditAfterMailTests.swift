import Foundation
import TestSupport
import Testing

/// A mail that is imported changes what the store shows of an event, but not the event's file.
@Suite("events of a folder can be changed after a mail about them")
struct EditAfterMailTests {
  private let folder: WrittenFolder

  init() throws {
    folder = try WrittenFolder()
    let invited = "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@example.com"
    try folder.scratch.write(
      "home/a.ics",
      calendar([
        component("VEVENT", "lunch", ["DTSTART:20261124T120000Z", "SUMMARY:Lunch", invited]),
        component(
          "VEVENT", "walk",
          ["DTSTART:20261125T120000Z", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:Walk", invited]),
      ]))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    for (number, (method, uid, line)) in [
      ("REPLY", "lunch", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com"),
      (
        "REPLY", "walk",
        "RECURRENCE-ID:20261126T120000Z\r\nATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.com"
      ),
      ("CANCEL", "walk", "RECURRENCE-ID:20261127T120000Z"),
    ].enumerated() {
      try folder.scratch.write(
        "mail\(number).ics",
        calendar(
          event(uid, "SEQUENCE:0", line), properties: "METHOD:\(method)"))
      #expect(try folder.agenda("import", "mail\(number).ics", "-q").status == 0)
    }
  }

  private func id(_ words: String, _ day: Int) throws -> String {
    try #require(
      try folder.rows(words).first { $0["start"]?.hasPrefix("2026-11-\(day)") == true }?["id"])
  }

  /// The components of the file, with their lines in order.
  private func components() throws -> [[String]] {
    try folder.contents("home/a.ics").replacing("\r\n", with: "\n")
      .components(separatedBy: "BEGIN:VEVENT\n").dropFirst()
      .map { $0.split(separator: "\n").map(String.init) }
  }

  @Test("an edit writes the answer that the store shows")
  func answer() throws {
    #expect(
      try folder.agenda("edit", id("lunch", 24), "--title", "Lunch with Bo", "--at", "15:00")
        .status == 0)
    let lunch = try #require(try components().first { $0.contains("UID:lunch") })
    #expect(lunch.contains("SUMMARY:Lunch with Bo"))
    #expect(lunch.contains("ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com"))
    #expect(lunch.contains("SEQUENCE:1"))
    #expect(try folder.storeAgrees)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try !folder.contents("home/a.ics").contains("ACCEPTED"))
  }

  @Test("an event can be edited if the answer to it is in the same folder")
  func answerInFolder() throws {
    let address = "mailto:bo@example.com"
    try folder.scratch.write(
      "home/tea.ics",
      calendar(
        event(
          "tea", "DTSTART:20261124T160000Z", "SUMMARY:Tea",
          "ATTENDEE;PARTSTAT=NEEDS-ACTION:\(address)")))
    let reply = calendar(
      event("tea", "ATTENDEE;PARTSTAT=ACCEPTED:\(address)"), properties: "METHOD:REPLY")
    try folder.scratch.write("home/tea-reply.ics", reply)
    #expect(try folder.agenda("refresh", "-q").status == 0)
    let edited = try folder.agenda("edit", id("tea", 24), "--title", "Late tea")
    #expect(edited.status == 0, "\(edited.errors)")
    let text = try folder.contents("home/tea.ics")
    #expect(text.contains("SUMMARY:Late tea"))
    #expect(text.contains("ATTENDEE;PARTSTAT=ACCEPTED:\(address)"))
    #expect(try folder.contents("home/tea-reply.ics") == reply)
    #expect(try folder.storeAgrees)
  }

  // Checks Decisions: Importing/13
  @Test("a mail is a source, and its removal takes its answer back")
  func removedMail() throws {
    func answers() throws -> String {
      try folder.agenda("show", "-f", "json", "--search", "lunch").output
    }
    #expect(try answers().contains("\"accepted\""))
    #expect(try folder.agenda("calendars").output.contains("mail0.ics"))
    #expect(try folder.agenda("remove", "--source", "mail0.ics").status == 0)
    #expect(try !answers().contains("\"accepted\""))
    #expect(try folder.agenda("undo").status == 0)
    #expect(try answers().contains("\"accepted\""))
  }

  @Test("an edit of one occurrence keeps its answer, and other cancelled occurrences")
  func occurrence() throws {
    #expect(
      try folder.agenda("edit", id("walk", 26), "--only", "--title", "Short walk").status == 0)
    let edited = try #require(try components().first { $0.contains("SUMMARY:Short walk") })
    #expect(edited.contains("RECURRENCE-ID:20261126T120000Z"))
    #expect(edited.contains("ATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.com"))
    #expect(try components().count == 4)
    #expect(try folder.storeAgrees)
    // A new time of the series gives it a higher SEQUENCE than the cancellation has.
    #expect(try folder.agenda("edit", id("walk", 25), "--all", "--at", "14:00").status == 0)
    let shown = try folder.rows("walk").filter { $0["status"] != "cancelled" }
    #expect(shown.compactMap { $0["start"]?.dropFirst(8).prefix(2) } == ["25", "26", "28"])
    #expect(try folder.storeAgrees)
  }

  @Test("one occurrence with an answer can be removed")
  func removal() throws {
    #expect(try folder.agenda("remove", "--event", id("walk", 26), "--only").status == 0)
    let shown = try folder.rows("walk").filter { $0["status"] != "cancelled" }
    #expect(shown.compactMap { $0["start"]?.dropFirst(8).prefix(2) } == ["25", "28"])
    #expect(try components().contains { $0.contains("EXDATE:20261126T120000Z") })
    #expect(try folder.storeAgrees)
  }

  @Test("a file that another program changed after the mail is still a conflict")
  func conflict() throws {
    let lunch = try id("lunch", 24)
    let text = try folder.contents("home/a.ics")
      .replacing("SUMMARY:Lunch", with: "SUMMARY:Supper")
    try folder.scratch.write("home/a.ics", text)
    let run = try folder.agenda("edit", lunch, "--title", "Dinner")
    #expect(run.status != 0)
    #expect(try folder.contents("home/a.ics") == text)
  }

  @Test("a hidden occurrence leaves the others in the time zone of the calendar")
  func calendarZone() throws {
    try folder.scratch.write(
      "york.ics",
      calendar(
        [
          component(
            "VEVENT", "tea",
            ["DTSTART:20261124T120000", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Tea"])
        ], ["X-WR-TIMEZONE:America/New_York"]))
    #expect(try folder.agenda("import", "york.ics", "-q").status == 0)
    let starts = try folder.starts("tea")
    #expect(starts.count == 3)
    #expect(try folder.agenda("remove", "--event", id("tea", 25), "--only").status == 0)
    #expect(try folder.starts("tea") == [starts[0], starts[2]])
    #expect(try folder.storeAgrees)
  }
}
