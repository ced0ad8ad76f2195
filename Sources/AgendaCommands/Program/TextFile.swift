internal import Platform

/// A small file of text, read as a whole.
enum TextFile {
  enum Outcome {
    case text(String)
    case absent
    case failed(String)
  }

  /// Reads a regular file; anything else there is refused without waiting for it.
  static func read(_ path: String, atMost limit: Int) -> Outcome {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR
        ? .absent : .failed(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failed(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return status.st_size == 0 && status.st_mode & S_IFMT == S_IFCHR
        ? .absent : .failed("not a regular file")
    }
    guard status.st_size <= limit else { return .failed("larger than \(limit) bytes") }
    var bytes: [UInt8] = []
    var failure: String?
    while bytes.count <= limit {
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, count in
        let got = Int(read(descriptor, into: buffer))
        if got < 0 { failure = String(cString: strerror(errno)) }
        count = max(0, got)
      }
      if chunk.isEmpty { break }
      bytes += chunk
    }
    if let failure { return .failed(failure) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .failed("not UTF-8")
    }
    return .text(text)
  }

  private static func read(_ descriptor: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>)
    -> Int
  {
    while true {
      let count = Platform.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count
    }
  }
}
