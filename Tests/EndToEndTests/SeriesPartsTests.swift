import Foundation
import TestSupport
import Testing

/// Series whose overrides lose their dates, whose last occurrence is removed, or which are in several
/// files. The expected dates are written by hand.
@Suite("overrides follow the changes of their series")
struct SeriesPartsTests {
  private let folder: WrittenFolder

  private static let master = event(
    "s", "DTSTART:20261123T090000", "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Run")
  private static let tuesday = override(24, "Run early")
  private static let thursday = override(26, "Run late")

  private static func override(_ day: Int, _ title: String) -> String {
    event(
      "s", "RECURRENCE-ID:202611\(day)T090000", "DTSTART:202611\(day)T110000", "SUMMARY:\(title)")
  }

  init() throws { folder = try WrittenFolder() }

  private func put(_ files: [String: [String]], in name: String = "work") throws {
    for (file, components) in files {
      try folder.scratch.write("\(name)/\(file).ics", calendar(components))
    }
    #expect(try folder.agenda("import", name).status == 0)
  }

  private func days(_ title: String = "run") throws -> [String] {
    try folder.starts(title).map { String($0.dropFirst(8)) }
  }

  private func id(_ start: String, in calendar: String = "work") throws -> String {
    try #require(
      try folder.rows("run").first {
        $0["start"]?.hasPrefix("2026-11-\(start)") == true && $0["calendar"] == calendar
      }?["id"])
  }

  @Test(
    "a new rule removes the overrides of other dates, and says how many",
    arguments: ["work", "local"]
  )
  func newRule(_ calendar: String) throws {
    // The override of the 30th belongs to no date of the series, as some programs write.
    let stray = Self.override(30, "Run stray")
    try put(["s": [Self.master, Self.tuesday, Self.thursday, stray]])
    if calendar == "local" {
      #expect(try folder.agenda("edit", id("23"), "--all", "--calendar", "local").status == 0)
    }
    let before = try days()
    #expect(before == ["23T09:00", "24T11:00", "25T09:00", "26T11:00", "27T09:00", "30T11:00"])
    for (scope, repetition, count, expected) in [
      ("--all", "", "2 changed occurrences", ["23T09:00", "30T11:00"]),
      (
        "--all", "every 3 days, 2 times", "1 changed occurrence",
        ["23T09:00", "26T11:00", "30T11:00"]
      ),
      (
        "--all", "daily, 5 times except 24 nov", "1 changed occurrence",
        ["23T09:00", "25T09:00", "26T11:00", "27T09:00", "30T11:00"]
      ),
      (
        "--following", "every 2 days, 2 times", "1 changed occurrence",
        ["23T09:00", "24T11:00", "25T09:00", "27T09:00", "30T11:00"]
      ),
      ("--all", "daily, 5 times", "", before),
    ] {
      let id = try id(scope == "--all" ? "23" : "25", in: calendar)
      let run = try folder.agenda("edit", id, scope, "--repeat", repetition)
      #expect(run.status == 0)
      #expect(
        run.errors.contains("removed \(count), because the event does not occur on ")
          == !count.isEmpty, "\(run)")
      #expect(try days() == expected, "\(repetition)")
      #expect(try folder.storeAgrees)
      if count.isEmpty { continue }
      #expect(try folder.agenda("undo").status == 0)
      #expect(try days() == before)
    }
  }

  @Test("when the last occurrence is removed, the event is removed with its file")
  func lastOccurrence() throws {
    try put(["s": [Self.master, Self.tuesday, Self.thursday]])
    let ids = try folder.rows("run").compactMap { $0["id"] }
    for id in ids.dropLast() {
      let run = try folder.agenda("remove", "--event", id, "--only")
      #expect(run.status == 0 && !run.output.contains("whole event"), "\(run)")
    }
    let text = try folder.contents("work/s.ics")
    let last = try folder.agenda("remove", "--event", ids[4], "--only")
    #expect(
      last.output
        == "removed Run: Friday, 27 November 2026, 09:00; no other occurrence was left, so the whole "
        + "event is removed; agenda undo brings it back\n")
    #expect(try folder.names(in: "work").isEmpty)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.contents("work/s.ics") == text)
    #expect(try days() == ["27T09:00"])
    // In a single file the occurrences are hidden, and one that it gets later is shown.
    try folder.scratch.write("single.ics", calendar(Self.master))
    #expect(try folder.agenda("import", "single.ics").status == 0)
    for id in ids { _ = try folder.agenda("remove", "--event", "single/\(id)", "--only") }
    #expect(try folder.rows("run").allSatisfy { $0["calendar"] == "work" })
    try folder.scratch.write(
      "single.ics", calendar(Self.master.replacing("COUNT=5", with: "COUNT=6")))
    #expect(try folder.agenda("refresh", "single").status == 0)
    #expect(try days() == ["27T09:00", "28T09:00"])
  }

  /// What a command does to a series in one file, it does to the same series in two files.
  @Test(
    "a series whose override is in another file changes as one in a single file",
    arguments: ["23", "24", "25"],
    [
      ["remove", "--event", "ID", "--all"], ["remove", "--event", "ID", "--only"],
      ["remove", "--event", "ID", "--following"], ["edit", "ID", "--all", "--at", "8:00"],
      ["edit", "ID", "--only", "--at", "8:00"], ["edit", "ID", "--following", "--at", "8:00"],
      ["edit", "ID", "--all", "--repeat", "every 2 days, 3 times"],
      ["edit", "ID", "--all", "--calendar", "local"],
    ])
  func severalFiles(_ day: String, _ command: [String]) throws {
    try put(["s": [Self.master, Self.tuesday, Self.thursday]], in: "one")
    try put(["m": [Self.master, Self.thursday], "o": [Self.tuesday]], in: "two")
    let files = try ["m", "o"].map { try folder.contents("two/\($0).ics") }
    func rows(_ calendar: String) throws -> [[String?]] {
      try folder.rows("run").filter { $0["calendar"] == calendar }.map {
        [$0["start"], $0["title"]]
      }
    }
    let isMove = command.contains("local")
    var results: [[[String?]]] = []
    for calendar in ["one", "two"] {
      let id = try id(day, in: calendar)
      let run = try folder.agenda(command.map { $0 == "ID" ? "\(calendar)/\(id)" : $0 })
      #expect(run.status == 0, "\(run)")
      results.append(try rows(isMove ? "local" : calendar))
      #expect(try folder.storeAgrees)
      if isMove {
        #expect(try folder.names(in: calendar).isEmpty)
        #expect(try folder.agenda("undo").status == 0)
      }
    }
    #expect(results[0] == results[1])
    // The rest from the first occurrence on is everything.
    let isEmpty =
      command[0] == "remove"
      && (command.contains("--all") || day == "23" && command.contains("--following"))
    #expect(results[1].isEmpty == isEmpty)
    #expect(try isMove || folder.agenda("undo").status == 0)
    #expect(try ["m", "o"].map { try folder.contents("two/\($0).ics") } == files)
    #expect(try folder.names(in: "two") == ["m.ics", "o.ics"])
    #expect(try folder.storeAgrees)
  }

  @Test(
    "a copy has the overrides of all files, and with another start they move with the series",
    arguments: ["one", "two"], ["23", "24"])
  func copy(_ name: String, _ day: String) throws {
    let parts =
      name == "one"
      ? ["s": [Self.master, Self.tuesday, Self.thursday]]
      : ["m": [Self.master, Self.thursday], "o": [Self.tuesday]]
    try put(parts)
    let id = "work/\(try id(day))"
    let before = try days()
    let same = try folder.agenda("add", "--like", id, "--title", "Copy")
    #expect(same.status == 0, "\(same)")
    #expect(try folder.rows("").filter { $0["calendar"] == "local" }.count == before.count)
    #expect(try folder.agenda("undo").status == 0)
    // All dates are two weeks later; the chosen occurrence is the one that is printed.
    let clock = day == "23" ? "9:00" : "11:00"
    let date = "2026-12-\(day == "23" ? "07" : "08")"
    let moved = try folder.agenda("add", "--like", id, "--at", "\(date) \(clock)")
    #expect(moved.status == 0 && moved.output.contains("\(date.suffix(1)) December"), "\(moved)")
    let copies = try folder.rows("run").filter { $0["calendar"] == "local" }
    #expect(
      copies.map { "\(($0["start"] ?? "").prefix(16)) \($0["title"] ?? "")" } == [
        "2026-12-07T09:00 Run", "2026-12-08T11:00 Run early", "2026-12-09T09:00 Run",
        "2026-12-10T11:00 Run late", "2026-12-11T09:00 Run",
      ])
    #expect(try days("run").count == 2 * before.count)
  }

  @Test(
    "changes compares the rest of a series with what it was, also its overrides",
    arguments: ["work", "local"])
  func changesOfRest(_ calendar: String) throws {
    try put(["s": [Self.master, Self.tuesday, Self.thursday]])
    if calendar == "local" {
      #expect(try folder.agenda("edit", id("23"), "--all", "--calendar", "local").status == 0)
    }
    func changes() throws -> [String] {
      try folder.agenda("changes").output.split(separator: "\n").dropFirst().map(String.init)
    }
    let ended =
      "  changed    Run: Mon, 23 Nov 2026, 09:00: rule: every day, 5 times → "
      + "every day until 25 November 2026, 08:59"
    let edit = try folder.agenda("edit", id("25", in: calendar), "--following", "--at", "10:00")
    #expect(edit.status == 0, "\(edit)")
    #expect(
      try changes() == [
        ended, "  moved      Run: Wed, 25 Nov 2026, 09:00 → Wed, 25 Nov 2026, 10:00",
      ])
    #expect(try folder.agenda("undo").status == 0)
    let title = try folder.agenda(
      "edit", id("25", in: calendar), "--following", "--title", "Jog", "--repeat", "every 2 days")
    #expect(title.status == 0, "\(title)")
    #expect(
      try changes() == [
        ended,
        "  changed    Jog: Wed, 25 Nov 2026, 09:00: rule: every day, 5 times → every 2 days; "
          + "title: Run → Jog", "  removed    Run late: Thu, 26 Nov 2026, 11:00",
      ])
  }
}
