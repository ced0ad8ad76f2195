package import CivilTime

/// One transaction that changes the store: the import of a source, or an edit. All changes of a command
/// belong to one generation, although each source has a transaction of its own.
///
/// Whatever ends it before `commit` has returned leaves the store as it was.
package final class StoreChange {
  package let store: Store
  private let connection: Connection
  private let command: StoreCommand
  private let isFirstOfStore: Bool
  private var isFinished = false
  private var nextID: Int
  private let insertion: Statement
  private var contextIDs: [StoredContext: Int] = [:]
  /// The last ones, newest first.
  private var recentContexts: [(context: StoredContext, id: Int)] = []
  private var isChanged = false

  /// Begins it. It locks the store for writing.
  package init(_ store: Store, _ command: StoreCommand) throws(StoreError) {
    self.store = store
    self.command = command
    connection = store.connection
    try connection.begin()
    do throws(StoreError) {
      isFirstOfStore = try !store.hasComponents()
      nextID = try connection.nextID(in: Schema.component)
      insertion = try connection.statement(Schema.component.insertion)
      try connection.limit(to: isFirstOfStore ? .firstImport : .changing)
      if isFirstOfStore {
        // An index that is built at the end takes a third of the time, and a second thread can
        // sort.
        for index in Schema.importIndexes { try connection.run("DROP INDEX \(index)") }
        try connection.run("PRAGMA threads = 1")
      }
    } catch {
      connection.rollBack()
      throw error
    }
  }

  deinit { cancel() }

  /// Ends it and leaves the store unchanged.
  package func cancel() {
    if !isFinished { connection.rollBack() }
    isFinished = true
  }

  /// Whether the store has no component yet.
  package var isEmptyStore: Bool { isFirstOfStore }

  package var key: StoreKey { store.key }

  /// The generation of the command. It is written when it is first asked for.
  package func generation() throws(StoreError) -> Int {
    isChanged = true
    if let known = command.generation { return known }
    var row = Row(columns: 3, key: key)
    row.add("moment", command.moment.secondsSinceEpoch)
    row.add("command", command.name)
    row.add("first_component", nextID)
    let generation = try connection.insert(row, into: Schema.generation)
    command.generation = generation
    command.isWritten = false
    try store.forgetUndone()
    return generation
  }

  /// Commits everything. `files` runs when only the commit is left; if it fails, nothing is written.
  package func commit(files: () throws -> Void = {}) throws {
    do {
      try makeIndexes()
      if isChanged { try store.prune() }
      try connection.commit(alsoFiles: files)
      command.isWritten = command.generation != nil
      isFinished = true
      if isFirstOfStore { connection.useWriteAheadLog() }
    } catch {
      connection.rollBack()
      if !command.isWritten { command.generation = nil }
      isFinished = true
      throw error
    }
  }

  /// Builds the indexes that a first import has left out, so that queries are fast again.
  package func makeIndexes() throws(StoreError) {
    guard isFirstOfStore,
      try connection.integer(
        "SELECT 1 FROM sqlite_schema WHERE name = ?1", Schema.importIndexes[0]) == nil
    else { return }
    // With little memory, SQLite would sort in temporary files.
    try connection.limit(to: .changing)
    for statement in Migrations.steps.joined()
    where Schema.importIndexes.contains(where: { statement.hasPrefix("CREATE INDEX \($0)") }) {
      try connection.run(statement)
    }
  }
}

/// The command that a change belongs to. `undo` takes back everything that one command did.
package final class StoreCommand {
  package let name: String
  package let moment: Instant
  package fileprivate(set) var generation: Int?
  /// Whether a committed transaction has the generation.
  fileprivate var isWritten = false

  /// `name` is that of the command for people: `import`, `edit`.
  package init(_ name: String, at moment: Instant) {
    self.name = name
    self.moment = moment
  }

  /// Forgets a generation that no transaction has committed: the one of a dry run.
  package func forgetGeneration() {
    if !isWritten { generation = nil }
  }
}

// MARK: Sources and documents

