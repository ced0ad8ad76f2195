import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Mails about one of two events with one UID, whose DTSTART is in another form than that of the
/// events: each form means 09:00 in Berlin, or the date.
@Suite("the start of a mail in another form than the events")
struct MessageStartFormTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static func start(_ form: String, _ day: Int) -> String {
    switch form {
    case "zone": "DTSTART;TZID=Europe/Berlin:202611\(day)T090000"
    case "other zone": "DTSTART;TZID=America/New_York:202611\(day)T030000"
    case "UTC": "DTSTART:202611\(day)T080000Z"
    case "floating": "DTSTART:202611\(day)T090000"
    default: "DTSTART;VALUE=DATE:202611\(day)"
    }
  }

  private static func calendar(_ method: String, _ events: [[String]]) -> String {
    let lines = events.map { lines in
      (["BEGIN:VEVENT", "UID:u", "DTSTAMP:20261101T000000Z"] + lines + ["END:VEVENT"])
        .joined(separator: "\n")
    }
    return "BEGIN:VCALENDAR\nMETHOD:\(method)\nX-WR-CALNAME:c\n"
      + lines.joined(separator: "\n") + "\nEND:VCALENDAR\n"
  }

  /// The day, the status and the answer of each event.
  private func shown(_ arguments: [String]) throws -> [String] {
    try fixture.entries(["--from", "2026-11-24", "--days", "9"] + arguments).map { entry in
      let day = (entry["start"] as? String ?? "").dropFirst(8).prefix(2)
      let attendees = entry["attendees"] as? [[String: Any]] ?? []
      return "\(day) \(entry["status"] as? String ?? "-") \(attendees.first?["status"] ?? "")"
    }
  }

  @Test(
    "a mail is about the event that begins at its DTSTART, in whatever form it is written",
    arguments: ["zone", "UTC", "floating", "date"],
    ["zone", "other zone", "UTC", "floating", "date"])
  func forms(events: String, mail: String) throws {
    let attendee = "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:a@example.com"
    try fixture.write(
      "folder/events.ics",
      Self.calendar(
        "PUBLISH", [25, 26].map { [Self.start(events, $0), "SUMMARY:Day \($0)", attendee] }))
    for (method, expected) in [
      ("CANCEL", ["25 cancelled needs-action", "26 - needs-action"]),
      ("REPLY", ["25 - declined", "26 - needs-action"]),
    ] {
      try fixture.write(
        "folder/mail.ics",
        Self.calendar(
          method,
          [[Self.start(mail, 25), "ATTENDEE;PARTSTAT=DECLINED:mailto:a@example.com"]]))
      let paths = ["folder/events.ics", "folder/mail.ics"].map(fixture.path)
      #expect(try shown([fixture.path("folder")]) == expected, "\(method) in a folder")
      #expect(try shown(paths) == expected, "\(method) in two files")
      for (number, order) in [paths, paths.reversed()].enumerated() {
        let store = ["--store", fixture.path("\(method)\(number).sqlite")]
        for path in order { _ = fixture.run(fixture.importing(path) + store, isPinned: false) }
        #expect(try shown(store) == expected, "\(method) in the store \(number)")
      }
    }
  }

  @Test("a mail with the date of two events is about both, and one at another time about all")
  func several() throws {
    let starts = [("25", "09"), ("25", "11"), ("26", "09")]
    let events = starts.map { ["DTSTART;TZID=Europe/Berlin:202611\($0)T\($1)0000"] }
    try fixture.write("events.ics", Self.calendar("PUBLISH", events))
    for (start, expected) in [
      ("DTSTART;VALUE=DATE:20261125", ["25 cancelled ", "25 cancelled ", "26 - "]),
      ("DTSTART:20261125T110000", ["25 - ", "25 cancelled ", "26 - "]),
      ("DTSTART:20261127T090000", ["25 cancelled ", "25 cancelled ", "26 cancelled "]),
    ] {
      try fixture.write("mail.ics", Self.calendar("CANCEL", [[start]]))
      #expect(try shown(["events.ics", "mail.ics"].map(fixture.path)) == expected, "\(start)")
    }
  }
}
