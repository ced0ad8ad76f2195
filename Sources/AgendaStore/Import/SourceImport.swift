internal import AgendaCore
package import CivilTime

/// The import of one source: a snapshot that the store becomes equal to, in one transaction.
///
/// ```
/// let session = try store.beginImport(of: source, run: run, options)
/// for each document {
///   if try session.keepsUnchanged(name, fingerprint, digest, interpretation) { continue }
///   let known = try session.begin(document)
///   for each component { try session.take(…) }   // `known.contains(digest)` on any thread
/// }
/// let report = try session.finish()
/// ```
///
/// Whatever ends it before `finish` has returned leaves the store as it was.
package final class SourceImport {
  package struct Options: Hashable, Sendable {
    /// Lets the source take away more than half of what it had, or all.
    package var allowsShrinking = false
    /// Refuses a source of which something was rejected.
    package var isStrict = false
    /// Works everything out and writes nothing.
    package var isDryRun = false
    /// More than this an import into a store that has something puts aside until its end.
    package var mostBytesHeld = 8 * 1024 * 1024
    /// The time of the import.
    package var now: Instant

    package init(now: Instant) {
      self.now = now
    }
  }

  let store: Store
  let connection: Connection
  let source: ImportedSource
  let options: Options
  let run: Int
  let generation: Int
  let sourceID: Int
  private let isNewSource: Bool
  /// The source as the store had it.
  private let old: Store.SourceRow?
  let writer: ComponentWriter
  private let isFirstOfStore: Bool
  private var isFinished = false

  var report: ImportReport
  var documents: [DocumentState] = []
  private var isTruncated = false

  /// What the store has of the source; loaded when the first changed document is met.
  var known: KnownComponents?
  /// By position in `known`.
  var seen: [Bool] = []
  var stamps: [Int?] = []
  var orders: [Int] = []
  private var lines: [Int32] = []
  var added: [AddedComponent] = []
  private var order = 0
  /// Positions in `known` by the digest of what was read and says what the store has there.
  private var readAgain: [Int: Int] = [:]

  /// A component that this import has written.
  struct AddedComponent {
    var id: Int
    var identity: IdentityKey
    var version: EventVersion
    var content: Int
    var isCounted: Bool
    /// Its place among all components of the source.
    var order: Int
    /// Its document, by its place in `documents`.
    var document: Int
    var line: Int32
  }

  struct DocumentState {
    var id: Int
    var edition: Int?
    /// `nil` for one that was kept without a look at its components.
    var content: ImportedDocument?
    var superseded = 0
  }

  init(
    _ store: Store, source: ImportedSource, run: Int, options: Options
  ) throws(StoreError) {
    self.store = store
    self.source = source
    self.run = run
    self.options = options
    connection = store.connection
    report = ImportReport(source: source.location, calendar: source.calendar)
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      generation = try SealedTable.generation.nextID(in: connection)
      let found = try store.sourceRow(location: source.location)
      if let found {
        sourceID = found.id
      } else {
        sourceID = try SealedTable.source.nextID(in: connection)
      }
      isNewSource = found == nil
      old = found
      if let found, found.calendarName != source.calendar {
        report.formerCalendar = found.calendarName
      }
      writer = try ComponentWriter(
        connection, key: store.key, source: sourceID, generation: generation,
        nextID: try store.nextComponent())
      isFirstOfStore = try connection.integer("SELECT 1 FROM component LIMIT 1") == nil
      // Written out early, changed pages would keep readers out until the end of the import. Of an
      // empty store nobody misses anything, and it is there that an import can be large.
      try connection.run("PRAGMA cache_spill = \(isFirstOfStore ? "ON" : "OFF")")
      try connection.useImportCache()
      if isFirstOfStore {
        // Built in one go at the end they cost a third, and a second thread can sort.
        for name in StoreSchema.importIndexNames { try connection.run("DROP INDEX \(name)") }
        try connection.run("PRAGMA threads = 1")
      }
    } catch {
      connection.rollBack()
      throw error
    }
  }

  deinit {
    if !isFinished { connection.rollBack() }
  }

  private var key: StoreKey { store.key }

  private var isMoved: Bool { report.formerCalendar != nil }
}

// MARK: Documents

extension SourceImport {
  /// The digest by which unchanged bytes of a whole document are known again.
  package func digest(of bytes: UnsafeRawBufferPointer) -> Int {
    var digest = ContentDigest(key: key.number)
    digest.add(bytes)
    return digest.value
  }

