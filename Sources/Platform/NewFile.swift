internal import SystemLibrary

/// A file that appears under its name as a whole, or not at all. It is written under a temporary
/// name, and removed with this object unless `finish` gave it its own.
package final class NewFile {
  /// The folder of its names; `nil` if they are paths.
  private let folder: OpenFolder?
  private let temporaryName: [UInt8]
  private let descriptor: Int32
  private var isFinished = false

  /// Creates the temporary file, which must not exist. It has exactly the permissions `copied`.
  /// Without them it has `permissions`, less those that the process withholds.
  package convenience init(
    temporaryPath: String, permissions: UInt32, copied: UInt32? = nil
  ) throws(SystemError) {
    try self.init(
      in: nil, temporaryName: Array(temporaryPath.utf8), permissions: permissions, copied: copied)
  }

  init(
    in folder: OpenFolder?, temporaryName: [UInt8], permissions: UInt32, copied: UInt32?
  ) throws(SystemError) {
    self.folder = folder
    self.temporaryName = temporaryName
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    descriptor = withCString(temporaryName) {
      openat(folder?.descriptor ?? AT_FDCWD, $0, flags, mode_t(permissions))
    }
    guard descriptor >= 0 else { throw .last }
    if let copied, fchmod(descriptor, mode_t(copied)) != 0 { throw .last }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if !isFinished { _ = withCString(temporaryName) { unlinkat(folderDescriptor, $0, 0) } }
  }

  private var folderDescriptor: Int32 { folder?.descriptor ?? AT_FDCWD }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    switch bytes.withUnsafeBytes(FileDescriptor(number: descriptor).write) {
    case nil: return
    case .readerHasGone?: throw SystemError(code: EPIPE)
    case .failed?: throw .last
    }
  }

  /// Writes it to the disk and renames it, which replaces a file of that name.
  package func finish(as path: String) throws(SystemError) {
    try finish(as: Array(path.utf8), toDisk: true)
  }

  /// The same with a name in its folder. A file that can be made again need not be on the disk at
  /// once.
  func finish(as name: [UInt8], toDisk: Bool) throws(SystemError) {
    if toDisk, fsync(descriptor) != 0 { throw .last }
    let folder = folderDescriptor
    let result = withCString(temporaryName) { from in
      withCString(name) { renameat(folder, from, folder, $0) }
    }
    guard result == 0 else { throw .last }
    isFinished = true
  }
}
