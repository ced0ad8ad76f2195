package import CivilTime

/// A command that changed the store.
package struct Generation: Hashable, Sendable {
  package var id: Int
  package var moment: Instant
  /// The name of the command: `import`, `edit`.
  package var command: String
}

/// The state of a store's history.
package struct StoreState: Hashable, Sendable {
  /// The last generation; 0 without any. Numbers are never used again, so after an undo a new command
  /// gets a higher one.
  package var generation: Int

  /// The state of a store without any command.
  package static let empty = StoreState(generation: 0)
}

extension Store {
  /// The commands that can still be undone, the latest first.
  package func generations(atMost most: Int = .max) throws(StoreError) -> [Generation] {
    let rows = try connection.statement(
      "SELECT id, moment, command FROM generation ORDER BY id DESC LIMIT ?1", most)
    var generations: [Generation] = []
    while try rows.step() {
      generations.append(
        Generation(
          id: rows.integer(0), moment: Instant(secondsSinceEpoch: rows.integer(1)),
          command: rows.text(2)))
    }
    return generations
  }

  /// The first command that changed something since a moment; without a moment, the last command,
  /// unless an import after it changed nothing.
  package func firstGeneration(since moment: Instant?) throws(StoreError) -> Int? {
    guard let moment else {
      return try connection.integer(
        """
        SELECT id FROM generation
        WHERE id = (SELECT max(id) FROM generation)
          AND id IS NOT (SELECT unchanged_after FROM store WHERE id = 1)
        """)
    }
    return try connection.integer(
      "SELECT min(id) FROM generation WHERE moment >= ?1", moment.secondsSinceEpoch)
  }

  /// Notes that an import changed nothing after the last command that did.
  package func noteUnchangedImport() throws(StoreError) {
    guard let last = try firstGeneration(since: nil) else { return }
    try connection.writing { () throws(StoreError) in
      try connection.update(Schema.store, set: ["unchanged_after": last], where: "id = 1")
    }
  }

  /// Changes with each commit of another connection.
  package func dataVersion() throws(StoreError) -> Int {
    try connection.integer("PRAGMA data_version") ?? 0
  }

  package func state() throws(StoreError) -> StoreState {
    StoreState(generation: try connection.integer("SELECT max(id) FROM generation") ?? 0)
  }

  /// The last generation of a state that still exists: an undo removes generations.
  package func lastGeneration(of state: StoreState) throws(StoreError) -> Int {
    try connection.integer("SELECT max(id) FROM generation WHERE id <= ?1", state.generation) ?? 0
  }

  /// Identifies exactly this content of this store: a digest of its last command, under its key.
  package func contentDigest() throws(StoreError) -> ContentDigest {
    try connection.reading { () throws(StoreError) in
      var digest = ContentDigest(key: key.number)
      digest.add(try interpretation())
      let row = try connection.statement(
        "SELECT id, moment, first_component FROM generation ORDER BY id DESC LIMIT 1")
      defer { row.reset() }
      guard try row.step() else { return digest }
      for column in Int32(0)..<3 { digest.add(row.integer(column)) }
      digest.add(try connection.integer("SELECT max(id) FROM component") ?? 0)
      return digest
    }
  }

  /// The UIDs of the components that commands wrote or took out, from a generation on; with `end`, up
  /// to that one. `nil` if there are more than `most` components, unless `some` of them are enough.
  package func changedUIDs(
    from first: Int, before end: Int = .max, atMost most: Int = .max, some: Bool = false
  ) throws(StoreError) -> [Int]? {
    let rows = try connection.statement(
      """
      SELECT uid FROM component WHERE removed IS NOT NULL AND removed >= ?1 AND removed < ?2
      UNION ALL
      SELECT uid FROM component WHERE id >= ?3 AND added >= ?1 AND added < ?2
      LIMIT ?4
      """, first, end, try firstComponent(from: first), most == .max ? -1 : most + 1)
    var count = 0
    var uids: Set<Int> = []
    while try rows.step() {
      count += 1
      uids.insert(rows.integer(0))
    }
    return count > most && !some ? nil : uids.sorted()
  }

