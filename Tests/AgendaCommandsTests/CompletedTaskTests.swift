import Foundation
import TestSupport
import Testing

/// `done` for a task in a file that agenda does not write: the store remembers it as an answer.
@Suite("completed tasks of other people")
struct CompletedTaskTests {
  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    try write(sequence: 0, stamp: "20261101T000000Z")
    let imported = fixture.run(["import", fixture.path("tasks.ics")], isPinned: false)
    try #require(imported.status == .done, "\(imported.errors)")
  }

  private func write(sequence: Int, stamp: String, title: String = "Pay") throws {
    let lines = ["DTSTAMP:\(stamp)", "SEQUENCE:\(sequence)"]
    func task(_ uid: String, _ own: String...) -> String {
      (["BEGIN:VTODO", "UID:\(uid)"] + lines + own + ["END:VTODO"]).joined(separator: "\r\n")
    }
    try fixture.write(
      "tasks.ics",
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x",
        task("pay", "DUE;VALUE=DATE:20261124", "SUMMARY:\(title)"),
        task(
          "water", "DTSTART;VALUE=DATE:20261117", "DUE;VALUE=DATE:20261118", "RRULE:FREQ=WEEKLY",
          "SUMMARY:Water"), "END:VCALENDAR", "",
      ].joined(separator: "\r\n"))
  }

  private func open() -> [String] {
    fixture.run(["tasks"]).output.split(separator: "\n").map(String.init)
  }

  @Test("they are no longer open, in every list, also after a refresh and in an export")
  func completed() throws {
    let dry = fixture.run(["done", "pay", "--dry-run"]).output
    #expect(dry.hasPrefix("would complete ") && dry.contains("\n+STATUS:COMPLETED\n"), "\(dry)")
    #expect(open().count == 2)
    let done = fixture.run(["done", "pay"])
    #expect(done.status == .done && done.output.contains("tasks.ics stays as it is"), "\(done)")
    #expect(fixture.run(["done", "pay"]).output == "nothing to change in Pay\n")
    #expect(fixture.run(["done", "water"]).status == .done)
    let rest = ["Water · Wed, 25 Nov 2026"]
    #expect(open().map { String($0.prefix(24)) } == rest, "\(open())")
    let shown = try fixture.entries(["--tasks", "--from", "2026-11-18", "--days", "30"])
    let states = shown.map { "\($0["title"] ?? "") \($0["status"] as? String ?? "-")" }
    #expect(states.prefix(3) == ["Water completed", "Pay completed", "Water -"], "\(states)")
    #expect(fixture.run(["changes"]).output.contains("status: – → completed"))
    #expect(fixture.run(["event", "pay"]).output.contains("100 %"))

    let export = fixture.run(["export"])
    try fixture.write("export.ics", export.output)
    let other = ["--store", fixture.path("other.sqlite")]
    let imported = fixture.run(["import", fixture.path("export.ics")] + other, isPinned: false)
    #expect(imported.status == .done)
    #expect(
      fixture.run(["tasks"] + other).output.split(separator: "\n").map { String($0.prefix(24)) }
        == rest)

    // A later stamp changes nothing; a new version opens the task again.
    try write(sequence: 0, stamp: "20261201T000000Z", title: "Pay it")
    #expect(fixture.run(["refresh"], isPinned: false).status == .done)
    #expect(open().count == 1)
    try write(sequence: 1, stamp: "20261201T000000Z")
    #expect(fixture.run(["refresh"], isPinned: false).status == .done)
    #expect(open().count == 2)
  }

  @Test("undo opens them again, and the store stays consistent")
  func undone() throws {
    let before = open()
    fixture.run(["done", "pay"])
    fixture.run(["done", "water"])
    let check = fixture.run(["check", fixture.path("tasks.ics")])
    #expect(check.status == .done)
    for _ in 0..<2 { #expect(fixture.run(["undo"], isPinned: false).status == .done) }
    #expect(open() == before)
    fixture.run(["done", "pay"])
    // The source no longer has the task, which is no mistake.
    try fixture.write(
      "tasks.ics",
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:x
      BEGIN:VTODO
      UID:other
      DTSTAMP:20261101T000000Z
      SUMMARY:Other
      END:VTODO
      END:VCALENDAR

      """)
    let refreshed = fixture.run(["refresh", "--allow-shrink"], isPinned: false)
    #expect(refreshed.status == .done && refreshed.errors.isEmpty, "\(refreshed)")
    #expect(!fixture.run(["doctor"]).output.contains("differ"))
  }

  @Test("a task without STATUS that has the time of its completion is completed in every list")
  func withoutStatus() throws {
    func task(_ uid: String, _ lines: String...) -> String {
      let own = ["BEGIN:VTODO", "UID:\(uid)", "DTSTAMP:20261101T000000Z", "SUMMARY:\(uid)"]
      return (own + lines + ["END:VTODO"]).joined(separator: "\r\n")
    }
    try fixture.write(
      "other.ics",
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x",
        task("done", "DUE:20261130T100000Z", "COMPLETED:20261120T100000Z"),
        task("wrong", "DUE:20261130T100000Z", "COMPLETED:yesterday"),
        task(
          "weekly", "DTSTART:20261130T100000Z", "RRULE:FREQ=WEEKLY;COUNT=1",
          "COMPLETED:20261120T100000Z"), "END:VCALENDAR", "",
      ].joined(separator: "\r\n"))
    let done = fixture.run([
      "show", fixture.path("other.ics"), "--tasks", "--where", "status = completed",
      "--template", "{title}",
    ])
    #expect(done.output == "done\n", "\(done)")
  }
}
