internal import Platform

/// Checks the file of a store before SQLite opens it.
enum StoreFile {
  enum State {
    /// Nothing exists at the path.
    case missing
    /// A file without bytes, and without a journal that could restore some.
    case empty
    case filled
  }

  /// Throws an error that names the path if the file cannot be a store. Changes nothing.
  static func check(_ path: String) throws(StoreError) -> State {
    guard let status = try status(of: path) else { return .missing }
    guard status.kind == .file else { throw .wrongKind(path: path, is: status.kind.inWords) }
    guard status.size == 0 else { return .filled }
    // A store that was filled has a log while it is in use, or if its last user was killed. Who began a
    // new store in the empty file would lose what the log still has, and would wait for those who use it.
    for log in [path + "-wal", path + "-shm"] where try self.status(of: log) != nil {
      throw .damaged(
        path: path,
        what: "it is empty, but its log \(log) is there; restore a backup of the store, or remove "
          + "both files to begin a new one")
    }
    // A journal could restore the content of a file that is empty now.
    return try self.status(of: path + "-journal") == nil ? .empty : .filled
  }

  /// The status of a path; `nil` if nothing exists there. A link is not followed.
  static func status(of path: String) throws(StoreError) -> FileStatus? {
    if let status = FileStatus(path: path, followingLinks: false) { return status }
    let error = SystemError.last
    if error.isMissingFile { return nil }
    throw .system(path: path, what: "cannot be read", number: error.code)
  }

  /// Whether this process cannot write the file, and no other process is changing it: there is no
  /// log next to it.
  static func isImmutable(_ path: String) -> Bool {
    hasNoLog(path) && isReadOnly(path)
  }

  /// Whether this process cannot write an existing file, or no file next to it.
  static func isReadOnly(_ path: String) -> Bool {
    FileAccess.exists(path)
      && (!FileAccess.canWrite(path) || !FileAccess.canWrite(folder(of: path)))
  }

  /// Whether the file has everything, because no log with later changes is next to it.
  static func hasNoLog(_ path: String) -> Bool {
    let log = FileStatus(path: path + "-wal", followingLinks: false)
    return log == nil || log?.size == 0
  }

  static func isOutOfSpace(_ number: Int32) -> Bool {
    SystemError(code: number).isOutOfSpace
  }

  /// The folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A guess at the kind of a file that isn't a database.
  static func foreignKind(_ header: [UInt8]) -> String {
    let isText = header.allSatisfy {
      $0 == 0 || $0 >= 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09
    }
    return isText ? "a text file" : "not an SQLite database"
  }

  /// Creates an empty file that only the user can read, and the folders that lead to it.
  static func create(_ path: String) throws(StoreError) {
    try createFolder(folder(of: path))
    do throws(SystemError) {
      try FileAccess.createFile(path, permissions: 0o600)
    } catch {
      throw .system(path: path, what: "cannot be created", number: error.code)
    }
  }

  private static func createFolder(_ path: String) throws(StoreError) {
    if FileAccess.exists(path) { return }
    try createFolder(folder(of: path))
    do throws(SystemError) {
      try FileAccess.createFolder(path, permissions: 0o700)
    } catch {
      if error.isExisting { return }
      throw .system(path: path, what: "the folder cannot be created", number: error.code)
    }
  }
}

extension FileKind {
  fileprivate var inWords: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .fifo: "a FIFO"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}
