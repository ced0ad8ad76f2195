/// The tables of a store. Docs/Store.md says what they mean.
///
/// Rows are written once. What an import takes out is marked with that import's generation
/// (`removed`) and stays until its generation is thinned out, so that `changes` can compare and
/// `undo` can bring it back. `seal` is a digest of the columns before it, by which `doctor` finds
/// what a disk has changed; behind it stand those that a later import may write anew, which only
/// decide what it need not read again.
enum StoreSchema {
  /// "agnd" in the header of the file.
  static let applicationID = 0x6167_6e64
  /// The `user_version` of a store of these tables.
  static let version = 4

  static let tables: [String] = [
    """
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      key INTEGER NOT NULL,
      next_component INTEGER NOT NULL,
      next_run INTEGER NOT NULL,
      seal INTEGER NOT NULL)
    """,
    """
    CREATE TABLE calendar (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      color TEXT,
      seal INTEGER NOT NULL)
    """,
    """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      calendar INTEGER NOT NULL REFERENCES calendar (id) DEFERRABLE INITIALLY DEFERRED,
      kind INTEGER NOT NULL,
      location TEXT NOT NULL,
      encoding TEXT,
      is_named INTEGER NOT NULL,
      added INTEGER NOT NULL,
      removed INTEGER,
      last_import INTEGER,
      last_error TEXT,
      seal INTEGER NOT NULL)
    """,
    "CREATE UNIQUE INDEX source_location ON source (location) WHERE removed IS NULL",
    """
    CREATE TABLE document (
      id INTEGER PRIMARY KEY,
      source INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      name TEXT NOT NULL,
      seal INTEGER NOT NULL,
      UNIQUE (source, name))
    """,
    """
    CREATE TABLE edition (
      id INTEGER PRIMARY KEY,
      document INTEGER NOT NULL REFERENCES document (id) DEFERRABLE INITIALLY DEFERRED,
      added INTEGER NOT NULL,
      removed INTEGER,
      properties BLOB NOT NULL,
      seal INTEGER NOT NULL,
      size INTEGER, modified INTEGER, changed INTEGER, inode INTEGER,
      digest INTEGER,
      interpretation INTEGER,
      components INTEGER NOT NULL, superseded INTEGER NOT NULL, rejected INTEGER NOT NULL)
    """,
    "CREATE INDEX edition_live ON edition (document) WHERE removed IS NULL",
    """
    CREATE TABLE part (
      id INTEGER PRIMARY KEY,
      edition INTEGER NOT NULL REFERENCES edition (id) DEFERRABLE INITIALLY DEFERRED,
      frame INTEGER NOT NULL,
      kind TEXT NOT NULL,
      bytes BLOB NOT NULL,
      seal INTEGER NOT NULL)
    """,
    "CREATE INDEX part_edition ON part (edition)",
    """
    CREATE TABLE finding (
      id INTEGER PRIMARY KEY,
      edition INTEGER NOT NULL REFERENCES edition (id) DEFERRABLE INITIALLY DEFERRED,
      severity INTEGER NOT NULL,
      line INTEGER,
      place_from INTEGER, place_to INTEGER,
      component TEXT,
      uid TEXT,
      property TEXT,
      message TEXT NOT NULL,
      action TEXT NOT NULL,
      seal INTEGER NOT NULL)
    """,
    "CREATE INDEX finding_edition ON finding (edition)",
    """
    CREATE TABLE zone (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      origin INTEGER NOT NULL,
      definition BLOB,
      seal INTEGER NOT NULL)
    """,
    """
    CREATE TABLE generation (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL,
      source INTEGER NOT NULL,
      moment INTEGER NOT NULL,
      action INTEGER NOT NULL,
      first_component INTEGER NOT NULL,
      added INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      seal INTEGER NOT NULL)
    """,
    """
    CREATE TABLE former_calendar (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      color TEXT,
      is_named INTEGER NOT NULL,
      color_of_next TEXT,
      seal INTEGER NOT NULL)
    """,
    """
    CREATE TABLE component (
      id INTEGER PRIMARY KEY,
      source INTEGER NOT NULL,
      document INTEGER NOT NULL,
      added INTEGER NOT NULL,
      removed INTEGER,
      kind INTEGER NOT NULL,
      frame INTEGER,
      span_class INTEGER, span_begin INTEGER, span_end INTEGER,
      week INTEGER, dates_touched INTEGER, rhythm INTEGER,
      replaces INTEGER,
      uid_digest INTEGER NOT NULL,
      uid TEXT NOT NULL,
      recurrence_form INTEGER, recurrence_time INTEGER, recurrence_zone INTEGER,
      includes_following INTEGER,
      start_form INTEGER, start_time INTEGER, start_zone INTEGER,
      extent_form INTEGER, extent_value INTEGER, extent_zone INTEGER,
      due_form INTEGER, due_time INTEGER, due_zone INTEGER,
      rules TEXT, exception_rules TEXT, dates BLOB, exception_dates BLOB,
      title TEXT NOT NULL, location TEXT, status INTEGER, categories BLOB,
      transparent INTEGER, color TEXT,
      sequence INTEGER, modified INTEGER,
      content INTEGER NOT NULL,
      seal INTEGER NOT NULL,
      digest INTEGER)
    """,
    """
    CREATE TABLE detail (
      id INTEGER PRIMARY KEY,
      description TEXT, url TEXT, conference TEXT,
      latitude REAL, longitude REAL,
      has_organizer INTEGER, organizer_name TEXT, organizer_email TEXT,
      attendees BLOB, alarms BLOB,
      classification TEXT, priority INTEGER,
      created INTEGER, last_modified INTEGER, stamp INTEGER,
      percent_complete INTEGER, completed INTEGER,
      seal INTEGER NOT NULL)
    """,
    """
    CREATE TABLE text (
      id INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL,
      seal INTEGER NOT NULL)
    """,
    """
    CREATE TABLE attachment (
      id INTEGER PRIMARY KEY,
      component INTEGER NOT NULL,
      number INTEGER NOT NULL,
      media_type TEXT, byte_count INTEGER, uri TEXT, name TEXT,
      is_image INTEGER NOT NULL,
      bytes BLOB,
      seal INTEGER NOT NULL)
    """,
    "CREATE INDEX attachment_component ON attachment (component, number)",
    """
    CREATE TABLE thumbnail (
      id INTEGER PRIMARY KEY,
      picture TEXT NOT NULL,
      format INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      seal INTEGER NOT NULL)
    """,
    "CREATE TABLE awaited_thumbnail (id INTEGER PRIMARY KEY)",
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
    """
    CREATE TABLE searched (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      next_component INTEGER NOT NULL)
    """,
  ]

