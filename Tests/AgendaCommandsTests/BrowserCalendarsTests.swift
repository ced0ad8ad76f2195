import AgendaCore
import AgendaKit
import AgendaRendering
import CivilTime
import CommandLineOptions
import Foundation
import TestSupport
import Testing

@testable import AgendaBrowser
@testable import AgendaCommands

/// What the keys of the full screen do, and what they say.
@Suite("changes in the full screen") struct BrowserCalendarsTests {
  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    try FileManager.default.createDirectory(
      at: fixture.folder.appendingPathComponent("team"), withIntermediateDirectories: true)
    try fixture.write(
      "team/a.ics",
      calendar([
        event("a", "DTSTART:20261121T110000Z", "DTEND:20261121T120000Z", "SUMMARY:Lunch")
      ]))
    try fixture.write(
      "team/b.ics",
      calendar([
        event(
          "b", "DTSTART;TZID=Europe/Berlin:20261122T093000", "DURATION:PT15M",
          "RRULE:FREQ=DAILY;COUNT=9", "SUMMARY:Stand-up", "ORGANIZER:mailto:bo@example.com",
          "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com")
      ]))
    try fixture.write(
      "single.ics",
      calendar([
        event("c", "DTSTART:20261121T180000Z", "DTEND:20261121T190000Z", "SUMMARY:Dinner")
      ]))
    let folder = fixture.folder.path
    let run = InMemoryRun(
      ["import", "\(folder)/team", "\(folder)/single.ics"], variables: variables)
    try #require(run.status == .done, "\(run.errors)")
  }

  private var variables: [String: String] {
    [
      "AGENDA_STORE": fixture.store, "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
      "XDG_CONFIG_HOME": fixture.folder.path,
    ]
  }

  /// Saturday, 21 November 2026, 10:00 in Berlin.
  private static let now = Instant(secondsSinceEpoch: 1_795_251_600)

  private func worker(_ arguments: String...) throws -> BrowserCalendars {
    let environment = Environment(
      arguments: [], variable: { variables[$0] }, clock: { Self.now }, outputColumns: { 80 },
      errorIsTerminal: { false }, writeOutput: { _ in nil }, writeError: { _ in nil })
    let request = try CommandLineParser(Program.agenda).parse(["browse"] + arguments)
    guard case .run(var line) = request else {
      throw CommandError.failed("no command line")
    }
    try Configuration.read(by: environment)?.apply(
      to: &line, program: Program.agenda, environment: environment)
    let invocation = Invocation(
      line: line, environment: environment, messages: Messages(environment))
    var shown = try AgendaRequest(invocation, window: .today, firstDay: nil, sources: [])
    shown.grouping.groupedBy = .day
    return BrowserCalendars(BrowserCalendars.Shared(invocation, shown))
  }

  private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(rfc3339: text)) }

  private func target(
    _ title: String, on day: String, _ worker: BrowserCalendars
  ) throws -> BrowserTarget {
    let date = try date(day)
    let zone = try #require(ZoneDatabase.system(TZDIR: nil).zone(named: "Europe/Berlin"))
    worker.forget()
    let part = try worker.days(in: .day(date, in: zone), hidden: [], atMost: nil)
    let entries = part.days[Int(date.dayNumber)]?.entries ?? []
    let entry = try #require(entries.first { $0.title == title })
    return BrowserTarget(entry.occurrence, on: date)
  }

  private func answer(_ command: BrowserCommand, _ worker: BrowserCalendars) -> BrowserAnswer {
    worker.answer(command) { _ in }
  }

  private func preview(
    _ words: String, on day: String = "2026-11-24", calendar: String? = nil,
    _ worker: BrowserCalendars
  ) throws -> BrowserAnswer {
    answer(
      .preview(NewEntry(words: words, date: try date(day), calendar: calendar)), worker)
  }

  // MARK: Search

  // Checks limit: BrowserCalendars.longestSearch
  @Test("a search looks into windows of up to 31,744 days, the first that is longer than 8,000")
  func longestSearch() throws {
    // Each window is four times as long as the one before it.
    let days = 31 + 124 + 496 + 1984 + 7936 + 31_744
    let today = try date("2026-11-21")
    func day(_ offset: Int) throws -> CivilDate { try #require(today.adding(days: offset)) }
    let events = try [("Last", days - 1), ("Beyond", days)].map { title, offset in
      let start = "\(try day(offset))".filter { $0 != "-" }
      return event(title, "DTSTART;VALUE=DATE:\(start)", "SUMMARY:\(title)")
    }
    try fixture.write("far.ics", calendar(events))
    let run = InMemoryRun(["import", "\(fixture.folder.path)/far.ics"], variables: variables)
    try #require(run.status == .done, "\(run.errors)")
    let worker = try worker()
    func found(_ title: String) -> CivilDate? {
      let search = EntrySearch(
        words: title, date: today, target: nil, forward: true, hidden: [])
      guard case .found(_, let day) = answer(.find(search), worker).content else { return nil }
      return day
    }
    #expect(found("Last") == (try day(days - 1)))
    #expect(found("Beyond") == nil)
  }

  // MARK: New entries

  @Test(
    "what agenda add refuses is refused while it is typed",
    arguments: [
      "25:00 lunch", "lunch 25:00", "31 feb lunch", "lunch 31 feb", "9:00-25:00 walk",
      "32.12. walk",
    ])
  func refused(words: String) throws {
    let worker = try worker()
    let run = InMemoryRun(
      ["add", "--dry-run"] + words.split(separator: " ").map(String.init), variables: variables)
    #expect(run.status == .wrongCommandLine)
    for day in ["2026-11-21", "2026-11-24"] {
      let preview = try preview(words, on: day, worker)
      #expect(preview.hasFailed, "\(preview.text)")
      #expect(!preview.text.contains("--"), "\(preview.text)")
      #expect(run.errors.contains(String(preview.text.prefix(12))), "\(preview.text)")
      #expect(
        answer(.add(NewEntry(words: words, date: try date(day), calendar: nil)), worker).hasFailed)
    }
  }

  @Test("what agenda add warns of is said first")
  func warned() throws {
    let preview = try preview("12:00 lunch 3/4 party", try worker())
    #expect(!preview.hasFailed)
    #expect(!preview.warnings.isEmpty)
    #expect(
      preview.text
        == "warning: \"3/4\" is part of the title; if it is a part of the time, write all of the time "
        + "before the title; would add lunch 3/4 party: Tuesday, 24 November 2026, "
        + "12:00–13:00 (1 h), local")
  }

  @Test("a title alone is an entry of the day that is looked at")
  func titleAlone() throws {
    let preview = try preview("lunch", try worker())
    #expect(preview.text == "would add lunch: Tuesday, 24 November 2026, all day, local")
  }

  @Test("the calendar is the one that was chosen, then that of the configuration")
  func calendars() throws {
    #expect(try preview("9:00 walk", try worker()).text.hasSuffix(", local"))
    #expect(try preview("9:00 walk", calendar: "team", try worker()).text.hasSuffix(", team"))
    let wrong = try preview("9:00 walk", calendar: "single", try worker())
    #expect(wrong.hasFailed && wrong.text.contains("single"))
    try FileManager.default.createDirectory(
      at: fixture.folder.appendingPathComponent("agenda"), withIntermediateDirectories: true)
    try fixture.write("agenda/config", "default-calendar = team\n")
    #expect(try preview("9:00 walk", try worker()).text.hasSuffix(", team"))
  }

  @Test("calendars say whether entries can be added to them")
  func writableCalendars() throws {
    let calendars = try worker().calendars()
    #expect(calendars.map(\.name) == ["single", "team"])
    #expect(calendars.map(\.isWritable) == [false, true])
  }

  // MARK: Messages

  @Test("times are those of the screen, also of an event in UTC")
  func timesOfUTC() throws {
    let worker = try worker()
    let moved = answer(
      .move(try target("Lunch", on: "2026-11-21", worker), days: 0, minutes: 15, nil), worker)
    #expect(
      moved.text
        == "changed Lunch: Saturday, 21 November 2026, 12:15–13:15 (1 h), team; "
        + "Sat, 21 Nov 2026, 12:00 → Sat, 21 Nov 2026, 12:15")
  }

  @Test("a removal says what goes, when it is, and from which calendar")
  func removal() throws {
    let worker = try worker()
    let own = answer(
      .remove(try target("Lunch", on: "2026-11-21", worker), nil, isTrial: true), worker)
    #expect(own.text == "Lunch: Saturday, 21 November 2026, 12:00–13:00 (1 h), team")
    let foreign = answer(
      .remove(try target("Dinner", on: "2026-11-21", worker), nil, isTrial: true), worker)
    #expect(
      foreign.text
        == "Dinner: Saturday, 21 November 2026, 19:00–20:00 (1 h), single; calendar single still "
        + "has it, and later imports leave it out until u")
    let one = answer(
      .remove(try target("Stand-up", on: "2026-11-24", worker), .only, isTrial: true), worker)
    #expect(one.text == "Stand-up: Tuesday, 24 November 2026, 09:30–09:45 (15 min)")
  }

  @Test("what cannot be changed says so with the name of its calendar")
  func foreign() throws {
    let worker = try worker()
    let refused = answer(.fields(try target("Dinner", on: "2026-11-21", worker)), worker)
    #expect(refused.hasFailed)
    #expect(refused.text.hasPrefix("calendar single is a single file or an address"))
  }

  @Test(
    "mistakes in fields are about the fields",
    arguments: [
      (FormField.Name.length, "x", "length: expected a length like 45m"),
      (.start, "25:00", "start: 25:00: expected a time"),
      (.start, "9:00-10:00", "start: expected one time"),
      (.link, "a b", "link: expected an address"), (.repetition, "often", "repeats: "),
      (.status, "maybe", "status: expected one of"), (.title, "", "title: an event needs a title"),
      (.calendar, "nowhere", "no calendar is called"), (.length, "-1h", "length: "),
    ])
  func fields(field: FormField.Name, text: String, message: String) throws {
    let worker = try worker()
    let lunch = try target("Lunch", on: "2026-11-21", worker)
    let refused = answer(.edit(lunch, [field: text], nil), worker)
    #expect(refused.hasFailed)
    #expect(refused.text.hasPrefix(message), "\(refused.text)")
    #expect(!refused.text.contains("--"), "\(refused.text)")
  }

  @Test("mistakes about a series name the keys of the scopes")
  func fieldsOfSeries() throws {
    let worker = try worker()
    let target = try target("Stand-up", on: "2026-11-24", worker)
    for (changes, scope) in [
      ([FormField.Name.repetition: "weekly"], SeriesScope.only),
      ([.calendar: "local"], .only), ([.calendar: "local"], .following),
      ([.start: "2026-11-24"], .following), ([.repetition: ""], .only),
    ] {
      let refused = answer(.edit(target, changes, scope), worker)
      #expect(!refused.text.contains("--"), "\(refused.text)")
    }
  }

  @Test("no reason why an edit is impossible speaks of options")
  func impossibleEdits() {
    let message = ScreenMessage(keys: .usual, words: DateWording(.plain).words, calendars: [])
    let reasons: [InvalidEdit.Reason] = [
      .cancelledTask, .sharedUID(file: "a.ics"), .seriesAlsoIn("b.ics"), .exceptionRule,
      .seriesIn("b.ics"), .repetitionOfOneOccurrence, .textOfFollowing,
      .partOfSeriesToOtherCalendar, .overrideOfFollowing, .dateBeforeFirst, .dateWithLength,
      .dateWithEnd, .ruleCannotBegin, .ruleNamesTimes, .ruleNamesDays, .lengthInHours,
      .endWithTime, .endBeforeStart, .clockBeforeStart,
      .lengthWithoutStart(isEnd: false, isDue: true),
      .lengthWithoutStart(isEnd: true, isDue: false), .dueOfEvent, .dueOfSeries, .dueOfAlarm,
      .repetitionWithoutDate(of: .task), .repetitionWithoutDate(of: .event),
      .repetitionEndsBeforeStart,
    ]
    for reason in reasons {
      let text = message.text(InvalidEdit(reason).message)
      #expect(!text.contains("--") && !text.contains("agenda edit"), "\(text)")
    }
  }

  // MARK: Undo

  @Test("undo selects what came back, and redo what changed")
  func undo() throws {
    let worker = try worker()
    let today = try date("2026-11-21")
    var lunch = try target("Lunch", on: "2026-11-21", worker)
    _ = answer(.move(lunch, days: 3, minutes: 0, nil), worker)
    let undone = answer(.undo(near: today), worker)
    #expect(undone.target?.title == "Lunch")
    #expect(undone.target?.date == today)
    #expect(
      undone.text == "undid: edit of \"Lunch\" of 10:00 (team); team: 1 entry changed back · Lunch")
    let redone = answer(.redo(near: today), worker)
    #expect(redone.target?.title == "Lunch")
    #expect(redone.target?.date == (try date("2026-11-24")))
    lunch = try target("Lunch", on: "2026-11-24", worker)
    _ = answer(.remove(lunch, nil, isTrial: false), worker)
    #expect(answer(.undo(near: today), worker).target == lunch)
    // Nothing came back.
    _ = answer(.add(NewEntry(words: "9:00 walk", date: today, calendar: nil)), worker)
    #expect(answer(.undo(near: today), worker).target == nil)
    #expect(answer(.redo(near: today), worker).target?.title == "walk")
  }

  @Test("undo selects the occurrence that was removed, and of a whole series the nearest one")
  func undoOfSeries() throws {
    let worker = try worker()
    let today = try date("2026-11-21")
    let third = try target("Stand-up", on: "2026-11-24", worker)
    _ = answer(.remove(third, .only, isTrial: false), worker)
    #expect(answer(.undo(near: today), worker).target == third)
    _ = answer(.move(third, days: 0, minutes: 15, .only), worker)
    #expect(answer(.undo(near: today), worker).target?.date == third.date)
    _ = answer(.remove(third, .all, isTrial: false), worker)
    let near = try date("2026-11-26")
    #expect(answer(.undo(near: near), worker).target?.date == near)
    _ = answer(.move(third, days: 0, minutes: 15, .all), worker)
    #expect(answer(.undo(near: near), worker).target?.date == near)
    #expect(answer(.redo(near: near), worker).target?.date == near)
  }

  @Test("an import is undone only after a question")
  func undoOfImport() throws {
    let worker = try worker()
    let today = try date("2026-11-21")
    let before = fixture.run(["undo", "--list"]).output
    let asked = answer(.undo(near: today), worker)
    guard case .isImport = asked.content else { throw UnexpectedAnswer() }
    #expect(asked.text.hasPrefix("import · "))
    #expect(fixture.run(["undo", "--list"]).output == before)
    #expect(answer(.undo(near: today, isAgreed: true), worker).text.hasPrefix("undid: import"))
    #expect(fixture.run(["undo", "--list"]).output != before)
  }

  private struct UnexpectedAnswer: Error {}

  // MARK: Invitations

  @Test("an entry that is no invitation says so at once")
  func noInvitation() throws {
    let worker = try worker()
    let lunch = answer(.invitation(try target("Lunch", on: "2026-11-21", worker)), worker)
    #expect(lunch.hasFailed)
    #expect(lunch.text == "the event has no ORGANIZER, so it is not an invitation")
  }

  @Test("an answer is for one occurrence or for the whole series")
  func replies() throws {
    for (scope, count) in [(SeriesScope.only, 1), (.all, 1)] {
      let worker = try worker()
      let target = try target("Stand-up", on: "2026-11-24", worker)
      let invitation = answer(.invitation(target), worker)
      guard case .invitation(needsFile: true) = invitation.content else {
        Issue.record("\(invitation.text)")
        return
      }
      let file = fixture.folder.appendingPathComponent("reply-\(scope).ics").path
      let replied = answer(.reply(target, .accept, scope, file: file), worker)
      #expect(!replied.hasFailed, "\(replied.text)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.components(separatedBy: "PARTSTAT=ACCEPTED").count == count + 1)
      #expect(text.contains("RECURRENCE-ID") == (scope == .only))
      _ = answer(.undo(near: try date("2026-11-21")), worker)
    }
  }
}
