package import AgendaStore
package import CivilTime
internal import Platform

/// Undoes the last command, with the files that it wrote.
package struct WritingUndo {
  private let store: Store

  package init(storePath: String, zones: ZoneDatabase) throws {
    store = try Store.open(writing: storePath, zones: zones)
  }

  /// Nothing is undone if one of the files was changed since.
  package func run() throws -> [UndoneImport] {
    guard let run = try store.lastRun() else { throw StoreError.nothingToUndo }
    let files = try store.writtenFiles(run: run)
    let folders = try FolderWriter.locking(files.map(\.folder))
    for file in files {
      guard try folders[file.folder]?.contents(of: file.name) == file.written else {
        throw WritingError.unwritable(
          file: "\(file.folder)/\(file.name)",
          reason: "changed since agenda wrote it, so nothing was undone; agenda changes shows the "
            + "previous values, and agenda edit sets them")
      }
    }
    let restored = files.reversed().map {
      WrittenFile(
        folder: $0.folder, name: $0.name, previous: $0.written, written: $0.previous,
        permissions: $0.permissions)
    }
    if !files.isEmpty {
      try store.announce(
        PendingFiles(.undone, moment: Instant(secondsSinceEpoch: 0), files: restored))
    }
    var begun: [WrittenFile] = []
    do {
      return try store.undo(run: run) {
        for file in restored {
          begun.append(file)
          try folders[file.folder]?.replace(
            file.name, file.previous, with: file.written, permissions: file.permissions)
        }
      }
    } catch {
      for file in begun.reversed() { try? folders[file.folder]?.restore(file) }
      try? store.forgetPendingFiles()
      throw error
    }
  }
}
