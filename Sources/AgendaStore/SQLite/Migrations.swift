internal import CivilTime

/// From no tables to those of `StoreSchema`, and from those of an older version to them.
enum Migrations {
  /// What leads from each version to the next, the first from 1 to 2. A step never changes once it
  /// was released; Fixtures/stores holds a store of each version for the tests.
  static let steps = [
    Step(
      statements: [
        """
        CREATE TABLE place (
          id INTEGER PRIMARY KEY,
          lines BLOB NOT NULL,
          seal INTEGER NOT NULL)
        """,
        """
        CREATE TABLE repeated (
          source INTEGER NOT NULL,
          uid_digest INTEGER NOT NULL,
          PRIMARY KEY (source, uid_digest)) WITHOUT ROWID
        """,
        "DROP INDEX component_replaced",
        // Also of what was taken out: undo brings it back.
        """
        INSERT INTO repeated (source, uid_digest)
        SELECT source, uid_digest FROM component GROUP BY source, uid_digest HAVING count(*) > 1
        """,
      ],
      // The first version took some series for shorter or rarer than they are.
      worksOutSpans: true),
    Step(
      statements: [
        """
        CREATE TABLE thumbnail (
          id INTEGER PRIMARY KEY,
          picture TEXT NOT NULL,
          format INTEGER NOT NULL,
          bytes BLOB NOT NULL,
          seal INTEGER NOT NULL)
        """,
        "CREATE TABLE awaited_thumbnail (id INTEGER PRIMARY KEY)",
        // What is no picture gets none and is no longer awaited when the first bytes are seen.
        """
        INSERT INTO awaited_thumbnail (id)
        SELECT id FROM attachment WHERE bytes IS NOT NULL AND (is_image = 1 OR media_type IS NULL
          OR media_type LIKE 'image/%' OR media_type = 'application/octet-stream')
        """,
      ],
      worksOutSpans: false),
    Step(
      statements: [
        """
        CREATE TABLE former_calendar (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          color TEXT,
          is_named INTEGER NOT NULL,
          color_of_next TEXT,
          seal INTEGER NOT NULL)
        """
      ],
      worksOutSpans: false),
  ]

  struct Step {
    let statements: [String]
    /// Whether spans and patterns are to be worked out anew.
    let worksOutSpans: Bool
  }

  /// Whether the file is a store; `false` where it has no table at all. Everything else is
  /// refused before anything is written.
  static func check(_ connection: Connection) throws(StoreError) -> Bool {
    let application = try connection.integer("PRAGMA application_id") ?? 0
    let version = try connection.integer("PRAGMA user_version") ?? 0
    if application == 0, version == 0 {
      let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      guard tables == 0 else {
        throw .foreign(path: connection.path, is: "the database of another program")
      }
      return false
    }
    guard application == StoreSchema.applicationID else {
      throw .foreign(path: connection.path, is: "the database of another program")
    }
    guard version >= 1 else {
      throw .damaged(path: connection.path, what: "it has the store version \(version)")
    }
    guard version <= StoreSchema.version else {
      throw .newer(path: connection.path, version: version, understood: StoreSchema.version)
    }
    return true
  }

  /// Makes the tables, in one transaction. Does nothing where somebody else was faster.
  static func create(_ connection: Connection) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      guard try !check(connection) else { return }
      for statement in StoreSchema.tables + StoreSchema.componentIndexes {
        try connection.run(statement)
      }
      try connection.run("INSERT INTO searched (id, next_component) VALUES (1, 1)")
      var generator = SystemRandomNumberGenerator()
      let key = StoreKey(number: generator.next())
      var row = Row(columns: 3)
      row.add(Int(Int64(bitPattern: key.number)))
      row.add(1)
      row.add(1)
      try SealedTable.store.insert(row, id: 1, into: connection, key: key)
      try connection.run("PRAGMA application_id = \(StoreSchema.applicationID)")
      try connection.run("PRAGMA user_version = \(StoreSchema.version)")
    }
  }

  /// Takes an older store to the present version, all steps in one transaction.
  static func migrate(
    _ connection: Connection, zones: ZoneDatabase
  ) throws(StoreError) {
    let target = steps.count + 1
    guard try connection.integer("PRAGMA user_version") ?? 0 < target else { return }
    try connection.writing { () throws(StoreError) in
      let version = try connection.integer("PRAGMA user_version") ?? 0
      guard version < target else { return }
      let missing = steps[(version - 1)...]
      for step in missing {
        for statement in step.statements { try connection.run(statement) }
      }
      if missing.contains(where: \.worksOutSpans) {
        try ComponentSpans.workOut(in: connection, zones: zones)
      }
      try connection.run("PRAGMA user_version = \(target)")
    }
  }
}
