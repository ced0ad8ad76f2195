internal import CSQLite

/// One open database with its prepared statements. It is used by one thread.
final class Connection {
  enum Access {
    /// Reading. If a killed writer left a journal behind and the file can be written, SQLite
    /// applies or removes the journal.
    case reading
    /// Reading a file that cannot change, on read-only media for example.
    case immutable
    case writing
    /// Writing, all of which is taken back when the connection is closed: a dry run.
    case trying
  }

  let handle: OpaquePointer
  let path: String
  let access: Access
  private var statements: [String: Statement] = [:]
  /// Whether a transaction that is only tried is open.
  private var isAttempting = false
  /// Whether a text was not read because of missing memory. What follows from it must not be written.
  private var lacksText = false
  /// The key of the store's checksums, once it is known.
  private let keyPointer: UnsafeMutablePointer<StoreKey>

  var key: StoreKey {
    get { keyPointer.pointee }
    set { keyPointer.pointee = newValue }
  }

  /// How long a writer waits for another writer, and for readers.
  static let waitingSeconds = 30
  /// The memory for pages of the file, in KiB.
  enum PageMemory: Int {
    /// A reader needs most pages only once. Using the same memory again takes less time than fresh
    /// memory for each of them.
    case reading = 512
    /// The first import writes each page only once.
    case firstImport = 2048
    /// Other changes reach pages all over the file.
    case changing = 32_768
  }

  /// Before the first use of SQLite in the process. In a program that uses SQLite itself it may be
  /// too late, and changes nothing.
  private static let setUp: Void = { _ = agenda_sqlite3_without_statistics() }()

  /// Opens an existing file without reading it; see `Store`.
  init(path: String, access: Access) throws(StoreError) {
    _ = Self.setUp
    var opened: OpaquePointer?
    // Without NOFOLLOW SQLite would create or open what a symbolic link points to.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    var name = path
    if access == .immutable {
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(Self.percentEncoded(path))?immutable=1"
    } else {
      flags |= SQLITE_OPEN_READWRITE
    }
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      guard let opened else { throw .failed(path: path, what: "out of memory", code: code) }
      throw Self.error(opened, path)
    }
    handle = opened
    self.path = path
    self.access = access
    keyPointer = .allocate(capacity: 1)
    keyPointer.initialize(to: StoreKey(number: 0))
    sqlite3_busy_timeout(handle, Int32(Self.waitingSeconds * 1000))
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    // A store has no triggers. If somebody adds one, it must have no effect.
    _ = agenda_sqlite3_config_switch(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    guard RowChecksum.register(in: handle, key: keyPointer) else { throw Self.error(handle, path) }
  }

  deinit {
    statements.removeAll()
    sqlite3_close(handle)
    keyPointer.deallocate()
  }

  private static func percentEncoded(_ path: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        encoded += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      default: encoded.append(byte)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Settings for the work on a store, after the file is known to be one.
  func prepare() throws(StoreError) {
    if access == .reading {
      try run("PRAGMA query_only = ON")
      // A reader writes only what can be made again. After a power failure, the last of it may be
      // missing. In this mode the store itself stays whole
      // (https://sqlite.org/pragma.html#pragma_synchronous).
      if StoreHeader.usesWriteAheadLog(self) { try run("PRAGMA synchronous = NORMAL") }
    }
    try limit(to: access == .reading || access == .immutable ? .reading : .changing)
  }

  func limit(to memory: PageMemory) throws(StoreError) {
    try run("PRAGMA cache_size = -\(memory.rawValue)")
  }

  /// The first bytes of the file, read without a lock and without creating -wal and -shm files.
  func fileHeader() -> [UInt8]? {
    var found: UnsafeMutablePointer<sqlite3_file>?
    // Reads through SQLite's own handle, because closing another handle would drop this process's
    // locks.
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &found) == SQLITE_OK,
      let file = found, let read = file.pointee.pMethods?.pointee.xRead
    else { return nil }
    var header = [UInt8](repeating: 0, count: 100)
    let code = header.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32($0.count), 0) }
    // SQLite fills the buffer with zeros after the end of a short file.
    return code & 0xff == SQLITE_OK || code == agenda_sqlite3_ioerr_short_read ? header : nil
  }

  /// The statement with that text, prepared once, with these values bound.
  func statement(
    _ sql: String, _ values: (any Bindable)?...
  ) throws(StoreError) -> Statement {
    let statement: Statement
    if let known = statements[sql] {
      known.reset()
      statement = known
    } else {
      statement = try prepare(sql)
      statements[sql] = statement
    }
    statement.bind(values)
    return statement
  }

  private func prepare(_ sql: String) throws(StoreError) -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(in: sql) }
    return Statement(handle: prepared, connection: self, sql: sql)
  }

  /// Runs a statement without rows.
  func run(_ sql: String, _ values: (any Bindable)?...) throws(StoreError) {
    // Statements without values (schema, transactions, settings) run too rarely to keep.
    let statement = try values.isEmpty ? prepare(sql) : statement(sql)
    statement.bind(values)
    try statement.run()
  }

  /// The first column of the first row.
  func integer(_ sql: String, _ values: (any Bindable)?...) throws(StoreError) -> Int? {
    let row = try statement(sql)
    row.bind(values)
    defer { row.reset() }
    return try row.step() ? row.optionalInteger(0) : nil
  }

  /// The first column of each row.
  func integers(_ sql: String, _ values: (any Bindable)?...) throws(StoreError) -> [Int] {
    let rows = try statement(sql)
    rows.bind(values)
    defer { rows.reset() }
    var integers: [Int] = []
    while try rows.step() { integers.append(rows.integer(0)) }
    return integers
  }

  /// A text was NULL, or could not be read.
  func noteMissingText() {
    if sqlite3_errcode(handle) == SQLITE_NOMEM { lacksText = true }
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Lets writers append to a log from now on, so that readers don't wait for them. If somebody
  /// else is using the file, nothing changes, and the next writer does it.
  func useWriteAheadLog() {
    // Within a transaction the mode cannot change.
    if access == .trying { return }
    sqlite3_busy_timeout(handle, 0)
    try? run("PRAGMA journal_mode = WAL")
    sqlite3_busy_timeout(handle, Int32(Self.waitingSeconds * 1000))
  }
}

