import Foundation
import TestSupport
import Testing

/// Edits of series that have more than one simple rule. The expected dates are written by hand.
@Suite("edits of series with RDATE, RANGE, floating times and fixed days")
struct SplitSeriesTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  private func put(_ lines: String..., overrides: String = "") throws {
    try folder.makeFolder("work")
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:x
      BEGIN:VEVENT
      UID:s
      DTSTAMP:20260101T000000Z
      \(lines.joined(separator: "\n"))
      SUMMARY:Old
      END:VEVENT
      \(overrides)END:VCALENDAR

      """
    try text.replacing("\n", with: "\r\n").write(
      to: folder.scratch.url.appendingPathComponent("work/s.ics"), atomically: true,
      encoding: .utf8)
    #expect(try folder.agenda("import", "work").status == 0)
  }

  private func id(_ start: String, _ title: String = "old") throws -> String {
    try #require(
      try folder.rows(title).first { $0["start"]?.hasPrefix(start) == true }?["id"], "\(start)")
  }

  private func days(_ title: String) throws -> [String] {
    try folder.starts(title).map { String($0.dropFirst(5)) }
  }

  private func refused(_ arguments: String..., reason: String) throws {
    let before = try folder.contents("work/s.ics")
    let run = try folder.agenda(arguments)
    #expect(run.status == 2 && run.errors.contains(reason), "\(run)")
    #expect(try folder.contents("work/s.ics") == before)
  }

  @Test("removing from an RDATE on does not prolong the rule")
  func removeFromDate() throws {
    try put(
      "DTSTART:20261123T090000", "RRULE:FREQ=DAILY;COUNT=3", "RDATE:20261201T090000,20261203T090000"
    )
    let id = try id("2026-12-03")
    #expect(try folder.agenda("remove", "--event", id, "--following").status == 0)
    #expect(
      try days("old") == ["11-23T09:00", "11-24T09:00", "11-25T09:00", "12-01T09:00"])
  }

  @Test("a series that continues from an RDATE keeps the dates of its rule")
  func editFromDate() throws {
    try put("DTSTART:20261023T090000", "RRULE:FREQ=MONTHLY;COUNT=4", "RDATE:20261204T090000")
    let id = try id("2026-12-04")
    #expect(try folder.agenda("edit", id, "--following", "--title", "New").status == 0)
    #expect(try days("new") == ["12-04T09:00", "12-23T09:00", "01-23T09:00"])
    #expect(try days("old").last == "11-23T09:00")
  }

  @Test("an endless rule that cannot begin at the RDATE is refused; one that names its days can")
  func endless() throws {
    try put("DTSTART:20261123T090000", "RRULE:FREQ=MONTHLY", "RDATE:20261204T090000")
    try refused(
      "edit", id("2026-12-04"), "--following", "--title", "x", reason: "cannot begin on this date")
    try put("DTSTART:20261123T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO", "RDATE:20261204T090000")
    let id = try id("2026-12-04")
    #expect(try folder.agenda("edit", id, "--following", "--title", "New").status == 0)
    #expect(try days("new").prefix(3) == ["12-04T09:00", "12-07T09:00", "12-14T09:00"])
  }

  private static let range = """
    BEGIN:VEVENT
    UID:s
    DTSTAMP:20260101T000000Z
    RECURRENCE-ID;RANGE=THISANDFUTURE:20261207T090000
    DTSTART:20261207T110000
    SUMMARY:old taf
    END:VEVENT

