import Foundation
import Testing

/// What `agenda show` prints against an oracle that works the same out a second time, by brute force in Python.
///
/// `ORACLE_CALENDARS` asks for more random calendars than the tests run by themselves.
@Suite(
  "the independent oracle", .enabled(if: Oracle.isThere, "python3 3.11 with zoneinfo is missing"))
struct OracleTests {
  @Test("the oracle knows the examples of the specification")
  func oracleItself() throws {
    let result = try Oracle.run("show_oracle_test.py", [])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("random calendars, windows, zones and keys come out the same")
  func randomCalendars() throws {
    let count = ProcessInfo.processInfo.environment["ORACLE_CALENDARS"] ?? "200"
    let result = try Oracle.run(
      "show_compare.py", ["--program", AgendaRun.program.path, "--count", count, "--seed", "1"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(
    "fixtures come out the same", arguments: ["quirks", "calendars", "comparison", "recurrence"])
  func fixtures(folder: String) throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: AgendaRun.fixtures.appendingPathComponent(folder).path
    ).filter { $0.hasSuffix(".ics") }.sorted()
    let paths = files.map { AgendaRun.fixtures.appendingPathComponent("\(folder)/\($0)").path }
    let result = try Oracle.run(
      "show_compare.py", ["--program", AgendaRun.program.path, "--files"] + paths)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}

/// The programs in `Tests/Oracles`.
private enum Oracle {
  private static let folder = AgendaRun.fixtures.deletingLastPathComponent()
    .appendingPathComponent("Tests/Oracles")

  static let isThere: Bool = {
    let result = try? python(["-c", "import sys, zoneinfo; assert sys.version_info >= (3, 11)"])
    return result?.status == 0
  }()

  static func run(_ program: String, _ arguments: [String]) throws -> Result {
    try python([folder.appendingPathComponent(program).path] + arguments)
  }

  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  private static func python(_ arguments: [String]) throws -> Result {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let files = ["out", "err"].map(scratch.appendingPathComponent)
    for file in files { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B"] + arguments
    process.currentDirectoryURL = scratch
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
  }
}
