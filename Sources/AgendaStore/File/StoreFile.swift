internal import Platform

/// The file of a store, before SQLite sees it.
enum StoreFile {
  enum State {
    /// Nothing is there.
    case missing
    /// A file without a byte, and without a journal that could restore some.
    case empty
    case filled
  }

  /// Refuses, by name, what cannot be a store, and changes nothing.
  static func check(_ path: String) throws(StoreError) -> State {
    guard let status = try status(of: path) else { return .missing }
    guard status.kind == .file else { throw .wrongKind(path: path, is: status.kind.inWords) }
    // A journal could restore the content of a file that is empty now.
    let journal = try self.status(of: path + "-journal")
    return status.size == 0 && journal == nil ? .empty : .filled
  }

  /// What lies at a path; `nil` if nothing does. A link is itself, not what it leads to.
  static func status(of path: String) throws(StoreError) -> FileStatus? {
    if let status = FileStatus(path: path, followingLinks: false) { return status }
    let error = SystemError.last
    if error.isMissingFile { return nil }
    throw .system(path: path, what: "cannot be read", number: error.code)
  }

  /// Whether this process cannot write the file and no other process changes it: no writer has left
  /// a log next to it.
  static func isImmutable(_ path: String) -> Bool {
    let log = FileStatus(path: path + "-wal", followingLinks: false)
    guard log == nil || log?.size == 0 else { return false }
    return !FileAccess.canWrite(path) || !FileAccess.canWrite(folder(of: path))
  }

  static func isOutOfSpace(_ number: Int32) -> Bool {
    SystemError(code: number).isOutOfSpace
  }

  /// The folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What a file seems to be that isn't a database.
  static func foreignKind(_ header: [UInt8]) -> String {
    let isText = header.allSatisfy {
      $0 == 0 || $0 >= 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09
    }
    return isText ? "a text file" : "not an SQLite database"
  }

  /// Creates an empty file for the user alone, and the folders that lead to it.
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
