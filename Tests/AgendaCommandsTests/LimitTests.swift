import TestSupport
import Testing

@testable import AgendaCommands

/// What is just within a limit, and what is just beyond it.
@Suite("limits, below and above")
struct LimitTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  // Checks limit: Options.maximumDays, Options.maximumYears
  @Test(
    "a window has as many days and years as the calendar",
    arguments: [
      ("--days", 3_652_059, true), ("--days", 3_652_060, false), ("--years", 9_999, true),
      ("--years", 10_000, false),
    ])
  func windows(option: String, count: Int, isAllowed: Bool) {
    let window = ["--from", "0001-01-01", option, "\(count)"]
    let run = fixture.run(["show", fixture.path("work.ics"), "--limit", "1"] + window)
    #expect(run.status == (isAllowed ? .done : .wrongCommandLine), "\(run.errors)")
  }

  private func alarms(_ alarms: String) throws -> [Substring] {
    try fixture.write(
      "a.ics", calendar(event("a", "DTSTART:20261123T100000Z", "SUMMARY:Alarms", alarms)))
    let run = fixture.run(["alarms", fixture.path("a.ics"), "--within", "3d", "-f", "jsonl"])
    return run.output.split(separator: "\n")
  }

  // Checks limit: ComponentWalk.mostAlarms
  @Test("a component has at most 100 alarms", arguments: [(99, 99), (100, 100), (101, 100)])
  func alarmsOfEvent(written: Int, read: Int) throws {
    let found = try alarms(
      (1...written).map {
        "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER:-PT\($0)M\nEND:VALARM"
      }.joined(separator: "\n"))
    #expect(found.count == read)
    let check = fixture.run(["check", fixture.path("a.ics")])
    #expect(check.output.contains("alarm") == (written > read), "\(check.output)")
  }

  // Checks limit: DueAlarm.mostRepetitions
  @Test(
    "an alarm is repeated at most 1,000 times",
    arguments: [(999, 1_000), (1_000, 1_001), (1_001, 1_001)])
  func repetitions(written: Int, shown: Int) throws {
    let found = try alarms(
      "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER:PT0S\nREPEAT:\(written)\n"
        + "DURATION:PT1S\nEND:VALARM")
    #expect(found.count == shown)
  }

  // Checks limit: ScannedCalendar.longestName
  @Test("the name of a calendar has at most 255 bytes", arguments: [(255, 255), (256, 255)])
  func calendarName(written: Int, kept: Int) throws {
    let name = String(repeating: "n", count: written)
    try fixture.write(
      "a.ics",
      calendar(event("a", "DTSTART:20261123T100000Z"), properties: "X-WR-CALNAME:\(name)"))
    let shown = fixture.run(["show", fixture.path("a.ics"), "--template", "{calendar}"])
    #expect(shown.output == String(name.prefix(kept)) + "\n")
  }
}
