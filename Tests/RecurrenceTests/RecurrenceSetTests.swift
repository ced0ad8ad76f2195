import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// Recurrence sets: what is added, taken away, moved, and how long it lasts.
@Suite struct RecurrenceSetTests {
  static let berlin = zone("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3")
  static let newYork = zone("America/New_York", "EST5EDT,M3.2.0,M11.1.0")

  static func zone(_ name: String, _ rule: String) -> Zone {
    guard let footer = try? ZoneFooter(parsing: rule) else { return .utc }
    return Zone(name: name, footer: footer)
  }

  static func civil(_ text: String) -> CivilDateTime {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count >= 3,
      let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return CivilDateTime(.first, .midnight) }
    let clock = numbers.dropFirst(3) + [0, 0, 0]
    let time = Array(clock)
    return CivilDateTime(
      date, TimeOfDay(hour: time[0], minute: time[1], second: time[2]) ?? .midnight)
  }

  static func berlin(_ text: String) -> EventTime { .zoned(civil(text), berlin) }
  static func newYork(_ text: String) -> EventTime { .zoned(civil(text), newYork) }
  static func utc(_ text: String) -> EventTime { .utc(civil(text)) }
  static func floating(_ text: String) -> EventTime { .floating(civil(text)) }
  static func date(_ text: String) -> EventTime { .date(civil(text).date) }

  /// Begins, as clocks in the viewer's zone show them.
  static func begins(
    _ set: RecurrenceSet, from: String = "2024-01-01", to: String = "2025-01-01",
    viewer: Zone = berlin
  ) -> [String] {
    instances(set, from: from, to: to, viewer: viewer).map { begin($0, viewer) }
  }

  static func begin(_ instance: RecurrenceSet.Instance, _ viewer: Zone) -> String {
    if let allDay = instance.allDay { return "\(allDay.lowerBound)" }
    return String("\(viewer.civil(at: instance.begin))".dropLast(3))
  }

  static func instances(
    _ set: RecurrenceSet, from: String = "2024-01-01", to: String = "2025-01-01",
    viewer: Zone = berlin
  ) -> [RecurrenceSet.Instance] {
    let window = viewer.startOfDay(civil(from).date)..<viewer.startOfDay(civil(to).date)
    return Array(set.instances(touching: window, viewer: viewer))
  }

  static func rule(_ text: String) throws -> Rule { try Rule(parsing: text) }

  // Checks RFC 5545: 3.3.5/6, 3.3.10/29
  @Test("a daily series keeps its time on the clock over both changes")
  func noDrift() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-03-29T02:30"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;COUNT=4")])
    #expect(
      Self.begins(set) == [
        "2024-03-29T02:30", "2024-03-30T02:30", "2024-03-31T03:30", "2024-04-01T02:30",
      ])
    let autumn = RecurrenceSet(
      start: Self.berlin("2024-10-26T02:30"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;COUNT=3")])
    let begins = Self.instances(autumn).map(\.begin.description)
    #expect(begins == ["2024-10-26T00:30:00Z", "2024-10-27T00:30:00Z", "2024-10-28T01:30:00Z"])
  }

  // Checks RFC 5545: 3.3.5/7, 3.3.10/29
  // Checks Decisions: Small decisions/5
  @Test("an occurrence that a gap moves onto another one is listed once, in order")
  func gap() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-03-31T01:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=MINUTELY;INTERVAL=30;COUNT=8")])
    #expect(
      Self.begins(set) == [
        "2024-03-31T01:00", "2024-03-31T01:30", "2024-03-31T03:00", "2024-03-31T03:30",
        "2024-03-31T04:00", "2024-03-31T04:30",
      ])
  }

  // Checks RFC 5545: 3.3.10/15, 3.6.1/4
  // Checks Decisions: Recurrence/4, Small decisions/3
  @Test("DTSTART comes first and counts, also where the rule does not give it")
  func startCounts() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-01-02T09:00"), extent: .unstated,
      rules: [
        try Self.rule("FREQ=WEEKLY;BYDAY=MO;COUNT=3"),
        try Self.rule("FREQ=WEEKLY;BYDAY=FR;COUNT=2"),
      ])
    #expect(
      Self.begins(set) == [
        "2024-01-02T09:00", "2024-01-05T09:00", "2024-01-08T09:00", "2024-01-15T09:00",
      ])
  }

  // Checks RFC 5545: 3.8.5.1/2
  // Checks Decisions: Recurrence/5
  @Test("an EXDATE removes its moment in any zone, and a date removes its whole day")
  func exceptionDates() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-01-01T09:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;COUNT=6")],
      exceptionDates: [
        Self.utc("2024-01-02T08:00"), Self.newYork("2024-01-03T03:00"), Self.date("2024-01-04"),
        Self.floating("2024-01-05T09:00"), Self.utc("2024-01-06T09:00"),
      ])
    #expect(Self.begins(set) == ["2024-01-01T09:00", "2024-01-06T09:00"])
  }

  @Test("a moment as EXDATE of a whole-day series removes its day")
  func momentsOfDays() throws {
    let set = RecurrenceSet(
      start: Self.date("2024-01-01"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;UNTIL=20240106T000000Z")],
      exceptionDates: [
        Self.floating("2024-01-02T00:00"), Self.utc("2024-01-02T23:00"),
        Self.utc("2024-01-04T00:00"), Self.berlin("2024-01-05T00:00"),
      ])
    #expect(Self.begins(set) == ["2024-01-01", "2024-01-06"])
  }

  // Checks RFC 5545: 3.8.5.1/3, 3.8.5.2/2, 5/2
  @Test("an RDATE that a rule gives too occurs once; a period has its own length")
  func recurrenceDates() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-01-01T09:00"), extent: .end(Self.berlin("2024-01-01T10:00")),
      rules: [try Self.rule("FREQ=DAILY;COUNT=2")],
      dates: [
        RecurrenceDate(start: Self.utc("2024-01-02T08:00")),
        RecurrenceDate(
          start: Self.berlin("2024-01-02T09:00"),
          extent: .duration(EventDuration(days: 0, seconds: 7200))),
        RecurrenceDate(start: Self.newYork("2024-01-01T20:00")),
        RecurrenceDate(start: Self.date("2024-01-05"), extent: .end(Self.date("2024-01-07"))),
      ])
    let instances = Self.instances(set)
    #expect(
      instances.map { Self.begin($0, Self.berlin) } == [
        "2024-01-01T09:00", "2024-01-02T02:00", "2024-01-02T09:00", "2024-01-05",
      ])
    #expect(
      instances.map { $0.finish.secondsSinceEpoch - $0.begin.secondsSinceEpoch }
        == [3600, 3600, 7200, 2 * 86400])
  }

  // Checks Decisions: Recurrence/3, Small decisions/8
  @Test("an EXRULE removes its own dates, and DTSTART only if it contains it")
  func exceptionRules() throws {
    var set = RecurrenceSet(
      start: Self.berlin("2024-01-01T09:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;COUNT=3")],
      exceptionRules: [try Self.rule("FREQ=DAILY;INTERVAL=2;COUNT=2")])
    #expect(Self.begins(set) == ["2024-01-02T09:00"])
    set.exceptionRules = [try Self.rule("FREQ=WEEKLY;BYDAY=TU")]
    #expect(Self.begins(set) == ["2024-01-01T09:00", "2024-01-03T09:00"])
  }

  // Checks RFC 5545: 3.3.10/9, 3.3.10/11, 3.3.10/12
  // Checks Decisions: Small decisions/4
  @Test("UNTIL: a date is that whole day, a UTC moment counts on the clocks, local time is local")
  func until() throws {
    func count(_ until: String) throws -> Int {
      let set = RecurrenceSet(
        start: Self.berlin("2024-01-01T00:30"), extent: .unstated,
        rules: [try Self.rule("FREQ=DAILY;UNTIL=\(until)")])
      return Self.begins(set).count
    }
    #expect(try count("20240103") == 3)
    #expect(try count("20240102T233000Z") == 3)
    #expect(try count("20240102T232959Z") == 2)
    #expect(try count("20240103T003000") == 3)
    #expect(try count("20231201") == 0)
    #expect(try count("20240104;COUNT=2") == 2)
    #expect(try count("20240102;COUNT=9") == 2)
  }

  @Test("UNTIL in UTC near a gap goes by the clock, not by the order of local times")
  func untilInGap() throws {
    // 02:45 does not exist and is 03:45; 03:15 is before that.
    let set = RecurrenceSet(
      start: Self.berlin("2024-03-31T01:45"), extent: .unstated,
      rules: [try Self.rule("FREQ=MINUTELY;INTERVAL=30;UNTIL=20240331T012000Z")])
    #expect(Self.begins(set) == ["2024-03-31T01:45", "2024-03-31T03:15"])
  }

  // Checks Decisions: Recurrence/6
  @Test("an override is where it says, in or out of the window, and its slot is empty")
  func overrides() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-01-01T09:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;COUNT=400")],
      overrides: [
        .init(
          recurrenceID: Self.utc("2024-01-03T08:00"), start: Self.berlin("2024-02-01T11:00"),
          extent: .unstated),
        .init(
          recurrenceID: Self.date("2024-01-04"), start: Self.berlin("2024-01-02T07:00"),
          extent: .unstated),
        .init(
          recurrenceID: Self.berlin("2024-01-02T09:00"), start: Self.date("2024-01-02"),
          extent: .unstated),
        .init(
          recurrenceID: Self.berlin("2024-06-02T09:00"), start: Self.berlin("2024-01-05T07:00"),
          extent: .unstated),
      ])
    #expect(
      Self.begins(set, from: "2024-01-01", to: "2024-01-06") == [
        "2024-01-01T09:00", "2024-01-02", "2024-01-02T07:00", "2024-01-05T07:00",
        "2024-01-05T09:00",
      ])
    #expect(Self.begins(set, from: "2024-06-02", to: "2024-06-03").isEmpty)
    let moved = Self.instances(set, from: "2024-02-01", to: "2024-02-02")
    #expect(
      moved.map { Self.begin($0, Self.berlin) } == ["2024-02-01T09:00", "2024-02-01T11:00"])
    #expect(moved.last?.recurrenceID == Self.berlin("2024-01-03T09:00"))
  }

  // Checks RFC 5545: 3.8.4.4/4, 3.8.4.4/5
  // Checks Decisions: Recurrence/7
  @Test("THISANDFUTURE moves and changes all that follow; a single override keeps its own time")
  func following() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-01-01T09:00"), extent: .end(Self.berlin("2024-01-01T10:00")),
      rules: [try Self.rule("FREQ=DAILY;COUNT=8")],
      overrides: [
        .init(
          recurrenceID: Self.berlin("2024-01-03T09:00"), includesFollowing: true,
          start: Self.berlin("2024-01-03T14:00"), extent: .end(Self.berlin("2024-01-03T16:00"))),
        .init(
          recurrenceID: Self.berlin("2024-01-05T09:00"), start: Self.berlin("2024-01-05T07:00"),
          extent: .unstated),
        .init(
          recurrenceID: Self.berlin("2024-01-07T09:00"), includesFollowing: true,
          start: Self.berlin("2024-01-06T20:00"), extent: .unstated),
      ])
    let instances = Self.instances(set)
    #expect(
      instances.map { Self.begin($0, Self.berlin) } == [
        "2024-01-01T09:00", "2024-01-02T09:00", "2024-01-03T14:00", "2024-01-04T14:00",
        "2024-01-05T07:00", "2024-01-06T14:00", "2024-01-06T20:00", "2024-01-07T20:00",
      ])
    #expect(instances.map(\.override) == [nil, nil, 0, 0, 1, 0, 2, 2])
    #expect(instances[3].finish.secondsSinceEpoch - instances[3].begin.secondsSinceEpoch == 7200)
    #expect(instances[7].recurrenceID == Self.berlin("2024-01-08T09:00"))
    // Moved into a window from after it.
    #expect(Self.begins(set, from: "2024-01-07", to: "2024-01-08") == ["2024-01-07T20:00"])
  }

  @Test("occurrences after a THISANDFUTURE override in another zone use that zone's clocks")
  func followingInOtherZone() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-03-01T15:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=WEEKLY;COUNT=4")],
      overrides: [
        .init(
          recurrenceID: Self.berlin("2024-03-08T15:00"), includesFollowing: true,
          start: Self.newYork("2024-03-08T10:00"), extent: .unstated)
      ])
    // 15:00 in Berlin is 09:00 in New York, and 10:00 from 10 March on, when clocks change there.
    // Each occurrence is one hour later than the rule has it.
    #expect(
      Self.begins(set) == [
        "2024-03-01T15:00", "2024-03-08T16:00", "2024-03-15T16:00", "2024-03-22T16:00",
      ])
  }

  @Test("THISANDFUTURE moves an occurrence in a gap like its neighbours")
  func followingInGap() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-03-29T02:30"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;COUNT=4")],
      overrides: [
        .init(
          recurrenceID: Self.berlin("2024-03-30T02:30"), includesFollowing: true,
          start: Self.berlin("2024-03-30T04:00"), extent: .unstated)
      ])
    // 02:30 on 31 March 2024 does not exist in Berlin.
    #expect(
      Self.begins(set) == [
        "2024-03-29T02:30", "2024-03-30T04:00", "2024-03-31T04:00", "2024-04-01T04:00",
      ])
  }

  @Test("THISANDFUTURE of a dense rule gives a window whole that holds less than the ceiling")
  func followingDense() throws {
    let set = RecurrenceSet(
      start: Self.utc("2024-01-01T00:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=SECONDLY;INTERVAL=2")],
      overrides: [
        .init(
          recurrenceID: Self.utc("2024-01-05T00:00"), includesFollowing: true,
          start: Self.utc("2024-01-05T01:00"), extent: .unstated)
      ])
    let instances = Self.instances(set, from: "2024-02-01", to: "2024-02-02")
    #expect(instances.count == 43_200)
  }

  @Test("THISANDFUTURE of a date in a timed series counts from the time of that day's occurrence")
  func followingDate() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2024-01-01T09:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=DAILY;COUNT=4")],
      overrides: [
        .init(
          recurrenceID: Self.date("2024-01-02"), includesFollowing: true,
          start: Self.berlin("2024-01-02T10:00"), extent: .unstated)
      ])
    #expect(
      Self.begins(set) == [
        "2024-01-01T09:00", "2024-01-02T10:00", "2024-01-03T10:00", "2024-01-04T10:00",
      ])
  }

  // Checks RFC 5545: 3.3.6/2, 3.3.6/3, 3.8.5.3/3
  // Checks Decisions: Time zones/15
  @Test("DTEND is elapsed time, a DURATION of days is the same time on a later day")
  func lengths() throws {
    // The clocks go forward in the night to 31 March 2024.
    let rules = [try Self.rule("FREQ=DAILY;COUNT=2")]
    let start = Self.berlin("2024-03-29T12:00")
    let exact = RecurrenceSet(
      start: start, extent: .end(Self.berlin("2024-03-30T12:00")), rules: rules)
    let nominal = RecurrenceSet(
      start: start, extent: .duration(EventDuration(days: 1, seconds: 60)), rules: rules)
    func finishes(_ set: RecurrenceSet) -> [String] {
      Self.instances(set).map { Self.berlin.civil(at: $0.finish).description }
    }
    #expect(finishes(exact) == ["2024-03-30T12:00:00", "2024-03-31T13:00:00"])
    #expect(finishes(nominal) == ["2024-03-30T12:01:00", "2024-03-31T12:01:00"])
  }

  @Test("an occurrence that started before the window and still runs is included")
  func runsIntoWindow() throws {
    let set = RecurrenceSet(
      start: Self.berlin("2023-12-01T22:00"), extent: .end(Self.berlin("2023-12-04T06:00")),
      rules: [try Self.rule("FREQ=WEEKLY")])
    #expect(
      Self.begins(set, from: "2024-01-07", to: "2024-01-13") == [
        "2024-01-05T22:00", "2024-01-12T22:00",
      ])
    let days = RecurrenceSet(
      start: Self.date("2023-12-29"), extent: .end(Self.date("2024-01-02")),
      rules: [try Self.rule("FREQ=YEARLY")])
    #expect(Self.begins(days, from: "2025-01-01", to: "2025-01-02") == ["2024-12-29"])
    #expect(Self.begins(days, from: "2025-01-02", to: "2025-01-03").isEmpty)
  }

  @Test(
    "a window that begins after a gap has what the gap moved into it",
    arguments: [
      "CET-1CEST,M3.5.0,M10.5.0/3", "AAA0BBB-12,M3.5.0,M10.5.0", "AAA0BBB0:30,M3.5.0,M10.5.0",
      // The clocks go forward and back on one day.
      "AAA0BBB-3,J87/1,J87/8", "UTC0",
    ])
  func windowAfterGap(_ footer: String) throws {
    let zone = Self.zone("Test/Zone", footer)
    let first = Self.civil("2027-03-26T00:00")
    let set = RecurrenceSet(
      start: .zoned(first, zone), extent: .unstated,
      rules: [try Self.rule("FREQ=MINUTELY;INTERVAL=20")])
    let begins = Set(
      (0..<360).compactMap { CivilDateTime(civilSeconds: first.civilSeconds + 1_200 * $0) }
        .map { zone.instant(of: $0) }
    ).sorted()
    let start = zone.instant(of: first)
    for number in 0..<300 {
      let low = start.adding(seconds: 600 * number)
      let window = low..<low.adding(seconds: 7_200)
      let found = set.instances(touching: window, viewer: .utc).map(\.begin)
      #expect(found == begins.filter(window.contains), "from \(low)")
    }
  }

  @Test("what is before a window doesn't count as excluded, also on the day after a gap")
  func stepsBeforeWindow() throws {
    let set = RecurrenceSet(
      start: Self.berlin("1970-01-01T00:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=SECONDLY")])
    for day in ["2026-11-21", "2027-03-28", "2027-03-29", "2027-10-31", "2027-11-01"] {
      let start = Self.berlin.instant(of: Self.civil(day))
      var some = set.instances(
        touching: start..<start.adding(seconds: 86400), viewer: .utc, atMost: 1_000)
      var count = 0
      while some.next() != nil { count += 1 }
      #expect(count == 1_000, "\(day)")
      #expect(some.cut == .tooMany, "\(day)")
    }
  }

  // Checks Decisions: Recurrence/1, Recurrence/13
  @Test("an endless SECONDLY rule of 1970 fills a window up to the ceiling and says so")
  func ceiling() throws {
    let set = RecurrenceSet(
      start: Self.utc("1970-01-01T00:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=SECONDLY")])
    let start = Instant(utc: Self.civil("2026-11-21"))
    var day = set.instances(touching: start..<start.adding(seconds: 86400), viewer: .utc)
    var count = 0
    while day.next() != nil { count += 1 }
    #expect(count == 86400)
    #expect(day.cut == nil)
    var year = set.instances(touching: start..<start.adding(seconds: 86400 * 365), viewer: .utc)
    count = 0
    while year.next() != nil { count += 1 }
    #expect(count == RecurrenceSet.ceiling)
    #expect(year.cut == .tooMany)
  }

  @Test("a rule that an EXRULE takes away wholly ends")
  func allExcluded() throws {
    let set = RecurrenceSet(
      start: Self.utc("1970-01-01T00:00"), extent: .unstated,
      rules: [try Self.rule("FREQ=SECONDLY")], exceptionRules: [try Self.rule("FREQ=SECONDLY")])
    let start = Instant(utc: Self.civil("2026-11-21"))
    var none = set.instances(touching: start..<start.adding(seconds: 86400), viewer: .utc)
    #expect(none.next() == nil)
    #expect(none.cut == nil)
    // Of so long a window not all is gone through, and that is not for too many occurrences.
    none = set.instances(touching: start..<start.adding(seconds: 86400 * 365), viewer: .utc)
    #expect(none.next() == nil)
    #expect(none.cut == .tooManyExcluded)
  }

  @Test("thousands of rules that give the same end, and say that not all was gone through")
  func duplicates() throws {
    let rules = try (1...1000).map { try Self.rule("FREQ=SECONDLY;INTERVAL=\($0 % 7 + 1)") }
    let set = RecurrenceSet(
      start: Self.utc("1970-01-01T00:00"), extent: .unstated, rules: rules)
    let start = Instant(utc: Self.civil("2026-11-21"))
    var year = set.instances(touching: start..<start.adding(seconds: 86400 * 365), viewer: .utc)
    var count = 0
    while year.next() != nil { count += 1 }
    #expect(year.cut == .tooManyExcluded)
    #expect(count < RecurrenceSet.ceiling)
    #expect(year.steps < 2 * RecurrenceSet.excludedCeiling)
  }

  // Checks RFC 5545: 3.6.1/4, 3.8.5.1/3, 3.8.5.3/1
  @Test("several rules give their dates in order and once")
  func severalRules() throws {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<20 {
      let intervals = (0..<Int.random(in: 2...40, using: &generator)).map { _ in
        Int.random(in: 1...30, using: &generator)
      }
      let set = RecurrenceSet(
        start: Self.utc("2026-01-01T00:00"), extent: .unstated,
        rules: try intervals.map { try Self.rule("FREQ=DAILY;INTERVAL=\($0)") },
        exceptionRules: try intervals.prefix(2).map {
          try Self.rule("FREQ=DAILY;INTERVAL=\($0 + 1)")
        })
      let start = Instant(utc: Self.civil("2026-01-01"))
      let window = start..<start.adding(seconds: 86400 * 300)
      let found = set.instances(touching: window, viewer: .utc).map {
        ($0.begin.secondsSinceEpoch - start.secondsSinceEpoch) / 86400
      }
      let expected = (0..<300).filter { day in
        intervals.contains { day % $0 == 0 }
          && !intervals.prefix(2).contains { day % ($0 + 1) == 0 }
      }
      #expect(found == expected, "\(intervals)")
    }
  }

  @Test("an occurrence on 9999-12-31 is in a window that ends with the calendar")
  func lastDay() throws {
    for start in [Self.date("9999-12-29"), Self.berlin("9999-12-29T23:30")] {
      let set = RecurrenceSet(
        start: start, extent: .unstated, rules: [try Self.rule("FREQ=DAILY;COUNT=9")])
      let window = DateWindow(from: Self.civil("9999-12-30").date, zone: Self.berlin)
      let instances = Array(
        set.instances(touching: window.start..<window.end, viewer: Self.berlin))
      #expect(instances.map(\.start.civil.date.description) == ["9999-12-30", "9999-12-31"])
      for instance in instances {
        let day = instance.start.civil.date
        #expect(
          instance.allDay.map { window.days(touchedBy: $0.lowerBound, $0.upperBound) }
            ?? window.days(touchedBy: instance.begin, instance.finish) == [day])
      }
    }
  }

  @Test("the first and last moments hold everything, wherever it was moved")
  func moments() throws {
    var set = RecurrenceSet(
      start: Self.utc("2024-01-01T09:00"), extent: .end(Self.utc("2024-01-01T10:00")),
      rules: [try Self.rule("FREQ=DAILY;COUNT=3")])
    #expect(set.firstMoment.description == "2024-01-01T09:00:00Z")
    #expect(set.lastMoment?.description == "2024-01-03T10:00:00Z")
    set.overrides = [
      .init(
        recurrenceID: Self.utc("2024-01-02T09:00"), start: Self.utc("2023-05-01T09:00"),
        extent: .unstated),
      .init(
        recurrenceID: Self.utc("2024-01-03T09:00"), start: Self.utc("2025-05-01T09:00"),
        extent: .duration(EventDuration(days: 0, seconds: 60))),
    ]
    #expect(set.firstMoment.description == "2023-05-01T09:00:00Z")
    #expect(set.lastMoment?.description == "2025-05-01T09:01:00Z")
    set.rules = [try Self.rule("FREQ=DAILY")]
    #expect(set.lastMoment == nil)
  }

  /// A series whose every date has an override that includes those after it.
  private static func ranges(_ count: Int) -> RecurrenceSet {
    let first = civil("2024-01-01T00:00").civilSeconds
    let times = (1...count).compactMap { CivilDateTime(civilSeconds: first + $0 * 3600) }
    return RecurrenceSet(
      start: utc("2024-01-01T00:00"), extent: .unstated,
      dates: times.map { RecurrenceDate(start: .utc($0)) },
      overrides: times.map {
        RecurrenceSet.Override(
          recurrenceID: .utc($0), includesFollowing: true, start: .utc($0), extent: .unstated)
      })
  }

  @Test(
    "many overrides with RANGE=THISANDFUTURE of many dates take time that grows with their number",
    arguments: ["2024-01-03", "2040-01-01"])
  func manyRanges(end: String) {
    let growth = ProcessorTime.growth(from: 1_000) { count in
      let set = Self.ranges(count)
      #expect(Self.instances(set, to: end).count == (end < "2030" ? 47 : count + 1))
    }
    #expect(growth < ProcessorTime.linearGrowth)
  }
}
