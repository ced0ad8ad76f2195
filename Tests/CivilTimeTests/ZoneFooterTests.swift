import CivilTime
import Foundation
import Testing

@Suite struct ZoneFooterTests {
  /// A rule read literally: every change of many years, found by counting days.
  private struct Literal {
    private var changes: [(instant: Int, offset: Int, daylight: Bool)] = []

    init(_ footer: ZoneFooter, _ years: ClosedRange<Int>) throws {
      let daylight = try #require(footer.daylight)
      for year in years {
        let start = try Self.local(daylight.start, year) - footer.standard.utcOffset
        let end = try Self.local(daylight.end, year) - daylight.type.utcOffset
        let both = [
          (start, daylight.type.utcOffset, true), (end, footer.standard.utcOffset, false),
        ]
        // In one year's list the later of two at one moment is that of the later date.
        changes += start <= end ? both : both.reversed()
      }
      // A stable sort: at one moment the later year's change counts.
      changes = changes.enumerated().sorted {
        ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
      }.map(\.element)
    }

    func offset(at instant: Int) -> Int? {
      changes.last { $0.instant <= instant }?.offset
    }

    private static func local(_ change: YearlyChange, _ year: Int) throws -> Int {
      var date = try #require(CivilDate(year: year, month: 1, day: 1))
      var matches: [CivilDate] = []
      var number = 0
      var numberWithoutLeapDay = 0
      while date.year == year {
        let isLeapDay = date.month == 2 && date.day == 29
        if !isLeapDay { numberWithoutLeapDay += 1 }
        switch change.day {
        case .dayOfYear(let wanted) where wanted == number: matches.append(date)
        case .julian(let wanted) where wanted == numberWithoutLeapDay && !isLeapDay:
          matches.append(date)
        case .weekday(let month, _, let weekday)
        where date.month == month && date.weekday == weekday:
          matches.append(date)
        default: break
        }
        number += 1
        date = try #require(date.adding(days: 1))
      }
      var found = matches.first
      if case .weekday(_, let week, _) = change.day {
        found = week == 5 ? matches.last : matches[week - 1]
      }
      // Day 365 of a year that has none is the first of the next one.
      let day = found ?? date
      return Int(day.dayNumber) * 86_400 + change.time
    }
  }

