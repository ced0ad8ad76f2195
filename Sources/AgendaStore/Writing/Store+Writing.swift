package import AgendaCore
package import CivilTime

extension Store {
  /// The user's own calendar, which has no source outside the store.
  package static let localCalendar = "local"
  package static let localLocation = "local:"

  /// Makes the store equal to documents that agenda itself changes, as one command. `writingFiles`
  /// writes the files as the last step before the commit. If it fails, the store stays as it was.
  package func write(
    _ changes: [WrittenChange], action: WrittenAction, run: Int, now: Instant,
    writingFiles: () throws -> Void = {}
  ) throws {
    try connection.writing(alsoFiles: writingFiles) { () throws(StoreError) in
      var sources: [Int] = []
      try forgetPendingFiles()
      for change in changes {
        sources.append(try write(change, action: action.stored, run: run, now: now))
      }
      try finishChange(of: sources)
      try applyMessages(to: sources, run: run, now: now)
      try prune(now: now)
    }
  }

  /// Reads documents again that another program has changed, as an import of its own. The undo of a
  /// later change then keeps what the other program wrote.
  package func read(_ change: WrittenChange, now: Instant) throws {
    try connection.writing { () throws(StoreError) in
      let run = try nextRun()
      let source = try write(change, action: .imported, run: run, now: now)
      try finishChange(of: [source])
      try applyMessages(to: [source], run: run, now: now)
    }
  }

  /// Whether a document has other events than these, apart from the one with this UID.
  package func differs(
    _ name: String, location: String, from components: [(record: ComponentRecord, line: Int)],
    except uid: String, _ kind: Event.Kind
  ) throws(StoreError) -> Bool {
    guard let source = try sourceRow(location: location)?.id,
      let revision = try revision(source: source, document: name)
    else { return false }
    let own = IdentityKey.uidDigest(of: uid, kind, key: key)
    var known: [Int: Set<Int?>] = [:]
    let rows = try connection.statement(
      """
      SELECT uid_digest, digest FROM component WHERE source = ?1 AND document = ?2
        AND removed IS NULL AND id NOT IN (SELECT id FROM message_override)
      """, source, revision.document)
    while try rows.step() {
      known[rows.integer("uid_digest"), default: []].insert(rows.optionalInteger("digest"))
    }
    var present: Set<Int> = [own]
    for (record, _) in components where record.identity.uid != own {
      let uid = record.identity.uid
      present.insert(uid)
      if let digests = known[uid] {
        // The store lacks the digests of components of which it knows several versions.
        if !digests.contains(nil), revision.superseded == 0,
          !digests.contains(record.digest.value)
        {
          return true
        }
      } else if revision.superseded == 0 {
        return true
      } else {
        // Another document can have a newer version.
        let isElsewhere = try connection.integer(
          "SELECT 1 FROM component WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL",
          source, uid)
        if isElsewhere == nil { return true }
      }
    }
    return !present.isSuperset(of: known.keys)
  }

  /// Returns the source.
  private func write(
    _ change: WrittenChange, action: Generation.Action, run: Int, now: Instant
  ) throws(StoreError) -> Int {
    let found = try sourceRow(location: change.location)
    guard found != nil || change.location == Self.localLocation else {
      throw .unknown(what: "source", name: change.location)
    }
    let nextSource = try connection.nextID(in: Schema.source)
    let source = found?.id ?? nextSource
    let generation = try connection.nextID(in: Schema.generation)
    if found == nil { try createLocalCalendar(source: source, generation, now: now) }
    let writer = try ComponentWriter(
      connection, source: source, generation: generation, nextID: try nextComponent())
    let first = writer.nextID
    var counts = (added: 0, updated: 0, removed: 0)
    for document in change.documents {
      let one = try write(document, source: source, generation: generation, by: writer)
      counts.added += one.added
      counts.updated += one.updated
      counts.removed += one.removed
    }
    for file in change.files { try write(file, generation: generation) }
    try write(
      Generation(
        id: generation, run: run, source: source, moment: now, action: action,
        firstComponent: first, added: counts.added, updated: counts.updated,
        removed: counts.removed))
    try update(nextComponent: writer.nextID, run: run)
    return source
  }

