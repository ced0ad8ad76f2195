import AgendaCore
import AgendaReader
import AgendaSources
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

/// How much of the file SQLite holds in memory.
@Suite struct PageMemoryTests {
  private static let source = ImportedSource(
    kind: .file, location: "/calendars/work.ics", calendar: "work")

  private static func kibibytes(_ store: Store) throws -> Int {
    -(try store.connection.integer("PRAGMA cache_size") ?? 0)
  }

  @Test("a reader and a first import hold little, other changes hold more")
  func limits() throws {
    let session = try StoreSession()
    let store = try session.store()
    let options = SourceImport.Options(now: session.now)
    let first = try store.beginImport(of: Self.source, run: 1, options)
    #expect(try Self.kibibytes(store) == 2048)
    first.cancel()
    try session.importing(
      Array(calendarText([event("one", "DTSTART:20261124T100000Z")]).utf8),
      as: "/calendars/home.ics", calendar: "home", into: store)
    #expect(try Self.kibibytes(store) == 32_768)
    let second = try store.beginImport(of: Self.source, run: 2, options)
    #expect(try Self.kibibytes(store) == 32_768)
    second.cancel()
    let reader = try #require(try Store.open(reading: session.path, zones: session.zones))
    #expect(try Self.kibibytes(reader) == 512)
    #expect(try reader.connection.integer("PRAGMA synchronous") == 1)
  }

  @Test("a first import that is cancelled leaves nothing of the pages that it wrote")
  func cancelled() throws {
    let session = try StoreSession()
    let words = String(repeating: "Some words about it. ", count: 100)
    let text = calendarText(
      (0..<1500).map {
        event("\($0)", "DTSTART:20261124T100000Z", "SUMMARY:\($0)", "DESCRIPTION:\(words)")
      })
    let file = try CalendarReader(zones: session.zones).read(SourceBytes(text), name: "work")
    let store = try session.store()
    func size() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: session.path)[.size] as? Int
    }
    let before = try #require(try size())
    let cancelled = try store.beginImport(
      of: Self.source, run: 1, SourceImport.Options(now: session.now))
    let known = try cancelled.begin(
      file.importedDocument(fingerprint: nil, digest: nil, interpretation: 1))
    try cancelled.takeAll(file.eventCount, of: known) {
      file.importedComponents($0, known: $1)
    }
    #expect(try #require(try size()) > before, "SQLite wrote no page before the end of the import")
    cancelled.cancel()
    #expect(try size() == before)
    #expect(try store.allEvents().isEmpty)
    #expect(try store.health().problems == [])
    #expect(try session.importing(text).added == 1500)
    #expect(try session.store().health().problems == [])
  }
}
