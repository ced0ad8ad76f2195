#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that appears under its name as a whole, or not at all. It is written under a temporary
/// name, and removed with this object unless `finish` gave it its own.
package final class NewFile {
  private let temporaryPath: String
  private let descriptor: Int32
  private var isFinished = false

  /// Creates the temporary file, which must not exist. A new file has `permissions`, less those that
  /// the process withholds.
  package init(temporaryPath: String, permissions: UInt32) throws(SystemError) {
    self.temporaryPath = temporaryPath
    descriptor = open(
      temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
    guard descriptor >= 0 else {
      isFinished = true
      throw .last
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isFinished { unlink(temporaryPath) }
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    switch bytes.withUnsafeBytes(FileDescriptor(number: descriptor).write) {
    case nil: return
    case .readerHasGone?: throw SystemError(code: EPIPE)
    case .failed?: throw .last
    }
  }

  /// Writes it to the disk and renames it, which replaces a file of that name.
  package func finish(as path: String, permissions: UInt32? = nil) throws(SystemError) {
    if let permissions, fchmod(descriptor, mode_t(permissions)) != 0 { throw .last }
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw .last }
    isFinished = true
  }
}
