import AgendaKit
import Foundation
import TestSupport
import Testing

/// What the commands that use a store do, done by a Swift program.
@Suite("CalendarStore")
struct CalendarStoreTests {
  private let folder: ScratchFolder
  private let now = Instant(secondsSinceEpoch: 1_795_000_000)

  init() throws { folder = try ScratchFolder() }

  private static let calendar = """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    UID:1
    DTSTART:20261124T090000Z
    DURATION:PT1H
    SUMMARY:Dentist
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:2
    DTSTART:20261124T093000Z
    DURATION:PT1H
    SUMMARY:Choir
    RRULE:FREQ=WEEKLY;COUNT=3
    END:VEVENT
    END:VCALENDAR
    """

  private func store() -> CalendarStore {
    CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
  }

  private func source() throws -> String {
    try folder.write("work.ics", Self.calendar)
  }

  private func window() throws -> DateWindow {
    let first = try #require(CivilDate(year: 2026, month: 11, day: 24))
    return try #require(DateWindow(firstDay: first, length: .days(1), zone: .utc))
  }

  @Test("imported calendars are listed, searched, refreshed and removed")
  func roundTrip() throws {
    let store = store()
    #expect(try !store.hasSources)
    let options = CalendarStore.ImportOptions(now: now)
    let reports = try store.importSources([try source()], options)
    #expect(reports.map(\.added) == [2])
    #expect(try store.calendarNames == ["work"])
    let again = try store.refresh(options)
    #expect(again.map(\.unchanged) == [2])

    let calendars = try store.contents()
    let window = try window()
    let titles = try calendars.agenda(in: window).sections.flatMap(\.entries)
      .map(\.occurrence.event.title)
    #expect(titles == ["Dentist", "Choir"])
    let found = try calendars.search(Selection(words: ["choir"]), now: now, zone: .utc)
    #expect(found.map(\.event.identity.uid) == ["2"])

    #expect(try store.remove(calendar: "work", now: now) == 2)
    #expect(try store.contents().agenda(in: window).isEmpty)
    _ = try store.undo()
    #expect(try store.contents().agenda(in: window).entryCount == 2)
  }

  @Test("alarms, conflicts and free time are the same from a file and from a store")
  func equality() throws {
    let store = store()
    let source = try source()
    _ = try store.importSources([source], CalendarStore.ImportOptions(now: now))
    let window = try window()
    let day = window.start..<window.end
    let nine = try #require(TimeOfDay(hour: 9, minute: 0))
    let noon = try #require(TimeOfDay(hour: 12, minute: 0))
    for calendars in [try CalendarCollection(contentsOf: [source]), try store.contents()] {
      let alarms = try calendars.alarms(in: day, zone: .utc)
      #expect(alarms.map { $0.moment.rfc3339(in: .utc) } == ["2026-11-24T08:50:00Z"])
      let occurrences = try calendars.occurrences(in: window)
      #expect(Conflict.all(among: occurrences).pairs.map(\.first.event.title) == ["Dentist"])
      let free = FreeTime(begin: nine, finish: noon).slots(in: window, around: occurrences)
      #expect(free.map(\.seconds) == [90 * 60])
    }
  }

  @Test("a dry run reports what it would do and creates no store")
  func dryRun() throws {
    let store = store()
    var options = CalendarStore.ImportOptions(now: now)
    options.isDryRun = true
    #expect(try store.importSources([try source()], options).map(\.added) == [2])
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test("a check counts and lists problems without any store")
  func check() throws {
    let broken = Self.calendar.replacingOccurrences(of: "DTSTART:20261124T090000Z\n", with: "")
    let report = try #require(checkSources([try folder.write("broken.ics", broken)]).first)
    #expect(report.components == 2)
    #expect(report.rejected == 1)
    #expect(report.problems.map(\.finding.severity).contains(.error))
    #expect(report.newProblems == report.problems)
  }
}
