/// The steps that make the tables of a store, as literal SQL. A step never changes once a version of
/// agenda with it was released: a later version adds another one, and a store of each version is added
/// to Fixtures/stores.
///
/// Docs/Store.md describes the tables. `Schema` has the columns once more for the statements that write
/// rows; a test compares the two.
enum Migrations {
  /// "agds" in the header of the file.
  static let applicationID = 0x6167_6473
  /// The identifiers of stores that were written before the first release.
  static let retiredApplicationIDs = [0x6167_6461, 0x6167_6e64]

  /// Step n makes a store of version n of one of version n - 1.
  static let steps: [[String]] = [version1, version2]

  private static let version1 = [
    """
    CREATE TABLE store (
      id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, key INTEGER NOT NULL,
      interpretation INTEGER NOT NULL, unchanged_after INTEGER)
    """,
    """
    CREATE TABLE calendar (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      name TEXT NOT NULL UNIQUE, color TEXT)
    """,
    """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      calendar INTEGER REFERENCES calendar (id), kind INTEGER NOT NULL,
      location TEXT NOT NULL, encoding TEXT, has_explicit_name INTEGER NOT NULL,
      added INTEGER NOT NULL, removed INTEGER, last_import INTEGER, last_error TEXT,
      counted_after INTEGER, superseded INTEGER)
    """,
    "CREATE UNIQUE INDEX source_location ON source (location) WHERE removed IS NULL",
    """
    CREATE TABLE subscription (
      id INTEGER PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE, checksum INTEGER NOT NULL,
      timeout INTEGER, max_size INTEGER, certificates TEXT, password_command TEXT,
      entity_tag TEXT, last_modified TEXT, moved_to TEXT, last_attempt INTEGER,
      last_success INTEGER, pause_reason INTEGER, pause_end INTEGER, failure TEXT,
      failure_count INTEGER NOT NULL, last_report INTEGER, size INTEGER, refresh_interval INTEGER)
    """,
    """
    CREATE TABLE generation (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      moment INTEGER NOT NULL, command TEXT NOT NULL, first_component INTEGER NOT NULL)
    """,
    """
    CREATE TABLE root_folder (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      root TEXT NOT NULL, folder TEXT NOT NULL, encoding TEXT, generation INTEGER NOT NULL,
      UNIQUE (root, folder))
    """,
    """
    CREATE TABLE previous_calendar (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      generation INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      source INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
      name TEXT NOT NULL, color TEXT, has_explicit_name INTEGER NOT NULL, next_color TEXT)
    """,
    "CREATE INDEX previous_calendar_generation ON previous_calendar (generation)",
    "CREATE INDEX previous_calendar_source ON previous_calendar (source)",
    """
    CREATE TABLE document (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE, name TEXT NOT NULL,
      UNIQUE (source, name))
    """,
    """
    CREATE TABLE revision (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      added INTEGER NOT NULL, removed INTEGER,
      size INTEGER, modified INTEGER, changed INTEGER, inode INTEGER, digest INTEGER,
      interpretation INTEGER NOT NULL, components INTEGER NOT NULL, rejected INTEGER NOT NULL,
      journals INTEGER NOT NULL, rejected_journals INTEGER NOT NULL, free_busy INTEGER NOT NULL,
      is_mail INTEGER NOT NULL,
      line_numbers BLOB NOT NULL)
    """,
    "CREATE INDEX revision_document ON revision (document)",
    "CREATE INDEX revision_added ON revision (added)",
    "CREATE INDEX revision_removed ON revision (removed) WHERE removed IS NOT NULL",
    """
    CREATE TABLE context (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      digest INTEGER NOT NULL UNIQUE, calendar_name TEXT, is_calendar INTEGER NOT NULL,
      text BLOB NOT NULL)
    """,
    """
    CREATE TABLE calendar_object (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      revision INTEGER NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
      context INTEGER NOT NULL REFERENCES context (id), lines BLOB NOT NULL, parts BLOB)
    """,
    "CREATE INDEX calendar_object_revision ON calendar_object (revision)",
    "CREATE INDEX calendar_object_context ON calendar_object (context)",
    """
    CREATE TABLE finding (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      revision INTEGER NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
      severity TEXT NOT NULL, line INTEGER, range_start INTEGER, range_end INTEGER,
      component TEXT, uid TEXT, property TEXT, code TEXT NOT NULL, message TEXT NOT NULL,
      message_marks TEXT, action TEXT NOT NULL, action_marks TEXT, count INTEGER NOT NULL,
      later_lines TEXT, other_values BLOB, has_more_values INTEGER NOT NULL)
    """,
    "CREATE INDEX finding_revision ON finding (revision)",
    """
    CREATE TABLE component (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      kind INTEGER NOT NULL, uid INTEGER NOT NULL, digest INTEGER NOT NULL,
      span_class INTEGER, span_begin INTEGER, span_end INTEGER, touched_days INTEGER,
      alarm_class INTEGER, alarm_begin INTEGER, alarm_end INTEGER,
      version_rank INTEGER NOT NULL, omits_rules INTEGER,
      source INTEGER NOT NULL,
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      context INTEGER NOT NULL REFERENCES context (id),
      added INTEGER NOT NULL, removed INTEGER, text BLOB NOT NULL)
    """,
    "CREATE VIEW present_component AS SELECT * FROM component WHERE removed IS NULL",
    """
    CREATE INDEX component_span
    ON component (span_class, span_begin, span_end, touched_days, kind, source, uid)
    WHERE removed IS NULL AND span_class IS NOT NULL
    """,
    """
    CREATE INDEX component_alarm ON component (alarm_class, alarm_begin, alarm_end, kind, source, uid)
    WHERE removed IS NULL AND alarm_class IS NOT NULL
    """,
    "CREATE INDEX component_uid ON component (uid, source, kind, version_rank) WHERE removed IS NULL",
    "CREATE INDEX component_document ON component (document)",
    "CREATE INDEX component_removed ON component (removed) WHERE removed IS NOT NULL",
    "CREATE INDEX component_removed_uid ON component (uid, removed) WHERE removed IS NOT NULL",
    """
    CREATE TABLE thumbnail (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      component INTEGER NOT NULL REFERENCES component (id) ON DELETE CASCADE,
      number INTEGER NOT NULL, state INTEGER NOT NULL, picture TEXT, format INTEGER, bytes BLOB,
      UNIQUE (component, number))
    """,
    "CREATE INDEX thumbnail_pending ON thumbnail (component) WHERE state = 0",
    """
    CREATE TABLE pending_change (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      moment INTEGER NOT NULL, command TEXT NOT NULL, generation INTEGER)
    """,
    """
    CREATE TABLE written_file (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      generation INTEGER REFERENCES generation (id) ON DELETE CASCADE,
      pending_change INTEGER REFERENCES pending_change (id) ON DELETE CASCADE,
      folder TEXT NOT NULL, name TEXT NOT NULL, previous BLOB, written BLOB,
      permissions INTEGER)
    """,
    "CREATE INDEX written_file_generation ON written_file (generation)",
    "CREATE INDEX written_file_pending ON written_file (pending_change)",
    """
    CREATE TABLE split_series (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      generation INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      source INTEGER NOT NULL, old_uid INTEGER NOT NULL, new_uid INTEGER NOT NULL)
    """,
    "CREATE INDEX split_series_generation ON split_series (generation)",
    """
    CREATE TABLE undone (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      generation INTEGER NOT NULL, is_continued INTEGER NOT NULL, has_files INTEGER NOT NULL)
    """,
    """
    CREATE TABLE undone_part (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      undone INTEGER NOT NULL REFERENCES undone (id) ON DELETE CASCADE, changes BLOB NOT NULL)
    """,
    "CREATE INDEX undone_part_undone ON undone_part (undone)",
    """
    CREATE TABLE search_state (
      id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, next_component INTEGER NOT NULL,
      index_digest INTEGER NOT NULL)
    """,
  ]

