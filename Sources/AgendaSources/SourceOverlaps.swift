internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import Platform

/// Finds sources of the store that contain a file or folder that is to be imported, or are
/// contained in it.
struct SourceOverlaps {
  let reader: StoreReader
  let origin: SourceOrigin

  /// The report on a file of a folder that is a source. The file does not become a source, because
  /// its events would be stored twice. `calendar` is the name that the user gave.
  func reportOnFolderFile(calendar wanted: String?) throws -> SourceReport? {
    guard origin.kind == .file, let folder = Source.parent(of: origin.location),
      CalendarRoot.isPart(origin.location),
      let calendar = try reader.store.source(at: folder)?.source.calendar
    else { return nil }
    let name = origin.source.displayName
    let finding = Finding.partOfFolder(folder, calendar: calendar)
    if let wanted, wanted != calendar {
      return SourceReport(
        source: name, calendar: wanted,
        error: "\(finding.message); a file of a folder cannot move to another calendar")
    }
    return SourceReport(
      source: name, calendar: calendar,
      problems: [SourceFinding(source: name, finding: finding)])
  }

  /// Findings about other sources that contain an imported folder, about those that it has taken in, and
  /// about those of other calendars that have the same events.
  func findings(isInRoot: Bool, taken: [StoredSource]) throws -> [Finding] {
    var findings = taken.map(\.source).map {
      Finding.takenIn($0.location, calendar: $0.calendar)
    }
    guard origin.kind == .folder else { return findings }
    if !isInRoot,
      let root = try reader.store.rootFolders().first(where: { $0.folder == origin.location })?
        .root
    {
      findings.append(.alsoInRoot(root))
    }
    guard let own = try reader.store.source(at: origin.location) else { return findings }
    let uids = Set(try reader.store.uids(ofSource: own.id))
    let files = try reader.presentSources().filter {
      $0.source.kind == .file && !$0.source.calendar.isEmpty
        && $0.source.calendar != own.source.calendar
    }
    for copy in files {
      let others = try reader.store.uids(ofSource: copy.id)
      guard !others.isEmpty, uids.isSuperset(of: others) else { continue }
      findings.append(.sameEvents(copy.source.location, calendar: copy.source.calendar))
    }
    return findings
  }

  /// A source that is now at another place.
  struct Moved {
    let source: StoredSource
    /// Whether nothing else is at the other place, so that a name for it fits.
    let isWhole: Bool
  }

  /// The sources at paths where nothing is any more, if one that was read has all of their components word
  /// for word. If the folder of a path is gone, too, it may be on a disk that is not mounted.
  func moved(to read: ReadSource) throws -> [Moved] {
    let gone = try reader.presentSources().filter {
      ($0.source.kind == .file || $0.source.kind == .folder && origin.kind == .folder)
        && !$0.source.calendar.isEmpty && $0.source.location != origin.location
        && FileStatus(path: $0.source.location) == nil
        && Source.parent(of: $0.source.location).map { FileStatus(path: $0) != nil } ?? false
    }
    if gone.isEmpty || ![.file, .folder].contains(origin.kind) { return [] }
    let store = reader.store
    var digests: Set<Int> = []
    for document in read.documents {
      switch document.content {
      case .file(let file):
        file.forEachEvent { digests.insert(ComponentDigest(of: $1, key: store.key).value) }
      case .unchanged(let stored):
        digests.formUnion(try store.knownComponents(ofDocument: stored.id).map(\.digest))
      case .unreadable: break
      }
    }
    return try gone.compactMap { source in
      var own: Set<Int> = []
      for document in try store.documents(ofSource: source.id) {
        own.formUnion(try store.knownComponents(ofDocument: document.id).map(\.digest))
      }
      if own.isEmpty || !digests.isSuperset(of: own) { return nil }
      return Moved(source: source, isWhole: own.count == digests.count)
    }
  }

  /// The sources that an imported folder takes in: its files. The folder has the same events.
  func files() throws -> [StoredSource] {
    guard origin.kind == .folder else { return [] }
    return try reader.presentSources().filter { $0.source.isFile(of: origin.location) }
  }
}

extension ImportedSource {
  /// Whether it is a file that an import of the folder reads.
  func isFile(of folder: String) -> Bool {
    kind == .file && Source.parent(of: location) == folder && CalendarRoot.isPart(location)
  }
}
