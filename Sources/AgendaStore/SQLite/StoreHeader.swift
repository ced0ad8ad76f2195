/// Recognises a store by the header of its file, creates its tables and migrates an older one.
enum StoreHeader {
  enum State {
    /// A file without a table.
    case empty
    case store(version: Int)
  }

  private static let magic = Array("SQLite format 3\0".utf8)
  // https://sqlite.org/fileformat.html, "The Database Header".
  private static let writeVersionOffset = 18
  private static let userVersionOffset = 60
  private static let applicationIDOffset = 68

  /// Throws if the file isn't a store of a version up to `latest`. Only the header is read, so that
  /// another program's database is left unchanged.
  static func state(
    of connection: Connection, latest: Int = Schema.version
  ) throws(StoreError) -> State {
    let path = connection.path
    guard let header = connection.fileHeader() else {
      throw .damaged(path: path, what: "its first bytes cannot be read")
    }
    func number(at offset: Int) -> Int {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    if header.allSatisfy({ $0 == 0 }) { return .empty }
    guard header.starts(with: magic) else {
      throw .foreign(path: path, is: StoreFile.foreignKind(header))
    }
    let application = number(at: applicationIDOffset)
    if Migrations.retiredApplicationIDs.contains(application) { throw .retired(path: path) }
    guard application == Migrations.applicationID else {
      throw .foreign(path: path, is: "the database of another program")
    }
    let version = number(at: userVersionOffset)
    guard version >= 1 else {
      throw .damaged(path: path, what: "its schema version is \(version)")
    }
    guard version <= latest else {
      throw .newer(path: path, version: version, understood: latest)
    }
    return .store(version: version)
  }

  /// Whether the file is in write-ahead-log mode.
  static func usesWriteAheadLog(_ connection: Connection) -> Bool {
    connection.fileHeader()?[writeVersionOffset] == 2
  }

  /// Applies the missing steps, all in one transaction.
  static func migrate(_ connection: Connection, by steps: [[String]]) throws(StoreError) {
    guard try version(connection) < steps.count else { return }
    try connection.writing { () throws(StoreError) in
      let version = try version(connection)
      guard version < steps.count else { return }
      for step in steps[max(0, version)...] {
        for statement in step { try connection.run(statement) }
      }
      if version == 0 { try fill(connection) }
      try connection.run("PRAGMA application_id = \(Migrations.applicationID)")
      try connection.run("PRAGMA user_version = \(steps.count)")
    }
  }

  private static func version(_ connection: Connection) throws(StoreError) -> Int {
    try connection.integer("PRAGMA user_version") ?? 0
  }

  /// The rows that every store has.
  private static func fill(_ connection: Connection) throws(StoreError) {
    var generator = SystemRandomNumberGenerator()
    let key = StoreKey(number: generator.next())
    connection.key = key
    var row = Row(columns: 3, key: key)
    row.add("key", Int(Int64(bitPattern: key.number)))
    row.add("interpretation", 0)
    row.add("unchanged_after", nil as Int?)
    try connection.insert(row, id: 1, into: Schema.store)
    var searched = Row(columns: 2, key: key)
    searched.add("next_component", 1)
    searched.add("index_digest", 0)
    try connection.insert(searched, id: 1, into: Schema.searchState)
  }
}
