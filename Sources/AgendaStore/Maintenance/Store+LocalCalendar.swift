package import AgendaCore
package import CivilTime

extension Store {
  /// The user's own calendar, which has no source outside the store.
  package static let localCalendar = "local"
  private static let localLocation = "local:"

  /// Puts an event into the local calendar; answers where it is.
  package func add(
    _ record: ComponentRecord, run: Int, now: Instant
  ) throws(StoreError) -> EventReference {
    try connection.writing { () throws(StoreError) in
      let found = try sourceRow(location: Self.localLocation)
      let nextSource = try connection.nextID(in: Schema.source)
      let source = found?.id ?? nextSource
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
          revision: ImportedDocument(components: 0), superseded: 0, document: document,
          previous: nil, generation: generation, isChange: true)
      }
      let writer = try ComponentWriter(
        connection, source: source, generation: generation, nextID: try nextComponent())
      let id = try writer.write(record, document: document)
      try update(nextComponent: writer.nextID, run: run)
      try finishChange(of: [source])
      return EventReference(source: source, component: id)
    }
  }
}
