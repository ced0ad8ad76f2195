internal import Platform

/// A folder of TZif files. A name comes from a calendar and so from anybody: only a regular file
/// that lies in the folder is ever opened for it.
struct ZoneFolder: Sendable {
  let path: String

  private static let mostLinks = 16
  private static let longestName = 128
  private static let mostNames = 10_000
  private static let deepestFolder = 8

  /// Whether a text has the form of a zone name: parts of letters, digits, `_`, `+`, `-` and `.`
  /// between single slashes, none beginning with a dot.
  static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= longestName else { return false }
    var atStart = true
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "/"):
        if atStart { return false }
        atStart = true
        continue
      case UInt8(ascii: "."):
        if atStart { return false }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
        UInt8(ascii: "-"):
        break
      default: return false
      }
      atStart = false
    }
    return !atStart
  }

  /// The bytes of a zone's file.
  func bytes(ofZone name: String) throws(ZoneError) -> [UInt8] {
    guard Self.isName(name) else { throw .notAName(name) }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .notFound(name, folder: path) }
    defer { close(folder) }
    var pending = name.split(separator: "/").reversed().map(String.init)
    var resolved: [String] = []
    var links = 0
    while let part = pending.popLast() {
      if part == "." { continue }
      if part == ".." {
        guard resolved.popLast() != nil else { throw .notRegular(name) }
        continue
      }
      resolved.append(part)
      let place = resolved.joined(separator: "/")
      var status = stat()
      guard fstatat(folder, place, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        throw .notFound(name, folder: path)
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        guard !pending.isEmpty else { throw .notFound(name, folder: path) }
      case S_IFREG:
        guard pending.isEmpty else { throw .notFound(name, folder: path) }
        // Between the look and the opening the file may have been replaced.
        let file = openat(folder, place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(name, code: errno) }
        defer { close(file) }
        return try Self.contents(ofFile: file, name: name)
      case S_IFLNK:
        links += 1
        resolved.removeLast()
        guard links <= Self.mostLinks, let target = Self.target(ofLink: place, in: folder) else {
          throw .notRegular(name)
        }
        if target.hasPrefix("/") {
          guard target.hasPrefix(path + "/") else { throw .notRegular(name) }
          resolved = []
          pending += Self.parts(of: target.dropFirst(path.utf8.count))
        } else {
          pending += Self.parts(of: target[...])
        }
      default:
        throw .notRegular(name)
      }
    }
    throw .notFound(name, folder: path)
  }

  private static func parts(of target: Substring) -> [String] {
    target.split(separator: "/").reversed().map(String.init)
  }

  private static func target(ofLink place: String, in folder: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: 1024)
    let count = readlinkat(folder, place, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The target of a symbolic link; `nil` if it is not a link.
  static func target(ofLink path: String) -> String? {
    target(ofLink: path, in: AT_FDCWD)
  }

  /// The bytes of a file that the user named by its path.
  static func bytes(ofFile path: String) throws(ZoneError) -> [UInt8] {
    let file = try openRegular(path)
    defer { close(file) }
    return try contents(ofFile: file, name: path)
  }

  private static func openRegular(_ path: String) throws(ZoneError) -> Int32 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unreadable(path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path) }
    let file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { throw .unreadable(path, code: errno) }
    return file
  }

  private static func contents(ofFile file: Int32, name: String) throws(ZoneError) -> [UInt8] {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(name, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(name) }
    let size = Int(status.st_size)
    guard size <= ZoneFile.longestFile else { throw .badFile(name, .tooLong(size)) }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(file, buffer.baseAddress?.advanced(by: count), size - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        count += got
      }
    }
    guard failure == 0 else { throw .unreadable(name, code: failure) }
    return bytes
  }

  /// The beginning of a file of the folder, as text; for its version.
  func firstLine(of name: String) -> String? {
    guard let file = try? Self.openRegular("\(path)/\(name)") else { return nil }
    defer { close(file) }
    let longest = 64
    let bytes = [UInt8](unsafeUninitializedCapacity: longest) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, longest))
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The names of all files that have the form of a zone name, without opening any. The copies
  /// under `posix` and `right` are left out.
  func fileNames() -> [String] {
    var names: [String] = []
    var folders = [""]
    while let folder = folders.popLast(), names.count < Self.mostNames {
      guard let stream = opendir(folder.isEmpty ? path : "\(path)/\(folder)") else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let part = Self.name(of: entry)
        let name = folder.isEmpty ? part : "\(folder)/\(part)"
        guard Self.isName(name), name != "posix", name != "right" else { continue }
        switch Self.kind(of: entry, path: "\(path)/\(name)") {
        case S_IFDIR:
          if name.split(separator: "/").count < Self.deepestFolder { folders.append(name) }
        case S_IFREG, S_IFLNK: names.append(name)
        default: continue
        }
      }
    }
    return names
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func kind(of entry: UnsafeMutablePointer<dirent>, path: String) -> mode_t? {
    switch Int32(entry.pointee.d_type) {
    case Int32(DT_DIR): return S_IFDIR
    case Int32(DT_REG): return S_IFREG
    case Int32(DT_LNK): return S_IFLNK
    case Int32(DT_UNKNOWN):
      // Some file systems do not say.
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    default: return nil
    }
  }
}
