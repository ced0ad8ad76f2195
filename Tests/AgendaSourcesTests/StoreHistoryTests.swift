import AgendaStore
import TestSupport
import Testing

@testable import AgendaSources

/// What a store has, what commands changed, and what their undo changes back.
@Suite("The calendars and the history of a store")
struct StoreHistoryTests {
  private let session: ImportSession

  init() throws { session = try ImportSession() }

  private static let series = event(
    "a", "DTSTART:20261123T090000Z", "RRULE:FREQ=WEEKLY", "SUMMARY:Standup")
  private static let lunch = event("b", "DTSTART:20261124T120000Z", "SUMMARY:Lunch")
  private static let cancellation = calendar(
    [
      event(
        "a", "SEQUENCE:1", "RECURRENCE-ID:20261130T090000Z", "SUMMARY:Standup")
    ], ["METHOD:CANCEL"])

  // MARK: Counts

  @Test("a calendar counts what it shows, and not older versions and messages")
  func counts() throws {
    try session.importing(
      "work.ics", calendar(Self.series, Self.lunch, component("VTODO", "t", ["SUMMARY:Pay"])),
      calendar: "Work")
    try session.importing(
      "newer.ics", calendar(event("b", "DTSTART:20261124T130000Z", "SEQUENCE:2")), calendar: "Work")
    #expect(
      try session.counts() == [
        "Work: 1 events, 0 tasks, 0 journals, 0 hidden",
        "Work: 1 events, 1 tasks, 0 journals, 0 hidden",
      ])
    try session.importing("mail.ics", Self.cancellation)
    // The cancelled occurrence is an override of the series.
    #expect(try session.counts()[1] == "Work: 2 events, 1 tasks, 0 journals, 0 hidden")
    #expect(try session.reader().calendars().map(\.name) == ["Work"])
    #expect(
      try session.reader().messageSources().map(\.source.location) == [
        session.location("mail.ics")
      ])
    let work = try #require(try session.reader().source(at: session.location("work.ics")))
    #expect(work.events == 2 && work.tasks == 1)
  }

  // Checks Decisions: Importing/3
  @Test("a cut-off file changes and adds events, and removes none")
  func cutOff() throws {
    func event(_ uid: String, _ title: String, _ lines: String...) -> String {
      component("VEVENT", uid, ["SUMMARY:\(title)"] + lines)
    }
    let (first, second) = ("DTSTART:20261124T090000Z", "DTSTART:20261125T090000Z")
    let rule = ["RRULE:FREQ=DAILY;COUNT=3"]
    func moved(_ day: Int) -> String { "RECURRENCE-ID:202611\(day)T090000Z" }
    try session.importing(
      "work.ics",
      calendar(
        event("same", "Same", first), event("changed", "Old", first),
        event("shared", "Old first", first), event("shared", "Second", second),
        event("series", "Series", first, rule[0]), event("series", "Old", first, moved(25)),
        event("series", "Last", first, moved(26)), event("lost", "Lost", first)))
    let cut = calendar(
      event("same", "Same", first), event("changed", "New", "DTSTART:20261124T110000Z"),
      event("new", "Added", first), event("shared", "New first", first),
      event("series", "Series", first, rule[0]), event("series", "New", first, moved(25)),
      event("lost", "Lost", first)
    ).replacing(
      "SUMMARY:Lost\r\nDTSTART:20261124T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", with: "SUMM")
    for isFirst in [true, false] {
      let report = try session.importing("work.ics", cut)
      #expect(report.components == 7)
      let counts = [
        report.added, report.updated, report.removed, report.unchanged, report.superseded,
        report.rejected,
      ]
      #expect(counts == (isFirst ? [1, 3, 0, 2, 0, 1] : [0, 0, 0, 6, 0, 1]))
    }
    let titles = try session.reader().store.components(
      ids: Array(1...30)
    ).map(\.text).compactMap { text in
      String(decoding: text, as: UTF8.self).split(separator: "\r\n")
        .first { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }
    }
    #expect(Set(titles).isSuperset(of: ["Added", "New", "New first", "Second", "Last", "Lost"]))
    let counted = try session.counts()
    #expect(counted == ["work: 9 events, 0 tasks, 0 journals, 0 hidden"])
  }

  @Test("a file of a folder that cannot be read any more counts for nothing, and keeps its events")
  func unreadableFile() throws {
    let start = "DTSTART:20261124T090000Z"
    _ = try session.scratch.write("calendars/a.ics", calendar(event("a", start)))
    let file = try session.scratch.write("calendars/b.ics", calendar(event("b", start)))
    let folder = session.scratch.url.appendingPathComponent("calendars").path
    try session.importing(path: folder)
    _ = try session.scratch.write("calendars/b.ics", "<html></html>")
    let report = try session.importing(path: folder)
    #expect(report.components == 1 && report.unchanged == 1 && report.removed == 0, "\(file)")
    #expect(try session.counts() == ["calendars: 2 events, 0 tasks, 0 journals, 0 hidden"])
  }

  @Test("the VCALENDARs of one file with different names are different calendars")
  func severalCalendars() throws {
    try session.importing(
      "both.ics",
      calendar([Self.series], ["X-WR-CALNAME:First"])
        + calendar([Self.lunch], ["X-WR-CALNAME:Second"]))
    #expect(
      try session.counts() == [
        "First: 1 events, 0 tasks, 0 journals, 0 hidden",
        "Second: 1 events, 0 tasks, 0 journals, 0 hidden",
      ])
  }

  @Test("a hidden event is counted only while its source has it")
  func hidden() throws {
    try session.importing("work.ics", calendar(Self.series, Self.lunch), calendar: "Work")
    try session.hide("UID:b", "DTSTART:20261124T120000Z", of: "work.ics")
    #expect(try session.counts() == ["Work: 1 events, 0 tasks, 0 journals, 1 hidden"])
    #expect(try session.changes() == ["removed Lunch"])
    #expect(try session.undone() == ["Work: +0 ~0 -1"])
    #expect(try !session.export().contains("Lunch"))
    try session.importing("work.ics", calendar(Self.series), calendar: "Work")
    #expect(try session.counts() == ["Work: 1 events, 0 tasks, 0 journals, 0 hidden"])
    #expect(try session.changes() == [])
  }

  @Test("a hidden occurrence is a change of its series, and the export excludes it")
  func hiddenOccurrence() throws {
    try session.importing("work.ics", calendar(Self.series), calendar: "Work")
    try session.hide(
      "UID:a", "DTSTART:20261130T090000Z", "RECURRENCE-ID:20261130T090000Z", of: "work.ics")
    #expect(try session.counts() == ["Work: 1 events, 0 tasks, 0 journals, 1 hidden"])
    #expect(try session.changes() == ["changed Standup"])
    #expect(try session.undone() == ["Work: +0 ~1 -0"])
    #expect(try session.export().contains("EXDATE:20261130T090000Z\r\n"))
  }

  // MARK: Changes

  @Test("the components that a command wrote and took out are in the calendars of their VCALENDARs")
  func changedComponents() throws {
    func both(_ second: String...) -> String {
      calendar([Self.series], ["X-WR-CALNAME:First"])
        + calendar(second, ["X-WR-CALNAME:Second"])
    }
    try session.importing("both.ics", both(Self.lunch, component("VTODO", "t", ["SUMMARY:Pay"])))
    try session.importing("both.ics", both(component("VTODO", "t", ["SUMMARY:Pay now"])))
    func words(_ generation: Int) throws -> [String] {
      try session.reader().store.changedComponents(by: generation).map {
        "\($0.isRemoved ? "-" : "+") \($0.calendar ?? "") \($0.kind)"
      }.sorted()
    }
    #expect(try words(1) == ["+ First event", "+ Second event", "+ Second task"])
    #expect(try words(2) == ["+ Second task", "- Second event", "- Second task"])
  }

  @Test("changes are those of the last command, and none after an import without changes")
  func changes() throws {
    try session.importing("work.ics", calendar(Self.series, Self.lunch), calendar: "Work")
    #expect(try session.changes() == ["added Standup", "added Lunch"])
    try session.importing(
      "work.ics", calendar(Self.series, Self.lunch.replacing("SUMMARY:Lunch", with: "SUMMARY:Tea")),
      calendar: "Work")
    #expect(try session.changes() == ["changed Tea"])
    try session.importing("work.ics", calendar(Self.series), calendar: "Work")
    #expect(try session.changes() == ["removed Tea"])
    let reader = try session.reader()
    #expect(try reader.changes(from: 1, viewer: .utc).map { $0.after?.title } == ["Standup"])
    #expect(try reader.changes(from: 2, before: 3, viewer: .utc).map(\.kind) == [.changed])
  }

  @Test("the effect of a mail is a change of the events that it is about")
  func mail() throws {
    try session.importing("work.ics", calendar(Self.series), calendar: "Work")
    try session.importing("mail.ics", Self.cancellation)
    #expect(try session.changes() == ["cancelled Standup"])
    #expect(try session.undone() == ["Work: +0 ~1 -0"])
    #expect(try session.export().contains("STATUS:CANCELLED"))
    try session.undo()
    #expect(try !session.export().contains("STATUS:CANCELLED"))
  }

  // Checks Decisions: Importing/19
  @Test("a zone of the file that changes moves its events, and undo moves them back")
  func calendarZone() throws {
    func text(_ zone: String) -> String {
      calendar(
        [event("a", "DTSTART:20261123T090000", "SUMMARY:Standup")], ["X-WR-TIMEZONE:\(zone)"])
    }
    try session.importing("work.ics", text("Europe/Berlin"), calendar: "Work")
    try session.importing("work.ics", text("America/New_York"), calendar: "Work")
    #expect(try session.changes() == ["moved Standup"])
    #expect(try session.undone() == ["Work: +0 ~1 -0"])
    try session.undo()
    #expect(try session.changes() == ["added Standup"])
    #expect(try session.export().contains("X-WR-TIMEZONE:Europe/Berlin"))
  }

  @Test("a newer version in another source is a change, and its undo changes back")
  func otherSource() throws {
    try session.importing("work.ics", calendar(Self.lunch), calendar: "Work")
    try session.importing(
      "newer.ics", calendar(Self.lunch.replacing("SUMMARY:Lunch", with: "SEQUENCE:1\nSUMMARY:Tea")),
      calendar: "Work")
    #expect(try session.changes() == ["changed Tea"])
    #expect(try session.undone() == ["Work: +0 ~1 -0"])
  }

  @Test("a source that moves to another calendar has no changed events")
  func moved() throws {
    try session.importing("work.ics", calendar(Self.lunch), calendar: "Work")
    try session.importing("work.ics", calendar(Self.lunch), calendar: "Home")
    #expect(try session.changes() == [])
    let moved = try session.reader().sourceChanges(since: nil)
    #expect(moved.map(\.kind) == [.moved])
    #expect(moved.map(\.previousCalendar) == ["Work"])
    #expect(moved.map(\.entries) == [1])
    #expect(try session.undone() == ["Home: +0 ~0 -0 from Work"])
  }

  @Test("an import that changes only a line of the calendar can be undone by itself")
  func calendarLine() throws {
    try session.importing("work.ics", calendar([Self.lunch], ["X-A:1"]), calendar: "Work")
    try session.importing("work.ics", calendar([Self.lunch], ["X-A:2"]), calendar: "Work")
    #expect(try session.undone() == ["Work: +0 ~0 -0"])
    try session.undo()
    #expect(try session.export().contains("X-A:1"))
  }

  // MARK: Removal

  @Test(
    "a removed calendar is one change that undo takes back, with what the user decided about it")
  func removal() throws {
    try session.importing("work.ics", calendar(Self.series, Self.lunch), calendar: "Work")
    try session.hide("UID:b", "DTSTART:20261124T120000Z", of: "work.ics")
    let removal = StoreRemoval(try session.reader(), now: session.next())
    #expect(try removal.remove(calendar: "Work") == 1)
    #expect(try session.changes() == ["removed Standup"])
    #expect(try session.undone() == ["Work: +0 ~0 -1"])
    try session.importing("work.ics", calendar(Self.series, Self.lunch), calendar: "Work")
    #expect(try session.counts() == ["Work: 2 events, 0 tasks, 0 journals, 0 hidden"])
    try session.undo()
    try session.undo()
    #expect(try session.counts() == ["Work: 1 events, 0 tasks, 0 journals, 1 hidden"])
  }

  @Test("an unknown calendar, and a part of a file, cannot be removed")
  func removalErrors() throws {
    try session.importing(
      "both.ics",
      calendar([Self.series], ["X-WR-CALNAME:First"])
        + calendar([Self.lunch], ["X-WR-CALNAME:Second"]))
    let removal = StoreRemoval(try session.reader(), now: session.next())
    #expect(throws: StoreError.unknown(what: "calendar", name: "Third")) {
      try removal.remove(calendar: "Third")
    }
    #expect(throws: CalendarError.self) { try removal.remove(calendar: "Second") }
    #expect(throws: StoreError.unknown(what: "source", name: "/x.ics")) {
      try removal.remove(sources: ["/x.ics"])
    }
    #expect(try session.counts().count == 2)
  }

  // Checks Decisions: Importing/11
  @Test("the version of another source is shown when a source is removed")
  func removalOfNewer() throws {
    try session.importing("work.ics", calendar(Self.lunch), calendar: "Work")
    try session.importing(
      "newer.ics", calendar(Self.lunch.replacing("SUMMARY:Lunch", with: "SEQUENCE:1\nSUMMARY:Tea")),
      calendar: "Work")
    let removal = StoreRemoval(try session.reader(), now: session.next())
    #expect(try removal.remove(sources: [session.location("newer.ics")]) == 1)
    #expect(try session.changes() == ["changed Lunch"])
  }
}
