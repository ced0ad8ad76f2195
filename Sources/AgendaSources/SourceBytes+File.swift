package import AgendaReader
internal import Platform

extension SourceBytes {
  /// The bytes of a regular file. A FIFO, a device or a socket is refused without waiting for it.
  package convenience init(
    contentsOf path: String, limit: Int = SourceBytes.usualLimit
  ) throws(ReaderError) {
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(path: path)
    } catch {
      // A socket cannot be opened at all, nor can a device without a driver.
      if let kind = FileStatus(path: path)?.kind.refusal { throw .notAFile(kind: kind) }
      throw .cannotRead(reason: error.description)
    }
    try self.init(regularFile: file, limit: limit)
  }

  /// The bytes of an open regular file, read to its end even if it grows meanwhile.
  convenience init(regularFile file: borrowing OpenFile, limit: Int) throws(ReaderError) {
    guard let status = file.status else {
      throw .cannotRead(reason: SystemError.last.description)
    }
    if let kind = status.kind.refusal { throw .notAFile(kind: kind) }
    guard status.size <= limit else { throw .tooLarge(limit: limit) }
    try self.init(reading: file, expected: status.size, limit: limit)
  }

  /// The bytes of standard input, or of another open descriptor, to its end.
  package convenience init(
    standardInput descriptor: Int32 = 0, limit: Int = SourceBytes.usualLimit
  ) throws(ReaderError) {
    let file = OpenFile(borrowing: descriptor)
    let status = file.status
    let size = status.flatMap { $0.kind == .file ? $0.size : nil }
    try self.init(
      reading: file, expected: size.map { min($0, limit) } ?? 1 << 16, limit: limit)
  }

  private convenience init(
    reading file: borrowing OpenFile, expected: Int, limit: Int
  ) throws(ReaderError) {
    // One byte more than expected, so that the end shows without a second buffer.
    var buffer = GrowingBuffer(capacity: max(expected, 1) + 1)
    while true {
      let got: Int
      do throws(SystemError) {
        got = try file.read(into: buffer.end, count: buffer.room)
      } catch {
        buffer.free()
        throw .cannotRead(reason: error.description)
      }
      if got == 0 { break }
      buffer.count += got
      guard buffer.count <= limit else {
        buffer.free()
        throw .tooLarge(limit: limit)
      }
      if buffer.room == 0 { buffer.grow(atMost: limit + 1) }
    }
    self.init(adopting: buffer.memory, count: buffer.count)
  }
}

/// Memory that is filled from its start.
private struct GrowingBuffer {
  private(set) var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    memory = Memory.allocate(capacity)
  }

  var room: Int { capacity - count }
  var end: UnsafeMutablePointer<UInt8> { memory + count }

  mutating func grow(atMost limit: Int) {
    capacity = min(capacity * 2, limit)
    let larger = Memory.allocate(capacity)
    larger.update(from: memory, count: count)
    free()
    memory = larger
  }

  func free() { Memory.deallocate(memory) }
}
