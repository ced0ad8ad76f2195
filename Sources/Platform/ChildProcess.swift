internal import SystemLibrary

/// A program that this process has started and has to wait for.
package struct ChildProcess: Sendable {
  private let number: pid_t
  private let hasOwnGroup: Bool
  /// The ends of its pipes in this process, −1 without a pipe. Whoever asked for a pipe closes it.
  let input: Int32
  let output: Int32
  let errors: Int32

  /// What one of its standard descriptors is.
  package enum Stream: Sendable {
    /// The same as here.
    case inherited
    /// A descriptor of this process.
    case descriptor(Int32)
    /// A pipe whose other end this process has.
    case pipe
    /// Empty when read; output is discarded.
    case nothing
  }

  /// Why it could not be started, in the system's words.
  package struct StartFailure: Error {
    package let reason: String
  }

  /// Starts a program: a path, or a name that is looked for in `PATH`.
  ///
  /// With `ownGroup`, `end` also ends the programs that it has started itself. It can't read from the
  /// terminal then.
  ///
  /// The child does not ignore broken pipes, even if this process does: other programs expect to end
  /// when they write to a pipe without a reader. The same holds for Control-C and Control-\ if the
  /// child uses the terminal.
  package init(
    _ program: String, _ arguments: [String], input: Stream = .inherited,
    output: Stream = .inherited, errors: Stream = .inherited,
    usesTerminal: Bool = false, ownGroup: Bool = false
  ) throws(StartFailure) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var ownEnds: [Int32] = [-1, -1, -1]
    var childEnds: [Int32] = []
    var isStarted = false
    defer {
      for end in childEnds { close(end) }
      for end in ownEnds where end >= 0 && !isStarted { close(end) }
    }
    for (index, stream) in [input, output, errors].enumerated() {
      let number = Int32(index)
      switch stream {
      case .inherited: break
      case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
      case .pipe:
        guard let pipe = Pipe() else {
          throw StartFailure(reason: SystemError.last.description)
        }
        let childEnd = number == 0 ? pipe.reading : pipe.writing
        ownEnds[index] = number == 0 ? pipe.writing : pipe.reading
        childEnds.append(childEnd)
        posix_spawn_file_actions_adddup2(&actions, childEnd, number)
      case .nothing:
        posix_spawn_file_actions_addopen(
          &actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var restored = sigset_t()
    sigemptyset(&restored)
    for signal in usesTerminal ? [SIGPIPE, SIGINT, SIGQUIT] : [SIGPIPE] {
      sigaddset(&restored, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &restored)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | (ownGroup ? Int16(POSIX_SPAWN_SETPGROUP) : 0))
    var texts = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    #if canImport(Darwin)
      let variables = _NSGetEnviron().pointee
    #else
      let variables = environ
    #endif
    var child: pid_t = 0
    let result = posix_spawnp(&child, program, &actions, &attributes, &texts, variables)
    guard result == 0 else { throw StartFailure(reason: String(cString: strerror(result))) }
    isStarted = true
    number = child
    hasOwnGroup = ownGroup
    (self.input, self.output, self.errors) = (ownEnds[0], ownEnds[1], ownEnds[2])
  }

  /// Ends it at once.
  package func end() { kill(hasOwnGroup ? -number : number, SIGKILL) }

  /// Waits until it has ended. Returns its exit status, −1 if a signal ended it.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
  }
}
