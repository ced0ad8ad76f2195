internal import CSQLite

/// One prepared statement. Values reach it only as bound parameters, never as part of its text.
///
/// `Connection.statement(_:)` resets it and clears its values each time it returns it.
final class Statement {
  let handle: OpaquePointer
  unowned let connection: Connection
  let sql: String
  /// The columns of its rows, by name. SQLite ignores letter case in names and returns them as the
  /// schema has them, so one flipped bit of a damaged store can change their case.
  private lazy var columns: [String: Int32] = {
    var columns: [String: Int32] = [:]
    for index in 0..<sqlite3_column_count(handle) {
      guard let name = sqlite3_column_name(handle, index) else { continue }
      columns[String(cString: name).lowercased()] = index
    }
    return columns
  }()

  /// The first code with which SQLite refused a value, because of missing memory for example. The
  /// parameter is NULL then, so the statement must not run.
  private var refusal = SQLITE_OK

  init(handle: OpaquePointer, connection: Connection, sql: String) {
    self.handle = handle
    self.connection = connection
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    refusal = SQLITE_OK
  }

  /// Notes the code that SQLite gives for a bound value.
  func note(_ code: Int32) {
    if code != SQLITE_OK, refusal == SQLITE_OK { refusal = code }
  }

  /// Goes to the next row. Returns whether there is one.
  func step() throws(StoreError) -> Bool {
    guard refusal == SQLITE_OK else {
      let code = refusal
      reset()
      if code == SQLITE_NOMEM { throw .noMemory(path: connection.path) }
      throw .failed(path: connection.path, what: String(cString: sqlite3_errstr(code)), code: code)
    }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    default:
      let error = connection.error(in: sql)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// For a statement without rows.
  func run() throws(StoreError) {
    while try step() {}
  }

  /// The index of the column with that name. Code that reads many rows looks it up once.
  func column(_ name: String) -> Int32 {
    guard let index = columns[name] else {
      preconditionFailure("no column \(name) in: \(sql)")
    }
    return index
  }
}

// MARK: Binding, with parameters counted from 1

/// A value that a parameter can be bound to.
protocol Bindable {
  func bind(to statement: Statement, _ index: Int32)
}

extension Int: Bindable {
  func bind(to statement: Statement, _ index: Int32) {
    sqlite3_bind_int64(statement.handle, index, Int64(self))
  }
}

extension String: Bindable {
  func bind(to statement: Statement, _ index: Int32) {
    var text = self
    text.withUTF8 { statement.bindText(index, UnsafeRawBufferPointer($0)) }
  }
}

extension [UInt8]: Bindable {
  func bind(to statement: Statement, _ index: Int32) {
    withUnsafeBytes { bytes in
      if let start = bytes.baseAddress, bytes.count > 0 {
        statement.note(
          agenda_sqlite3_bind_blob(
            statement.handle, index, start, Int32(clamping: bytes.count), 0))
      } else {
        sqlite3_bind_zeroblob(statement.handle, index, 0)
      }
    }
  }
}

extension Statement {
  /// `nil` leaves the parameter NULL.
  func bind(_ index: Int32, _ value: (any Bindable)?) {
    value?.bind(to: self, index)
  }

  func bind(_ index: Int32, _ value: Int) {
    sqlite3_bind_int64(handle, index, Int64(value))
  }

  /// Binds the parameters from the first on.
  func bind(_ values: [(any Bindable)?]) {
    for (index, value) in values.enumerated() { bind(Int32(index + 1), value) }
  }

  func bindText(_ index: Int32, _ utf8: UnsafeRawBufferPointer) {
    // A null pointer would bind NULL, but an empty text is a text.
    let start = utf8.baseAddress ?? UnsafeRawPointer(handle)
    note(agenda_sqlite3_bind_text(handle, index, start, Int32(clamping: utf8.count), 0))
  }
}

// MARK: Reading

extension Statement {
  func isNull(_ name: String) -> Bool { isNull(column(name)) }
  func integer(_ name: String) -> Int { integer(column(name)) }
  func optionalInteger(_ name: String) -> Int? { optionalInteger(column(name)) }
  func bool(_ name: String) -> Bool { integer(name) != 0 }
  func text(_ name: String) -> String { text(column(name)) }
  func optionalText(_ name: String) -> String? { optionalText(column(name)) }
  func bytes(_ name: String) -> [UInt8] { bytes(column(name)) }
  func optionalBytes(_ name: String) -> [UInt8]? { optionalBytes(column(name)) }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  func optionalInteger(_ column: Int32) -> Int? {
    isNull(column) ? nil : integer(column)
  }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else {
      connection.noteMissingText()
      return ""
    }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
  }

  func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  func optionalBytes(_ column: Int32) -> [UInt8]? {
    isNull(column) ? nil : bytes(column)
  }

  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
