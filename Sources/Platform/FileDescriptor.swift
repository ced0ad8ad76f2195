internal import SystemLibrary

/// A descriptor of the process that is open from start to end: standard input, output or error.
package struct FileDescriptor: Sendable {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  package static let standardInput = FileDescriptor(number: 0)
  package static let standardOutput = FileDescriptor(number: 1)
  package static let standardError = FileDescriptor(number: 2)

  package var isTerminal: Bool { isatty(number) == 1 }

  /// The width of the terminal in columns; `nil` without a terminal.
  package var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

  /// Its height in rows.
  package var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  private var size: winsize? {
    var size = winsize()
    return ioctl(number, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Writes all of it, however many calls that takes; returns why it could not.
  package func write(_ bytes: UnsafeRawBufferPointer) -> WriteFailure? {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = writeDescriptor(number, base, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, -1)
          continue
        }
        return errno == EPIPE ? .readerHasGone : .failed(String(cString: strerror(errno)))
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
  }

  /// Writes what fits at once; `nil` if nothing does. It waits only if `doNotWait` was not called.
  package func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
    let count = bytes.withUnsafeBytes { writeDescriptor(number, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    let error = SystemError.last
    guard error.wouldWait || error.isInterrupted else { throw error }
    return error.isInterrupted ? 0 : nil
  }

  /// Makes `writeSome` return at once.
  package func doNotWait() {
    let flags = fcntl(number, F_GETFL)
    if flags >= 0 { _ = fcntl(number, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Closes the descriptors in this range that this process inherited.
  package static func close(_ numbers: Range<Int32>) {
    for number in numbers { closeDescriptor(number) }
  }

  /// Reads until the end; `nil` if that fails or there is more than `limit`.
  package func readAll(atMost limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count <= limit {
      let count = chunk.withUnsafeMutableBytes { readDescriptor(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    return nil
  }

  package enum WriteFailure: Error {
    /// EPIPE.
    case readerHasGone
    /// The system's words for any other reason.
    case failed(String)
  }

  /// Whether the process belongs to a terminal, on which a program can ask the user.
  package static var hasControllingTerminal: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    closeDescriptor(terminal)
    return true
  }

  /// Makes sure that 0, 1 and 2 are open. Otherwise a file or store that is opened later could get
  /// one of these numbers, and then the text for standard output. A closed one is opened for the
  /// wrong direction, so that using it still fails.
  package static func holdStandardDescriptors() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Makes a write to a closed pipe an error of that write instead of the end of the process, so
  /// that an import is never cut short by who reads its report.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }
}
