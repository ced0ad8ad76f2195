import Foundation
import TestSupport
import Testing

/// `edit --at` and `--due` with a sign count from the entry's own time, on the clock.
@Suite("times moved by edit")
struct ShiftedTimeTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func imported(_ name: String, _ component: String) throws {
    try fixture.write("vdir/\(name).ics", calendar(component))
    fixture.run(["import", fixture.path("vdir")], isPinned: false)
  }

  private func edit(_ arguments: String...) -> InMemoryRun { fixture.run(["edit"] + arguments) }

  @Test(
    "hours and minutes move the clock time, also on a day on which the clocks change",
    arguments: [
      ("20271031T024500", "+45m", "31 Oct 2027, 03:30"),
      ("20271031T023000", "+1h", "31 Oct 2027, 03:30"),
      ("20271031T033000", "-1h", "31 Oct 2027, 02:30"),
      ("20271031T013000", "+2h", "31 Oct 2027, 03:30"),
      // 2:30 does not exist on this day.
      ("20270328T013000", "+1h", "28 Mar 2027, 03:30"),
      ("20270328T013000", "+2h", "28 Mar 2027, 03:30"),
      ("20271030T023000", "+1d", "31 Oct 2027, 02:30"),
      ("20271030T233000", "+45m", "31 Oct 2027, 00:15"),
    ])
  func clockChange(_ start: String, _ shift: String, _ moved: String) throws {
    try imported("swap", event("swap", "DTSTART;TZID=Europe/Berlin:\(start)", "SUMMARY:Swap"))
    let run = edit("swap", "--at", shift)
    #expect(run.output.hasSuffix(" → Sun, \(moved)\n"), "\(run)")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: fixture.path("vdir/\(name).ics"), encoding: .utf8)
  }

  /// The clocks of Berlin go back on 31 October 2027, those of New York on 7 November and forward on
  /// 14 March.
  @Test(
    "an entry in another zone moves on the clocks of its zone, not on those of the viewer",
    arguments: [
      ("DTSTART:20271031T003000Z", "+1h", "DTSTART:20271031T013000Z"),
      (
        "DTSTART;TZID=America/New_York:20271030T203000", "+1h",
        "DTSTART;TZID=America/New_York:20271030T213000"
      ),
      (
        "DTSTART;TZID=America/New_York:20271106T233000", "+2h",
        "DTSTART;TZID=America/New_York:20271107T013000"
      ),
      (
        "DTSTART;TZID=America/New_York:20270314T013000", "+30m",
        "DTSTART;TZID=America/New_York:20270314T030000"
      ),
    ])
  func otherZone(_ start: String, _ shift: String, _ moved: String) throws {
    try imported("swap", event("swap", start, "SUMMARY:Swap"))
    let run = edit("swap", "--at", shift)
    #expect(try run.status == .done && text("swap").contains(moved), "\(run)")
  }

  @Test(
    "a series in another zone moves by the typed difference, also from a day without the new time",
    arguments: ["--all", "--following"])
  func otherZoneOfSeries(_ scope: String) throws {
    try imported(
      "night",
      event(
        "night", "DTSTART;TZID=America/New_York:20270312T013000", "RRULE:FREQ=DAILY",
        "SUMMARY:Night"))
    let run = fixture.run(
      ["edit", "night", scope, "--at", "+30m", "--from", "2027-03-14", "--days", "1"])
    let day = scope == "--all" ? "20270312" : "20270314"
    let moved = "DTSTART;TZID=America/New_York:\(day)T020000"
    let folder = fixture.path("vdir")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let texts = try files.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    #expect(run.status == .done && texts.contains { $0.contains(moved) }, "\(run) \(texts)")
  }

  /// 2:30 is shown as 3:30 on this day.
  @Test(
    "an entry at a time that the clocks skip moves from the time that is shown, and in the right direction",
    arguments: [
      ("20270328T023000", "+15m", "20270328T034500"),
      ("20270328T023000", "-45m", "20270328T014500"),
      ("20270328T030000", "-15m", "20270328T014500"),
      ("20270328T014500", "+15m", "20270328T030000"),
    ])
  func skipped(_ start: String, _ shift: String, _ moved: String) throws {
    try imported("swap", event("swap", "DTSTART;TZID=Europe/Berlin:\(start)", "SUMMARY:Swap"))
    let run = edit("swap", "--at", shift)
    #expect(try text("swap").contains("DTSTART;TZID=Europe/Berlin:\(moved)"), "\(run)")
  }

  @Test(
    "a series moves by the typed difference, also from an occurrence that has no such time",
    arguments: [("+1h", "T033000"), ("-30m", "T020000")])
  func series(_ shift: String, _ time: String) throws {
    try imported(
      "weekly",
      event(
        "weekly", "DTSTART;TZID=Europe/Berlin:20270307T023000", "RRULE:FREQ=WEEKLY",
        "SUMMARY:Backup"))
    let options = ["--from", "2027-03-28", "--days", "1"]
    let run = fixture.run(["edit", "backup", "--all", "--at", shift] + options)
    #expect(run.status == .done, "\(run)")
    let text = try String(contentsOfFile: fixture.path("vdir/weekly.ics"), encoding: .utf8)
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20270307\(time)"), "\(run) \(text)")
  }

  @Test("--due with a sign counts from the due date of the task")
  func due() throws {
    fixture.run(["add", "--task", "Rent", "--due", "1 dec 18:00"])
    fixture.run(["add", "--task", "Taxes", "--due", "31 dec"])
    fixture.run(["add", "--task", "Someday"])
    for (title, shift, moved) in [
      ("rent", "+1d", "Wed, 2 Dec 2026, 18:00"), ("rent", "-30m", "Wed, 2 Dec 2026, 17:30"),
      ("taxes", "+1w", "Thu, 7 Jan 2027"),
    ] {
      let run = edit(title, "--due", shift)
      #expect(run.output.hasSuffix(" → \(moved)\n"), "\(run)")
    }
    for (title, shift, message) in [
      ("taxes", "+1h", "--due: an all-day entry can only move by days"),
      ("someday", "+1d", "--due: the entry is not due at a time"),
      ("rent", "+x", "--due: expected a length after +"),
    ] {
      let run = edit(title, "--due", shift)
      #expect(run.status == .wrongCommandLine && run.errors.contains(message), "\(run)")
    }
  }

  @Test("--due with a sign moves a task that has a start too, and its occurrence of a series")
  func dueOfSeries() throws {
    try imported(
      "water",
      component(
        "VTODO", "water",
        [
          "DTSTART;TZID=Europe/Berlin:20261123T090000", "DUE;TZID=Europe/Berlin:20261123T180000",
          "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Water",
        ]))
    let run = edit("water", "--only", "--due", "+1h", "--from", "2026-11-25", "--days", "1")
    #expect(run.status == .done, "\(run)")
    let text = try String(contentsOfFile: fixture.path("vdir/water.ics"), encoding: .utf8)
    #expect(text.contains("DUE;TZID=Europe/Berlin:20261125T190000"), "\(run) \(text)")
  }

  @Test("a warning about other weekdays names the option that changes them")
  func warning() {
    fixture.run(["add", "every", "monday", "9:00", "Yoga"])
    let late = ["--from", "2026-12-07", "--days", "1"]
    let run = fixture.run(["edit", "yoga", "--following", "--at", "+1d"] + late)
    #expect(run.errors.hasPrefix("agenda: warning: --following: the weekdays of"), "\(run)")
  }
}
