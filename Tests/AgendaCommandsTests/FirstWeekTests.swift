import Foundation
import TestSupport
import Testing

/// Twenty tasks of a first week, each with the first words that a new user would type. Each works at once, or
/// after one correction that the message spells out.
@Suite("the first week")
struct FirstWeekTests {
  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    try fixture.write(
      "invitation.ics",
      calendar(
        event(
          "meeting", "DTSTART;TZID=Europe/Berlin:20261126T140000", "DURATION:PT1H",
          "RRULE:FREQ=WEEKLY;COUNT=4", "SUMMARY:Budget", "URL:https://meet.example.com/budget",
          "ORGANIZER:mailto:bo@example.com",
          "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com",
          "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com"), properties: "METHOD:REQUEST"))
  }

  private func works(_ words: String..., showing text: String? = nil) {
    let run = fixture.run(words, isPinned: false)
    #expect(run.status == .done, "\(words): \(run.errors)")
    if let text { #expect(run.output.contains(text), "\(words): \(run.output)") }
  }

  /// Whether the message has the words that work.
  private func corrected(_ words: [String], by message: String, _ correction: String...) {
    let first = fixture.run(words, isPinned: false)
    #expect(first.status == .wrongCommandLine, "\(words): \(first.output)")
    #expect(first.errors.contains(message), "\(words): \(first.errors)")
    let second = fixture.run(correction, isPinned: false)
    #expect(second.status == .done, "\(correction): \(second.errors)")
  }

  @Test("twenty tasks")
  func tasks() throws {
    // 1 to 5: import and look.
    works("import", fixture.path("work.ics"), showing: "added")
    works("import", fixture.path("home.ics"), fixture.path("invitation.ics"))
    works("today", showing: "Running")
    works("week", "next", "week", showing: "Weekly")
    works("month", "december", showing: "Budget")
    works("search", "cake", showing: "Cake")
    // 6 to 10: add and move.
    works("add", "tomorrow", "12:30", "1h", "Lunch", "with", "Ana", showing: "Lunch with Ana")
    works("add", "fri 15:00 Haircut", showing: "Friday, 27 November 2026")
    works(
      "add", "every", "tuesday", "and", "thursday", "at", "9:30", "for", "45", "minutes", "until",
      "june", "Yoga", showing: "Yoga")
    works("edit", "haircut", "--at", "16:00", showing: "16:00")
    works("edit", "haircut", "--at", "+1h", showing: "17:00")
    corrected(
      ["edit", "yoga", "--location", "Gym"], by: "--only", "edit", "yoga", "--location", "Gym",
      "--all")
    // 11 to 14: take back.
    works("undo", showing: "undid: edit of ")
    works("redo", showing: "redid: edit of ")
    corrected(["cancel", "lunch"], by: "did you mean remove?", "remove", "lunch")
    works("undo", showing: "undid: remove of ")
    // 15 and 16: tasks.
    works("add", "--task", "due friday buy milk", showing: "buy milk")
    works("done", "milk", showing: "buy milk")
    // 17 and 18: invitations.
    works("invitations", "--as", "ana@example.com", showing: "Budget")
    works(
      "reply", "budget", "--accept", "--only", "--as", "ana@example.com", showing: "METHOD:REPLY")
    // 19 and 20: free time, and a backup.
    works("free")
    works("export", "-o", fixture.path("all.ics"))
    works("import", fixture.path("all.ics"), "--store", fixture.path("new.sqlite"))
    works("show", "--store", fixture.path("new.sqlite"), showing: "Haircut")
  }
}
