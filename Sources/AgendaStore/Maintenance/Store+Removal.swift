internal import AgendaCore
package import CivilTime

extension Store {
  /// Removes a calendar with all of its sources. Returns the number of their events and tasks.
  @discardableResult
  package func remove(calendar name: String, run: Int, now: Instant) throws(StoreError) -> Int {
    try connection.writing { () throws(StoreError) in
      let sources = try connection.integers(
        """
        SELECT source.id FROM source JOIN calendar ON calendar.id = source.calendar
        WHERE calendar.name = ?1 AND source.removed IS NULL
        """, name)
      guard !sources.isEmpty else { throw .unknown(what: "calendar", name: name) }
      return try remove(sources: sources, run: run, now: now)
    }
  }

  /// Removes sources by their locations. Returns the number of their events and tasks. If another
  /// source of the calendar has the same events, its versions are shown from then on.
  package func remove(
    sources locations: [String], run: Int, now: Instant
  ) throws(StoreError) -> Int {
    try connection.writing { () throws(StoreError) in
      var sources: [Int] = []
      for location in locations {
        guard let source = try sourceRow(location: location) else {
          throw .unknown(what: "source", name: location)
        }
        sources.append(source.id)
      }
      return try remove(sources: sources, run: run, now: now)
    }
  }

  private func remove(sources: [Int], run: Int, now: Instant) throws(StoreError) -> Int {
    var count = 0
    for source in sources {
      let ids = try connection.integers(
        "SELECT id FROM component WHERE source = ?1 AND removed IS NULL", source)
      let generation = try begin(.removed, of: source, run: run, now: now, removed: ids.count)
      try take(out: ids, generation: generation)
      try remove(revisions: try liveRevisions(source: source), generation: generation)
      try connection.update(Schema.source, set: ["removed": generation], where: "id = ?", source)
      count += ids.count
    }
    try finishChange(of: sources)
    try applyMessages(to: sources, run: run, now: now)
    return count
  }

  /// Begins a generation that is not an import.
  func begin(
    _ action: Generation.Action, of source: Int, run: Int, now: Instant, added: Int = 0,
    updated: Int = 0, removed: Int = 0
  ) throws(StoreError) -> Int {
    let id = try connection.nextID(in: Schema.generation)
    let nextComponent = try nextComponent()
    try write(
      Generation(
        id: id, run: run, source: source, moment: now, action: action,
        firstComponent: nextComponent, added: added, updated: updated, removed: removed))
    try update(nextComponent: nextComponent, run: run)
    return id
  }

  /// Marks components as removed by a generation.
  func take(out ids: some Sequence<Int>, generation: Int) throws(StoreError) {
    let removal = try connection.statement(
      Schema.component.update(set: ["removed"], where: "id = ?2"))
    for id in ids {
      removal.reset()
      removal.bind(1, generation)
      removal.bind(2, id)
      try removal.run()
    }
  }
}
