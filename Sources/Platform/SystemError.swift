internal import SystemLibrary

/// The reason why a system call failed.
package struct SystemError: Error, Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the call that has just failed on this thread.
  package static var last: SystemError { SystemError(code: errno) }

  /// Nothing exists at the path.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Nothing exists at the path, but its folder exists.
  package var isMissingFile: Bool { code == ENOENT }
  package var isExisting: Bool { code == EEXIST }
  package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
  /// The call would have to wait.
  package var wouldWait: Bool { code == EAGAIN }
  /// The same call can succeed later: the device failed, or memory or descriptors were used up.
  package var isPassing: Bool {
    [EIO, EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN].contains(code)
  }
  package var isInterrupted: Bool { code == EINTR }
  /// The path ends with a symbolic link that must not be followed.
  package var isLink: Bool { code == ELOOP }
  /// Sockets can't be opened, nor can devices without a driver.
  package var isUnopenable: Bool { code == ENXIO }
}

extension SystemError: CustomStringConvertible {
  /// `No such file or directory`
  package var description: String { String(cString: strerror(code)) }
}
