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
    let recovery = WritingRecovery(store: try Store.open(writing: storePath), zones: zones)
    return try recovery.run()
  }

  private func run() throws -> Bool {
    guard let announced = try store.pendingChange() else { return false }
    var folders: [String: FolderWriter] = [:]
    for path in Set(announced.files.map(\.folder)).sorted() {
      do throws(FolderWriter.Failure) {
        guard let folder = try FolderWriter(ifFree: path) else { return false }
        folders[path] = folder
      } catch {
        // Without its folder, the state of the change cannot be determined.
        try store.forgetPendingChange()
        return false
      }
    }
    // The command may have finished shortly before its lock was free.
    guard let pending = try store.pendingChange(),
      pending.files.allSatisfy({ folders[$0.folder] != nil })
    else { return false }
    guard let unwritten = try unwritten(pending.files, in: folders) else {
      try store.forgetPendingChange()
      return false
    }
    let writeRest = {
      for file in unwritten {
        try folders[file.folder]?.replace(
          file.name, file.previous, with: file.written, permissions: file.permissions)
      }
    }
    switch pending.work {
    case .undo(let generation, let isContinued):
      try store.undo(generation: generation, isContinued: isContinued, files: writeRest)
    case .redo(let generation):
      try store.redo(generation: generation, files: writeRest)
    case .change(let command):
      let session = EditSession(
        EditSession.Options(
          zones: zones, now: pending.moment, viewer: .utc), store: store)
      try session.store(
        pending.files, StoreCommand(command, at: pending.moment), writeRest: writeRest)
    }
    return true
  }

  /// The files that still have their previous content; `nil` if the command has surely written none. Any
  /// of them can be finished without the others, because files are written in an order that loses
  /// nothing. What another program has changed since stays; the next refresh reads it.
  private func unwritten(
    _ files: [WrittenFile], in folders: [String: FolderWriter]
  ) throws -> [WrittenFile]? {
    var unwritten: [WrittenFile] = []
    var hasBegun = false
    for file in files {
      let present = try folders[file.folder]?.contents(of: file.name)
      if present == file.written {
        hasBegun = true
      } else if present == file.previous {
        unwritten.append(file)
      } else if file.previous == nil {
        // Nobody else creates a file with this name, so it was changed after the command wrote it.
        hasBegun = true
      }
    }
    return hasBegun ? unwritten : nil
  }
}
