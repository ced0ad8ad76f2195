internal import AgendaStore
package import CivilTime
internal import Platform

/// Finishes a change of files in the middle of which a command was killed, so that folders and store
/// agree again. A change of which no file was written is forgotten.
package struct WritingRecovery {
  private let store: Store
  private let zones: ZoneDatabase

  /// Returns whether the store was changed. While the command is still running, it holds the locks
  /// of its folders, and nothing is done.
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
    // The command may have finished just before its lock was free.
    guard let pending = try store.pendingFiles(),
      pending.files.allSatisfy({ folders[$0.folder] != nil })
    else { return false }
    var unwritten: [WrittenFile] = []
    for file in pending.files {
      let present = try folders[file.folder]?.contents(of: file.name)
      if present == file.written { continue }
      guard present == file.previous else {
        // Another program has changed it since; refresh reads what is there.
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
        try folders[file.folder]?.replace(file.name, file.previous, with: file.written)
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

  /// What the files mean for the store, by folder.
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
