internal import SystemLibrary

/// A terminal of which a program uses the whole screen: keys arrive at once, and the terminal is
/// given back as it was, whatever ends the program.
///
/// Signals become events. A signal handler may only call what signal-safety(7) lists, so it writes the
/// number of the signal into a pipe, and the thread that waits reads it there. There is one at a time.
package final class RawTerminal {
  package enum Event: Hashable, Sendable {
    /// Keys can be read.
    case input
    case resized
    /// The user wants the program to stop for now (Control-Z).
    case suspended
    /// The program goes on after it was stopped.
    case continued
    /// Another thread called `wake`.
    case woken
    /// The process is to end by this signal.
    case ended(signal: Int32)
    /// Nothing happened until the time was over.
    case time
  }

  /// Wakes the thread that waits, from any thread.
  package struct Waker: Sendable {
    fileprivate let descriptor: Int32

    package func wake() { writeNumber(0, to: descriptor) }
  }

  private let input: Int32
  private let ownsInput: Bool
  private let output = FileDescriptor.standardOutput
  private let pipe: Pipe
  private let start: [UInt8]
  private let end: [UInt8]
  private var isActive = false

  package var waker: Waker { Waker(descriptor: pipe.writing) }

  /// `start` and `end` are the control sequences that take the screen and give it back.
  package init(start: String, end: String) throws(SystemError) {
    guard let pipe = Pipe() else { throw .last }
    self.pipe = pipe
    FileDescriptor(number: pipe.writing).doNotWait()
    FileDescriptor(number: pipe.reading).doNotWait()
    self.start = Array(start.utf8)
    self.end = Array(end.utf8)
    if isatty(0) == 1 {
      (input, ownsInput) = (0, false)
    } else {
      // Standard input has a calendar.
      let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard terminal >= 0 else {
        let error = SystemError.last
        pipe.close()
        throw error
      }
      (input, ownsInput) = (terminal, true)
    }
    previous = termios()
    guard tcgetattr(input, &previous) == 0 else {
      let error = SystemError.last
      if ownsInput { closeDescriptor(input) }
      pipe.close()
      throw error
    }
  }

  deinit {
    leave()
    if ownsInput { closeDescriptor(input) }
    pipe.close()
  }

  /// The settings of the terminal before.
  private var previous: termios

  /// The size of the screen; 80 × 24 for a terminal that does not report it.
  package var size: (columns: Int, rows: Int) { (output.columns ?? 80, output.rows ?? 24) }

  /// Those that become events.
  private static let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT]
  /// Those of an error of the program itself.
  /// SIGBUS has a handler of its own; see `endIfFileIsCut`.
  private static let fatalSignals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGFPE, SIGQUIT]

  /// Takes the screen. From now on signals are events.
  package func enter() {
    guard !isActive else { return }
    isActive = true
    restoredTerminal = previous
    restoredInput = input
    // A handler cannot use Swift's arrays.
    if let old = restoringBytes { free(old) }
    restoringCount = end.count
    restoringBytes = malloc(max(1, end.count))
    if let copy = restoringBytes {
      end.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress { memcpy(copy, base, bytes.count) }
      }
    }
    signalPipe = pipe.writing
    for number in Self.signals {
      signal(number) { writeNumber(UInt8(truncatingIfNeeded: $0), to: signalPipe) }
    }
    // An error of the program itself must not leave the terminal unusable.
    for number in Self.fatalSignals {
      signal(number) { number in
        restoreTerminal()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    // A program can inherit from its parent that signals are held back.
    for number in Self.signals + Self.fatalSignals { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    var raw = previous
    cfmakeraw(&raw)
    tcsetattr(input, TCSADRAIN, &raw)
    write(start)
  }

  /// Gives the screen back.
  package func leave() {
    guard isActive else { return }
    isActive = false
    write(end)
    tcsetattr(input, TCSADRAIN, &previous)
    restoredInput = -1
    for number in Self.signals + Self.fatalSignals { signal(number, SIG_DFL) }
  }

  /// Gives the screen back, stops the process until somebody continues it, and takes the screen again.
  package func suspend() {
    leave()
    kill(getpid(), SIGSTOP)
    enter()
  }

  /// Waits for the next events; −1 milliseconds is for ever.
  package func wait(milliseconds: Int) -> [Event] {
    var waiting = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waiting, 2, Int32(truncatingIfNeeded: min(milliseconds, 1 << 30)))
    guard count > 0 else { return count == 0 ? [.time] : [] }
    var events: [Event] = []
    if waiting[1].revents != 0 {
      var numbers = [UInt8](repeating: 0, count: 64)
      let read = readDescriptor(pipe.reading, &numbers, numbers.count)
      for number in numbers.prefix(max(0, read)) {
        switch Int32(number) {
        case 0: events.append(.woken)
        case SIGWINCH: events.append(.resized)
        case SIGTSTP: events.append(.suspended)
        case SIGCONT:
          // As the system does it: who is continued is not to stop any more.
          events.removeAll { $0 == .suspended }
          events.append(.continued)
        default: events.append(.ended(signal: Int32(number)))
        }
      }
    }
    if waiting[0].revents != 0 { events.append(.input) }
    return events
  }

  /// Reads the keys that were typed; `nil` if the terminal is gone.
  package func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readDescriptor(input, &bytes, bytes.count)
    if count > 0 { return Array(bytes[..<count]) }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }

  /// Whether a key waits, without waiting for it.
  package var hasInput: Bool {
    var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  /// Writes to the screen. A terminal that is gone ends the program by its signal.
  package func write(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes(output.write) }

  /// The signal of a terminal that is gone.
  package static let hangUp = SIGHUP
}

extension RunningProgram {
  /// From now on the process ends with a message and exit code 1 if another program makes a file shorter
  /// that is in memory. The terminal is given back first.
  ///
  /// SQLite has the index of its log (`-shm`) in memory. The system sends SIGBUS to a process that reads
  /// memory beyond the end of its file (mmap(2)).
  package static func endIfFileIsCut(_ message: String) {
    guard cutFileMessage == nil, let copy = strdup(message) else { return }
    cutFileMessage = copy
    cutFileMessageCount = strlen(copy)
    signal(SIGBUS) { _ in
      restoreTerminal()
      _ = writeDescriptor(2, cutFileMessage, cutFileMessageCount)
      _exit(1)
    }
  }
}

private nonisolated(unsafe) var cutFileMessage: UnsafeMutablePointer<CChar>?
private nonisolated(unsafe) var cutFileMessageCount = 0

// Plain values that are written before the handlers are installed, as a signal handler needs.
private nonisolated(unsafe) var signalPipe: Int32 = -1
private nonisolated(unsafe) var restoredTerminal = termios()
private nonisolated(unsafe) var restoredInput: Int32 = -1
private nonisolated(unsafe) var restoringBytes: UnsafeMutableRawPointer?
private nonisolated(unsafe) var restoringCount = 0

private func restoreTerminal() {
  guard restoredInput >= 0 else { return }
  _ = writeDescriptor(1, restoringBytes, restoringCount)
  tcsetattr(restoredInput, TCSANOW, &restoredTerminal)
}

private func writeNumber(_ number: UInt8, to descriptor: Int32) {
  var byte = number
  let error = errno
  _ = writeDescriptor(descriptor, &byte, 1)
  errno = error
}
