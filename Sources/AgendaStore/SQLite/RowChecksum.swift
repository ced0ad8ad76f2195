internal import CSQLite

/// The checksum of a row: a digest of its id and its columns under the store's key.
///
/// `Row` computes it for rows that are written. The SQL function `row_checksum(id, column, …)`
/// computes it for rows that are updated or checked.
enum RowChecksum {
  static let functionName = "row_checksum"

  /// Represents NULL; no integer column contains it.
  static let null: UInt64 = 0x6e75_6c6c_6e75_6c6c

  /// What a text or a blob adds to the checksum. It is a digest, so that the threads that read can
  /// compute it for the last column before the columns in front of it are known.
  static func digest(of bytes: UnsafeRawBufferPointer, key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    digest.add(bytes)
    return digest.value
  }

  static func value(id: Int, columns: ContentDigest, key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    digest.add(id)
    digest.add(columns.value)
    return digest.value
  }

  /// Registers the SQL function in a connection. `key` must outlive the connection.
  static func register(in handle: OpaquePointer, key: UnsafeMutablePointer<StoreKey>) -> Bool {
    sqlite3_create_function_v2(
      handle, functionName, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, key,
      { context, count, values in
        guard let values, count > 0,
          let key = sqlite3_user_data(context)?.assumingMemoryBound(to: StoreKey.self)
        else { return }
        var columns = ContentDigest(key: key.pointee.number)
        for index in 1..<max(1, Int(count)) {
          RowChecksum.add(values[index], to: &columns, key: key.pointee)
        }
        let id = Int(sqlite3_value_int64(values[0]))
        sqlite3_result_int64(
          context, Int64(RowChecksum.value(id: id, columns: columns, key: key.pointee)))
      }, nil, nil, nil) == SQLITE_OK
  }

  private static func add(
    _ value: OpaquePointer?, to digest: inout ContentDigest, key: StoreKey
  ) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: digest.add(Int(sqlite3_value_int64(value)))
    case SQLITE_FLOAT: digest.add(sqlite3_value_double(value).bitPattern)
    case SQLITE_TEXT, SQLITE_BLOB:
      // For a text this is its UTF-8: the store's encoding.
      let bytes = sqlite3_value_blob(value)
      digest.add(
        RowChecksum.digest(
          of: UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), key: key
        ))
    default: digest.add(null)
    }
  }
}
