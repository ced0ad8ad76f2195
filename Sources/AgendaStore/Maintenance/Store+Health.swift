internal import CSQLite
internal import Platform

extension Store {
  /// Checks the whole store: the structure of the file, the checksum of every row, references
  /// between rows, and who may read the file. `derivedColumns` derives the index of components again from
  /// their text.
  package func health(
    derivedColumns: ([StoredComponent]) throws(StoreError) -> [Int: IndexColumns]
  ) throws(StoreError) -> StoreHealth {
    try connection.reading { () throws(StoreError) in
      var problems: [StoreHealth.Problem] = []
      try checkStructure(&problems)
      // If the structure is damaged, the rows may be unreadable.
      if problems.isEmpty {
        for table in Schema.tables {
          problems += try damagedRows(of: table).map {
            .other("\(table.name) \($0) is damaged or was modified outside agenda")
          }
        }
        let foreign = try connection.statement("PRAGMA foreign_key_check")
        while try foreign.step() {
          problems.append(
            .other("\(foreign.text(0)) \(foreign.integer(1)) refers to a missing row"))
        }
        try checkSearchIndex(&problems)
        try checkDocuments(&problems)
      }
      if problems.isEmpty { try checkIndexColumns(&problems, derivedColumns) }
      let isDamaged = !problems.isEmpty
      let file = try StoreFile.status(of: path)
      let folderPath = StoreFile.folder(of: path)
      let folder = try StoreFile.status(of: folderPath)
      let (filePermissions, folderPermissions) = (
        file?.permissions ?? 0, folder?.permissions ?? 0
      )
      if filePermissions & 0o077 != 0 {
        problems.append(.other("others may read the file (chmod 600 \(path))"))
      }
      if folderPermissions & 0o022 != 0 {
        problems.append(.other("others may write to its folder (chmod 700 \(folderPath))"))
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
        pendingThumbnails: try pendingPictures().count, filePermissions: filePermissions,
        folderPermissions: folderPermissions, isDamaged: isDamaged, found: problems)
    }
  }

  private func count(_ rows: String) throws(StoreError) -> Int {
    try connection.integer("SELECT count(*) FROM \(rows)") ?? 0
  }

  private func checkStructure(_ problems: inout [StoreHealth.Problem]) throws(StoreError) {
    let rows = try connection.statement("PRAGMA integrity_check(20)")
    while try rows.step() {
      let answer = rows.text(0)
      if answer != "ok" {
        problems.append(.other("the structure of the file is damaged: \(answer)"))
      }
    }
    for definition in Migrations.steps.joined() {
      let words = definition.split { $0 == " " || $0 == "\n" }
      let name = String(words[words[1] == "UNIQUE" ? 3 : 2])
      let row = try connection.statement("SELECT sql FROM sqlite_schema WHERE name = ?1", name)
      let found = try row.step() ? row.text("sql") : nil
      row.reset()
      if found != definition { problems.append(.other("the definition of \(name) was modified")) }
    }
    let foreign = try connection.statement(
      """
      SELECT type, name FROM sqlite_schema
      WHERE type = 'trigger' OR type = 'view' AND name <> 'present_component'
      """)
    while try foreign.step() {
      problems.append(
        .other("the \(foreign.text("type")) \(foreign.text("name")) was added outside agenda"))
    }
  }

  private func damagedRows(of table: Table) throws(StoreError) -> [Int] {
    try connection.integers(
      "SELECT id FROM \(table.name) NOT INDEXED WHERE checksum IS NOT \(table.checksum())")
  }

