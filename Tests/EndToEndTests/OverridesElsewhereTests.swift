import Foundation
import TestSupport
import Testing

/// Edits of a series in one source of a calendar that has an override only in another one.
@Suite("series with overrides in another source")
struct OverridesElsewhereTests {
  private let folder: WrittenFolder

  private static let series = event(
    "s", "SUMMARY:Choir", "DTSTART;TZID=Europe/Berlin:20261201T190000",
    "RRULE:FREQ=WEEKLY;COUNT=4")
  private static let override = event(
    "s", "SUMMARY:Late", "SEQUENCE:3", "RECURRENCE-ID;TZID=Europe/Berlin:20261208T190000",
    "DTSTART;TZID=Europe/Berlin:20261208T210000")

  /// The series is in a folder, the override in another folder or in a file that agenda does not write.
  init() throws {
    folder = try WrittenFolder()
    for name in ["own", "other"] { try folder.makeFolder(name) }
    try folder.scratch.write("own/s.ics", calendar(Self.series))
    try folder.scratch.write("other/s.ics", calendar(Self.override))
    try folder.scratch.write("file.ics", calendar(Self.override))
  }

  private func importing(_ sources: String...) throws {
    for source in sources {
      #expect(try folder.agenda("import", source, "--calendar", "c").status == 0)
    }
  }

  private func id(_ words: String) throws -> String {
    try #require(try folder.rows(words).first?["id"])
  }

  /// The time and title of each occurrence.
  private func shown() throws -> [String] {
    let run = try folder.agenda("show", "-f", "tsv", "--months", "3")
    #expect(run.status == 0)
    return run.rows.map {
      String(($0["start"] ?? "").dropFirst(5).prefix(8)) + " \($0["title"] ?? "")"
    }
  }

  private static let before = [
    "12-01T19 Choir", "12-08T21 Late", "12-15T19 Choir", "12-22T19 Choir",
  ]

  @Test("the override moves along with the series", arguments: ["other", "file.ics"])
  func moved(_ source: String) throws {
    try importing("own", source)
    #expect(try shown() == Self.before)
    let edit = try folder.agenda("edit", id("Choir"), "--all", "--at", "18:00")
    edit.expect(0)
    let after = ["12-01T18 Choir", "12-08T21 Late", "12-15T18 Choir", "12-22T18 Choir"]
    #expect(try shown() == after)
    let text = try folder.contents(source == "other" ? "other/s.ics" : "own/s.ics")
    #expect(text.contains("RECURRENCE-ID;TZID=Europe/Berlin:20261208T180000\r\n"), "\(text)")
    #expect(try folder.storeAgrees)
    #expect(try shown() == after)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try shown() == Self.before)
    #expect(try folder.storeAgrees)
  }

  @Test(
    "an edit of all from the override on moves the series by the same difference",
    arguments: ["other", "file.ics"])
  func editedFromOverride(_ source: String) throws {
    try importing("own", source)
    let edit = try folder.agenda("edit", id("Late"), "--all", "--at", "20:00")
    edit.expect(0)
    #expect(
      try shown() == ["12-01T18 Choir", "12-08T20 Late", "12-15T18 Choir", "12-22T18 Choir"])
    #expect(try folder.storeAgrees)
  }

  @Test("the override goes to the new series", arguments: ["other", "file.ics"])
  func split(_ source: String) throws {
    try importing("own", source)
    let second = try #require(try folder.rows("Late").first?["id"])
    let edit = try folder.agenda("edit", second, "--following", "--location", "Hall")
    edit.expect(0)
    #expect(try shown() == Self.before)
    #expect(try folder.storeAgrees)
    #expect(try shown() == Self.before)
  }

  @Test(
    "a removed override takes only its occurrence along", arguments: ["other", "file.ics"],
    ["own", "series.ics"])
  func removed(_ source: String, _ own: String) throws {
    try folder.scratch.write("series.ics", calendar(Self.series))
    try importing(own, source)
    let id = try id("Late")
    #expect(try folder.agenda("remove", "--event", id).status == 2)
    let remove = try folder.agenda("remove", "--event", id, "--only")
    #expect(remove.status == 0 && !remove.output.contains("no other occurrence"), "\(remove)")
    let after = ["12-01T19 Choir", "12-15T19 Choir", "12-22T19 Choir"]
    #expect(try shown() == after)
    if own == "own" {
      let text = try folder.contents("own/s.ics")
      #expect(text.contains("EXDATE;TZID=Europe/Berlin:20261208T190000\r\n"), "\(text)")
      #expect(try folder.names(in: "other").isEmpty == (source == "other"))
      #expect(try folder.storeAgrees)
    }
    #expect(try folder.agenda("refresh").status == 0)
    #expect(try shown() == after)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try shown() == Self.before)
  }

  @Test("all of the series is removed with the override in another folder")
  func removedAll() throws {
    try importing("own", "other")
    let remove = try folder.agenda("remove", "--event", id("Choir"), "--all")
    remove.expect(0)
    #expect(try shown() == [])
    #expect(try folder.names(in: "own") + folder.names(in: "other") == [])
    #expect(try folder.agenda("undo").status == 0)
    #expect(try shown() == Self.before)
  }
}
