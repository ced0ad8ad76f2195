import CivilTime
import Recurrence
import Testing

@testable import AgendaCore

/// The visible differences between two states, of events that are built here.
@Suite("The changes from one state to another")
struct SeriesComparisonTests {
  private static let weekly = event("a", "20261123T090000", rules: ["FREQ=WEEKLY"])

  private static func event(
    _ uid: String, _ start: String, component: Int = 1, source: Int = 1, title: String = "Standup",
    replacing: String? = nil, following: Bool = false, rules: [String] = [],
    status: Event.Status? = nil, sequence: Int = 0
  ) -> Event {
    var event = SeriesTests.event(
      uid, SeriesTests.utc(start), recurrenceID: replacing.map { SeriesTests.utc($0) },
      following: following, rules: rules, status: status, sequence: sequence, title: title)
    event.reference = EventReference(source: source, component: component)
    return event
  }

  private static func changed(_ event: Event, _ change: (inout Event) -> Void) -> Event {
    var event = event
    event.reference.component += 100
    change(&event)
    return event
  }

  /// What the events of a state have besides: by component.
  private struct Reading: EventReading {
    var descriptions: [Int: String] = [:]
    var comments: [Int: String] = [:]

    func details(of event: EventReference) -> EventDetails {
      var details = EventDetails()
      details.description = descriptions[event.component]
      return details
    }

    func content(of event: Event) -> EventContent {
      let text = UInt64(truncatingIfNeeded: event.title.hashValue)
      return EventContent(event, meaning: text, lasting: text, text: text)
    }

    func otherLines(of event: EventReference) -> [String: Set<[UInt8]>] {
      comments[event.component].map { ["COMMENT": [Array($0.utf8)]] } ?? [:]
    }
  }

  private static func state(
    _ series: [Series], derivations: [EventReference: Derivation] = [:],
    _ reading: Reading = Reading()
  ) -> SeriesState {
    SeriesState(series, derivations: derivations, reading: reading)
  }

  /// `moved Standup 1`: the kind, the title, and the names of properties.
  private static func changes(
    _ before: SeriesState, _ after: SeriesState, splits: [SeriesComparison.Split] = []
  ) -> [String] {
    SeriesComparison.changes(from: before, to: after, splits: splits, viewer: .utc).inListOrder
      .map { change in
        let event = change.after ?? change.before
        let overrides = change.overrides > 0 ? " +\(change.overrides)" : ""
        let properties = change.properties.map { " \($0)" }.joined()
        return "\(change.kind.rawValue) \(event?.title ?? "")\(overrides)\(properties)"
      }
  }

  private static func changes(
    _ before: [Series], _ after: [Series], splits: [SeriesComparison.Split] = []
  ) -> [String] {
    changes(state(before), state(after), splits: splits)
  }

