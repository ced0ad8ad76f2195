import Foundation
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

  // Checks limit: CommandRun.mostBytes
  @Test(
    "a file that is named after a calendar has a name of at most 200 bytes", arguments: [200, 201])
  func fileName(count: Int) throws {
    let name = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "x")
    let store = ["--store", fixture.store]
    let imported = fixture.run(
      ["import", fixture.path("work.ics"), "--calendar", name] + store, isPinned: false)
    try #require(imported.status == .done, "\(imported.errors)")
    let folder = fixture.path("out")
    let exported = fixture.run(["export", "--into", folder] + store, isPinned: false)
    #expect(exported.status == .done, "\(exported.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.map { $0.utf8.count } == [204])
    #expect(names.first.map { name.hasPrefix($0.dropLast(4)) } == true)
  }

  // Checks limit: NextArguments.mostEntries
  @Test(
    "next takes a number of entries up to a million",
    arguments: [(1_000_000, true), (1_000_001, false)])
  func next(count: Int, isAllowed: Bool) {
    let run = fixture.run(["next", "\(count)", fixture.path("work.ics")])
    #expect(run.status == (isAllowed ? .done : .wrongCommandLine), "\(run.errors)")
  }

  // Checks limit: Configuration.maximumBytes
  @Test("a configuration has at most a mebibyte", arguments: [1_048_576, 1_048_577])
  func configuration(count: Int) throws {
    let line = "timezone = Asia/Tokyo\n"
    let padding = "#" + String(repeating: "x", count: count - line.utf8.count - 2) + "\n"
    try fixture.write("config/agenda/config", line + padding)
    let run = fixture.run(
      ["show", fixture.path("work.ics")], variables: ["XDG_CONFIG_HOME": fixture.path("config")])
    #expect(run.status == (count > 1 << 20 ? .wrongCommandLine : .done))
    #expect(run.errors.contains("larger than 1048576 bytes") == (count > 1 << 20), "\(run)")
  }

  // Checks limit: Invocation.largestList
  @Test("a list of addresses has at most a mebibyte", arguments: [1_048_576, 1_048_577])
  func list(count: Int) throws {
    try fixture.write("list.txt", String(repeating: "\n", count: count))
    let run = fixture.run(["import", "--url-from", fixture.path("list.txt")], isPinned: false)
    let message = count > 1 << 20 ? "larger than 1048576 bytes" : "the list is empty"
    #expect(run.errors.contains(message), "\(run)")
  }

  // Checks limit: Selection.mostEntries
  @Test("a listing has as many entries as its limit", arguments: [1_000, 1_001])
  func entries(count: Int) throws {
    let events = (1...count).map {
      event("\($0)", "SUMMARY:Event", "DTSTART:20261123T100000Z")
    }
    try fixture.write("many.ics", calendar(events))
    let run = fixture.run(["show", fixture.path("many.ics"), "-f", "tsv"], mostEntries: 1_000)
    #expect(run.errors.contains("more than 1000 entries") == (count > 1_000), "\(run.errors)")
    #expect(run.status == (count > 1_000 ? .failed : .done))
  }

  // Checks limit: NewAttachment.mostBytes
  @Test("an attachment has at most 10 MiB", arguments: [10_485_760, 10_485_761])
  func attachment(count: Int) throws {
    let path = fixture.path("file")
    try Data(count: count).write(to: URL(filePath: path))
    let run = fixture.run(
      ["add", "Event", "--at", "2026-11-24T12:30", "--attach", path, "--dry-run"])
    #expect(run.status == (count > 10 << 20 ? .failed : .done), "\(run.errors)")
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
