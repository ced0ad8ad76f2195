internal import Platform

/// The decoder as this process sees it: something that may end or hang at any byte.
final class DecoderProcess {
  private let process: ChildProcess
  /// Both ways: a socket, as writing to one whose other end is gone can be kept from being a signal.
  private let socket: Int32

  /// The decoder cannot go on.
  enum Failure: Error {
    case ended
    case tookTooLong
  }

  /// `nil` if it cannot be started.
  init?(_ program: String, _ arguments: [String]) {
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
    // Decoders write warnings about pictures, which would confuse users.
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

  func write(_ bytes: [UInt8], before deadline: Deadline) throws(Failure) {
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

  func read(_ count: Int, before deadline: Deadline) throws(Failure) -> [UInt8] {
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

  #if canImport(Darwin)
    private static let withoutSignal: Int32 = 0
  #else
    private static let withoutSignal = Int32(MSG_NOSIGNAL)
  #endif

  private func wait(for event: Int16, _ deadline: Deadline) throws(Failure) {
    var waiting = pollfd(fd: socket, events: event, revents: 0)
    let remaining = deadline.millisecondsLeft
    guard remaining > 0 else { throw .tookTooLong }
    _ = poll(&waiting, 1, remaining)
  }
}

/// A moment of the clock that no one sets.
struct Deadline {
  private let milliseconds: Int

  init(secondsFromNow seconds: Int) {
    milliseconds = Self.now + seconds * 1000
  }

  var millisecondsLeft: Int32 { Int32(clamping: max(0, milliseconds - Self.now)) }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
