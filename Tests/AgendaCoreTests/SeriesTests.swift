import CivilTime
import Recurrence
import Testing

@testable import AgendaCore

/// Components put together to series, and what a series gives in a window.
@Suite struct SeriesTests {
  static func civil(_ text: String) -> CivilDateTime {
    guard case .local(let civil)? = try? Rule(parsing: "FREQ=DAILY;UNTIL=\(text)").until else {
      return CivilDateTime(.first, .midnight)
    }
    return civil
  }

  static func utc(_ text: String) -> EventTime { .utc(civil(text)) }
  static func date(_ text: String) -> EventTime { .date(civil(text + "T000000").date) }

  static func event(
    _ uid: String, _ start: EventTime?, extent: Extent = .unstated, recurrenceID: EventTime? = nil,
    following: Bool = false, rules: [String] = [], status: Event.Status? = nil, sequence: Int = 0,
    kind: Event.Kind = .event, due: EventTime? = nil, title: String = ""
  ) -> Event {
    let parsed = rules.compactMap { try? Rule(parsing: $0) }
    return Event(
      identity: EventIdentity(
        uid: uid, recurrenceID: recurrenceID, includesFollowing: following),
      kind: kind, start: start, extent: extent, due: due,
      recurrence: rules.isEmpty ? nil : Event.Recurrence(rules: parsed), title: title,
      status: status, version: EventVersion(sequence: sequence), calendar: "work",
      reference: EventReference(source: 0, component: 0))
  }

  static func occurrences(
    _ events: [Event], from: String = "20240101T000000", to: String = "20250101T000000",
    includingCancelled: Bool = false
  ) -> [Occurrence] {
    let window = Instant(utc: civil(from))..<Instant(utc: civil(to))
    return SeriesAssembly(events).series.flatMap {
      Array(
        $0.occurrences(touching: window, viewer: .utc, includingCancelled: includingCancelled))
    }.sorted { $0.begin < $1.begin }
  }

  static func begins(_ events: [Event], includingCancelled: Bool = false) -> [String] {
    occurrences(events, includingCancelled: includingCancelled).map {
      String($0.begin.description.dropLast(4).dropFirst(5))
    }
  }

  // Checks Decisions: Windows and days/2
  @Test("a single event is in the window that it touches, by its end too")
  func single() {
    let night = Self.event(
      "1", Self.utc("20231231T220000"), extent: .end(Self.utc("20240101T060000")))
    #expect(Self.occurrences([night]).count == 1)
    #expect(Self.occurrences([night], from: "20240101T060000").isEmpty)
    #expect(Self.occurrences([night])[0].recurrenceID == nil)
    let moment = Self.event("2", Self.utc("20240101T000000"))
    #expect(Self.occurrences([moment]).count == 1)
    #expect(Self.occurrences([Self.event("3", Self.utc("20250101T000000"))]).isEmpty)
    #expect(Self.occurrences([Self.event("4", nil)]).isEmpty)
  }

