#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension OpenFolder {
  /// Whether entries can be created and replaced in it.
  package var isWritable: Bool { faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

  /// Waits until no other process holds the lock of the folder, and holds it until the folder is
  /// closed. Readers need no lock, because every change of a file is one rename.
  package func lock() throws(SystemError) {
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { throw .last }
    }
  }

  /// Takes the lock if no other process holds it, without waiting.
  package func lockIfFree() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Writes a file as a whole: into `temporaryName`, to the disk, then under its own name. A file
  /// that is replaced passes on its permissions. After an error the old file is unchanged.
  ///
  /// A new file has exactly the permissions `copied`. Without them it has `permissions`, less those
  /// that the process withholds. A file that can be made again need not be written to the disk at
  /// once.
  ///
  /// The caller holds the lock: a temporary file that is there already belongs to a process that was
  /// killed.
  package func write(
    _ bytes: [UInt8], to name: [UInt8], temporaryName: [UInt8], permissions: UInt32 = 0o666,
    copied: UInt32? = nil, toDisk: Bool = true
  ) throws(SystemError) {
    removeTemporaryFile(temporaryName)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = withCString(temporaryName) { openat(descriptor, $0, flags, mode_t(permissions)) }
    guard file >= 0 else { throw .last }
    let failure = Self.fill(
      file, with: bytes, permissions: self.permissions(of: name) ?? copied.map { mode_t($0) },
      toDisk: toDisk)
    close(file)
    if let failure {
      removeTemporaryFile(temporaryName)
      throw failure
    }
    let result = withCString(temporaryName) { from in
      withCString(name) { renameat(descriptor, from, descriptor, $0) }
    }
    if result != 0 {
      let error = SystemError.last
      removeTemporaryFile(temporaryName)
      throw error
    }
    if toDisk { try synchronise() }
  }

  /// Removes a file.
  package func remove(_ name: [UInt8]) throws(SystemError) {
    guard withCString(name, { unlinkat(descriptor, $0, 0) }) == 0 else { throw .last }
    try synchronise()
  }

  /// Removes the file that a killed process left.
  package func removeTemporaryFile(_ name: [UInt8]) {
    _ = withCString(name) { unlinkat(descriptor, $0, 0) }
  }

  private static func fill(
    _ file: Int32, with bytes: [UInt8], permissions: mode_t?, toDisk: Bool
  ) -> SystemError? {
    if let permissions, fchmod(file, permissions) != 0 { return .last }
    switch bytes.withUnsafeBytes(FileDescriptor(number: file).write) {
    case nil: return !toDisk || fsync(file) == 0 ? nil : .last
    case .readerHasGone?: return SystemError(code: EPIPE)
    case .failed?: return .last
    }
  }

  private func permissions(of name: [UInt8]) -> mode_t? {
    var status = stat()
    let result = withCString(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? status.st_mode & 0o777 : nil
  }

  private func synchronise() throws(SystemError) {
    // Some file systems cannot synchronise a folder.
    if fsync(descriptor) != 0, errno != EINVAL { throw .last }
  }
}
