internal import CSQLite

/// The changes of rows that a piece of work made, in the format of SQLite's session extension
/// (https://sqlite.org/sessionintro.html).
struct Changeset {
  let bytes: [UInt8]
}

extension Connection {
  /// Records what `work` changes in these tables.
  func recordingChanges(
    of tables: [Table], _ work: () throws(StoreError) -> Void
  ) throws(StoreError) -> Changeset {
    var session: OpaquePointer?
    guard sqlite3session_create(handle, "main", &session) == SQLITE_OK, let session else {
      throw error(in: "sqlite3session_create")
    }
    defer { sqlite3session_delete(session) }
    for table in tables where sqlite3session_attach(session, table.name) != SQLITE_OK {
      throw error(in: "sqlite3session_attach")
    }
    try work()
    var count: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    let code = sqlite3session_changeset(session, &count, &bytes)
    defer { sqlite3_free(bytes) }
    guard code == SQLITE_OK else {
      throw .failed(path: path, what: "cannot record what is undone", code: code)
    }
    return Changeset(bytes: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
  }

  /// Makes the rows of a changeset as they were before it. Returns whether that is possible; if not,
  /// nothing is changed.
  ///
  /// Rows can have got other values in other columns since, such as the time of the last import. Their
  /// checksums are computed again.
  func revert(_ changes: Changeset, of tables: [Table]) throws(StoreError) -> Bool {
    guard !changes.bytes.isEmpty else { return true }
    var inverse: UnsafeMutableRawPointer?
    var count: Int32 = 0
    let inverted = changes.bytes.withUnsafeBytes {
      sqlite3changeset_invert(Int32(clamping: $0.count), $0.baseAddress, &count, &inverse)
    }
    defer { sqlite3_free(inverse) }
    guard inverted == SQLITE_OK else { throw .damaged(path: path, what: "table undone") }
    var conflicts = ChangesetConflicts()
    let code = withUnsafeMutablePointer(to: &conflicts) {
      sqlite3changeset_apply(
        handle, count, inverse, nil,
        { context, kind, change in
          guard let conflicts = context?.assumingMemoryBound(to: ChangesetConflicts.self) else {
            return SQLITE_CHANGESET_ABORT
          }
          return conflicts.pointee.resolution(of: kind, change)
        }, $0)
    }
    if code == SQLITE_ABORT { return false }
    guard code == SQLITE_OK else {
      throw .failed(path: path, what: "cannot bring back what was undone", code: code)
    }
    for row in conflicts.replaced {
      guard let table = tables.first(where: { $0.name == row.table }) else { continue }
      try run("UPDATE \(table.name) SET checksum = \(table.checksum()) WHERE id = ?1", row.id)
    }
    return true
  }
}

/// The rows that a changeset finds with other values than those that it left.
private struct ChangesetConflicts {
  private(set) var replaced: [(table: String, id: Int)] = []

  mutating func resolution(of kind: Int32, _ change: OpaquePointer?) -> Int32 {
    var name: UnsafePointer<CChar>?
    var columns: Int32 = 0
    var operation: Int32 = 0
    guard
      sqlite3changeset_op(change, &name, &columns, &operation, nil) == SQLITE_OK, let name
    else { return SQLITE_CHANGESET_ABORT }
    switch (kind, operation) {
    case (SQLITE_CHANGESET_DATA, SQLITE_UPDATE):
      var id: OpaquePointer?
      guard sqlite3changeset_old(change, 0, &id) == SQLITE_OK, let id else {
        return SQLITE_CHANGESET_ABORT
      }
      replaced.append((String(cString: name), Int(sqlite3_value_int64(id))))
      return SQLITE_CHANGESET_REPLACE
    case (SQLITE_CHANGESET_DATA, SQLITE_DELETE): return SQLITE_CHANGESET_REPLACE
    case (SQLITE_CHANGESET_NOTFOUND, SQLITE_DELETE): return SQLITE_CHANGESET_OMIT
    default: return SQLITE_CHANGESET_ABORT
    }
  }
}