  @Test(
    "what does not recur has no recurrence id, also where an override moves it, and keeps its id")
  func recurrenceIDOfSingle() {
    let start = Self.utc("20240105T090000")
    let plain = Self.event("1", start)
    let moved = Self.event("1", Self.utc("20240106T100000"), recurrenceID: start)
    let added = Self.event(
      "1", Self.utc("20240108T100000"), recurrenceID: Self.utc("20240107T090000"))
    let alone = Self.occurrences([plain])
    let together = Self.occurrences([plain, moved])
    #expect(together.map(\.begin) == [Instant(utc: Self.civil("20240106T100000"))])
    #expect(together.map(\.recurrenceID) == [nil])
    #expect(together.map(OccurrenceID.init(of:)) == alone.map(OccurrenceID.init(of:)))
    // One of another time is what it says, and not the same entry.
    let both = Self.occurrences([plain, added])
    #expect(both.map(\.recurrenceID) == [nil, Self.utc("20240107T090000")])
    #expect(Set(both.map(OccurrenceID.init(of:))).count == 2)
    let series = Self.event("1", start, rules: ["FREQ=DAILY;COUNT=2"])
    // By begin: the second one of the rule at nine, the moved first one at ten.
    #expect(
      Self.occurrences([series, moved]).map(\.recurrenceID) == [
        Self.utc("20240106T090000"), start,
      ])
  }

  @Test("the higher SEQUENCE replaces, of equal ones the later in the file")
  func versions() {
    let start = Self.utc("20240105T090000")
    let assembly = SeriesAssembly([
      Self.event("1", start, sequence: 2, title: "new"), Self.event("1", start, sequence: 1),
      Self.event("2", start, title: "first"), Self.event("2", start, title: "second"),
    ])
    #expect(assembly.series.map(\.master.title) == ["new", "second"])
    #expect(assembly.superseded.map(\.component).sorted() == [1, 2])
    #expect(assembly.findings.isEmpty)
  }

  // Checks Decisions: Importing/9
  @Test("one UID at different times: all are kept, with a warning")
  func sharedUID() {
    let assembly = SeriesAssembly([
      Self.event("0", Self.utc("20240105T090000")), Self.event("0", Self.utc("20240106T090000")),
    ])
    #expect(assembly.series.count == 2)
    #expect(assembly.superseded.isEmpty)
    #expect(assembly.findings.map(\.severity) == [.warning])
    #expect(assembly.series.allSatisfy { $0.master.sharesUID })
  }

  // Checks Decisions: Recurrence/9
  @Test("an override replaces; one without its master is an event, or a series if it has a rule")
  func overrides() {
    let master = Self.event("1", Self.utc("20240101T090000"), rules: ["FREQ=DAILY;COUNT=3"])
    let moved = Self.event(
      "1", Self.utc("20240102T150000"), recurrenceID: Self.utc("20240102T090000"),
      rules: ["FREQ=DAILY;COUNT=3"], title: "moved")
    let orphan = Self.event(
      "2", Self.utc("20240104T100000"), recurrenceID: Self.utc("20240104T090000"))
    let found = Self.occurrences([moved, master, orphan])
    #expect(
      Self.begins([moved, master, orphan]) == [
        "01-01T09:00", "01-02T15:00", "01-03T09:00", "01-04T10:00",
      ])
    #expect(found.map(\.event.title) == ["", "moved", "", ""])
    #expect(
      found.map(\.recurrenceID) == [
        Self.utc("20240101T090000"), Self.utc("20240102T090000"), Self.utc("20240103T090000"),
        Self.utc("20240104T090000"),
      ])
    let series = Self.event(
      "3", Self.utc("20240104T100000"), recurrenceID: Self.utc("20240104T090000"),
      rules: ["FREQ=DAILY;COUNT=3"])
    let second = Self.event(
      "3", Self.utc("20240105T180000"), recurrenceID: Self.utc("20240105T100000"))
    #expect(Self.begins([series, second]) == ["01-04T10:00", "01-05T18:00", "01-06T10:00"])
    #expect(
      Self.occurrences([series]).map(\.recurrenceID) == [
        Self.utc("20240104T100000"), Self.utc("20240105T100000"), Self.utc("20240106T100000"),
      ])
  }

  @Test("each series has its own limit, and one that reaches it hides no other")
  func frequentSeries() throws {
    let events =
      (0..<3).map {
        Self.event("\($0)", Self.utc("20240101T000000"), rules: ["FREQ=SECONDLY"])
      } + [Self.event("daily", Self.utc("20240101T090000"), rules: ["FREQ=DAILY"])]
    let day = try #require(CivilDate(year: 2024, month: 1, day: 1))
    let window = try #require(DateWindow(firstDay: day, length: .days(1), zone: .utc))
    let listing = Selection().listing(
      of: SeriesAssembly(events).series, in: window, details: { _ in EventDetails() })
    let counts = Dictionary(grouping: listing.occurrences, by: \.event.identity.uid)
      .mapValues(\.count)
    // A day has 86,400 seconds, and the limit is 100,000.
    #expect(counts == ["0": 86_400, "1": 86_400, "2": 86_400, "daily": 1])
    #expect(listing.findings.isEmpty && listing.cut == nil)
  }

  @Test(
    "tasks due in a window are those of all time that are due then",
    arguments: [
      ("20240325T013000", "20240325T023000"), ("20240301T220000", "20240303T020000"),
      ("20231001", "20231004"), ("20231001T010000", "20231003"), ("20231001", "20231002T233000"),
      ("20240105T000000", "20240101T000000"), ("20240105T003000", ""),
    ])
  func dueTasks(start: String, due: String) throws {
    let zones = ZoneDatabase.system(TZDIR: nil)
    let day = TimeOfDay.secondsPerCivilDay
    for name in ["Europe/Berlin", "America/New_York", "Pacific/Kiritimati"] {
      let zone = try #require(zones.zone(named: name))
      func time(_ text: String, _ zone: Zone?) -> EventTime? {
        if text.isEmpty { return nil }
        if !text.contains("T") { return Self.date(text) }
        return zone.map { .zoned(Self.civil(text), $0) } ?? .floating(Self.civil(text))
      }
      let starts = [time(start, zone), time(start, nil), time(start, .utc)]
      for (number, first) in starts.enumerated() {
        let series = Series(
          Self.event(
            "1", first, rules: [start.contains("T") ? "FREQ=HOURLY" : "FREQ=DAILY"], kind: .task,
            due: time(due, number == 1 ? zone : nil)))
        // Around both changes of the clocks.
        for noon in ["20240310T120000", "20240331T120000", "20241027T120000", "20241103T120000"] {
          let middle = Instant(utc: Self.civil(noon))
          let all = Array(
            series.occurrences(
              touching: middle.adding(seconds: -20 * day)..<middle.adding(seconds: 20 * day),
              viewer: zone))
          for hour in stride(from: -20, to: 20, by: 3) {
            let begin = middle.adding(seconds: hour * 60 * 60)
            let window = begin..<begin.adding(seconds: 5400)
            let found = series.occurrences(touching: window, viewer: zone)
            #expect(
              found.map(\.begin) == all.map(\.begin).filter { window.contains($0) },
              "\(name) \(number) \(noon) \(hour)")
          }
        }
      }
    }
  }

  @Test(
    "thousands of older overrides of excluded occurrences are all left out",
    .timeLimit(.minutes(5)),
    arguments: [1, 2])
  func manyExcluded(masters: Int) {
    // Compared one by one, 900 million pairs would take far longer than the limit.
    let first = Self.civil("20240101T000000").civilSeconds
    let times = (0..<30_000).compactMap { CivilDateTime(civilSeconds: first + $0 * 60) }
    let series = (0..<masters).map { number in
      var master = Self.event(
        "1", Self.utc("2024010\(number + 1)T000000"), rules: ["FREQ=MINUTELY"], sequence: 1)
      master.recurrence?.exceptionDates = times.map { .utc($0) }
      return master
    }
    let overrides = times.map { Self.event("1", .utc($0), recurrenceID: .utc($0), title: "old") }
    let assembly = SeriesAssembly(series + overrides)
    #expect(assembly.series.count == masters)
    let kept = assembly.series.flatMap(\.overrides)
    #expect(masters > 1 || kept.isEmpty)
  }

  // Checks Decisions: Importing/18
  @Test("an EXDATE removes the only date of an event")
  func excludedSingle() {
    var event = Self.event("1", Self.utc("20240101T090000"))
    event.recurrence = Event.Recurrence(exceptionDates: [Self.utc("20240102T090000")])
    #expect(Self.begins([event]) == ["01-01T09:00"])
    #expect(Self.occurrences([event]).map(\.recurrenceID) == [nil])
    event.recurrence?.exceptionDates.append(Self.date("20240101"))
    #expect(Self.begins([event]).isEmpty)
  }

  // Checks Decisions: Recurrence/10
  @Test("of two overrides of one occurrence the newer holds, also where one names it by its date")
  func overrideVersions() {
    let master = Self.event("1", Self.date("20240101"), rules: ["FREQ=DAILY;COUNT=2"])
    let old = Self.event("1", Self.date("20240110"), recurrenceID: Self.date("20240102"))
    let new = Self.event(
      "1", Self.date("20240120"), recurrenceID: Self.utc("20240102T000000"), sequence: 1)
    #expect(Self.begins([master, new, old]) == ["01-01T00:00", "01-20T00:00"])
    #expect(SeriesAssembly([master, new, old]).superseded.map(\.component) == [2])
  }

  @Test("an override of a master without a rule takes its place")
  func overrideOfSingle() {
    let master = Self.event("1", Self.utc("20240101T090000"))
    let moved = Self.event(
      "1", Self.utc("20240102T150000"), recurrenceID: Self.utc("20240101T090000"))
    #expect(Self.begins([master, moved]) == ["01-02T15:00"])
  }

  // Checks Decisions: Recurrence/11
  @Test("a cancelled override removes its occurrence, a cancelled master all; both can be shown")
  func cancelled() {
    let master = Self.event("1", Self.utc("20240101T090000"), rules: ["FREQ=DAILY;COUNT=3"])
    let cancelled = Self.event(
      "1", Self.utc("20240102T090000"), recurrenceID: Self.utc("20240102T090000"),
      status: .cancelled)
    #expect(Self.begins([master, cancelled]) == ["01-01T09:00", "01-03T09:00"])
    let all = Self.occurrences([master, cancelled], includingCancelled: true)
    #expect(all.map(\.event.status) == [nil, .cancelled, nil])
    var gone = master
    gone.status = .cancelled
    let confirmed = Self.event(
      "1", Self.utc("20240102T120000"), recurrenceID: Self.utc("20240102T090000"),
      status: .confirmed)
    #expect(Self.begins([gone, confirmed]).isEmpty)
    let shown = Self.occurrences([gone, confirmed], includingCancelled: true)
    #expect(shown.map(\.event.status) == [.cancelled, .cancelled, .cancelled])
    #expect(master.status == nil)
  }

  @Test("a cancelled THISANDFUTURE ends the series")
  func cancelledFollowing() {
    let master = Self.event("1", Self.utc("20240101T090000"), rules: ["FREQ=DAILY;COUNT=5"])
    let end = Self.event(
      "1", Self.utc("20240103T090000"), recurrenceID: Self.utc("20240103T090000"),
      following: true, status: .cancelled)
    #expect(Self.begins([master, end]) == ["01-01T09:00", "01-02T09:00"])
  }

  @Test("a task is on the day or at the time at which it is due")
  func dueTasks() throws {
    let time = Self.utc("20240105T090000")
    let date = Self.date("20240105")
    let cases: [(start: EventTime, extent: Extent, due: EventTime?, expected: EventTime)] = [
      // A length instead of a due date: an all-day task is due on its last day.
      (date, .duration(EventDuration(days: 3, seconds: 0)), nil, Self.date("20240107")),
      (
        time, .duration(EventDuration(days: 1, seconds: 3600)), nil, Self.utc("20240106T100000")
      ),
      (date, .unstated, nil, date), (time, .unstated, nil, time),
      (date, .unstated, Self.date("20240108"), Self.date("20240108")),
      (time, .unstated, Self.date("20240108"), Self.date("20240108")),
      (date, .unstated, Self.utc("20240108T170000"), Self.utc("20240108T170000")),
      (time, .unstated, Self.utc("20240108T170000"), Self.utc("20240108T170000")),
      // Due before it begins.
      (date, .unstated, Self.date("20240101"), date),
    ]
    for one in cases {
      for rules in [[], ["FREQ=WEEKLY;COUNT=2"]] {
        let task = Self.event(
          "t", one.start, extent: one.extent, rules: rules, kind: .task, due: one.due)
        let found = Self.occurrences([task])
        #expect(found.count == (rules.isEmpty ? 1 : 2), "\(one)")
        let first = try #require(found.first)
        #expect(first.start == one.expected, "\(one)")
        if case .date(let day) = one.expected {
          #expect(try first.allDay == day..<#require(day.adding(days: 1)), "\(one)")
        } else {
          #expect(first.allDay == nil && first.begin == first.finish, "\(one)")
        }
        if let second = found.dropFirst().first {
          #expect(second.start.civil.date == first.start.civil.date.adding(days: 7), "\(one)")
        }
      }
    }
  }

  @Test("a task is under the day or time at which it is due")
  func tasks() {
    let timed = Self.event(
      "1", Self.utc("20231220T090000"), extent: .end(Self.utc("20240105T170000")), kind: .task,
      due: Self.utc("20240105T170000"))
    let day = Self.event(
      "2", Self.date("20231230"), kind: .task, due: Self.date("20240101"))
    let dueOnly = Self.event(
      "3", Self.utc("20240107T080000"), kind: .task, due: Self.utc("20240107T080000"))
    let weekly = Self.event(
      "4", Self.utc("20231227T090000"), rules: ["FREQ=WEEKLY;COUNT=2"], kind: .task,
      due: Self.utc("20231229T090000"))
    #expect(
      Self.begins([timed, day, dueOnly, weekly]) == [
        "01-01T00:00", "01-05T09:00", "01-05T17:00", "01-07T08:00",
      ])
    let found = Self.occurrences([day])
    #expect(found[0].allDay.map { $0.lowerBound.days(until: $0.upperBound) } == 1)
    #expect(Self.occurrences([timed], to: "20240105T000000").isEmpty)
  }

  @Test("the first and last moment enclose a series in every viewer's zone")
  func moments() {
    let days = Series(Self.event("1", Self.date("20240101"), rules: ["FREQ=DAILY;COUNT=3"]))
    #expect(days.firstMoment.map { $0 <= Instant(utc: Self.civil("20231231T100000")) } == true)
    #expect(days.lastMoment.map { $0 >= Instant(utc: Self.civil("20240104T120000")) } == true)
    #expect(Series(Self.event("1", Self.date("20240101"), rules: ["FREQ=DAILY"])).lastMoment == nil)
    #expect(Series(Self.event("1", nil)).firstMoment == nil)
  }
}

extension SeriesAssembly {
  /// Of components whose contents don't matter.
  fileprivate init(_ events: [Event]) {
    self.init(events.numbered) { EventContent($0, meaning: 0, lasting: 0, text: 0) }
  }
}

extension [Event] {
  /// With the number of each as that of its component.
  var numbered: [Event] {
    enumerated().map { number, event in
      var event = event
      event.reference.component = number
      return event
    }
  }
}
