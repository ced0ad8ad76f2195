/// Decides when commits wait for the disk.
extension Store {
  /// From here on, commits do not wait for the disk until `waitForDisk`. If the power fails before,
  /// the last transactions are lost, and the store is as it was before them.
  ///
  /// That is true in WAL mode only (https://sqlite.org/pragma.html#pragma_synchronous): otherwise
  /// nothing changes.
  package func delayDiskWrites() throws(StoreError) {
    guard Migrations.usesWriteAheadLog(connection) else { return }
    try connection.run("PRAGMA synchronous = NORMAL")
  }

  /// Waits until the disk has all transactions.
  package func waitForDisk() throws(StoreError) {
    let normal = 1
    guard try connection.integer("PRAGMA synchronous") == normal else { return }
    try connection.run("PRAGMA synchronous = FULL")
    // A commit waits for the whole log. This one changes nothing, but waits for earlier ones too.
    try connection.writing { () throws(StoreError) in
      try connection.update(Schema.store, set: ["next_run": try nextRun()], where: "id = 1")
    }
  }
}
