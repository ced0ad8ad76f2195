import Foundation
import TestSupport
import Testing

/// The tutorials of AgendaKit: their listings are the programs that `ExampleProgramTests` runs.
@Suite("tutorials")
struct TutorialTests {
  static let catalogue = Repository.root.appendingPathComponent(
    "Sources/AgendaKit/AgendaKit.docc")

  /// The tutorial of each program.
  static let tutorials = [
    "AppointmentList": "TutorialAppointmentList", "SectionTitles": "TutorialMonthSections",
    "ResultsController": "TutorialResultsController",
    "PhotoLocations": "TutorialPhotosWithPlaces",
  ]

  static func text(of program: String) throws -> String {
    let name = try #require(tutorials[program])
    return try String(
      contentsOf: catalogue.appendingPathComponent("\(name).md"), encoding: .utf8)
  }

  private func listings(of program: String) throws -> [String] {
    try Self.text(of: program).matches(of: #/```swift\n((?s:.*?))```/#)
      .map { String($0.output.1) }
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  @Test(
    "the listings after the manifest are the whole program",
    arguments: tutorials.keys.sorted())
  func program(name: String) throws {
    let file = Repository.root.appendingPathComponent("Docs/Examples/Sources/\(name)/main.swift")
    // The program begins with a comment that says what it does.
    let program = lines(try String(contentsOf: file, encoding: .utf8))
      .drop { $0.hasPrefix("//") }
    let listed = lines(try listings(of: name).dropFirst().joined())
    #expect(listed == Array(program))
  }

  @Test(
    "the package manager reads the manifest", .requires("swift"),
    arguments: tutorials.keys.sorted())
  func manifest(name: String) throws {
    let folder = try ScratchFolder()
    try folder.write("Package.swift", try #require(try listings(of: name).first))
    let run = try Tool("swift").run(["package", "--package-path", folder.url.path, "dump-package"])
    try #require(run.status == 0, "\(run.errors)")
    struct Manifest: Decodable {
      struct Target: Decodable { let name: String }
      let name: String
      let targets: [Target]
    }
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(run.output.utf8))
    #expect(manifest.name == name)
    #expect(manifest.targets.map(\.name) == [name])
  }

  @Test("docc converts all articles and symbols without a warning", .requires("docc", "swift"))
  func documentation() throws {
    let output = try ScratchFolder()
    let run = try ProgramRun(
      Repository.root.appendingPathComponent(".ci/document"),
      [
        output.url.appendingPathComponent("out").path,
        AgendaRun.program.deletingLastPathComponent().appendingPathComponent("Modules").path,
      ])
    try #require(run.status == 0, "\(run.output)\(run.errors)")
    let pages = output.url.appendingPathComponent("out/data/documentation/agendakit")
    for page in ["agenda", "civildate", "calendarstore", "tutorialappointmentlist"] {
      let file = pages.appendingPathComponent("\(page).json").path
      #expect(FileManager.default.fileExists(atPath: file), "\(page)")
    }
  }
}
