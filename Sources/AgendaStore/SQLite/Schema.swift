/// The tables and indexes of a store. Docs/Store.md describes them.
///
/// Rows are written once. When an import takes a row out, the row is marked with that import's
/// generation (`removed`) and stays until the generation is pruned, so that `changes` can compare
/// and `undo` can restore it.
enum Schema {
  static let store = Table(
    "store",
    [
      ("key", "INTEGER NOT NULL"), ("next_component", "INTEGER NOT NULL"),
      ("next_run", "INTEGER NOT NULL"),
    ])

  static let calendar = Table("calendar", [("name", "TEXT NOT NULL UNIQUE"), ("color", "TEXT")])

  static let source = Table(
    "source",
    [
      ("calendar", "INTEGER NOT NULL REFERENCES calendar (id) DEFERRABLE INITIALLY DEFERRED"),
      ("kind", "INTEGER NOT NULL"), ("location", "TEXT NOT NULL"), ("encoding", "TEXT"),
      ("has_explicit_name", "INTEGER NOT NULL"),
      ("added", "INTEGER NOT NULL"), ("removed", "INTEGER"),
      ("last_import", "INTEGER"), ("last_error", "TEXT"),
      // The number of its present components.
      ("events", "INTEGER NOT NULL"), ("tasks", "INTEGER NOT NULL"),
      ("journals", "INTEGER NOT NULL"),
    ])

  /// By source.
  static let subscription = Table(
    "subscription",
    [
      ("timeout", "INTEGER"), ("max_size", "INTEGER"), ("certificates", "TEXT"),
      ("password_command", "TEXT"), ("entity_tag", "TEXT"), ("last_modified", "TEXT"),
      ("moved_to", "TEXT"), ("last_attempt", "INTEGER"), ("last_success", "INTEGER"),
      ("pause_reason", "INTEGER"), ("pause_end", "INTEGER"), ("failure", "TEXT"),
      ("failure_count", "INTEGER NOT NULL"), ("last_report", "INTEGER"), ("size", "INTEGER"),
      ("refresh_interval", "INTEGER"),
    ], constraint: "FOREIGN KEY (id) REFERENCES source (id) ON DELETE CASCADE")

  static let rootFolder = Table(
    "root_folder",
    [
      ("root", "TEXT NOT NULL"), ("folder", "TEXT NOT NULL"), ("encoding", "TEXT"),
      ("run", "INTEGER NOT NULL"),
    ], constraint: "UNIQUE (root, folder)")

  static let document = Table(
    "document",
    [
      ("source", "INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED"),
      ("name", "TEXT NOT NULL"),
    ], constraint: "UNIQUE (source, name)")

  static let revision = Table(
    "revision",
    [
      ("document", "INTEGER NOT NULL REFERENCES document (id) DEFERRABLE INITIALLY DEFERRED"),
      ("added", "INTEGER NOT NULL"), ("removed", "INTEGER"),
      ("size", "INTEGER"), ("modified", "INTEGER"), ("changed", "INTEGER"), ("inode", "INTEGER"),
      ("digest", "INTEGER"), ("interpretation", "INTEGER NOT NULL"),
      ("components", "INTEGER NOT NULL"), ("superseded", "INTEGER NOT NULL"),
      ("rejected", "INTEGER NOT NULL"),
      ("journals", "INTEGER NOT NULL"), ("free_busy", "INTEGER NOT NULL"),
      ("properties", "BLOB NOT NULL"), ("line_numbers", "BLOB NOT NULL"),
    ])

  static let part = Table(
    "part",
    [
      ("revision", "INTEGER NOT NULL REFERENCES revision (id) DEFERRABLE INITIALLY DEFERRED"),
      ("calendar_object", "INTEGER NOT NULL"), ("kind", "TEXT NOT NULL"),
      ("bytes", "BLOB NOT NULL"),
    ])

  static let finding = Table(
    "finding",
    [
      ("revision", "INTEGER NOT NULL REFERENCES revision (id) DEFERRABLE INITIALLY DEFERRED"),
      ("severity", "TEXT NOT NULL"), ("line", "INTEGER"),
      ("range_start", "INTEGER"), ("range_end", "INTEGER"),
      ("component", "TEXT"), ("uid", "TEXT"), ("property", "TEXT"),
      ("message", "TEXT NOT NULL"), ("action", "TEXT NOT NULL"),
      // The number of times that the document has the problem, and the next lines with it.
      ("count", "INTEGER NOT NULL"), ("later_lines", "TEXT"),
    ])

