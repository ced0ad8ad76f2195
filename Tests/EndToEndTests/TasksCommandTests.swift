import Foundation
import TestSupport
import Testing

/// `agenda tasks` on the built program.
@Suite("tasks by urgency")
struct TasksCommandTests {
  private static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VTODO
    UID:undated
    SUMMARY:Learn Greek
    END:VTODO
    BEGIN:VTODO
    UID:undated-done
    SUMMARY:Learned Latin
    STATUS:COMPLETED
    END:VTODO
    BEGIN:VTODO
    UID:late
    DUE;TZID=Europe/Berlin:20261121T080000
    SUMMARY:Call the bank
    END:VTODO
    BEGIN:VTODO
    UID:later-but-urgent
    DUE;VALUE=DATE:20261110
    PRIORITY:1
    SUMMARY:Pay the rent
    END:VTODO
    BEGIN:VTODO
    UID:today
    DUE;VALUE=DATE:20261121
    SUMMARY:Water the plants
    STATUS:IN-PROCESS
    END:VTODO
    BEGIN:VTODO
    UID:started
    DTSTART;VALUE=DATE:20261101
    SUMMARY:Without a deadline
    END:VTODO
    BEGIN:VTODO
    UID:weekly
    DTSTART;VALUE=DATE:20261102
    DUE;VALUE=DATE:20261102
    RRULE:FREQ=WEEKLY
    SUMMARY:Bins
    END:VTODO
    BEGIN:VTODO
    UID:weekly
    RECURRENCE-ID;VALUE=DATE:20261116
    DTSTART;VALUE=DATE:20261116
    DUE;VALUE=DATE:20261116
    STATUS:COMPLETED
    SUMMARY:Bins
    END:VTODO
    BEGIN:VTODO
    UID:cancelled
    DUE;VALUE=DATE:20261122
    STATUS:CANCELLED
    SUMMARY:Cancelled
    END:VTODO
    BEGIN:VEVENT
    UID:event
    DTSTART;VALUE=DATE:20261122
    SUMMARY:No task
    END:VEVENT
    END:VCALENDAR

    """

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("todo.ics", Self.calendar)
  }

  private func agenda(_ arguments: String...) throws -> AgendaRun {
    try AgendaRun(
      arguments + AgendaRun.pinned, environment: ["AGENDA_STORE": "agenda.sqlite"],
      in: folder.url)
  }

  @Test("overdue first, then today, upcoming and undated tasks, each by priority")
  func order() throws {
    let run = try agenda("tasks", "todo.ics")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      run.output == """
        Pay the rent · overdue · Tue, 10 Nov 2026 · priority 1
        Call the bank · overdue · Sat, 21 Nov 2026, 08:00
        Without a deadline · Sun, 1 Nov 2026
        Water the plants · Sat, 21 Nov 2026 · in process
        Bins · Mon, 23 Nov 2026
        Learn Greek · No date

        """)
    #expect(try agenda("tasks", "todo.ics", "--limit", "1").output.hasPrefix("Pay the rent"))
  }

  @Test("the store lists the same as the file, in every format")
  func store() throws {
    let imported = try AgendaRun(
      ["import", "todo.ics", "--quiet"], environment: ["AGENDA_STORE": "agenda.sqlite"],
      in: folder.url)
    #expect(imported.status == 0)
    for format in ["text", "markdown", "json", "jsonl", "tsv"] {
      let file = try agenda("tasks", "todo.ics", "-f", format)
      let store = try agenda("tasks", "-f", format)
      #expect(store.status == 0 && store.output == file.output)
    }
    let lines = try agenda("tasks", "-f", "jsonl").output.split(separator: "\n")
    let tasks = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      tasks.compactMap { $0["urgency"] as? String } == [
        "overdue", "overdue", "today", "today", "upcoming", "undated",
      ])
    #expect(tasks.first?["due"] as? String == "2026-11-10")
    #expect(tasks.last?["due"] is NSNull && tasks.last?["uid"] as? String == "undated")
  }

  @Test("without tasks nothing is printed, and the exit status is 0")
  func nothing() throws {
    let run = try agenda("tasks", "todo.ics", "--search", "nothing of the kind")
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
  }
}
