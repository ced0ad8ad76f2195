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
    guard let status = try fileStatus(path) else { return .missing }
    guard status.isPlainFile else { throw .wrongKind(path: path, is: status.kindInWords) }
    // A journal could restore the content of a file that is empty now.
    let journal = try fileStatus(path + "-journal")
    return status.st_size == 0 && journal == nil ? .empty : .filled
  }

  /// Whether this process cannot write the file and no other process changes it: no writer has left
  /// a log next to it.
  static func isImmutable(_ path: String) -> Bool {
    let log = (try? fileStatus(path + "-wal")) ?? nil
    guard log == nil || log?.st_size == 0 else { return false }
    return access(path, W_OK) != 0 || access(folder(of: path), W_OK) != 0
  }

  static func isOutOfSpace(_ number: Int32) -> Bool {
    number == ENOSPC || number == EDQUOT
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
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .system(path: path, what: "cannot be created", number: errno)
    }
    close(descriptor)
  }

  private static func createFolder(_ path: String) throws(StoreError) {
    if access(path, F_OK) == 0 { return }
    try createFolder(folder(of: path))
    if mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw .system(path: path, what: "the folder cannot be created", number: errno)
    }
  }
}