  static let zone = Table(
    "zone",
    [("name", "TEXT NOT NULL"), ("origin", "INTEGER NOT NULL"), ("definition", "BLOB")])

  static let generation = Table(
    "generation",
    [
      ("run", "INTEGER NOT NULL"), ("source", "INTEGER NOT NULL"), ("moment", "INTEGER NOT NULL"),
      ("action", "INTEGER NOT NULL"), ("first_component", "INTEGER NOT NULL"),
      ("added", "INTEGER NOT NULL"), ("updated", "INTEGER NOT NULL"),
      ("removed", "INTEGER NOT NULL"),
    ])

  /// By generation.
  static let previousCalendar = Table(
    "previous_calendar",
    [
      ("name", "TEXT NOT NULL"), ("color", "TEXT"), ("has_explicit_name", "INTEGER NOT NULL"),
      ("next_color", "TEXT"),
    ])

  /// The columns that are known only when the row is written come last. Everything before them is
  /// prepared by the threads that read.
  static let component = Table(
    "component",
    [
      ("kind", "INTEGER NOT NULL"), ("calendar_object", "INTEGER NOT NULL"),
      ("span_class", "INTEGER"), ("span_begin", "INTEGER"), ("span_end", "INTEGER"),
      ("touched_days", "INTEGER"),
      ("alarm_class", "INTEGER"), ("alarm_begin", "INTEGER"), ("alarm_end", "INTEGER"),
      ("alarm_reach", "INTEGER"),
      ("replaces", "INTEGER"), ("uid_digest", "INTEGER NOT NULL"), ("uid", "TEXT NOT NULL"),
      ("recurrence_form", "INTEGER"), ("recurrence_time", "INTEGER"),
      ("recurrence_zone", "INTEGER"), ("includes_following", "INTEGER"),
      ("start_form", "INTEGER"), ("start_time", "INTEGER"), ("start_zone", "INTEGER"),
      ("extent_form", "INTEGER"), ("extent_value", "INTEGER"), ("extent_zone", "INTEGER"),
      ("due_form", "INTEGER"), ("due_time", "INTEGER"), ("due_zone", "INTEGER"),
      ("rules", "TEXT"), ("exception_rules", "TEXT"), ("dates", "BLOB"),
      ("exception_dates", "BLOB"),
      ("title", "TEXT NOT NULL"), ("location", "TEXT"), ("status", "INTEGER"),
      ("categories", "BLOB"), ("transparent", "INTEGER"), ("color", "TEXT"),
      ("sequence", "INTEGER"), ("modified", "INTEGER"), ("content", "INTEGER NOT NULL"),
      ("source", "INTEGER NOT NULL"), ("document", "INTEGER NOT NULL"),
      ("added", "INTEGER NOT NULL"), ("removed", "INTEGER"), ("digest", "INTEGER"),
    ])

  /// By component, as is `text`.
  static let detail = Table(
    "detail",
    [
      ("description", "TEXT"), ("url", "TEXT"), ("conference", "TEXT"),
      ("latitude", "REAL"), ("longitude", "REAL"),
      ("has_organizer", "INTEGER"), ("organizer_name", "TEXT"), ("organizer_email", "TEXT"),
      ("attendees", "BLOB"), ("alarms", "BLOB"),
      ("classification", "TEXT"), ("priority", "INTEGER"),
      ("created", "INTEGER"), ("percent_complete", "INTEGER"), ("completed", "INTEGER"),
      ("last_modified", "INTEGER"), ("stamp", "INTEGER"),
    ])

  static let text = Table("text", [("bytes", "BLOB NOT NULL")])

  static let attachment = Table(
    "attachment",
    [
      ("component", "INTEGER NOT NULL"), ("number", "INTEGER NOT NULL"),
      ("media_type", "TEXT"), ("byte_count", "INTEGER"), ("uri", "TEXT"), ("name", "TEXT"),
      ("is_image", "INTEGER NOT NULL"), ("bytes", "BLOB"),
    ])

  /// By attachment.
  static let thumbnail = Table(
    "thumbnail",
    [("picture", "TEXT NOT NULL"), ("format", "INTEGER NOT NULL"), ("bytes", "BLOB NOT NULL")])

  /// By attachment.
  static let pendingThumbnail = Table("pending_thumbnail", [])

