import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// The overrides that a CANCEL or REPLY makes for one occurrence: they begin and end when the
/// series says, and other programs can read them from an export. Their times are judged by hand.
@Suite("overrides that mails make")
struct MadeOverrideTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Lines of the VCALENDAR of the series.
    var calendar: [String] = []
    let series: [String]
    /// Lines that only a CANCEL has in addition to its RECURRENCE-ID.
    var cancelled: [String] = []
    let recurrenceID: String
    /// The start and end of the occurrence in Berlin.
    let expected: String
    /// Lines of the override in an export.
    let exported: [String]
  }

  private static let cases = [
    Case(
      testDescription: "an RDATE with a length, in a series with an end",
      series: [
        "DTSTART:20261124T180000Z", "DTEND:20261124T190000Z",
        "RDATE;VALUE=PERIOD:20261125T180000Z/PT3H",
      ], recurrenceID: ":20261125T180000Z",
      expected: "2026-11-25T19:00:00+01:00 2026-11-25T22:00:00+01:00",
      exported: ["DTSTART:20261125T180000Z", "DURATION:PT3H"]),
    Case(
      testDescription: "an RDATE with an end, in a series with a length",
      series: [
        "DTSTART:20261124T180000Z", "DURATION:PT1H",
        "RDATE;VALUE=PERIOD:20261125T180000Z/20261125T210000Z",
      ], recurrenceID: ":20261125T180000Z",
      expected: "2026-11-25T19:00:00+01:00 2026-11-25T22:00:00+01:00",
      exported: ["DTSTART:20261125T180000Z", "DTEND:20261125T210000Z"]),
    Case(
      testDescription: "an RDATE with a length, in a series without one",
      series: [
        "DTSTART;TZID=Europe/Berlin:20261124T190000",
        "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20261125T190000/PT90M",
      ], recurrenceID: ":20261125T180000Z",
      expected: "2026-11-25T19:00:00+01:00 2026-11-25T20:30:00+01:00",
      exported: ["DTSTART;TZID=Europe/Berlin:20261125T190000", "DURATION:PT1H30M"]),
    Case(
      testDescription: "a series in the zone of its calendar, and a mail in UTC",
      calendar: ["X-WR-TIMEZONE:America/New_York"],
      series: ["DTSTART:20261124T080000", "DTEND:20261124T090000", "RRULE:FREQ=DAILY;COUNT=2"],
      cancelled: ["DTSTART:20261125T130000Z"], recurrenceID: ":20261125T130000Z",
      expected: "2026-11-25T14:00:00+01:00 2026-11-25T15:00:00+01:00", exported: []),
    Case(
      testDescription: "a series in the zone of its calendar, and a mail with another length",
      calendar: ["X-WR-TIMEZONE:America/New_York"],
      series: ["DTSTART:20261124T080000", "DTEND:20261124T090000", "RRULE:FREQ=DAILY;COUNT=2"],
      cancelled: ["DTSTART:20261125T130000Z", "DTEND:20261125T140000Z"],
      recurrenceID: ":20261125T130000Z",
      expected: "2026-11-25T14:00:00+01:00 2026-11-25T15:00:00+01:00", exported: []),
    Case(
      testDescription: "a series of whole days, and a mail with a time",
      series: [
        "DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261125", "RRULE:FREQ=DAILY;COUNT=3",
      ], cancelled: ["DTSTART:20261125T000000"], recurrenceID: ":20261125T000000",
      expected: "2026-11-25 2026-11-26",
      exported: [
        "DTSTART;VALUE=DATE:20261125", "DTEND;VALUE=DATE:20261126",
        "RECURRENCE-ID;VALUE=DATE:20261125",
      ]),
    Case(
      testDescription: "a series of whole days that end at a time",
      series: [
        "DTSTART;VALUE=DATE:20261124", "DTEND:20261125T150000",
        "RRULE:FREQ=DAILY;INTERVAL=3;COUNT=3",
      ], recurrenceID: ";VALUE=DATE:20261127", expected: "2026-11-27 2026-11-29",
      exported: ["DTSTART;VALUE=DATE:20261127", "DTEND;VALUE=DATE:20261129"]),
    Case(
      testDescription: "a zone that only the file of the series defines",
      calendar: [
        "BEGIN:VTIMEZONE", "TZID:Custom", "BEGIN:STANDARD", "DTSTART:19700101T000000",
        "TZOFFSETFROM:+0300", "TZOFFSETTO:+0300", "END:STANDARD", "END:VTIMEZONE",
      ],
      series: [
        "DTSTART;TZID=Custom:20261124T090000", "DTEND;TZID=Custom:20261124T100000",
        "RRULE:FREQ=DAILY;COUNT=4",
      ], recurrenceID: ";TZID=Custom:20261127T090000",
      expected: "2026-11-27T07:00:00+01:00 2026-11-27T08:00:00+01:00",
      exported: ["DTSTART:20261127T060000Z", "DTEND:20261127T070000Z"]),
  ]

  private static func calendar(_ head: [String], _ event: [String]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "X-WR-CALNAME:c"] + head
      + ["BEGIN:VEVENT", "UID:u", "DTSTAMP:20261101T000000Z"] + event
      + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\n")
  }

  /// The start, the end, the status and the answer of each occurrence that differs from the series.
  private func changed(_ arguments: [String]) throws -> [String] {
    let run = fixture.run(
      ["show", "--include-cancelled", "--from", "2026-11-24", "--days", "14", "-f", "json"]
        + arguments)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let sections = document["sections"] as? [[String: Any]] ?? []
    let entries = sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }
      .filter { ($0["dayOfEvent"] ?? $0["day"]) as? Int ?? 1 == 1 }
    return entries.compactMap { entry in
      let attendees = entry["attendees"] as? [[String: Any]] ?? []
      let answer = attendees.first?["status"] as? String ?? ""
      let status = entry["status"] as? String ?? "-"
      guard status == "cancelled" || answer == "declined" else { return nil }
      let (start, end) = (entry["start"] as? String ?? "", entry["end"] as? String ?? "")
      return "\(start) \(end) \(status) \(answer)"
    }
  }

  @Test("the occurrence keeps its time and length, also after an export", arguments: cases)
  func times(_ given: Case) throws {
    let attendee = "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:a@example.com"
    let series = Self.calendar(given.calendar, given.series + ["SUMMARY:Series", attendee])
    for (method, lines, outcome) in [
      ("CANCEL", given.cancelled, "cancelled needs-action"),
      ("REPLY", ["ATTENDEE;PARTSTAT=DECLINED:mailto:a@example.com"], "- declined"),
    ] {
      let mail = Self.calendar(
        ["METHOD:\(method)"], ["RECURRENCE-ID\(given.recurrenceID)"] + lines)
      let expected = ["\(given.expected) \(outcome)"]
      let folder = "\(method)"
      try fixture.write("\(folder)/series.ics", series)
      try fixture.write("\(folder)/mail.ics", mail)
      try fixture.write("\(folder).ics", series + mail)
      let paths = ["series", "mail"].map { fixture.path("\(folder)/\($0).ics") }
      for (name, sources) in [
        ("file", [fixture.path("\(folder).ics")]), ("folder", [fixture.path(folder)]),
        ("files", paths), ("reversed", paths.reversed()),
      ] {
        #expect(try Set(changed(sources)) == Set(expected), "\(method) \(name)")
        let store = ["--store", fixture.path("\(method)-\(name).sqlite")]
        for source in sources {
          _ = fixture.run(fixture.importing(source) + store, isPinned: false)
        }
        #expect(try Set(changed(store)) == Set(expected), "\(method) store \(name)")
        let export = fixture.run(["export"] + store, isPinned: false).output
        try fixture.write("export.ics", export)
        let again = fixture.path("export.ics")
        #expect(try Set(changed([again])) == Set(expected), "\(method) export \(name)\n\(export)")
        let override = export.split(separator: "BEGIN:VEVENT").last { $0.contains("RECURRENCE-ID") }
        let written = (override ?? "").split(separator: "\r\n").map(String.init)
        for line in given.exported { #expect(written.contains(line), "\(method) \(written)") }
        let check = fixture.run(["check", again])
        for word in ["is before DTSTART", "has no TZID", "has a time zone"] {
          #expect(!check.output.contains(word), "\(method) \(check.output)")
        }
      }
    }
  }
}