extension StoreChange {
  /// Writes a source and returns its number. Its calendar is created if it is missing; the previous
  /// calendar is remembered for `undo`. What is now of another kind is another source: a file can become
  /// a folder, and the address of a file can be that of a calendar on a server.
  package func write(_ source: ImportedSource) throws(StoreError) -> Int {
    var old = try store.source(at: source.location)
    if let other = old, other.source.kind != source.kind {
      try remove(source: other.id)
      old = nil
    }
    if let old { try notePreviousCalendar(of: old, before: source) }
    let isKnown = try store.hasCalendar(named: source.calendar)
    let color = try store.color(ofCalendar: source.calendar)
    let calendar =
      source.calendar.isEmpty
      ? nil : try store.calendar(named: source.calendar, color: source.color)
    let moment = command.moment.secondsSinceEpoch
    guard let old else {
      var row = Row(columns: 11, key: key)
      row.add("calendar", calendar)
      row.add("kind", source.kind.rawValue)
      row.add("location", source.location)
      row.add("encoding", source.encoding)
      row.add("has_explicit_name", source.hasExplicitName ? 1 : 0)
      row.add("added", try generation())
      row.add("removed", Int?.none)
      row.add("last_import", moment)
      row.add("last_error", String?.none)
      row.add("counted_after", Int?.none)
      row.add("superseded", Int?.none)
      let id = try connection.insert(row, into: Schema.source)
      if isKnown, source.color != nil, source.color != color {
        // `undo` gives the calendar its colour back.
        try notePreviousCalendar(
          of: id, ImportedSource(kind: source.kind, location: "", calendar: source.calendar),
          color: color, nextColor: color)
      }
      return id
    }
    try connection.update(
      Schema.source,
      set: [
        "calendar": calendar, "encoding": source.encoding,
        "has_explicit_name": source.hasExplicitName ? 1 : 0, "last_import": moment,
        "last_error": nil,
      ], where: "id = ?", old.id)
    if old.source.calendar != source.calendar {
      let previous = try connection.integer(
        "SELECT id FROM calendar WHERE name = ?1", old.source.calendar)
      if let previous { try store.removeCalendarIfEmpty(previous) }
    }
    return old.id
  }

  /// Gives a known source another calendar; its other columns stay.
  package func rename(_ source: ImportedSource) throws(StoreError) {
    guard let old = try store.source(at: source.location) else { return }
    try notePreviousCalendar(of: old, before: source)
    let calendar = try store.calendar(named: source.calendar, color: source.color)
    try connection.update(
      Schema.source,
      set: ["calendar": calendar, "has_explicit_name": source.hasExplicitName ? 1 : 0],
      where: "id = ?", old.id)
    let previous = try connection.integer(
      "SELECT id FROM calendar WHERE name = ?1", old.source.calendar)
    if let previous { try store.removeCalendarIfEmpty(previous) }
  }

  /// Keeps the number of a source's components that others replace, until the next change of the store.
  /// To count them again, an import without changes would have to read them all.
  package func note(superseded: Int, ofSource source: Int) throws(StoreError) {
    let last = try connection.integer("SELECT max(id) FROM generation")
    try connection.update(
      Schema.source, set: ["counted_after": last, "superseded": superseded], where: "id = ?", source
    )
  }

  /// Forgets these numbers of other sources, for a command that imports several.
  package func forgetSupersededCounts(ofSources sources: Set<Int>) throws(StoreError) {
    for source in sources.sorted() {
      try connection.update(
        Schema.source, set: ["counted_after": Int?.none], where: "id = ?", source)
    }
  }

  /// Records the calendar that a source had, for `undo` and `changes`, if the new state differs.
  private func notePreviousCalendar(
    of old: StoredSource, before new: ImportedSource
  ) throws(StoreError) {
    let color = try store.color(ofCalendar: new.calendar)
    guard
      old.source.calendar != new.calendar || new.color != nil && new.color != color
        || old.source.hasExplicitName != new.hasExplicitName
    else { return }
    try notePreviousCalendar(of: old.id, old.source, color: old.source.color, nextColor: color)
  }

  private func notePreviousCalendar(
    of source: Int, _ previous: ImportedSource, color: String?, nextColor: String?
  ) throws(StoreError) {
    var row = Row(columns: 6, key: key)
    row.add("generation", try generation())
    row.add("source", source)
    row.add("name", previous.calendar)
    row.add("color", color)
    row.add("has_explicit_name", previous.hasExplicitName ? 1 : 0)
    row.add("next_color", nextColor)
    try connection.insert(row, into: Schema.previousCalendar)
  }

  /// Creates a calendar that only some VCALENDARs of a source belong to, or sets its colour.
  package func write(calendar name: String, color: String?) throws(StoreError) {
    _ = try store.calendar(named: name, color: color)
  }

  package func write(_ subscription: SubscriptionRow, source: Int) throws(StoreError) {
    try store.write(subscription, source: source)
  }

