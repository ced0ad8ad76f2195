/// The faces that an agenda can be given.
public enum AgendaFormat: String, Hashable, Sendable, CaseIterable {
  case text, markdown, json, jsonl, tsv
}
