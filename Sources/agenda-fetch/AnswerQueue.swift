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

  /// Further transfers wait until the reader has taken these.
  private static let mostBytes = 8 << 20

  init() {
    FileDescriptor.standardOutput.doNotWait()
  }

  func add(_ message: FetchMessage) throws(FetchError) {
    // Moving the rest for each message would take too long.
    if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    message.encode(into: &bytes)
    try send()
  }

  /// Writes as much as the reader accepts at once.
  func send() throws(FetchError) {
    while start < bytes.count {
      do throws(SystemError) {
        guard let count = try FileDescriptor.standardOutput.writeSome(bytes[start...]) else {
          return
        }
        start += count
      } catch {
        throw .file("standard output", reason: "\(error)")
      }
    }
  }

  /// Writes the rest.
  func finish() throws(FetchError) {
    if let reason = StandardStream.write(Array(bytes[start...]), to: descriptor) {
      throw .file("standard output", reason: reason)
    }
    bytes = []
    start = 0
  }
}
