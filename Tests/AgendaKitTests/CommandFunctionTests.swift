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

  @Test("a search has what comes next first, and what is over last, the latest first")
  func searchOrder() throws {
    let days = ["20261105", "20261101", "20261104", "20261102", "20261103"]
    let events = days.map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART;VALUE=DATE:\($0)\nSUMMARY:Walk\nEND:VEVENT\n"
    }
    let text = "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n"
    let file = try folder.write("walks.ics", text)
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try store.write { try $0.importSources([file]) }
    let selection = Selection(words: ["walk"])
    for calendars in [try Calendars(contentsOf: [file]), try Calendars(of: store)] {
      let found = try calendars.search(selection, now: instant("2026-11-03T12:00:00Z"), zone: zone)
      #expect(
        found.map(\.event.uid)
          == ["20261103", "20261104", "20261105", "20261102", "20261101"])
    }
  }

  @Test("an entry is found again by its identifier or its UID, from a file and from a store")
  func lookup() throws {
    let file = try folder.write("work.ics", Self.calendar)
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    #expect(try store.isEmpty)
    try store.write { try $0.importSources([file]) }
    #expect(try !store.isEmpty && store.mails().isEmpty && store.conflicts().isEmpty)
    let window = try window()
    for calendars in [try Calendars(contentsOf: [file]), try Calendars(of: store)] {
      #expect(try calendars.calendarNames() == ["work"])
      #expect(calendars.findings.contains { $0.finding.uid == "bad" })
      let second = try #require(try calendars.agenda(in: window).sections[1].entries.first)
      let found = try calendars.occurrences(withID: second.id, in: window)
      #expect(found.map(\.begin) == [try instant("2026-11-03T09:00:00Z")])
      let all = try calendars.occurrences(withUID: "plan", in: window)
      #expect(all.count == 3 && Set(all.map(\.event.uid)) == ["plan"])
      let tasks = Selection(includesTasks: true)
      #expect(
        try calendars.occurrences(withUID: "tax", in: window, of: tasks).isEmpty,
        "it was due before the window")
      let today = try calendars.occurrences(
        withUID: "tax", in: window, of: tasks, today: window.firstDay)
      #expect(today.map(\.event.title) == ["Tax"], "it is still to be done")
    }
  }

  @Test("a series has its rules and overrides, whatever occurrence it is asked for")
  func series() throws {
    let override = """
      BEGIN:VEVENT
      UID:plan
      RECURRENCE-ID:20261103T090000Z
      DTSTART:20261103T140000Z
      SUMMARY:Planning moved
      END:VEVENT
      END:VCALENDAR
      """
    let text = Self.calendar.replacingOccurrences(of: "END:VCALENDAR\n", with: override)
    let calendars = try Calendars(text: text, name: "work")
    for occurrence in try calendars.occurrences(withUID: "plan", in: window()) {
      let series = try calendars.series(of: occurrence.event, zone: zone)
      #expect(series.map(\.title) == ["Planning", "Planning moved"])
      #expect(series.first?.rules.map(\.description) == ["FREQ=DAILY;COUNT=3"])
    }
    let own = Event(uid: "own", title: "Own", start: nil, calendar: "own")
    #expect(try calendars.series(of: own, zone: zone) == [own])
  }

  @Test("content lines have their names, parameters and values")
  func contentLines() throws {
    let entry = try #require(try calendars().agenda(in: window()).entries.first)
    let lines = try calendars().contentLines(of: entry.event)
    let attachment = try #require(lines.first { $0.name == "ATTACH" })
    #expect(attachment.parameter("FMTTYPE") == "text/plain")
    #expect(attachment.parameter("LABEL") == nil)
    #expect(attachment.value == "aGVsbG8=")
    #expect(lines.contains { $0.text == "RRULE:FREQ=DAILY;COUNT=3" })
    #expect(!lines.contains { $0.name == "TRIGGER" })
  }

  @Test("an edit says what it did, in a dry run too")
  func written() throws {
    let file = try folder.write("work.ics", Self.calendar)
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try store.write { try $0.importSources([file]) }
    let call = try #require(
      try store.read { try $0.occurrences(withUID: "call", in: window()) }.first)
    let removed = try store.write(isDryRun: true) { try $0.remove(call) }
    #expect(removed.unchangedSource == file && removed.events.isEmpty)
    var edit = EventEdit(title: "Own", start: .date(try #require(CivilDate(rfc3339: "2026-11-05"))))
    edit.note = "Bring the key."
    let added = try store.write(isDryRun: true) { try $0.add(edit) }
    let event = try #require(added.events.first)
    #expect(try store.read { $0.details(of: event).description } == "Bring the key.")
    #expect(added.serverCalendars.isEmpty && added.copies.isEmpty)
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
    #expect(tasks.map(\.occurrence.event.title) == ["Tax"] && tasks.map(\.urgency) == [.overdue])
    #expect(tasks.map { calendars.details(of: $0.occurrence.event).priority } == [2])
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
    let facts = try calendars.explanation(of: entry.occurrence, in: window())
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
      try Calendars(of: store).agenda(in: window()).sections.first?.entries.last
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
    #expect(try store.problems() == [])
    #expect(try store.write { try $0.remove(calendar: "work") } == 3)
  }
}
