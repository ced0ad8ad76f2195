internal import CSQLite

/// One open database, its statements kept prepared. It is used by one thread.
final class Connection {
  enum Access {
    /// Reading; a journal that a killed writer left is cleared away where the file can be written.
    case reading
    case writing
  }

  let handle: OpaquePointer
  let path: String
  private var statements: [String: Statement] = [:]

  /// How long a writer waits for another one, and for readers.
  static let waitingSeconds = 30

  /// Opens an existing file. It does not look into it: see `Store`.
  init(path: String, access: Access) throws(StoreError) {
    var opened: OpaquePointer?
    // Without NOFOLLOW SQLite would create or open what a symbolic link points to.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw .statement(code: code & 0xff, extendedCode: code, message: message, sql: "open")
    }
    handle = opened
    self.path = path
    sqlite3_busy_timeout(handle, Int32(Self.waitingSeconds * 1000))
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    // A store has neither: whoever wrote some into it wants something done that nobody asked for.
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    // Until the file is known to be ours, closing it must not write to it.
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    if access == .reading { try run("PRAGMA query_only = ON") }
  }

  deinit {
    statements.removeAll()
    sqlite3_close(handle)
  }

  /// The statement of that text, prepared once, with nothing bound.
  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let known = statements[sql] {
      known.reset()
      return known
    }
    let statement = try prepare(sql)
    statements[sql] = statement
    return statement
  }

  private func prepare(_ sql: String) throws(StoreError) -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(in: sql) }
    return Statement(handle: prepared, connection: self, sql: sql)
  }

  /// Runs one statement without parameters, and does not keep it.
  func run(_ sql: String) throws(StoreError) {
    try prepare(sql).run()
  }

  /// The first column of the first row.
  func integer(_ sql: String) throws(StoreError) -> Int? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integerIfAny(0) : nil
  }

  func text(_ sql: String) throws(StoreError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.textIfAny(0) : nil
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  private static let needsRecovery = [
    agenda_sqlite3_readonly_rollback, agenda_sqlite3_readonly_recovery,
    agenda_sqlite3_readonly_cantinit,
  ].map { Int32($0) }

  /// What SQLite says about its last failure, as an error of ours where it has a name.
  func error(in sql: String) -> StoreError {
    let extendedCode = sqlite3_extended_errcode(handle)
    let message = String(cString: sqlite3_errmsg(handle))
    switch extendedCode & 0xff {
    case SQLITE_BUSY:
      return .busy(
        path: path, seconds: Self.waitingSeconds, holder: LockHolder.description(of: path))
    case SQLITE_NOTADB: return .foreign(path: path, is: "no SQLite database")
    case SQLITE_CORRUPT: return .damaged(path: path, what: message)
    case SQLITE_READONLY where Self.needsRecovery.contains(extendedCode):
      return .needsRecovery(path: path)
    case SQLITE_READONLY: return .readOnly(path: path)
    default:
      return .statement(
        code: extendedCode & 0xff, extendedCode: extendedCode, message: message, sql: sql)
    }
  }
}

// MARK: Transactions

extension Connection {
  /// Runs `body` as one transaction that holds the right to write from its first moment, so that
  /// it never fails with "busy" half way: all of it happens, or nothing.
  func writing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// Runs `body` on one unchanging state of the store.
  func reading<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if isInTransaction { return try body() }
    return try transaction("BEGIN", body)
  }

  private func transaction<Result>(
    _ beginning: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run(beginning)
    do throws(StoreError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Never fails: SQLite itself has rolled back where it could not go on.
  func rollBack() {
    guard isInTransaction else { return }
    for statement in statements.values { statement.reset() }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }
}
