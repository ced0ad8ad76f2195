import CivilTime
import TestSupport
import Testing

@testable import Recurrence

@Suite struct ZoneDefinitionTests {
  private typealias Observance = ZoneDefinition.Observance

  private static func civil(_ text: String) throws -> CivilDateTime {
    try #require(Instant(rfc3339: text + "Z")).utc
  }

  private static func observance(
    _ daylight: Bool, _ start: String, _ from: Int, _ to: Int, _ rules: String...,
    until: Void = ()
  ) throws -> Observance {
    Observance(
      isDaylight: daylight, start: try civil(start), offsetFrom: from, offsetTo: to,
      name: daylight ? "SUMMER" : "WINTER", rules: try rules.map { try Rule(parsing: $0) })
  }

  /// What the RFC says, read literally: the latest onset at or before an instant counts.
  private struct Literal {
    var onsets: [(instant: Int, offset: Int, daylight: Bool)] = []
    var before = 0

    init(_ observances: [Observance], through year: Int) throws {
      for one in observances {
        let start = try #require(one.start)
        let from = try #require(one.offsetFrom)
        let to = try #require(one.offsetTo)
        let clock = try #require(Zone(name: "clock", fixedOffset: from))
        var civils = [start] + one.dates.map(\.civil)
        for rule in one.rules {
          for civil in RuleExpansion(rule, start: .floating(start), viewer: clock) {
            if civil.date.year > year { break }
            civils.append(civil)
          }
        }
        onsets += civils.map { (Instant(utc: $0).secondsSinceEpoch - from, to, one.isDaylight) }
      }
      onsets.sort { ($0.instant, $1.daylight ? 1 : 0) < ($1.instant, $0.daylight ? 1 : 0) }
      var earliest = Int.max
      for one in observances {
        let from = try #require(one.offsetFrom)
        let instant = Instant(utc: try #require(one.start)).secondsSinceEpoch - from
        if instant < earliest { (earliest, before) = (instant, from) }
      }
    }

    func offset(at instant: Int) -> Int {
      let after = onsets.partitioningIndex { $0.instant > instant }
      return after == 0 ? before : onsets[after - 1].offset
    }
  }

  // Checks RFC 5545: 3.6.5/11
  // Checks RFC 5546: 5.1.1/3
  // Checks Decisions: Time zones/7
  @Test("a definition of Berlin's rules since 1996 is Berlin")
  func berlin() throws {
    let definition = ZoneDefinition(
      identifier: "Anything",
      observances: [
        try Self.observance(
          true, "1996-03-31T02:00:00", 3600, 7200, "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
        try Self.observance(
          false, "1996-10-27T03:00:00", 7200, 3600, "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"),
      ])
    let (made, problems) = definition.zone()
    let zone = try #require(made)
    #expect(problems.isEmpty)
    #expect(zone.origin == .definition)
    let berlin = try #require(
      ZoneDatabase(folder: ZoneDatabase.systemFolder).zone(named: "Europe/Berlin"))
    var instant = try #require(Instant(rfc3339: "1996-04-01T00:00:00Z"))
    let end = try #require(Instant(rfc3339: "9998-01-01T00:00:00Z"))
    var changes = 0
    while let next = berlin.nextTransition(after: instant), next.instant < end {
      instant = next.instant
      changes += 1
      #expect(zone.nextTransition(after: instant.adding(seconds: -1))?.instant == instant)
      #expect(zone.utcOffset(at: instant) == berlin.utcOffset(at: instant))
      let before = instant.adding(seconds: -1)
      #expect(zone.utcOffset(at: before) == berlin.utcOffset(at: before))
    }
    #expect(changes > 16_000)
    #expect(zone.abbreviation(at: instant) == "WINTER")
  }

  // Checks RFC 5545: 3.3.10/13, 3.6.5/14, 3.6.5/15, 3.6.5/16
  @Test("two regimes of New York, the older with an UNTIL in UTC, are New York since 1987")
  func newYork() throws {
    let definition = ZoneDefinition(
      identifier: "Custom",
      observances: [
        try Self.observance(
          true, "1987-04-05T02:00:00", -18000, -14400,
          "FREQ=YEARLY;BYDAY=1SU;BYMONTH=4;UNTIL=20060402T070000Z"),
        try Self.observance(
          false, "1987-10-25T02:00:00", -14400, -18000,
          "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20061029T060000Z"),
        try Self.observance(
          true, "2007-03-11T02:00:00", -18000, -14400,
          "FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14"),
        try Self.observance(
          false, "2007-11-04T02:00:00", -14400, -18000,
          "FREQ=YEARLY;BYMONTH=11;BYDAY=SU;BYSETPOS=1"),
      ])
    let (made, problems) = definition.zone()
    let zone = try #require(made)
    #expect(problems.isEmpty)
    let newYork = try #require(
      ZoneDatabase(folder: ZoneDatabase.systemFolder).zone(named: "America/New_York"))
    var instant = try #require(Instant(rfc3339: "1987-05-01T00:00:00Z"))
    let end = try #require(Instant(rfc3339: "2500-01-01T00:00:00Z"))
    while instant < end {
      #expect(zone.utcOffset(at: instant) == newYork.utcOffset(at: instant), "\(instant)")
      let next = try #require(newYork.nextTransition(after: instant))
      #expect(zone.nextTransition(after: instant)?.instant == next.instant)
      instant = next.instant
    }
  }

