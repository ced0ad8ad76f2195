internal import AgendaCore
internal import AgendaReader
internal import AgendaStore

/// What is wrong with the sources of a store: what their last imports found in each document, and what
/// versions and messages of all documents mean together.
struct StoredFindings {
  private let reader: StoreReader

  init(_ reader: StoreReader) { self.reader = reader }

  private struct Found {
    let source: Int
    let document: String
    let finding: SourceFinding

    /// As the files of a source are read; those that cannot be read come last.
    static func < (left: Found, right: Found) -> Bool {
      if left.source != right.source { return left.source < right.source }
      if left.isSkipped != right.isSkipped { return right.isSkipped }
      if left.document != right.document {
        return left.document.utf8.lexicographicallyPrecedes(right.document.utf8)
      }
      return (left.finding.finding.line ?? 0) < (right.finding.finding.line ?? 0)
    }

    private var isSkipped: Bool { finding.finding.isAboutSkippedFile }
  }

  /// One finding for each kind of problem in a source, as when the source is read.
  func all() throws(StoreError) -> [SourceFinding] {
    var found: [Found] = []
    for document in try reader.store.documentsWithFindings() {
      guard let source = try reader.source(document.source) else { continue }
      let name = ComponentOrigin(
        source: source.id, kind: source.source.kind, location: source.source.location,
        document: document.name, line: nil
      ).place(inStore: reader.store.path).source
      found += try findings(of: document).map { finding throws(StoreError) in
        Found(
          source: source.id, document: document.name,
          finding: SourceFinding(
            source: name, finding: try corrected(finding, calendar: source.source.calendar)))
      }
    }
    let together = try reader.excerpt(ofUIDs: try reader.store.uids(.doubtful))
    for (references, finding) in try reader.problems(of: together) {
      guard let first = references.first, let origin = try reader.origin(of: first) else {
        continue
      }
      let name = origin.place(inStore: reader.store.path).source
      found.append(
        Found(
          source: origin.source, document: origin.document,
          finding: SourceFinding(source: name, finding: finding)))
    }
    // Of one line, those that the document has by itself come first.
    let ordered = found.enumerated().sorted {
      $0.element < $1.element || !($1.element < $0.element) && $0.offset < $1.offset
    }.map(\.element)
    let sources = Dictionary(grouping: ordered, by: \.source)
    return sources.keys.sorted().flatMap { sources[$0]?.map(\.finding).grouped ?? [] }
  }

  /// Corrects a finding of one document by what the other sources have. If another source of the calendar
  /// has the series of an override, agenda does not read the override as a series.
  func corrected(_ finding: Finding, calendar: String?) throws(StoreError) -> Finding {
    guard finding.isAboutMissingSeries, let uid = finding.uid,
      let kind = Event.Kind.allCases.first(where: { $0.component == finding.component })
        .map({ ComponentKind($0) })
    else { return finding }
    let components = try reader.store.components(ofUIDs: [reader.store.uidDigest(of: uid, kind)])
    let files = try reader.files(components)
    let hasSeries = files.componentEvents.contains { event in
      event.identity.recurrenceID == nil && event.calendar == calendar
        && !files.isMessage(event.reference)
    }
    return hasSeries ? finding.reworded(as: .ruleInOverride) : finding
  }

  /// What the last import found in a document by itself.
  func findings(of document: StoredDocument) throws(StoreError) -> [Finding] {
    try reader.store.findings(ofRevision: document.revision).compactMap(Finding.init)
  }
}

extension StoreReader {
  /// The problems of an excerpt, each with the components that it is about. Their places are those in
  /// the sources. `source` is the one whose report has them.
  func problems(
    of excerpt: StoreExcerpt, reportedBy source: Int? = nil
  ) throws(StoreError) -> [([EventReference], Finding)] {
    let events = excerpt.files.eventsOfProblems(excerpt.assembly)
    return try excerpt.assembly.problems(
      events: events, of: source, keepsMails: true
    ) { reference throws(StoreError) in
      let component = excerpt.files.component(of: reference)
      guard let origin = try self.origin(of: component) else { return nil }
      let place = origin.place(inStore: store.path)
      return SeriesAssembly.Position(file: place.source, line: place.line)
    }
  }
}
