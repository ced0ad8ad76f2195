import AgendaKit
import TestSupport
import Testing

@Suite("events that a program makes")
struct ProgramEventsTests {
  private func event(_ uid: String, hour: Int, description: String) throws -> Event {
    var details = EventDetails()
    details.description = description
    let date = try #require(CivilDate(year: 2026, month: 11, day: 2))
    let time = try #require(TimeOfDay(hour: hour, minute: 0))
    return Event(
      uid: uid, title: uid, start: .utc(CivilDateTime(date, time)),
      rules: [try Rule(parsing: "FREQ=DAILY;COUNT=2")], calendar: "own", details: details)
  }

  @Test("each is listed, found and rendered with its own details", arguments: AgendaFormat.allCases)
  func ownDetails(format: AgendaFormat) throws {
    let events = [
      try event("Lunch", hour: 12, description: "with Ana"),
      try event("Dinner", hour: 19, description: "with Bo"),
    ]
    let window = try #require(RandomEvents.window())
    let calendars = Calendars(events: events)
    let agenda = try calendars.agenda(in: window)
    #expect(
      agenda.sections.map { $0.entries.map(\.title) } == [
        ["Lunch", "Dinner"], ["Lunch", "Dinner"],
      ])
    #expect(
      agenda.sections.flatMap(\.entries).map { calendars.details(of: $0.event).description }
        == ["with Ana", "with Bo", "with Ana", "with Bo"])
    let bo = try calendars.agenda(in: window, of: Selection(words: ["bo"]))
    #expect(bo.sections.flatMap(\.entries).map(\.title) == ["Dinner", "Dinner"])
    // The trap: the calendars that render the agenda have other events at the same places.
    let household = Repository.fixtures.appendingPathComponent("calendars/household.ics").path
    let others = try Calendars(contentsOf: [household])
    for renderer in [calendars, others] {
      let text = renderer.rendering(agenda, as: format)
      #expect(text.contains("Dinner"))
      guard [.json, .jsonl, .html].contains(format) else { continue }
      let lunch = try #require(text.firstRange(of: "with Ana"))
      let dinner = try #require(text.firstRange(of: "with Bo"))
      #expect(lunch.lowerBound < dinner.lowerBound)
    }
  }

  @Test("equal values are equal, whatever made them")
  func equality() throws {
    let window = try #require(RandomEvents.window())
    var source = RandomEvents(seed: 3)
    let events = source.events(30)
    let one = try Calendars(events: events).agenda(in: window)
    let same = try Calendars(events: events).agenda(in: window)
    #expect(one == same)
    #expect(Set([one, same]).count == 1)
    #expect(Array(one.sections) == Array(same.sections))
    var changed = events
    changed[4].location = "elsewhere"
    #expect(try Calendars(events: changed).agenda(in: window) != one)
    #expect(Set(one.sections.flatMap(\.entries).map(\.id)).count == 30)
  }
}
