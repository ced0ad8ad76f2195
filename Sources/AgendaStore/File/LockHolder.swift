internal import Platform

/// Finds the process that holds a lock on a file, if the system reports it.
///
/// It reads the kernel's list. `fcntl` could also report the process, but it needs an open file.
/// When that file is closed, this process loses SQLite's locks on it, because POSIX locks belong to
/// the process and not to the descriptor.
enum LockHolder {
  /// `process 4711 (agenda)`; `nil` if no process is found, and on systems without that list.
  static func description(of path: String) -> String? {
    guard let list = try? OpenFile(path: "/proc/locks").bytes(atMost: 1 << 20) else { return nil }
    // Writers of a store with a log lock its shared memory instead.
    let inodes = [path, path + "-shm"].compactMap { file in
      FileStatus(path: file, followingLinks: false).map { String($0.inode) }
    }
    let own = RunningProgram.processIdentifier
    for line in list.split(separator: UInt8(ascii: "\n")) {
      let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
      // 1: POSIX  ADVISORY  WRITE 4711 fe:00:131 1073741824 1073741825
      guard let owner = fields.firstIndex(where: { $0.contains(":") && $0.last != ":" }),
        owner > 0, let process = Int32(fields[owner - 1]), process != own,
        let inode = fields[owner].split(separator: ":").last, inodes.contains(String(inode)),
        fields[owner - 2] == "WRITE"
      else { continue }
      let name = (try? OpenFile(path: "/proc/\(process)/comm").bytes(atMost: 64)).map {
        String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      }
      return "process \(process)" + (name.map { " (\($0))" } ?? "")
    }
    return nil
  }
}
