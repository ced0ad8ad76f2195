import AgendaCore
import AgendaStore
import CSQLite
import CivilTime
import Foundation
import TestSupport
import Testing

/// Stores of each older schema, as SQL, are brought up to date when they are opened.
@Suite struct MigrationTests {
  /// The fixtures in `Fixtures/stores`, each named after its version.
  private static let versions = [2, 3, 4, 5]
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

  /// Every row of every table, with blobs as hexadecimal digits.
  private func content() throws -> [String: [[String?]]] {
    let tables = try query("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap(\.[0])
    return try Dictionary(
      uniqueKeysWithValues: tables.map { table in
        let columns = try query("SELECT name FROM pragma_table_info('\(table)')").compactMap(\.[0])
        let values = columns.map { "quote(\($0))" }.joined(separator: ", ")
        return (table, try query("SELECT \(values) FROM \(table) ORDER BY id"))
      })
  }

  private func schema() throws -> [[String?]] {
    try query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
  }

  @Test("each version that has been released has a fixture")
  func fixtures() throws {
    _ = try session.store()
    let version = try #require(try query("PRAGMA user_version").first?[0].flatMap { Int($0) })
    #expect(Self.versions == Array(2..<version))
  }

  @Test("photos, places and thumbnails stay, and every row keeps its bytes", arguments: versions)
  func photos(version: Int) throws {
    try makeStore(ofVersion: version)
    let before = try content()
    let pictures = try query("SELECT hex(bytes) FROM attachment ORDER BY component").map(\.[0])
    let thumbnails = try query("SELECT hex(bytes) FROM thumbnail ORDER BY id").map(\.[0])
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02X", $0) }.joined() }

    // A reader that may write does it too.
    let store = try #require(try Store.open(reading: session.path, zones: session.zones))
    #expect(try store.health().problems == [])
    let events = try store.allEvents().sorted { $0.title < $1.title }
    // From version 3 on, a mail has cancelled an occurrence of the choir.
    let choirs = events.filter { $0.title == "Choir" }
    #expect(choirs.count == (version == 2 ? 1 : 2))
    let series = try #require(choirs.first { $0.recurrence != nil })
    #expect(try store.details(of: series.reference).description == "Bring the scores.")
    let photos = events.filter { $0.title != "Choir" }
    #expect(photos.map(\.title) == ["Beach", "Harbour"])
    #expect(
      try photos.map { try store.details(of: $0.reference).coordinates }
        == [
          Coordinates(latitude: 54.1, longitude: 13.7),
          Coordinates(latitude: 54.2, longitude: 13.8),
        ])
    for (number, photo) in photos.enumerated() {
      let bytes = try #require(try store.attachmentBytes(of: photo.reference, number: 1))
      #expect(hex(bytes) == pictures[number])
      guard case .made(let thumbnail) = try store.thumbnail(of: photo.reference, number: 1) else {
        Issue.record("no thumbnail")
        continue
      }
      #expect(hex(thumbnail.bytes) == thumbnails[number])
    }

    let after = try content()
    for (table, rows) in before { #expect(after[table] == rows, "\(table)") }
    for (table, rows) in after where before[table] == nil { #expect(rows.isEmpty, "\(table)") }
  }

  @Test("it gets the same tables and indexes as a new store", arguments: versions)
  func sameSchema(version: Int) throws {
    try makeStore(ofVersion: version)
    _ = try session.store()
    let migrated = try schema()
    let new = try MigrationTests()
    _ = try new.session.store()
    #expect(try migrated == new.schema())
  }

  @Test("it can be changed, and undo reverts commands of its own version", arguments: versions)
  func changes(version: Int) throws {
    try makeStore(ofVersion: version)
    let original = try session.summary()
    try session.importing(calendar(event("new", "DTSTART:20260801T100000Z")))
    #expect(try session.summary().count == original.count + 1)
    _ = try session.store().undo()
    #expect(try session.summary() == original)
    // From version 3 on, the mail is reverted before the import.
    for _ in 2...min(version, 3) { _ = try session.store().undo() }
    #expect(try session.store().allEvents().map(\.title).sorted() == ["Beach", "Harbour"])
    #expect(try session.store().health().problems == [])
  }
}
