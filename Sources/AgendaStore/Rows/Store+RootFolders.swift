/// A folder that is a calendar of a root.
package struct RootFolder: Hashable, Sendable {
  /// The path of the root.
  package var root: String
  /// The location of the source.
  package var folder: String
  /// The encoding that the root was imported with.
  package var encoding: String?
}

/// The table `root_folder` has one row for each folder that was imported with a root. The row stays
/// when the source is removed, so that `refresh` doesn't import the folder as a new one.
extension Store {
  package func rootFolders() throws(StoreError) -> [RootFolder] {
    let rows = try connection.statement(
      "SELECT \(Schema.rootFolder.columnList) FROM root_folder ORDER BY id")
    var folders: [RootFolder] = []
    while try rows.step() {
      folders.append(
        RootFolder(
          root: rows.text("root"), folder: rows.text("folder"),
          encoding: rows.optionalText("encoding")))
    }
    return folders
  }

  func write(_ folder: RootFolder, run: Int) throws(StoreError) {
    let known = try connection.integer(
      "SELECT id FROM root_folder WHERE root = ?1 AND folder = ?2", folder.root, folder.folder)
    if let known {
      // The row keeps its run, so `undo` of a later run does not delete it.
      return try connection.update(
        Schema.rootFolder, set: ["encoding": folder.encoding], where: "id = ?", known)
    }
    var row = Row(columns: 4, key: key)
    row.add("root", folder.root)
    row.add("folder", folder.folder)
    row.add("encoding", folder.encoding)
    row.add("run", run)
    try connection.insert(
      row, id: connection.nextID(in: Schema.rootFolder), into: Schema.rootFolder)
  }
}
