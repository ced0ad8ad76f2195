internal import FetchProtocol
internal import Platform

/// Answers on their way to standard output. A reader that is busy must not stop the transfers: what
/// does not fit into the pipe waits here. If too much waits, no further transfer begins.
final class AnswerQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  let descriptor: Int32 = 1
  var isEmpty: Bool { start == bytes.count }
  var isFull: Bool { bytes.count - start > Self.mostBytes }

  private static let mostBytes = 8 << 20

  init() {
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  func add(_ answer: FetchAnswer) throws(FetchError) {
    bytes.removeFirst(start)
    start = 0
    bytes += answer.message.encoded()
    try send()
  }

  /// Writes what the reader takes now.
  func send() throws(FetchError) {
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        throw .file("standard output", reason: String(cString: strerror(errno)))
      }
    }
  }

  /// Writes all that is left.
  func finish() throws(FetchError) {
    if let reason = StandardStream.write(Array(bytes[start...]), to: descriptor) {
      throw .file("standard output", reason: reason)
    }
    bytes = []
    start = 0
  }
}
