import AgendaKit
import Foundation
import TestSupport
import Testing

/// What commands do, asked as a program does. The expected values are worked out by hand.
@Suite("what commands do, in a program")
struct CommandFunctionTests {
  private let folder: ScratchFolder
  private let zone = Zone.utc
  private static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VEVENT
    UID:plan
    DTSTART:20261102T090000Z
    DTEND:20261102T103000Z
    RRULE:FREQ=DAILY;COUNT=3
    SUMMARY:Planning
    ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:call
    DTSTART:20261103T100000Z
    DURATION:PT1H
    SUMMARY:Call
    END:VEVENT
    BEGIN:VTODO
    UID:tax
    DUE:20261101T120000Z
    SUMMARY:Tax
    PRIORITY:2
    END:VTODO
    BEGIN:VEVENT
    UID:bad
    DTSTART:20260230T090000Z
    SUMMARY:Never
    END:VEVENT
    END:VCALENDAR

    """

  init() throws { folder = try ScratchFolder() }

  private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

  private func window(_ days: Int = 3) throws -> DateWindow {
    let first = try #require(CivilDate(rfc3339: "2026-11-02"))
    return try #require(DateWindow(firstDay: first, length: .days(days), zone: zone))
  }

  private func calendars() throws -> Calendars {
    try Calendars(text: Self.calendar, name: "work")
  }

  @Test("search finds the next occurrence, otherwise the last")
  func search() throws {
    let calendars = try calendars()
    for (now, begin) in [
      ("2026-11-03T12:00:00Z", "2026-11-04T09:00:00Z"),
      ("2027-01-01T00:00:00Z", "2026-11-04T09:00:00Z"),
      ("2026-01-01T00:00:00Z", "2026-11-02T09:00:00Z"),
    ] {
      let found = try calendars.search(
        Selection(words: ["plan"]), now: instant(now), zone: zone)
      #expect(found.map(\.begin) == [try instant(begin)])
    }
  }

  @Test("alarms, open tasks, conflicts and free time")
  func times() throws {
    let calendars = try calendars()
    let due = try calendars.alarms(
      in: instant("2026-11-03T08:00:00Z")..<instant("2026-11-04T08:50:01Z"), zone: zone)
    #expect(
      due.map(\.moment)
        == [try instant("2026-11-03T08:50:00Z"), try instant("2026-11-04T08:50:00Z")])
    let tasks = try calendars.openTasks(now: instant("2026-11-02T08:00:00Z"), zone: zone)
    #expect(tasks.map(\.event.title) == ["Tax"])
    #expect(tasks.map(\.urgency) == [.overdue] && tasks.map(\.priority) == [2])
    let occurrences = try calendars.occurrences(in: window())
    let conflicts = Conflict.all(among: occurrences)
    #expect(conflicts.pairs.map(\.begin) == [try instant("2026-11-03T10:00:00Z")])
    #expect(conflicts.pairs.map(\.finish) == [try instant("2026-11-03T10:30:00Z")])
    let free = FreeTime(
      begin: try #require(TimeOfDay(hour: 9, minute: 0)), finish: TimeOfDay(hour: 12, minute: 0),
      earliest: try instant("2026-11-02T00:00:00Z"))
    let slots = free.slots(in: try window(2), around: occurrences)
    #expect(
      slots.map(\.begin)
        == [try instant("2026-11-02T10:30:00Z"), try instant("2026-11-03T11:00:00Z")])
  }

  @Test("explanation, attachment, check and grids")
  func pages() throws {
    let calendars = try calendars()
    let agenda = try calendars.agenda(in: window())
    let entry = try #require(agenda.sections.first?.entries.first)
    let facts = try calendars.explanation(of: entry.occurrence, in: window()).facts
    #expect(facts.contains { $0.text.contains("FREQ=DAILY") })
    #expect(calendars.attachmentBytes(of: entry.event, number: 1) == Array("hello".utf8))
    #expect(calendars.attachmentBytes(of: entry.event, number: 2) == nil)
    #expect(calendars.sourceName(of: entry.event) == "work:3")
    let file = try folder.write("work.ics", Self.calendar)
    let report = try #require(checkSources([file]).first)
    #expect(report.components == 4 && report.rejected == 1)
    let errors = report.problems.map(\.finding).filter { $0.severity == .error }
    #expect(errors.map(\.line) == [29])
    let day = try #require(CivilDate(rfc3339: "2026-11-03"))
    for grid in CalendarGrid.allCases {
      let text = try #require(
        try calendars.rendering(
          grid, holding: day, zone: zone, now: instant("2026-11-03T09:00:00Z"), columns: 100))
      #expect(text.contains("2026"), "\(text)")
      #expect(grid == .year || text.contains("Call"), "\(text)")
    }
    let week = try #require(CalendarGrid.week.window(holding: day, zone: zone))
    #expect(
      week.firstDay.description == "2026-11-02" && week.dayAfterLast.description == "2026-11-09")
    #expect(CalendarGrid.year.window(holding: day, zone: zone)?.firstDay.month == 1)
    #expect(CalendarGrid.month.window(holding: .last, months: 2, zone: zone) == nil)
  }

  @Test("import, changes, refresh, edit, reply, export, undo and health of a store")
  func store() throws {
    let now = try instant("2026-11-01T08:00:00Z")
    let store = CalendarStore(
      at: folder.url.appendingPathComponent("agenda.sqlite").path, now: now, zone: zone)
    let file = try folder.write("work.ics", Self.calendar)
    #expect(try store.write { try $0.importSources([file]) }.map(\.added) == [3])
    #expect(try store.changes().events.map(\.kind) == [.added, .added, .added])
    #expect(try store.write { try $0.refresh() }.map(\.unchanged) == [3])
    var edit = EventEdit()
    edit.title = "Dinner"
    edit.start = .time(
      CivilDateTime(try window().firstDay, try #require(TimeOfDay(hour: 19, minute: 0))))
    try store.write { try $0.add(edit) }
    func dinner() throws -> Entry? {
      try store.contents().agenda(in: window()).sections.first?.entries.last
    }
    let entry = try #require(try dinner())
    edit.title = "Late dinner"
    #expect(try !store.write { try $0.edit(entry.occurrence, edit) }.isUnchanged)
    #expect(try dinner()?.title == "Late dinner")
    #expect(try store.write { try $0.undo() }.flatMap(\.effects).count == 1)
    #expect(try dinner()?.title == "Dinner")
    var own: [UInt8] = []
    try store.export(calendars: ["local"]) { own += $0 }
    let copy = try Calendars(text: String(decoding: own, as: UTF8.self), name: "own")
    #expect(
      try copy.agenda(in: window()).sections.flatMap(\.entries).map(\.title) == ["Dinner"])
    try store.write { try $0.remove(try #require(try dinner()).occurrence) }
    #expect(try dinner()?.title == "Planning")
    var exported: [UInt8] = []
    try store.export { exported += $0 }
    let again = try Calendars(text: String(decoding: exported, as: UTF8.self), name: "x")
    #expect(try again.agenda(in: window()).entryCount == 4)
    #expect(throws: CalendarError.self) { try store.export(calendars: ["nothing"]) { _ in } }
    let planning = try #require(try dinner()).occurrence
    #expect(throws: CalendarError.self) {
      try store.write { try $0.reply(.accepted, to: planning) }
    }
    #expect(try store.health()?.problems == [])
    #expect(try store.write { try $0.remove(calendar: "work") } == 3)
  }
}