  @Test("the same components are no change, nor are new ones that say the same")
  func nothing() {
    let series = [Series(Self.weekly)]
    #expect(Self.changes(series, series) == [])
    #expect(
      Self.changes(series, [Series(Self.changed(Self.weekly) { $0.version.sequence = 7 })]) == [])
  }

  @Test("a series is added and removed with its overrides as one change")
  func whole() {
    let override = Self.event("a", "20261201T090000", component: 2, replacing: "20261130T090000")
    let series = [Series(Self.weekly, overrides: [override])]
    #expect(Self.changes([], series) == ["added Standup +1"])
    #expect(Self.changes(series, []) == ["removed Standup +1"])
  }

  @Test("a new title, a new time and a cancellation are changes")
  func properties() {
    let before = [Series(Self.weekly)]
    func after(_ change: (inout Event) -> Void) -> [Series] {
      [Series(Self.changed(Self.weekly, change))]
    }
    #expect(Self.changes(before, after { $0.title = "Retro" }) == ["changed Retro SUMMARY"])
    #expect(
      Self.changes(before, after { $0.start = SeriesTests.utc("20261123T100000") })
        == ["moved Standup DTSTART"])
    #expect(
      Self.changes(before, after { $0.status = .cancelled }) == ["cancelled Standup STATUS"])
  }

  @Test("details and lines of the text alone are compared")
  func details() {
    let new = Self.changed(Self.weekly) { _ in }
    let before = Self.state(
      [Series(Self.weekly)], Reading(descriptions: [1: "Old"], comments: [1: "yes"]))
    let after = Self.state([Series(new)], Reading(descriptions: [101: "New"], comments: [:]))
    #expect(Self.changes(before, after) == ["changed Standup DESCRIPTION COMMENT"])
  }

  @Test("a message that cancels the same component is a change")
  func message() {
    var cancelled = Self.weekly
    cancelled.status = .cancelled
    let after = Self.state(
      [Series(cancelled)],
      derivations: [cancelled.reference: Derivation(base: cancelled.reference, isCancelled: true)])
    #expect(Self.changes(Self.state([Series(Self.weekly)]), after) == ["cancelled Standup STATUS"])
    #expect(
      Self.changes(after, Self.state([Series(Self.weekly)])) == ["added Standup STATUS"])
  }

  @Test("an event that another source has in a newer version is changed, not removed and added")
  func otherSource() {
    let newer = Self.event("b", "20261124T090000", component: 7, source: 2, title: "New")
    let older = Self.event("b", "20261124T090000", component: 3, source: 1, title: "Old")
    #expect(Self.changes([Series(older)], [Series(newer)]) == ["changed New SUMMARY"])
  }

  @Test("an event that moves to another calendar is removed from one and added to the other")
  func otherCalendar() {
    let other = Self.changed(Self.weekly) { $0.calendar = "home" }
    #expect(
      Set(Self.changes([Series(Self.weekly)], [Series(other)]))
        == ["added Standup", "removed Standup"])
  }

  @Test("an override is compared with the occurrence that it replaces")
  func overrides() {
    let moved = Self.event(
      "a", "20261201T140000", component: 2, replacing: "20261130T090000")
    let plain = [Series(Self.weekly)]
    let replaced = [Series(Self.weekly, overrides: [moved])]
    #expect(Self.changes(plain, replaced) == ["moved Standup DTSTART"])
    #expect(Self.changes(replaced, plain) == ["moved Standup DTSTART"])
    // The series has no occurrence there.
    let extra = Self.event(
      "a", "20261202T140000", component: 2, replacing: "20261202T090000")
    #expect(
      Self.changes(plain, [Series(Self.weekly, overrides: [extra])]) == ["added Standup"])
  }

  @Test("of different events with one UID, only those that changed are listed")
  func sharedUID() {
    let first = Self.event("t", "20261123T090000", component: 1, title: "Maths")
    let second = Self.event("t", "20261124T090000", component: 2, title: "Music")
    let third = Self.event("t", "20261125T090000", component: 3, title: "Sports")
    let new = Self.changed(second) { $0.title = "Art" }
    #expect(
      Self.changes(
        [first, second, third].map { Series($0) }, [first, new, third].map { Series($0) })
        == ["changed Art SUMMARY"])
    #expect(
      Self.changes([first, second].map { Series($0) }, [first, second, third].map { Series($0) })
        == ["added Sports"])
  }

  @Test("the overrides of a series that moves move along")
  func movedSeries() {
    func override(_ start: String, _ place: String, _ component: Int) -> Event {
      Self.event("a", start, component: component, title: "Late", replacing: place)
    }
    let before = Series(
      Self.weekly, overrides: [override("20261201T140000", "20261130T090000", 2)])
    let later = Self.changed(Self.weekly) { $0.start = SeriesTests.utc("20261123T100000") }
    let after = Series(later, overrides: [override("20261201T140000", "20261130T100000", 3)])
    #expect(Self.changes([before], [after]) == ["moved Standup DTSTART"])
  }

  @Test("a series that was split and its rest are compared with the old series")
  func split() {
    let cut = Self.changed(Self.weekly) {
      $0.recurrence = Event.Recurrence(
        rules: [
          try? Rule(parsing: "FREQ=WEEKLY;UNTIL=20261207T085959Z")
        ].compactMap(\.self))
    }
    let rest = Self.event(
      "rest", "20261207T110000", component: 9, rules: ["FREQ=WEEKLY"])
    let key = { (event: Event) in SeriesState.SeriesKey(event) }
    let splits = [SeriesComparison.Split(old: key(Self.weekly), new: key(rest))]
    let (before, after) = ([Series(Self.weekly)], [Series(cut), Series(rest)])
    #expect(
      Self.changes(before, after, splits: splits)
        == ["changed Standup RRULE", "moved Standup DTSTART"])
    #expect(Self.changes(before, after) == ["changed Standup RRULE", "added Standup"])
  }

  @Test("an occurrence that is excluded and whose override goes is one removal")
  func exclusion() {
    let override = Self.event(
      "a", "20261201T140000", component: 2, title: "Late", replacing: "20261130T090000")
    let excluding = Self.changed(Self.weekly) {
      $0.recurrence?.exceptionDates = [SeriesTests.utc("20261130T090000")]
    }
    #expect(
      Self.changes(
        [Series(Self.weekly, overrides: [override])], [Series(excluding)]) == ["removed Late"])
  }

  @Test("every occurrence of a date that an override or an exception names is a change")
  func severalOnDate() throws {
    let twice = Self.event(
      "a", "20261123T090000", title: "Pill", rules: ["FREQ=DAILY;COUNT=6;BYHOUR=9,17"])
    let date = SeriesTests.date("20261124")
    func override(_ status: Event.Status?) -> Event {
      var event = Self.event("a", "20261124T120000", component: 2, title: "Once", status: status)
      event.identity.recurrenceID = date
      return event
    }
    func times(_ before: Series, _ after: Series) -> [String] {
      SeriesComparison.changes(
        from: Self.state([before]), to: Self.state([after]), viewer: .utc
      ).inListOrder.map { change in
        let hours = [change.before, change.after].map { event in
          event?.start.map { String($0.civil.time.hour) } ?? "-"
        }
        let exceptions = (change.excluded + change.restored).map { " \($0.civil.time.hour)" }
        return "\(change.kind.rawValue) \(hours.joined(separator: " "))\(exceptions.joined())"
      }
    }
    let (plain, moved) = (Series(twice), Series(twice, overrides: [override(nil)]))
    #expect(times(plain, moved) == ["moved 9 12", "removed 17 -"])
    #expect(times(moved, plain) == ["moved 12 9", "added - 17"])
    let cancelled = Series(twice, overrides: [override(.cancelled)])
    #expect(times(plain, cancelled) == ["cancelled 9 12", "cancelled 17 17"])
    #expect(times(cancelled, plain) == ["added 12 9", "added 17 17"])
    let excluding = Series(
      Self.changed(twice) { $0.recurrence?.exceptionDates = [date] })
    #expect(times(plain, excluding) == ["changed 9 9 9 17"])
    #expect(times(excluding, plain) == ["changed 9 9 9 17"])
  }

  @Test("an override whose RECURRENCE-ID gets another form is the same override")
  func otherForm() {
    func override(_ recurrenceID: EventTime, _ component: Int) -> Event {
      var event = Self.event("a", "20261130T140000", component: component, title: "Late")
      event.identity.recurrenceID = recurrenceID
      return event
    }
    let forms = [
      SeriesTests.utc("20261130T090000"), SeriesTests.date("20261130"),
      .floating(SeriesTests.civil("20261130T090000")),
    ]
    for (one, first) in forms.enumerated() {
      for (other, second) in forms.enumerated() {
        let before = Series(Self.weekly, overrides: [override(first, 2 + one)])
        let after = Series(Self.weekly, overrides: [override(second, 12 + other)])
        #expect(Self.changes([before], [after]) == [])
      }
    }
  }

  @Test(
    "an override of an occurrence that the series has is an update of it, and so is one that moves")
  func overrideCounts() {
    let place = SeriesTests.utc("20261130T090000")
    var override = Self.event("a", "20261130T100000", component: 2)
    override.identity.recurrenceID = place
    let owner = ChangeCounts.Owner(source: 1, calendar: "work")
    func counts(_ before: [Event], _ after: [Event], _ later: Event) -> ChangeCounts? {
      ChangeCounts.counts(
        from: Self.state([Series(Self.weekly, overrides: before)]),
        to: Self.state([Series(later, overrides: after)]))[owner]
    }
    #expect(counts([], [override], Self.weekly) == ChangeCounts(updated: 1))
    #expect(counts([override], [], Self.weekly) == ChangeCounts(updated: 1))
    var stray = override
    stray.identity.recurrenceID = SeriesTests.utc("20261201T090000")
    #expect(counts([], [stray], Self.weekly) == ChangeCounts(added: 1))
    let later = Self.changed(Self.weekly) { $0.start = SeriesTests.utc("20261123T110000") }
    var moved = override
    moved.identity.recurrenceID = SeriesTests.utc("20261130T110000")
    #expect(counts([override], [moved], later) == ChangeCounts(updated: 2))
  }

  @Test("counts have invisible differences too, by source")
  func counts() {
    let other = Self.event("b", "20261124T090000", component: 3, source: 2)
    let newer = Self.changed(Self.weekly) { $0.version.sequence = 7 }
    let counts = ChangeCounts.counts(
      from: Self.state([Series(Self.weekly)]), to: Self.state([Series(newer), Series(other)]))
    #expect(
      counts == [
        ChangeCounts.Owner(source: 1, calendar: "work"): ChangeCounts(updated: 1),
        ChangeCounts.Owner(source: 2, calendar: "work"): ChangeCounts(added: 1),
      ])
    // A component that was written again and says the same.
    let same = Self.changed(Self.weekly) { _ in }
    #expect(
      ChangeCounts.counts(
        from: Self.state([Series(Self.weekly)]), to: Self.state([Series(same)])) == [:])
  }
}
