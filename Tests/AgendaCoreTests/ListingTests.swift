import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import AgendaCore

/// Listings with more entries than they can show.
@Suite struct ListingTests {
  private static let limit = 20_000

  private static func utc(_ text: String) throws -> EventTime {
    .utc(try #require(Instant(rfc3339: text + "Z")).utc)
  }

  private static func event(
    _ uid: String, _ start: String, rules: [String] = [], exceptionRules: [String] = [],
    end: String? = nil, title: String = "", categories: [String] = []
  ) throws -> Event {
    Event(
      identity: EventIdentity(uid: uid), kind: .event, start: try utc(start),
      extent: try end.map { .end(try utc($0)) } ?? .unstated,
      recurrence: rules.isEmpty
        ? nil
        : Event.Recurrence(
          rules: try rules.map { try Rule(parsing: $0) },
          exceptionRules: try exceptionRules.map { try Rule(parsing: $0) }),
      title: title, categories: categories, calendar: "work",
      reference: EventReference(source: 0, component: 0))
  }

  private static func listing(
    _ events: [Event], from day: String, days: Int, _ selection: Selection = Selection(),
    details: EventDetails = EventDetails(), atMost limit: Int = limit
  ) throws -> Listing {
    let window = try AgendaSample.window(day, days: days, .utc)
    return selection.listing(of: events.map { Series($0) }, in: window, atMost: limit) { _ in
      details
    }
  }

  private static func counts(_ listing: Listing) -> [String: Int] {
    Dictionary(grouping: listing.occurrences, by: \.event.identity.uid).mapValues(\.count)
  }

  // Checks Decisions: Recurrence/14
  @Test("a listing ends with the last day before which all entries fit, in any order of the events")
  func lastDay() throws {
    // Each of four events begins every day and never ends.
    let events =
      try (0..<4).map {
        try Self.event(
          "\($0)", "2023-10-01T00:00:00", rules: ["FREQ=DAILY"], end: "9999-01-01T00:00:00")
      } + [try Self.event("late", "2024-12-31T09:00:00")]
    var sum = 0
    var days = 0
    let before = 92
    while sum + 4 * (before + days + 1) <= Self.limit {
      sum += 4 * (before + days + 1)
      days += 1
    }
    for events in [events, events.reversed()] {
      let listing = try Self.listing(events, from: "2024-01-01", days: 366)
      #expect(
        listing.window.dayAfterLast == listing.window.firstDay.adding(days: days), "\(days)")
      let count = before + days
      #expect(Self.counts(listing) == ["0": count, "1": count, "2": count, "3": count])
      let last = try #require(listing.window.firstDay.adding(days: days - 1))
      #expect(listing.cut?.severity == .error)
      #expect(listing.cut?.message == "more than 20000 entries in the window")
      #expect(listing.cut?.action == "the listing ends with \(last)")
      #expect(listing.findings.isEmpty)
      #expect(Agenda(listing.occurrences, in: listing.window).entryCount == sum)
    }
  }

  @Test("if the first day has too many entries, its first ones are listed")
  func firstDay() throws {
    let events =
      try (0..<40).map { try Self.event("\($0)", "2020-01-01T00:00:00", rules: ["FREQ=SECONDLY"]) }
      + [try Self.event("early", "2024-01-01T00:05:00")]
      + [try Self.event("late", "2024-01-01T00:09:00")]
    for events in [events, events.reversed()] {
      let listing = try Self.listing(events, from: "2024-01-01", days: 366)
      let counts = Self.counts(listing)
      // 40 entries a second, and one more.
      #expect(counts["early"] == 1 && counts["late"] == nil && counts["7"] == 499, "\(counts)")
      #expect(listing.occurrences.count == 40 * 499 + 1)
      #expect(listing.window.dayAfterLast == listing.window.firstDay.adding(days: 1))
      #expect(listing.cut?.action == "the listing ends during its first day, 2024-01-01")
    }
  }

