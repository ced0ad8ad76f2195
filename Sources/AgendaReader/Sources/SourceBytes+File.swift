#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension SourceBytes {
  /// The most that a source may have, unless the caller says otherwise.
  public static let usualLimit = 1 << 30

  /// The bytes of a regular file. A FIFO, a device or a socket is refused without waiting for it.
  public convenience init(
    contentsOf path: String, limit: Int = SourceBytes.usualLimit
  ) throws(ReaderError) {
    // O_NONBLOCK: opening a FIFO without a writer would wait for one.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      let reason = SystemFailure.current
      // A socket cannot be opened at all, nor can a device without a driver behind it.
      var status = stat()
      if stat(path, &status) == 0, let kind = FileKind(status).refusal {
        throw .notAFile(kind: kind)
      }
      throw .cannotRead(reason: reason)
    }
    defer { close(descriptor) }
    try self.init(regularFile: descriptor, limit: limit)
  }

  /// The bytes of an open regular file, read to its end also where it grows meanwhile.
  convenience init(regularFile descriptor: Int32, limit: Int) throws(ReaderError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .cannotRead(reason: SystemFailure.current)
    }
    if let kind = FileKind(status).refusal { throw .notAFile(kind: kind) }
    let size = Int(status.st_size)
    guard size <= limit else { throw .tooLarge(limit: limit) }
    try self.init(reading: descriptor, expected: size, limit: limit)
  }

  /// Standard input, or whatever else is open for reading, to its end.
  public convenience init(
    standardInput descriptor: Int32 = 0, limit: Int = SourceBytes.usualLimit
  ) throws(ReaderError) {
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && FileKind(status) == .file
    try self.init(
      reading: descriptor, expected: isFile ? min(Int(status.st_size), limit) : 1 << 16,
      limit: limit)
  }

  private convenience init(
    reading descriptor: Int32, expected: Int, limit: Int
  ) throws(ReaderError) {
    // One more byte than expected, so that the end is seen without a second room.
    var capacity = max(expected, 1) + 1
    var memory = Self.allocate(capacity)
    var count = 0
    while true {
      if count == capacity {
        guard capacity <= limit else {
          free(memory)
          throw .tooLarge(limit: limit)
        }
        capacity = min(capacity * 2, limit + 1)
        guard let larger = realloc(memory, capacity) else {
          free(memory)
          throw .cannotRead(reason: SystemFailure.current)
        }
        memory = larger.bindMemory(to: UInt8.self, capacity: capacity)
      }
      let got = read(descriptor, memory + count, capacity - count)
      if got == 0 { break }
      if got > 0 {
        count += got
      } else if errno == EAGAIN {
        // A non-blocking descriptor that somebody gave as standard input.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        let reason = SystemFailure.current
        free(memory)
        throw .cannotRead(reason: reason)
      }
    }
    guard count <= limit else {
      free(memory)
      throw .tooLarge(limit: limit)
    }
    self.init(adopting: memory, count: count)
  }
}
