internal import CSQLite

/// Changes of rows, in the format of SQLite's session extension
/// (https://sqlite.org/sessionintro.html). They come and go in parts: those of a large import would
/// need as much memory as the store.
extension Connection {
  /// Records what `work` changes in these tables, and passes it on in parts.
  func recordChanges(
    of tables: [Table], to write: (UnsafeRawBufferPointer) throws(StoreError) -> Void,
    _ work: () throws(StoreError) -> Void
  ) throws(StoreError) {
    var session: OpaquePointer?
    guard sqlite3session_create(handle, "main", &session) == SQLITE_OK, let session else {
      throw error(in: "sqlite3session_create")
    }
    defer { sqlite3session_delete(session) }
    for table in tables where sqlite3session_attach(session, table.name) != SQLITE_OK {
      throw error(in: "sqlite3session_attach")
    }
    try work()
    let code: Int32
    var failure: StoreError?
    (code, failure) = withoutActuallyEscaping(write) { write in
      var output = ChangesetOutput(write: write)
      let code = withUnsafeMutablePointer(to: &output) {
        sqlite3session_changeset_strm(
          session,
          { context, bytes, count in
            guard let output = context?.assumingMemoryBound(to: ChangesetOutput.self) else {
              return SQLITE_ERROR
            }
            return output.pointee.take(
              UnsafeRawBufferPointer(start: bytes, count: Int(count)))
          }, $0)
      }
      return (code, output.failure)
    }
    if let failure { throw failure }
    guard code == SQLITE_OK else {
      throw .failed(path: path, what: "cannot record what is undone", code: code)
    }
  }

  /// Makes the rows of a record as they were before the changes. `next` copies the next bytes of the
  /// record into a buffer and returns how many. Returns whether it is possible; if not, nothing is
  /// changed.
  ///
  /// Rows can have got other values in other columns since, such as the time of the last import. Their
  /// checksums are computed again.
  func revertChanges(
    of tables: [Table], from next: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
  ) throws(StoreError) -> Bool {
    var conflicts = ChangesetConflicts()
    let code: Int32
    var failure: StoreError?
    (code, failure) = withoutActuallyEscaping(next) { next in
      var input = ChangesetInput(next: next)
      let code = withUnsafeMutablePointer(to: &conflicts) { conflicts in
        withUnsafeMutablePointer(to: &input) { input in
          sqlite3changeset_apply_v2_strm(
            handle,
            { context, buffer, count in
              guard let input = context?.assumingMemoryBound(to: ChangesetInput.self) else {
                return SQLITE_ERROR
              }
              return input.pointee.fill(buffer, count)
            }, input, nil,
            { context, kind, change in
              guard let conflicts = context?.assumingMemoryBound(to: ChangesetConflicts.self)
              else { return SQLITE_CHANGESET_ABORT }
              return conflicts.pointee.resolution(of: kind, change)
            }, conflicts, nil, nil, SQLITE_CHANGESETAPPLY_INVERT)
        }
      }
      return (code, input.failure)
    }
    if let failure { throw failure }
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

/// What SQLite writes a record to.
private struct ChangesetOutput {
  let write: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  private(set) var failure: StoreError?

  init(write: @escaping (UnsafeRawBufferPointer) throws(StoreError) -> Void) { self.write = write }

  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    do throws(StoreError) {
      try write(bytes)
      return SQLITE_OK
    } catch {
      failure = error
      return SQLITE_ABORT
    }
  }
}

/// What SQLite reads a record from.
private struct ChangesetInput {
  let next: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
  private(set) var failure: StoreError?

  init(next: @escaping (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int) {
    self.next = next
  }

  mutating func fill(
    _ buffer: UnsafeMutableRawPointer?, _ count: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let count else { return SQLITE_ERROR }
    do throws(StoreError) {
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count.pointee))
      count.pointee = Int32(clamping: try next(room))
      return SQLITE_OK
    } catch {
      failure = error
      return SQLITE_ABORT
    }
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
