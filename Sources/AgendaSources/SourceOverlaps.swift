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
    let files = try reader.presentSources().filter {
      $0.source.kind == .file && $0.source.calendar != own.source.calendar
    }
    for copy in try files.within([], ofSource: own.id, reader.store) {
      findings.append(.sameEvents(copy.source.location, calendar: copy.source.calendar))
    }
    return findings
  }

  /// The sources at paths where nothing is any more, if one that was read has all of their events: it is
  /// the same source at another place.
  func moved(to read: ReadSource) throws -> [StoredSource] {
    let gone = try reader.presentSources().filter {
      ($0.source.kind == .file || $0.source.kind == .folder && origin.kind == .folder)
        && $0.source.location != origin.location && FileStatus(path: $0.source.location) == nil
    }
    if gone.isEmpty || ![.file, .folder].contains(origin.kind) { return [] }
    var uids: Set<Int> = []
    for case .file(let file) in read.documents.map(\.content) {
      file.forEachEvent { event, _ in
        uids.insert(reader.store.uidDigest(of: event.identity.uid, ComponentKind(event.kind)))
      }
    }
    return try gone.within(
      uids, ofSource: reader.store.sourceID(at: origin.location), reader.store)
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

extension [StoredSource] {
  /// Those with a calendar whose events all have some of these UIDs, or those of a source.
  fileprivate func within(
    _ uids: Set<Int>, ofSource source: Int?, _ store: Store
  ) throws -> [StoredSource] {
    let candidates = filter { !$0.source.calendar.isEmpty }
    if candidates.isEmpty { return [] }
    var uids = uids
    if let source { uids.formUnion(try store.uids(ofSource: source)) }
    return try candidates.filter { other in
      let own = try store.uids(ofSource: other.id)
      return !own.isEmpty && uids.isSuperset(of: own)
    }
  }
}
