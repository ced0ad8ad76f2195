import TestSupport
import Testing

/// What `edit` says about the change of a series.
@Suite("the report of an edit")
struct EditReportTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func edit(
    _ arguments: [String], of components: [String], _ properties: [String] = []
  ) throws -> InMemoryRun {
    try fixture.write("vdir/a.ics", calendar(components, properties))
    fixture.run(["import", fixture.path("vdir")], isPinned: false)
    return fixture.run(["edit"] + arguments + ["--dry-run"])
  }

  private static let pair = event(
    "pair", "DTSTART;TZID=Europe/Berlin:20261201T230000", "RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=8",
    "EXDATE;TZID=Europe/Berlin:20261208T230000", "RDATE;TZID=Europe/Berlin:20261205T230000",
    "SUMMARY:Pair")

  @Test("the rest of a series that a change splits off keeps its weekdays, rule and exclusions")
  func split() throws {
    let run = try edit(
      ["pair", "--following", "--from", "2026-12-10", "--title", "Two"], of: [Self.pair])
    #expect(run.errors.isEmpty, "\(run)")
    #expect(
      run.output.contains(
        "\n  this occurrence and all later ones: Thu, 10 Dec 2026, 23:00: title: Pair → Two\n"),
      "\(run)")
  }

  @Test("another repetition of the rest is reported")
  func splitWithRule() throws {
    let run = try edit(
      ["pair", "--following", "--from", "2026-12-10", "--repeat", "weekly 3 times"],
      of: [Self.pair])
    #expect(run.output.contains("8 times → every Thursday, 3 times"), "\(run)")
  }

  @Test("a change of one occurrence of a floating series is that of its calendar's zone")
  func floating() throws {
    let run = try edit(
      ["float", "--only", "--at", "wed 10:00"],
      of: [
        event("m", "DTSTART:20261201T130000", "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Float")
      ], ["X-WR-TIMEZONE:America/New_York"])
    #expect(run.output.contains("Wednesday, 2 December 2026, 04:00"), "\(run)")
    #expect(run.output.contains("Tue, 1 Dec 2026, 19:00 → Wed, 2 Dec 2026, 10:00"), "\(run)")
  }

  @Test("an override whose RECURRENCE-ID is a date is reported as itself")
  func overrideOfDate() throws {
    let run = try edit(
      ["day", "off", "--only", "--title", "Free"],
      of: [
        event(
          "m", "DTSTART;TZID=Europe/Berlin:20261205T090000", "RRULE:FREQ=DAILY;COUNT=4",
          "SUMMARY:Day"),
        event(
          "m", "RECURRENCE-ID;VALUE=DATE:20261207", "DTSTART;VALUE=DATE:20261207",
          "SUMMARY:Day off"),
      ])
    #expect(run.output.contains("title: Day off → Free\n"), "\(run)")
  }

  @Test("a new alarm is shown with those that stay")
  func alarm() throws {
    let run = try edit(
      ["call", "--alarm", "5m"],
      of: [
        event(
          "m", "DTSTART:20261201T130000Z", "SUMMARY:Call", "BEGIN:VALARM", "ACTION:DISPLAY",
          "DESCRIPTION:Call", "TRIGGER:-PT30M", "END:VALARM")
      ])
    #expect(
      run.output.contains(
        "alarms: 30 min before the start (message) → 30 min before the start (message); "
          + "5 min before the start (message)\n"), "\(run)")
  }

  @Test("the end of a rule that moves with its series is not named")
  func movedEnd() throws {
    let run = try edit(
      ["zulu", "--all", "--at", "-2h"],
      of: [
        event(
          "m", "DTSTART:20261205T230000Z", "RRULE:FREQ=DAILY;UNTIL=20261220T230000Z",
          "SUMMARY:Zulu")
      ])
    #expect(
      run.output.contains("\n  all occurrences: Sun, 6 Dec 2026, 00:00 → Sat, 5 Dec 2026, 22:00\n"),
      "\(run)")
  }
}
