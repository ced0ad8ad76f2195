import AgendaCore
import AgendaReader
import AgendaStore
import Foundation
import TestSupport
import Testing

@testable import AgendaSources

/// Files that are read from a copy in the temporary folder, because they are too large for the
/// memory. Here every file is too large.
@Suite("Large files")
struct LargeFileTests {
  let session: StoreSession
  let copies: ScratchFolder

  init() throws {
    session = try StoreSession()
    copies = try ScratchFolder()
  }

  /// Single events, series, overrides, UIDs that occur twice and components with mistakes.
  private static func components(count: Int, seed: UInt64) -> [String] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let day = Int.random(in: 1...31, using: &generator)
      let month = Int.random(in: 1...12, using: &generator)
      let date = String(format: "2026%02d%02d", month, day)
      let uid = Int.random(in: 0..<20, using: &generator) == 0 ? number / 2 : number
      let rule = number % 7 == 0 ? "RRULE:FREQ=WEEKLY;COUNT=\(day)\r\n" : ""
      let text = String(repeating: "text \(number) ", count: number % 90)
      return "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:\(date)T090000Z\r\n\(rule)"
        + "SUMMARY:\(number)\r\nDESCRIPTION:\(text)\r\nEND:VEVENT\r\n"
    }
  }

  private func imported(_ path: String, mostInMemory: Int) throws -> (SourceReport, [UInt8]) {
    let store = session.path
    try? FileManager.default.removeItem(atPath: store)
    var options = ImportOptions(storePath: store, zones: session.zones, now: session.now)
    options.temporaryFolder = copies.url.path
    options.mostInMemory = mostInMemory
    var importer = try SourceImporter(options, command: "import")
    try importer.run([Source(path)], calendar: nil)
    let report = try #require(importer.reports.first)
    return (report, try session.export())
  }

  @Test("the import of a copy stores and reports the same as that of the file")
  func copy() throws {
    let components = Self.components(count: 3000, seed: 5)
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(components.joined())END:VCALENDAR\r\n"
    let path = try copies.write("large.ics", text)
    let (report, export) = try imported(path, mostInMemory: 0)
    let (expected, expectedExport) = try imported(path, mostInMemory: .max)
    #expect(report == expected)
    #expect(report.added > 2500)
    #expect(report.rejected > 0)
    #expect(!report.problems.isEmpty)
    #expect(export == expectedExport)
    // The copy has no name.
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies.url.path) == ["large.ics"])
  }

  @Test("a file that another program empties after it was opened is read to its end")
  func emptied() throws {
    let text = Self.components(count: 500, seed: 6).joined()
    let path = try copies.write("large.ics", text)
    let bytes = try SourceBytes(
      contentsOf: path, copy: .init(folder: copies.url.path, mostInMemory: 0))
    #expect(bytes.isInFile)
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 0)
    #expect(bytes.bytes.elementsEqual(Array(text.utf8)))
    bytes.release(0..<bytes.count)
    #expect(bytes.bytes.elementsEqual(Array(text.utf8)))
  }

  @Test("without room for the copy, the message names its folder and what to do")
  func noFolder() throws {
    let path = try copies.write("large.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    let error = try #require(throws: ReaderError.self) {
      _ = try SourceBytes(contentsOf: path, copy: .init(folder: "/nowhere", mostInMemory: 0))
    }
    #expect(
      "\(error)".contains(
        "cannot write a copy to /nowhere: No such file or directory; set TMPDIR to another folder"))
  }
}
