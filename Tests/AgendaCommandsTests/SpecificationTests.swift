import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Sentences of the specifications that no other test checks.
@Suite("sentences of the specifications")
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
  // Checks RFC 5546: 3.3/1
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

  // Checks RFC 5545: 3.6.6/5, 3.6.6/19, 3.6.6/20, 3.8.6.2/1
  @Test("REPEAT without DURATION and DURATION without REPEAT repeat nothing")
  func repetitions() throws {
    func event(_ uid: String, _ hour: Int, _ lines: String) -> String {
      TestSupport.event(
        uid, "DTSTART:20261123T\(hour)0000Z", "SUMMARY:\(uid)",
        "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER:-PT10M\(lines)\nEND:VALARM")
    }
    let file = try file(
      event("both", 10, "\nREPEAT:1\nDURATION:PT5M"), event("count", 12, "\nREPEAT:1"),
      event("length", 14, "\nDURATION:PT5M"))
    #expect(
      rows(["alarms", file, "--within", "4d"]).map {
        "\($0["alarm"]?.dropFirst(11).prefix(5) ?? "") \($0["title"] ?? "")"
      } == ["10:50 both", "10:55 both", "12:50 count", "14:50 length"])
  }

  // Checks RFC 5545: 3.2.20/3
  @Test("values of a type that nobody knows are kept")
  func unknownTypes() throws {
    let lines = [
      "X-NEW;VALUE=X-TYPE:a,b;c\\d", "IANA-NEW;VALUE=NEWER:1;2", "ATTACH;VALUE=X-TYPE:x:y,z",
    ]
    let file = try file(
      event("a", (["DTSTART:20261123T100000Z", "SUMMARY:A"] + lines).joined(separator: "\n")))
    try #require(fixture.run(["import", file], isPinned: false).status == .done)
    let export = fixture.run(["export"], isPinned: false).output
    for line in lines { #expect(export.contains("\r\n\(line)\r\n"), "\(line)") }
  }

  // Checks RFC 5545: 3.7.2/3
  @Test("a calendar without METHOD has events, also if it looks like a message")
  func withoutMethod() throws {
    func titles(_ head: [String]) throws -> [String?] {
      let answer = event(
        "a", "DTSTART:20261123T100000Z", "SUMMARY:A", "ORGANIZER:mailto:boss@example.com",
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@example.com", "REQUEST-STATUS:2.0;Success")
      try fixture.write("c.ics", calendar([answer], head))
      return rows(["show", fixture.path("c.ics")]).map { $0["title"] }
    }
    #expect(try titles([]) == ["A"])
    #expect(try titles(["METHOD:REPLY"]) == [])
  }

  // Checks Decisions: Small decisions/9
  @Test("an RDATE is named by its start, a lone override by its RECURRENCE-ID; no status is null")
  func recurrenceIdentifiers() throws {
    let file = try file(
      event(
        "a", "DTSTART:20261123T100000Z", "RRULE:FREQ=DAILY;COUNT=1", "RDATE:20261125T150000Z",
        "SUMMARY:A"),
      event("b", "RECURRENCE-ID:20261126T080000Z", "DTSTART:20261126T100000Z", "SUMMARY:B"))
    let output = fixture.run(["show", file, "-f", "jsonl"]).output
    let entries = try output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      entries.map { $0["recurrenceId"] as? String } == [
        "2026-11-23T11:00:00+01:00", "2026-11-25T16:00:00+01:00", "2026-11-26T09:00:00+01:00",
      ])
    #expect(entries.allSatisfy { $0["status"] is NSNull })
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

  /// Imports an invitation for Ana with such an attendee, and returns what `event` and `invitations` say.
  private func described(attendee parameters: String, _ lines: [String] = []) throws -> [String] {
    let file = try file(
      event(
        "meeting",
        (["DTSTART:20261123T100000Z", "SUMMARY:Meeting", "ORGANIZER:mailto:boss@example.com"]
          + ["ATTENDEE\(parameters):mailto:ana@example.com"] + lines).joined(separator: "\n")))
    try #require(fixture.run(["import", file], isPinned: false).status == .done)
    return [
      fixture.run(["event", "meeting"]).output,
      fixture.run(["invitations", "--as", "ana@example.com"]).output,
      fixture.run(["event", "meeting", "-f", "json"]).output,
    ]
  }

  // Checks RFC 5545: 3.2.12/2
  @Test("an unknown PARTSTAT is no answer, and JSON has the word of the file")
  func unknownAnswer() throws {
    let unknown = try described(attendee: ";PARTSTAT=X-LATER")
    let open = try described(attendee: ";PARTSTAT=NEEDS-ACTION")
    #expect(unknown[0] == open[0] && unknown[0].contains("ana@example.com: not answered"))
    #expect(unknown[1] == open[1] && unknown[1].contains("Meeting"))
    #expect(unknown[2].contains(#""status":"x-later""#))
    let answered = try described(attendee: ";PARTSTAT=DELEGATED")
    #expect(!answered[1].contains("Meeting"))
  }

  // Checks RFC 5545: 3.2.3/1, 3.2.16/1
  @Test("an unknown ROLE is that of somebody required, and an unknown CUTYPE is UNKNOWN")
  func unknownRoleAndType() throws {
    let known = try described(attendee: ";ROLE=REQ-PARTICIPANT;CUTYPE=UNKNOWN")
    let unknown = try described(attendee: ";ROLE=X-JUDGE;CUTYPE=X-ROBOT")
    #expect(unknown[0] == known[0] && known[0].contains("ana@example.com"))
    #expect(unknown[1] == known[1] && known[1].contains("Meeting"))
    #expect(try described(attendee: ";CUTYPE=ROOM")[0] != known[0])
  }

  // Checks RFC 5545: 3.8.1.3/1
  @Test("an unknown CLASS is private, and JSON has the word of the file")
  func unknownClass() throws {
    let unknown = try described(attendee: "", ["CLASS:X-SECRET"])
    let known = try described(attendee: "", ["CLASS:PRIVATE"])
    #expect(unknown[0] == known[0] && unknown[0].contains("private"))
    #expect(unknown[2].contains(#""class":"x-secret""#))
  }

  // Checks RFC 5545: 3.8.6.1/2
  @Test("an alarm with an unknown ACTION does not go off, and is kept")
  func unknownAction() throws {
    func alarm(_ action: String, _ minutes: Int) -> String {
      "BEGIN:VALARM\nACTION:\(action)\nTRIGGER:-PT\(minutes)M\nEND:VALARM"
    }
    let file = try file(
      event(
        "a", "DTSTART:20261123T100000Z", "SUMMARY:Talk", alarm("X-FLASH", 5),
        alarm("DISPLAY", 10), alarm("audio", 15), alarm("PROCEDURE", 20)),
      event("b", "DTSTART:20261123T120000Z", "SUMMARY:Flash", alarm("IANA-NEW", 5)))
    #expect(
      rows(["alarms", file, "--within", "4d"]).map { $0["alarm"]?.dropFirst(11).prefix(5) }
        == ["10:40", "10:45", "10:50"])
    try #require(fixture.run(["import", file], isPinned: false).status == .done)
    // Between 10:52 and 10:55 only X-FLASH would go off. The other event has no alarm that counts, so it
    // gets the default.
    for (minute, name) in [("10:52", "before"), ("10:55", "shown"), ("12:55", "shown")] {
      let notified = fixture.run([
        "notify", "--once", "--now", "2026-11-23T\(minute):00+01:00",
        "--command", "cat >> '\(fixture.path(name))'; :", "--default", "5m",
      ])
      #expect(notified.status == .done, "\(notified.errors)")
    }
    let text = try String(contentsOfFile: fixture.path("shown"), encoding: .utf8)
    #expect(text.contains("Flash") && !text.contains("Talk"))
    let export = fixture.run(["export"], isPinned: false).output
    #expect(export.contains("ACTION:X-FLASH\r\n") && export.contains("ACTION:IANA-NEW\r\n"))
    #expect(fixture.run(["event", "talk", "-f", "json"]).output.contains("x-flash"))
  }

  // Checks RFC 5545: 3.3.14/3
  @Test("an offset has less than 60 seconds and minutes", arguments: ["+010060", "-0060", "+0199"])
  func offsets(_ offset: String) throws {
    func zone(_ offset: String) -> String {
      """
      BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:19700101T000000
      TZOFFSETFROM:\(offset)\nTZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE
      """
    }
    let own = event("a", "DTSTART;TZID=Own:20261123T100000", "SUMMARY:Own")
    let wrong = fixture.run(["check", try file(zone(offset), own)]).output
    #expect(wrong.contains("unknown TZID \"Own\""), "\(wrong)")
    let right = fixture.run(["check", try file(zone("+010059"), own)]).output
    #expect(!right.contains("unknown TZID"), "\(right)")
  }

  /// The lines of the reply to an invitation, unfolded.
  private func reply(_ kind: String, _ lines: [String]) throws -> [String] {
    let file = try file(component(kind, "meeting", lines))
    try #require(fixture.run(["import", file], isPinned: false).status == .done)
    let reply = fixture.run(["reply", "meeting", "--accept", "--as", "ana@example.com"])
    try #require(reply.status == .done, "\(reply.errors)")
    return reply.output.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
  }

  // Checks RFC 5545: 5/4
  // Checks RFC 5546: 3.2.2.3/7, 3.2.3/2, 3.2.3/3, 3.4.2.3/6, 3.4.3/2, 3.4.3/3
  @Test(
    "a reply keeps the group and the delegator of the attendee, and changes nothing else",
    arguments: ["VEVENT", "VTODO"])
  func reply(_ kind: String) throws {
    let kept = [
      "DTSTART:20261123T100000Z", "SUMMARY:Plan\\, then act", "SEQUENCE:3",
      "ORGANIZER;CN=Boss:mailto:boss@example.com",
    ]
    let attendee =
      "ATTENDEE;MEMBER=\"mailto:team@example.com\";DELEGATED-FROM=\"mailto:cy@example.com\""
    let lines = try reply(
      kind,
      kept + [
        attendee + ";PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ana@example.com",
        "ATTENDEE:mailto:bo@example.com", "LOCATION:Room 2", "BEGIN:VALARM", "ACTION:DISPLAY",
        "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM",
      ])
    #expect(lines.contains("METHOD:REPLY") && lines.contains("VERSION:2.0"))
    for line in kept + ["UID:meeting", "DTSTAMP:20261121T080000Z"] {
      #expect(lines.count { $0 == line } == 1, "\(line)")
    }
    let attendees = lines.filter { $0.hasPrefix("ATTENDEE") }
    #expect(attendees.count == 1)
    let own = attendees.first ?? ""
    #expect(own.hasPrefix(attendee) && own.hasSuffix(":mailto:ana@example.com"))
    #expect(own.contains(";PARTSTAT=ACCEPTED") && !own.contains("NEEDS-ACTION"))
    #expect(!lines.contains("BEGIN:VALARM") && !lines.contains { $0.hasPrefix("RECURRENCE-ID") })
    #expect(lines.count { $0.hasPrefix("BEGIN:") } == 2)
  }

  // Checks RFC 5546: 3.1.2/1, 3.1.2/2, 3.1.2/3
  @Test("a reply defines the zone of its times, with local starts")
  func zoneOfReply() throws {
    let lines = try reply(
      "VEVENT",
      [
        "DTSTART;TZID=Europe/Berlin:20261123T100000", "SUMMARY:Plan",
        "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com",
      ])
    #expect(lines.contains("DTSTART;TZID=Europe/Berlin:20261123T100000"))
    let begin = try #require(lines.firstIndex(of: "BEGIN:VTIMEZONE"))
    let end = try #require(lines.firstIndex(of: "END:VTIMEZONE"))
    let zone = lines[begin..<end]
    #expect(zone.contains("TZID:Europe/Berlin"))
    #expect(zone.contains("BEGIN:STANDARD") && zone.contains("BEGIN:DAYLIGHT"))
    let starts = zone.filter { $0.hasPrefix("DTSTART") }
    #expect(!starts.isEmpty && starts.allSatisfy { $0.hasPrefix("DTSTART:") && !$0.hasSuffix("Z") })
  }

  // Checks RFC 9253: 1.4/1, 8/1, 9.1/2
  // Checks RFC 5546: 3.7.3/1
  @Test("a link is no attachment; links, concepts, keys and relations are kept")
  func relations() throws {
    let lines = [
      "LINK;LINKREL=SOURCE;LABEL=Venue;VALUE=URI:https://example.com/venue",
      "LINK;VALUE=UID;LINKREL=\"https://example.com/from\":other@example.com",
      "CONCEPT:https://example.com/kinds/music", "REFID:journey-1",
      "RELATED-TO;VALUE=URI;RELTYPE=STARTTOFINISH;GAP=-P1D:https://example.com/a.ics",
      "RELATED-TO;RELTYPE=DEPENDS-ON:other@example.com",
    ]
    let file = try file(
      event("a", (["DTSTART:20261123T100000Z", "SUMMARY:A"] + lines).joined(separator: "\n")),
      component("VTODO", "b", ["SUMMARY:B"] + lines), component("VJOURNAL", "c", lines))
    #expect(
      fixture.run(["show", file, "-f", "json"]).output.contains(#""attachments":[]"#))
    #expect(fixture.run(["attachment", "1.1", file]).status == .failed)
    try #require(fixture.run(["import", file], isPinned: false).status == .done)
    let export = fixture.run(["export"], isPinned: false).output.replacing("\r\n ", with: "")
    for line in lines {
      #expect(export.components(separatedBy: "\r\n\(line)\r\n").count == 4, "\(line)")
    }
  }

  // Checks RFC 5546: 5.1.1/2
  @Test("CALSCALE, PRODID and VERSION change nothing")
  func calendarProperties() throws {
    let event = event("a", "DTSTART:20261123T100000Z", "RRULE:FREQ=WEEKLY;COUNT=2", "SUMMARY:A")
    func starts(_ head: [String]) throws -> [String?] {
      try fixture.write(
        "b.ics",
        (["BEGIN:VCALENDAR"] + head + [event, "END:VCALENDAR", ""]).joined(separator: "\n"))
      return rows(["show", fixture.path("b.ics")]).map { $0["start"] }
    }
    let plain = try starts(["VERSION:2.0", "PRODID:x"])
    #expect(plain.count == 2)
    #expect(try starts(["VERSION:2.0", "PRODID:x", "CALSCALE:JULIAN"]) == plain)
    #expect(try starts(["VERSION:3.0"]) == plain)
    #expect(try starts([]) == plain)
  }

  // Checks RFC 5546: 5.1.3/2, 5.1.4/2
  @Test(
    "rules of tasks and journals count in the zone that the file defines",
    arguments: ["VTODO", "VJOURNAL"])
  func ownZone(_ kind: String) throws {
    let zone = """
      BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0300
      TZOFFSETTO:+0300\nEND:STANDARD\nEND:VTIMEZONE
      """
    let file = try file(
      zone,
      component(
        kind, "a",
        ["DTSTART;TZID=Own:20261123T100000", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:A"]))
    #expect(
      rows(["show", file, "--tasks", "--journal", "--once"]).map { $0["start"] }
        == ["2026-11-23T08:00:00+01:00", "2026-11-24T08:00:00+01:00"])
  }
}
