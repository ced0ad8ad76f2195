import Foundation
import TestSupport
import Testing

/// Mails on standard input, as a mail filter gives them to `agenda import -`, one after the other.
@Suite("mails on standard input")
struct MailInputTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func agenda(_ arguments: [String], input: String = "") throws -> String {
    let run = try AgendaRun(
      arguments, input: input,
      environment: ["AGENDA_STORE": folder.url.appendingPathComponent("agenda.sqlite").path],
      in: folder.url)
    run.expect(0)
    return run.output
  }

  private func cancellation(_ day: Int) -> String {
    calendar(
      [
        event(
          "standup", "RECURRENCE-ID:202611\(day)T080000Z", "DTSTART:202611\(day)T080000Z",
          "SEQUENCE:1")
      ], ["METHOD:CANCEL"])
  }

  private func shownDays() throws -> [String] {
    try agenda([
      "show", "--from", "2026-11-23", "--days", "7", "--format", "tsv", "--timezone", "UTC",
    ]).split(separator: "\n").dropFirst().map { String($0.prefix(10)) }
  }

  // Checks Decisions: Importing/13
  @Test(
    "each is a source of its own, with and without a calendar, and removable",
    arguments: [
      [], ["--calendar", "work"],
    ])
  func sources(options: [String]) throws {
    func imported(_ text: String, _ options: [String]) throws -> String {
      try agenda(["import", "-"] + options, input: text)
    }
    let series = calendar([
      event("standup", "DTSTART:20261123T080000Z", "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Standup")
    ])
    _ = try imported(series, ["--calendar", "work"])
    #expect(try imported(cancellation(24), options).contains("1 updated"))
    #expect(try imported(cancellation(26), options).contains("1 updated"))
    #expect(try shownDays() == ["2026-11-23", "2026-11-25", "2026-11-27"])
    // The same mail again.
    #expect(try imported(cancellation(24), options).contains("1 unchanged"))
    let listed = try agenda(["calendars"]).components(separatedBy: "standard input")
    #expect(listed.count == 4)
    _ = try agenda(["undo"])
    #expect(try shownDays() == ["2026-11-23", "2026-11-25", "2026-11-26", "2026-11-27"])
    _ = try agenda(["remove", "--source", "-"])
    #expect(try shownDays().isEmpty)
  }
}
