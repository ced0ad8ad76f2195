import Foundation
import TestSupport
import Testing

/// `undo N` with files that another program has changed.
@Suite("several steps back in files")
struct UndoneFileTests {
  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    for name in ["one", "two"] {
      try fixture.write(
        "vdir/\(name).ics",
        calendar(event(name, "DTSTART:20261124T100000Z", "SUMMARY:Event \(name)")))
    }
    fixture.run(["import", fixture.path("vdir")], isPinned: false)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: fixture.path("vdir/\(name).ics"), encoding: .utf8)
  }

  @Test("nothing is undone if a file of one of the steps was changed")
  func changed() throws {
    fixture.run(["edit", "event one", "--title", "First"])
    fixture.run(["edit", "event two", "--title", "Second"])
    try fixture.write("vdir/one.ics", try text("one").replacing("First", with: "Other"))
    let run = fixture.run(["undo", "2"], isPinned: false)
    #expect(run.status == .failed && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("one.ics") && run.errors.contains("nothing was undone"))
    #expect(try text("one").contains("Other") && text("two").contains("Second"))
    let last = fixture.run(["undo"], isPinned: false)
    #expect(last.status == .done && last.output.hasPrefix("undid: edit of "), "\(last)")
    #expect(try text("two").contains("Event two"))
  }

  @Test("steps that changed the same file are undone together")
  func sameFile() throws {
    for title in ["First", "Second", "Third"] {
      fixture.run(["edit", "vdir/one", "--title", title])
    }
    #expect(fixture.run(["undo", "3"], isPinned: false).status == .done)
    #expect(try text("one").contains("Event one"))
    #expect(fixture.run(["redo"], isPinned: false).status == .done)
    #expect(try text("one").contains("Third"))
  }
}
