import Foundation
import TestSupport
import Testing

/// A run of `agenda` as its users run it. If only the program could show more, it starts the built
/// program; otherwise it runs in the process of the tests.
struct AgendaRun {
  let status: Int32
  let output: String
  let errors: String

  /// It is next to the bundle of the tests.
  static let program: URL = {
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      return tests.deletingLastPathComponent().appendingPathComponent("agenda")
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
      return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("agenda")
    #endif
  }()

  static let fixtures = Repository.fixtures

  /// The same moment and zone for every run that asks for no other.
  static let pinned = ["--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin"]

  /// Nothing of the machine: no home, no language, no terminal. A build that counts what runs names the
  /// file for its counts.
  static let bareEnvironment = [
    "PATH": "/usr/bin:/bin", "TZ": "Europe/Berlin",
    "LLVM_PROFILE_FILE": ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"],
  ].compactMapValues(\.self)

  /// Runs another program that was built with it.
  init(
    program name: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:], in folder: URL? = nil
  ) throws {
    try self.init(
      executable: Self.program.deletingLastPathComponent().appendingPathComponent(name), arguments,
      input: Data(input.utf8), environment: Self.bareEnvironment.merging(environment) { $1 },
      in: folder)
  }

  /// Runs `agenda` with these arguments, in this process if that shows the same.
  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    in folder: URL? = nil
  ) throws {
    let all = Self.bareEnvironment.merging(environment) { $1 }
    if InProcessRun.isPossible(arguments, input: Data(input.utf8), environment: environment) {
      let scratch = folder == nil ? try ScratchFolder() : nil
      if let place = folder ?? scratch?.url,
        let run = InProcessRun(arguments, environment: all, in: place)
      {
        self.init(run)
        return
      }
    }
    try self.init(process: arguments, input: input, environment: environment, in: folder)
  }

  private init(_ run: InProcessRun) {
    status = run.status
    output = String(decoding: run.output, as: UTF8.self)
    errors = String(decoding: run.errors, as: UTF8.self)
  }

  /// Starts the built program with these arguments.
  init(
    process arguments: [String], input: String = "", environment: [String: String] = [:],
    in folder: URL? = nil
  ) throws {
    try self.init(
      executable: Self.program, arguments, input: Data(input.utf8),
      environment: Self.bareEnvironment.merging(environment) { $1 }, in: folder)
  }

  /// Runs a line of the shell in which `agenda` is the program.
  init(
    shell line: String, input: String = "", environment: [String: String] = [:],
    in folder: URL? = nil
  ) throws {
    var all = Self.bareEnvironment.merging(environment) { $1 }
    if environment["PATH"] == nil {
      all["PATH"] = "\(Self.program.deletingLastPathComponent().path):/usr/bin:/bin"
    }
    try self.init(
      executable: URL(fileURLWithPath: "/bin/sh"), ["-c", line], input: Data(input.utf8),
      environment: all, in: folder)
  }

  private init(
    executable: URL, _ arguments: [String], input: Data, environment: [String: String],
    in folder: URL?
  ) throws {
    let run = try ProgramRun(
      executable, arguments, input: input, environment: environment, in: folder)
    status = run.status
    output = run.output
    errors = run.errors
  }

  /// Asserts all three at once.
  func expect(
    _ status: Int32, output: String? = nil, errors: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.status == status, sourceLocation: sourceLocation)
    if let output { #expect(self.output == output, sourceLocation: sourceLocation) }
    #expect(self.errors == errors, sourceLocation: sourceLocation)
  }
}
