/// What stops a command that works on a store.
package enum StoreError: Error, Hashable, Sendable {
  /// There is no file at that path.
  case missing(path: String)
  /// The path leads to something that is not a plain file: a symbolic link, a folder, a FIFO.
  case wrongKind(path: String, is: String)
  /// The file belongs to another program, or is no database at all.
  case foreign(path: String, is: String)
  /// A later version of agenda wrote it.
  case newer(path: String, version: Int, understood: Int)
  /// The file or what is in it is damaged.
  case damaged(path: String, what: String)
  /// A killed import left its journal behind, and only somebody who may write can clear it away.
  case needsRecovery(path: String)
  /// Somebody else held the store for the whole waiting time.
  case busy(path: String, seconds: Int, holder: String?)
  /// The store was opened for reading, or lies where it cannot be written.
  case readOnly(path: String)
  /// The operating system refused something.
  case system(path: String, what: String, number: Int32)
  /// SQLite refused a statement: its code, extended code, message and the statement's text.
  case statement(code: Int32, extendedCode: Int32, message: String, sql: String)
  /// Nothing of that name is in the store.
  case unknown(what: String, name: String)
  /// There is no import that could be taken back.
  case nothingToUndo
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path):
      "there is no store at \(path)"
    case .wrongKind(let path, let kind):
      "\(path) is \(kind), not a store; give the store's own path"
    case .foreign(let path, let kind):
      "\(path) is not a store of agenda: it is \(kind); it was left as it is"
    case .newer(let path, let version, let understood):
      "\(path) was written by a newer agenda (store version \(version), this one understands "
        + "\(understood)); it was left as it is"
    case .damaged(let path, let what):
      "\(path) is damaged: \(what)"
    case .needsRecovery(let path):
      "\(path) has the journal of an import that was killed, and it cannot be written from here; "
        + "run any agenda command where it can"
    case .busy(let path, let seconds, let holder):
      "\(path) was in use for \(seconds) s"
        + (holder.map { ", by \($0)" } ?? "") + "; nothing was done"
    case .readOnly(let path):
      "\(path) cannot be written"
    case .system(let path, let what, let number):
      "\(path): \(what): \(systemMessage(number))"
    case .statement(let code, let extendedCode, let message, let sql):
      "the store failed: \(message) (SQLite \(code), \(extendedCode)) in: \(sql)"
    case .unknown(let what, let name):
      "there is no \(what) \"\(name)\" in the store"
    case .nothingToUndo:
      "there is no import to take back"
    }
  }
}
