import Foundation
import TestSupport
import Testing

/// Most tests run `agenda` in their own process. This compares such runs with those of the program.
@Suite("runs in the process of the tests")
struct InProcessRunTests {
  private static let event = """
    BEGIN:VEVENT
    UID:choir
    DTSTAMP:20261101T000000Z
    DTSTART;TZID=Europe/Berlin:20261125T190000
    RRULE:FREQ=WEEKLY;COUNT=3
    SUMMARY:Choir
    END:VEVENT

    """

  /// The files of a folder after the commands, and what each of them printed and returned.
  private func results(
    _ commands: [[String]], _ run: ([String], [String: String], URL) throws -> AgendaRun
  ) throws -> (folder: ScratchFolder, results: [[String]]) {
    let folder = try ScratchFolder()
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n\(Self.event)END:VCALENDAR\n"
    try folder.write("work/choir.ics", text)
    try folder.write("broken.ics", text.replacing("20261125T190000", with: "20261131T190000"))
    let variables = ["AGENDA_STORE": "agenda.sqlite", "LC_ALL": "de_DE.UTF-8"]
    return (
      folder,
      try commands.map { command in
        let run = try run(command, variables, folder.url)
        return ["\(run.status)", run.output, run.errors].map {
          $0.replacing(folder.url.resolvingSymlinksInPath().path, with: "FOLDER")
            .replacing(folder.url.path, with: "FOLDER")
            // A new event has a random UID.
            .replacing(#/\b[0-9a-f]{8}\b/#, with: "ID")
        }
      }
    )
  }

  @Test("they print the same, return the same and write the same files")
  func same() throws {
    let pinned = AgendaRun.pinned
    let commands = [
      ["--version"], ["help", "edit"], ["shwo"], ["show", "--days", "0"], ["show"] + pinned,
      ["show", "missing.ics"] + pinned, ["show", "broken.ics"] + pinned,
      ["show", "work", "-f", "json"] + pinned, ["import", "work"], ["calendars"],
      ["add", "Tea", "--at", "2026-11-24T12:30", "--calendar", "work"] + pinned,
      ["edit", "choir", "--only", "--title", "Songs"] + pinned, ["edit", "choir"] + pinned,
      ["remove", "--event", "choir", "--following"] + pinned,
      ["show", "--template", "{start} {title} {calendar}"] + pinned,
      ["export", "-o", "exported.ics"], ["refresh"], ["undo"], ["doctor"],
    ]
    let here = try results(commands) { try AgendaRun($0, environment: $1, in: $2) }
    let there = try results(commands) { try AgendaRun(process: $0, environment: $1, in: $2) }
    #expect(Set(there.results.map { $0[0] }) == ["0", "1", "2"])
    for (command, (own, program)) in zip(commands, zip(here.results, there.results)) {
      #expect(own == program, "\(command)")
    }
    for name in ["work/choir.ics", "broken.ics"] {
      let files = try [here.folder, there.folder].map {
        try String(contentsOf: $0.url.appendingPathComponent(name), encoding: .utf8)
      }
      #expect(files[0] == files[1])
    }
    #expect(FileManager.default.fileExists(atPath: "\(here.folder.url.path)/exported.ics"))
  }

  #if os(Linux)
    @Test("they do not start the program, and the working folder of the tests stays")
    func here() throws {
      let before = FileManager.default.currentDirectoryPath
      let folder = try ScratchFolder()
      // Some containers do not allow a thread a working folder of its own. Then the program is started.
      if let run = InProcessRun(["--version"], environment: [:], in: folder.url) {
        #expect(run.status == 0)
      }
      #expect(FileManager.default.currentDirectoryPath == before)
    }
  #endif
}