  /// A component that a command wrote or took out.
  package struct ChangedComponent: Sendable {
    package var source: Int
    /// The calendar of its VCALENDAR; `nil` for that of the source.
    package var calendar: String?
    package var kind: ComponentKind
    package var uid: Int
    package var isRemoved: Bool
  }

  /// The components that a command wrote or took out.
  package func changedComponents(
    by generation: Int
  ) throws(StoreError) -> [ChangedComponent] {
    let rows = try connection.statement(
      """
      SELECT source, context, kind, uid, 1 FROM component
      WHERE removed IS NOT NULL AND removed = ?1
      UNION ALL
      SELECT source, context, kind, uid, 0 FROM component WHERE id >= ?2 AND added = ?1
      """, generation, try firstComponent(from: generation))
    var changed: [(component: ChangedComponent, context: Int)] = []
    while try rows.step() {
      guard let kind = ComponentKind(rawValue: rows.integer(2)) else { continue }
      changed.append(
        (
          ChangedComponent(
            source: rows.integer(0), calendar: nil, kind: kind, uid: rows.integer(3),
            isRemoved: rows.integer(4) != 0), rows.integer(1)
        ))
    }
    guard try hasNamedContexts() else { return changed.map(\.component) }
    let contexts = try contexts(Set(changed.map(\.context)))
    return changed.map { component, context in
      var component = component
      component.calendar = contexts[context]?.calendarName
      return component
    }
  }

  private func firstComponent(from generation: Int) throws(StoreError) -> Int {
    try connection.integer(
      "SELECT min(first_component) FROM generation WHERE id >= ?1", generation) ?? .max
  }

  /// The splits of series that commands recorded, from a generation on.
  package func splits(
    from first: Int, before end: Int = .max
  ) throws(StoreError) -> [(source: Int, old: Int, new: Int)] {
    let rows = try connection.statement(
      """
      SELECT source, old_uid, new_uid FROM split_series
      WHERE generation >= ?1 AND generation < ?2 ORDER BY id
      """, first, end)
    var splits: [(source: Int, old: Int, new: Int)] = []
    while try rows.step() { splits.append((rows.integer(0), rows.integer(1), rows.integer(2))) }
    return splits
  }

  /// Whether a source moved to another calendar, or got another colour, after a generation.
  package func hasMovedSources(after generation: Int) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM previous_calendar WHERE generation > ?1", generation) != nil
  }

  /// The calendar that each source had before a generation, by source, for those that moved since.
  package func previousCalendars(from first: Int) throws(StoreError) -> [Int: String] {
    let rows = try connection.statement(
      "SELECT source, name FROM previous_calendar WHERE generation >= ?1 ORDER BY id DESC", first)
    var names: [Int: String] = [:]
    while try rows.step() { names[rows.integer(0)] = rows.text(1) }
    return names
  }

  /// The sources that are new since a generation.
  package func newSources(from first: Int) throws(StoreError) -> Set<Int> {
    Set(
      try connection.integers(
        "SELECT id FROM source WHERE removed IS NULL AND added >= ?1", first))
  }

  /// The sources that a generation changed in any way, in the order of their numbers.
  package func changedSources(by generation: Int) throws(StoreError) -> [Int] {
    try connection.integers(
      """
      SELECT id FROM source WHERE added = ?1 OR removed = ?1
      UNION
      SELECT source FROM previous_calendar WHERE generation = ?1
      UNION
      SELECT document.source FROM revision JOIN document ON document.id = revision.document
      WHERE revision.added = ?1 OR revision.removed = ?1
      UNION
      SELECT source FROM component WHERE removed = ?1
      UNION
      SELECT source FROM component WHERE id >= ?2 AND added = ?1
      UNION
      SELECT source FROM conflict WHERE added = ?1 OR removed = ?1
      """, generation, try firstComponent(from: generation))
  }
}
