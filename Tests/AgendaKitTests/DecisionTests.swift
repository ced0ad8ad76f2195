import AgendaKit
import Foundation
import TestSupport
import Testing

/// What a person decided about an event belongs to its UID and RECURRENCE-ID: it stays when the source
/// changes its place.
@Suite("Decisions stay")
struct DecisionTests {
  @Test("each kind of decision stays after each change of place, its undo and its redo")
  func places() throws {
    for decision in Decision.allCases {
      for places in Self.changesOfPlace {
        let home = try DecidedCalendars()
        try home.importFile()
        #expect(try home.shown() == home.expected([]))
        try home.decide(decision)
        let expected = home.expected([decision])
        #expect(try home.shown() == expected, "\(decision)")
        for (number, place) in places.enumerated() {
          try home.change(place)
          let what = Comment(rawValue: "\(decision): \(places.prefix(number + 1))")
          #expect(try home.shown() == expected, what)
        }
        let steps = try home.store.undoSteps().count - 2
        for _ in 0..<steps { try home.undo() }
        #expect(try home.shown() == expected, "\(decision): \(places), undone")
        // One redo brings back what one undo took.
        for _ in 0..<steps { try home.redo() }
        #expect(try home.shown() == expected, "\(decision): \(places), brought back")
        #expect(try home.store.problems() == [])
        for calendar in try home.store.calendars() {
          try home.store.write { try $0.remove(calendar: calendar.name) }
        }
        try home.importFile()
        #expect(try home.shown() == home.expected([]), "\(decision): \(places), removed")
      }
    }
  }

