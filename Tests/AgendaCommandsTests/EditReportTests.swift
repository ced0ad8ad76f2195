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
}
