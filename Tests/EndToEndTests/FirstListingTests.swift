import Foundation
import TestSupport
import Testing

/// After a large import the first `agenda today` is read from the cache of days.
@Suite("the first listing after an import")
struct FirstListingTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("agenda.sqlite").path
  }

  private func agenda(_ arguments: String...) throws -> String {
    let run = try AgendaRun(
      arguments + ["--now", "2026-11-21T09:00:00+01:00"], environment: ["AGENDA_STORE": store],
      in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  private func write(_ name: String, titles: [String]) throws {
    let events = titles.map {
      """
      BEGIN:VEVENT\r
      UID:\($0)\r
      DTSTART:20261101T090000Z\r
      RRULE:FREQ=DAILY\r
      SUMMARY:\($0)\r
      END:VEVENT\r

      """
    }
    try folder.write(name, "BEGIN:VCALENDAR\r\n\(events.joined())END:VCALENDAR\r\n")
  }

  /// Changes all titles without a command, as no program may do: a cached day does not show it.
  private func changeTitles() throws {
    let program = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute("UPDATE component SET title = 'Other'")
      store.commit()
      """
    let run = try Tool("python3").run(["-c", program, store])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("a large import caches today, and a small one after it does not", .requires("python3"))
  func cached() throws {
    try write("many.ics", titles: (0..<200).map { "Number \($0)" })
    _ = try agenda("import", "many.ics")
    try changeTitles()
    #expect(try agenda("today").contains("Number 0"))
    #expect(try agenda("show", "--from", "2026-11-22", "--days", "1").contains("Other"))
    try write("few.ics", titles: ["Choir"])
    _ = try agenda("import", "few.ics")
    try changeTitles()
    #expect(try !agenda("today").contains("Choir"))
  }

  @Test("a dry run caches nothing", .requires("python3"))
  func dryRun() throws {
    try write("few.ics", titles: ["Choir"])
    try write("many.ics", titles: (0..<200).map { "Number \($0)" })
    _ = try agenda("import", "many.ics")
    try changeTitles()
    // Empties the cache.
    _ = try agenda("import", "few.ics")
    try write("many.ics", titles: (0..<400).map { "Number \($0)" })
    _ = try agenda("import", "--dry-run", "many.ics")
    try changeTitles()
    #expect(try !agenda("today").contains("Choir"))
  }
}