  @Test("what is gone stays if another file has not all of it, or its folder is gone, too")
  func notMoved() throws {
    let folder = try ScratchFolder()
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    func importing(_ path: String, _ events: String...) throws {
      let path = try folder.write(path, calendar(events))
      let reports = try store.write { try $0.importSources([path]) }
      #expect(reports.map(\.error) == [nil])
    }
    let old = event("m", "SEQUENCE:1", "DTSTART:20261208T090000Z", "SUMMARY:Board")
    let new = event("m", "SEQUENCE:5", "DTSTART:20261210T090000Z", "SUMMARY:Board")
    let rest = event("rest", "DTSTART:20261209T090000Z", "SUMMARY:Rest")
    try importing("here/newer.ics", new)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("here/newer.ics"))
    try importing("here/older.ics", old, rest)
    #expect(try store.calendars().map(\.name) == ["newer", "older"])
    try importing("disk/work.ics", rest)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("disk"))
    try importing("here/copy.ics", rest)
    #expect(try store.calendars().map(\.name) == ["copy", "newer", "older", "work"])
  }

  private static let changesOfPlace: [[DecidedCalendars.Place]] = [
    [.calendar], [.folder], [.root], [.goneAndBack],
    [.folder, .root, .calendar], [.calendar, .file, .goneAndBack], [.goneAndBack, .folder],
    [.calendar, .folder, .goneAndBack, .root], [.copy, .calendar, .removedFile],
    [.copy, .removedFile], [.moved], [.moved, .goneAndBack, .third], [.calendar, .moved, .third],
    [.folderWithout, .goneAndBack], [.folder, .third], [.copy, .folder, .third], [.folder, .moved],
    [.copied, .removedFile], [.calendar, .copied], [.emptied, .folder, .emptied],
    [.renamed, .folder],
  ]

  @Test("random decisions and changes of place", arguments: 1...8)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let home = try DecidedCalendars()
    try home.importFile()
    var decided: Set<Decision> = []
    var history: [Set<Decision>] = []
    var undone: [Set<Decision>] = []
    var log: [String] = []
    for _ in 0..<12 {
      let before = decided
      let last = try home.store.undoSteps(atMost: 1).first?.generation
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        guard
          let one = Decision.allCases.filter({ !decided.contains($0) }).randomElement(
            using: &random)
        else { continue }
        log.append("\(one)")
        try home.decide(one)
        decided.insert(one)
      case 4..<8:
        let places: [DecidedCalendars.Place] = [.calendar, .file, .folder, .root, .again]
        guard let place = places.randomElement(using: &random) else { continue }
        log.append("\(place)")
        try home.change(place)
      case 8:
        guard let previous = history.popLast() else { continue }
        log.append("undo")
        try home.undo()
        undone.append(decided)
        decided = previous
      default:
        guard let next = undone.popLast() else { continue }
        log.append("redo")
        try home.redo()
        history.append(decided)
        decided = next
      }
      if log.last != "undo", log.last != "redo",
        try home.store.undoSteps(atMost: 1).first?.generation != last
      {
        history.append(before)
        undone = []
      }
      try #require(try home.shown() == home.expected(decided), "\(log)")
    }
    #expect(try home.store.problems() == [])
  }

  @Test("an edit in the folder that has taken in a file writes what was decided before")
  func editAfterwards() throws {
    let home = try DecidedCalendars()
    try home.importFile()
    for decision in [Decision.occurrence, .moved, .task, .answer] { try home.decide(decision) }
    try home.change(.folder)
    var edit = EventEdit()
    edit.title = "New"
    for uid in ["series", "task", "invitation"] {
      let occurrence = try #require(try home.occurrences().first { $0.event.identity.uid == uid })
      try home.store.write { try $0.edit(occurrence, edit, scope: .all) }
    }
    let text = try home.text()
    // RECURRENCE-ID of the override that is hidden.
    #expect(text.matches(of: /RECURRENCE-ID:20261126T090000Z/).isEmpty)
    #expect(text.contains("EXDATE:20261125T090000Z") && text.contains("STATUS:COMPLETED"))
    #expect(text.contains("PARTSTAT=ACCEPTED"))
    // Another store has no decisions.
    let other = CalendarStore(at: home.folder.url.appendingPathComponent("other.sqlite").path)
    try other.write { try $0.importSources([home.path(.folder)]) }
    let shown = try DecidedCalendars.shown(in: other)
    #expect(try shown == home.shown() && shown.contains { $0.hasPrefix("New 2026-11-24") })
    // A series that moves to another hour takes along what is hidden.
    edit = EventEdit()
    edit.start = .time(
      CivilDateTime(
        try #require(CivilDate(year: 2026, month: 11, day: 24)),
        try #require(TimeOfDay(hour: 10, minute: 0))))
    let first = try #require(try home.occurrences().first { $0.event.identity.uid == "series" })
    try home.store.write { try $0.edit(first, edit, scope: .all) }
    let days = try home.shown().filter { $0.hasPrefix("New 2026-11-2") && $0.contains("T10:00") }
    #expect(days.map { $0.prefix(14) } == ["New 2026-11-24", "New 2026-11-27"])
  }

  @Test(
    "an edit of a whole series takes along what was decided before its folder had it",
    // Of a removed event there is nothing left to edit.
    arguments: Decision.allCases.filter { $0.title != nil }, [1, 24])
  func editAll(decision: Decision, hours: Int) throws {
    let title = try #require(decision.title)
    for place in [DecidedCalendars.Place.folder, .moved, .copied] {
      let home = try DecidedCalendars()
      try home.importFile()
      try home.decide(decision)
      try home.change(place)
      let before = try home.shown()
      let occurrence = try #require(
        try home.occurrences().first {
          $0.event.title == title && $0.event.calendar == (place == .folder ? "fold" : "elsewhere")
        })
      var edit = EventEdit()
      edit.startShift = EventDuration(days: hours / 24, seconds: hours % 24 * 3600)
      try home.store.write { try $0.edit(occurrence, edit, scope: .all) }
      #expect(try !home.text().contains("\n\r\n"))
      let expected = Set(before.map { home.moved($0, title, by: hours) })
      let shown = try home.shown()
      #expect(expected.isSubset(of: shown), "\(place) \(shown)")
      if place != .copied { #expect(Set(shown) == expected, "\(place)") }
      // The folder has all of it.
      let other = CalendarStore(
        at: home.folder.url.appendingPathComponent("\(place).sqlite").path)
      try other.write { try $0.importSources([home.path(place)]) }
      #expect(
        try DecidedCalendars.shown(in: other).filter { $0.hasPrefix(title) }
          == expected.filter { $0.hasPrefix(title) }.sorted(), "\(place)")
      try home.undo()
      #expect(try home.shown() == before, "\(place), undone")
      try home.redo()
      #expect(try home.shown() == shown, "\(place), brought back")
    }
  }

  @Test("an event that does not recur, and its overrides in another file, are removed one by one")
  func overridesElsewhere() throws {
    let folder = try ScratchFolder()
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    let files = [
      try folder.write("a.ics", calendar(event("a", "DTSTART:20261124T090000Z", "SUMMARY:A"))),
      try folder.write(
        "b.ics",
        calendar(
          event("a", "RECURRENCE-ID:20261125T090000Z", "DTSTART:20261125T110000Z", "SUMMARY:B"),
          event("a", "RECURRENCE-ID:20261126T090000Z", "DTSTART:20261126T110000Z", "SUMMARY:C"))),
    ]
    var options = StoreWriter.ImportOptions()
    options.calendar = "Club"
    try store.write { try $0.importSources(files, options) }
    let all = try DecidedCalendars.occurrences(in: store)
    #expect(all.map(\.event.title) == ["A", "B", "C"])
    for occurrence in all {
      try store.write { try $0.remove(occurrence) }
      let rest = try DecidedCalendars.occurrences(in: store).map(\.event.title)
      #expect(rest == all.map(\.event.title).filter { $0 != occurrence.event.title })
      let undone = try store.write { try $0.undo() }
      #expect(undone.map(\.calendars) == [["Club"]])
    }
  }

  @Test("a calendar keeps the name that a person gave it, and its colour")
  func names() throws {
    let home = try DecidedCalendars()
    func calendars() throws -> [String] {
      try home.store.calendars().map { "\($0.name) \($0.color ?? "")" }
    }
    try home.importFile()
    #expect(try calendars() == ["Club red"])
    try home.change(.calendar)
    #expect(try calendars() == ["Other red"])
    for place in [DecidedCalendars.Place.file, .folder, .root, .again] {
      try home.change(place)
      #expect(try calendars() == ["Other red"], "\(place)")
    }
    // Without a name of the user's, it is that of the source.
    let other = try DecidedCalendars()
    try other.importFile()
    try other.change(.folder)
    #expect(try other.store.calendars().map(\.name) == ["fold"])
  }

  @Test("a decision is about one calendar, and about all of its sources")
  func scope() throws {
    let home = try DecidedCalendars()
    try home.importFile()
    try home.change(.copy)
    let other = try home.folder.write("other.ics", DecidedCalendars.events)
    var options = StoreWriter.ImportOptions()
    options.calendar = "Elsewhere"
    let reports = try home.store.write { try $0.importSources([other], options) }
    #expect(reports.map(\.error) == [nil])
    try home.decide(.event)
    let titles = try home.occurrences().filter { $0.event.identity.uid == "single" }
    #expect(titles.map(\.event.calendar) == ["Elsewhere"])
  }
}

