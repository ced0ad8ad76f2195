#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The file of a store, before SQLite sees it.
enum StoreFile {
  enum State {
    /// Nothing is there.
    case missing
    /// A file without a byte, and without a journal that could bring some back.
    case empty
    case filled
  }

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let applicationIDOffset = 68

  /// Refuses, by name, what can be no store, and changes nothing.
  static func check(_ path: String) throws(StoreError) -> State {
    guard let status = try fileStatus(path) else { return .missing }
    guard status.isPlainFile else { throw .wrongKind(path: path, is: status.kindInWords) }
    if try fileStatus(path + "-journal") == nil {
      // Nothing that SQLite would have to put right: it can look itself, and writes nothing.
      return status.st_size == 0 ? .empty : .filled
    }
    // It would roll the journal back, into a file of whomever: so look before it does. (The file
    // is opened only here, as closing it drops this process's locks on it.)
    let header = smallFile(path, limit: 100) ?? []
    guard header.isEmpty || header.starts(with: magic) else {
      throw .foreign(path: path, is: foreignKind(header))
    }
    guard header.count == 100 else { return .filled }
    let number = header[applicationIDOffset..<applicationIDOffset + 4].reduce(0) {
      $0 << 8 | Int($1)
    }
    guard number == StoreSchema.applicationID || number == 0 else {
      throw .foreign(path: path, is: "the database of another program")
    }
    return .filled
  }

  /// What a file that is no database begins like.
  static func foreignKind(_ header: [UInt8]) -> String {
    let isText = header.allSatisfy { $0 >= 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
    return isText ? "a text file" : "no SQLite database"
  }

  /// Makes an empty file for the user alone, and the folders that lead to it.
  static func create(_ path: String) throws(StoreError) {
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try createFolder(String(path[..<slash]))
    }
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .system(path: path, what: "cannot be made", number: errno)
    }
    close(descriptor)
  }

  private static func createFolder(_ path: String) throws(StoreError) {
    if access(path, F_OK) == 0 { return }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try createFolder(String(path[..<slash]))
    }
    if mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw .system(path: path, what: "the folder cannot be made", number: errno)
    }
  }
}
