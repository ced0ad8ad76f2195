import AgendaKit
import Foundation
import TestSupport
import Testing

/// Calendars of the user's own: they are begun, get names, and take copies.
@Suite("Own calendars")
struct OwnCalendarTests {
  private let folder: ScratchFolder
  private let store: CalendarStore

  init() throws {
    folder = try ScratchFolder()
    store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
  }

  private func importing(
    _ name: String, _ text: String, calendar: String? = nil, into: String? = nil
  ) throws -> SourceReport {
    var options = StoreWriter.ImportOptions()
    options.calendar = calendar
    options.copiesInto = into
    let path = try folder.write(name, text)
    let reports = try store.write { [options] in try $0.importSources([path], options) }
    return try #require(reports.first)
  }

  private var calendars: [String] {
    get throws { try store.calendars().map { "\($0.name) \($0.events + $0.tasks)" } }
  }

  private func add(_ title: String, to calendar: String?) throws {
    var edit = EventEdit()
    edit.title = title
    edit.start = .date(try #require(CivilDate(year: 2026, month: 11, day: 24)))
    try store.write { [edit] in try $0.add(edit, to: calendar) }
  }

  private func export(_ calendar: String) throws -> String {
    var text: [UInt8] = []
    try store.export(calendars: [calendar]) { text += $0 }
    return String(decoding: text, as: UTF8.self)
  }

  @Test("a calendar is begun, filled, renamed and removed, each as one step")
  func steps() throws {
    #expect(try store.write { try $0.begin(calendar: "home") } == "home")
    #expect(try calendars == ["home 0"])
    try add("Choir", to: "Home")
    try add("Swim", to: nil)
    #expect(try calendars == ["home 1", "local 1"])
    #expect(try store.calendarOwners() == CalendarOwners(own: ["home", "local"], others: []))
    // A renamed calendar is the same one, and its old name is free.
    #expect(try store.write { try $0.rename(calendar: "HOME", to: "club") } == "home")
    try store.write { try $0.begin(calendar: "home") }
    try store.write { try $0.rename(calendar: "local", to: "mine") }
    try add("Run", to: "club")
    try add("Ride", to: nil)
    #expect(try calendars == ["club 2", "home 0", "mine 2"])
    try store.write { try $0.remove(calendar: "club") }
    #expect(try calendars == ["home 0", "mine 2"])
    for _ in 0..<8 { try store.write { try $0.undo() } }
    #expect(try calendars == ["home 0"])
    for _ in 0..<8 { try store.write { try $0.redo() } }
    #expect(try calendars == ["home 0", "mine 2"])
    #expect(try store.problems() == [])
  }

  @Test(
    "a name that is taken or unusable is refused",
    arguments: ["Work", "LOCAL", "", "a/b", "a\nb"])
  func names(name: String) throws {
    let text = calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:A"))
    #expect(try importing("work.ics", text, calendar: "work").error == nil)
    try store.write { try $0.begin(calendar: "home") }
    let before = try calendars
    #expect(throws: CalendarError.self) { try store.write { try $0.begin(calendar: name) } }
    if name != "Work" {
      #expect(throws: CalendarError.self) {
        try store.write { try $0.rename(calendar: "home", to: name) }
      }
    }
    #expect(try calendars == before)
    // Another letter case of its own name is none of others.
    try store.write { try $0.rename(calendar: "work", to: "WORK") }
    #expect(try importing("work.ics", text).calendar == "WORK")
  }

  @Test("an imported calendar never becomes an own one of the same name")
  func importedNames() throws {
    try store.write { try $0.begin(calendar: "home") }
    try add("Choir", to: nil)
    let text = calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:A"))
    for name in ["home", "local"] {
      let report = try importing("\(name).ics", text)
      #expect(report.calendar == "\(name) (\(name).ics)")
    }
    for name in ["home", "local"] {
      #expect(throws: CalendarError(WritingError.ownCalendar(name))) {
        try importing("other.ics", text, calendar: name)
      }
    }
    #expect(try store.calendarOwners().own == ["home", "local"])
  }

  private static let events = calendar(
    zoneDefinition("Office", "+0200"),
    event("zoned", "DTSTART;TZID=Office:20261124T100000", "SUMMARY:Zoned"),
    event("floating", "DTSTART:20261124T120000", "SUMMARY:Floating"),
    event("series", "DTSTART:20261124T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Series"),
    event("series", "RECURRENCE-ID:20261125T090000Z", "DTSTART:20261125T100000Z", "SUMMARY:Late"),
    component("VTODO", "zoned", ["DUE:20261124T150000Z", "SUMMARY:Task"]),
    component("VJOURNAL", "note", ["DTSTART:20261124T150000Z", "SUMMARY:Note"]),
    properties: "X-WR-TIMEZONE:America/New_York", "METHOD:PUBLISH")

  @Test(
    "events are copied once, into an own calendar and into a folder", arguments: ["home", "vdir"])
  func copies(target: String) throws {
    if target == "home" {
      try store.write { try $0.begin(calendar: "home") }
    } else {
      let text = calendar(event("first", "DTSTART:20261124T080000Z", "SUMMARY:First"))
      _ = try folder.write("vdir/first.ics", text)
      try store.write {
        try $0.importSources([folder.url.appendingPathComponent("vdir").path])
      }
    }
    let steps = try store.undoSteps().count
    let report = try importing("old.ics", Self.events, into: target)
    #expect(report.error == nil && report.calendar == target)
    #expect(report.components == 5 && report.added == 5 && report.journals == 1)
    #expect(try store.undoSteps().count == steps + 1)
    let text = try export(target)
    for line in [
      "TZID:Office", "DTSTART;TZID=Office:20261124T100000",
      "DTSTART;TZID=America/New_York:20261124T120000", "RECURRENCE-ID:20261125T090000Z",
      "SUMMARY:Task", "SUMMARY:Note",
    ] {
      #expect(text.contains("\(line)\r\n"), "\(line)\n\(text)")
    }
    #expect(!text.contains("METHOD"))
    // What is there stays, and what is new comes.
    let more = Self.events.replacing("SUMMARY:Zoned", with: "SUMMARY:Other")
      .replacing("UID:floating", with: "UID:new")
    let again = try importing("old.ics", more, into: target.uppercased())
    #expect(again.components == 5 && again.added == 1 && again.unchanged == 4)
    #expect(try !export(target).contains("SUMMARY:Other"))
    #expect(try store.calendars().map(\.name) == [target])
    if target == "vdir" {
      let files = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("vdir").path)
      #expect(files.count == 7, "\(files)")
    }
    for _ in 0..<2 { try store.write { try $0.undo() } }
    #expect(try !export(target).contains("Series"))
    #expect(throws: CalendarError.self) { try importing("old.ics", Self.events, into: "nowhere") }
    #expect(try store.problems() == [])
  }
}