    """

  @Test("a change of what RANGE=THISANDFUTURE covers is refused")
  func range() throws {
    try put("DTSTART:20261123T090000", "RRULE:FREQ=WEEKLY;COUNT=6", overrides: Self.range)
    let reason = "RANGE=THISANDFUTURE): use --editor --all"
    let (first, later) = try (id("2026-12-07"), id("2026-12-14"))
    try refused("edit", first, "--only", "--title", "x", reason: reason)
    try refused("edit", first, "--following", "--title", "x", reason: reason)
    try refused("edit", later, "--following", "--title", "x", reason: reason)
    try refused("edit", later, "--only", "--at", "15:00", reason: reason)
    try refused("edit", later, "--all", "--at", "15:00", reason: reason)
    try refused("edit", id("2026-11-30"), "--all", "--at", "15:00", reason: reason)
    try refused("remove", "--event", first, "--only", reason: reason)
    #expect(try folder.agenda("remove", "--event", later, "--only").status == 0)
    #expect(
      try days("old") == [
        "11-23T09:00", "11-30T09:00", "12-07T11:00", "12-21T11:00", "12-28T11:00",
      ])
    let early = try id("2026-11-30")
    #expect(try folder.agenda("edit", early, "--only", "--title", "x").status == 0)
  }

  @Test("a floating series that gets a zone keeps its exclusions and overrides in place")
  func floating() throws {
    let override = Self.range.replacing(";RANGE=THISANDFUTURE", with: "")
    try put(
      "DTSTART:20261123T090000", "RRULE:FREQ=WEEKLY;UNTIL=20261221T090000",
      "EXDATE:20261130T090000", overrides: override)
    let id = try id("2026-11-23")
    let edit = try folder.agenda("edit", id, "--all", "--in-zone", "Europe/London")
    #expect(edit.status == 0, "\(edit)")
    let text = try folder.contents("work/s.ics")
    for line in [
      "DTSTART;TZID=Europe/London:20261123T090000", "EXDATE;TZID=Europe/London:20261130T090000",
      "RECURRENCE-ID;TZID=Europe/London:20261207T090000", "UNTIL=20261221T090000Z",
    ] {
      #expect(text.contains(line + "\r\n"), "\(text)")
    }
    #expect(
      try days("old") == ["11-23T10:00", "12-07T11:00", "12-14T10:00", "12-21T10:00"])
  }

  @Test(
    "a move that the rule cannot follow is refused",
    arguments: [
      ("DAILY;BYHOUR=9,17;COUNT=8", "20261123", "2026-11-24T17", "18:00", "BYHOUR"),
      ("MONTHLY;COUNT=5", "20261130", "2026-12-30", "2026-12-31", "names days"),
      ("MONTHLY;BYMONTHDAY=15", "20261115", "2026-12-15", "2027-01-02", "names days"),
      ("MONTHLY;BYDAY=2TU", "20261110", "2026-12-08", "2026-12-15", ""),
      ("WEEKLY;INTERVAL=2;BYDAY=MO,FR", "20261123", "2026-12-11", "2026-12-14", "names days"),
    ])
  func fixedDays(
    _ rule: String, _ start: String, _ place: String, _ at: String, _ reason: String
  ) throws {
    try put("DTSTART:\(start)T090000", "RRULE:FREQ=\(rule)")
    if reason.isEmpty {
      #expect(try folder.agenda("edit", id(place), "--all", "--at", at).status == 0)
      #expect(try folder.starts("old").contains("\(at)T09:00"))
    } else {
      try refused("edit", id(place), "--all", "--at", at, reason: reason)
    }
  }

  @Test("an occurrence keeps the length that its RDATE states")
  func period() throws {
    try put(
      "DTSTART:20261123T090000", "DTEND:20261123T100000", "RRULE:FREQ=WEEKLY;COUNT=2",
      "RDATE;VALUE=PERIOD:20261204T090000/PT4H")
    let id = try id("2026-12-04")
    #expect(try folder.agenda("edit", id, "--only", "--title", "New").status == 0)
    #expect(try folder.rows("new").first?["end"]?.hasPrefix("2026-12-04T13:00") == true)
    let moved = try self.id("2026-12-04", "new")
    #expect(try folder.agenda("edit", moved, "--only", "--at", "10:00").status == 0)
    #expect(try folder.rows("new").first?["end"]?.hasPrefix("2026-12-04T14:00") == true)
  }
}