  @Test(
    "each form of rule is read",
    arguments: [
      ("UTC0", 0, 0), ("XYZ4", -14_400, -14_400), ("<+0330>-3:30", 12_600, 12_600),
      ("<-03>3", -10_800, -10_800), ("AAA+24:59:59", -89_999, -89_999),
      ("AAA-24:59:59", 89_999, 89_999), ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200),
      ("EST5EDT", -18_000, -14_400), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", 7200, 10_800),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 39_600, 36_000),
      ("NZST-12NZDT,M9.5.0,M4.1.0/3", 46_800, 43_200), ("ABC3DEF2:30,J60/2,J300/2", -10_800, -9000),
      ("ABC3DEF,59,300/-24", -10_800, -7200), ("XXX3EDT4,0/0,J365/23", -14_400, -14_400),
      ("EST5EDT,0/0,J365/25", -14_400, -14_400), ("WGT3WGST,M3.5.0/-2,M10.5.0/-1", -10_800, -7200),
    ])
  func forms(text: String, january: Int, july: Int) throws {
    let zone = Zone(name: text, footer: try ZoneFooter(parsing: text))
    for (date, offset) in [("2026-01-15", january), ("2026-07-15", july), ("9999-07-15", july)] {
      let instant = try #require(Instant(rfc3339: date + "T12:00:00Z"))
      #expect(zone.utcOffset(at: instant) == offset, "\(date)")
    }
    ZoneTotality.check(zone)
  }

  @Test(
    "errors of TZ rules name the invalid part",
    arguments: [
      ("", "an abbreviation of at least three characters is missing at the end"),
      ("CE-1", "an abbreviation of at least three characters expected at \"CE-1\""),
      ("<+0>0", "an abbreviation of at least three characters expected at \"<+0>0\""),
      ("<+03-3", "an abbreviation of at least three characters expected at \"<+03-3\""),
      ("CET", "an offset is missing at the end"), ("CET--1", "an offset expected at \"-1\""),
      ("CET25", "hour 25 is not in 0…24"), ("CET1:60", "minute 60 is not in 0…59"),
      ("CET1:00:60", "second 60 is not in 0…59"),
      ("CET1CEST,", "a date rule (Mm.w.d, Jn or n) is missing at the end"),
      ("CET1CEST,M3.5.0", "a comma is missing at the end"),
      ("CET1CEST,M0.5.0,M10.5.0", "month 0 is not in 1…12"),
      ("CET1CEST,M3.6.0,M10.5.0", "week 6 is not in 1…5"),
      ("CET1CEST,M3.5.7,M10.5.0", "weekday 7 is not in 0…6"),
      ("CET1CEST,J0,J5", "day of the year 0 is not in 1…365"),
      ("CET1CEST,366,5", "day of the year 366 is not in 0…365"),
      ("CET1CEST,M3.5.0/168,M10.5.0", "hour 168 is not in 0…167"),
      ("CET1CEST,M3.5.0,M10.5.0x", "the end of the rule expected at \"x\""),
      ("CET99999999999999999999", "hour 1000000 is not in 0…24"),
      ("CET1CEST,M3,M10", "a dot expected at \",M10\""),
    ])
  func errors(text: String, message: String) {
    #expect(throws: ZoneError(.invalid(message))) { try ZoneFooter(parsing: text) }
  }

  // Checks limit: ZoneFooter.longestText
  @Test("a rule that is too long is refused")
  func long() {
    func text(_ count: Int) -> String { String(repeating: "A", count: count - 1) + "0" }
    #expect(throws: Never.self) { _ = try ZoneFooter(parsing: text(256)) }
    let message = "the rule is longer than 256 bytes"
    #expect(throws: ZoneError(.invalid(message))) { try ZoneFooter(parsing: text(257)) }
  }

  private static func randomDay() -> String {
    switch Int.random(in: 0...2) {
    case 0: "J\(Int.random(in: 1...365))"
    case 1: "\(Int.random(in: 0...365))"
    default:
      "M\(Int.random(in: 1...12)).\(Int.random(in: 1...5)).\(Int.random(in: 0...6))"
    }
  }

  private static func randomRule(hours: ClosedRange<Int>) -> String {
    let standard = Int.random(in: -14...12)
    let saving = standard + (Bool.random() ? 1 : -1) * Int.random(in: 1...2)
    return "AAA\(standard)BBB\(saving),"
      + "\(randomDay())/\(Int.random(in: hours)),\(randomDay())/\(Int.random(in: hours)):30"
  }

  @Test("random rules agree with their literal reading, also where changes leave their year")
  func literal() throws {
    var compared = 0
    for round in 0..<400 {
      let text = Self.randomRule(hours: round % 2 == 0 ? 0...24 : -167...167)
      let footer = try ZoneFooter(parsing: text)
      let zone = Zone(name: text, footer: footer)
      let literal = try Literal(footer, 1996...2012)
      let start = try #require(Instant(rfc3339: "1998-01-01T00:00:00Z")).secondsSinceEpoch
      let end = try #require(Instant(rfc3339: "2010-01-01T00:00:00Z")).secondsSinceEpoch
      var instants = (0..<60).map { _ in Int.random(in: start..<end) }
      var instant = Instant(secondsSinceEpoch: start)
      while let next = zone.nextTransition(after: instant)?.instant, next.secondsSinceEpoch < end {
        instants += [next.secondsSinceEpoch - 1, next.secondsSinceEpoch]
        instant = next
      }
      for seconds in instants {
        compared += 1
        let got = zone.utcOffset(at: Instant(secondsSinceEpoch: seconds))
        let expected = literal.offset(at: seconds)
        if got != expected {
          Issue.record(
            "\(text) at \(Instant(secondsSinceEpoch: seconds)): \(got), not \(expected ?? 0)")
          return
        }
        // The local time of every instant leads back to it, or to the first pass of a fold.
        let civil = zone.civil(at: Instant(secondsSinceEpoch: seconds))
        switch zone.resolution(of: civil) {
        case .unique(let only): #expect(only.secondsSinceEpoch == seconds, "\(text)")
        case .fold(let first, let second):
          #expect([first.secondsSinceEpoch, second.secondsSinceEpoch].contains(seconds), "\(text)")
        case .gap: Issue.record("\(text): \(civil) is shown but in a gap")
        }
      }
    }
    #expect(compared > 24_000)
  }

  @Test("daylight saving time that ends when it begins has no length")
  func noDaylight() throws {
    let zone = Zone(name: "x", footer: try ZoneFooter(parsing: "AAA0BBB-1,J60/0,J60/1"))
    for day in -400...400 {
      let moment = Instant(secondsSinceEpoch: day * 86_400)
      #expect(zone.utcOffset(at: moment) == 0 && !zone.isDaylight(at: moment), "\(day)")
      #expect(zone.instant(of: moment.utc) == moment, "\(day)")
    }
    #expect(zone.nextTransition(after: Instant(secondsSinceEpoch: 0)) == nil)
    for moment in ["0001-06-01T00:00:00Z", "2026-06-01T00:00:00Z"] {
      #expect(zone.previousTransition(before: try #require(Instant(rfc3339: moment))) == nil)
    }
  }

  @Test("daylight saving time that begins in the year before can have an end")
  func beginsInYearBefore() throws {
    // From 31 December, 14:00, to 27 October, 02:00 on clocks that are an hour ahead.
    let zone = Zone(name: "x", footer: try ZoneFooter(parsing: "AAA0BBB,J1/-10,J300/2"))
    for (text, isDaylight) in [
      ("2025-12-31T13:59:59Z", false), ("2025-12-31T14:00:00Z", true),
      ("2026-01-01T00:00:00Z", true), ("2026-10-27T00:59:59Z", true),
      ("2026-10-27T01:00:00Z", false), ("2026-12-31T13:59:59Z", false),
    ] {
      #expect(zone.isDaylight(at: try #require(Instant(rfc3339: text))) == isDaylight, "\(text)")
    }
  }

  @Test("any year costs the same and repeats after 400")
  func farFuture() throws {
    let zone = Zone(name: "x", footer: try ZoneFooter(parsing: "CET-1CEST,M3.5.0,M10.5.0/3"))
    let cycle = 146_097 * 86_400
    for _ in 0..<5_000 {
      let near = Int.random(in: 0...cycle)
      for cycles in [-4, 1, 15, 1_000_000] {
        let far = Instant(secondsSinceEpoch: near + cycles * cycle)
        #expect(zone.utcOffset(at: far) == zone.utcOffset(at: Instant(secondsSinceEpoch: near)))
      }
    }
  }
}
