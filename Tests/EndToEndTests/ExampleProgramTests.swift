import Foundation
import TestSupport
import Testing

/// The programs of Docs/Examples, built and run as their users do.
@Suite("example programs")
struct ExampleProgramTests {
  private let folder: ScratchFolder
  private static let now = ["AGENDA_NOW": "2026-11-21T09:00:00+01:00"]

  init() throws { folder = try ScratchFolder() }

  private func run(
    _ program: String, _ arguments: [String], _ more: [String: String] = [:]
  ) throws -> AgendaRun {
    try AgendaRun(
      program: program, arguments, environment: Self.now.merging(more) { $1 }, in: folder.url)
  }

  private func calendar(_ events: [String]) -> String {
    let text = events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined()
    return "BEGIN:VCALENDAR\n\(text)END:VCALENDAR\n"
      .replacingOccurrences(of: "\n", with: "\r\n")
  }

  @Test("each program has less than 50 lines of code, and the smallest one 20")
  func length() throws {
    let sources = Repository.root.appendingPathComponent("Docs/Examples/Sources")
    let programs = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(programs.count == 6)
    for program in programs {
      let file = sources.appendingPathComponent("\(program)/main.swift")
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { !$0.hasPrefix("//") }
      #expect(lines.count < (program == "StatusBar" ? 21 : 50), "\(program): \(lines.count)")
    }
  }

  @Test("StatusBar: the next entry, and another one after a change")
  func statusBar() throws {
    let start = Date().addingTimeInterval(7200)
    let format = DateFormatter()
    format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
    format.timeZone = TimeZone(identifier: "UTC")
    let path = try folder.write(
      "a.ics",
      calendar(["UID:1\nDTSTART:\(format.string(from: start))\nSUMMARY:Choir"]))
    let program = try WaitingProgram(
      "StatusBar", [folder.url.appendingPathComponent("store.sqlite").path])
    try program.wait(for: "nothing in the coming year\n")
    try AgendaRun(["import", path, "--store", "store.sqlite"], in: folder.url).expect(0)
    try program.wait(for: "Choir\n")
    #expect(program.output.split(separator: "\n").count == 2, "\(program.output)")
  }

  @Test("SharedFolder: events are renamed in files that another program has just written")
  func sharedFolder() throws {
    func event(_ title: String) -> String { "UID:1\nDTSTART:20261124T090000Z\nSUMMARY:\(title)" }
    try folder.write("shared/a.ics", calendar([event("Choir")]))
    try run("SharedFolder", ["store.sqlite", "shared", "Choir", "Song"]).expect(
      0, output: "renamed 1\n")
    // The other program makes its own title of it.
    try folder.replace("shared/a.ics", calendar([event("Choir practice")]))
    try run("SharedFolder", ["store.sqlite", "shared", "practice", "Song"]).expect(
      0, output: "renamed 1\n")
    let text = try String(
      contentsOf: folder.url.appendingPathComponent("shared/a.ics"), encoding: .utf8)
    #expect(text == calendar([event("Song")]) || text.contains("SUMMARY:Song\r\n"), "\(text)")
    try run("SharedFolder", ["store.sqlite", "shared", "nothing", "Song"]).expect(
      0, output: "renamed 0\n")
  }

  @Test("AppointmentList: the coming year by day, in the user's language")
  func appointmentList() throws {
    let path = try folder.write(
      "a.ics",
      calendar([
        "UID:1\nDTSTART;VALUE=DATE:20261121\nSUMMARY:Fair",
        "UID:2\nDTSTART;TZID=Europe/Berlin:20261121T083000\nSUMMARY:Breakfast",
        "UID:3\nDTSTART;TZID=Europe/Berlin:20271120T190000\nSUMMARY:Concert",
        "UID:4\nDTSTART;TZID=Europe/Berlin:20271121T190000\nSUMMARY:After a year",
        "UID:5\nDTSTART;TZID=Europe/Berlin:20261120T190000\nSUMMARY:Yesterday",
      ]))
    let english = """
      Saturday, 21 November 2026
        all day  Fair
        08:30  Breakfast
      Saturday, 20 November 2027
        19:00  Concert

      """
    #expect(try TutorialTests.text(of: "AppointmentList").contains(english))
    try run("AppointmentList", [path], ["LC_ALL": "en_GB.UTF-8"]).expect(0, output: english)
    try run("AppointmentList", [path], ["LC_ALL": "de_DE.UTF-8"]).expect(
      0,
      output: """
        Samstag, 21. November 2026
          ganztägig  Fair
          08:30  Breakfast
        Samstag, 20. November 2027
          19:00  Concert

        """)
  }

