public import Foundation

/// What a program that a test ran said, and how it ended.
public struct ProgramRun {
  /// -1 for one that a signal ended.
  public let status: Int32
  public let outputBytes: Data
  public let errors: String

  public var output: String { String(decoding: outputBytes, as: UTF8.self) }

  /// Runs a program to its end. It runs in a temporary folder unless `folder` is given; its
  /// environment is that of the tests, unless `environment` is.
  public init(
    _ executable: URL, _ arguments: [String], input: Data = Data(),
    environment: [String: String]? = nil, in folder: URL? = nil
  ) throws {
    // Files, not pipes: the output need not be read while the program runs.
    let scratch = try ScratchFolder()
    let files = ["in", "out", "err"].map(scratch.url.appendingPathComponent)
    try input.write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.currentDirectoryURL = folder ?? scratch.url
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -1
    outputBytes = try Data(contentsOf: files[1])
    errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
  }
}
