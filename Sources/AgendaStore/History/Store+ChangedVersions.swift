internal import AgendaCore

/// A component that changed, by its source and what identifies it there. If several sources of the
/// calendar have its UID, `source` is the first of them.
struct ChangeKey: Hashable {
  var source: Int
  var identity: IdentityKey
}

/// A UID within a source.
struct SourceUID: Hashable {
  var source: Int
  var uid: Int
}

/// The rows that commands took out and wrote.
struct ChangedRows {
  var removed: [ChangeKey: [Event]]
  var written: [ChangeKey: [Event]]
}

/// The rows of a UID that several sources of a calendar have. Its versions count together, wherever
/// they are, so that the agenda can change without a change of the row that it shows then.
struct SharedChange {
  let uid: Int
  /// The sources of the calendar, those included that commands have removed.
  let sources: [Int]
  /// The components that are shown before and after.
  let before: [Event]
  let after: [Event]
}

extension Store {
  /// Replaces the rows of UIDs that several sources of a calendar have by the components that are
  /// shown only before, or only after.
  func resolveVersions(
    in rows: inout ChangedRows, of command: StoreCommand
  ) throws(StoreError) -> [SharedChange] {
    let calendars = try calendarsOfSeveralSources(since: command.firstGeneration)
    if calendars.isEmpty { return [] }
    let later = try componentsRemoved(since: command.end)
    var changes: [SharedChange] = []
    for (calendar, sources) in calendars {
      let members = Set(sources)
      let removed = rows.removed.keys(ofSources: members)
      let written = rows.written.keys(ofSources: members)
      let changed = Set([removed, written].flatMap { $0.values.joined().map(SourceUID.init) })
      for uid in try shared(changed, in: sources, later) {
        let gone = (removed[uid] ?? []).flatMap { rows.removed[$0] ?? [] }
        let change = try sharedChange(
          of: uid, in: sources, calendar: calendar, gone: gone, later, command)
        rows.removed.replace(
          removed[uid] ?? [], by: change.before, without: change.after, in: sources, key)
        rows.written.replace(
          written[uid] ?? [], by: change.after, without: change.before, in: sources, key)
        changes.append(change)
      }
    }
    return changes
  }

  /// The calendars with more than one source, those included that were removed since then.
  private func calendarsOfSeveralSources(
    since generation: Int
  ) throws(StoreError) -> [(name: String, sources: [Int])] {
    let rows = try connection.statement(
      """
      SELECT source.id, calendar.name FROM source JOIN calendar ON calendar.id = source.calendar
      WHERE source.removed IS NULL OR source.removed >= ?1 ORDER BY source.id
      """, generation)
    var sources: [String: [Int]] = [:]
    while try rows.step() { sources[rows.text("name"), default: []].append(rows.integer("id")) }
    return sources.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
      .map { (name: $0.key, sources: $0.value) }
  }

  /// The components that were there until later commands took them out.
  private func componentsRemoved(since end: Int) throws(StoreError) -> [SourceUID: [Int]] {
    if end == .max { return [:] }
    let rows = try connection.statement(
      "SELECT id, source, uid_digest FROM component WHERE removed >= ?1", end)
    var found: [SourceUID: [Int]] = [:]
    while try rows.step() {
      let uid = SourceUID(source: rows.integer("source"), uid: rows.integer("uid_digest"))
      found[uid, default: []].append(rows.integer("id"))
    }
    return found
  }

  /// The changed UIDs that another source has, or had.
  private func shared(
    _ changed: Set<SourceUID>, in sources: [Int], _ later: [SourceUID: [Int]]
  ) throws(StoreError) -> [Int] {
    var shared: Set<Int> = []
    var sourceOfUID: [Int: Int] = [:]
    for uid in Array(changed) + later.keys.filter({ sources.contains($0.source) }) {
      if let other = sourceOfUID.updateValue(uid.source, forKey: uid.uid), other != uid.source {
        shared.insert(uid.uid)
      }
    }
    shared.formIntersection(changed.map(\.uid))
    var live = try SourcesOfUIDs(of: sources, in: self)
    for uid in changed where !shared.contains(uid.uid) {
      if try live.isElsewhere(uid.uid, than: uid.source, in: self) { shared.insert(uid.uid) }
    }
    return shared.sorted()
  }

  private func sharedChange(
    of uid: Int, in sources: [Int], calendar: String, gone: [Event],
    _ later: [SourceUID: [Int]], _ command: StoreCommand
  ) throws(StoreError) -> SharedChange {
    let (start, end) = (
      try firstComponent(of: command.firstGeneration), try firstComponent(of: command.end)
    )
    var present: [Event] = []
    try read(uid, of: sources, replacing: .min ... .max, calendar: calendar, into: &present)
    for source in sources {
      for id in later[SourceUID(source: source, uid: uid)] ?? [] {
        if let event = try event(component: id) { present.append(event) }
      }
    }
    func visible(_ events: [Event]) throws(StoreError) -> [Event] {
      try versions(of: events.sorted { $0.reference.component < $1.reference.component }).visible
    }
    return SharedChange(
      uid: uid, sources: sources,
      before: try visible(gone + present.filter { $0.reference.component < start }),
      after: try visible(present.filter { $0.reference.component < end }))
  }

  /// The id of the first component that a generation could write.
  func firstComponent(of generation: Int) throws(StoreError) -> Int {
    try connection.integer(
      "SELECT first_component FROM generation WHERE id = ?1", generation) ?? .max
  }
}

extension SourceUID {
  fileprivate init(_ key: ChangeKey) {
    self.init(source: key.source, uid: key.identity.uid)
  }
}

extension [ChangeKey: [Event]] {
  /// The keys of some sources, by UID.
  fileprivate func keys(ofSources sources: Set<Int>) -> [Int: [ChangeKey]] {
    [Int: [ChangeKey]](
      grouping: keys.filter { sources.contains($0.source) }, by: \.identity.uid)
  }

  fileprivate mutating func replace(
    _ keys: [ChangeKey], by events: [Event], without others: [Event], in sources: [Int],
    _ key: StoreKey
  ) {
    for key in keys { self[key] = nil }
    let others = [EventReference: Event](
      others.map { ($0.reference, $0) }, uniquingKeysWith: { $1 })
    // An override that loses its series becomes an event, with its rule.
    for event in events {
      if let other = others[event.reference],
        (other.recurrence == nil) == (event.recurrence == nil)
      {
        continue
      }
      let identity = IdentityKey(event, key: key).ofOccurrence
      self[ChangeKey(source: sources.first ?? 0, identity: identity), default: []].append(event)
    }
  }
}
