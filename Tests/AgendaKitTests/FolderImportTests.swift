import AgendaKit
import Foundation
import TestSupport
import Testing

/// Imports of a folder of which most files did not change. Those are not opened; the store must be
/// what a first import of the folder makes it.
@Suite struct FolderImportTests {
  private let scratch: ScratchFolder
  private let zone = Zone.utc

  init() throws { scratch = try ScratchFolder() }

  /// An hour after the files were written, so that the import trusts their times.
  private var now: Instant {
    Instant(secondsSinceEpoch: Int(Date().timeIntervalSince1970) + 3600)
  }

  private func importing(into name: String) throws -> (report: SourceReport, lines: [String]) {
    let store = CalendarStore(at: scratch.url.appendingPathComponent("\(name).sqlite").path)
    var options = StoreWriter.ImportOptions()
    options.allowsShrinking = true
    let folder = scratch.url.appendingPathComponent("folder").path
    let report = try #require(try store.write { try $0.importSources([folder], options) }.first)
    let first = try #require(CivilDate(year: 2026, month: 11, day: 1))
    let window = try #require(DateWindow(firstDay: first, length: .days(60), zone: zone))
    let calendars = try Calendars(of: store)
    let lines = try calendars.occurrences(in: window, of: Selection(includesCancelled: true)).map {
      """
      \($0.event.identity.uid) \(OccurrenceID(of: $0)) \($0.begin) \($0.event.title) \
      \(String(describing: $0.event.status))
      """
    }
    return (report, lines.sorted())
  }

  /// A calendar of one to three events; UIDs are few, so that files share some.
  private func calendar(using generator: inout SeededGenerator, isMessage: Bool) -> String {
    var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n"
    if isMessage { text += "METHOD:CANCEL\r\n" }
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let uid = Int.random(in: 0..<150, using: &generator)
      text += "BEGIN:VEVENT\r\nUID:\(uid)\r\n"
      text += "DTSTAMP:202611\(Int.random(in: 10...29, using: &generator))T000000Z\r\n"
      text += "SEQUENCE:\(Int.random(in: 0...2, using: &generator))\r\n"
      text += "DTSTART:202611\(10 + uid % 20)T090000Z\r\n"
      if uid % 3 == 0 {
        if Bool.random(using: &generator) {
          text += "RRULE:FREQ=DAILY;COUNT=4\r\n"
        } else {
          text += "RECURRENCE-ID:202611\(11 + uid % 20)T090000Z\r\n"
        }
      }
      text += "SUMMARY:\(Int.random(in: 0..<1000, using: &generator))\r\nEND:VEVENT\r\n"
    }
    return text + "END:VCALENDAR\r\n"
  }

  @Test("a folder of which some files changed is imported as if it were read as a whole")
  func incremental() throws {
    var generator = SeededGenerator(seed: 1103)
    let manager = FileManager.default
    func file(_ number: Int) -> String { "folder/\(number).ics" }
    for number in 0..<12 {
      try scratch.write(file(number), calendar(using: &generator, isMessage: false))
    }
    var kept = 0
    for round in 0..<25 * TestSettings.rounds {
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let name = file(Int.random(in: 0..<16, using: &generator))
        if Int.random(in: 0..<4, using: &generator) == 0 {
          try? manager.removeItem(at: scratch.url.appendingPathComponent(name))
        } else {
          let isMessage = Int.random(in: 0..<8, using: &generator) == 0
          try scratch.write(name, calendar(using: &generator, isMessage: isMessage))
        }
      }
      // One file stays, because a folder without any is an error.
      try scratch.write("folder/last.ics", calendar(using: &generator, isMessage: false))
      let (report, lines) = try importing(into: "kept")
      let (whole, expected) = try importing(into: "fresh-\(round)")
      #expect(lines == expected, "round \(round)")
      #expect(report.components == whole.components, "round \(round)")
      #expect(report.superseded == whole.superseded, "round \(round)")
      #expect(report.unchanged + report.updated + report.added == whole.added, "round \(round)")
      kept += report.unchanged
    }
    #expect(kept > 50)
  }
}
