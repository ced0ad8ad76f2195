internal import AgendaStore
package import CivilTime
internal import Platform

/// Undoes the last command, with the files that it wrote.
package struct WritingUndo {
  private let store: Store
  private let zones: ZoneDatabase

  package init(storePath: String, zones: ZoneDatabase) throws {
    store = try Store.open(writing: storePath)
    self.zones = zones
  }

  /// Nothing is undone if one of the files was changed since.
  package func run() throws -> [UndoneImport] {
    guard let last = try store.generations(atMost: 1).first else { throw StoreError.nothingToUndo }
    let files = try store.writtenFiles(by: last.id)
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
    let undone = try StoreReader(store, zones: zones).undone(generation: last.id)
    if !files.isEmpty {
      try store.announce(
        PendingChange(
          "undo", moment: last.moment, undoing: last.id, files: restored))
    }
    var begun: [WrittenFile] = []
    do {
      try store.undo(generation: last.id) {
        for file in restored {
          begun.append(file)
          try folders[file.folder]?.replace(
            file.name, file.previous, with: file.written, permissions: file.permissions)
        }
      }
    } catch {
      for file in begun.reversed() { try? folders[file.folder]?.restore(file) }
      if !files.isEmpty { try? store.forgetPendingChange() }
      throw error
    }
    return undone
  }
}