/// Something that a person decides about an event of somebody else.
enum Decision: CaseIterable {
  case event, occurrence, clock, moved, following, followingMoved, task, taskOfSeries, answer,
    answerToOne

  /// The title of the event; `nil` if nothing is left of it.
  var title: String? {
    switch self {
    case .event: nil
    case .occurrence, .moved: "Series"
    case .clock: "Clock"
    case .following: "Long"
    case .followingMoved: "Other"
    case .task: "Task"
    case .taskOfSeries: "Pay"
    case .answer: "Lunch"
    case .answerToOne: "Meeting"
    }
  }
}

/// A file in a folder in a root, and what is shown of it.
private struct DecidedCalendars {
  enum Place {
    case calendar, file, folder, root, goneAndBack, again
    /// The file in another folder, or with another name, or a copy of it in another folder.
    case moved, renamed, copied
    /// Another name for the calendar; the folder, whose file has none of the events yet.
    case third, folderWithout
    /// The file without any bytes, and again with them.
    case emptied
    /// Another file of the same calendar, and the removal of the first one.
    case copy, removedFile
  }

  let folder: ScratchFolder
  let store: CalendarStore

  static let events = calendar(
    event("single", "DTSTART:20261124T070000Z", "SUMMARY:Single"),
    event(
      "series", "DTSTART:20261124T090000Z", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:Series"),
    event(
      "series", "RECURRENCE-ID:20261126T090000Z", "DTSTART:20261126T110000Z", "SUMMARY:Late"),
    event("long", "DTSTART:20261124T080000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Long"),
    event("clock", "DTSTART:20261124T050000", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Clock"),
    event("other", "DTSTART:20261124T083000Z", "RRULE:FREQ=DAILY", "SUMMARY:Other"),
    event(
      "other", "RECURRENCE-ID:20261126T083000Z", "DTSTART:20261126T113000Z", "SUMMARY:Another"),
    event(
      "invitation", "DTSTART:20261124T120000Z", "SUMMARY:Lunch",
      "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com"),
    event(
      "meetings", "DTSTART:20261124T130000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Meeting",
      "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com"),
    component("VTODO", "task", ["DUE:20261124T150000Z", "SUMMARY:Task"]),
    component(
      "VTODO", "tasks", ["DUE:20261124T160000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Pay"]),
    event("rest", "DTSTART:20261124T170000Z", "SUMMARY:Rest"),
    properties: "X-WR-CALNAME:Club", "COLOR:red", "X-WR-TIMEZONE:America/New_York")

  init() throws {
    folder = try ScratchFolder()
    store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try folder.write("root/fold/a.ics", Self.events)
  }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: file) }

