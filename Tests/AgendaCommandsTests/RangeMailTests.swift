import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Mails about occurrences of a series of which an override has changed all from the second on
/// (RANGE=THISANDFUTURE). What is shown is judged by hand.
@Suite("mails and overrides with RANGE")
struct RangeMailTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The method and the RECURRENCE-ID of each mail.
    let mails: [(method: String, recurrenceID: String)]
    /// The status or the answer of the four occurrences.
    let expected: [String]
    /// The second and all that follow, or only the second.
    var hasRange = true
  }

  private static let cases = [
    Case(
      testDescription: "an answer to a later one", mails: [("REPLY", ":20261126T080000Z")],
      expected: ["", "", "declined", ""]),
    Case(
      testDescription: "an answer to a date", mails: [("REPLY", ";VALUE=DATE:20261126")],
      expected: ["", "", "declined", ""]),
    Case(
      testDescription: "an answer to the first one", mails: [("REPLY", ":20261125T080000Z")],
      expected: ["", "declined", "", ""]),
    Case(
      testDescription: "an answer to all of them",
      mails: [("REPLY", ";RANGE=THISANDFUTURE:20261125T080000Z")],
      expected: ["", "declined", "declined", "declined"]),
    Case(
      testDescription: "an answer to the last two",
      mails: [("REPLY", ";RANGE=THISANDFUTURE:20261126T080000Z")],
      expected: ["", "", "declined", "declined"]),
    Case(
      testDescription: "an answer to all from the one before on",
      mails: [("REPLY", ";RANGE=THISANDFUTURE:20261124T080000Z")],
      expected: ["declined", "declined", "declined", "declined"]),
    Case(
      testDescription: "an answer to all from one with a separate override on",
      mails: [("REPLY", ";RANGE=THISANDFUTURE;VALUE=DATE:20261125")],
      expected: ["", "declined", "declined", "declined"], hasRange: false),
    Case(
      testDescription: "all are cancelled, also a later separate override",
      mails: [("CANCEL", ";RANGE=THISANDFUTURE:20261124T080000Z")],
      expected: ["cancelled", "cancelled", "cancelled", "cancelled"], hasRange: false),
    Case(
      testDescription: "all are cancelled, also what a later override with RANGE changes",
      mails: [("CANCEL", ";RANGE=THISANDFUTURE:20261124T080000Z")],
      expected: ["cancelled", "cancelled", "cancelled", "cancelled"]),
    Case(
      testDescription: "an answer to one before", mails: [("REPLY", ":20261124T080000Z")],
      expected: ["declined", "", "", ""]),
    Case(
      testDescription: "a later one is cancelled", mails: [("CANCEL", ":20261126T080000Z")],
      expected: ["", "", "cancelled", ""]),
    Case(
      testDescription: "the first one is cancelled", mails: [("CANCEL", ":20261125T080000Z")],
      expected: ["", "cancelled", "", ""]),
    Case(
      testDescription: "all of them are cancelled",
      mails: [("CANCEL", ";RANGE=THISANDFUTURE:20261125T080000Z")],
      expected: ["", "cancelled", "cancelled", "cancelled"]),
    Case(
      testDescription: "the last two are cancelled, and one of them is answered",
      mails: [
        ("CANCEL", ";RANGE=THISANDFUTURE:20261126T080000Z"), ("REPLY", ":20261127T080000Z"),
      ],
      expected: ["", "", "cancelled", "cancelled"]),
    Case(
      testDescription: "one is cancelled, and one is answered",
      mails: [("CANCEL", ":20261127T080000Z"), ("REPLY", ":20261125T080000Z")],
      expected: ["", "declined", "", "cancelled"]),
    Case(
      testDescription: "all from one with a separate override on are cancelled",
      mails: [("CANCEL", ";RANGE=THISANDFUTURE:20261125T080000Z")],
      expected: ["", "cancelled", "cancelled", "cancelled"], hasRange: false),
  ]

  private static let organizer = "ORGANIZER:mailto:o@example.com"
  private static let invited = "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:a@example.com"

  private static func calendar(_ method: String, _ events: [[String]]) -> String {
    let lines = events.flatMap { lines in
      ["BEGIN:VEVENT", "UID:t", "DTSTAMP:20261101T000000Z"] + lines + ["END:VEVENT"]
    }
    return
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "X-WR-CALNAME:c"]
      + ["METHOD:\(method)"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\n")
  }

  private static func series(hasRange: Bool) -> String {
    calendar(
      "PUBLISH",
      [
        ["SUMMARY:Series", "DTSTART:20261124T080000Z", "RRULE:FREQ=DAILY;COUNT=4", invited],
        [
          "RECURRENCE-ID\(hasRange ? ";RANGE=THISANDFUTURE" : ""):20261125T080000Z",
          "SUMMARY:Changed", "DTSTART:20261125T120000Z", "DTEND:20261125T130000Z",
          "LOCATION:Room 9", invited,
        ],
      ])
  }

  /// The start, the title, the place and the state of each occurrence.
  private func shown(_ arguments: [String]) throws -> [String] {
    try fixture.entries(["--from", "2026-11-24", "--days", "9"] + arguments).map { entry in
      let attendees = entry["attendees"] as? [[String: Any]] ?? []
      let answer = attendees.first?["status"] as? String ?? ""
      let status = entry["status"] as? String
      let words = [
        (entry["start"] as? String ?? "").dropFirst(8).prefix(8).description,
        (entry["end"] as? String ?? "").dropFirst(11).prefix(5).description,
        entry["title"] as? String ?? "", entry["location"] as? String ?? "-",
        status ?? (answer == "needs-action" ? "" : answer),
      ]
      return words.joined(separator: " ")
    }
  }

  @Test(
    "a mail to one occurrence leaves it as the override has it, and the others too",
    arguments: cases)
  func mails(_ given: Case) throws {
    let expected = given.expected.enumerated().map { number, state in
      let isChanged = number == 1 || (number > 1 && given.hasRange)
      return "\(24 + number)T"
        + (isChanged ? "13:00 14:00 Changed Room 9 " : "09:00 09:00 Series - ") + state
    }
    let texts =
      [Self.series(hasRange: given.hasRange)]
      + given.mails.map { method, recurrenceID in
        let answer = Self.invited.replacing("NEEDS-ACTION", with: "DECLINED")
        return Self.calendar(
          method,
          [
            ["RECURRENCE-ID\(recurrenceID)", Self.organizer]
              + (method == "REPLY" ? [answer] : [])
          ])
      }
    try fixture.write("all.ics", texts.joined())
    for (number, text) in texts.enumerated() { try fixture.write("folder/\(number).ics", text) }
    let files = texts.indices.map { fixture.path("folder/\($0).ics") }
    for (name, sources) in [
      ("file", [fixture.path("all.ics")]), ("folder", [fixture.path("folder")]),
      ("files", files), ("reversed", files.reversed()),
    ] {
      #expect(try shown(sources) == expected, "\(name)")
      let store = ["--store", fixture.path("\(name).sqlite")]
      for source in sources { _ = fixture.run(fixture.importing(source) + store, isPinned: false) }
      #expect(try shown(store) == expected, "store of \(name)")
      try fixture.write("export.ics", fixture.run(["export"] + store, isPinned: false).output)
      #expect(try shown([fixture.path("export.ics")]) == expected, "export of \(name)")
      #expect(fixture.run(["doctor"] + store, isPinned: false).status == .done)
    }
  }

  @Test("changes reports an answer to an occurrence that RANGE has changed only as an answer")
  func changes() throws {
    try fixture.write("series.ics", Self.series(hasRange: true))
    let answer = Self.invited.replacing("NEEDS-ACTION", with: "DECLINED")
    try fixture.write(
      "reply.ics", Self.calendar("REPLY", [["RECURRENCE-ID:20261126T080000Z", answer]]))
    for name in ["series", "reply"] {
      _ = fixture.run(["import", fixture.path("\(name).ics")], isPinned: false)
    }
    let changes = fixture.run(["changes"], isPinned: false).output
    #expect(changes.contains("declined") && changes.contains("13:00"), "\(changes)")
    for word in ["moved", "title", "location"] { #expect(!changes.contains(word), "\(changes)") }
  }

  // Checks Decisions: Small decisions/21
  @Test("a note about an override of midnight in a series at another time, but of no other one")
  func midnight() throws {
    func series(_ recurrenceID: String) -> String {
      Self.calendar(
        "PUBLISH",
        [
          ["DTSTART;TZID=Europe/Berlin:20261129T090000", "RRULE:FREQ=DAILY;COUNT=3"],
          ["RECURRENCE-ID\(recurrenceID)", "DTSTART;TZID=Europe/Berlin:20261201T150000"],
        ])
    }
    let words = "RECURRENCE-ID: is midnight, but the series has its occurrence of that date"
    for (recurrenceID, isReported) in [
      (";TZID=Europe/Berlin:20261130T000000", true), (":20261130T000000", true),
      (";TZID=Europe/Berlin:20261130T090000", false), (";VALUE=DATE:20261130", false),
      // Of a date that the series does not have, it is an occurrence in addition.
      (";TZID=Europe/Berlin:20261224T000000", false),
    ] {
      try fixture.write("midnight.ics", series(recurrenceID))
      for command in ["check", "show", "import"] {
        let run = fixture.run(
          [command, fixture.path("midnight.ics")], isPinned: command != "import")
        // Only `check` prints notes.
        #expect(
          (run.output + run.errors).contains(words) == (isReported && command == "check"),
          "\(command) \(recurrenceID)")
      }
    }
  }
}
