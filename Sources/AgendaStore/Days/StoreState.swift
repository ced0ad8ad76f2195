internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What tells one state of a store's file from every other: SQLite counts the transactions that
/// changed it, and the file system knows which file it is.
struct StoreState: Hashable {
  var numbers: [Int]

  /// Where SQLite keeps its counter (https://sqlite.org/fileformat.html, "file change counter").
  private static let counterOffset: Int64 = 24

  /// That of the transaction in which `connection` has begun to read; `nil` where it cannot be
  /// told.
  init?(of connection: Connection) {
    // Through SQLite's own handle: closing another one would drop this process's locks.
    var found: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(
      connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &found)
    guard code == SQLITE_OK, let file = found, let methods = file.pointee.pMethods,
      let read = methods.pointee.xRead
    else { return nil }
    var counter: UInt32 = 0
    guard
      withUnsafeMutableBytes(
        of: &counter, { read(file, $0.baseAddress, Int32($0.count), Self.counterOffset) })
        == SQLITE_OK,
      let status = try? fileStatus(connection.path), status.isPlainFile
    else { return nil }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    numbers = [
      Int(counter), Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
      Int(status.st_size), Int(modified.tv_sec), Int(modified.tv_nsec), Int(changed.tv_sec),
      Int(changed.tv_nsec),
    ]
  }
}
