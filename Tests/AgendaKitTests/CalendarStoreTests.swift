import AgendaKit
import Foundation
import Synchronization
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

  @Test("the steps of an import and of a refresh end with their reports")
  func progress() async throws {
    let events = (0..<3000).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20261124T090000Z\nSUMMARY:\($0)\nEND:VEVENT\n"
    }
    let file = try folder.write("many.ics", "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n")
    let store = store()
    let counts = Mutex<[Int]>([])
    let reports = try await store.write {
      try $0.importSources([file]) { step in
        guard case .importing(let source, let done, let count) = step else {
          Issue.record("a file is not fetched")
          return
        }
        #expect(source == file)
        #expect(count == 3000)
        counts.withLock { $0.append(done) }
      }
    }
    #expect(reports.map(\.added) == [3000])
    let shown = counts.withLock { $0 }
    #expect(!shown.isEmpty)
    #expect(shown == shown.sorted())
    try folder.replace("many.ics", "BEGIN:VCALENDAR\n\(events[0])END:VCALENDAR\n")
    let refreshed = try await store.write {
      var options = StoreWriter.ImportOptions()
      options.allowsShrinking = true
      return try $0.refresh(options)
    }
    #expect(refreshed.map(\.removed) == [2999])
    await #expect(throws: (any Error).self) {
      try await store.write { try $0.refresh(calendars: ["nothing"]) }
    }
  }

  @Test("several tasks read at the same time as others write, and each sees a whole state")
  func sharing() async throws {
    let store = store()
    let window = try window()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for round in 0..<5 {
            try await store.write { writer in
              var edit = EventEdit()
              edit.title = "Event \(number).\(round)"
              edit.start = .date(window.firstDay)
              try writer.add(edit)
            }
          }
        }
        group.addTask {
          var previous = 0
          for _ in 0..<20 {
            let count = try await store.read { try $0.agenda(in: window).entryCount }
            #expect(count >= previous)
            previous = count
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.read { try $0.agenda(in: window).entryCount } == 20)
  }

  @Test("a question that is observed is answered again after each change, and only then")
  func observation() async throws {
    let store = store()
    let window = try window()
    let titles = store.observe {
      try $0.agenda(in: window).sections.flatMap(\.entries).map(\.title)
    }
    var answers: [[String]] = []
    let source = try source()
    for try await answer in titles {
      answers.append(answer)
      switch answers.count {
      case 1: try await store.write { try $0.importSources([source]) }
      case 2:
        // Nothing of the day changes.
        var edit = EventEdit()
        edit.title = "Later"
        edit.start = .date(try #require(window.firstDay.adding(days: 9)))
        let later = edit
        try await store.write { try $0.add(later) }
        try await store.write { try $0.remove(calendar: "work") }
      default: break
      }
      if answers.count == 3 { break }
    }
    #expect(answers == [[], ["Dentist", "Choir"], []])
  }

  @Test("within a change, the calendars are those that it has made")
  func readingWhileWriting() throws {
    let store = store()
    let window = try window()
    let source = try source()
    let titles = try store.write { writer in
      try writer.importSources([source])
      let choir = try #require(
        try writer.calendars().occurrences(in: window).first { $0.event.title == "Choir" })
      var edit = EventEdit()
      edit.title = "Song"
      // A file of somebody else cannot be changed, but copied.
      try writer.add(like: choir, edit)
      return try writer.calendars().occurrences(in: window).map(\.event.title).sorted()
    }
    #expect(titles == ["Choir", "Dentist", "Song"])
  }

  @Test("imported calendars are listed, searched, refreshed and removed")
  func roundTrip() throws {
    let store = store()
    #expect(try store.isEmpty)
    let options = StoreWriter.ImportOptions()
    let reports = try store.write { try $0.importSources([try source()], options) }
    #expect(reports.map(\.added) == [2])
    #expect(try store.read { try $0.calendarNames() } == ["work"])
    let again = try store.write { try $0.refresh(options) }
    #expect(again.map(\.unchanged) == [2])

    let calendars = try Calendars(of: store)
    let window = try window()
    let titles = try calendars.agenda(in: window).sections.flatMap(\.entries)
      .map(\.occurrence.event.title)
    #expect(titles == ["Dentist", "Choir"])
    let found = try calendars.search(Selection(words: ["choir"]), now: now, zone: .utc)
    #expect(found.map(\.event.identity.uid) == ["2"])

    #expect(try store.write { try $0.remove(calendar: "work") } == 2)
    #expect(try Calendars(of: store).agenda(in: window).isEmpty)
    try store.write { try $0.undo() }
    #expect(try Calendars(of: store).agenda(in: window).entryCount == 2)
  }

  @Test("alarms, conflicts and free time are the same from a file and from a store")
  func equality() throws {
    let store = store()
    let source = try source()
    try store.write { try $0.importSources([source]) }
    let window = try window()
    let day = window.start..<window.end
    let nine = try #require(TimeOfDay(hour: 9, minute: 0))
    let noon = try #require(TimeOfDay(hour: 12, minute: 0))
    for calendars in [try Calendars(contentsOf: [source]), try Calendars(of: store)] {
      let alarms = try calendars.alarms(in: day, zone: .utc)
      #expect(alarms.map { $0.moment.rfc3339(in: .utc) } == ["2026-11-24T08:50:00Z"])
      let occurrences = try calendars.occurrences(in: window)
      #expect(Conflict.all(among: occurrences).pairs.map(\.first.event.title) == ["Dentist"])
      let free = FreeTime(begin: nine, finish: noon).slots(in: window, around: occurrences)
      #expect(free.map(\.seconds) == [90 * 60])
    }
  }

  @Test(
    "an alarm that the user has dismissed does not go off again",
    arguments: [
      ("", "", [23, 24, 25]), ("ACKNOWLEDGED:20261124T084500Z\r\n", "", [25]),
      ("acknowledged:20261124T084459Z\r\n", "", [24, 25]),
      ("ACKNOWLEDGED:none\r\n", "", [23, 24, 25]),
      ("", "X-MOZ-LASTACK:20261123T084600Z\r\n", [24, 25]),
      ("ACKNOWLEDGED:20261123T084600Z\r\n", "X-MOZ-LASTACK:20261124T090000Z\r\n", [25]),
      ("REPEAT:2\r\nDURATION:PT5M\r\nACKNOWLEDGED:20261124T084600Z\r\n", "", [25, 25, 25]),
    ])
  func dismissedAlarms(inAlarm: String, inEvent: String, days: [Int]) throws {
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VEVENT
      UID:1
      DTSTART:20261123T090000Z
      RRULE:FREQ=DAILY;COUNT=3
      EVENTBEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT15M
      ALARMEND:VALARM
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID:20261124T090000Z
      DTSTART:20261124T090000Z
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT15M
      ALARMEND:VALARM
      END:VEVENT
      END:VCALENDAR

      """.replacing("EVENT" + "BEGIN", with: inEvent + "BEGIN").replacing(
        "ALARM" + "END", with: inAlarm + "END")
    let path = try folder.write("dismissed.ics", text)
    let store = store()
    try store.write { try $0.importSources([path]) }
    let first = try #require(CivilDate(year: 2026, month: 11, day: 23))
    let window = try #require(DateWindow(firstDay: first, length: .days(3), zone: .utc))
    for calendars in [try Calendars(contentsOf: [path]), try Calendars(of: store)] {
      let alarms = try calendars.alarms(in: window.start..<window.end, zone: .utc)
      #expect(alarms.map { $0.moment.utc.date.components.day } == days)
    }
  }

  @Test("a dry run reports what it would do and creates no store")
  func dryRun() throws {
    let store = store()
    #expect(
      try store.write(isDryRun: true) { try $0.importSources([try source()]) }.map(\.added) == [2])
    #expect(!FileManager.default.fileExists(atPath: store.configuration.path))
  }

  @Test("changes, undo, the sources and a diagnosis are values")
  func maintenance() throws {
    let store = store()
    let source = try source()
    #expect(throws: CalendarError(StoreError.nothingToUndo)) { try store.write { try $0.undo() } }
    #expect(store.diagnosis().store == nil)
    try store.write { try $0.importSources([source]) }
    _ = try folder.write(
      "work.ics", Self.calendar.replacingOccurrences(of: "Dentist", with: "Doctor"))
    try store.write { try $0.refresh() }
    let changes = try store.changes()
    #expect(changes.events.map(\.kind) == [.changed])
    #expect(changes.events.map(\.before?.title) == ["Dentist"])
    #expect(changes.events.map(\.after?.title) == ["Doctor"])
    #expect(try store.changes(since: now.adding(seconds: -60)).sources.count == 1)
    let summary = try #require(try store.calendars().first)
    #expect(summary.events == 2)
    #expect(summary.sources.map(\.source.kind) == [.file])
    #expect(try store.subscriptions().isEmpty)
    #expect(try store.write { try $0.undo() }.flatMap(\.effects).map(\.updated) == [1])
    let diagnosis = store.diagnosis()
    #expect(diagnosis.store?.components == 2)
    #expect(diagnosis.found.isEmpty)
  }

  @Test("the diagnosis of a damaged store says how to repair it")
  func damage() throws {
    let store = store()
    try store.write { try $0.importSources([try source()]) }
    let file = folder.url.appendingPathComponent("agenda.sqlite")
    var bytes = try Data(contentsOf: file)
    let title = try #require(bytes.range(of: Data("Dentist".utf8)))
    bytes[title.lowerBound] = UInt8(ascii: "d")
    try bytes.write(to: file)
    let diagnosis = store.diagnosis()
    #expect(diagnosis.store?.isDamaged == true)
    let problems = diagnosis.found.map(\.description).filter { !$0.contains("others may") }
    try #require(problems.count >= 2, "\(problems)")
    #expect(problems[0].hasSuffix("is damaged or was modified outside agenda"))
    #expect(
      problems.last
        == "the store is damaged; export its events, move \(store.configuration.path) away and import your "
        + "calendars and the events again")
  }

  @Test("an occurrence is explained from a file and from a store")
  func explanation() throws {
    let store = store()
    let source = try source()
    try store.write { try $0.importSources([source]) }
    let window = try window()
    for calendars in [Calendars(reading: [Source(source)]), try Calendars(of: store)] {
      let choir = try #require(
        try calendars.occurrences(in: window).first { $0.event.title == "Choir" })
      let facts = try calendars.explanation(of: choir, in: window).map(\.text)
      #expect(facts.contains("DTSTART:20261124T093000Z"))
      #expect(facts.contains("every Tuesday, 3 times"))
      #expect(calendars.sourceName(of: choir.event)?.hasSuffix("work.ics:12") == true)
    }
  }

  @Test("each source that cannot be read has its error, and the others are read")
  func readings() throws {
    let missing = folder.url.appendingPathComponent("missing.ics").path
    let calendars = Calendars(reading: [Source(missing), Source(try source())])
    let unreadable = calendars.readings.map { reading in
      if case .unreadable(let source, _) = reading.error { source } else { nil as String? }
    }
    #expect(unreadable == [missing, nil])
    #expect(try calendars.occurrences(in: window()).count == 2)
  }

  @Test("a check counts and lists problems without any store")
  func check() throws {
    let broken = Self.calendar.replacingOccurrences(of: "DTSTART:20261124T090000Z\n", with: "")
    let report = try #require(checkSources([try folder.write("broken.ics", broken)]).first)
    #expect(report.components == 2)
    #expect(report.rejected == 1)
    #expect(report.problems.map(\.finding.severity).contains(.error))
    #expect(report.newProblems == report.problems)
    let source = Source(folder.url.appendingPathComponent("broken.ics").path)
    let quoted = checks(of: [source]).flatMap(\.quotedProblems)
    #expect(quoted.compactMap(\.excerpt?.text).contains("BEGIN:VEVENT"))
  }
}
