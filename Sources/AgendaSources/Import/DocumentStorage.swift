internal import AgendaReader
internal import AgendaStore

/// Stores documents of one source: the same for an import and for an edit.
struct DocumentStorage {
  let change: StoreChange
  let source: Int
  /// Identifies how the documents were read.
  let interpretation: Int

  /// Makes a document equal to a file that agenda has written. `previous` is what the file had before, if
  /// it is truncated: what it lacks of that is gone.
  func store(
    _ file: CalendarFile, as name: String, replacing previous: CalendarFile? = nil
  ) throws(StoreError) {
    let document = try change.document(source: source, name: name)
    let contexts = try self.contexts(of: file)
    let known = try change.store.knownComponents(ofDocument: document)
    let several = try change.store.uids(.ofSeveral, among: Set(known.map(\.uid)))
    let result = try DocumentImport(
      change: change, source: source, document: document, file: file, severalUIDs: several,
      previous: previous.map(digests) ?? []
    ).run(contexts: contexts) { _ in }
    // Without a fingerprint, the next refresh reads the file again.
    try change.write(
      revision(of: file, contexts: contexts), document: document, isChange: true,
      lines: result.lines)
  }

  private func digests(of file: CalendarFile) -> Set<Int> {
    var digests: Set<Int> = []
    file.forEachEvent { digests.insert(ComponentDigest(of: $1, key: change.key).value) }
    return digests
  }

  /// Takes out a document with its components.
  func remove(_ name: String) throws(StoreError) {
    guard let document = try change.store.document(source: source, name: name) else { return }
    let known = try change.store.knownComponents(ofDocument: document.id)
    try change.remove(components: known.lazy.map(\.id))
    try change.remove(revision: document.revision)
  }

  /// The numbers of the contexts of a file. Its calendars are created if they are missing.
  func contexts(of file: CalendarFile) throws(StoreError) -> [Int] {
    let names = file.calendarNames
    for (name, color) in zip(names ?? [], file.calendarColors) {
      try change.write(calendar: name, color: color)
    }
    var numbers: [Int] = []
    for (index, context) in file.contexts.enumerated() {
      numbers.append(
        try change.context(
          StoredContext(
            calendarName: names?[index], isCalendar: context.isCalendar, text: context.text)))
    }
    return numbers
  }

  /// What a file has besides its components.
  func revision(of file: CalendarFile, contexts: [Int]) -> NewRevision {
    var revision = NewRevision(interpretation: interpretation)
    revision.counts = file.documentCounts
    let parts = file.otherComponents.filter { $0.name != "VTIMEZONE" }
    revision.objects = file.calendarProperties.enumerated().map { number, lines in
      StoredCalendarObject(
        context: contexts[number], lines: lines,
        parts: parts.filter { $0.calendar == number }.map { Array($0.bytes) })
    }
    revision.findings = file.findings.map(\.stored)
    return revision
  }
}
