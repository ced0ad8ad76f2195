import AgendaCore
import TestSupport
import Testing

@testable import AgendaKit

/// The occurrence nearest to a moment, compared with a list of all of them.
@Suite("the occurrence nearest to a moment")
struct LastOccurrenceTests {
  private let zone = Zone.utc

  private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

  private func calendar(_ events: [String]) throws -> Calendars {
    let lines = events.map { "BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\n\($0)\nEND:VEVENT" }
    return try Calendars(
      text: "BEGIN:VCALENDAR\n\(lines.joined(separator: "\n"))\nEND:VCALENDAR\n", name: "work")
  }

  private func series(of event: Event, _ calendars: Calendars) throws -> Series {
    let events = try calendars.series(of: event, zone: zone)
    return Series(events[0], overrides: Array(events.dropFirst()))
  }

  @Test(
    "the last occurrence before a moment is the last of all",
    arguments: [
      "FREQ=DAILY", "FREQ=DAILY;UNTIL=20250401T090000Z", "FREQ=HOURLY;COUNT=900", "FREQ=MINUTELY",
      "FREQ=MINUTELY;BYMONTH=2;BYDAY=MO;BYHOUR=7,8", "FREQ=YEARLY", "FREQ=MONTHLY;BYMONTHDAY=31",
      "FREQ=SECONDLY;COUNT=5000", "FREQ=MINUTELY;COUNT=30000",
    ])
  func last(rule: String) throws {
    let calendars = try calendar([
      "UID:1\nDTSTART:20250101T090000Z\nRRULE:\(rule)\nEXDATE:20250108T090000Z\nSUMMARY:Choir"
    ])
    let all = try instant("2025-01-01T00:00:00Z")..<instant("2025-03-10T00:00:00Z")
    let event = try #require(
      try calendars.search(Selection(words: ["choir"]), now: all.lowerBound, zone: zone).first?
        .event)
    let series = try self.series(of: event, calendars)
    let occurrences = series.occurrences(touching: all, viewer: zone).map(\.begin)
    let prepared = PreparedSeries(series, viewer: zone)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20 {
      let moment = all.lowerBound.adding(seconds: Int.random(in: 0..<5_900_000, using: &random))
      var looked = 0
      let found = prepared.lastOccurrence(before: moment, includingCancelled: false) { _ in
        looked += 1
        return true
      }
      #expect(found?.begin == occurrences.last { $0 < moment }, "\(rule) \(moment)")
      #expect(looked < 3_000)
    }
  }

  @Test("a search finds tasks without a date, after all others, if tasks are asked for")
  func undated() throws {
    let event = "BEGIN:VEVENT\nUID:e\nDTSTART:20200101T090000Z\nSUMMARY:Buy a cake\nEND:VEVENT"
    let task = "BEGIN:VTODO\nUID:t\nSUMMARY:Buy apples\nEND:VTODO"
    let calendars = try Calendars(
      text: "BEGIN:VCALENDAR\n\(task)\n\(event)\nEND:VCALENDAR\n", name: "work")
    let now = try instant("2026-11-21T12:00:00Z")
    func titles(_ selection: Selection) throws -> [String] {
      try calendars.search(selection, now: now, zone: zone).map(\.event.title)
    }
    #expect(
      try titles(Selection(words: ["buy"], includesTasks: true)) == ["Buy a cake", "Buy apples"])
    #expect(try titles(Selection(words: ["apples"], includesTasks: true)) == ["Buy apples"])
    #expect(try titles(Selection(words: ["buy"])) == ["Buy a cake"])
  }

  @Test("the overrides of a series are prepared once for all spans that are searched")
  func manyRanges() throws {
    let first = try instant("2026-01-01T00:00:00Z")
    let overrides = (1...2_000).map { number in
      let time = first.adding(seconds: 3_600 * number)
      let text = time.rfc3339(in: .utc).filter { $0 != "-" && $0 != ":" }
      return "UID:1\nRECURRENCE-ID;RANGE=THISANDFUTURE:\(text)\nDTSTART:\(text)\nSUMMARY:Choir"
    }
    let calendars = try calendar(
      ["UID:1\nDTSTART:20260101T000000Z\nRRULE:FREQ=HOURLY\nSUMMARY:Choir"] + overrides)
    let event = try #require(
      try calendars.search(Selection(words: ["choir"]), now: first, zone: zone).first?.event)
    let series = try self.series(of: event, calendars)
    #expect(series.overrides.count == 2_000)
    let preparation = ProcessorTime.of { _ = PreparedSeries(series, viewer: zone) }
    // None is wanted, so that all spans are searched.
    let search = ProcessorTime.of {
      let prepared = PreparedSeries(series, viewer: zone)
      #expect(
        prepared.lastOccurrence(before: first.adding(seconds: 100), includingCancelled: false) {
          _ in false
        } == nil)
    }
    #expect(search < 4 * preparation)
  }

  @Test("search finds a single occurrence with other words, however many others there are")
  func override() throws {
    let calendars = try calendar([
      "UID:1\nDTSTART:20000101T000000Z\nRRULE:FREQ=SECONDLY\nSUMMARY:Clock",
      "UID:1\nRECURRENCE-ID:20100101T000000Z\nDTSTART:20100101T000000Z\nSUMMARY:Dentist",
      "UID:1\nRECURRENCE-ID:20000101T000000Z\nDTSTART:20000101T000000Z\nSUMMARY:Choir",
    ])
    for now in ["1999-01-01T00:00:00Z", "2005-01-01T00:00:00Z", "2026-01-01T00:00:00Z"] {
      for (word, begin) in [
        ("dentist", "2010-01-01T00:00:00Z"), ("choir", "2000-01-01T00:00:00Z"),
      ] {
        let found = try calendars.search(
          Selection(words: [word]), now: instant(now), zone: zone)
        #expect(found.map(\.begin) == [try instant(begin)])
        #expect(found.map(\.recurrenceID?.civil) == [try instant(begin).utc])
      }
    }
    #expect(
      try calendars.search(
        Selection(words: ["opera"]), now: instant("2026-01-01T00:00:00Z"), zone: zone
      ).isEmpty)
  }
}
