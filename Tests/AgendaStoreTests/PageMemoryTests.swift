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
  private static func kibibytes(_ store: Store) throws -> Int {
    -(try store.connection.integer("PRAGMA cache_size") ?? 0)
  }

  @Test("a reader and a first import hold little, other changes hold more")
  func limits() throws {
    let session = try StoreSession()
    let store = try session.store()
    let command = StoreCommand("import", at: session.now)
    let first = try StoreChange(store, command)
    #expect(try Self.kibibytes(store) == 2048)
    first.cancel()
    try session.importing(
      Array(calendarText([event("one", "DTSTART:20261124T100000Z")]).utf8),
      as: "/calendars/home.ics", calendar: "home", into: store)
    #expect(try Self.kibibytes(store) == 32_768)
    let second = try StoreChange(store, command)
    #expect(try Self.kibibytes(store) == 32_768)
    second.cancel()
    let reader = try #require(try Store.open(reading: session.path))
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
    let store = try session.store()
    func size() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: session.path)[.size] as? Int
    }
    let before = try #require(try size())
    let cancelled = try StoreChange(store, StoreCommand("import", at: session.now))
    let source = try cancelled.write(
      ImportedSource(kind: .file, location: "/calendars/work.ics", calendar: "work"))
    let document = try cancelled.document(source: source, name: "")
    let context = try cancelled.context(StoredContext(text: []))
    let bytes = Array(event("one", "DTSTART:20261124T100000Z", "DESCRIPTION:\(words)").utf8)
    for number in 0..<1500 {
      let record = ComponentRecord(
        kind: .event, uid: number, digest: number, index: IndexColumns(), text: bytes,
        key: store.key)
      _ = try cancelled.add(record, source: source, document: document, context: context)
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
