internal import SystemLibrary

/// A file without a name, for bytes that should not stay in memory. It goes away with this object.
package final class TemporaryFile {
  private let descriptor: Int32
  private var count = 0

  package init(in folder: String) throws(SystemError) {
    // mkstemp creates it for its owner only.
    var template = Array("\(folder)/agenda-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw .last }
    descriptor = number
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(&template)
  }

  deinit { close(descriptor) }

  /// Adds bytes at the end, and returns where they are.
  package func append(_ bytes: [UInt8]) throws(SystemError) -> Range<Int> {
    let outcome = bytes.withUnsafeBytes { bytes -> Result<Range<Int>, SystemError> in
      do throws(SystemError) {
        return .success(try append(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Range<Int> {
    let start = count
    guard lseek(descriptor, off_t(start), SEEK_SET) >= 0,
      FileDescriptor(number: descriptor).write(bytes) == nil
    else { throw .last }
    count += bytes.count
    return start..<count
  }

  /// All of it as memory, which stays valid without this object.
  package func mapped() throws(SystemError) -> MappedFile {
    try MappedFile(descriptor, count: count)
  }

  package func bytes(in range: Range<Int>) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          off_t(range.lowerBound + done))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw got < 0 ? .last : SystemError(code: EIO) }
      done += got
    }
    return bytes
  }
}
