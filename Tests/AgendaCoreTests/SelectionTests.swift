import AgendaCore
import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite("What a selection takes up")
struct SelectionTests {
  private static func details(_ reference: EventReference) -> EventDetails {
    var details = EventDetails()
    details.description = "Bring the Prüfstand report"
    details.organizer = Person(name: "Ana Müller", email: "ana@example.com")
    details.attendees = [
      Attendee(
        person: Person(name: "Bo", email: "Bo@Example.com"), participation: "declined",
        role: "req-participant"),
      Attendee(
        person: Person(name: "Cy", email: "cy@example.com"), participation: "accepted",
        role: "req-participant"),
    ]
    return details
  }

  private func admits(
    _ selection: Selection, _ event: Event, at start: String = "2026-11-21T09:00",
    seconds: Int = 3600
  )
    throws -> Bool
  {
    let occurrence = try AgendaSample.timed(start, seconds: seconds, .utc, event)
    return selection.admits(occurrence, details: Self.details)
  }

  @Test(
    "words are found in any letter case, without accents, in all that people read",
    arguments: [
      (["café"], true), (["CAFE"], true), (["rev", "münchen"], true), (["rev", "munchen"], true),
      (["prufstand"], true), (["muller"], true), (["bo@example"], true), (["team"], true),
      (["review", "nowhere"], false), ([], true), (["日本"], true), (["本語"], true),
      (["ΠΈΤΡΟΣ"], true), (["πέτροσ"], true),
    ])
  func words(words: [String], isFound: Bool) throws {
    let event = AgendaSample.event(
      "Review im Café 日本語 mit Πέτρος", location: "Mu\u{308}nchen", categories: ["Team"])
    #expect(try admits(Selection(words: words), event) == isFound)
  }

  @Test("details are not asked for where the title says it all")
  func lazyDetails() throws {
    let occurrence = try AgendaSample.timed(
      "2026-11-21T09:00", seconds: 0, .utc, AgendaSample.event("Review"))
    var asked = 0
    let counting = { (reference: EventReference) -> EventDetails in
      asked += 1
      return Self.details(reference)
    }
    #expect(Selection(words: ["review"]).admits(occurrence, details: counting))
    #expect(Selection().admits(occurrence, details: counting))
    #expect(asked == 0)
    #expect(!Selection(words: ["nowhere"]).admits(occurrence, details: counting))
    #expect(asked == 1)
  }

  @Test("cancelled ones and tasks only when asked for, journals never")
  func kinds() throws {
    let cancelled = AgendaSample.event("x", status: .cancelled)
    #expect(try !admits(Selection(), cancelled))
    #expect(try admits(Selection(includesCancelled: true), cancelled))
    let task = AgendaSample.event("x", kind: .task)
    #expect(try !admits(Selection(), task))
    #expect(try admits(Selection(includesTasks: true), task))
    #expect(try !admits(Selection(includesTasks: true), AgendaSample.event("x", kind: .journal)))
  }

  @Test("calendars are selected by name, ignoring letter case")
  func calendars() throws {
    let event = AgendaSample.event("x", calendar: "Work")
    #expect(try admits(Selection(calendars: ["home", "work"]), event))
    #expect(try !admits(Selection(calendars: ["home"]), event))
  }

  @Test("entries that this attendee has declined are hidden, those of others are not")
  func declined() throws {
    let event = AgendaSample.event("x")
    #expect(try !admits(Selection(notDeclinedBy: "bo@example.com"), event))
    #expect(try admits(Selection(notDeclinedBy: "cy@example.com"), event))
    #expect(try admits(Selection(notDeclinedBy: "dee@example.com"), event))
  }

  @Test("started entries and finished entries differ")
  func started() throws {
    let now = Instant(
      utc: CivilDateTime(
        try AgendaSample.date("2026-11-21"), try #require(TimeOfDay(hour: 9, minute: 0))))
    let event = AgendaSample.event("x")
    let notStarted = Selection(notStartedAt: now)
    #expect(try !admits(notStarted, event, at: "2026-11-21T08:59"))
    #expect(try !admits(notStarted, event, at: "2026-11-21T09:00"))
    #expect(try admits(notStarted, event, at: "2026-11-21T09:01"))
    let notOver = Selection(notOverAt: now)
    #expect(try !admits(notOver, event, at: "2026-11-21T08:00"))
    #expect(try admits(notOver, event, at: "2026-11-21T08:01"))
    #expect(try admits(notOver, event, at: "2026-11-21T09:00", seconds: 0))
    #expect(try !admits(notOver, event, at: "2026-11-21T08:59", seconds: 0))
    let holiday = try AgendaSample.allDay("2026-11-21", days: 1, .utc, event)
    #expect(notStarted.admits(holiday, details: Self.details))
  }

  @Test("many occurrences come about in the order of time, none is lost or doubled")
  func gathered() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    let window = try AgendaSample.window("2026-01-01", days: 365, zone)
    var random = SeededGenerator(seed: 11)
    let series = try (0..<6000 * TestSettings.rounds).map { number in
      // Some begin before the window, and a few at its very end.
      let days =
        number % 50 == 0 ? 364 : Int.random(in: number % 20 == 0 ? -5...0 : 0...364, using: &random)
      let date = try #require(window.firstDay.adding(days: days))
      let time = try #require(
        TimeOfDay(hour: Int.random(in: 0...23, using: &random), minute: number % 60))
      let length = EventDuration(days: number % 20 == 0 ? 7 : 0, seconds: 3600)
      return Series(
        Event(
          identity: EventIdentity(uid: "\(number)"), kind: .event,
          start: .zoned(CivilDateTime(date, time), zone), extent: .duration(length),
          title: "\(number)", calendar: "home",
          reference: EventReference(source: 0, component: number)))
    }
    let found = Selection().listing(of: series, in: window, details: Self.details).occurrences
    let single = series.flatMap {
      Selection().listing(of: [$0], in: window, details: Self.details).occurrences
    }
    #expect(single.count == series.count)
    #expect(
      found.map(\.event.reference.component).sorted()
        == single.map(\.event.reference.component).sorted())
    // No occurrence begins much earlier than one before it in the list.
    let parts = found.count / 1024
    let most = (window.end.secondsSinceEpoch - window.start.secondsSinceEpoch) / parts + 1
    var latest = window.start.secondsSinceEpoch
    for occurrence in found {
      let begin = max(occurrence.begin, window.start).secondsSinceEpoch
      #expect(begin + most >= latest, "\(occurrence.begin)")
      latest = max(latest, begin)
    }
    #expect(latest < window.end.secondsSinceEpoch)
  }
}
