import CSQLite
import TestSupport
import Testing

@testable import AgendaStore

/// SQLite refuses a value if memory is missing, and the parameter stays NULL.
@Suite struct RefusedValueTests {
  private let session: StoreSession
  private let connection: Connection

  init() throws {
    session = try StoreSession()
    connection = try session.store().connection
    try connection.run("CREATE TEMP TABLE note (text)")
    // A value that is too long is refused by the same calls as one without memory.
    sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 1000)
  }

  private static let long = String(repeating: "x", count: 1001)

  @Test("a statement with a value that SQLite refuses does not run")
  func statement() throws {
    #expect(throws: StoreError.self) {
      try connection.run("INSERT INTO note VALUES (?1)", Self.long)
    }
    #expect(throws: StoreError.self) {
      try connection.run("INSERT INTO note VALUES (?1)", Array(Self.long.utf8))
    }
    #expect(try connection.integer("SELECT count(*) FROM note") == 0)
    // The same statement works with the next value.
    try connection.run("INSERT INTO note VALUES (?1)", "short")
    #expect(try connection.integer("SELECT count(*) FROM note WHERE text = 'short'") == 1)
  }

  @Test("a row with such a value is not written")
  func row() throws {
    func insert(_ color: String) throws {
      var row = Row(columns: 2, key: connection.key)
      row.add("name", "work")
      row.add("color", color)
      try connection.insert(row, into: Schema.calendar)
    }
    #expect(throws: StoreError.self) { try insert(Self.long) }
    #expect(try connection.integer("SELECT count(*) FROM calendar") == 0)
    try insert("red")
    #expect(try connection.integer("SELECT count(*) FROM calendar WHERE color = 'red'") == 1)
  }
}
