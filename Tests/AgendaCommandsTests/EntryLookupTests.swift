import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// A store looks an id up in its indexes; in files the entry is searched in the list of all entries.
@Suite("looking up an entry by its id or UID")
struct EntryLookupTests {
  private static let start = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n"

  /// One component, or a series with an override, in 2026 or 2027. Two calendars share some UIDs.
  private static func component(
    _ number: Int, in calendar: String, _ random: inout SeededGenerator
  ) -> String {
    let uid = number % 5 == 0 ? "shared-\(number)" : "\(calendar)-\(number)"
    let month = Int.random(in: 11...12, using: &random)
    let day = Int.random(in: 10...28, using: &random)
    let year = Int.random(in: 0..<5, using: &random) == 0 ? 2027 : 2026
    let date = "\(year)\(month)\(day)"
    let title = "SUMMARY:Entry \(number) of \(calendar)\n"
    func written(_ kind: String, _ lines: String) -> String {
      "BEGIN:\(kind)\nUID:\(uid)\nDTSTAMP:20261101T000000Z\n\(lines)\(title)END:\(kind)\n"
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return written("VTODO", "")
    case 1: return written("VTODO", "DUE:\(date)T120000Z\n")
    case 2: return written("VTODO", "DTSTART;VALUE=DATE:\(date)\nRRULE:FREQ=WEEKLY;COUNT=3\n")
    case 3: return written("VEVENT", "DTSTART;VALUE=DATE:\(date)\nDURATION:P3D\n")
    case 4: return written("VEVENT", "DTSTART:\(date)T090000\nSTATUS:CANCELLED\n")
    case 5: return written("VJOURNAL", "DTSTART;VALUE=DATE:\(date)\n")
    case 6:
      return written("VEVENT", "DTSTART:\(date)T090000Z\nRRULE:FREQ=DAILY;COUNT=3\n")
        + written("VEVENT", "RECURRENCE-ID:\(date)T090000Z\nDTSTART:20261203T150000Z\n")
    case 7:
      // Several events with one UID, of which two start at the same time.
      return written("VEVENT", "DTSTART:\(date)T090000Z\n")
        + written("VEVENT", "DTSTART:\(date)T100000Z\nLOCATION:A\n")
        + written("VEVENT", "DTSTART:\(date)T100000Z\nLOCATION:B\n")
    default: return written("VEVENT", "DTSTART;TZID=Europe/Berlin:\(date)T233000\nDURATION:PT2H\n")
    }
  }

  @Test("random stores answer as their files do", arguments: 0..<2 * TestSettings.rounds)
  func randomStores(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = ScratchFolder.parent
      .appendingPathComponent("agenda-lookup-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for calendar in ["A", "B"] {
      let components = (0..<12).map { Self.component($0, in: calendar, &random) }
      let file = folder.appendingPathComponent("\(calendar).ics")
      try Data((Self.start + components.joined() + "END:VCALENDAR\n").utf8).write(to: file)
      files.append(file.path)
    }
    let variables = [
      "AGENDA_STORE": folder.appendingPathComponent("agenda.sqlite").path, "TZ": "Europe/Berlin",
    ]
    func run(_ arguments: [String]) -> InMemoryRun {
      InMemoryRun(arguments, variables: variables, columns: 100)
    }
    _ = run(["import", "--quiet"] + files)
    // The columns id and uid of everything in these years.
    let rows = run(
      ["show", "-f", "tsv", "--from", "2026-01-01", "--years", "3", "--tasks", "--journal"]
        + ["--include-cancelled"] + files
    ).output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let idColumn = try #require(rows.first?.firstIndex(of: "id"))
    var references = Set(rows.dropFirst().map { $0[idColumn] })
    #expect(references.count > 15)
    references.formUnion(
      (0..<12).flatMap { ["shared-\($0)", "A-\($0)", "B-\($0)"] } + ["00000000", "missing-uid"])
    for reference in references.sorted().shuffled(using: &random).prefix(24) {
      for options in [[], ["--days", "1"], ["--from", "2026-12-01", "--calendar", "B"]] {
        let command = [Bool.random(using: &random) ? "event" : "explain", reference]
        let fromFiles = run(command + files + options)
        let fromStore = run(command + options)
        #expect(fromStore.status == fromFiles.status, "\(command) \(options)")
        #expect(fromStore.output == fromFiles.output, "\(command) \(options)")
        // Files are read each time, with warnings about what is in them.
        let errors = [fromStore, fromFiles].map { run in
          run.errors.split(separator: "\n").filter { $0.hasPrefix("agenda: ") }
        }
        #expect(errors[0] == errors[1], "\(command) \(options)")
      }
    }
  }
}
