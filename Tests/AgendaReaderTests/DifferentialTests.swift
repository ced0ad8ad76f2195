import AgendaCore
import AgendaReader
import AgendaSources
import CivilTime
import Foundation
import Recurrence
import TestSupport
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

  @Test(
    "icalendar reads the same events, or it is explained why not", .requiresPythonPackages)
  func iCalendar() throws {
    let script = Repository.oracles.appendingPathComponent("icalendar_events.py").path
    let output = try Python.output(of: [script] + Self.paths)
    let differences = Self.compare(
      output, withZones: true, explained: ExplainedDifferences.iCalendar)
    #expect(differences == [], "\(differences.joined(separator: "\n"))")
  }

  @Test(
    "libical alone reads the same events, or it is explained why not", .requiresLibicalHeaders)
  func libical() throws {
    let program = try Self.compiledWithLibical("libical_events")
    let output = try ProgramRun(program, Self.paths).output
    let differences = Self.compare(
      output, withZones: false, explained: ExplainedDifferences.libical)
    #expect(differences == [], "\(differences.joined(separator: "\n"))")
  }

  /// A program of Tests/Oracles in C.
  private static func compiledWithLibical(_ name: String) throws -> URL {
    let compiler = try Tool("cc")
    let program = Repository.build.appendingPathComponent("oracle-\(name)")
    let source = Repository.oracles.appendingPathComponent("\(name).c").path
    let run = try compiler.run(["-std=c11", "-O1", "-o", program.path, source, "-lical"])
    try #require(run.status == 0, "\(run.errors)")
    return program
  }
}
