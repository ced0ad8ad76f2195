#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Another program, run to its end, with what it reads given to it.
struct ChildProcess {
  /// A path, or a name that is looked for in `PATH`.
  let program: String
  let arguments: [String]
  /// Whether what it writes is taken; otherwise it writes where this process writes.
  let isRead: Bool

  enum Outcome {
    case ended(status: Int32, output: [UInt8], errors: String)
    /// It could not be started, with the system's reason.
    case notStarted(String)
  }

  /// Gives it the input, closes that, and waits. One that ends early is no error here.
  func run(input: [UInt8]) -> Outcome {
    guard let toChild = Pipe() else { return .notStarted(Self.reason) }
    let output = isRead ? Pipe() : nil
    let errors = isRead ? Pipe() : nil
    var replaced: [(Int32, Int32)] = [(toChild.reading, 0)]
    if let output { replaced.append((output.writing, 1)) }
    if let errors { replaced.append((errors.writing, 2)) }
    switch start(replacing: replaced) {
    case .failure(let failure):
      for pipe in [toChild, output, errors].compactMap(\.self) {
        close(pipe.reading)
        close(pipe.writing)
      }
      return .notStarted(failure.reason)
    case .success(let child):
      close(toChild.reading)
      if let output { close(output.writing) }
      if let errors { close(errors.writing) }
      // Whoever reads may have enough; the program's end says how that went.
      _ = input.withUnsafeBytes(FileDescriptor(number: toChild.writing).write)
      close(toChild.writing)
      let read = output.map { Self.readToEnd($0.reading) } ?? []
      let said = errors.map { Self.readToEnd($0.reading) } ?? []
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      return .ended(
        status: status & 0x7f == 0 ? (status >> 8) & 0xff : -1, output: read,
        errors: String(decoding: said, as: UTF8.self))
    }
  }

  private struct Failure: Error {
    let reason: String
  }

  private func start(replacing descriptors: [(Int32, Int32)]) -> Result<pid_t, Failure> {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (ours, theirs) in descriptors {
      posix_spawn_file_actions_adddup2(&actions, ours, theirs)
    }
    // This process ignores broken pipes, and the keyboard's signals while a pager runs. No other
    // program expects to.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    var texts = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    #if canImport(Darwin)
      let variables = _NSGetEnviron().pointee
    #else
      let variables = environ
    #endif
    let result = posix_spawnp(&child, program, &actions, &attributes, &texts, variables)
    return result == 0 ? .success(child) : .failure(Failure(reason: Self.reason(result)))
  }

  private static func readToEnd(_ descriptor: Int32) -> [UInt8] {
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  private static var reason: String { reason(errno) }
  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Two descriptors that no other program inherits by accident.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }
}
