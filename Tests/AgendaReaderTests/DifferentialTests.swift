import AgendaCore
import AgendaReader
import CivilTime
import Foundation
import Recurrence
import Testing

/// The fixtures as libical 3 alone and Python's icalendar read them: the same events, or a
/// difference that `ExplainedDifferences` explains.
@Suite("Differential")
struct DifferentialTests {
  static let paths = FixtureTests.quirks.map {
    FixtureTests.folder.appending(path: "quirks/\($0).ics").path
  }

  /// What the reader reads, in the lines of the oracles; `withZones` as icalendar says times.
  static func lines(_ path: String, withZones: Bool) -> Set<String> {
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    guard let file = try? reader.readFile(at: path) else { return ["refused"] }
    func text(_ time: EventTime?) -> String {
      switch time {
      case nil: "-"
      case .date(let date): "\(date)"
      case .utc(let civil): "\(civil)Z"
      case .floating(let civil): "\(civil)"
      case .zoned(let civil, let zone): withZones ? "\(zone.instant(of: civil))" : "\(civil)"
      }
    }
    return Set(
      file.allEvents.map { event in
        // A task without DTSTART is placed by its DUE.
        let start = event.kind == .task && event.start == event.due ? nil : event.start
        let uid = event.identity.uid.hasPrefix("agenda-") ? "-" : event.identity.uid
        return [uid, text(event.identity.recurrenceID), text(start), event.title].map {
          $0.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
        }.joined(separator: "\t")
      })
  }

  private static func compare(
    _ output: String, withZones: Bool, explained: [String: String]
  ) -> [String] {
    var theirs: [Int: Set<String>] = [:]
    for line in output.split(separator: "\n") {
      guard let tab = line.firstIndex(of: "\t"), let number = Int(line[..<tab]) else { continue }
      theirs[number, default: []].insert(String(line[line.index(after: tab)...]))
    }
    var unexplained: [String] = []
    for (number, name) in FixtureTests.quirks.enumerated() {
      let ours = lines(paths[number], withZones: withZones)
      let other = theirs[number] ?? []
      if (ours == other) == (explained[name] != nil) {
        unexplained.append(
          "\(name): ours \(ours.subtracting(other).sorted()),"
            + " theirs \(other.subtracting(ours).sorted())")
      }
    }
    return unexplained
  }

  @Test("icalendar reads the same events, or it is explained why not")
  func iCalendar() throws {
    guard let python = Oracle.python(with: "icalendar") else {
      print("skipped: no python3 with icalendar")
      return
    }
    let script = FixtureTests.folder.deletingLastPathComponent()
      .appending(path: "Tests/Oracles/icalendar_events.py").path
    let output = try #require(Oracle.output(of: python, [script] + Self.paths))
    let differences = Self.compare(
      output, withZones: true, explained: ExplainedDifferences.iCalendar)
    #expect(differences == [], "\(differences.joined(separator: "\n"))")
  }

  @Test("libical alone reads the same events, or it is explained why not")
  func libical() throws {
    guard let program = Oracle.compiled("libical_events", libraries: ["ical"]) else {
      print("skipped: no C compiler with libical")
      return
    }
    let output = try #require(Oracle.output(of: program, Self.paths))
    let differences = Self.compare(
      output, withZones: false, explained: ExplainedDifferences.libical)
    #expect(differences == [], "\(differences.joined(separator: "\n"))")
  }
}

/// Programs that read calendars without any code of ours.
enum Oracle {
  private static let root = FixtureTests.folder.deletingLastPathComponent()

  /// A Python with that package of PyPI, in a virtual environment under .build; `nil` where one
  /// cannot be made.
  static func python(with package: String) -> String? {
    let folder = root.appending(path: ".build/oracle-python-\(package)")
    let python = folder.appending(path: "bin/python3").path
    if output(of: python, ["-c", "import \(package)"]) != nil { return python }
    guard output(of: "/usr/bin/env", ["python3", "-m", "venv", folder.path]) != nil,
      output(of: python, ["-m", "pip", "install", "-q", package]) != nil
    else { return nil }
    return python
  }

  /// A program of Tests/Oracles in C; `nil` where it cannot be compiled.
  static func compiled(_ name: String, libraries: [String]) -> String? {
    let program = root.appending(path: ".build/oracle-\(name)").path
    let source = root.appending(path: "Tests/Oracles/\(name).c").path
    let arguments = ["cc", "-std=c11", "-O1", "-o", program, source] + libraries.map { "-l" + $0 }
    return output(of: "/usr/bin/env", arguments) == nil ? nil : program
  }

  /// What a program writes; `nil` where it cannot be run or fails.
  static func output(of program: String, _ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return nil
    }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
