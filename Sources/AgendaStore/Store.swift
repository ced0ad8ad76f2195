internal import AgendaCore
package import CivilTime

/// One SQLite file with all imported calendars. It is used by one thread.
///
/// Every call reads or writes in a separate transaction and leaves none open, so that a slow reader
/// of the results (a pager) doesn't block other processes.
package final class Store {
  package let path: String
  let connection: Connection
  let context: ReadingContext
  /// The key of this store's digests.
  package let key: StoreKey
  /// The line numbers of the revision that was asked for last: a warning about each of thousands of
  /// events reads them only once.
  var lineNumbers: (revision: Int, checksum: Int, entries: [LineNumbers.Entry])?

  /// Opens a store to read it; `nil` for a missing or empty file. An empty file stays empty.
  package static func open(
    reading path: String, zones database: ZoneDatabase
  ) throws(StoreError) -> Store? {
    guard try StoreFile.check(path) == .filled else { return nil }
    var connection = try Connection(path: path, access: .reading)
    switch try Migrations.state(of: connection) {
    case .empty: return nil
    // A reader with write permission migrates an old store, as a writer does.
    case .store(let version) where version < Schema.version:
      return try open(writing: path, zones: database)
    case .store: break
    }
    // SQLite reads a file in WAL mode only if it can write -shm, or if the file is declared
    // immutable.
    if Migrations.usesWriteAheadLog(connection), StoreFile.isImmutable(path) {
      connection = try Connection(path: path, access: .immutable)
    }
    return try Store(connection, database)
  }

  /// Opens a store for writing, and creates it if it is missing: the file with mode 0600, folders
  /// with 0700.
  package static func open(
    writing path: String, zones database: ZoneDatabase
  ) throws(StoreError) -> Store {
    if try StoreFile.check(path) == .missing { try StoreFile.create(path) }
    let connection = try Connection(path: path, access: .writing)
    _ = try Migrations.state(of: connection)
    try Migrations.migrate(connection)
    let store = try Store(connection, database)
    // The first import is faster without a log; see `SourceImport`.
    if !Migrations.usesWriteAheadLog(connection), try store.hasComponents() {
      connection.useWriteAheadLog()
    }
    return store
  }

  /// The zones of the system.
  package var zones: ZoneDatabase { context.database }

  private init(_ connection: Connection, _ database: ZoneDatabase) throws(StoreError) {
    path = connection.path
    self.connection = connection
    context = ReadingContext(connection, database: database)
    try connection.prepare()
    key = try StoreKey(of: connection)
    connection.key = key
  }

  func hasComponents() throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM component LIMIT 1") != nil
  }

  /// Begins the import of a source. It locks the store for writing until it is finished or
  /// released.
  package func beginImport(
    of source: ImportedSource, run: Int, _ options: SourceImport.Options
  ) throws(StoreError) -> SourceImport {
    try SourceImport(self, source: source, run: run, options: options)
  }

  /// The last step of every change, in its transaction: updates counts and caches.
  func finishChange(of sources: [Int]) throws(StoreError) {
    for source in sources { try countComponents(of: source) }
    try connection.run("DELETE FROM day_cache")
  }

  private func countComponents(of source: Int) throws(StoreError) {
    // Without GROUP BY, because that would sort all rows of the source.
    let counts = StoredEnum.kinds.indices.map { "count(*) FILTER (WHERE kind = \($0))" }
    let row = try connection.statement(
      """
      SELECT \(counts.joined(separator: ", ")) FROM component
      WHERE source = ?1 AND removed IS NULL
      """, source)
    guard try row.step() else { return }
    let numbers = StoredEnum.kinds.indices.map { row.integer(Int32($0)) }
    row.reset()
    func count(_ kind: Event.Kind) -> Int {
      numbers[StoredEnum.number(of: kind, in: StoredEnum.kinds)]
    }
    try connection.update(
      Schema.source,
      set: ["events": count(.event), "tasks": count(.task), "journals": count(.journal)],
      where: "id = ?", source)
  }
}
