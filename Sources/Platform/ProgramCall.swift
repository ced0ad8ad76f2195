internal import SystemLibrary

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
    let child: ChildProcess
    do throws(ChildProcess.StartFailure) {
      child = try ChildProcess(
        program, arguments, input: .pipe, output: isRead ? .pipe : .inherited,
        errors: isRead ? .pipe : .inherited, usesTerminal: usesTerminal, ownGroup: ownGroup)
    } catch {
      return .notStarted(error.reason)
    }
    let written = Self.exchange(
      input, to: child.input, from: isRead ? [child.output, child.errors] : [],
      deadline: deadline)
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
    func finish(_ index: Int) {
      close(waiting[index].fd)
      waiting[index].fd = -1
    }
    defer { for index in waiting.indices where waiting[index].fd >= 0 { finish(index) } }
    if input.isEmpty { finish(0) }
    while waiting.contains(where: { $0.fd >= 0 }) {
      var timeout: Int32 = -1
      if let deadline {
        guard let left = deadline.millisecondsLeft else { return nil }
        timeout = left
      }
      if poll(&waiting, nfds_t(waiting.count), timeout) < 0 {
        if errno == EINTR { continue }
        break
      }
      for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
        let count =
          index == 0
          ? input[given...].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
          : read(waiting[index].fd, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if index == 0 {
          given += max(count, 0)
          // The program may stop reading early; its exit status says whether that is an error.
          if count < 0 || given == input.count { finish(index) }
        } else if count > 0 {
          taken[index - 1] += chunk[..<count]
        } else {
          finish(index)
        }
      }
    }
    return taken
  }
}
