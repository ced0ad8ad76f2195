import Foundation
import TestSupport
import Testing

/// `invitations`, the marks in listings, and `reply --only`.
@Suite("invitations that are not answered")
struct InvitationTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "invitations": [
      "from", "to", "days", "weeks", "months", "years", "as", "calendar", "search", "format",
      "locale", "ids", "if-any",
    ]
  ]

  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    func event(_ uid: String, _ lines: String..., answer: String = "NEEDS-ACTION") -> String {
      ([
        "BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20261101T000000Z", "SUMMARY:\(uid)",
        "ORGANIZER:mailto:boss@example.com",
        "ATTENDEE;PARTSTAT=\(answer);RSVP=TRUE:mailto:Ana@example.com",
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com",
      ] + lines + ["END:VEVENT"]).joined(separator: "\r\n")
    }
    let calendar = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x",
      event("Planning", "DTSTART:20261124T090000Z", "DTEND:20261124T100000Z", "RRULE:FREQ=WEEKLY"),
      event("Dinner", "DTSTART:20261201T180000Z"),
      event("Known", "DTSTART:20261125T180000Z", answer: "ACCEPTED"),
      event("Off", "DTSTART:20261125T180000Z", "STATUS:CANCELLED"),
      event("Over", "DTSTART:20261101T180000Z"), "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
    try fixture.write("mine.ics", calendar)
    try fixture.write("folder/one.ics", calendar.replacing("Planning", with: "Team"))
    let sources = [fixture.path("mine.ics"), fixture.path("folder")]
    let imported = fixture.run(["import"] + sources, isPinned: false)
    try #require(imported.status == .done, "\(imported.errors)")
  }

  private func configured(_ arguments: [String], columns: Int? = nil) throws -> InMemoryRun {
    try fixture.write("config/agenda/config", "address = ana@example.com\n")
    return InMemoryRun(
      arguments.prefix(1) + ["--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin"]
        + arguments.dropFirst(),
      variables: ["AGENDA_STORE": fixture.store, "XDG_CONFIG_HOME": fixture.path("config")],
      columns: columns)
  }

  private func invitations(_ options: String...) -> [String] {
    let run = fixture.run(["invitations", "--as", "ana@example.com"] + options)
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("a declined invitation leaves its time free, overlaps nothing, and is marked")
  func declined() throws {
    fixture.run(["add", "wed", "19:15", "Cinema", "--for", "1h"])
    try fixture.write(
      "party.ics",
      TestSupport.calendar(
        TestSupport.event(
          "party", "DTSTART:20261125T180000Z", "DTEND:20261125T190000Z", "SUMMARY:Party",
          "ORGANIZER:mailto:boss@example.com",
          "ATTENDEE;PARTSTAT=DECLINED:mailto:ANA@example.com",
          "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com")))
    fixture.run(["import", fixture.path("party.ics")], isPinned: false)
    let free = ["free", "wed", "--days", "1", "--between", "19:00-20:00"]
    #expect(try configured(free).output.contains("19:00–19:15"))
    #expect(!fixture.run(free).output.contains("19:00"))
    let conflicts = ["free", "wed", "--days", "1", "--conflicts"]
    #expect(try !configured(conflicts).output.contains("Party"))
    #expect(fixture.run(conflicts).output.contains("Party"))
    let list = ["today", "wed", "--calendar", "local", "--calendar", "party"]
    let own = try configured(list, columns: 80).output
    #expect(own.contains("declined") && !own.contains("overlaps"), "\(own)")
    let other = fixture.run(list, columns: 80).output
    #expect(!other.contains("declined") && other.contains("overlaps"), "\(other)")
    #expect(try configured(list + ["--locale", "de"]).output.contains("(abgelehnt)"))
  }

  @Test("they are listed with their times, each series once")
  func listed() throws {
    let all = invitations("--calendar", "mine")
    #expect(
      all == [
        "Planning · Tuesday, 24 November 2026, 10:00–11:00 (1 h) · every Tuesday · boss@example.com",
        "Dinner · Tuesday, 1 December 2026, 19:00 · boss@example.com",
      ])
    #expect(invitations().count == 4)
    #expect(invitations("--search", "team").count == 1)
    #expect(invitations("--calendar", "mine", "--locale", "de")[0].contains("24. November 2026"))
    let ids = invitations("--ids", "--search", "team")
    let id = try #require(ids.first?.split(separator: " ").last.map(String.init))
    #expect(fixture.run(["event", id]).output.hasPrefix("Team\n"))
    let json = invitations("-f", "jsonl", "--search", "team")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json[0].utf8)) as? [String: Any])
    #expect(object["organizer"] as? String == "boss@example.com")
    #expect(object["start"] as? String == "2026-11-24T10:00:00+01:00")
    #expect(invitations("-f", "json")[0] == "{\"version\":1,\"invitations\":[")
  }

  @Test("the window, and no address or no invitation")
  func window() throws {
    for (options, count) in [
      (["--to", "2026-11-30"], 1), (["--days", "4"], 1), (["--weeks", "1"], 1),
      (["--months", "1"], 2), (["--years", "1"], 2), (["--from", "2026-12-02"], 1),
    ] {
      let run = fixture.run(
        ["invitations", "--as", "ana@example.com", "--calendar", "mine"] + options)
      #expect(run.output.split(separator: "\n").count == count, "\(options) \(run)")
    }
    #expect(fixture.run(["invitations", "--as", "bo@example.com"]).output == "Nothing found.\n")
    #expect(fixture.run(["invitations", "--as", "bo@example.com", "--if-any"]).output == "")
    #expect(fixture.run(["invitations", "--as", "boss@example.com"]).output == "Nothing found.\n")
    let none = fixture.run(["invitations"])
    #expect(none.status == .wrongCommandLine && none.errors.contains("--as"))
    #expect(try configured(["invitations"]).output.split(separator: "\n").count == 4)
  }

  @Test("listings mark them if the configuration has the address")
  func marks() throws {
    let show = ["show", "--calendar", "mine", "--days", "5"]
    let text = try configured(show).output
    #expect(text.contains("  10:00–11:00  Planning (not answered) · mine\n"), "\(text)")
    #expect(!text.contains("Known ("))
    #expect(try configured(show + ["-f", "markdown"]).output.contains("Planning (not answered)"))
    #expect(try configured(show + ["-f", "html"]).output.contains("not answered"))
    #expect(try configured(show + ["--locale", "de"]).output.contains("Planning (keine Antwort)"))
    #expect(!fixture.run(show).output.contains("not answered"))
    let json = show + ["-f", "json"]
    #expect(try configured(json).output == fixture.run(json).output)
  }

  @Test(
    "reply --only answers one occurrence, in a folder and in somebody else's file",
    arguments: ["team", "planning"])
  func only(_ title: String) throws {
    let reply = fixture.run(["reply", title, "--accept", "--as", "ana@example.com", "--only"])
    #expect(reply.status == .done && reply.errors.isEmpty, "\(reply)")
    let lines = reply.output.split(separator: "\r\n")
    #expect(lines.contains("METHOD:REPLY") && lines.contains("RECURRENCE-ID:20261124T090000Z"))
    #expect(lines.contains("ATTENDEE;PARTSTAT=ACCEPTED:mailto:Ana@example.com"))
    #expect(!lines.contains { $0.hasPrefix("RRULE") })
    // The others are not answered.
    #expect(
      invitations("--search", title).first?.contains("Tuesday, 1 December 2026") == true,
      "\(invitations("--search", title))")
    let shown = try configured(["show", "--search", title, "--days", "12"]).output
    #expect(shown.components(separatedBy: "(not answered)").count == 2, "\(shown)")
    let again = fixture.run(["reply", title, "--decline", "--as", "ana@example.com", "--only"])
    #expect(again.output.contains("PARTSTAT=DECLINED") && again.errors.isEmpty, "\(again)")
    for _ in 0..<2 { #expect(fixture.run(["undo"], isPinned: false).status == .done) }
    #expect(
      invitations("--search", title).first?.contains("Tuesday, 24 November 2026") == true)
    let single = fixture.run(["reply", "dinner", "--accept", "--only", "--search", "x"])
    #expect(single.status != .done)
  }

  @Test("the answer to a series names the way to answer one occurrence")
  func wholeSeries() {
    let reply = fixture.run(["reply", "planning", "--accept", "--as", "ana@example.com"])
    #expect(reply.errors.hasSuffix("is for the whole series; --only answers for one occurrence\n"))
    #expect(invitations("--search", "planning") == ["Nothing found."])
  }

  @Test("a mail is read from a file and from standard input of a mail program")
  func mail() throws {
    let calendar = try String(contentsOfFile: fixture.path("mine.ics"), encoding: .utf8)
    let part = Data(calendar.replacing("Planning", with: "Mailed").utf8).base64EncodedString()
    try fixture.write(
      "invite.eml",
      "From: boss@example.com\nContent-Type: text/calendar\nContent-Transfer-Encoding: base64\n\n"
        + part + "\n")
    let path = fixture.path("invite.eml")
    #expect(fixture.run(["show", path, "--days", "5"]).output.contains("Mailed · invite"))
    #expect(fixture.run(["check", path], isPinned: false).status == .done)
    let imported = fixture.run(["import", path], isPinned: false)
    #expect(imported.output.contains("calendar invite: 5 added"), "\(imported)")
    #expect(fixture.run(["refresh"], isPinned: false).status == .done)
    try fixture.write("none.eml", "From: a@example.com\nContent-Type: text/plain\n\nHello\n")
    let none = fixture.run(["import", fixture.path("none.eml")], isPinned: false)
    #expect(none.status == .failed && none.errors.contains("this is a mail without a calendar"))
  }
}
