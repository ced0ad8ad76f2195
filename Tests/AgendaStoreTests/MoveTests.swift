import AgendaCore
import AgendaStore
import CivilTime
import Foundation
import TestSupport
import Testing

/// A source that goes into another calendar.
@Suite struct MoveTests {
  private static let rounds = TestSettings.rounds

  private static let text = calendar(
    event("a", "DTSTART:20261124T100000Z", "SUMMARY:One"), event("b", "DTSTART:20261125T100000Z"))

  /// The calendars of a store with all that is theirs.
  private static func calendars(of session: StoreSession) throws -> [String] {
    try session.calendars().flatMap { calendar in
      ["\(calendar.name) \(calendar.color ?? "-") \(calendar.events)"]
        + calendar.sources.map {
          "\(calendar.name) has \($0.source.location) \($0.source.hasExplicitName) \($0.events)"
        }
    }
  }

  @Test("moving a source to another calendar is reported, listed and undone")
  func move() throws {
    let session = try StoreSession()
    try session.importing(
      Array(Self.text.utf8), as: "/x.ics", calendar: "A", color: "red", hasExplicitName: true,
      into: try session.store())
    try session.importing(Self.text, as: "/other.ics", calendar: "B")
    let before = try Self.calendars(of: session)
    let events = try session.summary()
    let rehearsal = try session.importing(Self.text, as: "/x.ics", calendar: "B") {
      $0.isDryRun = true
    }
    #expect(rehearsal.previousCalendar == "A")
    #expect(rehearsal.hasChanges)
    #expect(try Self.calendars(of: session) == before)
    let report = try session.importing(
      Array(Self.text.utf8), as: "/x.ics", calendar: "B", color: "blue",
      into: try session.store())
    #expect(report.previousCalendar == "A")
    // The other source of the calendar has the same two; those of the first source count.
    #expect(report.unchanged == 2 && report.superseded == 0)
    #expect(
      try Self.calendars(of: session) == [
        "B blue 2", "B has /other.ics false 0", "B has /x.ics false 2",
      ])
    let store = try session.store()
    #expect(try session.changes().isEmpty)
    let moved = try session.sourceChanges()
    #expect(moved.map(\.kind) == [.moved])
    #expect(moved.map(\.source.location) == ["/x.ics"])
    #expect(moved.map(\.source.calendar) == ["B"])
    #expect(moved.map(\.previousCalendar) == ["A"])
    #expect(moved.map(\.entries) == [2])
    #expect(try store.health().problems == [])
    let undone = try session.undo()
    #expect(undone.map(\.calendar) == ["B"])
    #expect(undone.map(\.previousCalendar) == ["A"])
    #expect(try Self.calendars(of: session) == before)
    #expect(try session.summary() == events)
    #expect(try store.health().problems == [])
  }

  @Test("importing again into the calendar that a source is in moves nothing")
  func staying() throws {
    let session = try StoreSession()
    try session.importing(Self.text, as: "/x.ics", calendar: "A")
    let again = try session.importing(Self.text, as: "/x.ics", calendar: "A")
    #expect(again.previousCalendar == nil)
    #expect(!again.hasChanges)
    #expect(try session.sourceChanges().isEmpty)
  }

  @Test("several moves are listed as one, and a move there and back is not listed")
  func severalMoves() throws {
    let session = try StoreSession()
    try session.importing(Self.text, as: "/x.ics", calendar: "A")
    let since = session.now
    for name in ["B", "C"] { try session.importing(Self.text, as: "/x.ics", calendar: name) }
    let moved = try session.sourceChanges(since: since)
    #expect(moved.map { "\($0.previousCalendar ?? "") \($0.source.calendar)" } == ["A C"])
    try session.importing(Self.text, as: "/x.ics", calendar: "A")
    #expect(try session.sourceChanges(since: since).isEmpty)
    #expect(try session.sourceChanges().map(\.previousCalendar) == ["C"])
  }

  @Test("a move that is refused moves nothing")
  func refused() throws {
    let session = try StoreSession()
    try session.importing(Self.text, as: "/x.ics", calendar: "A")
    let report = try session.importing(calendar(), as: "/x.ics", calendar: "B")
    #expect(report.error != nil)
    #expect(report.previousCalendar == nil)
    #expect(try session.calendars().map(\.name) == ["A"])
  }

  @Test("after imports, moves and undos in any order, each undo restores the state before")
  func sequences() throws {
    var random = SeededGenerator(seed: 11)
    for round in 0..<(8 * Self.rounds) {
      let session = try StoreSession()
      func state() throws -> [String] { try Self.calendars(of: session) + session.summary() }
      var states = [try state()]
      var last: [String: Imported] = [:]
      var lasts = [last]
      for _ in 0..<12 {
        if states.count > 1, Int.random(in: 0..<3, using: &random) == 0 {
          _ = try session.undo()
          states.removeLast()
          lasts.removeLast()
          last = lasts.last ?? [:]
        } else {
          let name = ["/x.ics", "/y.ics"].randomElement(using: &random) ?? ""
          let version = Int.random(in: 0..<3, using: &random)
          let calendarName = ["A", "B", "C"].randomElement(using: &random) ?? ""
          let report = try session.importing(
            Array(Self.version(version, of: name).utf8), as: name, calendar: calendarName,
            hasExplicitName: version == 0, into: try session.store())
          #expect(
            report.previousCalendar
              == (last[name]?.calendar == calendarName ? nil : last[name]?.calendar),
            "round \(round)")
          let isNew = last[name] == nil
          last[name] = Imported(version: version, calendar: calendarName)
          if report.hasChanges || isNew {
            states.append(try state())
            lasts.append(last)
          }
        }
        let present = try state()
        #expect(present == states.last, "round \(round)")
        let inCalendars = try session.calendars().flatMap { calendar in
          calendar.sources.map { "\($0.source.location) \(calendar.name)" }
        }
        #expect(
          Set(inCalendars) == Set(last.map { "\($0.key) \($0.value.calendar)" }),
          "round \(round)")
        #expect(try session.summary() == Self.fresh(last), "round \(round)")
        let problems = try session.store().health().problems
        #expect(problems == [], "round \(round)")
      }
    }
  }

  private struct Imported {
    var version: Int
    var calendar: String
  }

  private static func version(_ number: Int, of name: String) -> String {
    calendarText(
      (0..<3).map {
        event(
          "\(name)-\($0)", "DTSTART:2026112\(number)T100000Z", "SUMMARY:Number \($0 + number)")
      })
  }

  /// What fresh imports of these versions give.
  private static func fresh(_ sources: [String: Imported]) throws -> [String] {
    let session = try StoreSession()
    for (name, source) in sources {
      try session.importing(
        version(source.version, of: name), as: name, calendar: source.calendar)
    }
    return try session.summary()
  }

  @Test("undo removes a colour that the import gave to a calendar")
  func colors() throws {
    let session = try StoreSession()
    func importing(_ name: String, _ text: String, _ color: String?) throws {
      try session.importing(
        Array(text.utf8), as: name, calendar: "A", color: color, into: try session.store())
    }
    func color() throws -> String? { try session.calendars().first?.color }
    try importing("/x.ics", Self.version(0, of: "x"), "red")
    try importing("/x.ics", Self.version(1, of: "x"), "blue")
    try importing("/y.ics", Self.version(0, of: "y"), "green")
    #expect(try color() == "green")
    _ = try session.undo()
    #expect(try color() == "blue")
    _ = try session.undo()
    #expect(try color() == "red")
    #expect(try session.store().health().problems == [])
  }
}