  /// Keeps a document as it is in the store if the file system says that nothing of it changed,
  /// or, where `digest` is given, if its bytes are the same; answers whether it did.
  package func keepsUnchanged(
    document name: String = "", fingerprint: FileFingerprint?, digest: Int? = nil,
    interpretation: Int
  ) throws(StoreError) -> Bool {
    guard !isNewSource, let edition = try store.edition(source: sourceID, document: name),
      edition.interpretation == interpretation,
      // Its duplicates and outdated versions are kept nowhere: what becomes of them depends on
      // the other documents.
      source.kind != .folder || edition.superseded == 0,
      // Taken before for what could be read, it is refused as a whole now.
      !options.isStrict || edition.rejected == 0
    else { return false }
    if let fingerprint, fingerprint == edition.fingerprint {
      // Known without a look at its bytes.
    } else if let digest, digest == edition.digest {
      try store.update(edition: edition.id, fingerprint: trusted(fingerprint), digest: digest)
    } else {
      return false
    }
    documents.append(DocumentState(id: edition.document, edition: edition.id, content: nil))
    report.components += edition.components
    report.superseded += edition.superseded
    report.rejected += edition.rejected
    report.unchanged += edition.components - edition.superseded - edition.rejected
    report.findings += try store.findings(edition: edition.id).map {
      SourceFinding(source: name, finding: $0)
    }
    return true
  }

  private func trusted(_ fingerprint: FileFingerprint?) -> FileFingerprint? {
    let (now, overflow) = options.now.secondsSinceEpoch
      .multipliedReportingOverflow(by: 1_000_000_000)
    return fingerprint.flatMap { !overflow && $0.isTrusted(at: now) ? $0 : nil }
  }

  /// Begins a document whose components follow.
  package func begin(_ document: ImportedDocument) throws(StoreError) -> KnownDocument {
    var document = document
    document.fingerprint = trusted(document.fingerprint)
    let edition = isNewSource ? nil : try store.edition(source: sourceID, document: document.name)
    let id: Int
    if let edition {
      id = edition.document
    } else {
      id = try store.document(source: sourceID, name: document.name)
    }
    let isSameMeaning = edition?.interpretation == document.interpretation
    if edition != nil || !isNewSource { try loadKnown() }
    report.components += document.components
    report.rejected += document.rejected
    report.findings += document.findings.map {
      SourceFinding(source: document.name, finding: $0)
    }
    isTruncated = isTruncated || document.isTruncated
    documents.append(DocumentState(id: id, edition: edition?.id, content: document))
    // Room for all of it at once: growing, the list would be there twice. What is not used of it
    // costs no memory. The small files of a folder make it grow as ever.
    let needed = added.count + document.components
    if needed > added.capacity { added.reserveCapacity(max(needed, added.capacity * 2)) }
    return KnownDocument(components: isSameMeaning ? known : nil, document: id, key: key)
  }

  private func loadKnown() throws(StoreError) {
    guard known == nil else { return }
    let rows = try connection.statement(
      """
      SELECT id, uid_digest, digest, document FROM component
      WHERE source = ?1 AND removed IS NULL ORDER BY uid_digest, digest, document
      """)
    rows.bind(1, sourceID)
    var (ids, uids, digests, documents) = ([Int](), [Int](), [Int?](), [Int]())
    let expected = try store.liveComponents(source: sourceID)
    ids.reserveCapacity(expected)
    uids.reserveCapacity(expected)
    digests.reserveCapacity(expected)
    documents.reserveCapacity(expected)
    while try rows.step() {
      ids.append(rows.integer(0))
      uids.append(rows.integer(1))
      digests.append(rows.integerIfAny(2))
      documents.append(rows.integer(3))
    }
    known = KnownComponents(ids: ids, uids: uids, digests: digests, documents: documents)
    seen = [Bool](repeating: false, count: ids.count)
    stamps = [Int?](repeating: nil, count: ids.count)
    orders = [Int](repeating: 0, count: ids.count)
    lines = [Int32](repeating: 0, count: ids.count)
  }
}

// MARK: Components

