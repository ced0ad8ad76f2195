import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Sentences of RFC 5545 that no other test checks.
@Suite("sentences of RFC 5545")
struct SpecificationTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// Writes a calendar, and returns its path.
  private func file(_ components: String...) throws -> String {
    try fixture.write("a.ics", calendar(components))
    return fixture.path("a.ics")
  }

  /// A table that a command prints, as the cells of each row by the names of their columns.
  private func rows(_ arguments: [String]) -> [[String: String]] {
    let lines = fixture.run(arguments + ["-f", "tsv"]).output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(names, $0)) { $1 } }
  }

  /// The lines of the export after `add`, unfolded.
  private func exported(adding arguments: [String]) throws -> [String] {
    let added = fixture.run(["add"] + arguments)
    try #require(added.status == .done, "\(added.errors)")
    let export = fixture.run(["export"], isPinned: false)
    return export.output.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
  }

  // Checks RFC 5545: 3.3.5/9
  @Test("second 60 is read as second 59")
  func leapSecond() throws {
    let file = try file(
      event("leap", "DTSTART:20261123T235960Z", "DTEND:20261124T001060Z", "SUMMARY:Leap"))
    let found = rows(["show", file, "--once"])
    #expect(found.map { $0["start"] } == ["2026-11-24T00:59:59+01:00"])
    #expect(found.map { $0["end"] } == ["2026-11-24T01:10:59+01:00"])
  }

  // Checks RFC 5545: 3.2.9/1
  @Test("an unknown FBTYPE is busy")
  func unknownBusyType() throws {
    let file = try file(
      component("VFREEBUSY", "busy", ["FREEBUSY;FBTYPE=X-NEW:20261123T110000Z/PT1H"]))
    let free = rows(["free", file, "--from", "2026-11-23", "--days", "1"])
    #expect(free.map { $0["minutes"] } == ["180", "240"])
  }

  // Checks RFC 5545: 3.6.3/4
  @Test("a journal takes up no time")
  func journal() throws {
    let file = try file(
      component("VJOURNAL", "j", ["DTSTART:20261123T110000Z", "SUMMARY:Notes"]))
    let free = rows(["free", file, "--from", "2026-11-23", "--days", "1"])
    #expect(free.map { $0["minutes"] } == ["480"])
  }

  // Checks RFC 5545: 3.3.11/6, 3.7/1, 3.7.3/2, 3.8.4.3/3, 3.8.7.1/1
  // Checks RFC 7986: 5.3/1, 5.3/3
  @Test("an added event has what a new event needs, and nothing of a meeting")
  func addedEvent() throws {
    let lines = try exported(adding: ["tomorrow", "12:30", "1h", "Lunch: with Ana, and Bo"])
    #expect(lines.contains("SUMMARY:Lunch: with Ana\\, and Bo"))
    #expect(lines.contains("CREATED:20261121T080000Z"))
    #expect(lines.contains { $0.hasPrefix("PRODID:-//agenda//") && $0.hasSuffix("//EN") })
    let uid = try #require(lines.first { $0.hasPrefix("UID:") }?.dropFirst(4))
    #expect(uid.hasSuffix("@agenda") && uid.utf8.count < 255)
    #expect(!lines.contains { $0.hasPrefix("ORGANIZER") || $0.hasPrefix("ATTENDEE") })
    let component = try #require(lines.firstIndex { $0 != lines[0] && $0.hasPrefix("BEGIN:") })
    let names = ["VERSION", "PRODID", "X-WR-CALNAME"]
    #expect(lines[1..<component].allSatisfy { line in names.contains { line.hasPrefix($0 + ":") } })
    #expect(
      lines[component...].allSatisfy { line in !names.contains { line.hasPrefix($0 + ":") } })
  }

  // Checks RFC 5545: 3.1.3/4
  // Checks RFC 7986: 5.10/1, 5.10/2, 5.10/4
  @Test("an added picture says how it is encoded and what it is")
  func addedPicture() throws {
    let pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
    let data = try #require(Data(base64Encoded: pixel))
    try data.write(to: fixture.folder.appendingPathComponent("pixel.png"))
    let lines = try exported(
      adding: ["tomorrow", "12:30", "Picture", "--photo", fixture.path("pixel.png")])
    let line = try #require(lines.first { $0.hasPrefix("IMAGE") })
    let parts = line.split(separator: ":", maxSplits: 1)
    let parameters = Set(parts[0].split(separator: ";").map(String.init))
    #expect(parameters.isSuperset(of: ["FMTTYPE=image/png", "ENCODING=BASE64", "VALUE=BINARY"]))
    #expect(parts[1] == pixel)
  }

  // Checks RFC 5545: 3.6.6/14, 3.6.6/15, 3.6.6/16, 3.6.6/18, 3.8.6.3/2, 3.8.6.3/5, 3.8.6.3/6
  // Checks RFC 5545: 3.8.6.3/7
  @Test("alarms without what they count from do not go off; an absolute one goes off once")
  func alarms() throws {
    func alarm(_ trigger: String) -> String {
      "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\n\(trigger)\nEND:VALARM"
    }
    let file = try file(
      component("VTODO", "t", ["SUMMARY:No start", alarm("TRIGGER:-PT10M")]),
      event(
        "no-end", "DTSTART:20261123T100000Z", "SUMMARY:No end",
        alarm("TRIGGER;RELATED=END:-PT10M")),
      event(
        "length", "DTSTART:20261123T110000Z", "DURATION:PT1H", "SUMMARY:Length",
        alarm("TRIGGER;RELATED=END:PT10M")),
      component(
        "VTODO", "due",
        [
          "DTSTART:20261123T130000Z", "DURATION:PT1H", "SUMMARY:Task",
          alarm("TRIGGER;RELATED=END:PT5M"),
        ]),
      event(
        "series", "DTSTART:20261121T200000Z", "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Series",
        alarm("TRIGGER;VALUE=DATE-TIME;RELATED=END:20261123T080000Z")))
    let found = rows(["alarms", file, "--tasks", "--within", "4d"])
    #expect(
      found.map { "\($0["alarm"]?.dropFirst(8).prefix(8) ?? "") \($0["title"] ?? "")" } == [
        "23T09:00 Series", "23T10:50 No end", "23T13:10 Length", "23T15:05 Task",
      ])
  }

  // Checks RFC 5545: 3.8.4.7/6
  @Test("a UID of 255 octets is kept whole")
  func longUID() throws {
    let uid = String(repeating: "ü", count: 127) + "u"
    #expect(uid.utf8.count == 255)
    let file = try file(event(uid, "DTSTART:20261123T100000Z", "SUMMARY:Long"))
    #expect(fixture.run(["import", file], isPinned: false).status == .done)
    let export = fixture.run(["export"], isPinned: false).output.replacing("\r\n ", with: "")
    #expect(export.contains("\r\nUID:\(uid)\r\n"))
    #expect(rows(["show"]).map { $0["uid"] } == [uid])
  }

  // Checks RFC 5545: 3.6.2/2, 3.6.2/3
  @Test("of a property that a task has twice the first is used, and of two rules both")
  func repeatedInTask() throws {
    let file = try file(
      component(
        "VTODO", "t",
        [
          "DTSTART:20261123T100000Z", "SUMMARY:First", "SUMMARY:Second",
          "RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=WEEKLY;COUNT=2",
        ]))
    let found = rows(["show", file, "--tasks", "--once"])
    #expect(
      rows(["show", file, "--tasks"]).map { $0["start"]?.prefix(10) }
        == ["2026-11-23", "2026-11-24", "2026-11-30"])
    #expect(found.first?["title"] == "First")
  }
}
