import CivilTime
import Recurrence
import Testing

@testable import AgendaCore

/// The properties of an event as programs set them.
@Suite struct EventTests {
  private static let event = SeriesTests.event("a", SeriesTests.utc("20240101T090000"))

  @Test("a changed copy leaves the original as it is")
  func copies() {
    var copy = Self.event
    copy.uid = "b"
    copy.recurrenceID = SeriesTests.utc("20240102T090000")
    copy.kind = .task
    copy.extent = .duration(EventDuration(days: 0, seconds: 60))
    #expect(Self.event.uid == "a" && Self.event.recurrenceID == nil && Self.event.kind == .event)
    #expect(Self.event.extent == .unstated)
    #expect(copy.uid == "b" && copy.identity.uid == "b" && copy.kind == .task)
    #expect(copy.recurrenceID == copy.identity.recurrenceID && copy.recurrenceID != nil)
    #expect(copy.extent == .duration(EventDuration(days: 0, seconds: 60)))
    #expect(copy != Self.event && Set([copy, Self.event, copy]).count == 2)
  }

  @Test("rules and removed dates make a series, and without them it is a single event again")
  func series() throws {
    var event = Self.event
    #expect(event.rules.isEmpty && event.exceptionDates.isEmpty)
    event.rules = [try Rule(parsing: "FREQ=DAILY;COUNT=3")]
    event.exceptionDates = [SeriesTests.utc("20240102T090000")]
    #expect(SeriesTests.begins([event]) == ["01-01T09:00", "01-03T09:00"])
    #expect(event.exceptionDates.count == 1 && event.rules.first?.count == 3)
    event.exceptionDates = []
    #expect(SeriesTests.begins([event]).count == 3)
    event.rules = []
    #expect(event == Self.event && SeriesTests.begins([event]) == ["01-01T09:00"])
  }

  @Test("a time names one occurrence of a series, a date all that are on it")
  func namedOccurrences() throws {
    let series = SeriesTests.event(
      "a", SeriesTests.utc("20240101T090000"), rules: ["FREQ=DAILY;BYHOUR=9,15;COUNT=6"])
    let times = try #require(SeriesTimes(series, viewer: .utc))
    let (morning, afternoon) = (
      SeriesTests.utc("20240102T090000"), SeriesTests.utc("20240102T150000")
    )
    #expect(times.starts(of: morning) == [morning])
    #expect(times.starts(of: afternoon) == [afternoon])
    #expect(times.starts(of: SeriesTests.date("20240102")) == [morning, afternoon])
    #expect(times.starts(of: SeriesTests.utc("20240102T100000")).isEmpty)
    #expect(times.start(of: SeriesTests.date("20240104")) == nil)
  }

  @Test("a date of RDATE with a length of its own keeps it under an override with RANGE")
  func lengthOfDate() throws {
    var series = SeriesTests.event(
      "a", SeriesTests.utc("20240101T090000"), extent: .end(SeriesTests.utc("20240101T100000")),
      rules: ["FREQ=DAILY;COUNT=3"])
    let long = EventDuration(days: 0, seconds: 7200)
    series.recurrence?.dates = [
      RecurrenceDate(start: SeriesTests.utc("20240102T180000"), extent: .duration(long))
    ]
    let range = SeriesTests.event(
      "a", SeriesTests.utc("20240102T110000"), extent: .end(SeriesTests.utc("20240102T113000")),
      recurrenceID: SeriesTests.utc("20240102T090000"), following: true)
    let plain = try #require(
      series.override(at: SeriesTests.utc("20240103T090000"), among: [range]))
    #expect(plain.start == SeriesTests.utc("20240103T110000"))
    #expect(plain.extent == .end(SeriesTests.utc("20240103T113000")))
    let date = try #require(
      series.override(at: SeriesTests.utc("20240102T180000"), among: [range]))
    #expect(date.start == SeriesTests.utc("20240102T200000"))
    #expect(date.extent == .duration(long))
    #expect(series.override(at: SeriesTests.utc("20240104T090000"), among: [range]) == nil)
  }
}