  package func write(_ folder: RootFolder) throws(StoreError) {
    let known = try store.rootFolders().first {
      $0.root == folder.root && $0.folder == folder.folder
    }
    if known == folder { return }
    try store.write(folder, generation: known == nil ? try generation() : 0)
  }

  /// The number of a document of a source, created if it is missing.
  package func document(source: Int, name: String) throws(StoreError) -> Int {
    let known = try connection.integer(
      "SELECT id FROM document WHERE source = ?1 AND name = ?2", source, name)
    if let known { return known }
    var row = Row(columns: 2, key: key)
    row.add("source", source)
    row.add("name", name)
    return try connection.insert(row, into: Schema.document)
  }

  /// The number of a context, created if it is missing.
  package func context(_ context: StoredContext) throws(StoreError) -> Int {
    // The files of a folder mostly have the two contexts of the file before them: outside of any
    // VCALENDAR, and within theirs. To compare two texts is cheaper than to hash one.
    if let known = recentContexts.first(where: { $0.context == context }) { return known.id }
    let id = try id(of: context)
    recentContexts = [(context, id)] + recentContexts.prefix(1)
    return id
  }

  private func id(of context: StoredContext) throws(StoreError) -> Int {
    if let known = contextIDs[context] { return known }
    var digest = ContentDigest(key: key.number)
    digest.add(context.calendarName ?? "")
    digest.add(context.calendarName == nil ? 0 : 1)
    digest.add(context.isCalendar ? 1 : 0)
    digest.add(context.text)
    let id: Int
    if let known = try connection.integer(
      "SELECT id FROM context WHERE digest = ?1", digest.value)
    {
      id = known
    } else {
      var row = Row(columns: 4, bytes: context.text.count, key: key)
      row.add("digest", digest.value)
      row.add("calendar_name", context.calendarName)
      row.add("is_calendar", context.isCalendar ? 1 : 0)
      row.add("text", blob: context.text)
      id = try connection.insert(row, into: Schema.context)
    }
    contextIDs[context] = id
    return id
  }

  /// Writes what a document has besides its components. It replaces the present revision, which stays
  /// for `undo` if `isChange`. `lines` are those of all its components, by component.
  package func write(
    _ revision: NewRevision, document: Int, isChange: Bool, lines: [(component: Int, line: Int)]
  ) throws(StoreError) {
    let previous = try connection.integer(
      "SELECT id FROM revision WHERE document = ?1 AND removed IS NULL", document)
    var added: Int?
    // The row keeps its id, so that `redo` finds it.
    var known: Int?
    if let previous, !isChange {
      added = try connection.integer("SELECT added FROM revision WHERE id = ?1", previous)
      known = previous
      try connection.run("DELETE FROM revision WHERE id = ?1", previous)
    } else if let previous {
      try remove(revision: previous)
    }
    if added == nil { added = try generation() }
    var row = Row(columns: 16, key: key)
    row.add("document", document)
    row.add("added", added)
    row.add("removed", Int?.none)
    row.add("size", revision.fingerprint?.size)
    row.add("modified", revision.fingerprint?.modified)
    row.add("changed", revision.fingerprint?.changed)
    row.add("inode", revision.fingerprint?.inode)
    row.add("digest", revision.digest)
    row.add("interpretation", revision.interpretation)
    row.add("components", revision.counts.components)
    row.add("rejected", revision.counts.rejected)
    row.add("journals", revision.counts.journals)
    row.add("rejected_journals", revision.counts.rejectedJournals)
    row.add("free_busy", revision.counts.freeBusy)
    row.add("is_mail", revision.isMail ? 1 : 0)
    row.add(
      "line_numbers",
      blob: LineNumbers.bytes(
        lines.sorted { $0.component < $1.component },
        otherRows: revision.objects.count + revision.findings.count))
    let id = try connection.insert(row, id: known, into: Schema.revision)
    for object in revision.objects {
      var row = Row(columns: 4, bytes: object.lines.count, key: key)
      row.add("revision", id)
      row.add("context", object.context)
      row.add("lines", blob: object.lines)
      row.add("parts", blob: object.parts.isEmpty ? nil : StoredList.bytes(ofLists: object.parts))
      try connection.insert(row, into: Schema.calendarObject)
    }
    for finding in revision.findings { try write(finding, revision: id) }
  }

