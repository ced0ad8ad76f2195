public import Foundation

/// A program of the machine that a test runs, if it is there.
public struct Tool {
  public let url: URL

  /// `nil` where the machine lacks it; the test says so and passes.
  public init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      .split(separator: ":")
    let paths = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      print("skipped: \(name) is not installed")
      return nil
    }
    url = URL(fileURLWithPath: path)
  }

  public func run(
    _ arguments: [String], input: String = "", environment: [String: String]? = nil
  ) throws -> ProgramRun {
    try ProgramRun(url, arguments, input: Data(input.utf8), environment: environment)
  }
}
