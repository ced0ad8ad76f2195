internal import AgendaStore
package import CivilTime
internal import Platform

/// Finishes a change of files if the command was killed before its end, so that folders and store
/// agree again. A change that has not written any file is discarded.
package struct WritingRecovery {
  private let store: Store
  private let zones: ZoneDatabase

  /// Returns whether the store was changed. A command that is still running holds the locks of its
  /// folders, and its change is left alone.
  package static func run(storePath: String, zones: ZoneDatabase) throws -> Bool {
    let recovery = WritingRecovery(
      store: try Store.open(writing: storePath, zones: zones), zones: zones)
    return try recovery.run()
  }

  private func run() throws -> Bool {
    guard let announced = try store.pendingFiles() else { return false }
    var folders: [String: FolderWriter] = [:]
    for path in Set(announced.files.map(\.folder)).sorted() {
      do throws(FolderWriter.Failure) {
        guard let folder = try FolderWriter(ifFree: path) else { return false }
        folders[path] = folder
      } catch {
        // Without its folder, the state of the change cannot be determined.
        try store.forgetPendingFiles()
        return false
      }
    }
    // The command may have finished shortly before its lock was free.
    guard let pending = try store.pendingFiles(),
      pending.files.allSatisfy({ folders[$0.folder] != nil })
    else { return false }
    var unwritten: [WrittenFile] = []
    for file in pending.files {
      let present = try folders[file.folder]?.contents(of: file.name)
      if present == file.written { continue }
      guard present == file.previous else {
        // Another program has changed the file since. The next refresh reads it.
        try store.forgetPendingFiles()
        return false
      }
      unwritten.append(file)
    }
    guard unwritten.count < pending.files.count else {
      try store.forgetPendingFiles()
      return false
    }
    let writeRest = {
      for file in unwritten {
        try folders[file.folder]?.replace(
          file.name, file.previous, with: file.written, permissions: file.permissions)
      }
    }
    if pending.action == .undone {
      _ = try store.undo(restoring: writeRest)
    } else {
      try store.write(
        try changes(of: pending), action: WrittenAction(pending.action), run: store.nextRun(),
        now: pending.moment, writingFiles: writeRest)
    }
    return true
  }

  /// The rows of the store that follow from the files, by folder.
  private func changes(of pending: PendingFiles) throws -> [WrittenChange] {
    let sources = try store.calendars().flatMap(\.sources).map(\.source)
    let writer = EventWriter(
      EventWriter.Options(storePath: "", zones: zones, now: pending.moment, viewer: .utc),
      store: store)
    var changes: [WrittenChange] = []
    for file in pending.files {
      guard let source = sources.first(where: { $0.location == file.folder }) else { continue }
      let place = FolderPlace(path: file.folder, calendar: source.calendar)
      let document = try writer.document(file.name, file.written, in: place).document
      if changes.last?.location != file.folder {
        changes.append(WrittenChange(location: file.folder, documents: []))
      }
      changes[changes.count - 1].documents.append(document)
      changes[changes.count - 1].files.append(file)
    }
    return changes
  }
}
