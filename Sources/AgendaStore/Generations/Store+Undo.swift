package import CivilTime

/// What `undo` took back of one source.
package struct UndoneImport: Hashable, Sendable {
  package var source: String
  package var calendar: String
  /// The calendar that the source is in again, where the import had moved it out of that.
  package var formerCalendar: String?
  package var moment: Instant
  /// What it had added, updated and removed.
  package var added: Int
  package var updated: Int
  package var removed: Int
}

extension Store {
  /// Takes back everything that the last command which changed the store did to it: the sources
  /// have the components that they had, and importing them again compares with those.
  package func undo() throws(StoreError) -> [UndoneImport] {
    defer { dropDays() }
    return try connection.writing { () throws(StoreError) in
      guard let run = try connection.integer("SELECT max(run) FROM generation") else {
        throw .nothingToUndo
      }
      let undone = try imports(run: run)
      let generations = try integers(
        "SELECT id FROM generation WHERE run = ?1 ORDER BY id DESC", run)
      for generation in generations { try takeBack(generation) }
      return undone
    }
  }

  private func imports(run: Int) throws(StoreError) -> [UndoneImport] {
    let rows = try connection.statement(
      """
      SELECT source.location, calendar.name, moment, generation.added, updated,
        generation.removed, former_calendar.name
      FROM generation JOIN source ON source.id = generation.source
      JOIN calendar ON calendar.id = source.calendar
      LEFT JOIN former_calendar
        ON former_calendar.id = generation.id AND former_calendar.name <> calendar.name
      WHERE run = ?1 ORDER BY generation.id
      """)
    rows.bind(1, run)
    var imports: [UndoneImport] = []
    while try rows.step() {
      imports.append(
        UndoneImport(
          source: rows.text(0), calendar: rows.text(1), formerCalendar: rows.textIfAny(6),
          moment: Instant(secondsSinceEpoch: rows.integer(2)), added: rows.integer(3),
          updated: rows.integer(4), removed: rows.integer(5)))
    }
    return imports
  }

  private func takeBack(_ generation: Int) throws(StoreError) {
    // It is the last one: everything from its first component on is its own.
    let first = try integers("SELECT first_component FROM generation WHERE id = ?1", generation)
    for sql in StoreSchema.laterComponentErasures { try run(sql, first.first ?? .max) }
    try run(
      """
      UPDATE component SET removed = NULL, seal = (seal | ?2) - (seal & ?2) WHERE removed = ?1
      """, generation, Seals.removal(generation, key: key))
    for edition in try integers("SELECT id FROM edition WHERE added = ?1", generation) {
      try erase(edition: edition)
    }
    for edition in try integers("SELECT id FROM edition WHERE removed = ?1", generation) {
      try run("UPDATE edition SET removed = NULL WHERE id = ?1", edition)
      try SealedTable.edition.reseal(id: edition, in: connection, key: key)
    }
    for source in try integers("SELECT id FROM source WHERE removed = ?1", generation) {
      try run("UPDATE source SET removed = NULL WHERE id = ?1", source)
      try SealedTable.source.reseal(id: source, in: connection, key: key)
    }
    let source = try integers("SELECT source FROM generation WHERE id = ?1", generation).first
    if let source, let former = try formerCalendar(of: generation) {
      try moveBack(source: source, to: former)
    }
    try run("DELETE FROM former_calendar WHERE id = ?1", generation)
    try run("DELETE FROM generation WHERE id = ?1", generation)
    for new in try integers("SELECT id FROM source WHERE added = ?1", generation) {
      try erase(source: new)
    }
    if let source { try forgetFingerprintsAfterUndo(source: source) }
  }

  /// What an import without changes learnt later of the bytes does not hold for older components.
  private func forgetFingerprintsAfterUndo(source: Int) throws(StoreError) {
    try run(
      """
      UPDATE edition SET size = NULL, digest = NULL
      WHERE document IN (SELECT id FROM document WHERE source = ?1)
      """, source)
  }
}
