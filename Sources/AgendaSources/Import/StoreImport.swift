internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime

/// Stores a source that was read: the store becomes equal to it, in one transaction. Whatever ends it
/// before the commit leaves the store as it was.
struct StoreImport {
  let reader: StoreReader
  let options: ImportOptions
  let command: StoreCommand
  /// The encoding of the source, if the user has named one.
  let encoding: String?

  /// Identifies how its documents were read. Only after that is it known whether a zone was missing.
  private var interpretation: Int {
    ReadSource.interpretation(
      encoding: encoding, zones: reader.zones, lacksZone: reader.zones.hasMissedZone)
  }
  private var store: Store { reader.store }

  /// A calendar with at most this many events may lose half of them at once.
  static let smallCalendar = 10

  /// What else the transaction does: `begin` before anything is written, and `end` with the number of
  /// the source when its documents are. It then removes the sources that this one has taken in.
  struct Hooks {
    /// The locations of these sources.
    var taken: [String] = []
    var begin: (StoreChange) throws -> Void = { _ in }
    var end: (StoreChange, Int) throws -> Void = { _, _ in }
  }

  /// What was stored, for the report.
  struct Outcome {
    var calendar: String?
    /// The calendars of its VCALENDARs, if they have different names.
    var calendars: [String] = []
    var previousCalendar: String?
    var components = DocumentCounts()
    var counts = VersionCounts()
    /// What is wrong with the documents by themselves.
    var documentProblems: [DocumentProblem] = []
    /// What is wrong because of several components with the same UIDs.
    var versionProblems: [VersionProblem] = []
    var isChanged = false
    /// Other sources with components of the UIDs that changed. Their components can be replaced now.
    var sourcesOfSameUIDs: Set<Int> = []
  }

  struct DocumentProblem {
    /// The name of the document.
    let document: String
    let finding: Finding
    /// Whether the last import of the document found it too.
    let isKnown: Bool
  }

  struct VersionProblem {
    /// The components that it is about, one of them of the imported source.
    let components: [EventReference]
    /// The place of the first one.
    let origin: ComponentOrigin?
    let finding: Finding
    let isKnown: Bool
  }

  /// Stores a source in the calendar that `source` names. Throws `SourceRefusal` if it may not be stored.
  ///
  /// `severalUIDs` has, by source, the UIDs of which it has some of several components. `progress` gets
  /// the number of components that are done, and of all of a document.
  func run(
    _ source: ImportedSource, _ read: consuming ReadSource, root: String?,
    subscription: SubscriptionRow?, severalUIDs: SeveralUIDs, hooks: Hooks = Hooks(),
    progress: (Int, Int) -> Void
  ) throws -> Outcome {
    let known = try store.source(at: source.location)
    var outcome = Outcome()
    outcome.calendar = source.calendar
    if let known, known.source.calendar != source.calendar {
      outcome.previousCalendar = known.source.calendar
    }
    let change = try StoreChange(store, command)
    defer { change.cancel() }
    let oldGeneration = command.generation
    try hooks.begin(change)
    let id = try change.write(source)
    if let subscription { try change.write(subscription, source: id) }
    if let root {
      try change.write(
        RootFolder(root: root, folder: source.location, encoding: source.encoding))
    }
    var work = Work()
    let (isMail, hasMailOnly) = (read.isMail, read.hasMailOnly)
    try write(consume read, source: id, change, severalUIDs, &work, &outcome, progress)
    let rejected = outcome.components.rejected + outcome.components.rejectedJournals
    if options.isStrict, rejected > 0 { throw SourceRefusal.rejectedComponents(rejected) }
    try checkShrinking(work)
    try takeDecisions(about: work.arrived, of: hooks.taken, to: source, change)
    try hooks.end(change, id)
    if !hooks.taken.isEmpty {
      try StoreRemoval(reader, now: command.moment).remove(hooks.taken, in: change)
    }
    if change.isEmptyStore, work.hasSeveral { try change.makeIndexes() }
    reader.forgetSources()
    try count(
      work, source: id, isMail: isMail || hasMailOnly, severalUIDs,
      generation: command.generation,
      isFirst: change.isEmptyStore, &outcome)
    try correctProblems(&outcome)
    outcome.calendars = try calendars(ofSource: id)
    try change.forgetSupersededCounts(ofSources: outcome.sourcesOfSameUIDs)
    if try store.supersededCount(ofSource: id) == nil {
      try change.note(superseded: outcome.counts.lastingSuperseded, ofSource: id)
    }
    outcome.isChanged = command.generation != oldGeneration || work.isChanged
    if isMail { outcome.calendar = nil }
    if options.isDryRun {
      change.cancel()
      if oldGeneration == nil { command.forgetGeneration() }
    } else {
      try change.noteInterpretation(zones: reader.zones)
      try change.commit()
      try severalUIDs.note(changed: work.changedUIDs)
      try noteIfUnchanged()
    }
    reader.forgetSources()
    return outcome
  }

