import AgendaCommands
import CivilTime
import Foundation
import Platform

/// `agenda` run in the process of the tests, on a thread with a working folder of its own. That takes a
/// fraction of the time of starting the program.
final class InProcessRun: @unchecked Sendable {
  private(set) var status: Int32 = -1
  private(set) var output = Data()
  private(set) var errors = Data()
  private var hasRun = false

  /// Whether a run shows the same in this process. Only a process has a standard input, and hands its
  /// environment on to an editor or to agenda-fetch.
  static func isPossible(
    _ arguments: [String], input: Data, environment: [String: String]
  ) -> Bool {
    input.isEmpty && environment.keys.allSatisfy(variables.contains)
      && !["watch", "notify"].contains(arguments.first)
      && !arguments.contains { $0 == "-" || $0.contains("://") || $0.hasPrefix("--url-from") }
  }

  /// The variables that only agenda itself reads.
  private static let variables: Set<String> = [
    "AGENDA_STORE", "COLORTERM", "COLUMNS", "HOME", "LANG", "LC_ALL", "LC_TIME", "NO_COLOR", "PATH",
    "TERM", "TZ", "TZDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
  ]

  /// `nil` if the system gives a thread no working folder of its own.
  init?(_ arguments: [String], environment: [String: String], in folder: URL) {
    Self.prepare
    let finished = DispatchSemaphore(value: 0)
    let thread = Thread {
      if Self.enter(folder) { self.run(arguments, environment) }
      finished.signal()
    }
    // That of a program's main thread.
    thread.stackSize = 8 << 20
    thread.start()
    finished.wait()
    guard hasRun else { return nil }
  }

  private func run(_ arguments: [String], _ variables: [String: String]) {
    var environment = Environment(
      arguments: arguments, variable: { variables[$0] },
      clock: { Instant(secondsSinceEpoch: SystemClock.secondsSinceEpoch) },
      outputColumns: { nil }, errorIsTerminal: { false },
      writeOutput: { bytes in
        self.output.append(contentsOf: bytes)
        return nil
      },
      writeError: { bytes in
        self.errors.append(contentsOf: bytes)
        return nil
      })
    environment.pictureDecoder = AgendaRun.program.path
    status = AgendaProgram(environment: environment).run().rawValue
    hasRun = true
  }

  /// As `main` does it.
  private static let prepare: Void = FileDescriptor.ignoreBrokenPipes()

  #if os(Linux)
    /// Lets the thread, and those that it starts, have a working folder of their own. Linux has that as
    /// a flag of `unshare`, which Swift does not import.
    private static let unshare = dlsym(nil, "unshare").map {
      unsafeBitCast($0, to: (@convention(c) (Int32) -> Int32).self)
    }
    private static let workingFolder: Int32 = 0x200

    private static func enter(_ folder: URL) -> Bool {
      unshare?(workingFolder) == 0 && chdir(folder.path) == 0
    }
  #else
    private static func enter(_ folder: URL) -> Bool { false }
  #endif
}
