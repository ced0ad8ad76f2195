package import CivilTime

/// A source with its row.
package struct StoredSource: Hashable, Sendable {
  /// The number of the source. Sources are numbered in the order of their first imports.
  package var id: Int
  package var source: ImportedSource
  /// When it was imported successfully last.
  package var lastImport: Instant?
  /// Why its last import was refused.
  package var lastError: String?
  package var isRemoved: Bool
}

/// Calendars and sources.
extension Store {
  /// The sources in the order of their numbers.
  package func sources(includingRemoved: Bool = false) throws(StoreError) -> [StoredSource] {
    let rows = try connection.statement(
      """
      SELECT source.id, calendar.name, calendar.color, kind, location, encoding,
        has_explicit_name, last_import, last_error, removed
      FROM source LEFT JOIN calendar ON calendar.id = source.calendar
      WHERE removed IS NULL OR ?1 ORDER BY source.id
      """, includingRemoved ? 1 : 0)
    var sources: [StoredSource] = []
    while try rows.step() {
      sources.append(
        StoredSource(
          id: rows.integer("id"),
          source: ImportedSource(
            kind: ImportedSource.Kind(rawValue: rows.integer("kind")) ?? .file,
            location: rows.text("location"), calendar: rows.optionalText("name") ?? "",
            hasExplicitName: rows.bool("has_explicit_name"), color: rows.optionalText("color"),
            encoding: rows.optionalText("encoding")),
          lastImport: rows.optionalInstant("last_import"),
          lastError: rows.optionalText("last_error"), isRemoved: !rows.isNull("removed")))
    }
    return sources
  }

  package func source(at location: String) throws(StoreError) -> StoredSource? {
    guard let id = try sourceID(at: location) else { return nil }
    return try sources().first { $0.id == id }
  }

  package func sourceID(at location: String) throws(StoreError) -> Int? {
    try connection.integer(
      "SELECT id FROM source WHERE location = ?1 AND removed IS NULL", location)
  }

  /// The colours of the calendars, by their names.
  package func calendarColors() throws(StoreError) -> [String: String] {
    let rows = try connection.statement("SELECT name, color FROM calendar WHERE color IS NOT NULL")
    var colors: [String: String] = [:]
    while try rows.step() { colors[rows.text("name")] = rows.text("color") }
    return colors
  }

  /// The number of a source's components that others replace, if it was counted after the last change
  /// of the store.
  package func supersededCount(ofSource source: Int) throws(StoreError) -> Int? {
    try connection.integer(
      """
      SELECT superseded FROM source
      WHERE id = ?1 AND counted_after = (SELECT max(id) FROM generation)
      """, source)
  }

  /// The names of the calendars of each present source, by source: that of the source, and those of its
  /// VCALENDARs if they have different ones.
  package func calendarNames() throws(StoreError) -> [Int: Set<String>] {
    let rows = try connection.statement(
      """
      SELECT source.id, name FROM source JOIN calendar ON calendar.id = calendar
      WHERE removed IS NULL
      UNION ALL
      SELECT document.source, calendar_name
      FROM context JOIN calendar_object ON calendar_object.context = context.id
      JOIN revision ON revision.id = calendar_object.revision AND revision.removed IS NULL
      JOIN document ON document.id = revision.document
      WHERE calendar_name IS NOT NULL
      """)
    var names: [Int: Set<String>] = [:]
    while try rows.step() { names[rows.integer(0), default: []].insert(rows.text(1)) }
    return names
  }

  /// The names of the calendars that the VCALENDARs of a source belong to, in their order, if they have
  /// different ones.
  package func calendarNames(ofSource source: Int) throws(StoreError) -> [String] {
    let rows = try connection.statement(
      """
      SELECT calendar_name
      FROM document JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      JOIN calendar_object ON calendar_object.revision = revision.id
      JOIN context ON context.id = calendar_object.context
      WHERE document.source = ?1 AND calendar_name IS NOT NULL
      ORDER BY calendar_object.id
      """, source)
    var names: [String] = []
    while try rows.step() {
      let name = rows.text(0)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether some sources have several calendars.
  package func hasNamedContexts() throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM context WHERE calendar_name IS NOT NULL LIMIT 1") != nil
  }

  // MARK: Writing

  /// The calendar with that name, created if it is missing.
  func calendar(named name: String, color: String?) throws(StoreError) -> Int {
    if let id = try connection.integer("SELECT id FROM calendar WHERE name = ?1", name) {
      if let color, try self.color(ofCalendar: name) != color { try setColor(of: id, to: color) }
      return id
    }
    var row = Row(columns: 2, key: key)
    row.add("name", name)
    row.add("color", color)
    return try connection.insert(row, into: Schema.calendar)
  }

  func setColor(of calendar: Int, to color: String?) throws(StoreError) {
    try connection.update(Schema.calendar, set: ["color": color], where: "id = ?", calendar)
  }

  func hasCalendar(named name: String) throws(StoreError) -> Bool {
    try connection.integer("SELECT id FROM calendar WHERE name = ?1", name) != nil
  }

  func color(ofCalendar name: String) throws(StoreError) -> String? {
    let row = try connection.statement("SELECT color FROM calendar WHERE name = ?1", name)
    defer { row.reset() }
    return try row.step() ? row.optionalText("color") : nil
  }

  func removeCalendarIfEmpty(_ id: Int) throws(StoreError) {
    try connection.run(
      """
      DELETE FROM calendar WHERE id = ?1
        AND NOT EXISTS (SELECT 1 FROM source WHERE calendar = ?1)
      """, id)
  }

  /// Records the reason why a known source could not be read.
  package func note(error: String, location: String) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      try connection.update(
        Schema.source, set: ["last_error": error], where: "location = ? AND removed IS NULL",
        location)
    }
  }
}

/// A folder that is a calendar of a root.
package struct RootFolder: Hashable, Sendable {
  /// The path of the root.
  package var root: String
  /// The location of the source.
  package var folder: String
  /// The encoding that the root was imported with.
  package var encoding: String?

  package init(root: String, folder: String, encoding: String?) {
    self.root = root
    self.folder = folder
    self.encoding = encoding
  }
}

/// The table `root_folder` has one row for each folder that was imported with a root. The row stays
/// when the source is removed, so that `refresh` doesn't import the folder as a new one.
extension Store {
  package func rootFolders() throws(StoreError) -> [RootFolder] {
    let rows = try connection.statement(
      "SELECT \(Schema.rootFolder.columnList) FROM root_folder ORDER BY id")
    var folders: [RootFolder] = []
    while try rows.step() {
      folders.append(
        RootFolder(
          root: rows.text("root"), folder: rows.text("folder"),
          encoding: rows.optionalText("encoding")))
    }
    return folders
  }

  func write(_ folder: RootFolder, generation: Int) throws(StoreError) {
    let known = try connection.integer(
      "SELECT id FROM root_folder WHERE root = ?1 AND folder = ?2", folder.root, folder.folder)
    if let known {
      // The row keeps its generation, so `undo` of a later command does not delete it.
      return try connection.update(
        Schema.rootFolder, set: ["encoding": folder.encoding], where: "id = ?", known)
    }
    var row = Row(columns: 4, key: key)
    row.add("root", folder.root)
    row.add("folder", folder.folder)
    row.add("encoding", folder.encoding)
    row.add("generation", generation)
    try connection.insert(row, into: Schema.rootFolder)
  }
}

extension Statement {
  func optionalInstant(_ name: String) -> Instant? {
    optionalInteger(name).map { Instant(secondsSinceEpoch: $0) }
  }
}
