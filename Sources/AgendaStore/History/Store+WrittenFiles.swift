package import CivilTime

/// A file of a folder before and after a change; `nil` means no file.
package struct WrittenFile: Hashable, Sendable {
  package var folder: String
  package var name: String
  package var previous: [UInt8]?
  package var written: [UInt8]?
  /// The permissions of the file if it is created, by the change or by its undo; `nil` for the usual
  /// ones. A file that is replaced keeps its own.
  package var permissions: UInt32?

  package init(
    folder: String, name: String, previous: [UInt8]?, written: [UInt8]?, permissions: UInt32?
  ) {
    self.permissions = permissions
    self.folder = folder
    self.name = name
    self.previous = previous
    self.written = written
  }
}

/// Files that a command is about to write. They are recorded before the first one is written, so
/// that a later command can finish the change if the process is killed.
package struct PendingChange: Sendable {
  package var moment: Instant
  /// The command that writes the files.
  package var command: String
  /// The generation that `undo` takes back: `previous` of the files is what agenda had written. `nil`
  /// for any other command.
  package var undoneGeneration: Int?
  package var files: [WrittenFile]

  package init(
    _ command: String, moment: Instant, undoing generation: Int? = nil, files: [WrittenFile]
  ) {
    self.moment = moment
    self.command = command
    undoneGeneration = generation
    self.files = files
  }
}

extension Store {
  /// Records files before they are written. The caller holds the locks of their folders.
  package func announce(_ pending: PendingChange) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      try forgetPendingChange()
      var row = Row(columns: 3, key: key)
      row.add("moment", pending.moment.secondsSinceEpoch)
      row.add("command", pending.command)
      row.add("undone", pending.undoneGeneration)
      let id = try connection.insert(row, into: Schema.pendingChange)
      for file in pending.files { try write(file, generation: nil, pending: id) }
    }
  }

  /// The files of a command that has not finished: it is still running, or it was killed.
  package func pendingChange() throws(StoreError) -> PendingChange? {
    let row = try connection.statement("SELECT id, moment, command, undone FROM pending_change")
    guard try row.step() else { return nil }
    let id = row.integer(0)
    var pending = PendingChange(
      row.text(2), moment: Instant(secondsSinceEpoch: row.integer(1)),
      undoing: row.optionalInteger(3), files: [])
    row.reset()
    pending.files = try writtenFiles(where: "pending_change = ?1", id)
    return pending
  }

  package func forgetPendingChange() throws(StoreError) {
    try connection.run("DELETE FROM pending_change")
  }

  /// The files that a command wrote, in the order of writing.
  package func writtenFiles(by generation: Int) throws(StoreError) -> [WrittenFile] {
    try writtenFiles(where: "generation = ?1", generation)
  }

  private func writtenFiles(
    where condition: String, _ value: Int
  ) throws(StoreError) -> [WrittenFile] {
    let rows = try connection.statement(
      "SELECT folder, name, previous, written, permissions FROM written_file WHERE \(condition) "
        + "ORDER BY id", value)
    var files: [WrittenFile] = []
    while try rows.step() {
      files.append(
        WrittenFile(
          folder: rows.text(0), name: rows.text(1), previous: rows.optionalBytes(2),
          written: rows.optionalBytes(3),
          permissions: rows.optionalInteger(4).map { UInt32(clamping: $0) }))
    }
    return files
  }

  fileprivate func write(
    _ file: WrittenFile, generation: Int?, pending: Int?
  ) throws(StoreError) {
    var row = Row(
      columns: 7, bytes: (file.previous?.count ?? 0) + (file.written?.count ?? 0), key: key)
    row.add("generation", generation)
    row.add("pending_change", pending)
    row.add("folder", file.folder)
    row.add("name", file.name)
    row.add("previous", blob: file.previous)
    row.add("written", blob: file.written)
    row.add("permissions", file.permissions.map(Int.init))
    try connection.insert(row, into: Schema.writtenFile)
  }
}

extension StoreChange {
  /// Records a file that is written with this change, for `undo`. It is not pending any more.
  package func note(_ files: [WrittenFile]) throws(StoreError) {
    try store.forgetPendingChange()
    for file in files { try store.write(file, generation: try generation(), pending: nil) }
  }
}