// MARK: Errors

extension Connection {
  private static let needsRecovery = [
    agenda_sqlite3_readonly_rollback, agenda_sqlite3_readonly_recovery,
    agenda_sqlite3_readonly_cantinit,
  ].map { Int32($0) }

  func error(in sql: String) -> StoreError {
    let error = Self.error(handle, path)
    if case .failed(_, let what, let code) = error, code & 0xff == SQLITE_ERROR {
      // This is an error in agenda itself, and the statement is needed to find it.
      return .failed(path: path, what: "\(what) in: \(sql)", code: code)
    }
    return error
  }

  /// SQLite's last error, as one about space, permissions or damage if possible.
  private static func error(_ handle: OpaquePointer, _ path: String) -> StoreError {
    let code = sqlite3_extended_errcode(handle)
    let message = String(cString: sqlite3_errmsg(handle))
    let systemError = sqlite3_system_errno(handle)
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return .busy(
        path: path, seconds: Self.waitingSeconds, holder: LockHolder.description(of: path))
    case SQLITE_NOTADB: return .foreign(path: path, is: "not an SQLite database")
    case SQLITE_CORRUPT: return .damaged(path: path, what: message)
    case SQLITE_FULL: return .noSpace(path: path)
    case SQLITE_NOMEM: return .noMemory(path: path)
    case SQLITE_READONLY where needsRecovery.contains(code): return .needsRecovery(path: path)
    case SQLITE_READONLY, SQLITE_PERM: return .readOnly(path: path)
    case SQLITE_IOERR where StoreFile.isOutOfSpace(systemError): return .noSpace(path: path)
    // The reason that the system gave is about a file that SQLite tried instead.
    case SQLITE_CANTOPEN where StoreFile.isReadOnly(path): return .readOnly(path: path)
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      let what = (code & 0xff) == SQLITE_IOERR ? "cannot read or write" : "cannot open"
      return systemError == 0
        ? .failed(path: path, what: "\(what) the file", code: code)
        : .system(path: path, what: "\(what) the file", number: systemError)
    default: return .failed(path: path, what: message, code: code)
    }
  }
}

// MARK: Transactions

extension Connection {
  /// Runs `body` in one transaction that locks the store for writing at its beginning. So it never
  /// fails with "busy" in the middle: either everything is written, or nothing.
  func writing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin()
    do throws(StoreError) {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// The same, with changes of files that belong to the transaction. `files` runs when only the
  /// commit is left. If it fails, nothing is written.
  func writing<Result>(
    alsoFiles files: () throws -> Void, _ body: () throws(StoreError) -> Result
  ) throws -> Result {
    try begin()
    do {
      let result = try body()
      try commit(alsoFiles: files)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body` in a transaction, and takes back what it wrote.
  func tryingOut<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin()
    defer { rollBack() }
    return try body()
  }

  /// Runs `body` in one transaction, so that it sees a single state of the store.
  func reading<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if isInTransaction { return try body() }
    try run("BEGIN")
    do throws(StoreError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Lets a reader write what it can make again: the search index and what is derived from the text.
  func allowingWrites<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard access == .reading else { return try body() }
    try run("PRAGMA query_only = OFF")
    defer { try? run("PRAGMA query_only = ON") }
    return try body()
  }

  /// Begins a transaction that locks the store for writing. If all is only tried, it is a part of one
  /// transaction that is never committed.
  func begin() throws(StoreError) {
    guard access == .trying else { return try run("BEGIN IMMEDIATE") }
    if !isInTransaction { try run("BEGIN IMMEDIATE") }
    try run("SAVEPOINT attempt")
    isAttempting = true
  }

  func commit() throws(StoreError) {
    try checkTexts()
    guard access == .trying else { return try run("COMMIT") }
    try run("RELEASE attempt")
    isAttempting = false
  }

  /// The same, after `files`. No file is written if all is only tried.
  func commit(alsoFiles files: () throws -> Void) throws {
    try checkTexts()
    if access != .trying { try files() }
    try commit()
  }

  private func checkTexts() throws(StoreError) {
    guard lacksText else { return }
    throw .noMemory(path: path)
  }

  /// Never fails: if SQLite cannot go on, it has already rolled back.
  func rollBack() {
    lacksText = false
    guard isInTransaction, access != .trying || isAttempting else { return }
    for statement in statements.values { statement.reset() }
    let command = access == .trying ? "ROLLBACK TO attempt; RELEASE attempt" : "ROLLBACK"
    isAttempting = false
    sqlite3_exec(handle, command, nil, nil, nil)
  }
}
