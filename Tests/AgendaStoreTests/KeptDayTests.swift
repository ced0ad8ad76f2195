import AgendaCore
import AgendaStore
import CivilTime
import Foundation
import Testing

/// Days that are kept beside the store against days that are worked out.
@Suite struct KeptDayTests {
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

  /// A day as it is worked out: what was kept is taken away before.
  private func fresh(
    _ session: StoreSession, _ window: DateWindow
  ) throws -> [String] {
    try? FileManager.default.removeItem(atPath: session.path + "-days")
    return lines(try session.store().day(window, interpretation: 1).occurrences)
  }

  private func day(_ session: StoreSession, _ window: DateWindow) throws -> [String] {
    lines(try session.store().day(window, interpretation: 1).occurrences)
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

  @Test("a day that was kept is the day that is worked out, in every zone and for all that recurs")
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
        #expect(FileManager.default.fileExists(atPath: session.path + "-days"))
        let kept = try day(session, window)
        #expect(kept == expected, "\(window.firstDay) \(zone)")
        #expect(expected.count >= 128)
      }
    }
  }

  @Test("what changes the store, or how it is read, is seen at once, and nothing old stays behind")
  func changes() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(150))
    let window = try window(session, day: 0, zone: "Europe/Berlin")
    let folder = session.path + "-days"
    func differs(_ what: String, _ change: () throws -> Void) throws {
      let before = try day(session, window)
      #expect(FileManager.default.fileExists(atPath: folder), "\(what)")
      try change()
      #expect(!FileManager.default.fileExists(atPath: folder), "\(what)")
      let after = try day(session, window)
      #expect(after != before, "\(what)")
      #expect(try after == fresh(session, window), "\(what)")
    }
    try differs("an import") { try session.importing(Self.everyDay(150, title: "New")) }
    try differs("undo") { _ = try session.store().undo() }
    try differs("an event of one's own") {
      let store = try session.store()
      let own = try session.record(event("own", "DTSTART:20260904T123000Z"), store)
      _ = try store.add(own, run: try store.nextRun(), now: session.now)
    }
    try differs("an event taken out") {
      let store = try session.store()
      let reference = try #require(try store.allEvents().first).reference
      try store.remove(event: reference, run: try store.nextRun(), now: session.now)
    }
    // Another program behind its back, and another interpretation.
    let before = try day(session, window)
    let other = lines(try session.store().day(window, interpretation: 2).occurrences)
    #expect(other == before)
    try session.importing(
      Self.everyDay(150), as: "/calendars/other.ics", calendar: "other")
    let copy = try Data(contentsOf: URL(fileURLWithPath: session.path))
    _ = try day(session, window)
    _ = try session.store().undo()
    _ = try day(session, window)
    try copy.write(to: URL(fileURLWithPath: session.path))
    #expect(try day(session, window).count > before.count)
  }

  @Test("a damaged or foreign file among the days is worked out anew, never shown")
  func damage() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(130))
    let window = try window(session, day: 0, zone: "Europe/Berlin")
    let expected = try fresh(session, window)
    let folder = session.path + "-days"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
    let whole = [UInt8](try Data(contentsOf: file))
    for offset in stride(from: 0, to: whole.count, by: whole.count / 40) {
      var bytes = whole
      bytes[offset] ^= 4
      try Data(bytes).write(to: file)
      #expect(try day(session, window) == expected, "\(offset)")
      try Data(whole.prefix(offset)).write(to: file)
      #expect(try day(session, window) == expected, "\(offset)")
    }
    // Others could have written it.
    try Data(whole).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
    #expect(try day(session, window) == expected)
    // A folder that is none.
    try FileManager.default.removeItem(atPath: folder)
    try Data().write(to: URL(fileURLWithPath: folder))
    #expect(try day(session, window) == expected)
    try FileManager.default.removeItem(atPath: folder)
    let elsewhere = session.folder.appendingPathComponent("elsewhere").path
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: elsewhere)
    #expect(try day(session, window) == expected)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
  }

  @Test("the files are their owner's alone, a few of them, and a small store has none")
  func files() throws {
    let session = try StoreSession()
    try session.importing(Self.everyDay(130))
    let folder = session.path + "-days"
    for number in 0..<20 {
      _ = try day(session, try window(session, day: number, zone: "UTC"))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.sorted() == (0..<8).map { "\($0)" })
    for (path, expected) in [(folder, 0o700), (folder + "/0", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == expected)
    }
    let small = try StoreSession()
    try small.importing(Self.everyDay(5))
    _ = try day(small, try window(small, day: 0, zone: "UTC"))
    #expect(!FileManager.default.fileExists(atPath: small.path + "-days"))
  }
}
