import AgendaCore
import AgendaStore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaSources

@Suite(.serialized) struct DurabilityTests {
  private static let rounds = TestSettings.rounds

  private static func calendar(version: Int, events: Int = 40) -> String {
    calendarText(
      (0..<events).map { number in
        event(
          "event-\(number)@example.com", "DTSTART;TZID=Europe/Berlin:20261124T100000",
          "SUMMARY:Number \(number)" + (number % 3 == version % 3 ? " changed \(version)" : ""),
          "DESCRIPTION:Some words about it", "ATTENDEE;CN=Ana:mailto:ana@example.com",
          number % 5 == 0 ? "RRULE:FREQ=WEEKLY;BYDAY=TU" : "LOCATION:Room \(number)")
      })
  }

  /// Something that writes to a store, and what it is tried on.
  private struct Scenario: Sendable {
    let name: String
    let prepare: @Sendable (StoreSession) throws -> Void
    let action: @Sendable (StoreSession) throws -> Void
  }

  private static let scenarios = [
    Scenario(
      name: "a first import", prepare: { _ in },
      action: { try $0.importing(calendar(version: 0, events: 12)) }),
    Scenario(
      name: "a second import",
      prepare: { try $0.importing(calendar(version: 0, events: 12)) },
      action: { try $0.importing(calendar(version: 1, events: 12)) }),
    Scenario(
      name: "an import that waits for the disk at its end",
      prepare: { try $0.importing(calendar(version: 0, events: 12)) },
      action: {
        let store = try $0.store()
        try store.delayDiskWrites()
        try $0.importing(
          Array(calendar(version: 1, events: 12).utf8), as: "/calendars/work.ics",
          calendar: "work", into: store)
        try store.waitForDisk()
      }),
    Scenario(
      name: "an undo",
      prepare: {
        try $0.importing(calendar(version: 0, events: 12))
        try $0.importing(calendar(version: 1, events: 12))
      }, action: { _ = try $0.undo() }),
  ]

  // Checks Decisions: Importing/3
  @Test("a fault at any write or sync leaves the state before or after it", arguments: 0..<4)
  func faults(number: Int) throws {
    let scenario = Self.scenarios[number]
    let session = try StoreSession()
    try scenario.prepare(session)
    let file = URL(fileURLWithPath: session.path)
    let whole = try? Data(contentsOf: file)
    func reset() throws {
      for suffix in ["-journal", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: session.path + suffix)
      }
      if let whole {
        // Into the file that is there, which keeps its permissions.
        try whole.write(to: file)
      } else {
        try? FileManager.default.removeItem(at: file)
      }
    }
    let old = try session.printed(withChanges: false)
    try reset()
    try scenario.action(session)
    let new = try session.printed(withChanges: false)
    #expect(new != old)
    try #require(FileFault.prepare())
    // With more rounds every single one.
    let step = Self.rounds > 1 ? 1 : 7
    var tried = 0
    for kind in FileFault.allCases {
      var number = 0
      while true {
        try reset()
        kind.begin(at: number)
        var hasFailed = false
        do { try scenario.action(session) } catch { hasFailed = true }
        let wasReached = FileFault.end()
        let printed = try session.printed(withChanges: false)
        let place = "\(scenario.name): \(kind) at \(number)"
        #expect(printed == new || (hasFailed && printed == old), "\(place)")
        #expect(try session.store().health().problems == [], "\(place)")
        if printed == old {
          try scenario.action(session)
          #expect(try session.printed(withChanges: false) == new, "\(place)")
        }
        if !wasReached { break }
        tried += 1
        number += step
      }
      #expect(number >= step, "\(kind)")
    }
    Tally.report("faults below SQLite", ["points": tried])
  }

  // Checks Decisions: Importing/1
  @Test("after any sequence of versions the store equals a fresh import of the last one")
  func sequences() throws {
    var random = SeededGenerator(seed: 7)
    for round in 0..<(12 * Self.rounds) {
      let session = try StoreSession()
      var components = (0..<12).map { Self.randomEvent($0, &random) }
      for _ in 0..<5 {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0...components.count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: components.insert(Self.randomEvent(place, &random), at: place)
          case 1 where place < components.count: components.remove(at: place)
          case 2: components.shuffle(using: &random)
          case 3 where place < components.count: components.append(components[place])
          default:
            if place < components.count { components[place] = Self.randomEvent(place, &random) }
          }
        }
        let report = try session.importing(calendarText(components)) {
          $0.allowsShrinking = true
        }
        #expect(
          report.components == report.added + report.updated + report.unchanged
            + report.superseded + report.rejected, "round \(round)")
      }
      let fresh = try StoreSession()
      let report = try fresh.importing(calendarText(components))
      // What differs in its DTSTAMP alone is not written anew.
      let (stored, expected) = (
        try session.summary(withStamps: false), try fresh.summary(withStamps: false)
      )
      #expect(stored == expected, "round \(round)")
      #expect(report.added == expected.count)
      let problems = try session.store().health().problems
      #expect(problems == [], "round \(round)")
    }
  }

  private static func randomEvent(_ number: Int, _ random: inout SeededGenerator) -> String {
    let uid = Int.random(in: 0..<10, using: &random)
    let hour = Int.random(in: 10..<13, using: &random)
    let stamp = "DTSTAMP:202601\(Int.random(in: 10..<30, using: &random))T000000Z"
    let title = "SUMMARY:\(Int.random(in: 0..<4, using: &random))"
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return event(
        "\(uid)", stamp, "DTSTART:20261124T\(hour)0000Z", "RRULE:FREQ=DAILY;COUNT=5", title)
    case 1:
      return event(
        "\(uid)", "RECURRENCE-ID:20261125T\(hour)0000Z", "DTSTART:20261125T180000Z", title, stamp,
        "SEQUENCE:\(Int.random(in: 0..<3, using: &random))")
    case 2: return event("\(uid)", "DTSTART;VALUE=DATE:202611\(hour)", title, stamp)
    default:
      return event(
        "\(uid)", "DTSTART;TZID=Europe/Berlin:20261124T\(hour)0000", title, stamp,
        "LAST-MODIFIED:202601\(hour)T000000Z")
    }
  }
}

extension StoreSession {
  /// All that commands would print of a store: components, calendars, the year's events.
  func printed(withChanges: Bool = true) throws -> [String] {
    let store = try store()
    var lines = try summary()
    for calendar in try StoreReader(store, zones: zones).countedCalendars() {
      lines.append("\(calendar.name) \(calendar.color ?? "") \(calendar.events) \(calendar.tasks)")
      lines += calendar.sources.map {
        "\($0.source) \($0.events) \($0.tasks) \($0.lastError ?? "")"
      }
    }
    let year = Instant(secondsSinceEpoch: 1_795_000_000)..<Instant(secondsSinceEpoch: 1_826_000_000)
    lines += try store.events(touching: year, viewer: .utc).map {
      "\($0.identity.uid) \($0.title)"
    }.sorted()
    if withChanges {
      lines += try changes().map {
        "\($0.kind) \($0.before?.title ?? "") \($0.after?.title ?? "")"
      }
    }
    // In any order: it is that of the rows, which depends on how they came in.
    var exported: [String] = []
    try CalendarExport(StoreReader(store, zones: zones)).write(calendars: []) {
      exported.append(String(decoding: $0, as: UTF8.self))
    }
    return lines + exported.sorted()
  }
}
