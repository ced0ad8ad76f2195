internal import SystemLibrary

/// An open folder. Its files are opened through it, so that they stay those of this folder even if
/// its path comes to lead elsewhere.
package final class OpenFolder: Sendable {
  package let path: String
  let descriptor: Int32

  package init(path: String, followingLinks: Bool = true) throws(SystemError) {
    self.path = path
    descriptor = open(
      path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw .last }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The names of all entries, in no particular order.
  package func names() throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try forEachEntry { entry in names.append(Self.name(of: entry)) }
    return names
  }

  /// The names and kinds of all entries, in no particular order. Entries of unknown kind are left
  /// out.
  package func entries() throws(SystemError) -> [(name: [UInt8], kind: FileKind)] {
    var entries: [(name: [UInt8], kind: FileKind)] = []
    try forEachEntry { entry in
      let name = Self.name(of: entry)
      let kind: FileKind? =
        switch Int32(entry.pointee.d_type) {
        case Int32(DT_DIR): .folder
        case Int32(DT_REG): .file
        case Int32(DT_LNK): .link
        // Some file systems do not say, and few callers look for other kinds.
        default: status(of: name)?.kind
        }
      if let kind { entries.append((name, kind)) }
    }
    return entries
  }

  private func forEachEntry(
    _ body: (UnsafeMutablePointer<dirent>) -> Void
  ) throws(SystemError) {
    // The stream closes the descriptor that it is given.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .last }
    guard let stream = fdopendir(copy) else {
      let error = SystemError.last
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) { body(entry) }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
  }

  /// The status of an entry, links not followed; `nil` if it is missing.
  package func status(of name: [UInt8]) -> FileStatus? {
    FileStatus(folder: descriptor, name: name)
  }

  /// Opens an entry for reading without waiting for it. Links are not followed.
  package func openFile(_ name: [UInt8]) throws(SystemError) -> OpenFile {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW
    let file = withCString(name) { openat(descriptor, $0, flags) }
    guard file >= 0 else { throw .last }
    return OpenFile(adopting: file)
  }

  /// The path to which an entry that is a link leads.
  package func target(ofLink name: [UInt8]) throws(SystemError) -> [UInt8] {
    let link = Array(path.utf8) + [UInt8(ascii: "/")] + name
    guard let target = withCString(link, { realpath($0, nil) }) else { throw .last }
    defer { free(target) }
    return Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
  }
}

/// The target of a symbolic link, without following it; `nil` if it is not a link, or if the target is longer
/// than 1,023 bytes.
package func textOfLink(_ path: String) -> [UInt8]? {
  let longest = 1024
  let text = [UInt8](unsafeUninitializedCapacity: longest) { buffer, count in
    buffer.withMemoryRebound(to: CChar.self) { buffer in
      guard let start = buffer.baseAddress else { return }
      count = max(0, readlink(path, start, longest))
    }
  }
  return text.isEmpty || text.count == longest ? nil : text
}
