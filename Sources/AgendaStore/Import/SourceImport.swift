package import AgendaCore
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
    /// Accepts a source that lost more than half of its events, or all.
    package var allowsShrinking = false
    /// Refuses a source with a rejected component.
    package var isStrict = false
    /// Computes the result without writing anything.
    package var isDryRun = false
    /// Reports only problems that are new: those of an unchanged source are known.
    package var skipsKnownProblems = false
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
  /// The source in the store before the import.
  private let old: Store.SourceRow?
  let writer: ComponentWriter
  private let isFirstOfStore: Bool
  private var isFinished = false

  /// The state of the source's address. It is written in the same transaction as the content.
  package var subscription: SubscriptionRecord?
  /// The path of the root that the source was found in.
  package var root: String?

  var report: ImportReport
  private var rejectedJournals = 0
  var documents: [DocumentState] = []
  /// Positions in `documents` by the ids of the documents.
  var documentPositions: [Int: Int] = [:]
  /// The components of the source in the store. They are loaded when the first changed document is
  /// found.
  var known: KnownComponents?
  /// By position in `known`.
  var seen: [Bool] = []
  var stamps: [Int?] = []
  var orders: [Int] = []
  var lines: [Int32] = []
  var added: [AddedComponent] = []
  private var order = 0
  /// Positions in `known` by UID and content. A UID is added when it is first needed, because a
  /// source can have thousands of events with one UID.
  private var positionsByContent: [Int: [Int: [Int]]] = [:]
  /// The `data_version` of the store in this transaction, set when the first unopened file was
  /// kept.
  private var keptState: Int?
  /// Positions in `known`, by the digest of a component that was read and has the same content as
  /// the one there.
  private var readAgain: [Int: Int] = [:]
  /// Those of the series of which answers make overrides.
  private var templates: [EventReference: OverrideTemplate] = [:]

  /// A component that this import has written.
  struct AddedComponent {
    var id: Int
    var identity: IdentityKey
    var version: EventVersion
    var content: Int
    var isCounted: Bool
    /// Its position among all components of the source.
    var order: Int
    /// Its document, as a position in `documents`.
    var document: Int
    var line: Int32
    /// As what it was counted.
    var outcome = Outcome.added
  }

  enum Outcome: UInt8 {
    case added, updated, unchanged
  }

  struct DocumentState {
    var id: Int
    var revision: Int?
    /// `nil` if its components were kept without reading them.
    var content: ImportedDocument?
    /// Components of this import that later versions replace.
    var superseded = 0
    /// The same number for the import that wrote a kept document.
    var supersededBefore = 0
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
      generation = try connection.nextID(in: Schema.generation)
      let found = try store.sourceRow(location: source.location)
      let nextSource = try connection.nextID(in: Schema.source)
      sourceID = found?.id ?? nextSource
      isNewSource = found == nil
      old = found
      if let found, found.calendarName != source.calendar {
        report.previousCalendar = found.calendarName
      }
      writer = try ComponentWriter(
        connection, source: sourceID, generation: generation, nextID: try store.nextComponent())
      isFirstOfStore = try !store.hasComponents()
      try connection.limit(to: isFirstOfStore ? .firstImport : .changing)
      if isFirstOfStore {
        // An index that is built at the end takes a third of the time, and a second thread can
        // sort.
        for index in Schema.importIndexes { try connection.run("DROP INDEX \(index.name)") }
        try connection.run("PRAGMA threads = 1")
      }
    } catch {
      connection.rollBack()
      throw error
    }
  }

  deinit { cancel() }

  /// Ends the import and leaves the store unchanged.
  package func cancel() {
    if !isFinished { connection.rollBack() }
    isFinished = true
  }

  private var key: StoreKey { store.key }

  var isMoved: Bool { report.previousCalendar != nil }
}

// MARK: Documents

extension SourceImport {
  /// A digest of the bytes of a whole document, which recognises unchanged bytes. `didRead` is
  /// called after each part of them.
  package func digest(
    of bytes: UnsafeRawBufferPointer, didRead: (Range<Int>) -> Void = { _ in }
  ) -> Int {
    var digest = ContentDigest(key: key.number)
    let partLength = 32 << 20
    for start in stride(from: 0, to: max(bytes.count, 1), by: partLength) {
      let part = start..<min(start + partLength, bytes.count)
      digest.add(UnsafeRawBufferPointer(rebasing: bytes[part]))
      didRead(part)
    }
    return digest.value
  }

