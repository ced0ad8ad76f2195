internal import CSQLite

/// The values of one row on their way into a table: numbers, and texts and blobs that lie in one
/// run of bytes. It is built on any thread; binding it copies nothing.
struct Row: Sendable {
  enum Cell: Sendable {
    case null
    case integer(Int)
    case real(Double)
    case text(offset: UInt32, count: UInt32)
    case blob(offset: UInt32, count: UInt32)
  }

  private(set) var cells: [Cell] = []
  private(set) var bytes: [UInt8] = []

  init(columns: Int, bytes: Int = 0) {
    cells.reserveCapacity(columns)
    self.bytes.reserveCapacity(bytes)
  }

  mutating func add(_ number: Int?) {
    cells.append(number.map { .integer($0) } ?? .null)
  }

  mutating func add(_ number: Double?) {
    cells.append(number.map { .real($0) } ?? .null)
  }

  mutating func add(_ text: String?) {
    guard var text else { return cells.append(.null) }
    let offset = bytes.count
    text.withUTF8 { bytes.append(contentsOf: $0) }
    cells.append(.text(offset: UInt32(offset), count: UInt32(bytes.count - offset)))
  }

  mutating func add(blob: [UInt8]?) {
    guard let blob else { return cells.append(.null) }
    blob.withUnsafeBytes { add(blob: $0) }
  }

  mutating func add(blob: UnsafeRawBufferPointer) {
    let offset = bytes.count
    bytes.append(contentsOf: blob)
    cells.append(.blob(offset: UInt32(offset), count: UInt32(blob.count)))
  }

  /// Takes the values, in their order, into a digest, all but that of one column.
  func add(to digest: inout ContentDigest, without column: Int? = nil) {
    bytes.withUnsafeBytes { bytes in
      for (number, cell) in cells.enumerated() where number != column {
        switch cell {
        case .null: digest.add(RowDigest.null)
        case .integer(let number): digest.add(number)
        case .real(let number): digest.add(number.bitPattern)
        case .text(let offset, let count), .blob(let offset, let count):
          digest.add(UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + count)]))
        }
      }
    }
  }

  /// Binds the values to parameters from `first` on and runs the statement, which must need no
  /// value beyond those bound before and here.
  func run(_ statement: Statement, from first: Int32) throws(StoreError) {
    let outcome = bytes.withUnsafeBytes { bytes -> Result<Void, StoreError> in
      // An empty text needs an address too: a nil pointer would bind NULL.
      let base = bytes.baseAddress ?? UnsafeRawPointer(statement.handle)
      var index = first
      for cell in cells {
        switch cell {
        case .null: break
        case .integer(let number): sqlite3_bind_int64(statement.handle, index, Int64(number))
        case .real(let number): sqlite3_bind_double(statement.handle, index, number)
        case .text(let offset, let count):
          _ = agenda_sqlite3_bind_text(
            statement.handle, index, base + Int(offset), Int32(clamping: count), 1)
        case .blob(let offset, let count):
          _ = agenda_sqlite3_bind_blob(
            statement.handle, index, base + Int(offset), Int32(clamping: count), 1)
        }
        index += 1
      }
      do throws(StoreError) {
        try statement.run()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    statement.reset()
    try outcome.get()
  }
}

/// How the digest of a row is made, of a row to be written as of one read.
enum RowDigest {
  /// What stands for NULL: no number that a column holds.
  static let null: UInt64 = 0x6e75_6c6c_6e75_6c6c

  /// Takes in columns as SQLite gives them, in the way of `Row.add(to:)`.
  static func add(_ columns: Range<Int32>, of statement: Statement, to digest: inout ContentDigest)
  {
    for column in columns {
      switch sqlite3_column_type(statement.handle, column) {
      case SQLITE_INTEGER: digest.add(statement.integer(column))
      case SQLITE_FLOAT: digest.add(statement.double(column).bitPattern)
      case SQLITE_TEXT, SQLITE_BLOB: statement.withBytes(column) { digest.add($0) }
      default: digest.add(null)
      }
    }
  }
}

extension Row {
  /// The values of both, one after the other.
  func followed(by other: Row) -> Row {
    var joined = self
    let offset = UInt32(bytes.count)
    joined.bytes.append(contentsOf: other.bytes)
    joined.cells.append(
      contentsOf: other.cells.map {
        switch $0 {
        case .text(let start, let count): .text(offset: start + offset, count: count)
        case .blob(let start, let count): .blob(offset: start + offset, count: count)
        default: $0
        }
      })
    return joined
  }
}