  /// Calendars on CalDAV servers.
  private static let version2 = [
    """
    CREATE TABLE account (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      address TEXT NOT NULL, user TEXT, password_command TEXT, token_command TEXT,
      timeout INTEGER, max_size INTEGER, certificates TEXT, trusted_origins BLOB NOT NULL,
      chosen BLOB, homes BLOB NOT NULL, addresses BLOB NOT NULL, known_calendars BLOB NOT NULL,
      sends_invitations INTEGER NOT NULL)
    """,
    """
    CREATE TABLE server_calendar (
      id INTEGER PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE, checksum INTEGER NOT NULL,
      account INTEGER NOT NULL REFERENCES account (id),
      sync_token TEXT, collection_tag TEXT, uses_tokens INTEGER NOT NULL,
      is_writable INTEGER NOT NULL, components TEXT NOT NULL, place INTEGER, title TEXT)
    """,
    """
    CREATE TABLE server_object (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE, name TEXT NOT NULL,
      entity_tag TEXT, revision INTEGER, base BLOB, sent BLOB, failure TEXT,
      added INTEGER, removed INTEGER)
    """,
    "CREATE UNIQUE INDEX server_object_name ON server_object (source, name) WHERE removed IS NULL",
    """
    CREATE INDEX server_object_changed ON server_object (source)
    WHERE removed IS NULL AND (base IS NOT NULL OR revision IS NULL)
    """,
    "CREATE INDEX server_object_removed ON server_object (removed) WHERE removed IS NOT NULL",
    "CREATE INDEX server_object_added ON server_object (added) WHERE added IS NOT NULL",
    """
    CREATE TABLE conflict (
      id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE, name TEXT NOT NULL,
      base BLOB, mine BLOB, added INTEGER NOT NULL, removed INTEGER)
    """,
    "CREATE INDEX conflict_source ON conflict (source)",
  ]
}
