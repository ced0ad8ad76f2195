internal import AgendaCore

/// The files of a folder that an import need not open if the file system reports them as unchanged.
/// They are those of the store before the transaction of the import.
package struct KeptDocuments: Sendable {
  /// By the names of the files.
  let revisions: [String: RevisionRow]
  /// By revision.
  let findings: [Int: [Finding]]
  /// The `data_version` of the store.
  let state: Int?

  package var isEmpty: Bool { revisions.isEmpty }

  package func contains(_ name: String, _ fingerprint: FileFingerprint) -> Bool {
    revisions[name]?.fingerprint == fingerprint
  }
}

extension Store {
  /// The files of a folder whose last import read them in the same way. Files with duplicates or
  /// outdated versions are read each time, because the result depends on the other files. In a
  /// strict import, files with rejected components are read again too.
  package func keptDocuments(
    source location: String, interpretation: Int, isStrict: Bool
  ) throws(StoreError) -> KeptDocuments {
    try connection.reading { () throws(StoreError) in
      let state = try connection.integer("PRAGMA data_version")
      guard let source = try sourceRow(location: location) else {
        return KeptDocuments(revisions: [:], findings: [:], state: state)
      }
      let rows = try connection.statement(
        """
        SELECT \(RevisionRow.columns), document.name,
          EXISTS (SELECT 1 FROM finding WHERE finding.revision = revision.id) AS has_findings
        FROM document JOIN revision ON revision.document = document.id AND revision.removed IS NULL
        WHERE document.source = ?1 AND interpretation = ?2 AND superseded = 0
          AND size IS NOT NULL AND (rejected = 0 AND journals = 0 OR NOT ?3)
        """, source.id, interpretation, isStrict ? 1 : 0)
      let columns = RevisionRow.Columns(rows)
      let (name, hasFindings) = (rows.column("name"), rows.column("has_findings"))
      var revisions: [String: RevisionRow] = [:]
      var revisionsWithFindings: [Int] = []
      while try rows.step() {
        let revision = RevisionRow(rows, columns)
        revisions[rows.text(name)] = revision
        if rows.integer(hasFindings) != 0 { revisionsWithFindings.append(revision.id) }
      }
      var found: [Int: [Finding]] = [:]
      for revision in revisionsWithFindings {
        found[revision] = try findings(revision: revision)
      }
      return KeptDocuments(revisions: revisions, findings: found, state: state)
    }
  }
}
