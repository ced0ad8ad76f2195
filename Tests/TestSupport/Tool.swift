public import Foundation

/// A program of the machine that a test runs.
public struct Tool {
  public let url: URL

  /// A test that needs one says so by the trait `.requires`, so that it is skipped without it.
  public struct Missing: Error {
    public let name: String
  }

  public init(_ name: String) throws(Missing) {
    guard let path = Self.path(of: name) else { throw Missing(name: name) }
    url = URL(fileURLWithPath: path)
  }

  static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      .split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  public func run(
    _ arguments: [String], input: String = "", environment: [String: String]? = nil
  ) throws -> ProgramRun {
    try ProgramRun(url, arguments, input: Data(input.utf8), environment: environment)
  }
}
