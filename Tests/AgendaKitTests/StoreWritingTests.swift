import AgendaKit
import Foundation
import TestSupport
import Testing

/// What `add`, `edit`, `done`, `remove --event`, `reply` and `undo` do, done by a Swift program.
@Suite("CalendarStore writes events")
struct StoreWritingTests {
  private let folder: ScratchFolder
  private let store: CalendarStore

  private static let events = calendar(
    event(
      "series", "DTSTART:20261124T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=4",
      "SUMMARY:Team", "X-KEEP:1"),
    event(
      "invitation", "DTSTART:20261124T120000Z", "SUMMARY:Lunch", "SEQUENCE:3",
      "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com",
      "ATTENDEE:mailto:bo@example.com"),
    component(
      "VTODO", "task", ["DUE:20261124T150000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Pay"]))

  init() throws {
    folder = try ScratchFolder()
    store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try folder.write("home/a.ics", Self.events)
    let reports = try store.write {
      try $0.importSources([folder.url.appendingPathComponent("home").path])
    }
    #expect(reports.map(\.error) == [nil])
  }

  private func text() throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent("home/a.ics"), encoding: .utf8)
  }

  private func occurrences(_ title: String) throws -> [Occurrence] {
    let first = try #require(CivilDate(year: 2026, month: 11, day: 24))
    let window = try #require(DateWindow(firstDay: first, length: .days(30), zone: .utc))
    return try Calendars(of: store).occurrences(in: window, of: Selection(includesTasks: true))
      .filter { $0.event.title == title }.sorted { $0.begin < $1.begin }
  }

  private func starts(_ title: String) throws -> [String] {
    try occurrences(title).map { "\($0.begin.utc)" }.map { String($0.prefix(16)) }
  }

  private func civil(_ day: Int, _ hour: Int) throws -> CivilDateTime {
    CivilDateTime(
      try #require(CivilDate(year: 2026, month: 11, day: day)),
      try #require(TimeOfDay(hour: hour, minute: 0)))
  }

  @Test("a change returns the changed occurrence, and counts the overrides that a new rule lacks")
  func changedOccurrence() throws {
    var edit = EventEdit()
    edit.start = .time(try civil(25, 11))
    let only = try store.write { try $0.edit(occurrences("Team")[1], edit, scope: .only) }
    #expect(only.occurrence?.start == .utc(try civil(25, 11)) && only.droppedOverrides == 0)
    edit.start = .time(try civil(26, 12))
    let all = try store.write { try $0.edit(occurrences("Team")[2], edit, scope: .all) }
    let changed = try #require(all.occurrence)
    #expect(changed.start == .utc(try civil(26, 12)))
    #expect(try occurrences("Team").map(OccurrenceID.init(of:)).contains(OccurrenceID(of: changed)))
    edit = EventEdit()
    edit.repetition = EventEdit.Repetition.none
    #expect(try store.write { try $0.edit(changed, edit, scope: .all) }.droppedOverrides == 1)
    #expect(try starts("Team") == ["2026-11-24T12:00"])
    let removed = try store.write { try $0.remove(occurrences("Team")[0]) }
    #expect(removed.occurrence == nil && removed.events.isEmpty)
  }

  @Test("add: an event and a task, in a folder, in the local calendar and as a copy")
  func add() throws {
    var edit = EventEdit()
    edit.title = "Swim"
    edit.start = .time(try civil(25, 7))
    let planned = try store.write(isDryRun: true) { try $0.add(edit, to: "home") }
    #expect(planned.changedLines.contains("+SUMMARY:Swim") && planned.events.count == 1)
    #expect(try occurrences("Swim").isEmpty)
    for calendar in ["home", nil] {
      let written = try store.write { try $0.add(edit, to: calendar) }
      #expect(written.events.map(\.calendar) == [calendar ?? "local"])
      #expect(!written.isUnchanged && written.skippedStart == nil)
    }
    #expect(try starts("Swim") == ["2026-11-25T07:00", "2026-11-25T07:00"])
    let copy = try store.write { try $0.add(like: try occurrences("Lunch")[0], to: nil) }
    #expect(copy.events.map(\.identity.uid) != ["invitation"] && copy.events.count == 1)
    // A clock time is on its date; a rule without that date begins with its first one.
    edit.start = .clock(try civil(25, 7).time, on: try civil(28, 7).date)
    edit.repetition = .rule(try Rule(parsing: "FREQ=WEEKLY;BYDAY=MO;COUNT=2"))
    edit.title = "Row"
    let series = try store.write { try $0.add(edit) }
    #expect(try series.skippedStart?.civil == civil(28, 7))
    #expect(try starts("Row") == ["2026-11-30T07:00", "2026-12-07T07:00"])
    #expect(
      throws: CalendarError(
        WritingError.unknownCalendar("nowhere", CalendarOwners(own: ["home", "local"], others: [])))
    ) {
      try store.write { try $0.add(edit, to: "nowhere") }
    }
    edit.start = .time(try civil(26, 18))
    edit.title = "Sail"
    edit.repetition = .rule(
      try Rule(parsing: "FREQ=WEEKLY;COUNT=3"),
      except: [try #require(CivilDate(year: 2026, month: 12, day: 3))])
    try store.write { try $0.add(edit) }
    #expect(try starts("Sail") == ["2026-11-26T18:00", "2026-12-10T18:00"])
    var task = EventEdit()
    task.title = "Read"
    #expect(try store.write { try $0.add(task, kind: .task) }.events.map(\.kind) == [.task])
    task.repetition = edit.repetition
    #expect(throws: CalendarError.self) { try store.write { try $0.add(task, kind: .task) } }
  }

  @Test("the events that a change returns have their details and pictures in the store")
  func writtenDetails() throws {
    let picture = PictureSample.png(40, 30)
    var edit = EventEdit()
    edit.title = "Beach"
    edit.start = .time(try civil(26, 10))
    edit.note = "Low tide"
    edit.attachments = [.init(bytes: picture, mediaType: "image/png")]
    for calendar in [nil, "home"] {
      let added = try store.write { try $0.add(edit, to: calendar) }
      let event = try #require(added.events.first)
      #expect(added.events.count == 1 && event.title == "Beach")
      let calendars = try Calendars(of: store)
      #expect(calendars.details(of: event).description == "Low tide")
      #expect(calendars.attachmentBytes(of: event, number: 1) == picture)
    }
    var note = EventEdit()
    note.note = "Bring coffee"
    let edited = try store.write {
      try $0.edit(try #require(try occurrences("Team").dropFirst().first), note, scope: .only)
    }
    let descriptions = try edited.events.map {
      try Calendars(of: store).details(of: $0).description ?? ""
    }
    #expect(descriptions.sorted() == ["", "Bring coffee"])
    // A dry run has nothing in the store.
    #expect(try store.write(isDryRun: true) { try $0.add(edit) }.events.map(\.title) == ["Beach"])
  }

  @Test("edit: one occurrence, the following ones, and all")
  func edit() throws {
    var edit = EventEdit()
    edit.title = "Crew"
    #expect(throws: CalendarError.needsScope) {
      try store.write { try $0.edit(try occurrences("Team")[1], edit) }
    }
    try store.write { try $0.edit(try occurrences("Team")[1], edit, scope: .only) }
    #expect(try starts("Crew") == ["2026-11-25T09:00"])
    edit.title = "Late"
    edit.start = .clock(try civil(1, 11).time, on: try civil(1, 11).date)
    let split = try store.write { try $0.edit(try occurrences("Team")[1], edit, scope: .following) }
    #expect(split.events.map(\.identity.uid) != ["series"])
    #expect(try starts("Late") == ["2026-11-26T11:00", "2026-11-27T11:00"])
    #expect(try starts("Team") == ["2026-11-24T09:00"])
    edit.title = nil
    edit.start = .date(try civil(26, 0).date)
    try store.write { try $0.edit(try occurrences("Late")[1], edit, scope: .all) }
    #expect(try starts("Late") == ["2026-11-25T11:00", "2026-11-26T11:00"])
    #expect(
      try store.write { try $0.edit(try occurrences("Late")[1], edit, scope: .all) }.isUnchanged)
    for _ in 1...3 { try store.write { try $0.undo() } }
    #expect(try text() == Self.events)
    #expect(try starts("Team").count == 4)
  }

  @Test("edit as text: only changed lines are written, and a wrong line has its number")
  func editText() throws {
    let lunch = try occurrences("Lunch")[0]
    let old = try store.write { try $0.editableText(of: lunch) }
    try store.write {
      try $0.edit(
        lunch, text: old.replacing("SUMMARY:Lunch", with: "SUMMARY:Dinner"), replacing: old)
    }
    #expect(try starts("Dinner") == ["2026-11-24T12:00"])
    #expect(try text().contains("X-KEEP:1\r\n"))
    let dinner = try occurrences("Dinner")[0]
    let present = try store.write { try $0.editableText(of: dinner) }
    let wrong = present.split(separator: "\n")
    let number = try #require(wrong.firstIndex { $0.hasPrefix("DTSTART") })
    let broken = wrong.map { $0.hasPrefix("DTSTART") ? "DTSTART:soon" : String($0) }
    do {
      try store.write {
        try $0.edit(dinner, text: broken.joined(separator: "\n"), replacing: present)
      }
      Issue.record("a wrong date was accepted")
    } catch CalendarError.invalidLine(let line, _) {
      #expect(line == number)
    }
    // In a calendar that is read, such a rule is only a note.
    let ended = present.replacing("SUMMARY:", with: "RRULE:FREQ=DAILY;UNTIL=20200101\nSUMMARY:")
    #expect(throws: CalendarError.self) {
      try store.write { try $0.edit(dinner, text: ended, replacing: present) }
    }
    // The text that the person began with is outdated.
    #expect(throws: CalendarError.self) {
      try store.write { try $0.edit(dinner, text: present, replacing: old) }
    }
  }

  @Test("complete, remove and undo")
  func completeAndRemove() throws {
    let tasks = try occurrences("Pay")
    try store.write { try $0.complete(tasks[0]) }
    #expect(try occurrences("Pay").map(\.event.status) == [.completed, nil])
    #expect(throws: CalendarError.self) {
      try store.write { try $0.complete(try occurrences("Lunch")[0]) }
    }
    let team = try occurrences("Team")
    #expect(throws: CalendarError.needsScope) {
      try store.write { try $0.remove(team[1]) }
    }
    try store.write { try $0.remove(team[1], scope: .only) }
    #expect(try starts("Team").map { $0.prefix(10) } == ["2026-11-24", "2026-11-26", "2026-11-27"])
    try store.write { try $0.remove(team[2], scope: .following) }
    #expect(try starts("Team").count == 1)
    #expect(try store.write { try $0.remove(team[0], scope: .all) }.events.isEmpty)
    #expect(try starts("Team").isEmpty)
    for _ in 1...4 { try store.write { try $0.undo() } }
    #expect(try text() == Self.events)
    #expect(
      try Calendars(of: store).occurrences(in: window(), of: Selection(words: ["team"])).count == 4)
  }

  private func window() throws -> DateWindow {
    let first = try #require(CivilDate(year: 2026, month: 11, day: 24))
    return try #require(DateWindow(firstDay: first, length: .days(30), zone: .utc))
  }

  @Test("reply: the message, the recorded answer, and each reason against it")
  func reply() throws {
    let lunch = try occurrences("Lunch")[0]
    #expect(throws: CalendarError(ReplyError.ambiguous(["ana@example.com", "bo@example.com"]))) {
      try store.write { try $0.reply(.accepted, to: lunch) }
    }
    let invited = ["ana@example.com", "bo@example.com"]
    #expect(throws: CalendarError(ReplyError.notInvited(["eve@example.com"], invited: invited))) {
      try store.write { try $0.reply(.accepted, to: lunch, as: ["eve@example.com"]) }
    }
    #expect(throws: CalendarError(ReplyError.noOrganizer)) {
      try store.write { try $0.reply(.accepted, to: try occurrences("Team")[0]) }
    }
    #expect(try text() == Self.events)
    let reply = try store.write {
      try $0.reply(.tentative, to: lunch, as: ["mailto:ANA@example.com"], requiresMailAddress: true)
    }
    #expect(reply.organizer == "boss@example.com" && reply.attendee == "ana@example.com")
    let mail = try #require(reply.mail(now: store.configuration.clock(), zone: .utc))
    let headers = String(decoding: mail, as: UTF8.self).components(separatedBy: "\n\n")[0]
    for line in ["From: <ana@example.com>", "To: <boss@example.com>", "Subject: Tentative: Lunch"] {
      #expect(
        "\(headers)\n".replacing("<", with: "").replacing(">", with: "").contains(
          line.replacing("<", with: "").replacing(">", with: "") + "\n"), "\(headers)")
    }
    let message = String(decoding: reply.message, as: UTF8.self)
    for line in [
      "METHOD:REPLY", "SEQUENCE:3", "UID:invitation",
      "ATTENDEE;PARTSTAT=TENTATIVE:mailto:ana@example.com",
    ] { #expect(message.contains("\r\n\(line)\r\n"), "\(message)") }
    #expect(try text().contains("ATTENDEE;PARTSTAT=TENTATIVE:mailto:ana@example.com\r\n"))
    try folder.write(
      "home/a.ics", Self.events.replacing("mailto:boss@example.com", with: "mailto:the boss"))
    try store.write { try $0.refresh() }
    let changed = try text()
    #expect(throws: CalendarError(ReplyError.noMailAddress)) {
      try store.write {
        try $0.reply(
          .accepted, to: try occurrences("Lunch")[0], as: ["ana@example.com"],
          requiresMailAddress: true)
      }
    }
    #expect(try text() == changed)
  }

  @Test("a source of somebody else, a conflict and a missing file are errors of their own")
  func refusals() throws {
    let path = try folder.write(
      "work.ics", Self.events.replacing("SUMMARY:Lunch", with: "SUMMARY:Talk"))
    try store.write { try $0.importSources([path]) }
    var edit = EventEdit()
    edit.location = "Room 2"
    #expect(throws: CalendarError(WritingError.foreign(source: path))) {
      try store.write { try $0.edit(try occurrences("Talk")[0], edit) }
    }
    // It can be hidden, until `undo`.
    try store.write { try $0.remove(try occurrences("Talk")[0]) }
    #expect(try occurrences("Talk").isEmpty)
    try store.write { try $0.undo() }
    #expect(try occurrences("Talk").count == 1)
    let lunch = try occurrences("Lunch")[0]
    try folder.write("home/a.ics", Self.events.replacing("SUMMARY:Lunch", with: "SUMMARY:Brunch"))
    do {
      try store.write { try $0.edit(lunch, edit) }
      Issue.record("another program's change was overwritten")
    } catch CalendarError.conflict(let file, let stored, let present) {
      #expect(file.hasSuffix("/home/a.ics"))
      #expect(stored.contains("Lunch") && present.contains("Brunch"))
    }
    let file = folder.url.appendingPathComponent("home/a.ics")
    try FileManager.default.removeItem(at: file)
    do {
      try store.write { try $0.edit(lunch, edit) }
      Issue.record("a removed file was written")
    } catch {
      guard case WritingError.missing(let file)? = (error as? CalendarError)?.origin else {
        throw error
      }
      #expect(file.hasSuffix("/home/a.ics"))
    }
    edit.due = .date(try civil(30, 0).date)
    #expect(throws: CalendarError.self) { try store.write { try $0.edit(lunch, edit) } }
  }
}
