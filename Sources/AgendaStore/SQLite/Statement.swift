internal import CSQLite

/// One prepared statement. Values reach it only by binding, never as text of it.
///
/// It is reset, and its values forgotten, each time `Connection.statement(_:)` gives it out.
final class Statement {
  let handle: OpaquePointer
  unowned let connection: Connection
  let sql: String

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
  }

  /// Whether there is a row to read.
  func step() throws(StoreError) -> Bool {
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

  /// For a statement that gives no rows.
  func run() throws(StoreError) {
    while try step() {}
  }
}

// MARK: Binding, with parameters counted from 1

extension Statement {
  func bind(_ index: Int32, _ value: Int?) {
    if let value { sqlite3_bind_int64(handle, index, Int64(value)) }
  }

  func bind(_ index: Int32, _ value: Double?) {
    if let value { sqlite3_bind_double(handle, index, value) }
  }

  func bind(_ index: Int32, _ text: String?) {
    guard var text else { return }
    text.withUTF8 { bytes in
      // A nil pointer would bind NULL: an empty text is a text.
      let start = UnsafeRawPointer(bytes.baseAddress) ?? UnsafeRawPointer(handle)
      _ = agenda_sqlite3_bind_text(handle, index, start, Int32(clamping: bytes.count), 0)
    }
  }

  /// A text that is at hand as UTF-8.
  func bind(_ index: Int32, utf8: [UInt8]) {
    utf8.withUnsafeBytes { bytes in
      let start = bytes.baseAddress ?? UnsafeRawPointer(handle)
      _ = agenda_sqlite3_bind_text(handle, index, start, Int32(clamping: bytes.count), 0)
    }
  }

  func bind(_ index: Int32, bytes: [UInt8]?) {
    guard let bytes else { return }
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress, bytes.count > 0 {
        _ = agenda_sqlite3_bind_blob(handle, index, start, Int32(clamping: bytes.count), 0)
      } else {
        sqlite3_bind_zeroblob(handle, index, 0)
      }
    }
  }
}

// MARK: Reading, with columns counted from 0

extension Statement {
  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  func integerIfAny(_ column: Int32) -> Int? {
    isNull(column) ? nil : integer(column)
  }

  func double(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  func doubleIfAny(_ column: Int32) -> Double? {
    isNull(column) ? nil : double(column)
  }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func textIfAny(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
  }

  func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  func bytesIfAny(_ column: Int32) -> [UInt8]? {
    isNull(column) ? nil : bytes(column)
  }

  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