  private var file: URL {
    let moved = folder.url.appendingPathComponent("elsewhere/a.ics")
    let hasMoved =
      FileManager.default.fileExists(atPath: moved.path)
      && !FileManager.default.fileExists(atPath: path(.file))
    return hasMoved ? moved : URL(fileURLWithPath: path(.file))
  }

  func text() throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }

  func path(_ place: Place) -> String {
    let name =
      switch place {
      case .root: "root"
      case .folder: "root/fold"
      case .moved, .copied: "elsewhere"
      case .renamed: "root/fold/b.ics"
      default: "root/fold/a.ics"
      }
    return folder.url.appendingPathComponent(name).path
  }

  func importFile() throws {
    try folder.write("root/fold/a.ics", Self.events)
    try importing(path(.file))
  }

  private func importing(_ path: String, calendar: String? = nil) throws {
    var options = StoreWriter.ImportOptions()
    options.calendar = calendar
    options.allowsShrinking = true
    let reports = try store.write { try $0.importSources([path], options) }
    #expect(reports.map(\.error) == [nil])
  }

  func change(_ place: Place) throws {
    let locations = try store.calendars().flatMap(\.sources).map(\.location)
    let current =
      locations.first { $0.hasSuffix("/fold") || $0.hasSuffix("/elsewhere") } ?? path(.file)
    switch place {
    case .file, .folder, .root: try importing(path(place))
    case .calendar, .third:
      try importing(current, calendar: place == .third ? "Third" : "Other")
    case .again: try importing(current)
    case .folderWithout:
      let text = try text()
      try write(calendar(event("new", "DTSTART:20270101T090000Z", "SUMMARY:New")))
      try change(.folder)
      try write(text)
      try change(.again)
    case .goneAndBack:
      let text = try text()
      try write(calendar(event("new", "DTSTART:20270101T090000Z", "SUMMARY:New")))
      try change(.again)
      try write(text)
      try change(.again)
    case .moved, .renamed, .copied:
      let files = FileManager.default
      let new = place == .renamed ? path(place) : path(place) + "/a.ics"
      try files.createDirectory(
        atPath: folder.url.appendingPathComponent("elsewhere").path,
        withIntermediateDirectories: true)
      if place == .copied {
        try files.copyItem(atPath: path(.file), toPath: new)
      } else {
        try files.moveItem(atPath: path(.file), toPath: new)
      }
      try importing(path(place))
    case .emptied:
      let text = try text()
      try write("")
      _ = try store.write { try $0.importSources([current]) }
      try write(text)
      try change(.again)
    case .copy:
      let name = try store.calendars().first?.name
      try importing(try folder.write("copy.ics", Self.events), calendar: name)
    case .removedFile: try store.write { try $0.remove(source: path(.file)) }
    }
  }

  func undo() throws { try store.write { try $0.undo() } }
  func redo() throws { try store.write { try $0.redo() } }

  // MARK: What is shown

  func occurrences() throws -> [Occurrence] { try Self.occurrences(in: store) }

  static func occurrences(in store: CalendarStore) throws -> [Occurrence] {
    let first = try #require(CivilDate(year: 2026, month: 11, day: 24))
    let window = try #require(DateWindow(firstDay: first, length: .days(10), zone: .utc))
    return try Calendars(of: store).occurrences(in: window, of: Selection(includesTasks: true))
  }

  /// The entries without their calendars. What two calendars have is listed once.
  func shown() throws -> [String] { try Self.shown(in: store) }

  static func shown(in store: CalendarStore) throws -> [String] {
    let calendars = try Calendars(of: store)
    return Set(
      try occurrences(in: store).map { occurrence in
        let event = occurrence.event
        let answers = calendars.details(of: event).attendees.map { $0.participation.lowercased() }
        let isAccepted = answers.contains("accepted")
        return line(
          event.title, String("\(occurrence.begin.utc)".prefix(16)),
          event.status == .completed ? "completed" : isAccepted ? "accepted" : "")
      }
    ).sorted()
  }

  private static func line(_ title: String, _ start: String, _ state: String) -> String {
    "\(title) \(start)" + (state.isEmpty ? "" : " \(state)")
  }

  /// What these decisions leave.
  func expected(_ decisions: Set<Decision>) -> [String] {
    func state(_ decision: Decision, _ word: String) -> String {
      decisions.contains(decision) ? word : ""
    }
    var lines: [String] = [Self.line("Rest", "2026-11-24T17:00", "")]
    if !decisions.contains(.event) { lines.append("Single 2026-11-24T07:00") }
    lines += ["Series 2026-11-24T09:00", "Series 2026-11-27T09:00"]
    if !decisions.contains(.occurrence) { lines.append("Series 2026-11-25T09:00") }
    if !decisions.contains(.moved) { lines.append("Late 2026-11-26T11:00") }
    lines.append("Long 2026-11-24T08:00")
    if !decisions.contains(.following) {
      lines += ["Long 2026-11-25T08:00", "Long 2026-11-26T08:00"]
    }
    lines += ["Clock 2026-11-24T10:00", "Clock 2026-11-26T10:00"]
    if !decisions.contains(.clock) { lines.append("Clock 2026-11-25T10:00") }
    lines += ["Other 2026-11-24T08:30", "Other 2026-11-25T08:30"]
    if !decisions.contains(.followingMoved) {
      lines.append("Another 2026-11-26T11:30")
      let days = ["11-27", "11-28", "11-29", "11-30", "12-01", "12-02", "12-03"]
      lines += days.map { "Other 2026-\($0)T08:30" }
    }
    lines.append(Self.line("Lunch", "2026-11-24T12:00", state(.answer, "accepted")))
    lines.append("Meeting 2026-11-24T13:00")
    lines.append(Self.line("Meeting", "2026-11-25T13:00", state(.answerToOne, "accepted")))
    lines.append(Self.line("Task", "2026-11-24T15:00", state(.task, "completed")))
    lines.append("Pay 2026-11-24T16:00")
    lines.append(Self.line("Pay", "2026-11-25T16:00", state(.taskOfSeries, "completed")))
    return lines.sorted()
  }

  /// The line of an entry after its series has moved.
  func moved(_ line: String, _ title: String, by hours: Int) -> String {
    guard line.hasPrefix("\(title) "), hours > 0 else { return line }
    let format = DateFormatter()
    format.dateFormat = "yyyy-MM-dd'T'HH:mm"
    format.timeZone = TimeZone(identifier: "UTC")
    format.locale = Locale(identifier: "en_US_POSIX")
    var words = line.split(separator: " ").map(String.init)
    guard let date = format.date(from: words[1]) else { return line }
    words[1] = format.string(from: date + Double(hours) * 3600)
    return words.joined(separator: " ")
  }

  func decide(_ decision: Decision) throws {
    let (title, day): (String, Int) =
      switch decision {
      case .event: ("Single", 24)
      case .occurrence: ("Series", 25)
      case .clock: ("Clock", 25)
      case .moved: ("Late", 26)
      case .following: ("Long", 25)
      case .followingMoved: ("Another", 26)
      case .task: ("Task", 24)
      case .taskOfSeries: ("Pay", 25)
      case .answer: ("Lunch", 24)
      case .answerToOne: ("Meeting", 25)
      }
    let occurrence = try #require(
      try occurrences().first { $0.event.title == title && $0.begin.utc.date.day == day })
    try store.write { writer in
      switch decision {
      case .event: try writer.remove(occurrence)
      case .occurrence, .clock, .moved: try writer.remove(occurrence, scope: .only)
      case .following, .followingMoved: try writer.remove(occurrence, scope: .following)
      case .task, .taskOfSeries: try writer.complete(occurrence)
      case .answer: _ = try writer.reply(.accepted, to: occurrence)
      case .answerToOne: _ = try writer.reply(.accepted, to: occurrence, only: true)
      }
    }
  }
}
