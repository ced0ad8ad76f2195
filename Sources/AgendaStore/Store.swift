package import CivilTime

/// One SQLite file that holds what was imported. It is used by one thread.
///
/// Every call reads or writes in a transaction of its own and leaves none open, so that a slow
/// reader of the results (a pager) holds up nobody.
package final class Store {
  package let path: String
  let connection: Connection
  let context: ReadingContext
  let access: Connection.Access
  /// What this store mixes into its digests.
  package let key: StoreKey

  /// Opens a store to read it. An empty file is an empty store, and stays an empty file.
  package static func open(
    reading path: String, zones database: ZoneDatabase
  ) throws(StoreError) -> Store? {
    guard try StoreFile.check(path) == .filled else { return nil }
    let connection = try Connection(path: path, access: .reading)
    guard try Migrations.check(connection) else { return nil }
    if try connection.integer("PRAGMA user_version") != StoreSchema.version {
      // A reader brings an old store up to date where it may write, as a writer does.
      return try open(writing: path, zones: database)
    }
    return try Store(connection, database, .reading)
  }

  /// Opens a store to write it, and makes it where there is none: the file 0600, folders 0700.
  package static func open(
    writing path: String, zones database: ZoneDatabase
  ) throws(StoreError) -> Store {
    if try StoreFile.check(path) == .missing { try StoreFile.create(path) }
    let connection = try Connection(path: path, access: .writing)
    if try !Migrations.check(connection) { try Migrations.create(connection) }
    try Migrations.migrate(connection, zones: database)
    return try Store(connection, database, .writing)
  }

  private init(
    _ connection: Connection, _ database: ZoneDatabase, _ access: Connection.Access
  ) throws(StoreError) {
    self.access = access
    path = connection.path
    self.connection = connection
    context = ReadingContext(connection, database: database)
    try connection.useCache()
    key = try StoreKey(of: connection)
  }
}

extension Store {
  /// Begins the import of a source. It holds the right to write until it is finished or let go.
  package func beginImport(
    of source: ImportedSource, run: Int, _ options: SourceImport.Options
  ) throws(StoreError) -> SourceImport {
    try SourceImport(self, source: source, run: run, options: options)
  }
}

extension Connection {
  /// How much of the file is held in memory.
  private static let cacheKibibytes = 32 * 1024
  /// Enough for a short window, which reads most pages once: memory that is new costs more than a
  /// page read again.
  private static let smallCacheKibibytes = 2 * 1024
  /// Beside a source that lies in memory too.
  private static let importCacheKibibytes = 8 * 1024

  func useCache() throws(StoreError) {
    try run("PRAGMA cache_size = -\(Self.cacheKibibytes)")
  }

  func useImportCache() throws(StoreError) {
    try run("PRAGMA cache_size = -\(Self.importCacheKibibytes)")
  }

  func usingSmallCache<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run("PRAGMA cache_size = -\(Self.smallCacheKibibytes)")
    let result = try body()
    try useCache()
    return result
  }
}
