internal import SystemLibrary

/// A program that reads from and writes to this process, and that may end or hang at any byte.
package final class ConnectedProgram {
  private let process: ChildProcess
  /// For both directions: unlike a pipe, a socket can report a closed other end without a signal.
  private let socket: Int32

  /// The program cannot go on.
  package enum Failure: Error {
    case ended
    case tookTooLong
  }

  /// `nil` if it cannot be started. What it writes to standard error is discarded.
  package init?(_ program: String, _ arguments: [String]) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    // No other program that is started meanwhile may hold them open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A write or read that waits for a process that hangs would hang as well.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    defer { close(ends[1]) }
    let child = try? ChildProcess(
      program, arguments, input: .descriptor(ends[1]), output: .descriptor(ends[1]),
      errors: .nothing)
    guard let child else {
      close(ends[0])
      return nil
    }
    process = child
    socket = ends[0]
  }

  deinit {
    close(socket)
    process.end()
    process.wait()
  }

  package func write(
    _ bytes: [UInt8], before deadline: ContinuousClock.Instant
  ) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let taken = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { send(socket, $0 + done, bytes.count - done, Self.withoutSignal) }
          ?? 0
      }
      if taken < 0 {
        if errno == EINTR { continue }
        guard errno == EAGAIN else { throw .ended }
        try wait(for: Int16(POLLOUT), deadline)
        continue
      }
      done += taken
    }
  }

  package func read(
    _ count: Int, before deadline: ContinuousClock.Instant
  ) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let taken = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { recv(socket, $0 + done, count - done, 0) } ?? 0
      }
      if taken == 0 { throw .ended }
      if taken < 0 {
        if errno == EINTR { continue }
        guard errno == EAGAIN else { throw .ended }
        try wait(for: Int16(POLLIN), deadline)
        continue
      }
      done += taken
    }
    return bytes
  }

  /// The bytes that have arrived, at most `count`; none if there are none after so many milliseconds.
  package func readSome(
    _ count: Int, within milliseconds: Int32
  ) throws(Failure) -> [UInt8] {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let taken = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { recv(socket, $0, count, 0) } ?? 0
      }
      if taken == 0 { throw .ended }
      if taken > 0 { return Array(bytes[..<taken]) }
      if errno == EAGAIN { return [] }
      guard errno == EINTR else { throw .ended }
    }
  }

  #if canImport(Darwin)
    private static let withoutSignal: Int32 = 0
  #else
    private static let withoutSignal = Int32(MSG_NOSIGNAL)
  #endif

  private func wait(
    for event: Int16, _ deadline: ContinuousClock.Instant
  ) throws(Failure) {
    var waiting = pollfd(fd: socket, events: event, revents: 0)
    guard let left = deadline.millisecondsLeft else { throw .tookTooLong }
    _ = poll(&waiting, 1, left)
  }
}
