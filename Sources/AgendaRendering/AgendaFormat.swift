/// The formats in which an agenda can be written.
public enum AgendaFormat: String, Hashable, Sendable, CaseIterable {
  /// Lines for a terminal or a fixed-width font.
  case text
  /// Markdown with a heading for each section and a list item for each entry.
  case markdown
  /// A complete web page.
  case html
  /// One JSON document with sections, entries and all details.
  case json
  /// One JSON object per line, each an entry.
  case jsonl
  /// Tab-separated values, one line per entry, with a line of column names.
  case tsv
  /// Comma-separated values for spreadsheets (RFC 4180), with the columns of `tsv`.
  case csv
}