  private func createLocalCalendar(
    source: Int, _ generation: Int, now: Instant
  ) throws(StoreError) {
    try write(
      source: ImportedSource(
        kind: .local, location: Self.localLocation, calendar: Self.localCalendar,
        hasExplicitName: true),
      id: source, isNew: true, calendar: try calendar(named: Self.localCalendar, color: nil),
      generation: generation, now: now)
    try write(
      revision: ImportedDocument(components: 0), superseded: 0,
      document: try document(source: source, name: ""), previous: nil, generation: generation,
      isChange: true)
  }

  private func write(
    _ document: WrittenChange.Document, source: Int, generation: Int, by writer: ComponentWriter
  ) throws(StoreError) -> (added: Int, updated: Int, removed: Int) {
    let previous = try revision(source: source, document: document.name)
    let id = try self.document(source: source, name: document.name)
    var old: [Int: [Int]] = [:]
    let digests = document.uids.map { uids in
      Set(
        uids.flatMap { uid in
          Event.Kind.allCases.map { IdentityKey.uidDigest(of: uid, $0, key: key) }
        })
    }
    let rows = try connection.statement(
      """
      SELECT id, digest, uid_digest FROM component
      WHERE source = ?1 AND document = ?2 AND removed IS NULL
        AND id NOT IN (SELECT id FROM message_override)
      ORDER BY id DESC
      """, source, id)
    while try rows.step() {
      if let digests, !digests.contains(rows.integer("uid_digest")) { continue }
      old[rows.optionalInteger("digest") ?? 0, default: []].append(rows.integer("id"))
    }
    var lines: [LineNumbers.Entry] = []
    var new: [IdentityKey] = []
    for (record, line) in document.components {
      if let same = old[record.digest.value]?.last,
        try content(component: same) == record.content
      {
        old[record.digest.value]?.removeLast()
        lines.append((same, line))
      } else {
        lines.append((try writer.write(record, document: id), line))
        new.append(record.identity)
      }
    }
    let gone = old.values.flatMap { $0 }
    var removed = 0
    for id in gone {
      guard let event = try event(component: id) else { continue }
      let identity = IdentityKey(event, key: key)
      if !new.contains(where: { $0.isSameOccurrence(as: identity) }) { removed += 1 }
    }
    try take(out: gone, generation: generation)
    if document.isRemoved {
      if let previous { try remove(revisions: [previous.id], generation: generation) }
    } else if let content = document.content {
      try write(
        revision: content, superseded: 0, lines: lines.sorted { $0.component < $1.component },
        document: id, previous: previous?.id, generation: generation, isChange: true)
    }
    let updated = gone.count - removed
    return (new.count - updated, updated, removed)
  }

  func write(_ file: WrittenFile, generation: Int) throws(StoreError) {
    var row = Row(
      columns: 5, bytes: (file.previous?.count ?? 0) + (file.written?.count ?? 0), key: key)
    row.add("generation", generation)
    row.add("folder", file.folder)
    row.add("name", file.name)
    row.add("previous", blob: file.previous)
    row.add("written", blob: file.written)
    let id = try connection.nextID(in: Schema.writtenFile)
    try connection.insert(row, id: id, into: Schema.writtenFile)
    guard let permissions = file.permissions else { return }
    var modes = Row(columns: 1, key: key)
    modes.add("permissions", Int(permissions))
    try connection.insert(modes, id: id, into: Schema.filePermissions)
  }

  /// The files that a command wrote, in the order of writing.
  package func writtenFiles(run: Int) throws(StoreError) -> [WrittenFile] {
    try writtenFiles(where: "generation IN (SELECT id FROM generation WHERE run = ?1)", run)
  }

  func writtenFiles(where condition: String, _ value: Int) throws(StoreError) -> [WrittenFile] {
    let rows = try connection.statement(
      """
      SELECT folder, name, previous, written, permissions
      FROM written_file LEFT JOIN file_permissions ON file_permissions.id = written_file.id
      WHERE \(condition) ORDER BY written_file.id
      """, value)
    var files: [WrittenFile] = []
    while try rows.step() {
      files.append(
        WrittenFile(
          folder: rows.text("folder"), name: rows.text("name"),
          previous: rows.optionalBytes("previous"), written: rows.optionalBytes("written"),
          permissions: rows.optionalInteger("permissions").map { UInt32(clamping: $0) }))
    }
    return files
  }

