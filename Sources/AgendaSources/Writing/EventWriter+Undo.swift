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
    var folders: [String: FolderWriter] = [:]
    for file in files {
      let folder = try folders[file.folder] ?? FolderWriter(file.folder)
      folders[file.folder] = folder
      guard try folder.contents(of: file.name) == file.written else {
        throw WritingError.unwritable(
          file: "\(file.folder)/\(file.name)",
          reason: "changed since agenda wrote it, so nothing was undone")
      }
    }
    var done: [WrittenFile] = []
    do {
      return try store.undo(run: run) {
        for file in files.reversed() {
          try folders[file.folder]?.replace(file.name, file.written, with: file.previous)
          done.append(file)
        }
      }
    } catch {
      for file in done.reversed() {
        try? folders[file.folder]?.replace(file.name, file.previous, with: file.written)
      }
      throw error
    }
  }
}
