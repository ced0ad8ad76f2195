import AgendaCore
import AgendaSources
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

@Suite struct GenerationTests {
  @Test("a moved meeting is listed as moved, not as removed and added")
  func moved() throws {
    let session = try StoreSession()
    try session.importing(
      calendar(
        event("a", "DTSTART:20261124T100000Z", "DTEND:20261124T110000Z", "SUMMARY:Plan"),
        event("b", "DTSTART:20261124T120000Z", "SUMMARY:Lunch"),
        event("c", "DTSTART:20261125T120000Z", "SUMMARY:Gone"),
        event("d", "DTSTART:20261126T120000Z", "SUMMARY:Off")))
    try session.importing(
      calendar(
        event("a", "DTSTART:20261125T110000Z", "DTEND:20261125T120000Z", "SUMMARY:Plan"),
        event("b", "DTSTART:20261124T120000Z", "SUMMARY:Lunch", "LOCATION:Café"),
        event("d", "DTSTART:20261126T120000Z", "SUMMARY:Off", "STATUS:CANCELLED"),
        event("e", "DTSTART:20261127T120000Z", "SUMMARY:New")))
    let changes = try session.changes()
    let listed = changes.map {
      "\($0.kind) \($0.before?.title ?? $0.after?.title ?? "") \($0.properties)"
    }
    #expect(
      listed == [
        #"changed Lunch ["LOCATION"]"#, #"moved Plan ["DTSTART", "DTEND"]"#, "removed Gone []",
        #"cancelled Off ["STATUS"]"#, "added New []",
      ])
  }

  @Test("an override that moves an occurrence is listed as moved from the time in the series")
  func movedOccurrence() throws {
    let session = try StoreSession()
    let series = event(
      "s", "DTSTART;TZID=Europe/Berlin:20261124T100000", "DTEND;TZID=Europe/Berlin:20261124T110000",
      "RRULE:FREQ=WEEKLY", "SUMMARY:Weekly")
    try session.importing(calendar(series))
    try session.importing(
      calendar(
        series,
        event(
          "s", "RECURRENCE-ID;TZID=Europe/Berlin:20261201T100000",
          "DTSTART;TZID=Europe/Berlin:20261202T110000",
          "DTEND;TZID=Europe/Berlin:20261202T120000", "SUMMARY:Weekly")))
    let changes = try session.changes()
    #expect(changes.map(\.kind) == [.moved])
    #expect(changes.first?.before?.start?.civil.description == "2026-12-01T10:00:00")
    #expect(changes.first?.after?.start?.civil.description == "2026-12-02T11:00:00")
  }

  @Test("a series with overrides is listed as one when it is added or removed")
  func wholeSeries() throws {
    let session = try StoreSession()
    let other = event("o", "DTSTART:20261124T100000Z", "SUMMARY:Other")
    let series = [
      event(
        "s", "DTSTART;TZID=Europe/Berlin:20261124T100000",
        "DTEND;TZID=Europe/Berlin:20261124T110000", "RRULE:FREQ=WEEKLY", "SUMMARY:Weekly"),
      event(
        "s", "RECURRENCE-ID;TZID=Europe/Berlin:20261201T100000",
        "DTSTART;TZID=Europe/Berlin:20261202T110000", "SUMMARY:Weekly"),
      event(
        "s", "RECURRENCE-ID;TZID=Europe/Berlin:20261208T100000",
        "DTSTART;TZID=Europe/Berlin:20261208T100000", "STATUS:CANCELLED", "SUMMARY:Weekly"),
    ]
    func listed() throws -> [String] {
      try session.changes().map {
        "\($0.kind) \(($0.after ?? $0.before)?.title ?? "") \($0.overrides)"
      }
    }
    try session.importing(calendarText([other] + series))
    #expect(try listed() == ["added Weekly 2", "added Other 0"])
    try session.importing(calendarText([other] + series.prefix(2)))
    // The cancelled occurrence takes place again.
    #expect(try listed() == ["added Weekly 0"])
    // Into a series that existed: listed as the changes of its occurrences.
    try session.importing(calendarText([other] + series))
    #expect(try listed() == ["cancelled Weekly 0"])
    try session.importing(
      calendarText(
        [other, series[0].replacingOccurrences(of: "WEEKLY", with: "DAILY")] + series[1...]))
    #expect(try listed() == ["changed Weekly 0"])
    try session.importing(calendar(other))
    #expect(try listed() == ["removed Weekly 2"])
  }

  @Test("an event that was added and removed again is not listed")
  func netChanges() throws {
    let session = try StoreSession()
    let one = event("a", "DTSTART:20261124T100000Z")
    try session.importing(calendar(one))
    let since = session.now
    try session.importing(calendar(one, event("b", "DTSTART:20261125T100000Z")))
    try session.importing(calendar(one))
    #expect(try session.changes(since: since).isEmpty)
    #expect(try session.changes().map(\.kind) == [.removed])
  }

  @Test("undo restores the events that the last import removed, and the file is read again")
  func undo() throws {
    let session = try StoreSession()
    let first = calendar(
      event("a", "DTSTART:20261124T100000Z", "SUMMARY:One"), event("b", "DTSTART:20261125T100000Z"))
    let second = calendar(
      event("a", "DTSTART:20261124T100000Z", "SUMMARY:Two"), event("c", "DTSTART:20261125T100000Z"))
    try session.importing(first)
    let before = try session.summary()
    try session.importing(second)
    #expect(try session.summary() != before)
    let undone = try session.undo()
    #expect(undone.map(\.updated) == [1])
    #expect(try session.summary() == before)
    let problems = try session.store().health().problems
    #expect(problems == [])
    let again = try session.importing(second)
    #expect(again.updated == 1)
    #expect(again.added == 1)
    #expect(again.removed == 1)
  }

  @Test("undo of the first import leaves an empty store, and nothing is left to undo")
  func undoFirst() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    _ = try session.undo()
    #expect(try session.summary().isEmpty)
    #expect(try session.calendars().isEmpty)
    let problems = try session.store().health().problems
    #expect(problems == [])
    #expect(throws: StoreError.nothingToUndo) { try session.undo() }
  }

  @Test("only the last command is undone, and only what was undone last is redone")
  func order() throws {
    let session = try StoreSession()
    for day in 23...25 {
      try session.importing(calendar(event("a", "DTSTART:202611\(day)T100000Z")))
    }
    let store = try session.store()
    for generation in [1, 2, 4] {
      #expect(throws: StoreError.historyChanged) { try store.undo(generation: generation) }
    }
    try store.undo(generation: 3)
    try store.undo(generation: 2)
    for generation in [1, 3] {
      #expect(throws: StoreError.nothingToRedo) { try store.redo(generation: generation) }
    }
    try store.redo(generation: 2)
    try store.redo(generation: 3)
    #expect(throws: StoreError.nothingToRedo) { try store.redo(generation: 3) }
    #expect(try store.allEvents().first?.start?.civil.date.description == "2026-11-25")
    #expect(try store.health().problems == [])
  }

  @Test("only the last change that was announced is pending, with its files in their order")
  func pendingChange() throws {
    let session = try StoreSession()
    let store = try session.store()
    #expect(try store.pendingChange() == nil)
    func file(_ name: String) -> WrittenFile {
      WrittenFile(
        folder: "/calendars", name: name, previous: nil, written: Array(name.utf8), permissions: nil
      )
    }
    let works: [PendingChange.Work] = [
      .change("edit"), .undo(generation: 3, isContinued: false),
      .undo(generation: 4, isContinued: true), .redo(generation: 5),
    ]
    for (number, work) in works.enumerated() {
      let pending = PendingChange(
        work, moment: Instant(secondsSinceEpoch: number),
        files: [file("b\(number)"), file("a\(number)")])
      try store.announce(pending)
      let found = try #require(try store.pendingChange())
      #expect(found.work == work && found.files == pending.files)
      #expect(found.moment == pending.moment)
      #expect(try store.connection.integer("SELECT count(*) FROM pending_change") == 1)
    }
    try store.forgetPendingChange()
    #expect(try store.pendingChange() == nil)
  }

  @Test("a record of more than a megabyte brings back all that was undone")
  func largeUndo() throws {
    let session = try StoreSession()
    let text = String(repeating: "x", count: 60_000)
    func calendarOf(_ version: Int) -> String {
      calendarText(
        (0..<40).map {
          event(
            "\($0)", "DTSTART:20261124T100000Z", "SUMMARY:\(version)", "DESCRIPTION:\($0)\(text)")
        })
    }
    try session.importing(calendarOf(1))
    let before = try session.summary()
    try session.importing(calendarOf(2))
    let after = try session.summary()
    let store = try session.store()
    try store.undo(generation: 2)
    #expect(try session.summary() == before)
    try store.redo(generation: 2)
    #expect(try session.summary() == after)
    #expect(try store.health().problems == [])
  }

  @Test("a removed source is forgotten with the command that removed it")
  func forgottenSource() throws {
    let session = try StoreSession()
    let text = calendar([event("a", "DTSTART:20261124T100000Z")], ["X-WR-TIMEZONE:Asia/Tokyo"])
    try session.importing(text, as: "/calendars/old.ics", calendar: "old")
    try session.importing(calendar(event("b", "DTSTART:20261124T100000Z")))
    _ = try StoreRemoval(session.reader(), now: session.now).remove(calendar: "old")
    let store = try session.store()
    func contexts() throws -> Int? {
      try store.connection.integer("SELECT count(*) FROM context")
    }
    #expect(try store.connection.integer("SELECT count(*) FROM source") == 2)
    #expect(try contexts() == 3)
    // At most a week counts between two commands.
    for day in 20...27 {
      session.now = session.now.adding(seconds: (Pruning.days + 1) * 86_400)
      try session.importing(calendar(event("b", "DTSTART:202611\(day)T100000Z")))
    }
    // Nothing of it is left, not even the lines around its components.
    #expect(try store.connection.integer("SELECT count(*) FROM source") == 1)
    #expect(try store.connection.integer("SELECT count(*) FROM calendar") == 1)
    #expect(try contexts() == 2)
    #expect(try store.health().problems == [])
  }

  @Test("a removed calendar comes back by undo")
  func removeCalendar() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    let before = try session.summary()
    let store = try session.store()
    #expect(
      try StoreRemoval(session.reader(), now: session.now).remove(calendar: "work") == 1)
    #expect(try session.summary().isEmpty)
    #expect(try session.changes().map(\.kind) == [.removed])
    _ = try session.undo()
    #expect(try session.summary() == before)
    #expect(try store.health().problems == [])
  }

  @Test("a clock that is years ahead for some commands takes no history away")
  func wrongClock() throws {
    let session = try StoreSession()
    func change(_ number: Int) throws {
      try session.importing(
        calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:Version \(number)")))
    }
    for number in 0..<5 { try change(number) }
    let present = session.now
    session.now = present.adding(seconds: 14 * 366 * 86_400)
    for number in 5..<7 { try change(number) }
    session.now = present
    for number in 7..<9 { try change(number) }
    #expect(try session.store().health().generations == 9)
    for _ in 0..<8 { _ = try session.undo() }
    #expect(try session.store().allEvents().map(\.title) == ["Version 0"])
  }

  @Test("old generations are thinned out, the last run stays")
  func pruning() throws {
    let session = try StoreSession()
    for number in 0..<30 {
      session.now = session.now.adding(seconds: 3 * 24 * 3600)
      try session.importing(
        calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:Version \(number)")))
    }
    let health = try session.store().health()
    #expect(health.problems == [])
    #expect(health.generations < 20)
    #expect(health.removedComponents < 20)
    _ = try session.undo()
    #expect(try session.store().allEvents().map(\.title) == ["Version 28"])
  }
}
