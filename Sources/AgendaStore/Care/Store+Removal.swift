package import AgendaCore
package import CivilTime

extension Store {
  /// Takes a calendar out, with all of its sources; answers how many events and tasks went.
  @discardableResult
  package func remove(calendar name: String, run: Int, now: Instant) throws(StoreError) -> Int {
    defer { dropDays() }
    return try connection.writing { () throws(StoreError) in
      let rows = try connection.statement(
        """
        SELECT source.id FROM source JOIN calendar ON calendar.id = source.calendar
        WHERE calendar.name = ?1 AND source.removed IS NULL
        """)
      rows.bind(1, name)
      var sources: [Int] = []
      while try rows.step() { sources.append(rows.integer(0)) }
      guard !sources.isEmpty else { throw .unknown(what: "calendar", name: name) }
      var count = 0
      for source in sources {
        let ids = try integers(
          "SELECT id FROM component WHERE source = ?1 AND removed IS NULL", source)
        let generation = try begin(.removed, of: source, run: run, now: now, removed: ids.count)
        try take(out: ids, generation: generation)
        for edition in try integers(
          """
          SELECT edition.id FROM edition JOIN document ON document.id = edition.document
          WHERE document.source = ?1 AND edition.removed IS NULL
          """, source)
        {
          try remove(edition: edition, generation: generation)
        }
        try self.run("UPDATE source SET removed = ?2 WHERE id = ?1", source, generation)
        try SealedTable.source.reseal(id: source, in: connection, key: key)
        count += ids.count
      }
      return count
    }
  }

  /// Takes an event out, all of its occurrences and overrides with it. Importing its source again
  /// brings it back, as that makes the store equal to the source.
  package func remove(
    event reference: EventReference, run: Int, now: Instant
  ) throws(StoreError) {
    defer { dropDays() }
    try connection.writing { () throws(StoreError) in
      guard let event = try event(component: reference.component) else {
        throw .unknown(what: "event", name: "\(reference.component)")
      }
      let identity = IdentityKey(event, key: key)
      var ids = try integers(
        "SELECT id FROM component WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL",
        event.reference.source, identity.uid)
      let masters = try integers(
        """
        SELECT id FROM component WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL
          AND recurrence_form IS NULL
        """, event.reference.source, identity.uid)
      // Different events to which their source gave one UID.
      if masters.count > 1, masters.contains(reference.component) { ids = [reference.component] }
      let generation = try begin(
        .removed, of: event.reference.source, run: run, now: now, removed: ids.count)
      try take(out: ids, generation: generation)
      try forgetFingerprints(source: event.reference.source)
    }
  }

  /// Begins a generation that no import makes.
  func begin(
    _ action: Generation.Action, of source: Int, run: Int, now: Instant, added: Int = 0,
    updated: Int = 0, removed: Int = 0
  ) throws(StoreError) -> Int {
    let id = try SealedTable.generation.nextID(in: connection)
    let nextComponent = try nextComponent()
    try write(
      Generation(
        id: id, run: run, source: source, moment: now, action: action,
        firstComponent: nextComponent, added: added, updated: updated, removed: removed))
    try update(nextComponent: nextComponent, run: run)
    return id
  }

  func take(out ids: [Int], generation: Int) throws(StoreError) {
    let seal = Seals.removal(generation, key: key)
    for id in ids { try run(StoreSchema.componentRemoval, id, generation, seal) }
  }

  /// Makes the next import of a source read it whole.
  func forgetFingerprints(source: Int) throws(StoreError) {
    try run(
      """
      UPDATE edition SET size = NULL, digest = NULL
      WHERE document IN (SELECT id FROM document WHERE source = ?1) AND removed IS NULL
      """, source)
  }
}
