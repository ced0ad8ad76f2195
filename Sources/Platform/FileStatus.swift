internal import SystemLibrary

/// What a path leads to.
package enum FileKind: Sendable {
  case file, folder, link, fifo, device, socket
}

/// What the file system knows about a file without opening it.
package struct FileStatus: Sendable {
  package let kind: FileKind
  package let size: Int
  package let permissions: UInt32
  /// Nanoseconds since 1970 of the last change of its bytes, and of anything about it.
  package let modified: Int
  package let changed: Int
  /// Together they identify the file independently of its path.
  package let device: UInt64
  package let inode: UInt64

  /// `nil` if there is nothing at the path.
  package init?(path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The status of an entry of an open folder. Links are not followed.
  init?(folder: Int32, name: [UInt8]) {
    var status = stat()
    let result = withCString(name) { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
    guard result == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    func nanoseconds(_ time: timespec) -> Int {
      Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      default: .device
      }
    size = Int(status.st_size)
    permissions = UInt32(status.st_mode) & 0o7777
    self.modified = nanoseconds(modified)
    self.changed = nanoseconds(changed)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// File names are bytes: they need not be UTF-8.
func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  // The zero at the end makes the array non-empty, so that the buffer has an address.
  (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
    guard let address = buffer.baseAddress else { preconditionFailure("an empty buffer") }
    return body(address)
  }
}

/// The path with every symbolic link followed.
package func resolvedPath(_ path: String) throws(SystemError) -> String {
  guard let resolved = realpath(path, nil) else { throw .last }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// The path that `resolvedPath` would return if the file existed: its folder is resolved as far as it
/// exists.
package func resolvedPath(ofMissing path: String) -> String? {
  if let known = try? resolvedPath(path) { return known }
  var folders = path.split(separator: "/").map(String.init)
  guard let last = folders.popLast(), last != ".", last != ".." else { return nil }
  let start = path.hasPrefix("/") ? "/" : ""
  let folder = start + folders.joined(separator: "/")
  let parent = folder.isEmpty ? "." : folder
  guard let resolved = resolvedPath(ofMissing: parent) else { return nil }
  return resolved == "/" ? "/" + last : "\(resolved)/\(last)"
}