  /// Checks that a revision has all components and other rows that were written with it.
  private func checkDocuments(_ problems: inout [StoreHealth.Problem]) throws(StoreError) {
    let components = Set(try connection.integers("SELECT id FROM component"))
    var listed: Set<Int> = []
    let revisions = try connection.statement(
      """
      SELECT id, removed, line_numbers,
        (SELECT count(*) FROM finding WHERE finding.revision = revision.id)
          + (SELECT count(*) FROM calendar_object WHERE calendar_object.revision = revision.id)
      FROM revision
      """)
    while try revisions.step() {
      let (id, bytes) = (revisions.integer(0), revisions.bytes(2))
      let entries = LineNumbers.entries(in: bytes)
      for entry in entries where !components.contains(entry.component) {
        problems.append(.other("component \(entry.component) of revision \(id) is missing"))
      }
      if revisions.optionalInteger(1) == nil { listed.formUnion(entries.map(\.component)) }
      if let rows = LineNumbers.otherRows(in: bytes), rows != revisions.integer(3) {
        problems.append(
          .other(
            "revision \(id) has \(revisions.integer(3)) of \(rows) findings and calendar objects"))
      }
    }
    for id in try connection.integers("SELECT id FROM present_component")
    where !listed.contains(id) {
      problems.append(.other("component \(id) belongs to no revision"))
    }
  }

  private func checkSearchIndex(_ problems: inout [StoreHealth.Problem]) throws(StoreError) {
    do throws(StoreError) {
      if try !isSearchIndexIntact() {
        problems.append(.searchIndex)
      }
    } catch {
      problems.append(.other("the search index: \(error)"))
    }
  }

  private func checkIndexColumns(
    _ problems: inout [StoreHealth.Problem],
    _ derivedColumns: ([StoredComponent]) throws(StoreError) -> [Int: IndexColumns]
  ) throws(StoreError) {
    var wrong: [Int] = []
    try forEachPiece { piece throws(StoreError) in
      let derived = try derivedColumns(piece)
      for component in piece {
        if let columns = derived[component.id], try columns != self.indexColumns(of: component.id) {
          wrong.append(component.id)
        }
      }
      return true
    }
    problems += wrong.map(StoreHealth.Problem.times)
  }

  private func indexColumns(of component: Int) throws(StoreError) -> IndexColumns {
    let row = try connection.statement(
      """
      SELECT span_begin, span_end, touched_days, alarm_begin, alarm_end, version_rank
      FROM component WHERE id = ?1
      """, component)
    defer { row.reset() }
    guard try row.step() else { return IndexColumns() }
    func span(_ begin: Int32, _ end: Int32) -> TimeSpan? {
      guard let begin = row.optionalInteger(begin), let end = row.optionalInteger(end) else {
        return nil
      }
      return TimeSpan(begin: begin, end: end)
    }
    return IndexColumns(
      span: span(0, 1), touchedDays: row.optionalInteger(2), alarms: span(3, 4),
      rank: VersionRank(number: row.integer(5)))
  }

  /// Derives everything again that can be made from the text: the index of times, in one transaction,
  /// and the search index at the next search. `interpretation` is asked for at the end.
  package func rebuild(
    derivedColumns: ([StoredComponent]) throws(StoreError) -> [Int: IndexColumns],
    interpretation: () -> Int
  ) throws(StoreError) {
    try connection.allowingWrites { () throws(StoreError) in
      try connection.writing { () throws(StoreError) in
        let names = [
          "span_class", "span_begin", "span_end", "touched_days", "alarm_class", "alarm_begin",
          "alarm_end", "version_rank",
        ]
        let derived = Dictionary(
          uniqueKeysWithValues: names.enumerated().map { ($1, "?\($0 + 1)") })
        // A new checksum would hide that the text is damaged. So a row is only changed if its checksum
        // fits, now or with the derived columns.
        let present = Schema.component.checksum()
        let repaired = Schema.component.checksum { derived[$0] ?? $0 }
        let columns = names.joined(separator: ", ")
        let values = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let update = try connection.statement(
          Schema.component.update(
            set: names,
            where: "id = ?9 AND (\(columns)) IS NOT (\(values)) "
              + "AND checksum IN (\(present), \(repaired))"))
        try forEachPiece { piece throws(StoreError) in
          for (id, columns) in try derivedColumns(piece) {
            update.reset()
            update.bind([
              columns.span?.spanClass, columns.span?.begin, columns.span?.end, columns.touchedDays,
              columns.alarms?.spanClass, columns.alarms?.begin, columns.alarms?.end,
              columns.rank.number,
              id,
            ])
            try update.run()
          }
          return true
        }
        try dropSearchIndex()
        try connection.update(
          Schema.store, set: ["interpretation": interpretation()], where: "id = 1")
      }
    }
  }
}
