internal import SystemLibrary

/// A folder of its own for a fuzzer that needs files, in memory if the system has such a place.
enum Scratch {
  static let folder: String = {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let path = parent + "/fuzz-\(getpid())"
    guard mkdir(path, 0o700) == 0 else { fatalError("no folder \(path)") }
    atexit { Scratch.removeFolder() }
    return path
  }()

  static func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0, SystemLibrary.write(file, bytes, bytes.count) == bytes.count else {
      fatalError("\(path) cannot be written")
    }
    close(file)
  }

  static func remove(_ path: String) { unlink(path) }

  private static func removeFolder() {
    guard let entries = opendir(folder) else { return }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      unlink(folder + "/" + name)
    }
    closedir(entries)
    rmdir(folder)
  }
}