  private func write(_ finding: StoredFinding, revision: Int) throws(StoreError) {
    var row = Row(columns: 17, key: key)
    row.add("revision", revision)
    row.add("severity", finding.severity)
    row.add("line", finding.line)
    row.add("range_start", finding.range?.lowerBound)
    row.add("range_end", finding.range?.upperBound)
    row.add("component", finding.component)
    row.add("uid", finding.uid)
    row.add("property", finding.property)
    row.add("code", finding.code)
    row.add("message", finding.message)
    row.add("message_marks", StoredList.text(finding.messageMarks))
    row.add("action", finding.action)
    row.add("action_marks", StoredList.text(finding.actionMarks))
    row.add("count", finding.count)
    row.add("later_lines", StoredList.text(finding.laterLines))
    row.add(
      "other_values",
      blob: finding.otherValues.isEmpty ? nil : StoredList.bytes(finding.otherValues))
    row.add("has_more_values", finding.hasMoreValues ? 1 : 0)
    try connection.insert(row, into: Schema.finding)
  }

  /// Records the status and the digest of unchanged bytes.
  package func update(
    revision: Int, fingerprint: FileFingerprint?, digest: Int?
  ) throws(StoreError) {
    try connection.update(
      Schema.revision,
      set: [
        "size": fingerprint?.size, "modified": fingerprint?.modified,
        "changed": fingerprint?.changed, "inode": fingerprint?.inode, "digest": digest,
      ], where: "id = ?", revision)
  }

  /// Takes out a revision: its document is gone, or has a newer one.
  package func remove(revision: Int) throws(StoreError) {
    try connection.update(
      Schema.revision, set: ["removed": try generation()], where: "id = ?", revision)
  }

  /// Takes out a source with everything that belongs to it.
  package func remove(source: Int) throws(StoreError) {
    let generation = try generation()
    for document in try store.documents(ofSource: source) {
      try remove(revision: document.revision)
      try remove(
        components: try connection.integers(
          "SELECT id FROM component WHERE document = ?1 AND removed IS NULL", document.id))
    }
    try connection.update(
      Schema.source, set: ["removed": generation], where: "id = ?", source)
  }
}

/// What is written of a document besides its components.
package struct NewRevision: Sendable {
  package var fingerprint: FileFingerprint?
  package var digest: Int?
  package var interpretation: Int
  package var counts = DocumentCounts()
  /// Whether it has only messages, and belongs to no calendar that the user named: its messages are
  /// about the events of all calendars.
  package var isMail = false
  package var objects: [StoredCalendarObject] = []
  package var findings: [StoredFinding] = []

  package init(interpretation: Int) { self.interpretation = interpretation }
}

// MARK: Components

extension StoreChange {
  /// Writes a component and returns its number.
  package func add(
    _ record: ComponentRecord, source: Int, document: Int, context: Int,
    pictures: [Int] = []
  ) throws(StoreError) -> Int {
    let generation = try generation()
    let id = nextID
    nextID += 1
    let rest: KeyValuePairs<String, Int?> = [
      "source": source, "document": document, "context": context, "added": generation,
      "removed": nil,
    ]
    assert(
      record.columns.names + rest.map(\.key) + ["text"] == Schema.component.columns)
    try record.columns.insert(
      id: id, by: insertion, followedBy: rest.map(\.value), last: record.text)
    for number in pictures {
      try store.write(.pending, of: StoredPicture(component: id, number: number))
    }
    return id
  }

  /// Takes out components.
  package func remove(components ids: some Sequence<Int>) throws(StoreError) {
    let removal = try connection.statement(
      Schema.component.update(set: ["removed"], where: "id = ?2"))
    for id in ids {
      removal.reset()
      removal.bind(1, try generation())
      removal.bind(2, id)
      try removal.run()
    }
  }

  /// Sets what the index was derived with. With `ifEmpty`, only if the store had no component yet.
  package func write(interpretation: Int, ifEmpty: Bool = false) throws(StoreError) {
    guard !ifEmpty || isFirstOfStore, try store.interpretation() != interpretation else { return }
    try connection.update(Schema.store, set: ["interpretation": interpretation], where: "id = 1")
  }

  /// Records that a new series continues another one that ended.
  package func noteSplit(source: Int, old: Int, new: Int) throws(StoreError) {
    var row = Row(columns: 4, key: key)
    row.add("generation", try generation())
    row.add("source", source)
    row.add("old_uid", old)
    row.add("new_uid", new)
    try connection.insert(row, into: Schema.splitSeries)
  }
}
