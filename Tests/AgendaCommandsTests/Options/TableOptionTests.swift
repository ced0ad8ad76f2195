import TestSupport
import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

/// Tables for spreadsheets.
@Suite("options of tables")
struct TableOptionTests: OptionSuite {
  private static let commands = [
    ["show"], ["today"], ["tomorrow"], ["week"], ["month"], ["next"], ["search", "total"],
    ["free", "--conflicts"], ["alarms", "--within", "3d"], ["tasks"],
    ["invitations", "--as", "me@example.com"], ["changes"], ["calendars"],
  ]

  static let covered = Dictionary(
    uniqueKeysWithValues: commands.map { ($0[0], Set(["safe", "format"])) })

  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    let events = (1...2).map { number in
      event(
        "=\(number)", "DTSTART;TZID=Europe/Berlin:2026112\(number)T120000", "DURATION:P2D",
        "SUMMARY:=SUM(A1)\\, total", "LOCATION:+49\\n30", "ORGANIZER:mailto:-boss@example.com",
        "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:me@example.com", "BEGIN:VALARM", "ACTION:DISPLAY",
        "DESCRIPTION:x", "TRIGGER:PT0S", "END:VALARM")
    }
    let task = component("VTODO", "@t", ["SUMMARY:@total", "DUE:20261122T120000Z"])
    try fixture.write(
      "sums.ics", calendar(events + [task], ["X-WR-CALNAME:-1"]))
    try #require(
      fixture.run(["import", fixture.path("sums.ics")], isPinned: false).status == .done)
  }

  @Test("with --safe no cell begins like a formula, and nothing else differs", arguments: commands)
  func safe(command: [String]) {
    for (format, separator) in [("tsv", "\t"), ("csv", ",")] {
      let plain = fixture.run(command + ["-f", format])
      let safe = fixture.run(command + ["-f", format, "--safe"])
      #expect(plain.status == .done && safe.status == .done, "\(safe.errors)")
      func formulas(_ output: String) -> Int {
        output.split(separator: format == "csv" ? "\r\n" : "\n").dropFirst().reduce(0) {
          count, row in
          count
            + row.split(separator: separator, omittingEmptySubsequences: false).count { cell in
              "=+-@".contains { cell.hasPrefix("\($0)") || cell.hasPrefix("\"\($0)") }
            }
        }
      }
      #expect(formulas(plain.output) > 0, "\(command) \(plain.output)")
      #expect(formulas(safe.output) == 0, "\(command) \(safe.output)")
      let marks = safe.output.split(separator: "'", omittingEmptySubsequences: false).count - 1
      #expect(marks == formulas(plain.output))
      #expect(safe.output.replacing("'", with: "") == plain.output)
    }
  }

  @Test("a table has the same columns with tabs and commas", arguments: commands)
  func columns(command: [String]) {
    let tabs = fixture.run(command + ["-f", "tsv"]).output
    let commas = fixture.run(command + ["-f", "csv"]).output
    let header = tabs.prefix { $0 != "\n" }.split(separator: "\t", omittingEmptySubsequences: false)
    #expect(commas.hasPrefix(header.joined(separator: ",") + "\r\n"))
    #expect(commas.split(separator: "\r\n").count == tabs.split(separator: "\n").count)
  }

  @Test("--safe without a table is a usage error", arguments: commands)
  func withoutTable(command: [String]) {
    let run = fixture.run(command + ["--safe"])
    #expect(run.status == .wrongCommandLine && run.errors.contains("--format tsv or csv"))
  }
}