  /// Keeps a document as it is in the store if its status is unchanged or, with `digest`, if its
  /// bytes are. Returns whether it was kept.
  package func keepsUnchanged(
    document name: String = "", fingerprint: FileFingerprint?, digest: Int? = nil,
    interpretation: Int
  ) throws(StoreError) -> Bool {
    guard !isNewSource, let revision = try store.revision(source: sourceID, document: name),
      revision.interpretation == interpretation,
      // The store has no duplicates and outdated versions, and the result for them depends on the
      // other documents.
      source.kind != .folder || revision.superseded == 0,
      // A source that was imported with rejected components is refused under `isStrict`. The number
      // of rejected journals is not stored.
      !options.isStrict || revision.rejected == 0 && revision.journals == 0
    else { return false }
    if let fingerprint, fingerprint == revision.fingerprint {
      // Its status is unchanged, so its bytes are not read.
    } else if let digest, digest == revision.digest {
      try store.update(revision: revision.id, fingerprint: trusted(fingerprint), digest: digest)
    } else {
      return false
    }
    keep(revision, name: name, findings: try store.findings(revision: revision.id))
    return true
  }

  func keep(_ revision: RevisionRow, name: String, findings: [Finding]) {
    append(
      DocumentState(
        id: revision.document, revision: revision.id, content: nil,
        supersededBefore: revision.superseded))
    report.components += revision.components
    report.superseded += revision.superseded
    report.rejected += revision.rejected
    report.journals += revision.journals
    report.freeBusy += revision.freeBusy
    report.unchanged += revision.components - revision.superseded - revision.rejected
    report.findings += findings.map { SourceFinding(source: name, finding: $0) }
  }

  /// Keeps a file of a folder that was not opened. Returns `false` if the store has changed since
  /// it listed the file.
  package func keep(_ name: String, of kept: KeptDocuments) throws(StoreError) -> Bool {
    if keptState == nil { keptState = try connection.integer("PRAGMA data_version") }
    guard keptState == kept.state, let revision = kept.revisions[name] else { return false }
    keep(revision, name: name, findings: kept.findings[revision.id] ?? [])
    return true
  }

  /// Whether a file that was read has a UID of a file that was not. Then both files must be read to
  /// decide which of their components count.
  package var sharesUIDsWithKept: Bool {
    guard let known, keptState != nil else { return false }
    let kept = Set(documents.lazy.filter { $0.content == nil }.map(\.id))
    func isKept(_ position: Int) -> Bool { kept.contains(known.documents[position]) }
    for component in added
    where known.positions(uid: component.identity.uid).contains(where: isKept) {
      return true
    }
    // Components of one UID are neighbours.
    return seen.indices.dropFirst().contains { position in
      known.uids[position] == known.uids[position - 1] && isKept(position) != isKept(position - 1)
    }
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
    let revision =
      isNewSource ? nil : try store.revision(source: sourceID, document: document.name)
    let id: Int
    if let revision {
      id = revision.document
    } else {
      id = try store.document(source: sourceID, name: document.name)
    }
    let isSameMeaning = revision?.interpretation == document.interpretation
    if !isNewSource { try loadKnown() }
    report.components += document.components
    report.rejected += document.rejected
    report.journals += document.journals
    report.freeBusy += document.freeBusy
    rejectedJournals += document.rejectedJournals
    report.findings += document.findings.map {
      SourceFinding(source: document.name, finding: $0)
    }
    append(DocumentState(id: id, revision: revision?.id, content: document))
    // Reserves memory for all of them at once, because a growing array would exist twice for a
    // moment. Unused memory costs nothing. The small files of a folder let the array grow as usual.
    let needed = added.count + document.components
    if needed > added.capacity { added.reserveCapacity(max(needed, added.capacity * 2)) }
    return KnownDocument(components: isSameMeaning ? known : nil, document: id, key: key)
  }

  /// Counts events and tasks that the user has hidden. The source contains them, and the store
  /// doesn't.
  package func note(hidden: Int) {
    report.components += hidden
    report.unchanged += hidden
  }

  private func append(_ document: DocumentState) {
    documentPositions[document.id] = documents.count
    documents.append(document)
  }