  @Test("SectionTitles: months, whose identifiers are computed again only for a new time")
  func sectionTitles() throws {
    let output = """
      computed for Choir
      computed for Dentist
      computed for Concert
      computed for Party
      2026010 October 2026: Choir
      2026011 November 2026: Dentist
      2026012 December 2026: Concert, Party
      The dentist moves to December, and the choir has a new title.
      computed for Choir practice
      computed for Dentist
      2026010 October 2026: Choir practice
      2026012 December 2026: Dentist, Concert, Party

      """
    #expect(try TutorialTests.text(of: "SectionTitles").contains(output))
    try run("SectionTitles", []).expect(0, output: output)
  }

  @Test("ResultsController: index titles, positions, and changes as a list view applies them")
  func resultsController() throws {
    func event(_ title: String, _ day: Int) -> String {
      "UID:\(title)\nDTSTART;VALUE=DATE:202611\(day)\nSUMMARY:\(title)"
    }
    try folder.write("c/a.ics", calendar([event("Choir", 25), event("Cake", 24)]))
    try folder.write("c/b.ics", calendar([event("Dentist", 23)]))
    let program = try WaitingProgram(
      "ResultsController", [folder.url.appendingPathComponent("c").path, "initial"],
      environment: Self.now)
    try program.wait(for: "watching\n")
    #expect(
      program.output == """
        C: Cake, Choir
        D: Dentist
        index: C D
        C leads to 1.1: Cake
        D leads to 2.1: Dentist
        watching

        """)
    #expect(try TutorialTests.text(of: "ResultsController").contains(program.output))
    program.forgetOutput()
    try folder.replace("c/a.ics", calendar([event("Cake", 26), event("Choir", 25)]))
    try program.wait(for: "rows")
    #expect(
      program.output.contains("move 1.1 to 1.2 Cake")
        || program.output.contains("move 1.2 to 1.1 Choir"),
      "\(program.output)")
    #expect(
      program.output.contains(#"rows: [["Choir", "Cake"], ["Dentist"]]"#), "\(program.output)")
    program.forgetOutput()
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("c/b.ics"))
    try program.wait(for: "rows")
    #expect(
      program.output == """
        delete section 2 D
        delete 2.1 Dentist
        rows: [["Choir", "Cake"]]

        """)
    #expect(try TutorialTests.text(of: "ResultsController").contains(program.output))
  }

  @Test("PhotoLocations: a picture with a place is added, listed, shown, renamed and deleted")
  func photoLocations() throws {
    let picture = PictureSample.png(40, 30)
    let file = folder.url.appendingPathComponent("beach.png")
    try Data(picture).write(to: file)
    func photos(_ arguments: String...) throws -> AgendaRun {
      try run("PhotoLocations", ["photos.sqlite"] + arguments)
    }
    try photos("add", "beach.png", "Beach", "2026-07-05", "54.1", "13.7").expect(0, output: "")
    try photos("add", "beach.png", "Harbour", "2026-07-04", "54.2", "13.8").expect(0, output: "")
    let lines = try photos("list").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("2026-07-04 Harbour at 54.2, 13.8 with") == true)
    #expect(lines.last?.hasPrefix("2026-07-05 Beach at 54.1, 13.7 with") == true)
    try photos("picture", "Beach", "copy.png").expect(0, output: "")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("copy.png")) == Data(picture))
    try photos("rename", "Beach", "Dunes").expect(0, output: "")
    try photos("delete", "Harbour").expect(0, output: "")
    let rest = try photos("list").output
    #expect(rest.hasPrefix("2026-07-05 Dunes at 54.1, 13.7"), "\(rest)")
    #expect(rest.split(separator: "\n").count == 1)
    try photos("picture", "Dunes", "again.png").expect(0, output: "")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("again.png")) == Data(picture))
  }

  @Test("PhotoLocations shows the photos of a store that an earlier agenda made", .requiresPython)
  func olderStore() throws {
    let sql = Repository.fixtures.appendingPathComponent("stores/version1.sql")
    let script = """
      import base64, re, sqlite3, sys
      connection = sqlite3.connect(sys.argv[2])
      connection.executescript(open(sys.argv[1], encoding="utf-8").read())
      for row in connection.execute("SELECT text FROM component ORDER BY id"):
          lines = row[0].replace(b"\\r\\n ", b"").split(b"\\r\\n")
          for line in lines:
              if line.startswith(b"ATTACH"):
                  print(base64.b64decode(line.split(b":", 1)[1]).hex().upper())
      """
    let made = try Python.run(
      ["-c", script, sql.path, folder.url.appendingPathComponent("photos.sqlite").path])
    let pictures = made.output.split(separator: "\n")
    try #require(pictures.count == 2, "\(made.errors)")

    let lines = try run("PhotoLocations", ["photos.sqlite", "list"]).output
      .split(separator: "\n")
    #expect(lines.contains("2026-07-04 Harbour at 54.2, 13.8 with a thumbnail"))
    #expect(lines.contains("2026-07-05 Beach at 54.1, 13.7 with a thumbnail"))
    #expect(lines.contains("2026-07-07 Choir without a place without a thumbnail"))
    for (title, picture) in zip(["Beach", "Harbour"], pictures) {
      try run("PhotoLocations", ["photos.sqlite", "picture", title, "copy.png"]).expect(0)
      let copy = try Data(contentsOf: folder.url.appendingPathComponent("copy.png"))
      #expect(copy.map { String(format: "%02X", $0) }.joined() == picture)
    }
    try run("PhotoLocations", ["photos.sqlite", "rename", "Beach", "Dunes"]).expect(0)
    try run("PhotoLocations", ["photos.sqlite", "delete", "Harbour"]).expect(0)
    let rest = try run("PhotoLocations", ["photos.sqlite", "list"]).output
    #expect(rest.contains("2026-07-05 Dunes at 54.1, 13.7 with"), "\(rest)")
    #expect(!rest.contains("Harbour"))
  }

  @Test("PhotoLocations leaves a store from before version 1 as it is, and says so")
  func retiredStore() throws {
    let old = Repository.fixtures.appendingPathComponent("stores/retired.sqlite")
    let file = folder.url.appendingPathComponent("photos.sqlite")
    try FileManager.default.copyItem(at: old, to: file)
    let bytes = try Data(contentsOf: file)
    for arguments in [["list"], ["delete", "Beach"]] {
      let run = try run("PhotoLocations", ["photos.sqlite"] + arguments)
      #expect(run.status == 1)
      #expect(run.errors.contains("photos.sqlite"))
      #expect(run.errors.contains("early version of agenda"))
    }
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test("the package of the examples builds by its path", .long)
  func package() throws {
    let swift = try Tool("swift")
    let run = try swift.run([
      "build", "--package-path", Repository.root.appendingPathComponent("Docs/Examples").path,
      "--scratch-path", Repository.build.appendingPathComponent("examples").path,
    ])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}

/// A program that prints lines until it is stopped, as a listener does.
private final class WaitingProgram {
  private let process = Process()
  private let pipe = Pipe()
  /// What it has printed.
  private(set) var output = ""

  init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = AgendaRun.program.deletingLastPathComponent()
      .appendingPathComponent(name)
    process.arguments = arguments
    process.environment = AgendaRun.bareEnvironment.merging(environment) { $1 }
    process.standardOutput = pipe
    try process.run()
  }

  deinit { kill(process.processIdentifier, SIGKILL) }

  func forgetOutput() { output = "" }

  func wait(for text: String) throws {
    while !output.contains(text) {
      var waiting = pollfd(
        fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&waiting, 1, 120_000) == 1, "\(output)")
      let more = pipe.fileHandleForReading.availableData
      try #require(!more.isEmpty, "\(output)")
      output += String(decoding: more, as: UTF8.self)
    }
  }
}
