extension Store {
  /// Takes back the last command. The sources get their previous components back, and the next import
  /// compares with those. `files` restores the files that the command had written. It is the last
  /// step before the commit.
  ///
  /// One `undo` can take back several commands; all but the first continue it.
  package func undo(
    generation expected: Int, isContinued: Bool = false, files: () throws -> Void = {}
  ) throws {
    try connection.writing(alsoFiles: files) { () throws(StoreError) in
      guard let last = try connection.integer("SELECT max(id) FROM generation"), last == expected
      else { throw .historyChanged }
      try forgetPendingChange()
      let hasFiles = try !writtenFiles(by: last).isEmpty
      var row = Row(columns: 3, key: key)
      row.add("generation", last)
      row.add("is_continued", isContinued ? 1 : 0)
      row.add("has_files", hasFiles ? 1 : 0)
      let id = try connection.insert(row, into: Schema.undone)
      var part: [UInt8] = []
      try connection.recordChanges(of: Schema.history) { bytes throws(StoreError) in
        part += bytes
        if part.count < Self.bytesOfPart { return }
        try write(part, undone: id)
        part.removeAll(keepingCapacity: true)
      } _: { () throws(StoreError) in
        try undo(last)
      }
      try write(part, undone: id)
    }
  }

  /// The sources on servers that the user may only read, and for which taking back these commands, the
  /// last ones from the newest on, would leave something to send.
  package func readOnlySources(leftToSendByUndoing generations: [Int]) throws(StoreError) -> [Int] {
    try readOnlySources { () throws(StoreError) in
      for generation in generations { try undo(generation) }
    }
  }

  private static let bytesOfPart = 1 << 20

  private func write(_ part: [UInt8], undone: Int) throws(StoreError) {
    var row = Row(columns: 2, bytes: part.count, key: key)
    row.add("undone", undone)
    row.add("changes", blob: part)
    try connection.insert(row, into: Schema.undonePart)
  }

  private func undo(_ generation: Int) throws(StoreError) {
    let sources = try changedSources(by: generation)
    let first = try connection.integer(
      "SELECT first_component FROM generation WHERE id = ?1", generation)
    // This is the last generation, so all components from its first on belong to it.
    try connection.run("DELETE FROM component WHERE id >= ?1", first ?? .max)
    try connection.update(
      Schema.component, set: ["removed": nil], where: "removed = ?", generation)
    try connection.run("DELETE FROM revision WHERE added = ?1", generation)
    try connection.update(
      Schema.revision, set: ["removed": nil], where: "removed = ?", generation)
    try moveBack(generation)
    // `refresh` then finds the folders again that the undone command had found.
    try connection.run("DELETE FROM root_folder WHERE generation = ?1", generation)
    try undoServerObjects(generation)
    let new = try connection.integers("SELECT id FROM source WHERE added = ?1", generation)
    for source in new { try erase(source: source) }
    // A source that the generation replaced is at the place of a new one.
    try connection.update(
      Schema.source, set: ["removed": nil], where: "removed = ?", generation)
    try connection.run("DELETE FROM generation WHERE id = ?1", generation)
    for source in sources where !new.contains(source) {
      // A later import without changes has recorded the status of its bytes, which older components
      // do not have.
      try connection.update(
        Schema.revision, set: ["size": nil, "digest": nil],
        where: "removed IS NULL AND document IN (SELECT id FROM document WHERE source = ?)", source)
    }
    try eraseUnusedContexts()
  }

  /// Moves sources back to the calendars that they were in before a generation.
  private func moveBack(_ generation: Int) throws(StoreError) {
    let rows = try connection.statement(
      """
      SELECT source, name, color, has_explicit_name, next_color FROM previous_calendar
      WHERE generation = ?1 ORDER BY id DESC
      """, generation)
    var moved: [(source: Int, name: String, color: String?, explicit: Int, next: String?)] = []
    while try rows.step() {
      moved.append(
        (
          rows.integer(0), rows.text(1), rows.optionalText(2), rows.integer(3),
          rows.optionalText(4)
        ))
    }
    for (source, name, color, hasExplicitName, nextColor) in moved {
      let present = try connection.integer("SELECT calendar FROM source WHERE id = ?1", source)
      if let present { try setColor(of: present, to: nextColor) }
      let calendar = name.isEmpty ? nil : try calendar(named: name, color: color)
      if let calendar { try setColor(of: calendar, to: color) }
      try connection.update(
        Schema.source, set: ["calendar": calendar, "has_explicit_name": hasExplicitName],
        where: "id = ?", source)
      if let present { try removeCalendarIfEmpty(present) }
    }
  }

  /// Deletes a source and everything that belongs to it.
  func erase(source: Int) throws(StoreError) {
    let calendar = try connection.integer("SELECT calendar FROM source WHERE id = ?1", source)
    try connection.run("DELETE FROM source WHERE id = ?1", source)
    if let calendar { try removeCalendarIfEmpty(calendar) }
  }

  func eraseUnusedContexts() throws(StoreError) {
    try connection.run(
      """
      DELETE FROM context WHERE id NOT IN (SELECT context FROM calendar_object)
        AND id NOT IN (SELECT context FROM component)
      """)
  }
}
