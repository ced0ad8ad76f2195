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
  /// What the command does with the store.
  package enum Work: Hashable, Sendable {
    /// It makes the store equal to the files. The name is that of the command.
    case change(String)
    /// It takes a generation back: `previous` of the files is what that generation had written.
    case undo(generation: Int, isContinued: Bool)
    /// It brings a generation back that was undone.
    case redo(generation: Int)
  }

  package var work: Work
  package var moment: Instant
  package var files: [WrittenFile]

  package init(_ work: Work, moment: Instant, files: [WrittenFile]) {
    self.work = work
    self.moment = moment
    self.files = files
  }
}

extension PendingChange.Work {
  /// As the store keeps it.
  fileprivate var row: (command: String, generation: Int?) {
    switch self {
    case .change(let name): (name, nil)
    case .undo(let generation, isContinued: false): (Self.undoName, generation)
    case .undo(let generation, isContinued: true): (Self.continuedUndoName, generation)
    case .redo(let generation): (Self.redoName, generation)
    }
  }

  fileprivate init(command: String, generation: Int?) {
    switch (command, generation) {
    case (Self.redoName, let generation?): self = .redo(generation: generation)
    case (_, let generation?):
      self = .undo(generation: generation, isContinued: command == Self.continuedUndoName)
    case (_, nil): self = .change(command)
    }
  }

  private static let undoName = "undo"
  private static let continuedUndoName = "undo, continued"
  private static let redoName = "redo"
}

extension Store {
  /// Records files before they are written. The caller holds the locks of their folders.
  package func announce(_ pending: PendingChange) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      try forgetPendingChange()
      var row = Row(columns: 3, key: key)
      row.add("moment", pending.moment.secondsSinceEpoch)
      row.add("command", pending.work.row.command)
      row.add("generation", pending.work.row.generation)
      let id = try connection.insert(row, into: Schema.pendingChange)
      for file in pending.files { try write(file, generation: nil, pending: id) }
    }
  }

  /// The files of a command that has not finished: it is still running, or it was killed.
  package func pendingChange() throws(StoreError) -> PendingChange? {
    let row = try connection.statement("SELECT id, moment, command, generation FROM pending_change")
    guard try row.step() else { return nil }
    let id = row.integer(0)
    var pending = PendingChange(
      PendingChange.Work(command: row.text(2), generation: row.optionalInteger(3)),
      moment: Instant(secondsSinceEpoch: row.integer(1)), files: [])
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
