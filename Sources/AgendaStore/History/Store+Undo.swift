public import CivilTime

/// The effect of `undo` on one source.
public struct UndoneImport: Hashable, Sendable {
  /// The location of the source: a path, an address or a name.
  public var source: String
  /// The calendar of the source.
  public var calendar: String
  /// The calendar to which the source returned, if the import had moved it to another one.
  public var previousCalendar: String?
  /// When the import that was undone happened.
  public var moment: Instant
  /// The number of events that the import had added.
  public var added: Int
  /// The number of events that the import had updated.
  public var updated: Int
  /// The number of events that the import had removed.
  public var removed: Int
}

extension Store {
  /// Undoes the last command that changed the store. The sources get their previous components
  /// back, and the next import compares with those.
  ///
  /// `expected` is the run that the caller has looked at. `restoring` restores the files that the
  /// command had written. It is the last step before the commit.
  package func undo(
    run expected: Int? = nil, restoring: () throws -> Void = {}
  ) throws -> [UndoneImport] {
    try connection.writing(alsoFiles: restoring) { () throws(StoreError) in
      guard let run = try lastRun(), expected == nil || run == expected else {
        throw .nothingToUndo
      }
      let undone = try imports(run: run)
      let sources = try connection.integers(
        "SELECT DISTINCT source FROM generation WHERE run = ?1", run)
      for generation in try connection.integers(
        "SELECT id FROM generation WHERE run = ?1 ORDER BY id DESC", run)
      {
        try undo(generation: generation)
      }
      try forgetPendingFiles()
      // `refresh` then finds the folders again that the undone command had found.
      try connection.run("DELETE FROM root_folder WHERE run = ?1", run)
      try finishChange(of: sources)
      return undone
    }
  }

  /// The last command that changed the store.
  package func lastRun() throws(StoreError) -> Int? {
    try connection.integer("SELECT max(run) FROM generation")
  }

  private func imports(run: Int) throws(StoreError) -> [UndoneImport] {
    let rows = try connection.statement(
      """
      SELECT source.location, calendar.name AS calendar, previous_calendar.name AS previous,
        moment, generation.added, generation.updated, generation.removed
      FROM generation JOIN source ON source.id = generation.source
      JOIN calendar ON calendar.id = source.calendar
      LEFT JOIN previous_calendar
        ON previous_calendar.id = generation.id AND previous_calendar.name <> calendar.name
      WHERE run = ?1 ORDER BY generation.id
      """, run)
    var imports: [UndoneImport] = []
    while try rows.step() {
      imports.append(
        UndoneImport(
          source: rows.text("location"), calendar: rows.text("calendar"),
          previousCalendar: rows.optionalText("previous"),
          moment: Instant(secondsSinceEpoch: rows.integer("moment")),
          added: rows.integer("added"), updated: rows.integer("updated"),
          removed: rows.integer("removed")))
    }
    return imports
  }

  private func undo(generation: Int) throws(StoreError) {
    // This is the last generation, so all components from its first on belong to it.
    let first = try connection.integer(
      "SELECT first_component FROM generation WHERE id = ?1", generation)
    for sql in Schema.componentErasures(where: "id >= ?1") {
      try connection.run(sql, first ?? .max)
    }
    for sql in Schema.templateErasures { try connection.run(sql) }
    for table in [Schema.component, Schema.source] {
      try connection.update(table, set: ["removed": nil], where: "removed = ?", generation)
    }
    try erase(
      revisions: try connection.integers("SELECT id FROM revision WHERE added = ?1", generation))
    try connection.update(
      Schema.revision, set: ["removed": nil], where: "removed = ?", generation)
    let source = try connection.integer(
      "SELECT source FROM generation WHERE id = ?1", generation)
    if let source, let previous = try previousCalendar(of: generation) {
      try moveBack(source: source, to: previous)
    }
    try connection.run("DELETE FROM previous_calendar WHERE id = ?1", generation)
    for sql in Schema.writtenFileErasures(where: "generation = ?1") {
      try connection.run(sql, generation)
    }
    for sql in Schema.adjustmentErasures(where: "generation = ?1") {
      try connection.run(sql, generation)
    }
    try connection.run(
      "DELETE FROM message_detail WHERE id IN (SELECT id FROM message WHERE generation = ?1)",
      generation)
    try connection.run("DELETE FROM message WHERE generation = ?1", generation)
    try connection.run("DELETE FROM generation WHERE id = ?1", generation)
    for new in try connection.integers("SELECT id FROM source WHERE added = ?1", generation) {
      try erase(source: new)
    }
    // A later import without changes has recorded the status of its bytes, which older components
    // do not have.
    if let source { try forgetFingerprints(source: source) }
  }
}