extension SourceImport {
  /// Takes the next component of the document that was begun last.
  package func take(_ component: ImportedComponent) throws(StoreError) {
    guard let document = documents.indices.last else { return }
    order += 1
    switch component {
    case .known(let digest, let kind, let line):
      guard let position = known?.position(of: digest.value, document: documents[document].id)
      else { return }
      let isCounted = kind != .journal
      if seen[position] {
        supersede(in: document, isCounted: isCounted)
      } else {
        see(position, stamp: digest.stamp, line: line, isCounted: isCounted)
      }
    case .merged(let kind): supersede(in: document, isCounted: kind != .journal)
    case .read(let record, let line):
      let isCounted = record.kind != .journal
      if let position = readAgain[record.digest.value],
        known?.documents[position] == documents[document].id,
        stamps[position] == record.digest.stamp
      {
        // An exact duplicate of one that the store has: of those the last one stands.
        orders[position] = order
        lines[position] = Int32(truncatingIfNeeded: line)
        supersede(in: document, isCounted: isCounted)
        return
      }
      if let position = try sameContent(record, document: documents[document].id) {
        see(position, stamp: record.digest.stamp, line: line, isCounted: isCounted)
        readAgain[record.digest.value] = position
        return
      }
      if !isFirstOfStore, writer.writtenBytes > options.mostBytesHeld { try writer.setAside() }
      let id = try writer.write(record, document: documents[document].id)
      added.append(
        AddedComponent(
          id: id, identity: record.identity, version: record.version, content: record.content,
          isCounted: isCounted, order: order, document: document,
          line: Int32(truncatingIfNeeded: line)))
    }
  }

  private func see(_ position: Int, stamp: Int?, line: Int, isCounted: Bool) {
    seen[position] = true
    lines[position] = Int32(truncatingIfNeeded: line)
    stamps[position] = stamp
    orders[position] = order
    if isCounted { report.unchanged += 1 }
  }

  func supersede(in document: Int, isCounted: Bool) {
    documents[document].superseded += 1
    if isCounted { report.superseded += 1 }
  }

  /// The component of the store that says the same, though its bytes were not known by their
  /// digest; it gets the new one.
  private func sameContent(
    _ record: ComponentRecord, document: Int
  ) throws(StoreError) -> Int? {
    guard let known else { return nil }
    for position in known.positions(uid: record.identity.uid)
    where !seen[position] && known.documents[position] == document {
      let row = try connection.statement(
        """
        SELECT content, span_begin, span_end, week, dates_touched, rhythm, replaces
        FROM component WHERE id = ?1
        """)
      row.bind(1, known.ids[position])
      guard try row.step() else { continue }
      let isSame =
        row.integer(0) == record.content && row.integerIfAny(1) == record.span?.begin
        && row.integerIfAny(2) == record.span?.end && row.integerIfAny(3) == record.pattern.week
        && row.integerIfAny(4) == record.pattern.dates
        && row.integerIfAny(5) == record.pattern.rhythm && row.integerIfAny(6) == record.replaces
      row.reset()
      guard isSame else { continue }
      if known.digests[position] != record.digest.value {
        try writer.setDigest(of: known.ids[position], to: record.digest.value)
      }
      return position
    }
    return nil
  }
}

// MARK: The end

extension SourceImport {
  /// Works out what the snapshot changes and makes it so, or refuses it and leaves the store as it
  /// was.
  package func finish() throws(StoreError) -> ImportReport {
    do throws(StoreError) {
      // A first import goes on writing at the end of the file, and sorts best in little memory.
      if !isFirstOfStore { try connection.useCache() }
      let report = try concluded()
      isFinished = true
      return report
    } catch {
      connection.rollBack()
      isFinished = true
      throw error
    }
  }

  private func concluded() throws(StoreError) -> ImportReport {
    let isUntouched = documents.allSatisfy { $0.content == nil }
    let hadDocuments = try store.liveDocuments(source: sourceID)
    let gone = isTruncated ? [] : hadDocuments.subtracting(documents.map(\.id))
    if isUntouched, gone.isEmpty {
      if options.isDryRun {
        connection.rollBack()
      } else {
        try conclude(nothingChanged: !isMoved)
      }
      return report
    }
    if !isNewSource { try loadKnown() }
    let kept = Set(documents.filter { $0.content == nil }.map(\.id))
    if let known, !kept.isEmpty {
      for position in seen.indices where kept.contains(known.documents[position]) {
        seen[position] = true
      }
    }
    let before = seen.count
    let outdated = try removeSuperseded()
    let replaced = try pairWithOld()
    if let refusal = refusal(before: before, outdated: outdated) {
      return try refuse(refusal)
    }
    if !options.isDryRun {
      // From here on it is only writing: what does not fit into memory may go out, as the commit
      // is near.
      try connection.run("PRAGMA cache_spill = ON")
      try writer.takeIn()
    }
    let isChanged = try removeUnseen(replaced: replaced) || !added.isEmpty || outdated > 0
    if options.isDryRun {
      connection.rollBack()
      return report
    }
    if isFirstOfStore {
      // Sorted in small parts by a second thread while this one reads.
      try connection.usingSmallCache { () throws(StoreError) in
        for index in StoreSchema.importIndexes { try connection.run(index) }
      }
    }
    try conclude(
      nothingChanged: !isChanged && gone.isEmpty && !isNewSource && !isMoved)
    return report
  }