  /// Whether a source has this event at present.
  package func has(uid: String, _ kind: Event.Kind, location: String) throws(StoreError) -> Bool {
    guard let source = try sourceRow(location: location) else { return false }
    return try connection.integer(
      "SELECT 1 FROM component WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL LIMIT 1",
      source.id, IdentityKey.uidDigest(of: uid, kind, key: key)) != nil
  }

  /// The present components with the same UID and kind, from the same document or from all
  /// documents of its source, in the order in which they were written.
  package func siblings(
    of reference: EventReference, inAllDocuments: Bool = false
  ) throws(StoreError) -> [SiblingComponent] {
    try connection.reading { () throws(StoreError) in
      let ids = try connection.integers(
        """
        SELECT other.id FROM component JOIN component AS other
          ON other.source = component.source AND other.uid_digest = component.uid_digest
          AND (other.document = component.document OR ?2) AND other.removed IS NULL
          AND other.id NOT IN (SELECT id FROM message_override)
        WHERE component.id = ?1 ORDER BY other.id
        """, reference.component, inAllDocuments ? 1 : 0)
      var found: [SiblingComponent] = []
      for id in ids {
        if let sibling = try sibling(id) { found.append(sibling) }
      }
      return found
    }
  }

  /// The present components with the same UID and kind from the other sources of the calendar, with
  /// the locations of these sources.
  package func siblingsInOtherSources(
    of reference: EventReference
  ) throws(StoreError) -> [(component: SiblingComponent, location: String)] {
    try connection.reading { () throws(StoreError) in
      let rows = try connection.statement(
        """
        SELECT other.id, source.location FROM component
        JOIN source AS own ON own.id = component.source
        JOIN source ON source.calendar = own.calendar AND source.id <> own.id
          AND source.removed IS NULL
        JOIN component AS other ON other.source = source.id
          AND other.uid_digest = component.uid_digest AND other.removed IS NULL
        WHERE component.id = ?1 ORDER BY other.id
        """, reference.component)
      var ids: [(id: Int, location: String)] = []
      while try rows.step() { ids.append((rows.integer("id"), rows.text("location"))) }
      var found: [(component: SiblingComponent, location: String)] = []
      for (id, location) in ids {
        if let sibling = try sibling(id) { found.append((sibling, location)) }
      }
      return found
    }
  }

  /// The overrides that messages made for the series of a component, and that its source lacks.
  package func overridesFromMessages(
    of reference: EventReference
  ) throws(StoreError) -> [SiblingComponent] {
    try connection.reading { () throws(StoreError) in
      let ids = try connection.integers(
        """
        SELECT other.id FROM component JOIN component AS other
          ON other.source = component.source AND other.uid_digest = component.uid_digest
          AND other.document = component.document AND other.removed IS NULL
          AND other.id IN (SELECT id FROM message_override)
        WHERE component.id = ?1 ORDER BY other.id
        """, reference.component)
      var found: [SiblingComponent] = []
      for id in ids {
        if let sibling = try sibling(id) { found.append(sibling) }
      }
      return found
    }
  }

  private func sibling(_ id: Int) throws(StoreError) -> SiblingComponent? {
    guard let event = try event(component: id), let text = try text(of: event.reference) else {
      return nil
    }
    let digest = try connection.integer("SELECT digest FROM component WHERE id = ?1", id)
    return SiblingComponent(event: event, text: text, sourceDigest: digest)
  }
}

/// The kind of such a change in the history.
package enum WrittenAction: Hashable, Sendable {
  case added, edited, removed

  package init(_ pending: PendingFiles.Action) {
    switch pending {
    case .added: self = .added
    case .edited, .undone: self = .edited
    case .removed: self = .removed
    }
  }

  package var pending: PendingFiles.Action {
    switch self {
    case .added: .added
    case .edited: .edited
    case .removed: .removed
    }
  }

  var stored: Generation.Action {
    switch self {
    case .added: .added
    case .edited: .edited
    case .removed: .removed
    }
  }
}
