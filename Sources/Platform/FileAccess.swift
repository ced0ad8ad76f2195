internal import SystemLibrary

/// The access of this process to files and folders by their paths.
package enum FileAccess {
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  package static func canWrite(_ path: String) -> Bool { access(path, W_OK) == 0 }
  package static func canRun(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Opens a file for writing and closes it again, to check whether that is possible. A link is not
  /// followed.
  package static func tryWriting(_ path: String) throws(SystemError) {
    try openAndClose(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
  }

  /// Creates an empty file, unless it exists and can be written. A link is not followed.
  package static func createFile(_ path: String, permissions: UInt32) throws(SystemError) {
    try openAndClose(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, mode_t(permissions))
  }

  package static func createFolder(_ path: String, permissions: UInt32) throws(SystemError) {
    if mkdir(path, mode_t(permissions)) != 0 { throw .last }
  }

  /// Creates a folder and all missing folders that lead to it. The error is that of the first one that
  /// is missing and cannot be created: what follows would only be missing, too.
  package static func createFolders(_ path: String) throws(SystemError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/\(part)"
      if mkdir(made, 0o777) != 0 {
        let error = SystemError.last
        guard exists(made) else { throw error }
      }
    }
  }

  private static func openAndClose(
    _ path: String, _ flags: Int32, _ mode: mode_t = 0
  ) throws(SystemError) {
    let descriptor = open(path, flags, mode)
    guard descriptor >= 0 else { throw .last }
    close(descriptor)
  }
}
