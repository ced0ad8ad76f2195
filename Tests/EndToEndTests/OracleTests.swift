import Foundation
import TestSupport
import Testing

/// What `agenda show` prints against an oracle that works the same out a second time, by brute force in Python.
@Suite("the independent oracle", .requiresPython)
struct OracleTests {
  @Test("the oracle knows the examples of the specification")
  func oracleItself() throws {
    let result = try Oracle.run("show_oracle_test.py", [])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("the goldens agree with the oracle in every format")
  func goldens() throws {
    let result = try Oracle.run("show_goldens.py", [AgendaRun.fixtures.path])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  // Checks RFC 5545: 3.3.5/2, 3.6.1/8, 3.6.1/9, 3.6.1/10, 3.8.5.3/3
  // Checks Decisions: Time zones/10, Time zones/11, Small decisions/9, Windows and days/5
  @Test("random calendars, windows, zones and keys come out the same")
  func randomCalendars() throws {
    let result = try Oracle.run(
      "show_compare.py",
      [
        "--program", AgendaRun.program.path, "--count", "\(100 * TestSettings.rounds)", "--seed",
        "1",
      ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(
    "two libraries find the same in random calendars, or a reason is listed",
    .requiresPythonPackages)
  func libraries() throws {
    let script = Repository.oracles.appendingPathComponent("library_compare.py").path
    let rounds = "\(60 * TestSettings.rounds)"
    let output = try Python.output(
      of: [script, AgendaRun.program.path, "--rounds", rounds, "--seed", "1"])
    #expect(output == "")
  }

  // Checks Decisions: Small decisions/19, Small decisions/20, Small decisions/22
  @Test(
    "series of whole days in every producer's form have the same dates for every viewer",
    .requiresPythonPackages)
  func wholeDays() throws {
    let script = Repository.oracles.appendingPathComponent("whole_days.py").path
    let rounds = "\(12 * TestSettings.rounds)"
    let output = try Python.output(
      of: [script, AgendaRun.program.path, "--rounds", rounds, "--seed", "1"])
    #expect(output == "")
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
  static func run(_ program: String, _ arguments: [String]) throws -> ProgramRun {
    let path = Repository.oracles.appendingPathComponent(program).path
    return try Python.run([path] + arguments)
  }
}
