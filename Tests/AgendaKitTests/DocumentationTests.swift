import AgendaKit
import Foundation
import Synchronization
import TestSupport
import Testing

/// What the examples print.
private let printed = Mutex("")

func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let line = items.map { "\($0)" }.joined(separator: separator) + terminator
  printed.withLock { $0 += line }
}

@Suite("documentation of the library", .serialized)
struct DocumentationTests {
  private func output(of example: () throws -> Void) rethrows -> String {
    printed.withLock { $0 = "" }
    try example()
    return printed.withLock { $0 }
  }

  /// Runs an example in the folder with the calendars that it names.
  private func inCalendars(_ body: () throws -> String) throws -> String {
    let folder = Repository.root.appendingPathComponent("Fixtures/calendars").path
    let before = FileManager.default.currentDirectoryPath
    #expect(FileManager.default.changeCurrentDirectoryPath(folder))
    defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
    return try body()
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }

  private func blocks(of text: String) -> [String] {
    text.matches(of: #/```swift\n((?s:.*?))```/#).map { String($0.output.1) }
  }

  @Test(
    "every example of the documents is compiled here, letter by letter",
    arguments: [
      "Sources/AgendaKit/AgendaKit.docc/AgendaKit.md",
      "Sources/AgendaKit/AgendaKit.docc/AnAgendaInTenLines.md",
      "Sources/AgendaKit/AgendaKit.docc/ResultsAndChanges.md",
      "Sources/AgendaKit/AgendaKit.docc/RulesAndZones.md",
      "Sources/AgendaKit/AgendaKit.docc/StoreAndEditing.md",
      "Sources/AgendaKit/AgendaKit.docc/TasksAlarmsAndFreeTime.md", "README.md",
    ])
  func examplesAreCompiled(path: String) throws {
    let source = try text("Tests/AgendaKitTests/Examples.swift")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }.joined(separator: "\n")
    let blocks = blocks(of: try text(path)).filter { !$0.contains(".package(") }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let code = block.replacing("import AgendaKit\n\n", with: "")
      #expect(source.contains(code), "\(path):\n\(code)")
    }
  }

  /// Four days of the household, and the year.
  private func household() throws -> (Calendars, four: DateWindow, year: DateWindow) {
    let zone = try ZoneDatabase.system().loadZone(named: "Europe/Berlin")
    let file = Repository.root.appendingPathComponent("Fixtures/calendars/household.ics").path
    let first = try #require(CivilDate(year: 2026, month: 11, day: 21))
    return (
      try Calendars(contentsOf: [file]),
      try #require(DateWindow(firstDay: first, length: .days(4), zone: zone)),
      try #require(DateWindow(firstDay: first, length: .years(1), zone: zone))
    )
  }

  @Test("ten lines give an agenda")
  func tenLines() throws {
    let output = try inCalendars { try self.output { try Examples.tenLines() } }
    #expect(output.hasPrefix("Saturday, 21 November 2026 [\"Grandparents visit\", \"Concert"))
    #expect(output.contains("## Tuesday, 24 November 2026\n\n- **11:00–11:15** Stand-up (moved)"))
  }

  @Test("a selection, months, another language")
  func selection() throws {
    let (calendars, _, year) = try household()
    let output = try output { try Examples.selection(calendars, year) }
    #expect(output.hasPrefix("Nov Dez Jan Feb Mär"))
    #expect(output.contains("November 2026\n"))
    #expect(output.contains("Mo., 23. Nov.   09:30–09:45  Stand-up"), "\(output.prefix(300))")
    #expect(!output.contains("Concert"))
  }

  @Test("a place leads to its entry and back")
  func places() throws {
    let (calendars, four, _) = try household()
    let agenda = try calendars.agenda(in: four)
    let output = output { Examples.places(calendars, agenda) }
    #expect(output.contains(" Stand-up 2026-11-23T09:30:00+01:00\n"))
  }

  @Test("results in sections of any kind")
  func results() throws {
    let (calendars, four, _) = try household()
    let output = try output { try Examples.results(calendars, four) }
    #expect(output.hasPrefix("Household [\"Concert"), "\(output)")
    #expect(output.contains("\nConcert: St Matthew Passion 1.1 0\n"), "\(output)")
  }

  @Test("a store imports, finds, adds, edits, removes and undoes")
  func storing() throws {
    let folder = try ScratchFolder()
    let (_, four, _) = try household()
    let now = try #require(Instant(rfc3339: "2026-11-21T09:00:00+01:00"))
    let path = folder.url.appendingPathComponent("agenda.sqlite").path
    let output = try inCalendars {
      try self.output { try Examples.storing(at: path, now, four.zone) }
    }
    #expect(
      output == """
        Household 9 no error
        Stand-up 2026-11-23T09:30:00+01:00
        ["Lunch"]
        ["local", "+LOCATION:Canteen"]
        true
        ["local"]
        1
        ["Household", "local"]

        """)
  }

  @Test("an answer to an invitation is a mail to the organizer")
  func replying() throws {
    let folder = try ScratchFolder()
    let (_, four, _) = try household()
    let now = try #require(Instant(rfc3339: "2026-11-21T09:00:00+01:00"))
    let file = try folder.write(
      "invitation.ics",
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//example//EN
      BEGIN:VEVENT
      UID:board@example.com
      DTSTAMP:20261101T080000Z
      DTSTART;TZID=Europe/Berlin:20261123T100000
      SUMMARY:Board meeting
      ORGANIZER:mailto:bo@example.com
      ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com
      END:VEVENT
      END:VCALENDAR
      """)
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try store.write { try $0.importSources([file]) }
    let output = try output { try Examples.replying(store, now, four.zone) }
    #expect(output.hasPrefix("ana@example.com bo@example.com\n"), "\(output)")
    for line in [
      "To: bo@example.com", "Subject: Accepted: Board meeting", "I bring the slides.",
      "METHOD:REPLY",
    ] {
      #expect(output.contains(line), "\(line) in:\n\(output)")
    }
  }

  @Test("a photo becomes an event at the time that its Exif data has")
  func picture() throws {
    let folder = try ScratchFolder()
    let (_, four, _) = try household()
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    let bytes = PictureSample.jpeg(taken: "2026:11:21 10:00:00")
    let photo = folder.url.appendingPathComponent("hike.jpeg")
    try Data(bytes).write(to: photo)
    let output = try output { try Examples.picture(store, at: photo.path, four.zone) }
    // This store makes no thumbnails.
    #expect(output == "image/jpeg \(bytes.count) 0\n")
    let hike = try store.read { try $0.agenda(in: four).entries.map { "\($0.begin) \($0.title)" } }
    #expect(hike == ["2026-11-21T10:00:00Z Hike"])
  }

  @Test("a store without conflicts and without a server has nothing to settle or to send")
  func settling() throws {
    let folder = try ScratchFolder()
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    #expect(try output { try Examples.settling(store) } == "")
    try store.write { try $0.add(EventEdit(title: "Own", start: .date(.first))) }
    #expect(try output { try Examples.settling(store) } == "")
  }

  @Test("an export has the events of the calendar that it names")
  func exporting() throws {
    let folder = try ScratchFolder()
    let file = Repository.root.appendingPathComponent("Fixtures/calendars/household.ics")
    let other = try folder.write(
      "other.ics",
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//example//EN
      BEGIN:VEVENT
      UID:other@example.com
      DTSTAMP:20261101T080000Z
      DTSTART;VALUE=DATE:20261123
      SUMMARY:Other event
      END:VEVENT
      END:VCALENDAR
      """)
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try store.write { try $0.importSources([file.path, other]) }
    let output = try output { try Examples.exporting(store) }
    func uids(_ text: String) -> [String] {
      text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasPrefix("UID:") }
        .sorted()
    }
    #expect(uids(output) == uids(try String(contentsOf: file, encoding: .utf8)), "\(output)")
  }

  @Test("own events, free time, conflicts, tasks, alarms and an explanation")
  func questions() throws {
    let (calendars, four, year) = try household()
    let now = try #require(Instant(rfc3339: "2026-11-21T09:00:00+01:00"))
    let event = try #require(try calendars.agenda(in: four).sections.first?.entries.first?.event)
    let output = try output { try Examples.questions(calendars, event, year, now) }
    #expect(
      output.hasPrefix(
        """
        10 Bring the scores.
        2026-11-21 10
        2026-11-22 10
        0
        Tax return overdue
        Concert: St Matthew Passion 2026-11-21T19:00:00+01:00
        """), "\(output)")
    #expect(output.contains("rule every Monday, 10 times\n"), "\(output)")
    #expect(!output.contains("X-WR-TIMEZONE"), "the zone comes from the program:\n\(output)")
  }

  @Test("a missing store is empty, and a foreign file is an error")
  func store() throws {
    let (_, four, _) = try household()
    let now = four.start
    #expect(try output { try Examples.store(at: "/nowhere/agenda.sqlite", four, now) } == "0\n")
    #expect(throws: CalendarError.self) {
      try Examples.store(
        at: Repository.root.appendingPathComponent("README.md").path, four, now)
    }
  }

  @Test("rules and zones")
  func rulesAndZones() throws {
    #expect(try output { try Examples.zones() } == "2027-03-28T03:30:00+02:00\n")
    #expect(
      try output { try Examples.rules() }
        == """
        every month on the second Tuesday
        1970-01-13T12:00:00
        1970-02-10T12:00:00
        1970-03-10T12:00:00

        """)
  }

  @Test("unreadable sources are reported; a folder is one calendar; all formats work")
  func reading() throws {
    do throws(CalendarError) {
      _ = try Calendars(text: "<html>", name: "page")
      Issue.record("HTML was read")
    } catch {
      #expect(error.description == "page: not an iCalendar file: this is HTML")
    }
    do throws(CalendarError) {
      _ = try Calendars(contentsOf: ["/nowhere.ics"])
      Issue.record("a missing file was read")
    } catch {
      #expect(error.description.hasPrefix("/nowhere.ics: "))
    }
    let folder = Repository.root.appendingPathComponent("Fixtures/calendars").path
    let (calendars, four, _) = try household()
    let inFolder = try Calendars(contentsOf: [folder]).agenda(in: four)
    #expect(inFolder.entryCount >= (try calendars.agenda(in: four).entryCount))
    #expect(calendars.findings.contains { $0.finding.message.contains("W. Europe") })
    let agenda = try calendars.agenda(in: four)
    for format in AgendaFormat.allCases {
      let whole = calendars.rendering(agenda, as: format)
      #expect(whole.contains("Grandparents visit"))
    }
  }
}
