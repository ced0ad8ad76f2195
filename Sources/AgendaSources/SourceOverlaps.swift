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
    let finding = Finding(.warning, .partOfFolder(folder, calendar: calendar))
    if let wanted, wanted != calendar {
      return SourceReport(
        source: name, calendar: wanted,
        error: "\(finding.message); a file of a folder cannot move to another calendar")
    }
    return SourceReport(
      source: name, calendar: calendar,
      problems: [SourceFinding(source: name, finding: finding)])
  }

  /// Findings about other sources that contain an imported folder.
  func findings(isInRoot: Bool) throws -> [Finding] {
    guard origin.kind == .folder else { return [] }
    var findings: [Finding] = []
    if !isInRoot,
      let root = try reader.store.rootFolders().first(where: { $0.folder == origin.location })?
        .root
    {
      findings.append(Finding(.warning, .alsoInRoot(root)))
    }
    findings += try files().map {
      Finding(.warning, .alsoSingleFile($0.location, calendar: $0.calendar))
    }
    return findings
  }

  /// Removes the sources that are files of an imported folder, because the folder has the same
  /// events.
  func removeFiles(_ command: StoreCommand) throws {
    let locations = try files().map(\.location)
    if locations.isEmpty { return }
    let change = try StoreChange(reader.store, command)
    defer { reader.forgetSources() }
    try StoreRemoval(reader, now: command.moment).remove(locations, in: change)
    try change.commit()
  }

  private func files() throws -> [ImportedSource] {
    guard origin.kind == .folder else { return [] }
    return try reader.presentSources().map(\.source).filter {
      $0.kind == .file && Source.parent(of: $0.location) == origin.location
        && CalendarRoot.isPart($0.location)
    }
  }
}
