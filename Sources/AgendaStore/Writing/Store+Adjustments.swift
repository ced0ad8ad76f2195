package import AgendaCore
package import CivilTime

/// A change by the user to an event whose source agenda cannot write.
package struct Adjustment: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Occurrences that are hidden.
    case hidden(SeriesScope)
    /// The answer to an invitation: PARTSTAT in capitals. `sequence` is the SEQUENCE of the version
    /// that was answered; `nil` if the store does not know it.
    case answered(address: String, participation: String, comment: String?, sequence: Int?)
  }

  package var kind: Event.Kind
  package var uid: String
  /// The event, if its source uses the UID for several; `nil` for all events with the UID.
  package var event: AdjustedEvent?
  /// The occurrence that was changed: a date, or a time; a time in a zone is written in UTC.
  package var recurrence: String?
  package var change: Change

  package init(
    kind: Event.Kind, uid: String, event: AdjustedEvent? = nil, recurrence: String?,
    change: Change
  ) {
    self.kind = kind
    self.uid = uid
    self.event = event
    self.recurrence = recurrence
    self.change = change
  }
}

/// One of several events with the same UID. It is found again by its content. If that has changed, it
/// is the only one with this start and title.
package struct AdjustedEvent: Hashable, Sendable {
  /// The digest of its content; see `ComponentContent`.
  package var content: UInt64
  /// Like `Adjustment.recurrence`; empty if it has none.
  package var start: String
  package var title: String

  package init(content: UInt64, start: String, title: String) {
    self.content = content
    self.start = start
    self.title = title
  }
}

extension Adjustment {
  /// Separates the parts of `storedUID`. The reader removes control characters from texts.
  private static let separator: Character = "\u{1F}"

  /// The column `uid`: the UID, and then the content, start and title of the event, if there are any.
  fileprivate var storedUID: String {
    guard let event else { return uid }
    return [uid, String(event.content, radix: 16), event.start, event.title]
      .joined(separator: String(Self.separator))
  }

  fileprivate static func parts(ofUID stored: String) -> (uid: String, event: AdjustedEvent?) {
    let parts = stored.split(
      separator: separator, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let content = UInt64(parts[1], radix: 16) else {
      return (stored, nil)
    }
    return (
      String(parts[0]),
      AdjustedEvent(content: content, start: String(parts[2]), title: String(parts[3]))
    )
  }
}

extension Store {
  /// The adjustments of a source, in the order in which they were made.
  package func adjustments(location: String) throws(StoreError) -> [Adjustment] {
    let rows = try connection.statement(
      """
      SELECT adjustment.kind, uid, scope, recurrence, address, participation, comment,
        sequence
      FROM adjustment JOIN source ON source.id = adjustment.source
      LEFT JOIN answered_sequence ON answered_sequence.id = adjustment.id
      WHERE source.location = ?1 AND source.removed IS NULL ORDER BY adjustment.id
      """, location)
    var found: [Adjustment] = []
    while try rows.step() {
      let change: Adjustment.Change
      if let address = rows.optionalText("address") {
        change = .answered(
          address: address, participation: rows.text("participation"),
          comment: rows.optionalText("comment"), sequence: rows.optionalInteger("sequence"))
      } else {
        change = .hidden(rows.optionalText("scope").flatMap(SeriesScope.init) ?? .all)
      }
      let kinds = StoredEnum.kinds
      let kind = rows.integer("kind")
      let (uid, event) = Adjustment.parts(ofUID: rows.text("uid"))
      found.append(
        Adjustment(
          kind: kinds.indices.contains(kind) ? kinds[kind] : .event, uid: uid, event: event,
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
      row.add("uid", adjustment.storedUID)
      var scope: String?
      var answer: (address: String, participation: String, comment: String?, sequence: Int?)?
      switch adjustment.change {
      case .hidden(let hidden): scope = hidden.rawValue
      case .answered(let address, let participation, let comment, let sequence):
        answer = (address, participation, comment, sequence)
      }
      row.add("scope", scope)
      row.add("recurrence", adjustment.recurrence)
      row.add("address", answer?.address)
      row.add("participation", answer?.participation)
      row.add("comment", answer?.comment)
      let id = try connection.nextID(in: Schema.adjustment)
      try connection.insert(row, id: id, into: Schema.adjustment)
      if let sequence = answer?.sequence {
        var version = Row(columns: 1, key: key)
        version.add("sequence", sequence)
        try connection.insert(version, id: id, into: Schema.answeredSequence)
      }
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
