/// The formats in which an agenda can be written.
public enum AgendaFormat: String, Hashable, Sendable, CaseIterable {
  case text, markdown, html, json, jsonl, tsv
}