  // Checks RFC 5545: 3.6.5/11, 3.6.5/17, 3.6.5/18
  @Test("random observances are read as the RFC says: the latest onset counts")
  func randomDefinitions() throws {
    var random = SystemRandomNumberGenerator()
    let rules = [
      "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "FREQ=YEARLY;BYMONTH=4;BYDAY=1SU",
      "FREQ=YEARLY;BYMONTH=10;BYDAY=-2SA", "FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=22",
      "FREQ=YEARLY;BYMONTH=11;BYDAY=FR;BYMONTHDAY=15,16,17,18,19,20,21",
      "FREQ=YEARLY;BYMONTH=2;BYDAY=SU;BYMONTHDAY=-7,-6,-5,-4,-3,-2,-1",
      "FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYSETPOS=-1", "FREQ=YEARLY",
      "FREQ=YEARLY;BYMONTH=5;BYDAY=TH;BYMONTHDAY=-14,-13,-12,-11,-10,-9,-8",
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=6;BYDAY=2MO", "FREQ=YEARLY;BYMONTH=8;BYDAY=5WE",
      "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=19991031T010000Z",
      "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;COUNT=12", "FREQ=YEARLY;BYMONTH=3;BYDAY=FR;BYHOUR=4",
      "FREQ=MONTHLY;INTERVAL=6;BYDAY=-1SU", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    ]
    var compared = 0
    for round in 0..<300 {
      var observances: [Observance] = []
      for index in 0..<Int.random(in: 1...5, using: &random) {
        let daylight = index == 0 ? Bool.random(using: &random) : index % 2 == 1
        let date = try #require(
          CivilDate(
            year: Int.random(in: 1960...2010, using: &random),
            month: Int.random(in: 1...12, using: &random),
            day: Int.random(in: 1...28, using: &random)))
        let time = try #require(
          TimeOfDay(hour: Int.random(in: 0...23, using: &random), minute: 0))
        let text = try #require(rules.randomElement(using: &random))
        observances.append(
          Observance(
            isDaylight: daylight, start: CivilDateTime(date, time),
            offsetFrom: Int.random(in: -11...13, using: &random) * 3600,
            offsetTo: Int.random(in: -11...13, using: &random) * 3600,
            rules: Bool.random(using: &random) || index > 1 ? [try Rule(parsing: text)] : [],
            dates: Bool.random(using: &random)
              ? [.date(try #require(date.adding(days: 100)))] : []))
      }
      let zone = try #require(ZoneDefinition(identifier: "x", observances: observances).zone().zone)
      // Also three times 400 years after the last of the rules that end.
      let year = round % 15 == 0 ? 3300 : 2060
      let literal = try Literal(observances, through: year)
      let last = Instant(utc: try Self.civil("\(year)-01-01T00:00:00")).secondsSinceEpoch
      var instants = literal.onsets.flatMap { [$0.instant - 1, $0.instant] }
      instants += (0..<200).map { _ in Int.random(in: -400_000_000...last, using: &random) }
      for instant in instants where instant < last {
        let expected = literal.offset(at: instant)
        let got = zone.utcOffset(at: Instant(secondsSinceEpoch: instant))
        compared += 1
        if got != expected {
          Issue.record(
            "\(Instant(secondsSinceEpoch: instant)): \(got), not \(expected): \(observances)")
          return
        }
      }
    }
    #expect(compared > 60_000)
  }

  @Test("definitions of Exchange begin in 1601")
  func exchange() throws {
    let definition = ZoneDefinition(
      identifier: "Customized Time Zone",
      observances: [
        try Self.observance(
          false, "1601-01-01T03:00:00", 7200, 3600,
          "FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10"),
        try Self.observance(
          true, "1601-01-01T02:00:00", 3600, 7200,
          "FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3"),
      ])
    let zone = try #require(definition.zone().zone)
    let berlin = try #require(
      ZoneDatabase(folder: ZoneDatabase.systemFolder).zone(named: "Europe/Berlin"))
    for year in [1999, 2026, 2400, 9000] {
      for month in 1...12 {
        let date = try #require(CivilDate(year: year, month: month, day: 28))
        let instant = Instant(utc: CivilDateTime(date, .midnight))
        #expect(zone.utcOffset(at: instant) == berlin.utcOffset(at: instant), "\(date)")
      }
    }
  }

  @Test("forty daily or secondly rules since 1601 end at once and are reported")
  func hostile() throws {
    let texts = [
      "FREQ=DAILY", "FREQ=SECONDLY", "FREQ=MINUTELY;BYSECOND=1,2,3", "FREQ=HOURLY",
      "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;COUNT=999999999",
      "FREQ=SECONDLY;UNTIL=99991231T000000Z",
    ]
    for text in texts {
      let observances = try (0..<40).map { index in
        try Self.observance(
          index % 2 == 0, "1601-01-01T00:00:\(10 + index)", index * 60, index * 60 + 3600, text)
      }
      var problems: [ZoneDefinitionProblem] = []
      let time = ThreadTime.seconds {
        problems = ZoneDefinition(identifier: "x", observances: observances).zone().problems
      }
      #expect(time < 20 * NeverTests.dailyRule, "\(text)")
      if !text.contains("BYMONTHDAY") {
        #expect(problems.contains { if case .tooManyOnsets = $0 { true } else { false } })
      }
    }
  }

  // Checks limit: ZoneDefinition.mostObservances, ZoneDefinition.mostOnsets
  // Checks limit: ZoneDefinition.mostOnsetsOfRule
  @Test("1,000 observances, 1,000 onsets of a rule and 30,000 of a definition are read")
  func limits() throws {
    func problems(_ observances: [Observance]) -> [ZoneDefinitionProblem] {
      ZoneDefinition(identifier: "x", observances: observances).zone().problems
    }
    for count in [1_000, 1_001] {
      let one = try Self.observance(false, "2000-01-01T00:00:00", 3600, 7200)
      let found = problems([Observance](repeating: one, count: count))
      #expect(found.contains(.tooManyObservances(count)) == (count > 1_000))
      let rule = try Self.observance(
        false, "2000-01-01T00:00:00", 3600, 7200, "FREQ=DAILY;COUNT=\(count)")
      #expect(Self.hasTooMany(problems([rule])) == (count > 1_000))
    }
    // 29 rules with 1,000 onsets and their 30 starts leave room for 970 more.
    let full = try Self.observance(
      false, "2000-01-01T00:00:00", 3600, 7200, "FREQ=DAILY;COUNT=1000")
    for count in [970, 971] {
      let last = try Self.observance(
        false, "2000-01-01T00:00:00", 3600, 7200, "FREQ=DAILY;COUNT=\(count)")
      let found = problems([Observance](repeating: full, count: 29) + [last])
      #expect(Self.hasTooMany(found) == (count > 970))
    }
  }

  private static func hasTooMany(_ problems: [ZoneDefinitionProblem]) -> Bool {
    problems.contains { if case .tooManyOnsets = $0 { true } else { false } }
  }

  // Checks RFC 5545: 3.6.5/3, 3.6.5/4, 3.6.5/7, 3.6.5/8, 3.8.2.4/5, 3.8.3.3/1, 3.8.3.3/3
  // Checks RFC 5545: 3.8.3.4/1
  @Test("missing and impossible parts are reported, and the rest is used")
  func problems() throws {
    let good = try Self.observance(false, "2000-01-01T00:00:00", 7200, 3600)
    var noFrom = try Self.observance(true, "2001-06-01T00:00:00", 0, 7200)
    noFrom.offsetFrom = nil
    var noTo = noFrom
    noTo.offsetTo = nil
    var noStart = good
    noStart.start = nil
    var far = good
    far.offsetTo = 100_000
    let definition = ZoneDefinition(
      identifier: "x", observances: [good, noFrom, noTo, noStart, far])
    let (zone, problems) = definition.zone()
    #expect(
      Set(problems) == [
        .missingOffsetFrom(observance: 2, component: "DAYLIGHT"),
        .missingOffsetTo(observance: 3, component: "DAYLIGHT"),
        .missingStart(observance: 4, component: "STANDARD"),
        .offsetOutOfRange(observance: 5, component: "STANDARD", offset: 100_000),
      ])
    // The onset of 1 June counts from what STANDARD kept.
    let onset = try #require(Instant(rfc3339: "2001-05-31T23:00:00Z"))
    #expect(zone?.previousTransition(before: onset.adding(seconds: 1))?.instant == onset)
    #expect(ZoneDefinition(identifier: "x", observances: []).zone().problems == [.noObservance])
    #expect(ZoneDefinition(identifier: "x", observances: [noStart]).zone().zone == nil)
    let daylight = try Self.observance(true, "2000-01-01T00:00:00", 0, 3600)
    #expect(
      ZoneDefinition(identifier: "x", observances: [daylight]).zone().problems == [.onlyDaylight])
    #expect(
      ZoneDefinition(identifier: "x", observances: [daylight, good]).zone().problems
        == [.identicalOffsets(3600)])
  }
}
