#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs another program to its end and gives it input. This process must ignore broken pipes: a
/// program may end before it has read everything.
package struct ProgramCall {
  /// A path, or a name that is looked for in `PATH`.
  package let program: String
  package let arguments: [String]
  /// Whether this process reads its output. Otherwise it has the standard output of this process.
  package let isRead: Bool
  /// Whether Control-C and Control-\ are for the program, even if this process ignores them.
  package let usesTerminal: Bool
  /// Whether the programs that it starts itself end with it at the limit.
  package let ownGroup: Bool

  package enum Outcome {
    /// Its exit status (-1 after a signal), and the output that this process read.
    case ended(status: Int32, output: [UInt8], errors: String)
    /// It could not be started, with the system's reason.
    case notStarted(String)
    /// It used its streams for longer than it may, and was killed.
    case timedOut
  }

  package init(
    _ program: String, _ arguments: [String], isRead: Bool,
    usesTerminal: Bool = false, ownGroup: Bool = false
  ) {
    self.program = program
    self.arguments = arguments
    self.isRead = isRead
    self.usesTerminal = usesTerminal
    self.ownGroup = ownGroup
  }

  /// Writes the input, closes it and waits for the end. Output is read at the same time, so that
  /// neither process waits for the other.
  ///
  /// If it has not closed its streams after `limit`, it is killed.
  package func run(input: [UInt8], limit: Duration? = nil) -> Outcome {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var pipes: [Pipe] = []
    for _ in 0..<(isRead ? 3 : 1) {
      guard let pipe = Pipe() else {
        let reason = String(cString: strerror(errno))
        for pipe in pipes { pipe.close() }
        return .notStarted(reason)
      }
      pipes.append(pipe)
    }
    let child: ChildProcess
    do throws(ChildProcess.StartFailure) {
      child = try ChildProcess(
        program, arguments, input: .descriptor(pipes[0].reading),
        output: isRead ? .descriptor(pipes[1].writing) : .inherited,
        errors: isRead ? .descriptor(pipes[2].writing) : .inherited, usesTerminal: usesTerminal,
        ownGroup: ownGroup)
    } catch {
      for pipe in pipes { pipe.close() }
      return .notStarted(error.reason)
    }
    close(pipes[0].reading)
    for pipe in pipes[1...] { close(pipe.writing) }
    let written = Self.exchange(
      input, to: pipes[0].writing, from: pipes[1...].map(\.reading), deadline: deadline)
    guard let written else {
      child.end()
      child.wait()
      return .timedOut
    }
    return .ended(
      status: child.wait(), output: written.first ?? [],
      errors: String(decoding: written.last ?? [], as: UTF8.self))
  }

  /// Writes the input to one descriptor and reads the others to their ends, whichever is ready. All are
  /// closed afterwards. Returns `nil` if the deadline passes before the others end.
  private static func exchange(
    _ input: [UInt8], to writing: Int32, from readings: [Int32],
    deadline: ContinuousClock.Instant?
  ) -> [[UInt8]]? {
    // A slow reader must not keep this process from reading.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    // poll ignores negative descriptors: those are done.
    var waiting = [pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)]
    waiting += readings.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var given = 0
    var taken = [[UInt8]](repeating: [], count: readings.count)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    func finish(_ place: Int) {
      close(waiting[place].fd)
      waiting[place].fd = -1
    }
    defer { for place in waiting.indices where waiting[place].fd >= 0 { finish(place) } }
    if input.isEmpty { finish(0) }
    while waiting.contains(where: { $0.fd >= 0 }) {
      var timeout: Int32 = -1
      if let deadline {
        guard deadline > .now else { return nil }
        // Rounded up, so that the last wait does not end just before the deadline.
        timeout = Int32(clamping: Int((deadline - .now) / .milliseconds(1)) + 1)
      }
      if poll(&waiting, nfds_t(waiting.count), timeout) < 0 {
        if errno == EINTR { continue }
        break
      }
      for place in waiting.indices where waiting[place].fd >= 0 && waiting[place].revents != 0 {
        let count =
          place == 0
          ? input[given...].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
          : read(waiting[place].fd, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if place == 0 {
          given += max(count, 0)
          // The program may stop reading early; its exit status says whether that is an error.
          if count < 0 || given == input.count { finish(place) }
        } else if count > 0 {
          taken[place - 1] += chunk[..<count]
        } else {
          finish(place)
        }
      }
    }
    return taken
  }
}
