import Foundation
import TestSupport
import Testing

/// Edits of series whose parts must stay together. The expected lines are written by hand.
@Suite("parts of a series that belong together")
struct MovedSeriesTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  private func put(_ kind: String, _ lines: [String], calendar: [String] = []) throws {
    try folder.makeFolder("work")
    let all =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + calendar + ["BEGIN:\(kind)"]
      + ["DTSTAMP:20260101T000000Z", "SUMMARY:Old"] + lines + ["END:\(kind)", "END:VCALENDAR", ""]
    try all.joined(separator: "\r\n").write(
      to: folder.scratch.url.appendingPathComponent("work/s.ics"), atomically: true,
      encoding: .utf8)
    #expect(try folder.agenda("import", "work").status == 0)
  }

  private func ids() throws -> [String] { try folder.rows("old").compactMap { $0["id"] } }

  private func expect(_ lines: [String]) throws {
    let text = try folder.contents("work/s.ics")
    for line in lines { #expect(text.contains(line + "\r\n"), "\(line)\n\(text)") }
  }

  private static let zoned = [
    "UID:t", "DTSTART;TZID=Europe/Berlin:20261201T080000",
    "DUE;TZID=Europe/Berlin:20261201T100000", "RRULE:FREQ=WEEKLY;COUNT=4",
  ]
  private static let short = [
    "UID:t", "DTSTART:20261201T080000Z", "DURATION:PT2H", "RRULE:FREQ=DAILY;COUNT=4",
  ]
  private static let days = [
    "UID:t", "DTSTART;VALUE=DATE:20261201", "DURATION:P2D", "RRULE:FREQ=WEEKLY;COUNT=4",
  ]
  private static let dueDays = [
    "UID:t", "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261203", "RRULE:FREQ=WEEKLY;COUNT=4",
  ]

  @Test(
    "the second occurrence of a task with a start keeps its distance from there to its due time",
    arguments: [
      (
        short, ["edit", "ID", "--only", "--title", "New"],
        ["DTSTART:20261202T080000Z", "DURATION:PT2H"]
      ),
      (short, ["done", "ID"], ["DTSTART:20261202T080000Z", "DURATION:PT2H"]),
      (
        short, ["edit", "ID", "--only", "--for", "3h"],
        ["DTSTART:20261202T080000Z", "DURATION:PT3H"]
      ),
      (
        short, ["edit", "ID", "--only", "--due", "17:00"],
        ["DTSTART:20261202T080000Z", "DUE:20261202T160000Z"]
      ),
      (
        short, ["edit", "ID", "--all", "--due", "17:00"],
        ["DTSTART:20261201T080000Z", "DUE:20261201T160000Z"]
      ),
      (days, ["done", "ID"], ["DTSTART;VALUE=DATE:20261208", "DURATION:P2D"]),
      (
        zoned, ["edit", "ID", "--all", "--at", "9:00"],
        ["DTSTART;TZID=Europe/Berlin:20261201T090000", "DUE;TZID=Europe/Berlin:20261201T110000"]
      ),
      (
        zoned, ["edit", "ID", "--following", "--at", "9:00"],
        [
          "DTSTART;TZID=Europe/Berlin:20261208T090000", "DUE;TZID=Europe/Berlin:20261208T110000",
          "RRULE:FREQ=WEEKLY;COUNT=3",
        ]
      ),
      (
        zoned, ["edit", "ID", "--all", "--due", "17:00"],
        ["DTSTART;TZID=Europe/Berlin:20261201T080000", "DUE;TZID=Europe/Berlin:20261201T170000"]
      ),
      (
        dueDays, ["edit", "ID", "--all", "--at", "wed"],
        ["DTSTART;VALUE=DATE:20261202", "DUE;VALUE=DATE:20261204"]
      ),
      (
        dueDays, ["edit", "ID", "--following", "--at", "wed"],
        ["DTSTART;VALUE=DATE:20261209", "DUE;VALUE=DATE:20261211"]
      ),
    ] as [([String], [String], [String])])
  func task(_ task: [String], _ arguments: [String], _ expected: [String]) throws {
    try put("VTODO", task)
    let id = try ids()[1]
    let run = try folder.agenda(arguments.map { $0 == "ID" ? id : $0 })
    #expect(run.status == 0, "\(run)")
    // A new series is in another file.
    let texts = try folder.names(in: "work").map { try folder.contents("work/\($0)") }
    #expect(
      texts.contains { text in expected.allSatisfy { text.contains($0 + "\r\n") } }, "\(texts)")
    #expect(try folder.storeAgrees)
  }

  // Checks RFC 5545: 3.8.4.7/5
  @Test(
    "a series without a UID gets one in all of its components",
    arguments: [
      ("VEVENT", ["edit", "ID", "--only", "--title", "New"]), ("VTODO", ["done", "ID"]),
      ("VEVENT", ["edit", "ID", "--only", "--title", "New", "--at", "11:00"]),
    ])
  func noUID(_ kind: String, _ arguments: [String]) throws {
    try put(kind, ["DTSTART:20261201T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=4"])
    let ids = try ids()
    let run = try folder.agenda(arguments.map { $0 == "ID" ? ids[1] : $0 })
    #expect(run.status == 0 && run.output.contains(ids[1]), "\(run)")
    let text = try folder.contents("work/s.ics")
    let uids = text.split(separator: "\r\n").filter { $0.hasPrefix("UID:") }
    #expect(uids.count == 2 && Set(uids).count == 1, "\(text)")
    let all = try folder.rows("old") + folder.rows("new")
    #expect(Set(all.compactMap { $0["id"] }) == Set(ids) && all.count == 4)
    #expect(try folder.storeAgrees)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try !folder.contents("work/s.ics").contains("UID:"))
  }

  @Test("an event without a UID keeps its id when its title changes")
  func singleWithoutUID() throws {
    try put("VEVENT", ["DTSTART:20261201T090000", "DURATION:PT1H"])
    let id = try ids()[0]
    let run = try folder.agenda("edit", id, "--title", "New")
    #expect(run.status == 0 && run.output.contains("changed \(id) New"), "\(run)")
    #expect(try folder.rows("new").map { $0["id"] } == [id])
    #expect(try folder.storeAgrees)
  }

  private func edited(_ script: String, _ id: String) throws -> AgendaRun {
    try "#!/bin/sh\n\(script) \"$1\"\n".write(
      to: folder.scratch.url.appendingPathComponent("editor"), atomically: true, encoding: .utf8)
    return try folder.agenda(
      ["edit", id, "--all", "--editor"],
      environment: ["VISUAL": "sh ./editor", "TMPDIR": folder.path])
  }

  /// A series with an excluded occurrence on the 3rd and an override on the 2nd of December.
  private func putExceptions(_ rule: String) throws {
    try put(
      "VEVENT",
      [
        "UID:s", "DTSTART;TZID=Europe/Berlin:20261201T090000", "DURATION:PT1H", "RRULE:\(rule)",
        "EXDATE;TZID=Europe/Berlin:20261203T090000", "END:VEVENT", "BEGIN:VEVENT", "UID:s",
        "DTSTAMP:20260101T000000Z", "RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000",
        "DTSTART;TZID=Europe/Berlin:20261202T150000", "SUMMARY:Old",
      ])
  }

  @Test(
    "in an editor, exceptions and the end of the series follow a new start",
    arguments: [
      (
        "/^DTSTART.*1201/s/T09/T11/", "11:00",
        [
          "EXDATE;TZID=Europe/Berlin:20261203T110000",
          "RECURRENCE-ID;TZID=Europe/Berlin:20261202T110000",
          "RRULE:FREQ=DAILY;UNTIL=20261205T100000Z",
        ]
      ),
      (
        // The person moves the exclusion to the 4th.
        "/^DTSTART.*1201/s/T09/T11/;/^EXDATE/s/1203T09/1204T11/", "11:00",
        [
          "EXDATE;TZID=Europe/Berlin:20261204T110000",
          "RECURRENCE-ID;TZID=Europe/Berlin:20261202T110000",
        ]
      ),
      (
        "/^DTSTART.*1201/s/;TZID.*/;VALUE=DATE:20261201/;/^DURATION/d;/^RRULE/s/UNTIL=.*/COUNT=5/",
        "",
        ["EXDATE;VALUE=DATE:20261203", "RECURRENCE-ID;VALUE=DATE:20261202"]
      ),
      (
        // A later start of the same days: the exceptions are still occurrences.
        "/^DTSTART.*1201/s/1201/1130/", "09:00",
        [
          "EXDATE;TZID=Europe/Berlin:20261203T090000",
          "RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000",
          "RRULE:FREQ=DAILY;UNTIL=20261205T080000Z",
        ]
      ),
    ])
  func editor(_ script: String, _ time: String, _ expected: [String]) throws {
    try putExceptions("FREQ=DAILY;UNTIL=20261205T080000Z")
    let run = try edited("sed -i '\(script)'", ids()[0])
    #expect(run.status == 0, "\(run)")
    try expect(expected)
    let starts = try folder.starts("old")
    let excluded = expected[0].hasSuffix("1204T110000") ? "2026-12-04" : "2026-12-03"
    #expect(!starts.contains { $0.hasPrefix(excluded) }, "\(starts)")
    #expect(starts.filter { $0.hasPrefix("2026-12-02") } == ["2026-12-02T15:00"], "\(starts)")
    #expect(starts.last == (time.isEmpty ? "2026-12-05" : "2026-12-05T\(time)"), "\(starts)")
    #expect(try folder.storeAgrees)
  }

  @Test(
    "a rule that does not give the moved dates is refused, and nothing is written",
    arguments: [
      ("20270801T000000", "MONTHLY;BYDAY=1SU;COUNT=4", "2027-07-31 23:30", false),
      ("20270401T090000", "MONTHLY;COUNT=4", "2027-03-31", false),
      // The first Monday can be the 7th, and the day after it is the second Tuesday.
      ("20261207T090000", "MONTHLY;BYDAY=1MO", "2026-12-08", false),
      ("20261207T090000", "MONTHLY;BYDAY=1MO", "2026-12-14", true),
      ("20270401T090000", "MONTHLY;COUNT=4", "2027-04-05", true),
      ("20270105T090000", "MONTHLY", "2027-03-05", true),
      ("20270105T090000", "YEARLY", "2027-03-07", true),
      ("20280229T090000", "YEARLY", "2028-03-01", false),
    ])
  func rule(_ start: String, _ rule: String, _ at: String, _ isPossible: Bool) throws {
    try put("VEVENT", ["UID:s", "DTSTART:\(start)", "RRULE:FREQ=\(rule)"])
    let before = try folder.contents("work/s.ics")
    let id = try #require(
      try folder.agenda("show", "--search", "old", "-f", "tsv", "--years", "3", "--limit", "1")
        .output.split(separator: "\n").last?.split(separator: "\t").compactMap { $0 }.first {
          $0.count == 8 && $0.allSatisfy(\.isHexDigit)
        })
    let run = try folder.agenda("edit", String(id), "--all", "--at", at)
    if isPossible {
      #expect(run.status == 0, "\(run)")
    } else {
      #expect(run.status == 2 && run.errors.contains("set --repeat too"), "\(run)")
      #expect(try folder.contents("work/s.ics") == before)
    }
  }

  @Test("a series in the zone of X-WR-TIMEZONE takes its exceptions along into a new zone")
  func calendarZone() throws {
    try put(
      "VEVENT",
      [
        "UID:s", "DTSTART:20261201T093000", "DTEND:20261201T103000",
        "RRULE:FREQ=DAILY;UNTIL=20261205T093000", "EXDATE:20261203T093000",
        "RDATE:20261210T120000", "END:VEVENT", "BEGIN:VEVENT", "UID:s",
        "DTSTAMP:20260101T000000Z", "RECURRENCE-ID:20261202T093000", "DTSTART:20261202T113000",
        "SUMMARY:Old",
      ], calendar: ["X-WR-TIMEZONE:America/New_York"])
    let run = try folder.agenda("edit", ids()[0], "--all", "--in-zone", "Europe/Berlin")
    #expect(run.status == 0, "\(run)")
    try expect([
      "DTSTART;TZID=Europe/Berlin:20261201T093000", "DTEND;TZID=Europe/Berlin:20261201T103000",
      "RRULE:FREQ=DAILY;UNTIL=20261205T083000Z", "EXDATE;TZID=Europe/Berlin:20261203T093000",
      "RDATE;TZID=Europe/Berlin:20261210T120000",
      "RECURRENCE-ID;TZID=Europe/Berlin:20261202T093000",
    ])
    // 11:30 in New York.
    #expect(
      try folder.starts("old") == [
        "2026-12-01T09:30", "2026-12-02T17:30", "2026-12-04T09:30", "2026-12-05T09:30",
        "2026-12-10T12:00",
      ])
    #expect(try folder.storeAgrees)
  }

  // Checks RFC 5545: 3.8.6.3/1, 3.8.6.3/4
  @Test("an alarm with a fixed time stays, and the edit reports it")
  func fixedAlarm() throws {
    try put(
      "VEVENT",
      [
        "UID:s", "DTSTART:20261201T093000Z", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
        "TRIGGER;VALUE=DATE-TIME:20261201T080000Z", "END:VALARM", "BEGIN:VALARM", "ACTION:NONE",
        "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "END:VALARM",
      ])
    let id = try ids()[0]
    #expect(try folder.agenda("edit", id, "--location", "Room 2").errors == "")
    let run = try folder.agenda("edit", id, "--at", "2026-12-02")
    #expect(run.status == 0)
    #expect(
      run.errors
        == "agenda: warning: an alarm with a fixed time stays at Tuesday, 1 December 2026, "
        + "09:00; --alarm \"\" removes the alarms\n")
    try expect(["TRIGGER;VALUE=DATE-TIME:20261201T080000Z", "DTSTART:20261202T093000Z"])
  }

  @Test("the alarms with a fixed time of a series that a split moves are reported too")
  func fixedAlarmOfRest() throws {
    try put(
      "VEVENT",
      [
        "UID:s", "DTSTART:20261201T093000Z", "RRULE:FREQ=DAILY;COUNT=4", "BEGIN:VALARM",
        "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;VALUE=DATE-TIME:20261202T080000Z",
        "END:VALARM",
      ])
    let id = try ids()[1]
    let title = try folder.agenda("edit", id, "--following", "--title", "Old, renamed")
    #expect(title.status == 0 && title.errors == "")
    #expect(try folder.agenda("undo").status == 0)
    let moved = try folder.agenda("edit", id, "--following", "--at", "12:00")
    #expect(
      moved.errors
        == "agenda: warning: an alarm with a fixed time stays at Wednesday, 2 December 2026, "
        + "09:00; --alarm \"\" removes the alarms\n")
  }

  /// Chinese New Year is on 6 February 2027, 26 January 2028 and 13 February 2029.
  @Test("a rule in another calendar moves by a day if only its start has the day")
  func otherCalendar() throws {
    try put("VEVENT", ["UID:s", "DTSTART;VALUE=DATE:20260217", "RRULE:RSCALE=CHINESE;FREQ=YEARLY"])
    #expect(try folder.starts("old") == ["2027-02-06", "2028-01-26"])
    #expect(try folder.agenda("edit", ids()[0], "--all", "--at", "2027-02-07").status == 0)
    #expect(try folder.starts("old") == ["2027-02-07", "2028-01-27"])
    try expect(["DTSTART;VALUE=DATE:20260218", "RRULE:RSCALE=CHINESE;FREQ=YEARLY"])
    #expect(try folder.agenda("undo").status == 0)
    let fixed = "RRULE:RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"
    try put("VEVENT", ["UID:s", "DTSTART;VALUE=DATE:20260217", fixed])
    let refused = try folder.agenda("edit", ids()[0], "--all", "--at", "2027-02-07")
    #expect(refused.status == 2 && refused.errors.contains("set --repeat too"), "\(refused)")
  }

  @Test("in an editor, a start a period and an hour later leaves exceptions on their dates")
  func periodAndHour() throws {
    try putExceptions("FREQ=DAILY;UNTIL=20261205T080000Z")
    let run = try edited("sed -i '/^DTSTART.*1201/s/1201T09/1202T10/'", ids()[0])
    #expect(run.status == 0, "\(run)")
    #expect(
      try folder.starts("old") == ["2026-12-02T15:00", "2026-12-04T10:00", "2026-12-05T10:00"])
    try expect(["RECURRENCE-ID;TZID=Europe/Berlin:20261202T100000"])
    #expect(try folder.storeAgrees)
  }
}
