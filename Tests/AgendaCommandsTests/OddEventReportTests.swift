import TestSupport
import Testing

@testable import AgendaCommands

/// What `edit`, `remove` and `undo` print about events as programs should not write them: the entry that
/// was named, and what was done to it.
@Suite("reports of changes of odd events")
struct OddEventReportTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static let series = event(
    "a", "DTSTART:20261202T090000Z", "RRULE:FREQ=WEEKLY;COUNT=4", "SUMMARY:Choir")
  private static let renamed = event(
    "a", "RECURRENCE-ID:20261209T090000Z", "DTSTART:20261209T090000Z", "SUMMARY:Concert")
  private static let task = component(
    "VTODO", "t",
    [
      "DTSTART:20261202T090000Z", "DUE:20261202T110000Z", "RRULE:FREQ=WEEKLY;COUNT=4",
      "SUMMARY:Water plants",
    ])
  private static func lesson(_ title: String, _ day: Int, _ place: String = "") -> String {
    event(
      "l", "\(place)DTSTART:202612\(day)T090000Z", "DTEND:202612\(day)T100000Z", "SUMMARY:\(title)")
  }
  private static let orphans = [11, 18].map {
    lesson("Orphan \($0)", $0, "RECURRENCE-ID:202612\($0)T080000Z\n")
  }

  /// An entry of a calendar in a folder, by its title and date; what a command prints about it, and what
  /// its `undo` does.
  private struct Example: Sendable {
    let calendar: String
    let entry: String
    let date: String
    let command: [String]
    let output: [String]
    var undo = "f: 1 entry changed back\n"
  }

  private static let examples = [
    Example(
      calendar: calendar(series, renamed), entry: "Concert", date: "2026-12-09",
      command: ["edit", "--following", "--title", "New"], output: [": title: Concert → New\n"],
      undo: "f: 1 entry changed back\n"),
    Example(
      calendar: calendar(series, renamed), entry: "Concert", date: "2026-12-09",
      command: ["edit", "--all", "--title", "New"], output: [": title: Concert → New\n"],
      undo: "f: 2 entries changed back\n"),
    Example(
      calendar: calendar(series), entry: "Choir", date: "2026-12-09",
      command: ["edit", "--only", "--title", "New"], output: [" New: ", ": title: Choir → New\n"]),
    Example(
      calendar: calendar(series, renamed), entry: "Choir", date: "2026-12-02",
      command: ["edit", "--all", "--at", "+1h"], output: [" Choir: "],
      undo: "f: 2 entries changed back\n"),
    Example(
      calendar: calendar(task), entry: "Water plants", date: "2026-12-16",
      command: ["edit", "--only", "--at", "+1h"],
      output: ["Wed, 16 Dec 2026, 10:00 → Wed, 16 Dec 2026, 11:00\n"]),
    Example(
      calendar: calendar(lesson("Maths", 10), lesson("Art", 11), lesson("Music", 12)),
      entry: "Art", date: "2026-12-11", command: ["edit", "--title", "Drawing"],
      output: [" Drawing: Friday, 11 December 2026", ": title: Art → Drawing\n"]),
    Example(
      calendar: calendar(orphans), entry: "Orphan 11", date: "2026-12-11",
      command: ["remove", "--all"],
      output: ["removed Orphan 11: Friday, 11 December 2026, 10:00–11:00 (1 h);"],
      undo: "f: 1 entry restored\n"),
    Example(
      calendar: calendar(orphans), entry: "Orphan 11", date: "2026-12-11",
      command: ["edit", "--all", "--title", "New"], output: ["\n  Fri, 11 Dec 2026, 10:00: title"]),
  ]

  @Test("the entry that was named is reported, and undo counts occurrences", arguments: examples)
  private func report(_ example: Example) throws {
    try fixture.write("f/a.ics", example.calendar)
    #expect(fixture.run(["import", fixture.path("f")], isPinned: false).status == .done)
    let id = try fixture.entries(["--tasks", "--from", "2026-12-01"]).first { entry in
      entry["title"] as? String == example.entry
        && (entry["start"] as? String)?.hasPrefix(example.date) == true
    }?["id"]
    let found = try #require(id as? String)
    let locale = example.command[0] == "edit" ? ["--locale", "en_GB"] : []
    let run = fixture.run([example.command[0], found] + locale + example.command.dropFirst())
    for words in example.output { #expect(run.output.contains(words), "\(run)") }
    #expect(!run.output.contains("whole series"))
    let undone = fixture.run(["undo"], isPinned: false)
    #expect(undone.output.hasSuffix("\n\(example.undo)"), "\(undone)")
  }

  @Test("a change that would hide another event is refused, also in a dry run")
  func refused() throws {
    let single = Self.lesson("Maths", 10)
    let other = Self.lesson("Moved", 12, "RECURRENCE-ID:20261211T090000Z\n")
    try fixture.write("f/a.ics", calendar(single, other))
    #expect(fixture.run(["import", fixture.path("f")], isPinned: false).status == .done)
    for options in [[], ["--dry-run"]] {
      let run = fixture.run(["edit", "maths", "--at", "+1d"] + options)
      #expect(run.status == .wrongCommandLine)
      #expect(
        run.errors.contains(
          "the change would also change or hide \"Maths\" of 2026-12-10, because the events share a UID"
        ), "\(run)")
    }
    #expect(try fixture.entries(["--from", "2026-12-01"]).count == 2)
  }
}
