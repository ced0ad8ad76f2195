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
}
