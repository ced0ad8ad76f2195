/// Recognises a store by the header of its file, creates its tables and migrates an older one.
enum Migrations {
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

  /// Throws if the file isn't a store. Only the header is read, so that another program's database
  /// is left unchanged.
  static func state(of connection: Connection) throws(StoreError) -> State {
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
    switch number(at: applicationIDOffset) {
    case Schema.applicationID: break
    case Schema.retiredApplicationID: throw .retired(path: path)
    default: throw .foreign(path: path, is: "the database of another program")
    }
    let version = number(at: userVersionOffset)
    guard version >= 1 else {
      throw .damaged(path: path, what: "its schema version is \(version)")
    }
    guard version >= Schema.firstVersion else { throw .retired(path: path) }
    guard version <= Schema.version else {
      throw .newer(path: path, version: version, understood: Schema.version)
    }
    return .store(version: version)
  }

  /// Whether the file is in write-ahead-log mode.
  static func usesWriteAheadLog(_ connection: Connection) -> Bool {
    connection.fileHeader()?[writeVersionOffset] == 2
  }

  /// Applies the missing steps of `Schema.migrations`, all in one transaction.
  static func migrate(_ connection: Connection) throws(StoreError) {
    guard try version(connection) < Schema.version else { return }
    try connection.writing { () throws(StoreError) in
      let version = try version(connection)
      guard version < Schema.version else { return }
      for step in Schema.migrations[max(0, version - Schema.firstVersion + 1)...] {
        for statement in step { try connection.run(statement) }
      }
      if version == 0 { try fill(connection) }
      try connection.run("PRAGMA application_id = \(Schema.applicationID)")
      try connection.run("PRAGMA user_version = \(Schema.version)")
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
    row.add("next_component", 1)
    row.add("next_run", 1)
    try connection.insert(row, id: 1, into: Schema.store)
    var searched = Row(columns: 2, key: key)
    searched.add("next_component", 1)
    searched.add("index_digest", 0)
    try connection.insert(searched, id: 1, into: Schema.searched)
  }
}
