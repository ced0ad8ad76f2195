internal import CSQLite

extension Store {
  /// Looks at all of it: the structure of the file, the seal of every row, that what belongs
  /// together is there, and who may read it.
  package func health() throws(StoreError) -> StoreHealth {
    try connection.reading { () throws(StoreError) in
      var problems: [String] = []
      try checkStructure(&problems)
      // Where the structure is damaged the rows may not even be readable.
      if problems.isEmpty {
        for table in SealedTable.all { try check(table, &problems) }
        try checkComponents(&problems)
        try checkCompleteness(&problems)
        try checkSearchIndex(&problems)
      }
      let file = try fileStatus(path)
      let folder = try fileStatus(folderPath)
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
        bytes: Int(file?.st_size ?? 0),
        freeBytes: (try connection.integer("PRAGMA freelist_count") ?? 0) * pageSize,
        components: try count("component WHERE removed IS NULL"),
        removedComponents: try count("component WHERE removed IS NOT NULL"),
        generations: try count("generation"), filePermissions: filePermissions,
        folderPermissions: folderPermissions, problems: problems)
    }
  }

  private var folderPath: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func count(_ rows: String) throws(StoreError) -> Int {
    try connection.integer("SELECT count(*) FROM \(rows)") ?? 0
  }

  private func checkStructure(_ problems: inout [String]) throws(StoreError) {
    let rows = try connection.statement("PRAGMA integrity_check(20)")
    while try rows.step() {
      let answer = rows.text(0)
      if answer != "ok" { problems.append("the file's structure: \(answer)") }
    }
    for (name, sql) in StoreSchema.definitions {
      let row = try connection.statement("SELECT sql FROM sqlite_schema WHERE name = ?1")
      row.bind(1, name)
      let found = try row.step() ? row.text(0) : nil
      row.reset()
      if found != sql { problems.append("the definition of \(name) is not agenda's") }
    }
    let foreign = try connection.statement(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    while try foreign.step() {
      problems.append("the \(foreign.text(0)) \(foreign.text(1)) is not agenda's")
    }
  }

  private func check(_ table: SealedTable, _ problems: inout [String]) throws(StoreError) {
    let columns = (["id", "seal"] + table.sealed).joined(separator: ", ")
    let rows = try connection.statement("SELECT \(columns) FROM \(table.name) NOT INDEXED")
    while try rows.step() {
      var digest = ContentDigest(key: key.number)
      RowDigest.add(2..<Int32(2 + table.sealed.count), of: rows, to: &digest)
      let id = rows.integer(0)
      if rows.integer(1) != Seals.seal(id: id, columns: digest.value, key: key) {
        problems.append("\(table.name) \(id) was changed by something else than agenda")
      }
    }
  }

  private func checkComponents(_ problems: inout [String]) throws(StoreError) {
    let rows = try connection.statement(
      "SELECT \(Seals.componentColumns) FROM component NOT INDEXED")
    while try rows.step() {
      if rows.integer(1) != Seals.componentSeal(of: rows, key: key) {
        problems.append(
          "component \(rows.integer(0)) was changed by something else than agenda")
      }
    }
  }

  /// Rows that name each other must all be there.
  private func checkCompleteness(_ problems: inout [String]) throws(StoreError) {
    let expectations = [
      ("components without details", "component WHERE id NOT IN (SELECT id FROM detail)"),
      ("components without text", "component WHERE id NOT IN (SELECT id FROM text)"),
      ("components without source", "component WHERE source NOT IN (SELECT id FROM source)"),
      ("components without document", "component WHERE document NOT IN (SELECT id FROM document)"),
      ("details without component", "detail WHERE id NOT IN (SELECT id FROM component)"),
      ("texts without component", "text WHERE id NOT IN (SELECT id FROM component)"),
      (
        "attachments without component",
        "attachment WHERE component NOT IN (SELECT id FROM component)"
      ),
      ("thumbnails without picture", "thumbnail WHERE id NOT IN (SELECT id FROM attachment)"),
      ("lines without edition", "place WHERE id NOT IN (SELECT id FROM edition)"),
      (
        "former calendars without import",
        "former_calendar WHERE id NOT IN (SELECT id FROM generation)"
      ),
      (
        "UIDs not known to be repeated",
        """
        (SELECT source, uid_digest FROM component WHERE removed IS NULL
          GROUP BY source, uid_digest HAVING count(*) > 1
          EXCEPT SELECT source, uid_digest FROM repeated)
        """
      ),
      (
        "zones missing",
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
      problems.append("\(foreign.text(0)) \(foreign.integer(1)) names what is not there")
    }
  }

  private func checkSearchIndex(_ problems: inout [String]) throws(StoreError) {
    do throws(StoreError) {
      if try !isSearchIndexRight() {
        problems.append("the search index does not say what it should")
      }
    } catch {
      problems.append("the search index: \(error)")
    }
  }
}
