internal import Foundation
internal import Synchronization

/// Python, which answers independently of the code under test, where it is there.
public enum Python {
  private static let system = Tool("python3")?.url

  /// Whether there is one that has `zoneinfo` and is new enough for the oracles.
  public static let isThere =
    run(["-c", "import sys, zoneinfo; assert sys.version_info >= (3, 11)"])?.status == 0

  /// Runs it; `nil` where there is none.
  public static func run(_ arguments: [String], input: String = "") -> ProgramRun? {
    guard let system else { return nil }
    // No compiled copies beside the sources of the oracles.
    return try? ProgramRun(system, ["-B"] + arguments, input: Data(input.utf8))
  }

  /// A program that was to answer did not.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// What a program with a package of PyPI prints; `nil`, and a word on the output of the test, where
  /// the package cannot be had.
  public static func output(
    of arguments: [String], input: String = "", needing package: String, module: String
  ) throws -> String? {
    guard let python = interpreter(with: package, module: module) else {
      print("skipped: no Python with \(package) at hand")
      return nil
    }
    let run = try ProgramRun(python, ["-B"] + arguments, input: Data(input.utf8))
    guard run.status == 0 else { throw Failure(description: run.errors) }
    return run.output
  }

  private static let lock = Mutex(())

  /// The system's, if it has the package, else one in a folder of its own under `.build`, made and
  /// filled when first asked for.
  private static func interpreter(with package: String, module: String) -> URL? {
    func succeeds(_ python: URL, _ arguments: [String]) -> Bool {
      (try? ProgramRun(python, arguments))?.status == 0
    }
    return lock.withLock { _ in
      guard let system else { return nil }
      let check = ["-c", "import \(module)"]
      if succeeds(system, check) { return system }
      let folder = Repository.build.appendingPathComponent("test-python")
      let python = folder.appendingPathComponent("bin/python3")
      if !FileManager.default.isExecutableFile(atPath: python.path) {
        guard succeeds(system, ["-m", "venv", folder.path]) else { return nil }
      }
      if succeeds(python, check) { return python }
      let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
      return succeeds(python, install) && succeeds(python, check) ? python : nil
    }
  }
}
