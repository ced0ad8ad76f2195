package import AgendaReader
internal import Platform

extension SourceBytes {
  /// The bytes of a regular file. A FIFO, a device or a socket is refused without waiting for it.
  package convenience init(
    contentsOf path: String, limit: Int = SourceBytes.usualLimit, copy: Copy? = nil
  ) throws(ReaderError) {
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(path: path)
    } catch {
      // A socket, and a device without a driver, cannot be opened at all.
      if let kind = FileStatus(path: path)?.kind.refusal { throw .notAFile(kind: kind) }
      throw .cannotRead(reason: error.description)
    }
    try self.init(regularFile: file, limit: limit, copy: copy)
  }

  /// The folder for the copy of a large file, and the size from which a file is large.
  package struct Copy {
    var folder: String
    var mostInMemory: Int

    package init(folder: String, mostInMemory: Int) {
      self.folder = folder
      self.mostInMemory = mostInMemory
    }
  }

  /// The bytes of an open regular file, read to its end even if it grows meanwhile.
  convenience init(
    regularFile file: borrowing OpenFile, limit: Int, copy: Copy? = nil
  ) throws(ReaderError) {
    guard let status = file.status else {
      throw .cannotRead(reason: SystemError.last.description)
    }
    if let kind = status.kind.refusal { throw .notAFile(kind: kind) }
    guard status.size <= limit else { throw .tooLarge(limit: limit) }
    if let copy, status.size > copy.mostInMemory {
      self.init(try Self.mappedCopy(of: file, in: copy.folder, limit: limit))
    } else {
      try self.init(reading: file, expected: status.size, limit: limit)
    }
  }

  /// A copy of an open file in a temporary file.
  private static func mappedCopy(
    of file: borrowing OpenFile, in folder: String, limit: Int
  ) throws(ReaderError) -> MappedFile {
    func failure(_ error: SystemError) -> ReaderError {
      .cannotRead(
        reason: "cannot write a copy to \(folder): \(error); set TMPDIR to another folder")
    }
    let length = 1 << 20
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: length)
    defer { buffer.deallocate() }
    let copy: TemporaryFile
    do throws(SystemError) {
      copy = try TemporaryFile(in: folder)
    } catch {
      throw failure(error)
    }
    var count = 0
    while true {
      let got: Int
      do throws(SystemError) {
        got = try file.read(into: buffer, count: length)
      } catch {
        throw .cannotRead(reason: error.description)
      }
      if got == 0 { break }
      count += got
      guard count <= limit else { throw .tooLarge(limit: limit) }
      do throws(SystemError) {
        _ = try copy.append(UnsafeRawBufferPointer(start: buffer, count: got))
      } catch {
        throw failure(error)
      }
    }
    do throws(SystemError) {
      return try copy.mapped()
    } catch {
      throw failure(error)
    }
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
