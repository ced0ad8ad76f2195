package import AgendaCore

extension Store {
  /// The lists of different events with one UID, of which at least one is in this source and one in
  /// another source of its calendar.
  package func eventsSharingUIDs(withSource location: String) throws(StoreError) -> [[Event]] {
    try connection.reading { () throws(StoreError) in
      guard let source = try sourceRow(location: location) else { return [] }
      let others = try connection.integers(
        "SELECT id FROM source WHERE calendar = ?1 AND removed IS NULL AND id <> ?2",
        source.calendar, source.id)
      var uids: Set<Int> = []
      for other in others {
        uids.formUnion(
          try connection.integers(
            """
            SELECT DISTINCT own.uid_digest FROM component AS own
            JOIN component AS other ON other.source = ?2 AND other.uid_digest = own.uid_digest
              AND other.removed IS NULL
            WHERE own.source = ?1 AND own.removed IS NULL
            """, source.id, other))
      }
      var found: [[Event]] = []
      for uid in uids.sorted() {
        let events = try currentMasters(uid: uid, of: [source.id] + others)
        let sources = Set(events.map(\.reference.source))
        if sources.count > 1, sources.contains(source.id) { found.append(events) }
      }
      return found
    }
  }

  private func currentMasters(uid: Int, of sources: [Int]) throws(StoreError) -> [Event] {
    var masters: [Event] = []
    for source in sources {
      let ids = try connection.integers(
        """
        SELECT id FROM component
        WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL ORDER BY id
        """, source, uid)
      for id in ids {
        guard let event = try event(component: id), event.identity.recurrenceID == nil
        else { continue }
        masters.append(event)
      }
    }
    let outdated = Set(
      try ComponentVersions.supersededMasters(
        masters.map { event in
          ComponentVersions.Candidate(
            place: event.start, version: event.version, source: event.reference.source,
            order: event.reference.component)
        }
      ) { index throws(StoreError) in try contentDigest(of: masters[index].reference) })
    return masters.indices.filter { !outdated.contains($0) }.map { masters[$0] }
  }
}