  private func loadKnown() throws(StoreError) {
    guard known == nil else { return }
    let loaded = try KnownComponents(connection, source: sourceID)
    known = loaded
    seen = [Bool](repeating: false, count: loaded.ids.count)
    stamps = [Int?](repeating: nil, count: loaded.ids.count)
    orders = [Int](repeating: 0, count: loaded.ids.count)
    lines = [Int32](repeating: 0, count: loaded.ids.count)
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
        seeAgain(position, stamp: digest.stamp, line: line)
        supersede(in: document, isCounted: isCounted)
      } else {
        see(position, stamp: digest.stamp, line: line, isCounted: isCounted)
      }
    case .merged(let kind): supersede(in: document, isCounted: kind != .journal)
    case .answer(let kind): if kind != .journal { report.unchanged += 1 }
    case .read(let record, let line):
      try take(record, line: line, of: document, isCounted: record.kind != .journal)
    case .answeredOccurrence(let occurrence, let line):
      if templates[occurrence.series] == nil {
        templates[occurrence.series] = occurrence.template()
      }
      guard let template = templates[occurrence.series] else { return }
      let record = ComponentRecord(
        occurrence.override, answers: occurrence.answers, of: template, key: key,
        calendarObject: occurrence.calendarObject)
      try take(record, line: line, of: document, isCounted: false)
    }
  }

  private func take(
    _ record: ComponentRecord, line: Int, of document: Int, isCounted: Bool
  ) throws(StoreError) {
    if let position = readAgain[record.digest.value],
      known?.documents[position] == documents[document].id
    {
      seeAgain(position, stamp: record.digest.stamp, line: line)
      supersede(in: document, isCounted: isCounted)
      return
    }
    if let position = try sameContent(record, document: documents[document].id) {
      see(position, stamp: record.digest.stamp, line: line, isCounted: isCounted)
      readAgain[record.digest.value] = position
      return
    }
    let id = try writer.write(record, document: documents[document].id)
    added.append(
      AddedComponent(
        id: id, identity: record.identity, version: record.version, content: record.content,
        isCounted: isCounted, order: order, document: document,
        line: Int32(truncatingIfNeeded: line)))
  }

  private func see(_ position: Int, stamp: Int?, line: Int, isCounted: Bool) {
    seen[position] = true
    lines[position] = Int32(truncatingIfNeeded: line)
    stamps[position] = stamp
    orders[position] = order
    if isCounted { report.unchanged += 1 }
  }

  /// A duplicate of a component in the store, except for its stamp: the newest one counts, and of
  /// equally new ones the last.
  private func seeAgain(_ position: Int, stamp: Int?, line: Int) {
    guard stamp ?? .min >= stamps[position] ?? .min else { return }
    lines[position] = Int32(truncatingIfNeeded: line)
    stamps[position] = stamp
    orders[position] = order
  }

  func supersede(in document: Int, isCounted: Bool) {
    documents[document].superseded += 1
    if isCounted { report.superseded += 1 }
  }

  /// The component of the store with the same content but other bytes. It gets the new digest.
  private func sameContent(
    _ record: ComponentRecord, document: Int
  ) throws(StoreError) -> Int? {
    guard let known else { return nil }
    let uid = record.identity.uid
    if positionsByContent[uid] == nil {
      var found: [Int: [Int]] = [:]
      for position in known.positions(uid: uid) where !seen[position] {
        found[try store.content(component: known.ids[position]), default: []].append(position)
      }
      positionsByContent[uid] = found
    }
    for position in positionsByContent[uid]?[record.content] ?? []
    where !seen[position] && known.documents[position] == document {
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
  /// Computes the changes of the snapshot and writes them, or refuses the snapshot and leaves the
  /// store unchanged.
  package func finish() throws(StoreError) -> ImportReport {
    do throws(StoreError) {
      let report = try concluded()
      isFinished = true
      if isFirstOfStore, !options.isDryRun { connection.useWriteAheadLog() }
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
    let gone = hadDocuments.subtracting(documents.map(\.id))
    if isUntouched, gone.isEmpty, !isNewSource {
      if !options.skipsKnownProblems || isMoved { try compareWithCalendar() }
      if options.isDryRun {
        connection.rollBack()
      } else {
        try makeIndexes()
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
    let isChanged = try removeUnseen(replaced: replaced) || !added.isEmpty || outdated > 0
    try compareWithCalendar()
    if options.isDryRun {
      connection.rollBack()
      return report
    }
    try makeIndexes()
    try conclude(
      nothingChanged: !isChanged && gone.isEmpty && !isNewSource && !isMoved)
    return report
  }

  private func makeIndexes() throws(StoreError) {
    guard isFirstOfStore else { return }
    // With little memory, SQLite would sort in temporary files.
    try connection.limit(to: .changing)
    for index in Schema.importIndexes { try connection.run(index.definition) }
  }

  private func refusal(before: Int, outdated: Int) -> ImportRefusal? {
    let rejected = report.rejected + rejectedJournals
    if options.isStrict, rejected > 0 { return .rejectedComponents(rejected) }
    guard !options.allowsShrinking else { return nil }
    let after = added.count + seen.indices.count { seen[$0] || isKeptUnread($0) } - outdated
    let hasNoneLeft = after == 0 && before > 0
    return hasNoneLeft || before > Self.smallCalendar && after * 2 < before
      ? .shrunk(from: before, to: after) : nil
  }

  /// A calendar with at most this many events may lose half of them at once.
  private static let smallCalendar = 10

  private func refuse(_ refusal: ImportRefusal) throws(StoreError) -> ImportReport {
    connection.rollBack()
    let refused = report.refused(refusal)
    if !options.isDryRun, !isNewSource {
      try store.note(error: refused.error, source: sourceID)
    }
    return refused
  }

  /// Whether the document of a component could not be read to its end. Components that are missing
  /// from it are kept.
  private func isKeptUnread(_ position: Int) -> Bool {
    guard let known, let document = documentPositions[known.documents[position]] else {
      return false
    }
    return documents[document].content?.isTruncated == true
  }

  /// Removes the components that are missing from the snapshot. Returns whether there were any.
  private func removeUnseen(replaced: Set<Int>) throws(StoreError) -> Bool {
    guard let known else { return false }
    let gone = seen.indices.filter { !seen[$0] && (replaced.contains($0) || !isKeptUnread($0)) }
    try store.take(out: gone.lazy.map { known.ids[$0] }, generation: generation)
    let journal = StoredEnum.number(of: .journal, in: StoredEnum.kinds)
    report.removed += gone.count { !replaced.contains($0) && known.kinds[$0] != journal }
    return !gone.isEmpty
  }

  /// The lines on which the components of each document of this import began, by position in
  /// `documents`.
  private func lineNumbers() -> [[LineNumbers.Entry]] {
    var found = [[LineNumbers.Entry]](repeating: [], count: documents.count)
    if let known {
      for position in seen.indices where seen[position] {
        guard let document = documentPositions[known.documents[position]] else { continue }
        found[document].append((known.ids[position], Int(lines[position])))
      }
      for document in found.indices { found[document].sort { $0.component < $1.component } }
    }
    // The components that this import wrote have higher ids than all others.
    for component in added {
      found[component.document].append((component.id, Int(component.line)))
    }
    return found
  }

  /// The source's previous calendar, for `undo`, if the source moves to another one, or if the
  /// colour or the origin of the name changes.
  private func previousCalendar() throws(StoreError) -> PreviousCalendar? {
    let color = try store.color(ofCalendar: source.calendar)
    guard
      isMoved || (source.color ?? color) != color || old?.hasExplicitName == !source.hasExplicitName
    else { return nil }
    return PreviousCalendar(
      name: old?.calendarName ?? source.calendar, color: old == nil ? color : old?.color,
      hasExplicitName: old?.hasExplicitName ?? source.hasExplicitName, nextColor: color)
  }

  private func conclude(nothingChanged: Bool) throws(StoreError) {
    if !nothingChanged, let previous = try previousCalendar() {
      try store.write(previous, generation: generation)
    }
    let calendar = try store.calendar(named: source.calendar, color: source.color)
    try store.write(
      source: source, id: sourceID, isNew: isNewSource, calendar: calendar,
      generation: generation, now: options.now)
    if let subscription { try store.write(subscription: subscription, source: sourceID) }
    if let root {
      try store.write(
        RootFolder(root: root, folder: source.location, encoding: source.encoding), run: run)
    }
    let lines = lineNumbers()
    for (position, document) in documents.enumerated() {
      guard let content = document.content else { continue }
      try store.write(
        revision: content, superseded: document.superseded, lines: lines[position],
        document: document.id, previous: document.revision, generation: generation,
        isChange: !nothingChanged)
    }
    if !nothingChanged {
      let live = try connection.statement(
        """
        SELECT revision.id, document FROM revision JOIN document ON document.id = document
        WHERE document.source = ?1 AND revision.removed IS NULL
        """, sourceID)
      var gone: [Int] = []
      while try live.step() {
        if documentPositions[live.integer("document")] == nil {
          gone.append(live.integer("id"))
        }
      }
      try store.remove(revisions: gone, generation: generation)
      try store.write(
        Generation(
          id: generation, run: run, source: sourceID, moment: options.now, action: .imported,
          firstComponent: try store.nextComponent(), added: report.added,
          updated: report.updated, removed: report.removed))
      try store.finishChange(of: [sourceID])
      try store.prune(now: options.now)
    }
    if let old, old.calendar != calendar { try store.removeCalendarIfEmpty(old.calendar) }
    try store.update(nextComponent: writer.nextID, run: run)
    if !nothingChanged {
      try store.applyMessages(to: [sourceID], run: run, now: options.now)
    }
    try connection.run("COMMIT")
  }
}
