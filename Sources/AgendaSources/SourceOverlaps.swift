internal import AgendaCore
internal import AgendaStore
internal import CivilTime

/// Finds sources of the store that contain a file or folder that is to be imported, or are
/// contained in it.
struct SourceOverlaps {
  let store: Store
  let origin: SourceOrigin

  /// The report on a file of a folder that is a source. The file does not become a source, because
  /// its events would be stored twice. `calendar` is the name that the user gave.
  func reportOnFolderFile(calendar wanted: String?) throws -> SourceReport? {
    guard origin.kind == .file, let folder = Source.parent(of: origin.location),
      CalendarRoot.isPart(origin.location), let calendar = try store.calendar(ofSource: folder)
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
  func findings(isInRoot: Bool) throws -> [SourceFinding] {
    guard origin.kind == .folder else { return [] }
    var findings: [Finding] = []
    if !isInRoot,
      let root = try store.rootFolders().first(where: { $0.folder == origin.location })?.root
    {
      findings.append(Finding(.warning, .alsoInRoot(root)))
    }
    findings += try files().map {
      Finding(.warning, .alsoSingleFile($0.location, calendar: $0.calendar))
    }
    return findings.map { SourceFinding(source: "", finding: $0) }
  }

  /// Removes the sources that are files of an imported folder, because the folder has the same
  /// events.
  func removeFiles(run: Int, now: Instant) throws {
    let locations = try files().map(\.location)
    if !locations.isEmpty { _ = try store.remove(sources: locations, run: run, now: now) }
  }

  private func files() throws -> [ImportedSource] {
    guard origin.kind == .folder else { return [] }
    return try store.calendars().flatMap(\.sources).map(\.source).filter {
      $0.kind == .file && Source.parent(of: $0.location) == origin.location
        && CalendarRoot.isPart($0.location)
    }
  }
}