  /// The components of a source while it is imported.
  private struct Work {
    var present: [(id: Int, uid: Int, kind: ComponentKind, isNew: Bool)] = []
    var gone: [KnownComponent] = []
    /// The components that stay although the source does not have them, because it is cut off or a file
    /// of it cannot be read.
    var staying: [KnownComponent] = []
    var isChanged = false
    /// The UIDs of new documents.
    var arrived: Set<Int> = []
    /// The components of documents that were not read.
    var keptDocuments: [StoredDocument] = []

    /// The UIDs of the components that were written or taken out.
    var changedUIDs: Set<Int> {
      Set(present.lazy.filter(\.isNew).map(\.uid)).union(gone.lazy.map(\.uid))
    }

    /// Whether any UID has several components.
    var hasSeveral: Bool {
      var uids: Set<Int> = []
      uids.reserveCapacity(present.count)
      return present.contains { $0.kind.isMessage || !uids.insert($0.uid).inserted }
    }
  }

  // MARK: Documents

  private func write(
    _ read: consuming ReadSource, source: Int, _ change: StoreChange, _ severalUIDs: SeveralUIDs,
    _ work: inout Work, _ outcome: inout Outcome, _ progress: (Int, Int) -> Void
  ) throws {
    var present: Set<Int> = []
    for document in read.documents {
      switch document.content {
      case .unchanged(let stored):
        present.insert(stored.id)
        work.keptDocuments.append(stored)
        if stored.fingerprint != document.fingerprint || stored.digest != document.digest {
          try change.update(
            revision: stored.revision, fingerprint: document.fingerprint, digest: document.digest)
        }
        outcome.components.add(stored.counts)
        outcome.documentProblems += try StoredFindings(reader).findings(of: stored).map {
          DocumentProblem(document: document.name, finding: $0, isKnown: true)
        }
      case .file(let file):
        let id = try change.document(source: source, name: document.name)
        present.insert(id)
        try write(
          file, document, id, source: source, isMail: read.isMail, change, severalUIDs, &work,
          &outcome, progress)
      case .unreadable(let error):
        let id = try change.document(source: source, name: document.name)
        present.insert(id)
        let finding = Finding.skippedFile(error)
        // It counts as new each time, because the store may lack some of its events.
        outcome.documentProblems.append(
          DocumentProblem(document: document.name, finding: finding, isKnown: false))
        var revision = NewRevision(interpretation: interpretation)
        revision.findings = [finding.stored]
        // An export needs the calendars of the components that are kept.
        if let previous = try store.document(source: source, name: document.name) {
          revision.objects = try store.calendarObjects(ofRevision: previous.revision)
        }
        work.staying += try store.knownComponents(ofDocument: id)
        try change.write(
          revision, document: id, isChange: false, lines: try store.lines(ofDocument: id))
      }
    }
    for stored in try store.documents(ofSource: source) where !present.contains(stored.id) {
      let gone = try store.knownComponents(ofDocument: stored.id)
      work.gone += gone
      work.isChanged = true
      try change.remove(components: gone.lazy.map(\.id))
      try change.remove(revision: stored.revision)
    }
  }

