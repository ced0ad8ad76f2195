#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open folder. Its files are opened through it, so that they stay those of this folder even if
/// its path comes to lead elsewhere.
package final class OpenFolder: Sendable {
  package let path: String
  let descriptor: Int32

  package init(path: String) throws(SystemError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The names of all entries, in no particular order.
  package func names() throws(SystemError) -> [[UInt8]] {
    // The stream closes the descriptor that it is given.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .last }
    guard let stream = fdopendir(copy) else {
      let error = SystemError.last
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names
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
