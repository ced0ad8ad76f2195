internal import Platform

/// What the operating system says about one of its error numbers.
func systemMessage(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

/// What lies at a path; `nil` if nothing does. A link is itself, not what it leads to.
func fileStatus(_ path: String) throws(StoreError) -> stat? {
  var status = stat()
  if lstat(path, &status) == 0 { return status }
  if errno == ENOENT { return nil }
  throw .system(path: path, what: "cannot be read", number: errno)
}

/// The whole of a small file, or its first `limit` bytes; `nil` if it cannot be read.
func smallFile(_ path: String, limit: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while bytes.count < limit {
    let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
    if count < 0 && errno == EINTR { continue }
    if count <= 0 { break }
    bytes.append(contentsOf: buffer[..<count])
  }
  return bytes
}

extension stat {
  var isPlainFile: Bool { st_mode & S_IFMT == S_IFREG }
  var permissions: UInt32 { UInt32(st_mode) & 0o7777 }

  /// What it is, in words.
  var kindInWords: String {
    switch st_mode & S_IFMT {
    case S_IFREG: "a file"
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "not a regular file"
    }
  }
}
