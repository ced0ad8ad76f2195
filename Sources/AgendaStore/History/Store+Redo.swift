/// A command that was undone and can be brought back.
package struct UndoneGeneration: Hashable, Sendable {
  package var generation: Int
  /// Whether the `undo` that took it back had taken back a later command, too.
  package var isContinued: Bool
  /// Whether it wrote files of folders.
  package var hasFiles: Bool
}

extension Store {
  /// The commands that `redo` can bring back, in that order. A new command forgets them.
  package func undoneGenerations() throws(StoreError) -> [UndoneGeneration] {
    let rows = try connection.statement(
      "SELECT generation, is_continued, has_files FROM undone ORDER BY id DESC")
    var undone: [UndoneGeneration] = []
    while try rows.step() {
      undone.append(
        UndoneGeneration(
          generation: rows.integer(0), isContinued: rows.integer(1) != 0,
          hasFiles: rows.integer(2) != 0))
    }
    return undone
  }

  /// Brings back the command that was undone last. `files` writes the files that it had written. It is
  /// the last step before the commit.
  package func redo(generation expected: Int, files: () throws -> Void = {}) throws {
    try connection.writing(alsoFiles: files) { () throws(StoreError) in
      try forgetPendingChange()
      try redo(expected)
    }
  }

  /// The files that `redo` would write: they are among the rows that it brings back.
  package func filesOfUndone(generation: Int) throws(StoreError) -> [WrittenFile] {
    try connection.tryingOut { () throws(StoreError) in
      try redo(generation)
      return try writtenFiles(by: generation)
    }
  }

  /// The sources on servers that the user may only read, and for which bringing back this command would
  /// leave something to send.
  package func readOnlySources(leftToSendByRedoing generation: Int) throws(StoreError) -> [Int] {
    try readOnlySources { () throws(StoreError) in try redo(generation) }
  }

  private func redo(_ expected: Int) throws(StoreError) {
    guard
      let id = try connection.integer(
        "SELECT id FROM undone WHERE id = (SELECT max(id) FROM undone) AND generation = ?1",
        expected)
    else { throw .nothingToRedo }
    let parts = try connection.statement(
      "SELECT changes FROM undone_part WHERE undone = ?1 ORDER BY id", id)
    defer { parts.reset() }
    var part: ArraySlice<UInt8> = []
    let isReverted = try connection.revertChanges(of: Schema.history) { buffer throws(StoreError) in
      if part.isEmpty, try parts.step() { part = parts.bytes(0)[...] }
      let taken = part.prefix(buffer.count)
      buffer.copyBytes(from: taken)
      part = part.dropFirst(taken.count)
      return taken.count
    }
    guard isReverted else { throw .nothingToRedo }
    parts.reset()
    try connection.run("DELETE FROM undone WHERE id = ?1", id)
    let first = try connection.integer(
      "SELECT first_component FROM generation WHERE id = ?1", expected)
    // A search since the undo has passed over the components that are back.
    try dropSearchIndex(ifSearchedFrom: first ?? .max)
  }

  func forgetUndone() throws(StoreError) {
    try connection.run("DELETE FROM undone")
  }
}
