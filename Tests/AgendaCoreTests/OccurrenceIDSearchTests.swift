import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import AgendaCore

/// The search for an identifier against the identifiers of all occurrences.
@Suite struct OccurrenceIDSearchTests {
  private static let zones = ["Europe/Berlin", "Pacific/Apia", "America/St_Johns", "UTC"].compactMap
  {
    ZoneDatabase.system(TZDIR: nil).zone(named: $0)
  }

  private static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3;COUNT=90", "FREQ=WEEKLY;BYDAY=SU,WE",
    "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD",
    // What has several times of day must not be ruled out by that of DTSTART.
    "FREQ=DAILY;BYHOUR=2,17", "FREQ=HOURLY;INTERVAL=7", "FREQ=WEEKLY;BYMINUTE=5",
  ]

  /// Starts in the night too, so that some times do not exist or come twice.
  private static func event(_ number: Int, using random: inout SeededGenerator) -> Event {
    let date = CivilDate(year: 2010, month: 11, day: 1)?.adding(days: random.number(0...6000))
    let clock = TimeOfDay(hour: random.number(0...4) * 5 % 24, minute: random.number(0...1) * 30)
    let civil = CivilDateTime(date ?? .first, clock ?? .midnight)
    let start: EventTime =
      switch random.number(0...4) {
      case 0: .date(civil.date)
      case 1: .floating(civil)
      case 2: .utc(civil)
      default: .zoned(civil, zones.randomElement(using: &random) ?? .utc)
      }
    let days = random.chance(20) ? random.number(1...40) : start.isDate ? 1 : 0
    var event = SeriesTests.event(
      "\(number)@example.com", start,
      extent: .duration(EventDuration(days: days, seconds: start.isDate ? 0 : 3600)),
      rules: random.chance(70) ? [rules.randomElement(using: &random) ?? ""] : [],
      kind: random.chance(10) ? .task : .event)
    if random.chance(10) { event.recurrence?.exceptionDates = [start] }
    if random.chance(10) {
      event.sharesUID = true
      event.sharesStart = random.chance(50)
    }
    return event
  }

  private static func series(_ number: Int, using random: inout SeededGenerator) -> Series {
    let master = event(number, using: &random)
    guard random.chance(15), master.repeats, let start = master.start else { return Series(master) }
    var moved = master
    moved.recurrence = nil
    moved.identity.recurrenceID = start
    moved.start = start.at(
      CivilDateTime(start.civil.date.adding(days: 400) ?? start.civil.date, start.civil.time))
    return Series(master, overrides: [moved])
  }

  @Test("a series is not ruled out for the identifier of any of its occurrences")
  func everyOccurrence() throws {
    var random = SeededGenerator(seed: 312)
    var found = 0
    for number in 0..<(300 * TestSettings.rounds) {
      let viewer = try #require(Self.zones.randomElement(using: &random))
      let first = try #require(
        CivilDate(year: 2011, month: 1, day: 1)?.adding(days: random.number(0...5000)))
      let window = try #require(
        DateWindow(firstDay: first, length: .days(random.number(1...500)), zone: viewer))
      let series = Self.series(number, using: &random)
      let occurrences = series.occurrences(
        touching: window.start..<window.end, viewer: viewer, includingCancelled: true)
      for occurrence in occurrences {
        found += 1
        var search = OccurrenceIDSearch(for: OccurrenceID(of: occurrence), in: window)
        let isMissed = search.surelyMisses(series)
        #expect(!isMissed, "\(series) \(occurrence) in \(window)")
      }
    }
    #expect(found > 1000)
  }

  @Test("series of other identifiers are ruled out, unless their times need a closer look")
  func others() throws {
    var random = SeededGenerator(seed: 313)
    let first = try #require(CivilDate(year: 2026, month: 11, day: 21))
    let window = try #require(DateWindow(firstDay: first, length: .years(1), zone: .utc))
    var search = OccurrenceIDSearch(for: OccurrenceID(number: 0x3f9a_2c71), in: window)
    let events = (0..<1000).map { Self.event($0, using: &random) }.filter {
      $0.kind == .event && !($0.recurrence?.rules.contains { !$0.byHour.isEmpty } ?? false)
    }
    let missed = events.filter { search.surelyMisses(Series($0)) }
    #expect(missed.count > events.count * 7 / 10)
  }
}

extension SeededGenerator {
  fileprivate mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }
}
