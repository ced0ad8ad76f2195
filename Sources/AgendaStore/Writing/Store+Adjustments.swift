package import AgendaCore
package import CivilTime

/// A change by the user to an event whose source agenda cannot write.
package struct Adjustment: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Occurrences that are hidden.
    case hidden(SeriesScope)
    /// The answer to an invitation: PARTSTAT in capitals.
    case answered(address: String, participation: String, comment: String?)
  }

  package var kind: Event.Kind
  package var uid: String
  /// The occurrence that was changed: a date, or a time; a time in a zone is written in UTC.
  package var recurrence: String?
  package var change: Change

  package init(kind: Event.Kind, uid: String, recurrence: String?, change: Change) {
    self.kind = kind
    self.uid = uid
    self.recurrence = recurrence
    self.change = change
  }
}

extension Store {
  /// The adjustments of a source, in the order in which they were made.
  package func adjustments(location: String) throws(StoreError) -> [Adjustment] {
    let rows = try connection.statement(
      """
      SELECT adjustment.kind, uid, scope, recurrence, address, participation, comment
      FROM adjustment JOIN source ON source.id = adjustment.source
      WHERE source.location = ?1 AND source.removed IS NULL ORDER BY adjustment.id
      """, location)
    var found: [Adjustment] = []
    while try rows.step() {
      let change: Adjustment.Change
      if let address = rows.optionalText("address") {
        change = .answered(
          address: address, participation: rows.text("participation"),
          comment: rows.optionalText("comment"))
      } else {
        change = .hidden(rows.optionalText("scope").flatMap(SeriesScope.init) ?? .all)
      }
      let kinds = StoredEnum.kinds
      let kind = rows.integer("kind")
      found.append(
        Adjustment(
          kind: kinds.indices.contains(kind) ? kinds[kind] : .event, uid: rows.text("uid"),
          recurrence: rows.optionalText("recurrence"), change: change))
    }
    return found
  }

  /// Stores an adjustment, and applies it to the present components: `components` replace those of
  /// the event's document with its UID.
  package func adjust(
    _ adjustment: Adjustment, _ components: [ComponentRecord], of reference: EventReference,
    run: Int, now: Instant
  ) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      guard let event = try event(component: reference.component),
        let document = try connection.integer(
          "SELECT document FROM component WHERE id = ?1", reference.component)
      else { throw .unknown(what: "event", name: adjustment.uid) }
      let source = event.reference.source
      let old = try connection.integers(
        """
        SELECT id FROM component
        WHERE source = ?1 AND document = ?2 AND uid_digest = ?3 AND removed IS NULL
          AND id NOT IN (SELECT id FROM message_override)
        """, source, document, IdentityKey(event, key: key).uid)
      let generation = try connection.nextID(in: Schema.generation)
      let writer = try ComponentWriter(
        connection, source: source, generation: generation, nextID: try nextComponent())
      let first = writer.nextID
      try take(out: old, generation: generation)
      for component in components { _ = try writer.write(component, document: document) }
      var row = Row(columns: 9, key: key)
      row.add("generation", generation)
      row.add("source", source)
      row.add("kind", StoredEnum.number(of: adjustment.kind, in: StoredEnum.kinds))
      row.add("uid", adjustment.uid)
      var scope: String?
      var answer: (address: String, participation: String, comment: String?)?
      switch adjustment.change {
      case .hidden(let hidden): scope = hidden.rawValue
      case .answered(let address, let participation, let comment):
        answer = (address, participation, comment)
      }
      row.add("scope", scope)
      row.add("recurrence", adjustment.recurrence)
      row.add("address", answer?.address)
      row.add("participation", answer?.participation)
      row.add("comment", answer?.comment)
      try connection.insert(
        row, id: try connection.nextID(in: Schema.adjustment), into: Schema.adjustment)
      try write(
        Generation(
          id: generation, run: run, source: source, moment: now,
          action: components.isEmpty ? .removed : .edited, firstComponent: first,
          updated: components.count, removed: max(0, old.count - components.count)))
      try update(nextComponent: writer.nextID, run: run)
      try finishChange(of: [source])
      try applyMessages(to: [source], run: run, now: now)
    }
  }
}
