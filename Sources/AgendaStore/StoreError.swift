internal import Platform

/// The reason why a store can't be read or written.
package enum StoreError: Error, Hashable, Sendable {
  /// The file is missing.
  case missing(path: String)
  /// The path leads to something that is not a plain file: a symbolic link, a folder, a FIFO.
  case wrongKind(path: String, is: String)
  /// The file belongs to another program, or is not a database at all.
  case foreign(path: String, is: String)
  /// An early version of agenda wrote the store, and this version can't read it.
  case retired(path: String)
  /// An older version of agenda wrote the store, and this process may not write it.
  case older(path: String)
  /// A later version of agenda wrote the store.
  case newer(path: String, version: Int, understood: Int)
  /// The file or a row in it is damaged.
  case damaged(path: String, what: String)
  /// A part of the content is damaged, which the checks of the store describe.
  case damagedContent(path: String, what: String)
  /// An import was killed. Only a user who may write to the store can finish its recovery.
  case needsRecovery(path: String)
  /// Another process locked the store during the whole waiting time.
  case busy(path: String, seconds: Int, holder: String?)
  /// The store was opened for reading, or its file can't be written.
  case readOnly(path: String)
  /// The disk is full.
  case noSpace(path: String)
  /// Memory was missing while something was read that is to be stored.
  case noMemory(path: String)
  /// The operating system refused something.
  case system(path: String, what: String, number: Int32)
  /// SQLite failed with a code that has no separate case.
  case failed(path: String, what: String, code: Int32)
  /// The store does not have a calendar or source with this name.
  case unknown(what: String, name: String)
  /// The store has no import to undo.
  case nothingToUndo
  /// No command was undone, or the store was changed after it.
  case nothingToRedo
  /// Another process changed the store since the command was chosen that is to be undone.
  case historyChanged
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path):
      "\(path): no such store"
    case .wrongKind(let path, let kind):
      "\(path) is \(kind), not a store; give the store's own path"
    case .foreign(let path, let kind):
      "\(path) is not a store of agenda: it is \(kind); it was left as it is"
    case .retired(let path):
      "\(path) was written by an early version of agenda and can no longer be read; it was left as it "
        + "is"
    case .older(let path):
      "\(path) was written by an older agenda, and you cannot write it"
    case .newer(let path, let version, let understood):
      "\(path) was written by a newer agenda (store version \(version), this one understands "
        + "\(understood)); it was left as it is"
    case .damaged(let path, let what), .damagedContent(let path, let what):
      "\(path) is damaged: \(what)"
    case .needsRecovery(let path):
      "\(path) must be repaired after an interrupted import, and you cannot write it"
    case .busy(let path, let seconds, let holder):
      "\(path) was in use for \(seconds) s"
        + (holder.map { ", by \($0)" } ?? "") + "; nothing was done"
    case .readOnly(let path):
      "\(path) cannot be written: you have no permission, or it is on read-only media"
    case .noSpace(let path):
      "\(path) cannot be written: the disk is full; nothing was changed"
    case .noMemory(let path):
      "\(path) cannot be used: out of memory; nothing was changed"
    case .system(let path, let what, let number):
      "\(path): \(what): \(SystemError(code: number))"
    case .failed(let path, let what, let code):
      "\(path): the store failed: \(what) (SQLite error \(code))"
    case .unknown(let what, let name):
      "unknown \(what) \"\(name)\""
    case .nothingToUndo:
      "nothing to undo"
    case .nothingToRedo:
      "nothing to redo"
    case .historyChanged:
      "another command changed the store meanwhile, so nothing was undone; try again"
    }
  }
}

extension StoreError {
  /// Whether it says that something could not be written.
  var isAboutWriting: Bool {
    switch self {
    case .noSpace, .readOnly, .system: true
    default: false
    }
  }
}
