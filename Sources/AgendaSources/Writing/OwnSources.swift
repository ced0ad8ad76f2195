package import AgendaStore

extension ImportedSource {
  /// The user's own calendar, which has no source outside the store.
  package static let local = ImportedSource(
    kind: .local, location: "local:", calendar: "local", hasExplicitName: true)

  /// What the user decided about events of sources that agenda does not write.
  package static let decisions = ImportedSource(
    kind: .decisions, location: "decisions:", calendar: "")
}
