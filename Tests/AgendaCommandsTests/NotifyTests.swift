import Foundation
import TestSupport
import Testing

/// `agenda notify --once`, which a timer runs.
@Suite struct NotifyTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "notify": [
      "once", "command", "default", "snooze", "locale", "calendar", "not-calendar", "search",
      "where", "timed", "all-day", "not-started", "not-declined", "include-cancelled", "tasks",
    ]
  ]

  private let fixture: OptionFixture
  private let record: String

  init() throws {
    fixture = try OptionFixture()
    record = fixture.path("shown")
    try fixture.write(
      "alarms.ics",
      calendar(
        event(
          "standup", "DTSTART;TZID=Europe/Berlin:20261121T093000", "DURATION:PT15M",
          "SUMMARY:Stand-up", "LOCATION:Room 2", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER:-PT10M", "END:VALARM"),
        event(
          "hostile", "DTSTART;TZID=Europe/Berlin:20261121T100000", "DURATION:PT15M",
          "SUMMARY:-n $(touch \(fixture.path("owned"))) `id` \\n'\"", "BEGIN:VALARM",
          "ACTION:DISPLAY", "TRIGGER:-PT10M", "END:VALARM"),
        event(
          "plain", "DTSTART;TZID=Europe/Berlin:20261121T110000", "DURATION:PT15M", "SUMMARY:Plain"),
        properties: "X-WR-CALNAME:Alarms"))
    try #require(
      fixture.run(["import", fixture.path("alarms.ics")], isPinned: false).status == .done)
    try fixture.write(
      "show",
      "#!/bin/sh\nprintf '%s|' \"$@\" >> '\(record)'\ncat >> '\(record)'\n"
        + "cat '\(fixture.path("answer"))'\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: fixture.path("show"))
    try fixture.write("answer", "")
  }

  @discardableResult
  private func notify(_ time: String, _ options: [String] = []) -> InMemoryRun {
    let line =
      [
        "notify", "--once", "--now", "2026-11-21T\(time):00+01:00", "--timezone", "Europe/Berlin",
        "--command", fixture.path("show"),
      ] + options
    // A program that another test of this process is just starting can still hold the lock of the
    // previous run.
    for _ in 0..<100 {
      let run = fixture.run(line, isPinned: false)
      guard run.errors.contains("another agenda notify") else { return run }
      usleep(20_000)
    }
    return fixture.run(line, isPinned: false)
  }

  /// What the command was given since the last time: title, time and place, and the JSON.
  private func shown() throws -> [(arguments: [String], json: [String: Any])] {
    defer { try? FileManager.default.removeItem(atPath: record) }
    guard let text = try? String(contentsOfFile: record, encoding: .utf8) else { return [] }
    return try text.split(separator: "\n").map { line in
      let json = try #require(line.firstIndex(of: "{"))
      let arguments = line[..<json].split(separator: "|", omittingEmptySubsequences: false)
      let object = try JSONSerialization.jsonObject(with: Data(line[json...].utf8))
      return (arguments.dropLast().map(String.init), try #require(object as? [String: Any]))
    }
  }

  // Checks RFC 4791: 8.6/3
  @Test("an alarm is shown once, with its title, time and place, and as JSON")
  func once() throws {
    #expect(notify("09:19").status == .done)
    #expect(try shown().isEmpty)
    #expect(notify("09:20").status == .done)
    let first = try shown()
    #expect(first.map(\.arguments) == [["Stand-up", "09:30", "Room 2"]])
    #expect(first.first?.json["alarm"] as? String == "2026-11-21T09:20:00+01:00")
    #expect(first.first?.json["uid"] as? String == "standup")
    for time in ["09:20", "09:21", "09:40"] { notify(time) }
    #expect(try shown().isEmpty)
  }

  @Test("a run that was killed while it wrote its record is no obstacle")
  func killed() throws {
    notify("09:19")
    let state = fixture.path("state/agenda")
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    let name = try #require(names.first { $0.hasPrefix("alarms-") && !$0.hasSuffix(".lock") })
    try fixture.write("state/agenda/\(name).new", "half")
    #expect(notify("09:20").status == .done)
    #expect(notify("09:21").status == .done)
    #expect(try shown().count == 1)
  }

  @Test("no text of an event reaches a shell or looks like an option")
  func hostile() throws {
    notify("09:50")
    let title = try #require(try shown().last?.arguments.first)
    #expect(title.hasPrefix(" -n $(touch"))
    #expect(!FileManager.default.fileExists(atPath: fixture.path("owned")))
  }

  // Checks limit: AlarmQuota.mostPerMinute
  @Test(
    "of one source at most 20 alarms are shown in a minute, and the others are counted",
    arguments: [20, 21, 400])
  func flood(count: Int) throws {
    let alarms = (1...count).map {
      event(
        "f\($0)", "DTSTART;TZID=Europe/Berlin:20261121T093000", "DURATION:PT15M", "SUMMARY:Flood",
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT10M", "END:VALARM")
    }
    try fixture.write("flood.ics", calendar(alarms))
    try #require(
      fixture.run(["import", fixture.path("flood.ics")], isPinned: false).status == .done)
    let run = notify("09:20")
    let titles = try shown().compactMap(\.arguments.first)
    #expect(titles.count { $0 == "Flood" } == 20)
    // Other sources are not affected.
    #expect(titles.count { $0 == "Stand-up" } == 1)
    #expect(run.status == (count > 20 ? .failed : .done))
    #expect(
      run.errors.contains("\(fixture.path("flood.ics")): \(count - 20) more alarms are due")
        == (count > 20))
    // What was left out does not come later.
    notify("09:22")
    #expect(try shown().isEmpty)
  }

  @Test("a default alarm is for timed events without one")
  func defaultAlarm() throws {
    notify("10:44", ["--default", "15m"])
    _ = try shown()
    notify("10:45", ["--default", "15m"])
    #expect(try shown().map(\.arguments) == [["Plain", "11:00", ""]])
    #expect(notify("10:45", ["--default", "soon"]).status == .wrongCommandLine)
  }

  @Test("the command can put an alarm off, and one that fails is tried again")
  func snooze() throws {
    try fixture.write("answer", "snooze 7m\n")
    notify("09:20")
    #expect(try shown().count == 1)
    try fixture.write("answer", "")
    notify("09:26")
    #expect(try shown().isEmpty)
    notify("09:27")
    #expect(try shown().count == 1)
    notify("09:28")
    #expect(try shown().isEmpty)

    let failed = fixture.run(
      [
        "notify", "--once", "--now", "2026-11-21T09:50:00+01:00", "--timezone", "Europe/Berlin",
        "--command", "cat > /dev/null; echo no display >&2; exit 3;",
      ], isPinned: false)
    #expect(failed.status == .failed)
    #expect(failed.errors == "agenda: --command ended with status 3: no display\n")
    notify("09:51")
    #expect(try shown().count == 1)
  }

  // Checks RFC 5545: 3.8.6.3/9
  @Test("the selection options choose the alarms, and --snooze sets the pause")
  func selection() throws {
    try fixture.write(
      "more.ics",
      calendar(
        event(
          "cancelled", "DTSTART;TZID=Europe/Berlin:20261121T120000", "DURATION:PT1H",
          "SUMMARY:Cancelled", "STATUS:CANCELLED", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER:PT0S", "END:VALARM"),
        event(
          "declined", "DTSTART;TZID=Europe/Berlin:20261121T120000", "DURATION:PT1H",
          "SUMMARY:Declined", "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.com",
          "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM"),
        event(
          "day", "DTSTART;VALUE=DATE:20261121", "SUMMARY:Day", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER:PT12H", "END:VALARM"),
        component(
          "VTODO", "task",
          [
            "DTSTART;TZID=Europe/Berlin:20261121T120000", "SUMMARY:Task", "BEGIN:VALARM",
            "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM",
          ]), properties: "X-WR-CALNAME:More"))
    try #require(
      fixture.run(["import", fixture.path("more.ics")], isPinned: false).status == .done)
    let state = fixture.path("state")
    for (options, titles) in [
      ([], ["Day", "Declined"]), (["--calendar", "Alarms"], []),
      (["--not-calendar", "More"], []), (["--search", "day"], ["Day"]),
      (["--where", "title = Day"], ["Day"]), (["--timed"], ["Declined"]), (["--all-day"], ["Day"]),
      (["--not-declined", "ana@example.com"], ["Day"]),
      (["--include-cancelled"], ["Cancelled", "Day", "Declined"]),
      (["--tasks"], ["Day", "Declined", "Task"]), (["--not-started"], ["Day"]),
    ] as [([String], [String])] {
      try? FileManager.default.removeItem(atPath: state)
      let run = notify("12:00", options)
      #expect(run.status == .done, "\(run.errors)")
      #expect(try shown().compactMap(\.arguments.first).sorted() == titles, "\(options)")
    }
    try? FileManager.default.removeItem(atPath: state)
    try fixture.write("answer", "snooze\n")
    notify("12:00", ["--search", "day", "--snooze", "20m", "--locale", "de"])
    #expect(try shown().first?.arguments[1] == "ganztägig")
    try fixture.write("answer", "")
    notify("12:19", ["--search", "day"])
    #expect(try shown().isEmpty)
    notify("12:20", ["--search", "day"])
    #expect(try shown().count == 1)
  }

  @Test("--now needs --once, and an empty store says what to do")
  func wrong() {
    let follow = fixture.run(["notify", "--now", "2026-11-21T09:50:00+01:00"], isPinned: false)
    #expect(follow.status == .wrongCommandLine && follow.errors.contains("--once"))
    let empty = fixture.run(
      ["notify", "--once", "--store", fixture.path("none.sqlite")], isPinned: false)
    #expect(empty.status == .failed && empty.errors.contains("agenda import"), "\(empty)")
  }
}
