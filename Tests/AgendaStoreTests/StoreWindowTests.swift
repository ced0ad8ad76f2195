import AgendaCore
import AgendaStore
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct StoreWindowTests {
  private static let rounds = TestSettings.rounds

  @Test("the index finds every series that touches a window")
  func windows() throws {
    var missing = 0
    for round in 0..<(4 * Self.rounds) {
      let session = try StoreSession()
      var series = RandomSeries(seed: UInt64(round) &+ 100)
      let components = (0..<60).map { series.components(uid: "uid-\($0)") }
      try session.importing(calendarText(components.flatMap(\.self)))
      let store = try session.store()
      let whole = try store.allSeries()
      for _ in 0..<40 {
        guard let (window, viewer) = series.window(session.zones), !window.isEmpty else { continue }
        let expected = Self.lines(whole, window, viewer)
        let found = Self.lines(
          try store.series(touching: window, viewer: viewer), window, viewer)
        guard expected != found else { continue }
        missing += 1
        let wrong = Set(expected).symmetricDifference(found)
        let uids = Set(wrong.compactMap { $0.split(separator: " ").first.map(String.init) })
        let culprits = components.joined().filter { text in
          uids.contains { text.contains("UID:\($0)\n") }
        }
        Issue.record(
          "round \(round), \(window) for \(viewer.name): \(wrong)\n\(culprits.joined(separator: "\n"))"
        )
        if missing > 3 { return }
      }
    }
  }

  private static func lines(
    _ series: [Series], _ window: Range<Instant>, _ viewer: Zone
  ) -> [String] {
    series.flatMap { series in
      series.occurrences(touching: window, viewer: viewer, includingCancelled: true).map {
        """
        \($0.event.identity.uid) \(OccurrenceID(of: $0)) \($0.begin)–\($0.finish) \
        \(String(describing: $0.allDay)) \(String(describing: $0.recurrenceID)) \
        \($0.event.kind) \($0.event.title) \(String(describing: $0.event.status))
        """
      }
    }.sorted()
  }

  @Test(
    "a date that lasts longer than the series is found on its last day, and not after it",
    arguments: ["20260601T000000Z/20260620T120000Z", "20260601T000000Z/P19DT12H"])
  func longDate(period: String) throws {
    let session = try StoreSession()
    try session.importing(
      calendar(
        event(
          "a", "DTSTART:20260101T100000Z", "DURATION:PT1H", "RDATE;VALUE=PERIOD:\(period)")))
    for (day, count) in [("01-01", 1), ("01-02", 0), ("06-01", 1), ("06-20", 1), ("06-21", 0)] {
      let begin = try #require(Instant(rfc3339: "2026-\(day)T00:00:00Z"))
      let window = begin..<begin.adding(seconds: 86_400)
      let found = try session.store().series(touching: window, viewer: .utc).flatMap {
        Array($0.occurrences(touching: window, viewer: .utc))
      }
      #expect(found.count == count, "\(day)")
    }
  }

  @Test("a series is found in the minute in which its alarm goes off, not hours before or after")
  func ringing() throws {
    let session = try StoreSession()
    try session.importing(
      calendar(
        event(
          "a@example.com", "DTSTART:20261124T100000Z", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER:-PT10M", "END:VALARM")))
    let alarm = try #require(Instant(rfc3339: "2026-11-24T09:50:00Z"))
    func found(from seconds: Int) throws -> Int {
      let begin = alarm.adding(seconds: seconds)
      return try session.store()
        .series(ringing: begin..<begin.adding(seconds: 60), viewer: .utc).count
    }
    #expect(try found(from: 0) == 1)
    #expect(try found(from: -59) == 1)
    for hours in [-48, 48] { #expect(try found(from: hours * 60 * 60) == 0) }
  }
}
