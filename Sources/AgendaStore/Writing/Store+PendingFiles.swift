package import CivilTime

/// Files that a command is about to write. They are recorded before the first one is written, so
/// that a later command can finish the change if the process is killed.
package struct PendingFiles: Sendable {
  package enum Action: Int, Sendable {
    case added, edited, removed
    /// The files are restored: `previous` is the content that agenda had written.
    case undone
  }

  package var action: Action
  package var moment: Instant
  package var files: [WrittenFile]

  package init(_ action: Action, moment: Instant, files: [WrittenFile]) {
    self.action = action
    self.moment = moment
    self.files = files
  }

  /// The rows of `written_file` have this number instead of a generation. It is negative, and
  /// contains the kind and time of the change.
  fileprivate var mark: Int {
    -1 - (max(0, moment.secondsSinceEpoch) * Self.actionCount + action.rawValue)
  }

  fileprivate init?(mark: Int) {
    let (moment, number) = (-1 - mark).quotientAndRemainder(dividingBy: Self.actionCount)
    guard mark < 0, let action = Action(rawValue: number) else { return nil }
    self.init(action, moment: Instant(secondsSinceEpoch: moment), files: [])
  }

  private static let actionCount = 4
}

extension Store {
  /// Records files before they are written. The caller holds the locks of their folders.
  package func announce(_ pending: PendingFiles) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      try forgetPendingFiles()
      for file in pending.files { try write(file, generation: pending.mark) }
    }
  }

  /// The files of a command that has not finished: it is still running, or it was killed.
  package func pendingFiles() throws(StoreError) -> PendingFiles? {
    // They are always the newest rows.
    let newest = try connection.integer(
      "SELECT generation FROM written_file ORDER BY id DESC LIMIT 1")
    guard let newest, var pending = PendingFiles(mark: newest) else { return nil }
    pending.files = try writtenFiles(where: "generation = ?1", newest)
    return pending
  }

  package func forgetPendingFiles() throws(StoreError) {
    for sql in Schema.writtenFileErasures(where: "generation < 0") { try connection.run(sql) }
  }
}