  /// The indexes of the component table into which every new row goes. An import into an empty store
  /// builds them at its end.
  static let importIndexes: [String] = [
    """
    CREATE INDEX component_span
      ON component (span_class, span_begin, span_end, week, dates_touched, rhythm)
      WHERE removed IS NULL
    """,
    """
    CREATE INDEX component_uid
      ON component (source, uid_digest, digest, document)
      WHERE removed IS NULL
    """,
  ]

  static let importIndexNames = ["component_span", "component_uid"]

  /// All indexes of the component table.
  static let componentIndexes =
    importIndexes
    + ["CREATE INDEX component_removed ON component (removed) WHERE removed IS NOT NULL"]

  /// What every table and index of a store must be defined as, by name.
  static let definitions: [(name: String, sql: String)] = (tables + componentIndexes).map { sql in
    // CREATE TABLE name, CREATE INDEX name, CREATE UNIQUE INDEX name
    let words = sql.split(maxSplits: 4) { $0 == " " || $0 == "\n" }.map(String.init)
    return (words[1] == "UNIQUE" ? words[3] : words[2], sql)
  }

  /// Marks a component as taken out: its id, the generation, and what that changes in its seal.
  /// (`(a | b) - (a & b)` is the exclusive or, which SQLite has no operator for.)
  static let componentRemoval = """
    UPDATE component SET removed = ?2, seal = (seal | ?3) - (seal & ?3) WHERE id = ?1
    RETURNING kind
    """

  /// The columns of `component` from `kind` to `content`, which `ComponentRecord.columns` fills.
  static let componentColumns = [
    "kind", "frame", "span_class", "span_begin", "span_end", "week", "dates_touched", "rhythm",
    "replaces", "uid_digest", "uid",
    "recurrence_form", "recurrence_time", "recurrence_zone", "includes_following",
    "start_form", "start_time", "start_zone", "extent_form", "extent_value", "extent_zone",
    "due_form", "due_time", "due_zone", "rules", "exception_rules", "dates", "exception_dates",
    "title", "location", "status", "categories", "transparent", "color", "sequence", "modified",
    "content",
  ]

  /// What an import writes of a component, in the order of the parameters.
  static let componentWritten =
    ["id", "seal", "digest", "source", "document", "added"] + componentColumns

  static func insertion(into table: String, _ columns: [String]) -> String {
    let values = columns.indices.map { "?\($0 + 1)" }
    return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) "
      + "VALUES (\(values.joined(separator: ", ")))"
  }

  /// What takes a component, given by its id, out for good.
  static let componentErasures = [
    "DELETE FROM component WHERE id = ?1",
    "DELETE FROM detail WHERE id = ?1",
    "DELETE FROM text WHERE id = ?1",
    "DELETE FROM thumbnail WHERE id IN (SELECT id FROM attachment WHERE component = ?1)",
    "DELETE FROM awaited_thumbnail WHERE id IN (SELECT id FROM attachment WHERE component = ?1)",
    "DELETE FROM attachment WHERE component = ?1",
  ]

  /// What takes all components from an id on out for good.
  static let laterComponentErasures = [
    "DELETE FROM component WHERE id >= ?1",
    "DELETE FROM detail WHERE id >= ?1",
    "DELETE FROM text WHERE id >= ?1",
    "DELETE FROM thumbnail WHERE id IN (SELECT id FROM attachment WHERE component >= ?1)",
    "DELETE FROM awaited_thumbnail WHERE id IN (SELECT id FROM attachment WHERE component >= ?1)",
    "DELETE FROM attachment WHERE component >= ?1",
  ]
}