  @Test("long titles count as several entries, and descriptions in listings that show them")
  func longTexts() throws {
    // With the UID of one byte, each of these entries counts as 256.
    let long = String(repeating: "é", count: 255 * 225)
    let titled = try Self.event(
      "1", "2021-01-01T00:00:00", rules: ["FREQ=HOURLY"], title: long)
    let listing = try Self.listing([titled], from: "2025-01-01", days: 365)
    let days = Self.limit / 256 / 24
    #expect(listing.window.dayAfterLast == listing.window.firstDay.adding(days: days))
    var details = EventDetails()
    details.description = String(repeating: "a", count: 450 * 99)
    let described = try Self.event("1", "2021-01-01T00:00:00", rules: ["FREQ=HOURLY"])
    var selection = Selection()
    let hidden = try Self.listing(
      [described], from: "2025-01-01", days: 365, selection, details: details)
    #expect(hidden.cut == nil && hidden.occurrences.count == 365 * 24)
    selection.entrySize = EntrySize(.all)
    let shown = try Self.listing(
      [described], from: "2025-01-01", days: 365, selection, details: details)
    #expect(shown.window.dayAfterLast == shown.window.firstDay.adding(days: 200 / 24))
  }

  @Test("an entry counts once for each of its categories, if they are sections")
  func categories() throws {
    let many = try Self.event(
      "1", "2024-01-01T00:00:00", rules: ["FREQ=HOURLY"],
      categories: (0..<50).map { "\($0 % 10)" })
    var selection = Selection()
    #expect(try Self.listing([many], from: "2024-01-01", days: 500, selection).cut == nil)
    selection.listsByCategory = true
    let listing = try Self.listing([many], from: "2024-01-01", days: 500, selection)
    #expect(listing.window.dayAfterLast == listing.window.firstDay.adding(days: 400 / 24))
  }

  @Test("events with many excluded occurrences share the work for them, and hide no others")
  func excluded() throws {
    let events =
      try (0..<15).map {
        try Self.event(
          "\($0)", "2020-01-01T00:00:00", rules: ["FREQ=SECONDLY"],
          exceptionRules: ["FREQ=SECONDLY"])
      } + [try Self.event("daily", "2020-01-01T09:00:00", rules: ["FREQ=DAILY"])]
    let listing = try Self.listing(events, from: "2024-01-01", days: 366)
    #expect(Self.counts(listing) == ["daily": 366])
    let messages = Dictionary(grouping: listing.findings, by: \.finding.message)
      .mapValues(\.count)
    #expect(messages["more than 200 occurrences are excluded or duplicates"] ?? 0 >= 4)
    #expect(messages.values.reduce(0, +) == 15)
    #expect(listing.cut == nil)
  }

  @Test("few passes over the events find where a listing ends")
  func passes() throws {
    let events = try (0..<200).map {
      try Self.event("\($0)", "2021-01-01T00:00:00", rules: ["FREQ=DAILY"])
    }
    var selection = Selection()
    // Whether somebody has declined an event is asked each time that its occurrences are gone through.
    selection.notDeclinedBy = "ana@example.com"
    var questions = 0
    let window = try AgendaSample.window("2024-01-01", days: 3_650, .utc)
    let series = events.map { Series($0) }
    let listing = selection.listing(of: series, in: window, atMost: Self.limit) { _ in
      questions += 1
      return EventDetails()
    }
    #expect(listing.window.dayAfterLast == listing.window.firstDay.adding(days: 100))
    #expect(questions < 4 * events.count)
  }

  @Test("the counter keeps the most slots that have few enough entries, by brute force")
  func counter() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 * TestSettings.rounds {
      let slots = Int.random(in: 1...30, using: &random)
      let most = Int.random(in: 0...100, using: &random)
      var counter = EntryCounter(slots: slots, atMost: most)
      var entries = [Int](repeating: 0, count: slots)
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let first = Int.random(in: 0..<slots, using: &random)
        let last = Int.random(in: first...slots + 3, using: &random)
        let weight = Int.random(in: 1...5, using: &random)
        counter.add(first...last, weight: weight)
        for slot in first...min(last, slots - 1) { entries[slot] += weight }
      }
      let fitting = (0...slots).last { entries[..<$0].reduce(0, +) <= most }
      #expect(counter.slots == fitting)
    }
  }
}
