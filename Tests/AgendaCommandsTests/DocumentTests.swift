import Testing

@testable import AgendaCommands

/// The JSON documents of commands that list no agenda, byte by byte. Programs read them.
@Suite("JSON documents of one entry and of the store")
struct DocumentTests {
  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    try fixture.write(
      "club.ics",
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:talk
      SUMMARY:Talk
      DTSTART;TZID=Europe/London:20261128T100000
      DURATION:PT1H
      RRULE:FREQ=WEEKLY;COUNT=3
      CLASS:PRIVATE
      PRIORITY:2
      LAST-MODIFIED:20261101T080000Z
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT10M
      DESCRIPTION:Go
      END:VALARM
      END:VEVENT
      END:VCALENDAR

      """)
  }

  private func json(_ arguments: [String]) -> String {
    fixture.run(arguments + ["-f", "json"]).output
  }

  @Test("undo --list has each change with its calendars and titles")
  func undo() throws {
    #expect(json(["undo", "--list"]) == "{\"version\":1,\"steps\":[]}\n")
    _ = fixture.run(
      ["import", fixture.path("club.ics"), fixture.path("home.ics")]
        + ["--now", "2026-11-20T18:00:00+01:00"], isPinned: false)
    _ = fixture.run(["add", "Tea", "--at", "2026-11-24"])
    #expect(
      json(["undo", "--list"])
        == #"{"version":1,"steps":[{"number":1,"time":"2026-11-21T09:00:00+01:00","command":"add","#
        + #""calendars":["local"],"titles":["Tea"]},{"number":2,"time":"2026-11-20T18:00:00+01:00","#
        + #""command":"import","calendars":["Home","club"],"titles":["Cake","Talk"]}]}"# + "\n")
  }

  @Test("explain has one line for each fact")
  func explain() throws {
    #expect(
      json(["explain", "talk", fixture.path("club.ics")])
        == #"""
        {"version":1,"id":"\#(try id("talk"))","title":"Talk",\#
        "start":"2026-11-28T11:00:00+01:00","facts":[
        {"heading":"source","text":"\#(fixture.path("club.ics")):2"},
        {"heading":"written as","text":"DTSTART;TZID=Europe/London:20261128T100000"},
        {"heading":"written as","text":"DURATION:PT1H"},
        {"heading":"time zone","text":"\#(try zoneText())"},
        {"heading":"shown in","text":"Europe/Berlin (1 h ahead)"},
        {"heading":"rule","text":"every Saturday, 3 times"},
        {"heading":"written as","text":"RRULE:FREQ=WEEKLY;COUNT=3"},
        {"heading":"first","text":"Saturday, 28 November 2026, 11:00"},
        {"heading":"number","text":"1"}]}

        """#)
  }

  @Test("a task without a date has no start in its explanation")
  func undated() throws {
    try fixture.write(
      "paint.ics",
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:paint\nSUMMARY:Paint\nEND:VTODO\nEND:VCALENDAR\n")
    let text = json(["explain", "paint", fixture.path("paint.ics")])
    #expect(text.contains(#""title":"Paint","start":null,"facts":["#), "\(text)")
  }

  @Test("event has the entry as show has it, then what only the event has")
  func event() throws {
    let shown = json(["show", fixture.path("club.ics")])
    let entries = shown.split(separator: "\n").filter { $0.hasPrefix(#"{"indexPath":"1.1""#) }
    let entry = try #require(entries.first)
    #expect(
      json(["event", "talk", fixture.path("club.ics")])
        == #"{"version":1,"entry":\#(entry),"#
        + #""source":"\#(fixture.path("club.ics")):2","#
        + #""rules":[{"rrule":"FREQ=WEEKLY;COUNT=3","words":"every Saturday, 3 times"}],"#
        + #""next":["2026-12-05T11:00:00+01:00","2026-12-12T11:00:00+01:00"],"#
        + #""alarms":[{"action":"display","words":"10 min before the start (message)","description":"Go"}],"#
        + #""class":"private","priority":2,"created":null,"#
        + #""lastModified":"2026-11-01T09:00:00+01:00","#
        + #""properties":["UID:talk","SUMMARY:Talk","#
        + #""DTSTART;TZID=Europe/London:20261128T100000","DURATION:PT1H","#
        + #""RRULE:FREQ=WEEKLY;COUNT=3","CLASS:PRIVATE","PRIORITY:2","#
        + #""LAST-MODIFIED:20261101T080000Z"]}"# + "\n")
  }

  @Test("doctor has an object with the facts and a list of problems")
  func doctor() throws {
    let text = json(["doctor"])
    #expect(text.hasPrefix(#"{"version":1,"facts":{"agenda":""#), "\(text)")
    #expect(
      text.hasSuffix(#","imports":"none yet; run agenda import FILE"},"problems":[]}"# + "\n"))
    try fixture.importAll()
    let filled = json(["doctor"])
    #expect(filled.contains(#","imports kept":"1","thumbnails pending":"0","permissions":""#))
    let broken = fixture.run(["doctor", "-f", "json", "--store", fixture.path("work.ics")])
    #expect(broken.output.contains(#"},"problems":["\#(fixture.path("work.ics"))"#), "\(broken)")
  }

  private func id(_ uid: String) throws -> String {
    let rows = fixture.rows(["show", fixture.path("club.ics"), "--from", "2026-11-28"])
    return try #require(rows.first { $0["uid"] == uid }?["id"])
  }

  /// The zone with the version and the folder of its rules on this machine.
  private func zoneText() throws -> String {
    let text = fixture.run(["explain", "talk", fixture.path("club.ics")]).output
    let line = try #require(text.split(separator: "\n").first { $0.contains("rules of tzdata") })
    let found = try #require(line.range(of: "Europe/London"))
    return String(line[found.lowerBound...])
  }
}
