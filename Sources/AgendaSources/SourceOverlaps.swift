internal import AgendaCore
internal import AgendaStore

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

  /// Findings about other sources that contain an imported folder, and about those that it has taken in.
  func findings(isInRoot: Bool, taken: [StoredSource]) throws -> [Finding] {
    guard origin.kind == .folder else { return [] }
    var findings = taken.map(\.source).map {
      Finding.alsoSingleFile($0.location, calendar: $0.calendar)
    }
    if !isInRoot,
      let root = try reader.store.rootFolders().first(where: { $0.folder == origin.location })?
        .root
    {
      findings.append(.alsoInRoot(root))
    }
    return findings
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