  static let searched = Table(
    "searched", [("next_component", "INTEGER NOT NULL"), ("index_digest", "INTEGER NOT NULL")])

  static let dayCache = Table(
    "day_cache",
    [
      ("day", "INTEGER NOT NULL"), ("zone", "TEXT NOT NULL"),
      ("interpretation", "INTEGER NOT NULL"), ("bytes", "BLOB NOT NULL"),
    ], constraint: "UNIQUE (day, zone, interpretation)")

  /// Files of folders that agenda changed in a generation; NULL means no file. `undo` restores the
  /// previous bytes.
  static let writtenFile = Table(
    "written_file",
    [
      ("generation", "INTEGER NOT NULL"), ("folder", "TEXT NOT NULL"), ("name", "TEXT NOT NULL"),
      ("previous", "BLOB"), ("written", "BLOB"),
    ])

  /// By written file: the permissions that it has if it is created.
  static let filePermissions = Table("file_permissions", [("permissions", "INTEGER NOT NULL")])

  /// By adjustment: the SEQUENCE of the invitation that was answered.
  static let answeredSequence = Table("answered_sequence", [("sequence", "INTEGER NOT NULL")])

  /// Deletes the written files that a condition finds.
  static func writtenFileErasures(where condition: String) -> [String] {
    [
      """
      DELETE FROM file_permissions
      WHERE id IN (SELECT id FROM written_file WHERE \(condition))
      """, "DELETE FROM written_file WHERE \(condition)",
    ]
  }

  /// Deletes the adjustments that a condition finds.
  static func adjustmentErasures(where condition: String) -> [String] {
    [
      "DELETE FROM answered_sequence WHERE id IN (SELECT id FROM adjustment WHERE \(condition))",
      "DELETE FROM adjustment WHERE \(condition)",
    ]
  }

  /// The user's changes to events whose source agenda cannot write. Each import of the source
  /// applies them again.
  static let adjustment = Table(
    "adjustment",
    [
      ("generation", "INTEGER NOT NULL"),
      ("source", "INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED"),
      ("kind", "INTEGER NOT NULL"), ("uid", "TEXT NOT NULL"),
      ("scope", "TEXT"), ("recurrence", "TEXT"),
      ("address", "TEXT"), ("participation", "TEXT"), ("comment", "TEXT"),
    ])

  /// The messages about events (METHOD:CANCEL and REPLY). They have the columns of `component` up
  /// to its source, which is 0, and then those of a message.
  static let message = Table(
    "message",
    component.columns.dropLast(4) + [
      ("generation", "INTEGER NOT NULL"), ("method", "INTEGER NOT NULL"),
      // The calendar of its events; NULL for all calendars.
      ("calendar_name", "TEXT"),
      ("digest", "INTEGER NOT NULL"), ("text", "BLOB NOT NULL"),
    ])

  /// By message.
  static let messageDetail = Table("message_detail", detail.columns)

  /// By component: the overrides that only messages make.
  static let messageOverride = Table("message_override", [])

  /// By component: how an override that answers make differs from its series.
  static let answeredOverride = Table(
    "answered_override",
    [
      ("template", "INTEGER NOT NULL"), ("lines", "BLOB NOT NULL"), ("answers", "BLOB NOT NULL"),
    ])

  /// Series that answered overrides differ from. Each has an id like a component and rows of `detail`,
  /// `text` and `attachment`, so that the overrides keep them when the series changes.
  static let overrideTemplate = Table("override_template", [("content", "INTEGER NOT NULL")])

  /// By component that messages changed: the component that its source has. It stays although it is
  /// taken out, so that messages can be applied to it again.
  static let messageOriginal = Table("message_original", [("original", "INTEGER NOT NULL")])

  private static let answerTables = [answeredOverride, overrideTemplate]
  private static let answerIndexes = [
    Index(name: "answered_override_template", columns: "answered_override (template)"),
    Index(name: "override_template_content", columns: "override_template (content)"),
  ]

  private static let writingTables = [filePermissions, answeredSequence]

  private static let originalTables = [messageOriginal]

  private static let messageTables = [message, messageDetail, messageOverride]
  private static let messageIndex = Index(
    name: "message_uid", columns: "message (uid_digest, digest)")

  private static let firstTables = [
    store, calendar, source, subscription, rootFolder, document, revision, part, finding, zone,
    generation, previousCalendar, component, detail, text, attachment, thumbnail,
    pendingThumbnail, searched, dayCache, writtenFile, adjustment,
  ]