  private func write(
    _ file: CalendarFile, _ document: ReadSource.Document, _ id: Int, source: Int, isMail: Bool,
    _ change: StoreChange, _ severalUIDs: SeveralUIDs, _ work: inout Work,
    _ outcome: inout Outcome, _ progress: (Int, Int) -> Void
  ) throws(StoreError) {
    let storage = DocumentStorage(
      change: change, source: source, interpretation: interpretation)
    let contextIDs = try storage.contexts(of: file)
    let count = file.eventCount
    let result = try DocumentImport(
      change: change, source: source, document: id, file: file,
      severalUIDs: try severalUIDs.ofSource(source)
    ).run(contexts: contextIDs) { progress($0, count) }
    work.present += result.kept.map { ($0.id, $0.uid, $0.kind, false) }
    work.present += result.added.map { ($0.id, $0.uid, $0.kind, true) }
    work.gone += result.gone
    work.staying += result.staying
    var revision = storage.revision(of: file, contexts: contextIDs)
    revision.isMail = isMail
    // A truncated document is read again even if it looks the same.
    if !file.isTruncated {
      revision.fingerprint = document.fingerprint
      revision.digest = document.digest
    }
    outcome.components.add(revision.counts)
    let previous = try store.document(source: source, name: document.name)
    if previous == nil { work.arrived.formUnion(result.added.lazy.map(\.uid)) }
    let known = try previous.map { previous throws(StoreError) in
      Set(try StoredFindings(reader).findings(of: previous))
    }
    outcome.documentProblems += file.findings.map {
      DocumentProblem(
        document: document.name, finding: $0, isKnown: known?.contains($0) ?? false)
    }
    var isChange = !result.added.isEmpty || !result.gone.isEmpty
    if !isChange {
      let objects = try previous.map { previous throws(StoreError) in
        try store.calendarObjects(ofRevision: previous.revision)
      }
      isChange = objects != revision.objects
    }
    work.isChanged = work.isChanged || isChange
    try change.write(revision, document: id, isChange: isChange, lines: result.lines)
  }

  /// Takes along what the user decided: everything about the sources that this one takes in, and what is
  /// about events that have come to it from others, such as those of a copied file.
  private func takeDecisions(
    about uids: Set<Int>, of taken: [String], to source: ImportedSource, _ change: StoreChange
  ) throws {
    guard !source.calendar.isEmpty,
      let decisions = try store.sourceID(at: ImportedSource.decisions.location)
    else { return }
    let decided = uids.intersection(try store.uids(ofSource: decisions))
    if decided.isEmpty, taken.isEmpty { return }
    reader.forgetSources()
    let (stored, storage) = (
      StoredText(store: store),
      DocumentStorage(change: change, source: decisions, interpretation: interpretation)
    )
    for document in try store.documents(ofSource: decisions) {
      let place = DecisionPlace(document: document.name)
      var messages = try store.components(ofDocument: document.id)
      let isTaken = taken.contains(place.location)
      if !isTaken {
        if try reader.calendars(of: place).contains(source.calendar) { continue }
        messages.removeAll { !decided.contains($0.uid) }
      }
      if messages.isEmpty { continue }
      let name = DecisionPlace(
        location: source.location,
        calendar: isTaken ? place.calendar ?? source.calendar : source.calendar
      ).document
      let present = try store.document(source: decisions, name: name)
      let text =
        try (present.map { try stored.document($0) } ?? [])
        + stored.text(of: messages, in: document, keepsEmpty: false)
      let reading = CalendarReader(zones: reader.zones)
      try storage.store(try reading.read(SourceBytes(text), name: ""), as: name)
      if isTaken { try storage.remove(document.name) }
    }
  }

  private func checkShrinking(_ work: Work) throws(SourceRefusal) {
    if options.allowsShrinking { return }
    let kept =
      work.keptDocuments.reduce(0) { $0 + $1.counts.accepted }
      + work.staying.count { !$0.kind.isMessage }
    let after = work.present.count { !$0.kind.isMessage } + kept
    let before =
      work.present.count { !$0.kind.isMessage && !$0.isNew }
      + work.gone.count { !$0.kind.isMessage } + kept
    if after == 0 && before > 0 || before > Self.smallCalendar && after * 2 < before {
      throw .shrunk(from: before, to: after)
    }
  }

  // MARK: Counts

