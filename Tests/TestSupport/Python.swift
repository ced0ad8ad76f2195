public import Foundation

/// Python, which answers independently of the code under test.
public enum Python {
  /// Tests with the trait `.requiresPython` run only if it is.
  public static let isInstalled =
    (try? run(["-c", "import sys, zoneinfo; assert sys.version_info >= (3, 11)"]))?.status == 0

  /// Runs the system's Python, whose standard library is all that these programs use.
  public static func run(_ arguments: [String], input: String = "") throws -> ProgramRun {
    // -B: no compiled copies next to the oracles.
    try Tool("python3").run(["-B"] + arguments, input: input)
  }

  /// A program failed.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// What a program prints that uses packages of `Tests/Oracles/requirements.txt`. Tests with the
  /// trait `.requiresPythonPackages` run only if these are there.
  public static func output(of arguments: [String], input: String = "") throws -> String {
    guard let packages else { throw Failure(description: "the packages are missing") }
    let interpreter = packages.appendingPathComponent("bin/python3")
    let run = try ProgramRun(interpreter, ["-B"] + arguments, input: Data(input.utf8))
    guard run.status == 0 else { throw Failure(description: run.errors) }
    return run.output
  }

  /// The interpreter of that environment, for tests that give it their own variables; `nil` without the
  /// packages.
  public static var interpreter: URL? { packages?.appendingPathComponent("bin/python3") }

  /// The virtual environment with exactly the pinned packages, whatever the system has; made when it
  /// is first needed. `nil` if it cannot be made, for example without a network.
  static let packages: URL? = {
    let folder = Repository.build.appendingPathComponent("python")
    let install = Repository.oracles.appendingPathComponent("install-packages").path
    guard isInstalled, let shell = try? Tool("sh"),
      let run = try? shell.run([install, folder.path]), run.status == 0
    else { return nil }
    return folder
  }()
}