  static let tables =
    firstTables + messageTables + answerTables + writingTables + originalTables

  struct Index: Sendable {
    let name: String
    let columns: String
    var isUnique = false

    var definition: String {
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(columns)"
    }
  }

  /// The indexes that every new component is added to. An import into an empty store builds them at
  /// its end, which is faster.
  static let importIndexes = [
    // Finds components that touch a window. With the days at its end, SQLite skips a series without
    // reading its row.
    Index(
      name: "component_span",
      columns: """
        component (span_class, span_begin, span_end, touched_days) WHERE removed IS NULL
        """),
    // Finds components with alarms in a window.
    Index(
      name: "component_alarm",
      columns: """
        component (alarm_class, alarm_begin, alarm_end)
        WHERE removed IS NULL AND alarm_class IS NOT NULL
        """),
    // Finds the components of a source, their number, and the components with one UID.
    Index(
      name: "component_uid",
      columns: "component (source, uid_digest, digest, document, kind) WHERE removed IS NULL"),
  ]

  static let indexes = firstIndexes + [messageIndex] + answerIndexes

  private static let firstIndexes =
    importIndexes + [
      Index(name: "component_removed", columns: "component (removed) WHERE removed IS NOT NULL"),
      Index(
        name: "source_location", columns: "source (location) WHERE removed IS NULL",
        isUnique: true),
      // Finds the last import of a document, and whether it has any, which SQLite checks before it
      // deletes one.
      Index(name: "revision_document", columns: "revision (document)"),
      Index(name: "revision_removed", columns: "revision (removed) WHERE removed IS NOT NULL"),
      Index(name: "revision_added", columns: "revision (added)"),
      Index(name: "part_revision", columns: "part (revision)"),
      Index(name: "finding_revision", columns: "finding (revision)"),
      Index(name: "attachment_component", columns: "attachment (component, number)"),
      Index(name: "written_file_generation", columns: "written_file (generation)"),
      Index(name: "adjustment_source", columns: "adjustment (source)"),
    ]

  /// Each step leads to the next version of the schema; the first creates it. Once a version is
  /// released, its step never changes, and a store of that version is added to Fixtures/stores.
  static let migrations: [[String]] = [
    firstTables.map(\.definition) + firstIndexes.map(\.definition),
    messageTables.map(\.definition) + [messageIndex.definition],
    answerTables.map(\.definition) + answerIndexes.map(\.definition),
    writingTables.map(\.definition),
    originalTables.map(\.definition),
  ]

  /// The `user_version` of the first migration. A store with a smaller one was written before agenda
  /// was released, by a version whose tables still changed.
  static let firstVersion = 2
  /// The `user_version` of a store with these tables.
  static var version: Int { firstVersion - 1 + migrations.count }
  /// "agda" in the header of the file.
  static let applicationID = 0x6167_6461
  /// "agnd": stores from before version 1.
  static let retiredApplicationID = 0x6167_6e64

  /// Deletes everything that belongs to the components that a condition on `id` finds.
  static func componentErasures(where condition: String) -> [String] {
    let attachments = """
      SELECT id FROM attachment
      WHERE component IN (SELECT id FROM component WHERE \(condition))
      """
    return [
      "DELETE FROM pending_thumbnail WHERE id IN (\(attachments))",
      "DELETE FROM thumbnail WHERE id IN (\(attachments))",
      "DELETE FROM attachment WHERE component IN (SELECT id FROM component WHERE \(condition))",
      "DELETE FROM text WHERE \(condition)",
      "DELETE FROM message_override WHERE \(condition)",
      "DELETE FROM message_original WHERE \(condition)",
      "DELETE FROM answered_override WHERE \(condition)",
      "DELETE FROM detail WHERE \(condition)",
      "DELETE FROM component WHERE \(condition)",
    ]
  }

  /// Deletes the templates of which no override is left.
  static let templateErasures: [String] = {
    let unused = """
      SELECT id FROM override_template
      WHERE id NOT IN (SELECT template FROM answered_override)
      """
    return [
      "DELETE FROM attachment WHERE component IN (\(unused))",
      "DELETE FROM text WHERE id IN (\(unused))",
      "DELETE FROM detail WHERE id IN (\(unused))",
      "DELETE FROM override_template WHERE id IN (\(unused))",
    ]
  }()
}
