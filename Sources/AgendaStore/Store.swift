/// One SQLite file with the text of all imported calendars, and an index over it. It does not know what
/// an event is. It is used by one thread.
///
/// Every call reads or writes in a separate transaction and leaves none open, so that a slow reader
/// of the results (a pager) doesn't block other processes.
package final class Store {
  package let path: String
  let connection: Connection
  /// The key of this store's digests.
  package let key: StoreKey
  /// The line numbers of the revision that was asked for last: a warning about each of thousands of
  /// events reads them only once.
  var lineNumbers: (revision: Int, checksum: Int, entries: [LineNumbers.Entry])?

  /// Opens a store to read it; `nil` for a missing or empty file. An empty file stays empty.
  package static func open(reading path: String) throws(StoreError) -> Store? {
    guard try StoreFile.check(path) == .filled else { return nil }
    let connection = try Connection(path: path, access: .reading)
    switch try StoreHeader.state(of: connection) {
    case .empty: return nil
    // A reader with write permission migrates an old store, as a writer does.
    case .store(let version) where version < Schema.version:
      do throws(StoreError) {
        return try open(writing: path)
      } catch {
        guard case .readOnly = error else { throw error }
        throw .older(path: path)
      }
    case .store: break
    }
    // SQLite reads a file in WAL mode only if it can write -shm, or if the file is declared
    // immutable.
    guard StoreHeader.usesWriteAheadLog(connection) else { return try Store(connection) }
    if StoreFile.isImmutable(path) {
      return try Store(Connection(path: path, access: .immutable))
    }
    do throws(StoreError) {
      return try Store(connection)
    } catch {
      // On a full disk -shm cannot grow. Without a log, the file alone has everything.
      guard StoreFile.hasNoLog(path), error.isAboutWriting else { throw error }
      return try Store(Connection(path: path, access: .immutable))
    }
  }

  /// Opens a store for writing, and creates it if it is missing: the file with mode 0600, folders
  /// with 0700.
  package static func open(writing path: String) throws(StoreError) -> Store {
    try open(writing: path, by: Migrations.steps)
  }

  /// Opens a store for a dry run: what is written is taken back when it is closed, and no other file
  /// is written. Until then, it can be read here.
  package static func open(trying path: String) throws(StoreError) -> Store {
    // A new or old store gets its tables first.
    _ = try open(writing: path)
    return try Store(Connection(path: path, access: .trying))
  }

  /// Whether everything that is written is taken back.
  package var isTrial: Bool { connection.access == .trying }

  /// `steps` are those of `Migrations`, except in tests.
  static func open(writing path: String, by steps: [[String]]) throws(StoreError) -> Store {
    if try StoreFile.check(path) == .missing { try StoreFile.create(path) }
    let connection = try Connection(path: path, access: .writing)
    _ = try StoreHeader.state(of: connection, latest: steps.count)
    try StoreHeader.migrate(connection, by: steps)
    let store = try Store(connection)
    // The first import is faster without a log; see `StoreChange`.
    if !StoreHeader.usesWriteAheadLog(connection), try store.hasComponents() {
      connection.useWriteAheadLog()
    }
    return store
  }

  private init(_ connection: Connection) throws(StoreError) {
    path = connection.path
    self.connection = connection
    try connection.prepare()
    key = try StoreKey(of: connection)
    connection.key = key
  }

  package func hasComponents() throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM component LIMIT 1") != nil
  }

  /// Identifies what the index was derived with: the version of the reader and of the zone rules. 0 if
  /// nothing was derived yet.
  package func interpretation() throws(StoreError) -> Int {
    try connection.integer("SELECT interpretation FROM store WHERE id = 1") ?? 0
  }

  /// Runs several queries on one state of the store.
  package func reading<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try connection.reading(body)
  }

  func damaged(_ id: Int) -> StoreError {
    .damagedContent(path: path, what: "component \(id) is damaged")
  }
}

extension Store {
  /// From here on, commits do not wait for the disk until `waitForDisk`. If the power fails before,
  /// the last transactions are lost, and the store is as it was before them.
  ///
  /// That is true in WAL mode only (https://sqlite.org/pragma.html#pragma_synchronous): otherwise
  /// nothing changes.
  package func delayDiskWrites() throws(StoreError) {
    guard StoreHeader.usesWriteAheadLog(connection) else { return }
    try connection.run("PRAGMA synchronous = NORMAL")
  }

  /// Waits until the disk has all transactions.
  package func waitForDisk() throws(StoreError) {
    let normal = 1
    guard try connection.integer("PRAGMA synchronous") == normal else { return }
    try connection.run("PRAGMA synchronous = FULL")
    // A commit waits for the whole log. This one changes nothing, but waits for earlier ones too.
    try connection.writing { () throws(StoreError) in
      try connection.update(
        Schema.store, set: ["interpretation": try interpretation()], where: "id = 1")
    }
  }
}
