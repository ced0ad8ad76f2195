import CivilTime
import Recurrence
import Testing

@testable import AgendaCore

/// When two components say the same, whatever words they use.
@Suite struct EventContentTests {
  private static func content(_ event: Event) -> EventContent {
    EventContent(event, meaning: 1, lasting: 2, text: 3)
  }

  private static func date(
    _ extent: Extent, kind: Event.Kind = .event, rules: [String] = []
  ) -> EventContent {
    content(
      SeriesTests.event("a", SeriesTests.date("20240101"), extent: extent, rules: rules, kind: kind)
    )
  }

  private static func timed(_ extent: Extent, rules: [String] = []) -> EventContent {
    content(
      SeriesTests.event("a", SeriesTests.utc("20240101T090000"), extent: extent, rules: rules))
  }

  private static func length(days: Int = 0, seconds: Int = 0) -> Extent {
    .duration(EventDuration(days: days, seconds: seconds))
  }

  // Checks RFC 5545: 3.6.1/8, 3.6.1/9
  @Test("an all-day event without an end lasts its day, a task and an event at a time do not")
  func unstated() {
    #expect(Self.date(.unstated) == Self.date(.end(SeriesTests.date("20240102"))))
    #expect(Self.date(.unstated) == Self.date(Self.length(days: 1)))
    #expect(Self.date(.unstated) != Self.date(.end(SeriesTests.date("20240103"))))
    #expect(Self.date(.unstated, kind: .task) != Self.date(Self.length(days: 1), kind: .task))
    #expect(Self.timed(.unstated) == Self.timed(.end(SeriesTests.utc("20240101T090000"))))
    #expect(Self.timed(.unstated) != Self.timed(Self.length(days: 1)))
  }

  @Test("an end and a duration are the same length, and a day is 24 hours unless it repeats")
  func lengths() {
    let hours = Self.timed(.end(SeriesTests.utc("20240102T100000")))
    #expect(hours == Self.timed(Self.length(seconds: 25 * 3600)))
    #expect(hours == Self.timed(Self.length(days: 1, seconds: 3600)))
    #expect(hours != Self.timed(Self.length(days: 1)))
    let daily = ["FREQ=DAILY"]
    #expect(
      Self.timed(Self.length(days: 1), rules: daily)
        != Self.timed(Self.length(seconds: 24 * 3600), rules: daily))
  }

  @Test("the zone of a single event is only its moment, that of a series also its clocks")
  func zones() throws {
    let berlin = try AgendaSample.zone("Europe/Berlin")
    let paris = try AgendaSample.zone("Europe/Paris")
    let civil = SeriesTests.civil("20240101T100000")
    let times: [EventTime] = [
      .zoned(civil, berlin), .zoned(civil, paris), SeriesTests.utc("20240101T090000"),
    ]
    for rules in [[], ["FREQ=WEEKLY"]] {
      let contents = times.map {
        Self.content(SeriesTests.event("a", $0, rules: rules)).meaning
      }
      // Their clocks were different before 1980.
      #expect(Set(contents).count == (rules.isEmpty ? 1 : 3))
    }
  }

  @Test("of equal meanings the greater text comes last")
  func order() {
    let event = SeriesTests.event("a", SeriesTests.utc("20240101T090000"))
    let contents = [3, 1, 2].map { EventContent(event, meaning: 9, lasting: 9, text: $0) }
    #expect(contents.sorted().map(\.text) == [1, 2, 3])
  }
}
