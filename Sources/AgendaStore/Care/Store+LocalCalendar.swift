package import AgendaCore
package import CivilTime

extension Store {
  /// The calendar of one's own, which no import feeds.
  package static let localCalendar = "local"
  private static let localLocation = "local:"

  /// Puts an event into the calendar of one's own; answers where it is.
  package func add(
    _ record: ComponentRecord, run: Int, now: Instant
  ) throws(StoreError) -> EventReference {
    defer { dropDays() }
    return try connection.writing { () throws(StoreError) in
      let found = try sourceRow(location: Self.localLocation)
      let source: Int
      if let found {
        source = found.id
      } else {
        source = try SealedTable.source.nextID(in: connection)
      }
      let generation = try begin(.added, of: source, run: run, now: now, added: 1)
      try write(
        source: ImportedSource(
          kind: .local, location: Self.localLocation, calendar: Self.localCalendar, isNamed: true),
        id: source, isNew: found == nil,
        calendar: try calendar(named: Self.localCalendar, color: nil), generation: generation,
        now: now)
      let document = try document(source: source, name: "")
      if try liveDocuments(source: source).isEmpty {
        try write(
          edition: ImportedDocument(components: 0), superseded: 0, document: document, old: nil,
          generation: generation, newGeneration: generation)
      }
      let writer = try ComponentWriter(
        connection, key: key, source: source, generation: generation,
        nextID: try nextComponent())
      let id = try writer.write(record, document: document)
      try update(nextComponent: writer.nextID, run: run)
      return EventReference(source: source, component: id)
    }
  }
}
