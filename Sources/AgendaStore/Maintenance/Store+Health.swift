internal import CSQLite
internal import Platform

extension Store {
  /// Checks the whole store: the structure of the file, the checksum of every row, references
  /// between rows, and who may read the file.
  package func health() throws(StoreError) -> StoreHealth {
    try connection.reading { () throws(StoreError) in
      var problems: [String] = []
      try checkStructure(&problems)
      // If the structure is damaged, the rows may be unreadable.
      if problems.isEmpty {
        for table in Schema.tables where table.name != Self.cache {
          problems += try damagedRows(of: table).map {
            "\(table.name) \($0) is damaged or was modified outside agenda"
          }
        }
        try checkCompleteness(&problems)
        try checkSearchIndex(&problems)
      }
      let isDamaged = !problems.isEmpty
      if let cache = Schema.tables.first(where: { $0.name == Self.cache }), !isDamaged {
        problems += try damagedRows(of: cache).map {
          "\(cache.name) \($0) is damaged; agenda replaces it when it lists that day again"
        }
      }
      let file = try StoreFile.status(of: path)
      let folderPath = StoreFile.folder(of: path)
      let folder = try StoreFile.status(of: folderPath)
      let (filePermissions, folderPermissions) = (
        file?.permissions ?? 0, folder?.permissions ?? 0
      )
      if filePermissions & 0o077 != 0 {
        problems.append("others may read the file (chmod 600 \(path))")
      }
      if folderPermissions & 0o022 != 0 {
        problems.append("others may write to its folder (chmod 700 \(folderPath))")
      }
      let pageSize = try connection.integer("PRAGMA page_size") ?? 0
      return StoreHealth(
        sqliteVersion: String(cString: sqlite3_libversion()),
        schemaVersion: try connection.integer("PRAGMA user_version") ?? 0,
        bytes: file?.size ?? 0,
        freeBytes: (try connection.integer("PRAGMA freelist_count") ?? 0) * pageSize,
        components: try count("component WHERE removed IS NULL"),
        removedComponents: try count("component WHERE removed IS NOT NULL"),
        generations: try count("generation"),
        pendingThumbnails: try pendingThumbnailCount(), filePermissions: filePermissions,
        folderPermissions: folderPermissions, isDamaged: isDamaged, problems: problems)
    }
  }

  private func count(_ rows: String) throws(StoreError) -> Int {
    try connection.integer("SELECT count(*) FROM \(rows)") ?? 0
  }

  private func checkStructure(_ problems: inout [String]) throws(StoreError) {
    let rows = try connection.statement("PRAGMA integrity_check(20)")
    while try rows.step() {
      let answer = rows.text(0)
      if answer != "ok" { problems.append("the structure of the file is damaged: \(answer)") }
    }
    let definitions =
      Schema.tables.map { ($0.name, $0.definition) }
      + Schema.indexes.map { ($0.name, $0.definition) }
    for (name, definition) in definitions {
      let row = try connection.statement("SELECT sql FROM sqlite_schema WHERE name = ?1", name)
      let found = try row.step() ? row.text("sql") : nil
      row.reset()
      if found != definition { problems.append("the definition of \(name) was modified") }
    }
    let foreign = try connection.statement(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    while try foreign.step() {
      problems.append(
        "the \(foreign.text("type")) \(foreign.text("name")) was added outside agenda")
    }
  }

  /// The only table that agenda can make again from the others.
  private static let cache = "day_cache"

  private func damagedRows(of table: Table) throws(StoreError) -> [Int] {
    try connection.integers(
      "SELECT id FROM \(table.name) NOT INDEXED WHERE checksum IS NOT \(table.checksum())")
  }

  /// Checks that each row to which another row refers exists.
  private func checkCompleteness(_ problems: inout [String]) throws(StoreError) {
    let owners = "SELECT id FROM component UNION ALL SELECT id FROM override_template"
    let expectations = [
      (
        "components without details",
        """
        component WHERE id NOT IN (SELECT id FROM detail)
          AND id NOT IN (SELECT id FROM answered_override)
        """
      ),
      (
        "components without a text",
        """
        component WHERE id NOT IN (SELECT id FROM text)
          AND id NOT IN (SELECT id FROM answered_override)
        """
      ),
      (
        "answered occurrences without the text of their series",
        "answered_override WHERE template NOT IN (SELECT id FROM text JOIN detail USING (id))"
      ),
      (
        "components whose source is missing",
        "component WHERE source NOT IN (SELECT id FROM source)"
      ),
      (
        "components whose file is missing",
        "component WHERE document NOT IN (SELECT id FROM document)"
      ),
      ("details of missing components", "detail WHERE id NOT IN (\(owners))"),
      ("texts of missing components", "text WHERE id NOT IN (\(owners))"),
      ("attachments of missing components", "attachment WHERE component NOT IN (\(owners))"),
      ("thumbnails of missing pictures", "thumbnail WHERE id NOT IN (SELECT id FROM attachment)"),
      (
        "previous calendars of missing imports",
        "previous_calendar WHERE id NOT IN (SELECT id FROM generation)"
      ),
      (
        "components whose time zone is missing",
        """
        component WHERE start_zone IS NOT NULL AND start_zone <> 0
          AND start_zone NOT IN (SELECT id FROM zone)
        """
      ),
    ]
    for (name, rows) in expectations {
      let found = try count(rows)
      if found > 0 { problems.append("\(name): \(found)") }
    }
    let foreign = try connection.statement("PRAGMA foreign_key_check")
    while try foreign.step() {
      problems.append("\(foreign.text(0)) \(foreign.integer(1)) refers to a missing row")
    }
  }

  private func checkSearchIndex(_ problems: inout [String]) throws(StoreError) {
    do throws(StoreError) {
      if try !isSearchIndexIntact() {
        problems.append("the search index is damaged or was modified outside agenda")
      }
    } catch {
      problems.append("the search index: \(error)")
    }
  }
}
