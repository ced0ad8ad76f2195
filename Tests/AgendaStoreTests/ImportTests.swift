import AgendaCore
import AgendaStore
import CivilTime
import TestSupport
import Testing

@Suite struct ImportTests {
  // Checks Decisions: Importing/2
  @Test("a first import adds everything, the second finds it unchanged")
  func importTwice() throws {
    let session = try StoreSession()
    let text = calendar(
      event("a", "DTSTART:20261121T090000Z", "SUMMARY:One"),
      event("b", "DTSTART;VALUE=DATE:20261122", "SUMMARY:Two"))
    let first = try session.importing(text)
    #expect(first.components == 2)
    #expect(first.added == 2)
    let second = try session.importing(text)
    #expect(second.components == 2)
    #expect(second.unchanged == 2)
    #expect(!second.hasChanges)
  }

  @Test("a component with only a new DTSTAMP is not updated")
  func newStamp() throws {
    let session = try StoreSession()
    try session.importing(
      calendar(event("a", "DTSTAMP:20260101T000000Z", "DTSTART:20261121T090000Z")))
    let report = try session.importing(
      calendar(event("a", "DTSTAMP:20260202T000000Z", "DTSTART:20261121T090000Z")))
    #expect(report.unchanged == 1)
    #expect(report.updated == 0)
  }

  // Checks Decisions: Importing/19
  @Test("a zone that changes moves the events that name it, and undo moves them back")
  func changedZone() throws {
    func text(_ properties: String) -> String {
      calendar(event("a", "DTSTART:20261121T090000", "SUMMARY:One"), properties: properties)
    }
    let versions = [
      text(""), text("X-WR-TIMEZONE:Europe/Berlin"), text("X-WR-TIMEZONE:America/New_York"),
    ]
    let session = try StoreSession()
    func state() throws -> [String] {
      try session.store().allEvents().map {
        "\($0.start.map { "\($0.instant(for: .utc))" } ?? "")"
      }
    }
    var states: [[String]] = []
    for version in versions {
      try session.importing(version)
      states.append(try state())
    }
    #expect(states[1] != states[2])
    #expect(try session.store().health().problems == [])
    for earlier in states.dropLast().reversed() {
      _ = try session.undo()
      #expect(try state() == earlier)
    }
    #expect(try session.store().health().problems == [])
  }

  @Test("undo takes back an import that changed only a line of the calendar")
  func changedLine() throws {
    let session = try StoreSession()
    let one = event("a", "DTSTART:20261121T090000Z", "SUMMARY:One")
    try session.importing(calendar(one, properties: "X-WR-CALDESC:Old"))
    try session.importing(calendar(one, properties: "X-WR-CALDESC:New"))
    #expect(String(decoding: try session.export(), as: UTF8.self).contains("X-WR-CALDESC:New"))
    _ = try session.undo()
    #expect(String(decoding: try session.export(), as: UTF8.self).contains("X-WR-CALDESC:Old"))
    #expect(try session.summary().count == 1)
  }

  @Test("changed events are updated, missing ones removed and new ones added")
  func changes() throws {
    let session = try StoreSession()
    try session.importing(
      calendar(
        event("a", "DTSTART:20261121T090000Z", "SUMMARY:One"),
        event("b", "DTSTART:20261122T090000Z", "SUMMARY:Two"),
        event("c", "DTSTART:20261123T090000Z", "SUMMARY:Three")))
    let report = try session.importing(
      calendar(
        event("a", "DTSTART:20261121T090000Z", "SUMMARY:One"),
        event("b", "DTSTART:20261122T100000Z", "SUMMARY:Two"),
        event("d", "DTSTART:20261124T090000Z", "SUMMARY:Four")))
    #expect(report.added == 1)
    #expect(report.updated == 1)
    #expect(report.removed == 1)
    #expect(report.unchanged == 1)
    let events = try session.store().events(
      touching: Instant(
        secondsSinceEpoch: 1_795_000_000)..<Instant(
          secondsSinceEpoch: 1_796_000_000), viewer: .utc)
    #expect(events.map(\.identity.uid).sorted() == ["a", "b", "d"])
  }
}
