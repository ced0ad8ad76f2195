package import AgendaCore

/// Where something in the store came from.
package struct ComponentOrigin: Hashable, Sendable {
  package var kind: ImportedSource.Kind
  /// What names the source: an absolute path, a URL.
  package var location: String
  /// The name of its file within a folder; empty for any other source.
  package var document: String
  package var line: Int?
}

/// What is wrong with a source, by the last import of it.
package struct StoredFinding: Sendable {
  package var origin: ComponentOrigin
  package var finding: Finding
}

extension Store {
  /// Where an event came from, by the last import of its source.
  package func origin(of reference: EventReference) throws(StoreError) -> ComponentOrigin? {
    let row = try connection.statement(
      """
      SELECT source.kind, source.location, document.name, place.lines FROM component
      JOIN source ON source.id = component.source
      JOIN document ON document.id = component.document
      LEFT JOIN edition ON edition.document = document.id AND edition.removed IS NULL
      LEFT JOIN place ON place.id = edition.id
      WHERE component.id = ?1
      """)
    row.bind(1, reference.component)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return ComponentOrigin(
      kind: ImportedSource.Kind(rawValue: row.integer(0)) ?? .file, location: row.text(1),
      document: row.text(2),
      line: row.bytesIfAny(3).flatMap { ComponentLine.line(of: reference.component, in: $0) })
  }

  /// What is wrong with the sources of the store, in the order in which reading them would tell
  /// it: what makes a file of a folder none comes last.
  package func findings() throws(StoreError) -> [StoredFinding] {
    try connection.reading { () throws(StoreError) in
      let editions = try connection.statement(
        """
        SELECT edition.id, source.kind, source.location, document.name
        FROM source JOIN document ON document.source = source.id
        JOIN edition ON edition.document = document.id AND edition.removed IS NULL
        WHERE source.removed IS NULL
          AND EXISTS (SELECT 1 FROM finding WHERE finding.edition = edition.id)
        ORDER BY source.id, length(edition.properties) = 0, document.name
        """)
      var origins: [(edition: Int, origin: ComponentOrigin)] = []
      while try editions.step() {
        origins.append(
          (
            editions.integer(0),
            ComponentOrigin(
              kind: ImportedSource.Kind(rawValue: editions.integer(1)) ?? .file,
              location: editions.text(2), document: editions.text(3), line: nil)
          ))
      }
      var found: [StoredFinding] = []
      for (edition, origin) in origins {
        for finding in try findings(edition: edition) {
          found.append(StoredFinding(origin: origin, finding: finding))
        }
      }
      return found
    }
  }

  /// The colours that calendars ask for, by their names.
  package func calendarColors() throws(StoreError) -> [String: String] {
    let rows = try connection.statement("SELECT name, color FROM calendar WHERE color IS NOT NULL")
    var colors: [String: String] = [:]
    while try rows.step() { colors[rows.text(0)] = rows.text(1) }
    return colors
  }

  /// Notes which UIDs of a source are not alone, so that a window takes in all of them at once. More
  /// than are may stay noted: that only costs a look.
  func noteRepeated(source: Int) throws(StoreError) {
    try run(
      """
      INSERT OR IGNORE INTO repeated (source, uid_digest)
      SELECT source, uid_digest FROM component
      WHERE source = ?1 AND removed IS NULL GROUP BY source, uid_digest HAVING count(*) > 1
      """, source)
  }
}