  private func refusal(before: Int, outdated: Int) -> ImportRefusal? {
    if options.isStrict, report.rejected > 0 { return .rejectedComponents(report.rejected) }
    guard !options.allowsShrinking, !isTruncated else { return nil }
    let after = added.count + seen.count(where: { $0 }) - outdated
    let hasNoneLeft = after == 0 && before > 0
    return hasNoneLeft || before > Self.smallCalendar && after * 2 < before
      ? .shrunk(from: before, to: after) : nil
  }

  /// Of a calendar with no more events than these, half may go at once.
  private static let smallCalendar = 10

  private func refuse(_ refusal: ImportRefusal) throws(StoreError) -> ImportReport {
    connection.rollBack()
    let refused = report.refused(refusal)
    if !options.isDryRun, !isNewSource {
      try store.note(error: refused.error, source: sourceID)
    }
    return refused
  }

  /// Takes out what the snapshot has no more; answers whether there was any.
  private func removeUnseen(replaced: Set<Int>) throws(StoreError) -> Bool {
    guard let known else { return false }
    let removal = try connection.statement(StoreSchema.componentRemoval)
    let seal = Seals.removal(generation, key: key)
    var isAny = false
    for position in seen.indices where !seen[position] {
      let isReplaced = replaced.contains(position)
      guard isReplaced || !isTruncated else { continue }
      removal.reset()
      removal.bind(1, known.ids[position])
      removal.bind(2, generation)
      removal.bind(3, seal)
      guard try removal.step() else { continue }
      let kind = removal.integer(0)
      removal.reset()
      isAny = true
      if !isReplaced, kind != StoredEnum.number(of: .journal, in: StoredEnum.kinds) {
        report.removed += 1
      }
    }
    return isAny
  }

  /// Where the components of a document of this import began, by their ids.
  private func componentLines(ofDocument place: Int) -> [ComponentLine] {
    let id = documents[place].id
    var found: [ComponentLine] = []
    if let known {
      for position in seen.indices where seen[position] && known.documents[position] == id {
        found.append(ComponentLine(component: known.ids[position], line: Int(lines[position])))
      }
      found.sort { $0.component < $1.component }
    }
    // What this import wrote has later ids than all that was there.
    for component in added where component.document == place {
      found.append(ComponentLine(component: component.id, line: Int(component.line)))
    }
    return found
  }

  /// What `undo` needs to know of the calendar that the source was in, where it is another one now,
  /// has another colour, or was named by somebody else.
  private func formerCalendar() throws(StoreError) -> FormerCalendar? {
    let color = try store.color(ofCalendar: source.calendar)
    guard isMoved || (source.color ?? color) != color || old?.isNamed == !source.isNamed else {
      return nil
    }
    return FormerCalendar(
      name: old?.calendarName ?? source.calendar, color: old == nil ? color : old?.color,
      isNamed: old?.isNamed ?? source.isNamed, colorOfNext: color)
  }

  private func conclude(nothingChanged: Bool) throws(StoreError) {
    if !nothingChanged, let former = try formerCalendar() {
      try store.write(former, generation: generation)
    }
    let calendar = try store.calendar(named: source.calendar, color: source.color)
    try store.write(
      source: source, id: sourceID, isNew: isNewSource, calendar: calendar,
      generation: generation, now: options.now)
    for (place, document) in documents.enumerated() {
      guard let content = document.content else { continue }
      try store.write(
        edition: content, superseded: document.superseded,
        lines: componentLines(ofDocument: place), document: document.id,
        old: document.edition, generation: nothingChanged ? nil : generation,
        newGeneration: generation)
    }
    if !nothingChanged { try store.noteRepeated(source: sourceID) }
    if !nothingChanged, !isTruncated {
      let live = Set(documents.map(\.id))
      for id in try store.liveDocuments(source: sourceID) where !live.contains(id) {
        try store.remove(document: id, generation: generation)
      }
    }
    if !nothingChanged {
      try store.write(
        Generation(
          id: generation, run: run, source: sourceID, moment: options.now, action: .imported,
          firstComponent: try store.nextComponent(), added: report.added,
          updated: report.updated, removed: report.removed))
      try store.thinOut(now: options.now)
    }
    if let old, old.calendar != calendar { try store.removeCalendarIfEmpty(old.calendar) }
    try store.update(nextComponent: writer.nextID, run: run)
    try connection.run("COMMIT")
    store.dropDays()
  }
}