  private func count(
    _ work: Work, source: Int, isMail: Bool, _ severalUIDs: SeveralUIDs, generation: Int?,
    isFirst: Bool, _ outcome: inout Outcome
  ) throws(StoreError) {
    if work.present.isEmpty, work.gone.isEmpty,
      let superseded = try store.supersededCount(ofSource: source)
    {
      let total = work.keptDocuments.reduce(0) {
        $0 + $1.counts.accepted - $1.counts.acceptedJournals
      }
      outcome.counts.addUncounted(total: total, superseded: superseded)
      let doubtful = try severalUIDs.ofSource(source, .doubtful)
      if doubtful.isEmpty { return }
      let uids = doubtful.sorted()
      for start in stride(from: 0, to: uids.count, by: Self.mostUIDsAtOnce) {
        let part = uids[start..<min(uids.count, start + Self.mostUIDsAtOnce)]
        try addProblems(reader.excerpt(ofUIDs: part), before: nil, source: source, &outcome)
      }
      return
    }
    var numbers: [Int: Int] = [:]
    numbers.reserveCapacity(work.present.count)
    for component in work.present { numbers[component.uid, default: 0] += 1 }
    for component in work.gone { numbers[component.uid, default: 0] += 1 }
    // What only this source has, once, and before or after the import, means what it says.
    let ofOthers = isFirst ? [] : try store.uids(.ofSeveral, among: numbers.keys)
    var several = try severalUIDs.ofSource(source)
    for (uid, number) in numbers where number > 1 || ofOthers.contains(uid) { several.insert(uid) }
    for component in work.present where component.kind.isMessage { several.insert(component.uid) }
    for component in work.gone where component.kind.isMessage { several.insert(component.uid) }
    var added = 0
    var unchanged = 0
    for component in work.present where !several.contains(component.uid) {
      if component.kind == .journal { continue }
      if component.isNew { added += 1 } else { unchanged += 1 }
    }
    let removed = work.gone.count { !several.contains($0.uid) && $0.kind != .journal }
    outcome.counts.addSingles(added: added, unchanged: unchanged, removed: removed)
    let kept = try keptComponents(work, several)
    outcome.counts.addSingles(unchanged: kept.singles)
    guard !several.isEmpty else { return }
    let changed = work.changedUIDs.intersection(several)
    var components: [Int: [VersionCounts.Component]] = [:]
    // In the order of the source, so that problems are found in it.
    var uids: [Int] = []
    func add(_ component: VersionCounts.Component?, _ uid: Int) {
      guard several.contains(uid) else { return }
      if components[uid] == nil { uids.append(uid) }
      components[uid, default: []] += [component].compactMap(\.self)
    }
    for part in work.present {
      add(VersionCounts.Component(id: part.id, isNew: part.isNew), part.uid)
    }
    for part in kept.several { add(VersionCounts.Component(id: part.id, isNew: false), part.uid) }
    for uid in several.sorted() { add(nil, uid) }
    let gone = Set(work.gone.map(\.id))
    for start in stride(from: 0, to: uids.count, by: Self.mostUIDsAtOnce) {
      let uids = uids[start..<min(uids.count, start + Self.mostUIDsAtOnce)]
      let after = try reader.excerpt(ofUIDs: uids)
      /// `nil` if it is the same as after the import.
      var before: StoreExcerpt?
      if let generation, uids.contains(where: changed.contains) || outcome.previousCalendar != nil {
        before = try reader.excerpt(
          ofUIDs: uids, ofSource: source, before: generation, present: after.events)
      }
      if !changed.isEmpty {
        outcome.sourcesOfSameUIDs.formUnion(after.events.lazy.map(\.reference.source))
      }
      outcome.counts.count(
        uids.flatMap { components[$0] ?? [] }, gone: gone, source: source, isMail: isMail,
        before: before ?? after, after: after)
      try addProblems(after, before: before, source: source, &outcome)
    }
    outcome.sourcesOfSameUIDs.remove(source)
  }

  /// The components of so many UIDs are decoded at once, as before the import and as after it. Those of
  /// tens of thousands would take too much memory.
  private static let mostUIDsAtOnce = 4096

  /// The components of documents that were not read: how many have a UID of their own, and the others.
  private func keptComponents(
    _ work: Work, _ several: Set<Int>
  ) throws(StoreError) -> (singles: Int, several: [(id: Int, uid: Int)]) {
    var total = 0
    var found: [(id: Int, uid: Int)] = []
    for document in work.keptDocuments {
      total += document.counts.accepted - document.counts.acceptedJournals
      if several.isEmpty { continue }
      for component in try store.knownComponents(ofDocument: document.id, uids: several) {
        found.append((component.id, component.uid))
        if component.kind.subject != .journal { total -= 1 }
      }
    }
    return (total, found)
  }

