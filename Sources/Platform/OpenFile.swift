internal import SystemLibrary

/// A file that is open for reading. It is closed when the value goes away.
package struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let closesDescriptor: Bool

  /// Opens a file. It never waits: opening a FIFO without a writer would otherwise block.
  package init(path: String, followingLinks: Bool = true) throws(SystemError) {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (followingLinks ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw .last }
    self.init(adopting: descriptor)
  }

  /// Reads from a descriptor that stays open: standard input.
  package init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    closesDescriptor = false
  }

  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    closesDescriptor = true
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  package var status: FileStatus? { FileStatus(descriptor: descriptor) }

  /// Reads the next bytes, and waits for them if necessary. Returns how many were read; 0 at the
  /// end.
  package func read(
    into buffer: UnsafeMutablePointer<UInt8>, count: Int
  ) throws(SystemError) -> Int {
    while true {
      let got = readDescriptor(descriptor, buffer, count)
      if got >= 0 { return got }
      if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// The bytes up to the end, or the first `limit` of them.
  package func bytes(atMost limit: Int) throws(SystemError) -> [UInt8] {
    // Small, if the size is unknown: files of /proc have the size 0.
    let expected = (status?.size).map { max($0, 4_096) } ?? 4_096
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let room = min(max(expected, bytes.count), limit - bytes.count)
      var failure: SystemError?
      let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        do throws(SystemError) {
          count = try read(into: start, count: room)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      if piece.isEmpty { break }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }
}
