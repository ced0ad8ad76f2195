internal import SystemLibrary

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
    let file = try NewFile(
      in: self, temporaryName: temporaryName, permissions: permissions,
      copied: self.permissions(of: name) ?? copied)
    try file.write(bytes)
    try file.finish(as: name, toDisk: toDisk)
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

  private func permissions(of name: [UInt8]) -> UInt32? {
    status(of: name).map { $0.permissions & 0o777 }
  }

  private func synchronise() throws(SystemError) {
    // Some file systems cannot synchronise a folder.
    if fsync(descriptor) != 0, errno != EINVAL { throw .last }
  }
}
