internal import CSQLite

/// The values of a row that will be written, in the order of the table's columns. It has numbers,
/// and the bytes of all texts and blobs in one array. Any thread can make one, and binding it
/// copies nothing.
struct Row: Sendable {
  private enum Cell: Sendable {
    case null
    case integer(Int)
    case text(offset: UInt32, count: UInt32)
    case blob(offset: UInt32, count: UInt32)
  }

  private var cells: [Cell] = []
  private var bytes: [UInt8] = []
  private let key: StoreKey
  /// The digest of all values so far.
  private(set) var digest: ContentDigest
  #if DEBUG
    private(set) var names: [String] = []
  #else
    var names: [String] { [] }
  #endif

  init(columns: Int, bytes: Int = 0, key: StoreKey) {
    self.key = key
    digest = ContentDigest(key: key.number)
    cells.reserveCapacity(columns)
    self.bytes.reserveCapacity(bytes)
  }

  /// Debug builds, such as those of the tests, compare the names with the table's declaration.
  @inline(__always)
  private mutating func note(_ name: StaticString) {
    #if DEBUG
      names.append("\(name)")
    #endif
  }

  mutating func add(_ name: StaticString, _ number: Int?) {
    note(name)
    guard let number else { return addNull() }
    cells.append(.integer(number))
    digest.add(number)
  }

  mutating func add(_ name: StaticString, _ text: String?) {
    note(name)
    guard var text else { return addNull() }
    text.withUTF8 { utf8 in
      let (offset, count) = append(UnsafeRawBufferPointer(utf8))
      cells.append(.text(offset: offset, count: count))
    }
  }

  mutating func add(_ name: StaticString, blob: [UInt8]?) {
    guard let blob else {
      note(name)
      return addNull()
    }
    blob.withUnsafeBytes { add(name, blob: $0) }
  }

  mutating func add(_ name: StaticString, blob: UnsafeRawBufferPointer) {
    note(name)
    let (offset, count) = append(blob)
    cells.append(.blob(offset: offset, count: count))
  }

  private mutating func addNull() {
    cells.append(.null)
    digest.add(Int?.none)
  }

  private mutating func append(_ added: UnsafeRawBufferPointer) -> (UInt32, UInt32) {
    let offset = bytes.count
    bytes.append(contentsOf: added)
    digest.add(RowChecksum.digest(of: added, key: key))
    return (UInt32(offset), UInt32(added.count))
  }

  /// Runs an insertion into the row's table (`Table.insertion`). Each insertion binds all
  /// parameters, so none of them has to be cleared afterwards.
  ///
  /// `numbers` are the columns after those of the row, and `last` is the one after these; adding them
  /// to the row would copy it.
  func insert(
    id: Int, by statement: Statement, followedBy numbers: [Int?] = [], last: LongBytes? = nil
  ) throws(StoreError) {
    var digest = digest
    for number in numbers { digest.add(number) }
    if let last { digest.add(last.digest) }
    statement.bind(1, id)
    statement.bind(2, RowChecksum.value(id: id, columns: digest, key: key))
    let outcome = bytes.withUnsafeBytes { bytes -> Result<Void, StoreError> in
      // An empty text needs an address too, because a null pointer would bind NULL.
      let base = bytes.baseAddress ?? UnsafeRawPointer(statement.handle)
      var index: Int32 = 3
      for cell in cells {
        switch cell {
        case .null: sqlite3_bind_null(statement.handle, index)
        case .integer(let number): sqlite3_bind_int64(statement.handle, index, Int64(number))
        case .text(let offset, let count):
          statement.note(
            agenda_sqlite3_bind_text(
              statement.handle, index, base + Int(offset), Int32(clamping: count), 1))
        case .blob(let offset, let count):
          statement.note(
            agenda_sqlite3_bind_blob(
              statement.handle, index, base + Int(offset), Int32(clamping: count), 1))
        }
        index += 1
      }
      for number in numbers {
        if let number {
          statement.bind(index, number)
        } else {
          sqlite3_bind_null(statement.handle, index)
        }
        index += 1
      }
      if let last {
        last.bytes.withUnsafeBytes { bytes in
          statement.note(
            agenda_sqlite3_bind_blob(
              statement.handle, index, bytes.baseAddress ?? base, Int32(clamping: bytes.count), 0))
        }
      }
      do throws(StoreError) {
        try statement.run()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }
}

/// The bytes of a long column, with the digest that the checksum of their row needs.
struct LongBytes: Sendable {
  let bytes: [UInt8]
  let digest: Int

  init(_ bytes: [UInt8], key: StoreKey) {
    self.bytes = bytes
    digest = bytes.withUnsafeBytes { RowChecksum.digest(of: $0, key: key) }
  }
}

extension ContentDigest {
  /// Takes in a column with a number.
  fileprivate mutating func add(_ number: Int?) {
    if let number { add(number) } else { add(RowChecksum.null) }
  }
}
