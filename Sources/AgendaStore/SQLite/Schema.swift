/// The columns of the tables, for the statements that write rows. `Migrations` makes the tables.
///
/// Rows are written once. When a command takes a row out, the row is marked with that command's
/// generation (`removed`) and stays until the generation is pruned, so that `changes` can compare and
/// `undo` can restore it.
enum Schema {
  static let store = Table("store", ["key", "interpretation", "unchanged_after"])
  static let calendar = Table("calendar", ["name", "color"])
  static let source = Table(
    "source",
    [
      "calendar", "kind", "location", "encoding", "has_explicit_name", "added", "removed",
      "last_import", "last_error", "counted_after", "superseded",
    ])
  /// By source.
  static let subscription = Table(
    "subscription",
    [
      "timeout", "max_size", "certificates", "password_command", "entity_tag", "last_modified",
      "moved_to", "last_attempt", "last_success", "pause_reason", "pause_end", "failure",
      "failure_count", "last_report", "size", "refresh_interval",
    ])
  static let generation = Table("generation", ["moment", "command", "first_component"])
  static let rootFolder = Table("root_folder", ["root", "folder", "encoding", "generation"])
  static let previousCalendar = Table(
    "previous_calendar",
    ["generation", "source", "name", "color", "has_explicit_name", "next_color"])
  static let document = Table("document", ["source", "name"])
  static let revision = Table(
    "revision",
    [
      "document", "added", "removed", "size", "modified", "changed", "inode", "digest",
      "interpretation", "components", "rejected", "journals", "rejected_journals", "free_busy",
      "is_mail", "line_numbers",
    ])
  static let context = Table("context", ["digest", "calendar_name", "is_calendar", "text"])
  static let calendarObject = Table(
    "calendar_object", ["revision", "context", "lines", "parts"])
  static let finding = Table(
    "finding",
    [
      "revision", "severity", "line", "range_start", "range_end", "component", "uid", "property",
      "code", "message", "message_marks", "action", "action_marks", "count", "later_lines",
      "other_values", "has_more_values",
    ])
  /// The columns up to `omits_rules`, and `text`, are prepared by the threads that read.
  static let component = Table(
    "component",
    [
      "kind", "uid", "digest", "span_class", "span_begin", "span_end", "touched_days",
      "alarm_class", "alarm_begin", "alarm_end", "version_rank", "omits_rules", "source",
      "document", "context", "added", "removed", "text",
    ])
  static let thumbnail = Table(
    "thumbnail", ["component", "number", "state", "picture", "format", "bytes"])
  static let pendingChange = Table("pending_change", ["moment", "command", "generation"])
  /// Files of folders that agenda changed in a generation, or is about to change; NULL means no file.
  /// `undo` restores the previous bytes.
  static let writtenFile = Table(
    "written_file",
    [
      "generation", "pending_change", "folder", "name", "previous", "written", "permissions",
    ])
  static let splitSeries = Table("split_series", ["generation", "source", "old_uid", "new_uid"])
  /// What `undo` did to the tables of `history`, for `redo`: a changeset of SQLite's session extension,
  /// in parts.
  static let undone = Table("undone", ["generation", "is_continued", "has_files"])
  static let undonePart = Table("undone_part", ["undone", "changes"])
  /// How an account of a CalDAV server is asked, and what is known about it. `chosen` are the names of
  /// the calendars that the user wants; NULL means all.
  static let account = Table(
    "account",
    [
      "address", "user", "password_command", "token_command", "timeout", "max_size",
      "certificates", "trusted_origins", "chosen", "homes", "addresses", "known_calendars",
      "sends_invitations",
    ])
  /// By source.
  static let serverCalendar = Table(
    "server_calendar",
    [
      "account", "sync_token", "collection_tag", "uses_tokens", "is_writable", "components",
      "place", "title",
    ])
  /// What a server has of a document: its tags, and the revision that is equal to it. A document with
  /// another revision waits to be sent; `base` is then the text that the server has, and `sent` the text
  /// of a request without a known answer.
  static let serverObject = Table(
    "server_object",
    [
      "source", "name", "entity_tag", "revision", "base", "sent", "failure",
      "added", "removed",
    ])
  /// The user's own version of a document that the server has in another one; NULL if the user removed
  /// it.
  static let conflict = Table(
    "conflict", ["source", "name", "base", "mine", "added", "removed"])
  static let searchState = Table("search_state", ["next_component", "index_digest"])

  static let tables = [
    store, calendar, source, subscription, generation, rootFolder, previousCalendar, document,
    revision, context, calendarObject, finding, component, thumbnail, pendingChange, writtenFile,
    splitSeries, undone, undonePart, searchState, account, serverCalendar, serverObject, conflict,
  ]

  /// The tables that `undo` changes and `redo` changes back.
  static let history = [
    calendar, source, subscription, generation, rootFolder, previousCalendar, document, revision,
    context, calendarObject, finding, component, thumbnail, writtenFile, splitSeries,
    serverCalendar, serverObject, conflict,
  ]

  /// The indexes that every new component is added to. An import into an empty store builds them at
  /// its end, which is faster.
  static let importIndexes = [
    "component_span", "component_alarm", "component_uid", "component_document",
  ]

  /// The `user_version` of a store with these tables.
  static var version: Int { Migrations.steps.count }
}
