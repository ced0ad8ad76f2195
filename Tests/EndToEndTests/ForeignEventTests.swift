import TestSupport
import Testing

/// Events of files, which agenda does not change, and their copies.
@Suite("events of a single file")
struct ForeignEventTests {
  private let folder: WrittenFolder

  init() throws {
    folder = try WrittenFolder()
    try folder.scratch.write(
      "work.ics",
      calendar(
        """
        BEGIN:VTIMEZONE
        TZID:Office
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0200
        END:STANDARD
        END:VTIMEZONE
        """,
        component("VTODO", "task", ["DUE:20261122T100000Z", "SUMMARY:Report"]),
        event("event", "DTSTART;TZID=Office:20261123T100000", "SUMMARY:Meeting")))
    #expect(try folder.agenda("import", "work.ics").status == 0)
  }

  private func copyCommand(_ errors: String) -> [String] {
    guard let found = errors.firstRange(of: "agenda add ") else { return [] }
    return errors[found.upperBound...].split(separator: " ").prefix(4).map(String.init)
  }

  /// `done` and `add` number different lists, because only the first has tasks.
  @Test("the command that copies an entry names its id, not its index path")
  func copy() throws {
    let done = try folder.agenda("done", "1.1")
    #expect(done.status == 1)
    let command = copyCommand(done.errors)
    #expect(command.count == 4, "\(done)")
    let copy = try folder.agenda(["add"] + command.dropLast() + ["local"])
    #expect(copy.status == 0 && copy.output.contains("Report"), "\(copy)")
  }

  @Test("the source of a copy is the store, also if it has its own zone definition")
  func sourceOfCopy() throws {
    let edit = try folder.agenda("edit", "1.1", "--title", "x")
    let copy = try folder.agenda(["add"] + copyCommand(edit.errors).dropLast() + ["local"])
    let id = String(copy.output.split(separator: " ")[1])
    for command in ["event", "explain"] {
      let run = try folder.agenda(command, id)
      let source = run.output.split(separator: "\n").first { $0.hasPrefix("  source ") }
      #expect(source?.hasSuffix("agenda.sqlite") == true, "\(run)")
    }
  }
}
