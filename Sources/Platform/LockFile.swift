internal import SystemLibrary

/// A file that one process at a time can lock. The lock ends with this object, or with the process.
package final class LockFile: Sendable {
  private let descriptor: Int32

  /// Locks the file, which is created if it is missing; `nil` if another process has locked it.
  package init?(path: String) throws(SystemError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { return nil }
      throw SystemError(code: code)
    }
  }

  deinit { close(descriptor) }
}