  private func addProblems(
    _ after: StoreExcerpt, before: StoreExcerpt?, source: Int, _ outcome: inout Outcome
  ) throws(StoreError) {
    let problems = try reader.problems(of: after, reportedBy: source)
    let previous = try before.map { before throws(StoreError) in
      try reader.problems(of: before, reportedBy: source)
    }
    var known: [Finding: Int] = [:]
    for (_, finding) in previous ?? problems { known[finding, default: 0] += 1 }
    for (references, finding) in problems {
      let count = known[finding] ?? 0
      known[finding] = max(0, count - 1)
      // A problem of other sources alone is theirs, unless this import causes it.
      guard let first = references.first,
        count == 0 || references.contains(where: { $0.source == source })
      else { continue }
      outcome.versionProblems.append(
        VersionProblem(
          components: references, origin: try reader.origin(of: after.files.component(of: first)),
          finding: finding, isKnown: count > 0))
    }
  }

  /// What a source has that is certainly unchanged, without any change of the store.
  func confirmed(
    _ source: StoredSource, _ document: StoredDocument, severalUIDs: SeveralUIDs
  ) throws(StoreError) -> Outcome {
    var outcome = Outcome()
    outcome.calendar = source.source.calendar
    var work = Work()
    work.keptDocuments = [document]
    outcome.components = document.counts
    outcome.documentProblems = try StoredFindings(reader).findings(of: document).map {
      DocumentProblem(document: document.name, finding: $0, isKnown: true)
    }
    try count(
      work, source: source.id, isMail: false, severalUIDs, generation: nil, isFirst: false,
      &outcome)
    try correctProblems(&outcome)
    outcome.calendars = try calendars(ofSource: source.id)
    if !options.isDryRun { try noteIfUnchanged() }
    return outcome
  }

  private func calendars(ofSource source: Int) throws(StoreError) -> [String] {
    try store.hasNamedContexts() ? try store.calendarNames(ofSource: source) : []
  }

  /// Without a moment, `changes` lists nothing after an import that changed nothing.
  private func noteIfUnchanged() throws(StoreError) {
    if command.generation == nil { try store.noteUnchangedImport() }
  }

  private func correctProblems(_ outcome: inout Outcome) throws(StoreError) {
    let stored = StoredFindings(reader)
    outcome.documentProblems = try outcome.documentProblems.map { problem throws(StoreError) in
      DocumentProblem(
        document: problem.document,
        finding: try stored.corrected(problem.finding, calendar: outcome.calendar),
        isKnown: problem.isKnown)
    }
  }
}

/// The UIDs of several components and the doubtful ones among them, by source, while an import runs. Each
/// group is read once, and then follows the changes.
final class SeveralUIDs {
  private let store: Store
  private var bySource: [Store.UIDGroup: [Int: Set<Int>]] = [:]

  init(_ store: Store) { self.store = store }

  func ofSource(_ source: Int, _ group: Store.UIDGroup = .ofSeveral) throws(StoreError) -> Set<Int>
  {
    let known = bySource[group]
    let all: [Int: Set<Int>]
    if let known { all = known } else { all = try store.uidsBySource(group) }
    bySource[group] = all
    return all[source] ?? []
  }

  /// If more UIDs changed, all are read again when they are needed.
  private static let mostChanges = 1000

  /// Must be called after a change of components with these UIDs.
  func note(changed uids: Set<Int>) throws(StoreError) {
    guard uids.count <= Self.mostChanges else {
      bySource = [:]
      return
    }
    for (group, known) in bySource {
      for source in known.keys { bySource[group]?[source]?.subtract(uids) }
      for (source, found) in try store.uidsBySource(group, among: uids) {
        bySource[group]?[source, default: []].formUnion(found)
      }
    }
  }
}

extension DocumentCounts {
  mutating func add(_ other: DocumentCounts) {
    components += other.components
    rejected += other.rejected
    journals += other.journals
    rejectedJournals += other.rejectedJournals
    freeBusy += other.freeBusy
  }

  /// What became components of the store, journals included.
  var accepted: Int { components - rejected + acceptedJournals }

  var acceptedJournals: Int { journals - freeBusy - rejectedJournals }
}

extension CalendarFile {
  var documentCounts: DocumentCounts {
    var counts = DocumentCounts()
    counts.components = componentCount
    counts.rejected = rejectedCount
    counts.journals = journalCount
    counts.rejectedJournals = rejectedJournalCount
    counts.freeBusy = freeBusyCount
    return counts
  }
}
