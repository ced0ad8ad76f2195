package import AgendaStore
package import CivilTime
internal import Platform

/// Takes commands back and brings them back, with the files that they wrote.
package struct WritingHistory {
  private let store: Store
  private let reader: StoreReader
  /// What files would have, in a dry run.
  private var imagined: [String: [UInt8]?] = [:]

  package init(_ store: Store, zones: ZoneDatabase) {
    self.store = store
    reader = StoreReader(store, zones: zones)
  }

  /// Takes back the last commands, from the newest on, or none of them if a file was changed since.
  package mutating func undo(_ steps: [UndoStep]) throws -> [UndoStep] {
    try checkUndo(of: steps)
    var reverted: [UndoStep] = []
    for (index, step) in steps.enumerated() {
      var step = step
      step.effects = try undo(step, isContinued: index > 0)
      reverted.append(step)
    }
    return reverted
  }

  /// Takes back the last command, which must be this one. With `isContinued`, it is brought back
  /// together with the one that was undone before it.
  private mutating func undo(_ step: UndoStep, isContinued: Bool) throws -> [CommandEffect] {
    let (store, generation) = (store, step.generation)
    guard try store.generations(atMost: 1).first?.id == generation else {
      throw StoreError.historyChanged
    }
    let restored = try restoredFiles(of: step)
    let effects = try reader.effects(ofLast: generation)
    let pending = PendingChange(
      .undo(generation: generation, isContinued: isContinued), moment: step.moment, files: restored)
    try write(pending, unlessChanged: { .changedSinceWritten(file: $0) }) {
      try store.undo(generation: generation, isContinued: isContinued, files: $0)
    }
    return effects
  }

  /// Throws if one of these commands, the last ones from the newest on, cannot be taken back, because a
  /// file was changed since, or a server that has the change does not let the user write any more.
  private func checkUndo(of steps: [UndoStep]) throws {
    try checkWritable(try store.readOnlySources(leftToSendByUndoing: steps.map(\.generation)))
    let files = try steps.flatMap { try restoredFiles(of: $0) }
    let folders = try FolderWriter.locking(files.map(\.folder))
    // What each file has when the commands before this one are taken back.
    var contents: [String: [UInt8]?] = [:]
    for file in files {
      let path = "\(file.folder)/\(file.name)"
      let content = try contents[path] ?? folders[file.folder]?.contents(of: file.name)
      guard content == file.previous else {
        throw WritingError.changedSinceWritten(file: path)
      }
      contents[path] = .some(file.written)
    }
  }

  private func checkWritable(_ readOnly: [Int]) throws {
    guard let source = try readOnly.first.flatMap(reader.source) else { return }
    throw WritingError.readOnly(calendar: source.source.calendar)
  }

  /// The files that taking back a command writes.
  private func restoredFiles(of step: UndoStep) throws -> [WrittenFile] {
    try store.writtenFiles(by: step.generation).reversed().map {
      WrittenFile(
        folder: $0.folder, name: $0.name, previous: $0.written, written: $0.previous,
        permissions: $0.permissions)
    }
  }

  /// Brings back the commands that the last `undo` took back.
  package mutating func redo() throws -> [UndoStep] {
    let undone = try lastUndone()
    guard !undone.isEmpty else { throw StoreError.nothingToRedo }
    var steps: [UndoStep] = []
    for generation in undone { steps.append(try redo(generation)) }
    return steps
  }

  /// Brings back the command that was taken back last. If one of its files was changed since, nothing
  /// is done.
  private mutating func redo(_ undone: UndoneGeneration) throws -> UndoStep {
    let (store, generation) = (store, undone.generation)
    try checkWritable(try store.readOnlySources(leftToSendByRedoing: generation))
    let files = undone.hasFiles ? try store.filesOfUndone(generation: generation) : []
    let pending = PendingChange(
      .redo(generation: generation), moment: Instant(secondsSinceEpoch: 0), files: files)
    try write(pending, unlessChanged: { .changedSinceUndone(file: $0) }) {
      try store.redo(generation: generation, files: $0)
    }
    guard var step = try reader.undoSteps(atMost: 1).first else { throw StoreError.nothingToRedo }
    step.effects = try reader.effects(ofLast: generation)
    return step
  }

  /// The commands that the last `undo` took back, in the order in which they come back.
  private func lastUndone() throws(StoreError) -> [UndoneGeneration] {
    let undone = try store.undoneGenerations()
    guard let first = undone.firstIndex(where: { !$0.isContinued }) else { return [] }
    return Array(undone[...first])
  }

  /// Changes files and store, or nothing. `error` is that of a file that does not have its previous
  /// content.
  private mutating func write(
    _ pending: PendingChange, unlessChanged error: (_ file: String) -> WritingError,
    _ change: (_ files: () throws -> Void) throws -> Void
  ) throws {
    let folders = try FolderWriter.locking(pending.files.map(\.folder))
    for file in pending.files {
      let path = "\(file.folder)/\(file.name)"
      let content = try imagined[path] ?? folders[file.folder]?.contents(of: file.name)
      guard content == file.previous else { throw error(path) }
    }
    if !pending.files.isEmpty { try store.announce(pending) }
    var begun: [WrittenFile] = []
    do {
      try change {
        for file in pending.files {
          begun.append(file)
          try folders[file.folder]?.replace(
            file.name, file.previous, with: file.written, permissions: file.permissions)
        }
      }
    } catch {
      for file in begun.reversed() { try? folders[file.folder]?.restore(file) }
      if !pending.files.isEmpty { try? store.forgetPendingChange() }
      throw error
    }
    guard store.isTrial else { return }
    for file in pending.files { imagined["\(file.folder)/\(file.name)"] = .some(file.written) }
  }
}
