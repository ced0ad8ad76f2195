import Foundation
import TestSupport
import Testing

/// Imports that are killed, and several commands at once, on the built program.
@Suite("store endurance", .serialized)
struct StoreEnduranceTests {
  private static let rounds = TestSettings.rounds
  private static let killsPerRound = 20
  private static let contestsPerRound = 20
  private static let mostContests = 500

  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("agenda.sqlite").path
  }

  private static func calendar(_ name: String, version: Int, events: Int) -> String {
    let components = (0..<events).map { number in
      event(
        "\(name)-\(number)@example.com",
        "DTSTART;TZID=Europe/Berlin:20261121T\(10 + number % 10)0000",
        "DTEND;TZID=Europe/Berlin:20261121T\(11 + number % 10)0000",
        "SUMMARY:\(name) version \(version)",
        "DESCRIPTION:\(String(repeating: "words ", count: 40))")
    }
    return TestSupport.calendar(components, ["X-WR-CALNAME:\(name)"])
  }

  /// The program at work, its output in files.
  private final class Running {
    let process = Process()
    private let output: URL
    private let errors: URL

    init(_ arguments: [String], store: String, in folder: ScratchFolder) throws {
      let name = UUID().uuidString
      output = folder.url.appendingPathComponent(name + ".out")
      errors = folder.url.appendingPathComponent(name + ".err")
      for file in [output, errors] { try Data().write(to: file) }
      process.executableURL = AgendaRun.program
      process.arguments = arguments
      process.environment = AgendaRun.bareEnvironment.merging(["AGENDA_STORE": store]) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
    }

    func end() throws -> (status: Int32, output: String, errors: String) {
      process.waitUntilExit()
      let texts = try [output, errors].map {
        String(decoding: try Data(contentsOf: $0), as: UTF8.self)
      }
      for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
      return (process.terminationStatus, texts[0], texts[1])
    }
  }

  private func run(_ arguments: String...) throws -> (
    status: Int32, output: String, errors: String
  ) {
    try Running(arguments, store: store, in: folder).end()
  }

  // Checks Decisions: Importing/3
  @Test("an import killed at any moment leaves the state before or after it, and the next succeeds")
  func kills() throws {
    let events = 300
    let clock = ContinuousClock()
    var files: [String] = []
    for version in 0..<2 {
      files.append(
        try folder.write(
          "work-\(version).ics",
          Self.calendar("work", version: version, events: events)))
    }
    let source = folder.url.appendingPathComponent("work.ics").path
    func put(_ version: Int) throws {
      try? FileManager.default.removeItem(atPath: source)
      try FileManager.default.copyItem(atPath: files[version], toPath: source)
    }
    func titles() throws -> String {
      let shown = try run(
        "show", "--now", "2026-11-21T00:00:00Z", "--days", "1", "-f", "tsv", "--timezone", "UTC")
      #expect(shown.status == 0)
      return shown.output
    }
    var states: [String] = []
    var longest = Duration.zero
    for version in [0, 1, 0] {
      try put(version)
      let begin = clock.now
      #expect(try run("import", source, "-q").status == 0)
      longest = max(longest, clock.now - begin)
      states.append(try titles())
    }
    #expect(states[0] == states[2])
    #expect(states[0] != states[1])
    var killed = 0
    var random = SystemRandomNumberGenerator()
    for round in 0..<(Self.killsPerRound * Self.rounds) {
      let version = (round + 1) % 2
      try put(version)
      let running = try Running(["import", source, "-q"], store: store, in: folder)
      let nanoseconds =
        Int64(longest.components.attoseconds / 1_000_000_000)
        + longest.components.seconds * 1_000_000_000
      Thread.sleep(
        forTimeInterval: Double(Int64.random(in: 0...max(1, nanoseconds), using: &random)) / 1e9)
      kill(running.process.processIdentifier, SIGKILL)
      if try running.end().status == SIGKILL { killed += 1 }
      let state = try titles()
      #expect(states[..<2].contains(state), "round \(round)")
      let health = try run("doctor")
      #expect(health.status == 0, "round \(round): \(health.output)")
      #expect(try run("import", source, "-q").status == 0, "round \(round)")
      #expect(try titles() == states[version], "round \(round)")
    }
    #expect(killed > Self.rounds)
  }

  @Test("two imports and ten readers at once: no update is lost, no reader finds the store locked")
  func contest() throws {
    let events = 40
    let names = ["left", "right"]
    for round in 0..<min(Self.mostContests, Self.contestsPerRound * Self.rounds * 5 / 2) {
      if round == Self.contestsPerRound && Self.rounds == 1 { break }
      let files = try names.map {
        try folder.write("\($0).ics", Self.calendar($0, version: round, events: events))
      }
      if round == 0 {
        for file in files { #expect(try run("import", file, "-q").status == 0) }
        continue
      }
      let imports = try files.map {
        try Running(["import", $0], store: store, in: folder)
      }
      let readers = try (0..<10).map { _ in
        try Running(
          [
            "show", "--now", "2026-11-21T00:00:00Z", "--days", "1", "-f", "tsv", "--timezone",
            "UTC",
          ], store: store, in: folder)
      }
      for reader in readers {
        let (status, output, errors) = try reader.end()
        #expect(status == 0, "round \(round): \(errors)")
        #expect(errors == "", "round \(round)")
        for name in names {
          let versions = Set(
            output.components(separatedBy: "\(name) version ").dropFirst().map {
              String($0.prefix { $0.isNumber })
            })
          // Never a mixture, and never anything but the state before or after.
          #expect(versions.count == 1, "round \(round): \(versions)")
          #expect(versions.isSubset(of: ["\(round)", "\(round - 1)"]), "round \(round)")
        }
      }
      for running in imports {
        let (status, output, errors) = try running.end()
        #expect(status == 0, "round \(round): \(errors)")
        #expect(errors == "", "round \(round)")
        #expect(output.hasSuffix("\(events) updated\n"), "round \(round): \(output)")
      }
    }
    let last = try run(
      "show", "--now", "2026-11-21T00:00:00Z", "--days", "1", "-f", "tsv", "--timezone", "UTC")
    #expect(last.output.components(separatedBy: " version ").count - 1 == 2 * events)
    #expect(try run("doctor").status == 0)
  }
}
