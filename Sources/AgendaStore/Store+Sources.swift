package import AgendaCore

/// The source of a component.
package struct ComponentOrigin: Hashable, Sendable {
  package var kind: ImportedSource.Kind
  /// The identity of the source: an absolute path or a URL.
  package var location: String
  /// The name of its file within a folder; empty for any other source.
  package var document: String
  package var line: Int?
}

/// A problem of a source, found by its last import.
package struct StoredFinding: Sendable {
  package var origin: ComponentOrigin
  package var finding: Finding
}

extension Store {
  /// The source of an event, at its last import.
  package func origin(of reference: EventReference) throws(StoreError) -> ComponentOrigin? {
    let row = try connection.statement(
      """
      SELECT source.kind, source.location, document.name, revision.id AS revision,
        revision.checksum AS checksum
      FROM component
      JOIN source ON source.id = component.source
      JOIN document ON document.id = component.document
      LEFT JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE component.id = ?1
      """, reference.component)
    guard try row.step() else { return nil }
    var origin = ComponentOrigin(
      kind: ImportedSource.Kind(rawValue: row.integer("kind")) ?? .file,
      location: row.text("location"), document: row.text("name"))
    let revision = row.optionalInteger("revision")
    let checksum = row.optionalInteger("checksum")
    row.reset()
    guard let revision, let checksum else { return origin }
    if lineNumbers?.checksum != checksum || lineNumbers?.revision != revision {
      let bytes = try connection.statement(
        "SELECT line_numbers FROM revision WHERE id = ?1", revision)
      defer { bytes.reset() }
      guard try bytes.step() else { return origin }
      lineNumbers = (revision, checksum, LineNumbers.entries(in: bytes.bytes("line_numbers")))
    }
    origin.line = lineNumbers.flatMap { LineNumbers.line(of: reference.component, in: $0.entries) }
    return origin
  }

  /// The problems of the sources of the store, in the order in which reading the sources would
  /// report them: files of a folder that could not be read come last.
  package func findings() throws(StoreError) -> [StoredFinding] {
    try connection.reading { () throws(StoreError) in
      let revisions = try connection.statement(
        """
        SELECT revision.id, source.kind, source.location, document.name
        FROM source JOIN document ON document.source = source.id
        JOIN revision ON revision.document = document.id AND revision.removed IS NULL
        WHERE source.removed IS NULL
          AND EXISTS (SELECT 1 FROM finding WHERE finding.revision = revision.id)
        ORDER BY source.id, length(revision.properties) = 0, document.name
        """)
      var origins: [(revision: Int, origin: ComponentOrigin)] = []
      while try revisions.step() {
        let origin = ComponentOrigin(
          kind: ImportedSource.Kind(rawValue: revisions.integer("kind")) ?? .file,
          location: revisions.text("location"), document: revisions.text("name"), line: nil)
        origins.append((revisions.integer("id"), origin))
      }
      var found: [StoredFinding] = []
      for (revision, origin) in origins {
        for finding in try findings(revision: revision) {
          if let finding = try correctedFinding(finding, location: origin.location) {
            found.append(StoredFinding(origin: origin, finding: finding))
          }
        }
      }
      return found
    }
  }

  /// A finding of a source as it is for its calendar; `nil` if another source proves it wrong.
  private func correctedFinding(
    _ finding: Finding, location: String
  ) throws(StoreError) -> Finding? {
    guard finding.dependsOnVersions, let uid = finding.uid,
      let kind = Event.Kind.allCases.first(where: { $0.component == finding.component }),
      let source = try sourceRow(location: location)
    else { return finding }
    let sources = try connection.integers(
      "SELECT id FROM source WHERE calendar = ?1 AND removed IS NULL ORDER BY id", source.calendar)
    if sources.count < 2 { return finding }
    let versions = try versions(
      of: IdentityKey.uidDigest(of: uid, kind, key: key), in: sources,
      calendar: source.calendarName)
    return versions.assembly.finding(finding, of: versions.events) {
      $0.source == source.id
    }
  }

  /// The colours of the calendars, by their names.
  package func calendarColors() throws(StoreError) -> [String: String] {
    let rows = try connection.statement("SELECT name, color FROM calendar WHERE color IS NOT NULL")
    var colors: [String: String] = [:]
    while try rows.step() { colors[rows.text("name")] = rows.text("color") }
    return colors
  }
}
