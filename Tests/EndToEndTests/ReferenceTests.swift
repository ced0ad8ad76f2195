import Foundation
import TestSupport
import Testing

/// How people name an entry, and what commands print for the next command.
@Suite("references to entries")
struct ReferenceTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  private func id(of run: AgendaRun) -> String { String(run.output.split(separator: " ")[1]) }

  private func start(_ id: String) throws -> String? {
    let row = try folder.rows("run").first { $0["id"] == id }
    return row?["start"].map { String($0.prefix(16)) }
  }

  @Test(
    "a change of a series prints the id of the changed occurrence", arguments: ["local", "./home"])
  func changedOccurrence(_ calendar: String) throws {
    try folder.makeFolder("home")
    _ = try folder.agenda(
      "add", "Run", "--at", "2026-12-01T07:00", "--repeat", "daily, 6 times", "--calendar", calendar
    )
    let ids = try folder.rows("run").compactMap { $0["id"] }
    let all = try folder.agenda("edit", ids[2], "--all", "--at", "8:00")
    #expect(all.output.contains("Run: Thursday, 3 December 2026, 08:00–09:00"), "\(all)")
    #expect(try start(id(of: all)) == "2026-12-03T08:00")
    let only = try folder.agenda("edit", id(of: all), "--only", "--at", "9:00")
    #expect(try start(id(of: only)) == "2026-12-03T09:00")
    // The override moves along with its series.
    let moved = try folder.agenda("edit", id(of: only), "--all", "--at", "2026-12-04T09:00")
    #expect(try start(id(of: moved)) == "2026-12-04T09:00")
    let following = try folder.agenda("edit", id(of: moved), "--following", "--at", "10:00")
    #expect(try start(id(of: following)) == "2026-12-04T10:00")
    let rule = try folder.agenda("edit", id(of: following), "--all", "--repeat", "every 2 days")
    #expect(try start(id(of: rule)) == "2026-12-04T10:00")
    let gone = try folder.agenda("edit", ids[2], "--all", "--at", "8:00")
    #expect(
      gone.status == 1 && gone.errors.contains("\(ids[2]): no such entry")
        && gone.errors.contains("agenda search TITLE --ids"), "\(gone)")
    // An entry that began long ago.
    let old = try folder.agenda("add", "1980-12-05", "Runa's birthday", "--repeat", "yearly")
    #expect(old.status == 0)
    let birthday = try #require(try folder.rows("birthday").first?["id"])
    let edit = try folder.agenda("edit", birthday, "--all", "--note", "cake")
    #expect(id(of: edit) == birthday, "\(edit)")
  }

  @Test("the UID of an event names it, however short, unless it is the id of an entry")
  func shortUID() throws {
    try folder.scratch.write(
      "home/a.ics",
      calendar(
        event("x", "DTSTART:20261201T090000Z", "SUMMARY:Short"),
        event("7", "DTSTART:20261202T090000Z", "SUMMARY:Digit"),
        event("DEADBEEF", "DTSTART:20261203T090000Z", "SUMMARY:Hexadecimal"),
        event("3.1", "DTSTART:20261204T090000Z", "SUMMARY:Path")))
    #expect(try folder.agenda("import", "home").status == 0)
    for (reference, title) in [
      ("x", "Short"), ("7", "Digit"), ("DEADBEEF", "Hexadecimal"), ("home/x", "Short"),
      ("home/DEADBEEF", "Hexadecimal"), ("3.1", "Hexadecimal"),
    ] {
      let run = try folder.agenda("event", reference)
      #expect(run.status == 0 && run.output.hasPrefix(title), "\(reference): \(run)")
    }
    // Another letter case is another UID.
    for reference in ["X", "y"] {
      try folder.agenda("event", reference).expect(
        1, output: "",
        errors:
          "agenda: \(reference): no entry has this id or UID, or these words in its title; "
          + "agenda search WORD finds words also in places and descriptions\n")
    }
    #expect(try folder.agenda("event", "deadbeef").errors.contains("deadbeef: no such entry"))
    #expect(try folder.agenda("event", "").status == 2)
  }
}
