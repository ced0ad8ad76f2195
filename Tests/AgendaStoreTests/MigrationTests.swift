import AgendaCore
import AgendaSources
import CSQLite
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

/// Stores of older schemas, as SQL, are brought up to date when they are opened. A step of these tests
/// stands for the one after the present version.
@Suite struct MigrationTests {
  /// The fixtures in `Fixtures/stores`, each named after its version.
  private static let versions = [1, 2]
  private static let nextStep = [
    "ALTER TABLE calendar ADD COLUMN note TEXT",
    "CREATE TABLE place (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL)",
    "CREATE INDEX place_name ON place (name)",
  ]
  private let session: StoreSession

  init() throws { session = try StoreSession() }

  private func makeStore(ofVersion version: Int) throws {
    let sql = try String(
      contentsOf: Fixtures.folder.appendingPathComponent("stores/version\(version).sql"),
      encoding: .utf8)
    try withDatabase { #expect(sqlite3_exec($0, sql, nil, nil, nil) == SQLITE_OK) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: session.path)
    #expect(try query("PRAGMA user_version") == [["\(version)"]])
  }

  private func withDatabase(_ work: (OpaquePointer?) throws -> Void) throws {
    var handle: OpaquePointer?
    try #require(sqlite3_open(session.path, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    try work(handle)
  }

  /// The rows of a query, as SQLite itself reads them.
  private func query(_ sql: String) throws -> [[String?]] {
    var rows: [[String?]] = []
    try withDatabase { handle in
      var statement: OpaquePointer?
      try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
      defer { sqlite3_finalize(statement) }
      while sqlite3_step(statement) == SQLITE_ROW {
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_text(statement, column).map { String(cString: $0) }
          })
      }
    }
    return rows
  }

  /// Every row of every table that a version has, with blobs as hexadecimal digits.
  private func content(ofVersion version: Int) throws -> [String: [[String?]]] {
    let definitions = Migrations.steps.prefix(version).joined()
    let tables = Schema.tables.filter { table in
      definitions.contains { $0.hasPrefix("CREATE TABLE \(table.name) (") }
    }
    #expect(tables.count > 19)
    return try Dictionary(
      uniqueKeysWithValues: tables.map { table in
        let values = (["id", "checksum"] + table.columns).map { "quote(\($0))" }
        return (
          table.name,
          try query("SELECT \(values.joined(separator: ", ")) FROM \(table.name) ORDER BY id")
        )
      })
  }

  private func schema() throws -> [[String?]] {
    try query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
  }

  @Test("the columns that statements name are those of the tables")
  func columns() throws {
    _ = try session.store()
    for table in Schema.tables {
      let columns = try query("SELECT name FROM pragma_table_info('\(table.name)')")
      #expect(columns.map(\.[0]) == ["id", "checksum"] + table.columns, "\(table.name)")
    }
    let tables = try query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    #expect(Set(tables.compactMap(\.[0])) == Set(Schema.tables.map(\.name)))
  }

  // Checks Decisions: Small decisions/17
  @Test("each version that has been released has a fixture, the present one too")
  func fixtures() {
    #expect(Self.versions == Array(1...Schema.version))
  }

  // Checks Decisions: Small decisions/17
  @Test("photos, places and thumbnails stay, and every row keeps its bytes", arguments: versions)
  func photos(version: Int) throws {
    try makeStore(ofVersion: version)
    let before = try content(ofVersion: version)
    let thumbnails = try query("SELECT hex(bytes) FROM thumbnail ORDER BY id").map(\.[0])
    #expect(thumbnails.count == 2)
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02X", $0) }.joined() }

    let store = try Store.open(
      writing: session.path, by: Migrations.steps + [Self.nextStep])
    #expect(try query("PRAGMA user_version") == [["\(Schema.version + 1)"]])
    let events = try store.allEvents().sorted { $0.title < $1.title }
    #expect(events.map(\.title) == ["Beach", "Choir", "Choir", "Harbour"])
    let reading = StoreEvents(store, zones: session.zones, reportFailure: { _ in })
    let photos = events.filter { $0.title != "Choir" }
    #expect(
      photos.map { reading.details(of: $0.reference).coordinates }
        == [
          Coordinates(latitude: 54.1, longitude: 13.7),
          Coordinates(latitude: 54.2, longitude: 13.8),
        ])
    for (number, photo) in photos.enumerated() {
      let bytes = try #require(reading.attachmentBytes(of: photo.reference, number: 1))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      let picture = StoredPicture(component: photo.reference.component, number: 1)
      guard case .made(_, _, let bytes) = try store.thumbnail(of: picture) else {
        Issue.record("no thumbnail")
        continue
      }
      #expect(hex(bytes) == thumbnails[number])
    }
    #expect(try content(ofVersion: version) == before)
    #expect(try query("SELECT count(*) FROM place") == [["0"]])
  }

  @Test("it can be changed, and undo reverts commands of its own version", arguments: versions)
  func changes(version: Int) throws {
    try makeStore(ofVersion: version)
    let original = try session.summary()
    try session.importing(calendar(event("new", "DTSTART:20260801T100000Z")))
    #expect(try session.summary().count == original.count + 1)
    try session.undo()
    #expect(try session.summary() == original)
    // The mail was imported after the photos and the choir.
    try session.undo()
    #expect(try session.store().allEvents().map(\.title).sorted() == ["Beach", "Choir", "Harbour"])
    #expect(try session.store().health().problems == [])
  }

  @Test("a calendar of a server keeps what waits, and what is a conflict")
  func server() throws {
    try makeStore(ofVersion: 2)
    let store = try session.store()
    let source = try #require(try store.sources().first { $0.source.kind == .server })
    let waiting = try store.waitingDocuments(ofSource: source.id)
    #expect(waiting.map(\.name) == ["a.ics"])
    #expect(waiting.first?.revision == nil)
    #expect(waiting.first?.object?.base?.isEmpty == false)
    let conflict = try #require(try store.conflicts().first)
    #expect(String(decoding: conflict.base ?? [], as: UTF8.self).contains("SUMMARY:Beta"))
    #expect(String(decoding: conflict.mine ?? [], as: UTF8.self).contains("SUMMARY:Mine"))
    #expect(try store.accounts().map(\.user) == ["ana"])
  }

  @Test("a store of a version that this agenda does not know is left as it is")
  func newer() throws {
    try makeStore(ofVersion: Schema.version)
    _ = try Store.open(writing: session.path, by: Migrations.steps + [Self.nextStep])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: session.path))
    #expect(
      throws: StoreError.newer(
        path: session.path, version: Schema.version + 1, understood: Schema.version)
    ) { try session.store() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: session.path)) == bytes)
  }
}
