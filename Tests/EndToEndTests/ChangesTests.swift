import Foundation
import TestSupport
import Testing

/// What `agenda changes` says of two versions of a file, on the built program, for a reader in
/// Berlin. What is expected is written by hand.
@Suite("what imports changed")
struct ChangesTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("data/agenda.sqlite").path
  }

  private func agenda(_ arguments: String...) throws -> AgendaRun {
    try AgendaRun(
      arguments + ["--now", "2026-11-21T09:00:00+01:00"],
      environment: ["AGENDA_STORE": store], in: folder.url)
  }

  private func event(_ lines: String...) -> String {
    component("VEVENT", "a", ["SUMMARY:Standup"] + lines)
  }

  private func listed(_ old: [String], _ new: [String]) throws -> [String] {
    for components in [old, new] {
      try folder.write("x.ics", calendar(components))
      #expect(try agenda("import", "x.ics", "--calendar", "C", "--allow-shrink").status == 0)
    }
    return try listed()
  }

  private func listed() throws -> [String] {
    try agenda("changes").output.split(separator: "\n").map(String.init).filter { $0 != "C" }
  }

  private func rows() throws -> [[String: String]] { try agenda("changes", "-f", "tsv").rows }

  private static let nothing = ["Nothing changed."]

  /// Each Monday from 23 November, from nine to ten.
  private func series(_ more: String...) -> String {
    event(
      (["DTSTART;TZID=Europe/Berlin:20261123T090000", "DTEND;TZID=Europe/Berlin:20261123T100000"]
        + more).joined(separator: "\n"), more.isEmpty ? "RRULE:FREQ=WEEKLY" : "X-A:b")
  }

  private func override(_ start: String, _ more: String..., range: String = "") -> String {
    event(
      "RECURRENCE-ID\(range);TZID=Europe/Berlin:20261130T090000",
      "DTSTART;TZID=Europe/Berlin:\(start)", "DURATION:PT1H", more.joined(separator: "\n")
    ).replacingOccurrences(of: "\n\n", with: "\n")
  }

  // MARK: Lengths

  @Test(
    "an override with the times of its occurrence is not moved",
    arguments: [
      // From 22:00 to 6:00 it is eight hours, also in the night when the clocks go back.
      (
        ["DTSTART;TZID=Europe/Berlin:20261023T220000", "DTEND;TZID=Europe/Berlin:20261024T060000"],
        "20261024T220000", "20261025T050000", "20261025T060000"
      ),
      // The end is in another zone, and the clocks change between the two occurrences.
      (
        ["DTSTART;TZID=Europe/Berlin:20261024T143000", "DTEND:20261024T130000Z"],
        "20261025T143000", "20261025T150000", "20261025T153000"
      ),
      // 2:30 does not exist that day.
      (
        ["DTSTART;TZID=Europe/Berlin:20270327T023000", "DTEND;TZID=Europe/Berlin:20270327T033000"],
        "20270328T023000", "20270328T043000", "20270328T044500"
      ),
      // A date that is a period has a length.
      (
        [
          "DTSTART;TZID=Europe/Berlin:20261123T090000", "DTEND;TZID=Europe/Berlin:20261123T100000",
          "RDATE;VALUE=PERIOD:20261130T110000Z/PT3H",
        ], "20261130T120000", "20261130T150000", "20261130T160000"
      ),
    ])
  func lengths(series: [String], start: String, end: String, otherEnd: String) throws {
    let zone = ";TZID=Europe/Berlin:"
    let master = event((series + ["RRULE:FREQ=DAILY;COUNT=3"]).joined(separator: "\n"))
    func override(until end: String) -> String {
      event(
        "RECURRENCE-ID\(zone)\(start)", "DTSTART\(zone)\(start)", "DTEND\(zone)\(end)",
        "LOCATION:Gate")
    }
    let same = try listed([master], [master, override(until: end)])
    #expect(same.count == 1 && same[0].hasPrefix("  changed"), "\(same)")
    try FileManager.default.removeItem(atPath: store)
    let longer = try listed([master], [master, override(until: otherEnd)])
    #expect(longer.count == 1 && longer[0].hasPrefix("  moved"), "\(longer)")
  }

  // MARK: Values

  // Checks RFC 5546: 2.1.4/6, 2.1.4/7, 6.2.2/1
  @Test("every short property is listed with its old and its new value")
  func values() throws {
    let before = event(
      "DTSTART:20261124T090000Z", "LOCATION:Room", "URL:https://example.com/a", "CLASS:PRIVATE",
      "PRIORITY:1", "GEO:52.5;13.4", "ORGANIZER:mailto:ana@example.com", "COLOR:red",
      "TRANSP:OPAQUE")
    let after = event(
      "DTSTART:20261124T090000Z", "LOCATION:Hall", "URL:https://example.com/b", "PRIORITY:9",
      "GEO:48.1;11.5", "ORGANIZER:mailto:bo@example.com", "COLOR:blue", "TRANSP:TRANSPARENT")
    let lines = try listed([before], [after])
    let line = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    for difference in [
      "location: Room → Hall", "link: https://example.com/a → https://example.com/b",
      "class: private → –", "priority: 1 → 9", "coordinates: 52.5, 13.4 → 48.1, 11.5",
      "organizer: ana@example.com → bo@example.com", "colour: red → blue",
      "time: – → free (TRANSP:TRANSPARENT)",
    ] { #expect(line.contains(difference), "\(difference) in \(line)") }
  }

  @Test("texts, alarms and dates of a series are listed with their old and new values too")
  func longValues() throws {
    func alarm(_ trigger: String) -> String {
      "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:\(trigger)\nDESCRIPTION:x\nEND:VALARM"
    }
    let rule = ["DTSTART:20261124T090000Z", "RRULE:FREQ=WEEKLY"].joined(separator: "\n")
    let word = String(repeating: "word ", count: 20)
    let before = event(
      rule, "DESCRIPTION:Bring cake", "RDATE:20261125T090000Z,20261126T090000Z",
      alarm("-PT10M"), alarm("-PT1H"))
    let after = event(
      rule, "DESCRIPTION:Bring\\n\(word)", "RDATE:20261126T090000Z,20261127T090000Z",
      alarm("-PT10M"), alarm("-P1D"))
    let line = try listed([before], [after]).map { $0.drop { $0 == " " } }.joined(separator: " ")
    for difference in [
      "description: Bring cake → Bring word word word word word word word word word word word…",
      "added: Wed, 25 Nov 2026, 10:00 → Fri, 27 Nov 2026, 10:00",
      "alarms: 1 h before the start (message) → 1 d before the start (message)",
    ] { #expect(line.contains(difference), "\(difference) in \(line)") }
    // Two long texts that begin in the same way are only named.
    let (one, other) = (event(rule, "DESCRIPTION:\(word)a"), event(rule, "DESCRIPTION:\(word)b"))
    #expect(try listed([one], [other]).last?.hasSuffix("10:00: description") == true)
  }

  @Test("a task that was completed is done once")
  func completed() throws {
    let task = ["SUMMARY:Rent", "DUE:20261124T090000Z"]
    let done = ["STATUS:COMPLETED", "PERCENT-COMPLETE:100", "COMPLETED:20261121T080000Z"]
    #expect(
      try listed([component("VTODO", "t", task)], [component("VTODO", "t", task + done)]) == [
        "  changed    Rent: Tue, 24 Nov 2026, 10:00: status: – → completed; "
          + "done: – → Sat, 21 Nov 2026, 09:00"
      ])
    #expect(try rows().first?["properties"] == "STATUS,PERCENT-COMPLETE,COMPLETED")
  }

  @Test("the overrides of a series that moves move along, and are not listed")
  func movedSeries() throws {
    func series(_ time: String, _ exception: String) -> String {
      event(
        "DTSTART;TZID=Europe/Berlin:20261123T\(time)", "DURATION:PT1H", "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Berlin:20261214T\(exception)")
    }
    func override(_ place: String, _ start: String, _ title: String) -> String {
      component(
        "VEVENT", "a",
        [
          "SUMMARY:\(title)", "RECURRENCE-ID;TZID=Europe/Berlin:\(place)",
          "DTSTART;TZID=Europe/Berlin:\(start)", "DURATION:PT1H",
        ])
    }
    let old = [
      series("090000", "090000"), override("20261130T090000", "20261201T120000", "Out"),
      override("20261207T090000", "20261207T140000", "Late"),
    ]
    #expect(
      try listed(
        old,
        [
          series("100000", "100000"), override("20261130T100000", "20261201T120000", "Out"),
          override("20261207T100000", "20261207T150000", "Late"),
        ]) == [
          "  moved      Standup: Mon, 23 Nov 2026, 09:00 → Mon, 23 Nov 2026, 10:00; also excluded: "
            + "Mon, 14 Dec 2026, 09:00 → Mon, 14 Dec 2026, 10:00",
          "  moved      Late: Mon, 7 Dec 2026, 14:00 → Mon, 7 Dec 2026, 15:00",
        ])
    // By a week: the first override takes the place that the second one had.
    let week = event(
      "DTSTART;TZID=Europe/Berlin:20261130T100000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY",
      "EXDATE;TZID=Europe/Berlin:20261221T100000")
    try folder.write(
      "x.ics",
      calendar([
        week, override("20261207T100000", "20261201T120000", "Out"),
        override("20261214T100000", "20261207T150000", "Late"),
      ]))
    #expect(try agenda("import", "x.ics", "--calendar", "C").status == 0)
    #expect(
      try listed() == [
        "  moved      Standup: Mon, 23 Nov 2026, 10:00 → Mon, 30 Nov 2026, 10:00; also excluded: "
          + "Mon, 14 Dec 2026, 10:00 → Mon, 21 Dec 2026, 10:00"
      ])
  }

  @Test("a cancellation lists the other changes too")
  func cancelledAndChanged() throws {
    let start = "DTSTART:20261124T090000Z"
    #expect(
      try listed(
        [event(start, "LOCATION:Room")], [event(start, "STATUS:CANCELLED", "LOCATION:Hall")])
        == [
          "  cancelled  Standup: Tue, 24 Nov 2026, 10:00; also location: Room → Hall"
        ])
  }

  // MARK: Overrides that go

  @Test("an occurrence that was cancelled takes place again when its override goes")
  func cancelledComesBack() throws {
    let cancelled = override("20261130T090000", "STATUS:CANCELLED")
    #expect(
      try listed([series(), cancelled], [series()])
        == ["  added      Standup: Mon, 30 Nov 2026, 09:00, takes place again"])
    let row = try #require(try rows().first)
    #expect(row["change"] == "added")
    #expect(row["from"] == "")
    #expect(row["to"] == "2026-11-30T09:00:00+01:00")
  }

  @Test("an occurrence that was moved is moved back when its override goes")
  func movedBack() throws {
    #expect(
      try listed([series(), override("20261201T140000")], [series()])
        == ["  moved      Standup: Tue, 1 Dec 2026, 14:00 → Mon, 30 Nov 2026, 09:00"])
    let row = try #require(try rows().first)
    #expect(row["from"] == "2026-12-01T14:00:00+01:00")
    #expect(row["to"] == "2026-11-30T09:00:00+01:00")
  }

  @Test("an override that names its occurrence in UTC is moved back just so")
  func movedBackFromUTC() throws {
    let moved = event(
      "RECURRENCE-ID:20261130T080000Z", "DTSTART:20261201T130000Z", "DTEND:20261201T140000Z")
    #expect(
      try listed([series(), moved], [series()])
        == ["  moved      Standup: Tue, 1 Dec 2026, 14:00 → Mon, 30 Nov 2026, 09:00"])
  }

  @Test("THISANDFUTURE changes mention the following occurrences")
  func following() throws {
    let moved = override("20261201T140000", range: ";RANGE=THISANDFUTURE")
    #expect(
      try listed([series(), moved], [series()]) == [
        "  moved      Standup: Tue, 1 Dec 2026, 14:00 → Mon, 30 Nov 2026, 09:00, and all following"
      ])
  }

  @Test("an override that had another title is a change when it goes, and none if it had nothing")
  func titleBack() throws {
    let renamed = override("20261130T090000").replacing("SUMMARY:Standup", with: "SUMMARY:Retro")
    #expect(
      try listed([series(), renamed], [series()])
        == ["  changed    Standup: Mon, 30 Nov 2026, 09:00: title: Retro → Standup"])
    #expect(try listed([series(), override("20261130T090000")], [series()]) == Self.nothing)
  }

  @Test("an occurrence that the series excludes or drops is removed with its override")
  func removed() throws {
    let moved = override("20261201T140000")
    let lines = try listed(
      [series(), moved],
      [
        series("RRULE:FREQ=WEEKLY\nEXDATE;TZID=Europe/Berlin:20261130T090000")
      ])
    let removal = "  removed    Standup: Tue, 1 Dec 2026, 14:00"
    #expect(lines == [removal])
    let both = try listed(
      [series(), moved],
      [series("RRULE:FREQ=WEEKLY\nEXDATE;TZID=Europe/Berlin:20261130T090000,20261207T090000")])
    #expect(both == ["  changed    Standup: no longer on Mon, 7 Dec 2026, 09:00", removal])
    let ended = try listed([series(), moved], [series("RRULE:FREQ=WEEKLY;UNTIL=20261129T000000Z")])
    #expect(
      ended == [
        "  changed    Standup: Mon, 23 Nov 2026, 09:00: "
          + "rule: every Monday → every Monday until 29 November 2026, 01:00",
        "  removed    Standup: Tue, 1 Dec 2026, 14:00",
      ])
  }

  @Test("a cancellation that leaves its folder gives the occurrence back")
  func cancellationGoes() throws {
    try folder.write("C/series.ics", calendar([series()]))
    try folder.write(
      "C/cancel.ics",
      calendar(
        [event("RECURRENCE-ID;TZID=Europe/Berlin:20261130T090000", "SEQUENCE:1")],
        ["METHOD:CANCEL"]))
    _ = try agenda("import", "C")
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("C/cancel.ics"))
    _ = try agenda("import", "C")
    #expect(try listed() == ["  added      Standup: Mon, 30 Nov 2026, 09:00, takes place again"])
  }

  // MARK: Times

  @Test(
    "the same moment and length in another notation is not a move",
    arguments: [
      (
        "DTSTART;TZID=America/New_York:20261123T190000\nDTEND;TZID=America/New_York:20261123T200000",
        "DTSTART:20261124T000000Z\nDTEND:20261124T010000Z",
        "Tue, 24 Nov 2026, 01:00: DTSTART; DTEND"
      ),
      (
        "DTSTART:20261124T000000Z\nDTEND:20261124T010000Z",
        "DTSTART:20261124T000000Z\nDURATION:PT1H", "Tue, 24 Nov 2026, 01:00: DTEND"
      ),
      (
        "DTSTART;TZID=Europe/Berlin:20261123T090000\nDURATION:PT1H",
        "DTSTART;TZID=Europe/Paris:20261123T090000\nDURATION:PT1H",
        "Mon, 23 Nov 2026, 09:00: DTSTART"
      ),
    ])
  func rewritten(_ old: String, _ new: String, _ line: String) throws {
    #expect(try listed([event(old)], [event(new)]) == ["  changed    Standup: \(line)"])
  }

  @Test(
    "a changed length is listed with both ends",
    arguments: [
      (
        "DTSTART:20261123T080000Z\nDTEND:20261123T090000Z",
        "DTSTART:20261123T080000Z\nDTEND:20261123T103000Z",
        "Mon, 23 Nov 2026, 09:00–10:00 → Mon, 23 Nov 2026, 09:00–11:30"
      ),
      (
        "DTSTART:20261123T080000Z\nDTEND:20261123T090000Z",
        "DTSTART:20261123T090000Z\nDTEND:20261123T093000Z",
        "Mon, 23 Nov 2026, 09:00–10:00 → Mon, 23 Nov 2026, 10:00–10:30"
      ),
      (
        "DTSTART;VALUE=DATE:20261123", "DTSTART;VALUE=DATE:20261123\nDTEND;VALUE=DATE:20261126",
        "Mon, 23 Nov 2026, until Mon, 23 Nov 2026 → Wed, 25 Nov 2026"
      ),
    ])
  func otherLength(_ old: String, _ new: String, _ line: String) throws {
    #expect(try listed([event(old)], [event(new)]) == ["  moved      Standup: \(line)"])
  }

  @Test("programs get the ends too")
  func ends() throws {
    _ = try listed(
      [event("DTSTART:20261123T080000Z", "DTEND:20261123T090000Z")],
      [event("DTSTART:20261123T080000Z", "DTEND:20261123T103000Z")])
    let row = try #require(try rows().first)
    #expect(row["fromEnd"] == "2026-11-23T10:00:00+01:00")
    #expect(row["toEnd"] == "2026-11-23T11:30:00+01:00")
    #expect(
      try agenda("changes", "-f", "jsonl").output.hasSuffix(
        #""fromEnd":"2026-11-23T10:00:00+01:00","toEnd":"2026-11-23T11:30:00+01:00"}"# + "\n"))
  }

  // MARK: Else

  @Test("invisible differences are not listed in any format")
  func unseen() throws {
    let start = "DTSTART:20261123T080000Z"
    #expect(
      try listed(
        [event(start, "CATEGORIES:A,B")],
        [
          event(
            "X-MOZ-GENERATION:4", "CATEGORIES:B,A", "SEQUENCE:7", "LAST-MODIFIED:20261120T000000Z",
            start)
        ]) == Self.nothing)
    #expect(try agenda("changes", "--if-any").output == "")
    #expect(try rows().isEmpty)
    #expect(try agenda("changes", "-f", "jsonl").output == "")
  }

  @Test("an event that is not cancelled any more takes place again")
  func uncancelled() throws {
    let start = "DTSTART:20261123T080000Z"
    #expect(
      try listed([event(start, "STATUS:CANCELLED")], [event(start, "STATUS:CONFIRMED")])
        == ["  added      Standup: Mon, 23 Nov 2026, 09:00, takes place again"])
  }

  @Test("a new EXDATE is listed with the date that it excludes")
  func excluded() throws {
    #expect(
      try listed(
        [series("RRULE:FREQ=WEEKLY")],
        [series("RRULE:FREQ=WEEKLY\nEXDATE;TZID=Europe/Berlin:20261207T090000")])
        == ["  changed    Standup: no longer on Mon, 7 Dec 2026, 09:00"])
    #expect(
      try listed(
        [series("RRULE:FREQ=WEEKLY\nEXDATE;TZID=Europe/Berlin:20261207T090000")],
        [series("RRULE:FREQ=WEEKLY\nEXDATE:20261214T080000Z\nLOCATION:Roof")])
        == [
          "  changed    Standup: no longer on Mon, 14 Dec 2026, 09:00; again on Mon, 7 Dec 2026, 09:00; also location: – → Roof"
        ])
  }

  @Test("properties that only the text contains count as changes")
  func textAlone() throws {
    let start = "DTSTART:20261123T080000Z"
    let picture = "ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:"
    #expect(
      try listed(
        [event(start, "COMMENT:Yes", picture + "YWJj")],
        [event(start, "COMMENT:No", picture + "YWJk")])
        == ["  changed    Standup: Mon, 23 Nov 2026, 09:00: attachments; COMMENT"])
  }

  @Test("a whole-day series and a floating one have their occurrences back too")
  func otherForms() throws {
    let days = event("DTSTART;VALUE=DATE:20261123", "RRULE:FREQ=WEEKLY")
    let offDay = event(
      "RECURRENCE-ID;VALUE=DATE:20261130", "DTSTART;VALUE=DATE:20261130", "STATUS:CANCELLED")
    #expect(
      try listed([days, offDay], [days])
        == ["  added      Standup: Mon, 30 Nov 2026, takes place again"])
    let floating = event("DTSTART:20261123T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY")
    let later = event(
      "RECURRENCE-ID:20261130T090000", "DTSTART:20261130T110000", "DURATION:PT2H")
    #expect(
      try listed([floating, later], [floating]) == [
        "  moved      Standup: Mon, 30 Nov 2026, 11:00–13:00 → Mon, 30 Nov 2026, 09:00–10:00"
      ])
    let byDate = event(
      "RECURRENCE-ID;VALUE=DATE:20261130", "DTSTART;TZID=Europe/Berlin:20261130T150000",
      "DURATION:PT1H")
    #expect(
      try listed([series(), byDate], [series()])
        == ["  moved      Standup: Mon, 30 Nov 2026, 15:00 → Mon, 30 Nov 2026, 09:00"])
  }
}
