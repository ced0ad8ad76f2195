import AgendaCore
import CivilTime
import Foundation
import Testing

@testable import AgendaStore

/// Cached days against days that are worked out.
@Suite struct DayCacheTests {
  private func lines(_ occurrences: [Occurrence]) -> [String] {
    occurrences.map {
      """
      \($0.event.identity.uid) \(OccurrenceID(of: $0)) \($0.start) \($0.begin)–\($0.finish) \
      \(String(describing: $0.allDay)) \(String(describing: $0.recurrenceID)) \($0.event.kind) \
      \($0.event.title) \(String(describing: $0.event.location)) \($0.event.categories) \
      \(String(describing: $0.event.status)) \(String(describing: $0.event.color)) \
      \($0.event.isTransparent) \($0.event.calendar) \($0.event.reference)
      """
    }
  }

  /// A day as it is worked out, without the cache.
  private func fresh(
    _ session: StoreSession, _ window: DateWindow
  ) throws -> [String] {
    try session.store().connection.run("DELETE FROM day_cache")
    return try day(session, window)
  }

  /// A day as a reader lists it.
  private func day(
    _ session: StoreSession, _ window: DateWindow, interpretation: Int = 1
  ) throws -> [String] {
    let store = try #require(try Store.open(reading: session.path, zones: session.zones))
    return lines(try store.day(window, interpretation: interpretation).occurrences)
  }

  private func cachedDays(_ session: StoreSession) throws -> Int {
    try session.store().connection.integer("SELECT count(*) FROM day_cache") ?? 0
  }

  private func window(_ session: StoreSession, day: Int, zone: String) throws -> DateWindow {
    let zone = try #require(session.zones.zone(named: zone))
    let date = try #require(CivilDate(dayNumber: 20_700 + day))
    return try #require(DateWindow(firstDay: date, length: .days(1), zone: zone))
  }

  private static func everyDay(_ count: Int, title: String = "Number") -> String {
    calendarText(
      (0..<count).map {
        event(
          "daily-\($0)", "DTSTART;TZID=Europe/Berlin:20260101T\(10 + $0 % 10)0000",
          "DURATION:PT1H", "RRULE:FREQ=DAILY", "SUMMARY:\(title) \($0)", "LOCATION:Raum 東 \($0)",
          "CATEGORIES:one,two", $0 % 7 == 0 ? "STATUS:CANCELLED" : "COLOR:red")
      })
  }

  @Test("a cached day is the day that is worked out, in every zone and for all that recurs")
  func sameDay() throws {
    let session = try StoreSession()
    var series = RandomSeries(seed: 5)
    let components = (0..<150).flatMap { series.components(uid: "uid-\($0)") }
    try session.importing(calendarText(components))
    try session.importing(Self.everyDay(150), as: "/calendars/daily.ics", calendar: "daily")
    for number in 0..<6 {
      for zone in ["Europe/Berlin", "Pacific/Kiritimati", "UTC"] {
        let window = try window(session, day: number * 31, zone: zone)
        let expected = try fresh(session, window)
        #expect(try cachedDays(session) == 1)
        let kept = try day(session, window)
        #expect(kept == expected, "\(window.firstDay) \(zone)")
        #expect(expected.count >= 128)
      }
    }
  }

  @Test("every change of the store empties the cache")
  func changes() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(150))
    let window = try window(session, day: 0, zone: "Europe/Berlin")
    func differs(_ what: String, _ change: () throws -> Void) throws {
      let before = try day(session, window)
      #expect(try cachedDays(session) == 1, "\(what)")
      try change()
      #expect(try cachedDays(session) == 0, "\(what)")
      let after = try day(session, window)
      #expect(after != before, "\(what)")
      #expect(try after == fresh(session, window), "\(what)")
    }
    try differs("an import") { try session.importing(Self.everyDay(150, title: "New")) }
    try differs("undo") { _ = try session.store().undo() }
    try differs("an event of the local calendar") {
      let store = try session.store()
      let own = try session.record(event("own", "DTSTART:20260904T123000Z"), store)
      try session.add(own, uid: "own", to: store)
    }
    try differs("an event that is removed") {
      let store = try session.store()
      try session.hide(try #require(try store.allEvents().first), in: store)
    }
    try differs("a calendar that is removed") {
      let store = try session.store()
      try store.remove(calendar: "local", run: try store.nextRun(), now: session.now)
    }
    #expect(try session.store().health().problems == [])
  }

  @Test("the cache holds at most eight days, one for each zone and interpretation")
  func size() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(130))
    let window = try window(session, day: 0, zone: "UTC")
    for interpretation in 1...3 {
      _ = try day(session, window, interpretation: interpretation)
    }
    #expect(try cachedDays(session) == 3)
    for number in 0..<20 {
      _ = try day(session, try self.window(session, day: number, zone: "UTC"))
    }
    #expect(try cachedDays(session) == 8)
    let small = try StoreSession()
    try small.importing(Self.everyDay(5))
    _ = try day(small, try self.window(small, day: 0, zone: "UTC"))
    #expect(try cachedDays(small) == 0)
  }

  @Test("a day is cached in advance only if that takes little time, and then it is the same")
  func inAdvance() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(130))
    let window = try window(session, day: 0, zone: "Europe/Berlin")
    let expected = try fresh(session, window)
    try session.store().connection.run("DELETE FROM day_cache")
    try session.store().cacheDay(window, interpretation: 1)
    #expect(try cachedDays(session) == 1)
    #expect(try day(session, window) == expected)
    let small = try StoreSession()
    try small.importing(Self.everyDay(100))
    try small.store().cacheDay(window, interpretation: 1)
    #expect(try cachedDays(small) == 0)
    let dense = try StoreSession()
    try dense.importing(
      calendarText(
        (0..<130).map { event("\($0)", "DTSTART:20200101T000000Z", "RRULE:FREQ=MINUTELY") }))
    try dense.store().cacheDay(window, interpretation: 1)
    #expect(try cachedDays(dense) == 0)
  }

  @Test("a day worked out while an import changed the store is not cached")
  func race() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(130))
    let window = try window(session, day: 0, zone: "UTC")
    let writer = try session.store()
    try writer.connection.run("BEGIN IMMEDIATE")
    // The cache cannot be written now, and the command does not wait for it.
    _ = try day(session, window)
    try writer.connection.run("COMMIT")
    #expect(try cachedDays(session) == 0)
  }

  @Test("a damaged cached day is worked out again, and doctor names it")
  func damage() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(130))
    let window = try window(session, day: 0, zone: "Europe/Berlin")
    let expected = try fresh(session, window)
    try session.store().connection.run(
      "UPDATE day_cache SET bytes = substr(bytes, 1, length(bytes) / 2)")
    let health = try session.store().health()
    #expect(health.problems.count == 1)
    #expect(
      health.problems.first?.hasSuffix("agenda replaces it when it lists that day again") == true)
    #expect(!health.isDamaged)
    #expect(try day(session, window) == expected)
    #expect(try session.store().health().problems == [])
  }
}
