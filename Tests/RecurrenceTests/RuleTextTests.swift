import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// Rules as text: what is taken, what is refused and in which words.
@Suite struct RuleTextTests {
  /// The error, or the problem of the first part or value that is ignored.
  static func message(_ text: String) -> String? {
    do throws(RuleError) {
      return try RuleText(text).notes.lazy.compactMap { note in
        switch note {
        case .unreadablePart(let error), .unreadableValue(let error, _): error.description
        default: nil
        }
      }.first
    } catch {
      return error.description
    }
  }

  // Checks RFC 5545: 3.3.10/1, 3.3.10/3, 3.3.10/4, 3.3.10/7
  // Checks Decisions: Rules in other calendars/1
  @Test("a long part is quoted by its first 64 bytes")
  func longQuote() {
    for (count, quote) in [(64, 64), (65, 64)] {
      let word = String(repeating: "X", count: count)
      let error = #expect(throws: RuleError.self) { try Rule(parsing: "FREQ=\(word)") }
      let text = String(repeating: "X", count: quote) + (count > quote ? "…" : "")
      #expect(error?.description.contains("\(text)\"") == true, "\(error as Any)")
    }
  }

  @Test(
    "errors name the invalid part",
    arguments: [
      ("FREQ=WEEKLY;BYDAY=255SU", "BYDAY=255SU: expected a number from -53 to 53, got 255"),
      ("FREQ=WEEKLY;BYDAY=MO,-54TU", "BYDAY=-54TU: expected a number from -53 to 53, got -54"),
      ("FREQ=WEEKLY;BYDAY=0MO", "BYDAY=0MO: 0 is not allowed"),
      ("FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX: expected a weekday, got \"XX\""),
      ("FREQ=WEEKLY;BYDAY=MO,,TU", "BYDAY=MO,,TU: expected a weekday, got \"\""),
      ("FREQ=DAILY;INTERVAL=0", "INTERVAL=0: expected a number from 1 to 999999999999999, got 0"),
      (
        "FREQ=DAILY;COUNT=99999999999999999999999",
        "COUNT=99999999999999999999999: expected a number from 1 to 999999999999999, got 99999999999999999999999"
      ),
      ("FREQ=DAILY;COUNT=", "COUNT=: expected a number, got \"\""),
      ("FREQ=DAILY;COUNT=ten", "COUNT=ten: expected a number, got \"ten\""),
      ("FREQ=DAILY;BYHOUR=25", "BYHOUR=25: expected a number from 0 to 23, got 25"),
      ("FREQ=DAILY;BYHOUR=9,25", "BYHOUR=25: expected a number from 0 to 23, got 25"),
      ("FREQ=DAILY;BYMONTHDAY=0", "BYMONTHDAY=0: 0 is not allowed"),
      ("FREQ=DAILY;BYMONTHDAY=32", "BYMONTHDAY=32: expected a number from -31 to 31, got 32"),
      (
        "FREQ=YEARLY;BYYEARDAY=-367", "BYYEARDAY=-367: expected a number from -366 to 366, got -367"
      ),
      ("FREQ=YEARLY;BYWEEKNO=54", "BYWEEKNO=54: expected a number from -53 to 53, got 54"),
      ("FREQ=YEARLY;BYMONTH=13", "BYMONTH=13: expected a number from 1 to 12, got 13"),
      ("FREQ=YEARLY;BYMONTH=5L", "BYMONTH=5L: this calendar has no leap month 5L"),
      (
        "RSCALE=PERSIAN;FREQ=YEARLY;BYMONTH=5L", "BYMONTH=5L: this calendar has no leap month 5L"
      ),
      (
        "FREQ=YEARLY;BYMONTH=13;RSCALE=HEBREW", "BYMONTH=13: expected a number from 1 to 12, got 13"
      ),
      ("FREQ=DAILY;COUNT=2;COUNT=3", "COUNT=3: this part occurs twice"),
      ("COUNT=2", "missing FREQ"),
      ("", "missing FREQ"),
      ("FREQ=FORTNIGHTLY", "FREQ=FORTNIGHTLY: unknown value \"FORTNIGHTLY\""),
      ("FREQ", "missing FREQ"),
      ("FREQ=DAILY;UNTIL=20240230", "UNTIL=20240230: expected a date or time, got \"20240230\""),
      (
        "FREQ=DAILY;UNTIL=20240101T250000",
        "UNTIL=20240101T250000: expected a date or time, got \"20240101T250000\""
      ),
      ("FREQ=DAILY;UNTIL=", "UNTIL=: expected a date or time, got \"\""),
      ("FREQ=DAILY;WKST=9", "WKST=9: expected a weekday, got \"9\""),
      ("RSCALE=MAYAN;FREQ=YEARLY", "RSCALE=MAYAN: the calendar MAYAN is not supported"),
      ("FREQ=MONTHLY;SKIP=UP", "SKIP=UP: unknown value \"UP\""),
    ])
  func errors(_ text: String, _ message: String) {
    #expect(Self.message(text) == message)
  }

  // Checks RFC 5545: 3.3.10/1, 3.3.10/3, 3.3.10/4, 3.3.10/5, 3.3.10/6
  // Checks Decisions: Deviations/7, Deviations/9
  @Test(
    "quirks of real files are accepted",
    arguments: [
      ("freq=weekly;byday=mo,tu;wkst=su", "FREQ=WEEKLY;BYDAY=MO,TU;WKST=SU"),
      ("FREQ=WEEKLY;BYDAY=MO, TU", "FREQ=WEEKLY;BYDAY=MO,TU"),
      (" FREQ = DAILY ; COUNT = 3 ; ", "FREQ=DAILY;COUNT=3"),
      ("FREQ=DAILY;;COUNT=3;", "FREQ=DAILY;COUNT=3"),
      ("COUNT=3;FREQ=DAILY", "FREQ=DAILY;COUNT=3"),
      ("FREQ=DAILY;X-FOO=1;BYDAY=", "FREQ=DAILY"),
      ("FREQ=DAILY;COUNT=3;UNTIL=20240101T120000Z", "FREQ=DAILY;COUNT=3;UNTIL=20240101T120000Z"),
      ("FREQ=MONTHLY;BYDAY=+1MO,-1SU,1MO", "FREQ=MONTHLY;BYDAY=-1SU,1MO"),
      ("FREQ=MONTHLY;SKIP=BACKWARD", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD"),
      ("FREQ=YEARLY;BYMONTHDAY=+7,-1,007", "FREQ=YEARLY;BYMONTHDAY=-1,7"),
      ("FREQ=DAILY;BYSECOND=60;UNTIL=20240101", "FREQ=DAILY;UNTIL=20240101;BYSECOND=60"),
      ("RRULE:FREQ=DAILY", "FREQ=DAILY"), ("rrule:RRULE:FREQ=DAILY;COUNT=2", "FREQ=DAILY;COUNT=2"),
      ("FREQ=DAILY;COUNT=0;INTERVAL=2", "FREQ=DAILY;INTERVAL=2"),
      ("FREQ=DAILY;COUNT=-1", "FREQ=DAILY"),
      ("FREQ=DAILY;COUNT=3;FREQ=DAILY", "FREQ=DAILY;COUNT=3"),
      ("FREQ=WEEKLY;BYDAY=mo;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO"),
      ("Anything;FREQ=DAILY", "FREQ=DAILY"), ("FREQ=DAILY;COUNT=2;x", "FREQ=DAILY;COUNT=2"),
      ("FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY"), ("FREQ=WEEKLY;INTERVAL=", "FREQ=WEEKLY"),
      ("FREQ=WEEKLY;INTERVAL=0;COUNT=3", "FREQ=WEEKLY;COUNT=3"),
      ("FREQ=MONTHLY;BYMONTHDAY=9,13,0", "FREQ=MONTHLY;BYMONTHDAY=9,13"),
      ("FREQ=MONTHLY;BYMONTHDAY=x,9,32;BYSETPOS=", "FREQ=MONTHLY;BYMONTHDAY=9"),
      ("FREQ=WEEKLY;BYDAY=MO,,XX,TU", "FREQ=WEEKLY;BYDAY=MO,TU"),
      ("FREQ=WEEKLY;BYDAY=XX;BYDAY=TU", "FREQ=WEEKLY;BYDAY=TU"),
      ("FREQ=WEEKLY;WKST=9;SKIP=UP;RSCALE=", "FREQ=WEEKLY"),
      ("FREQ=WEEKLY;BYDAY=TUESDAY;WKST=Sunday", "FREQ=WEEKLY;BYDAY=TU;WKST=SU"),
      ("FREQ=MONTHLY;BYDAY=1tue,-1 Friday", "FREQ=MONTHLY;BYDAY=-1FR,1TU"),
      ("FREQ:WEEKLY;COUNT:3;X:1", "FREQ=WEEKLY;COUNT=3"),
      ("FREQ=DAILY;UNTIL=2026-12-15", "FREQ=DAILY;UNTIL=20261215"),
      ("FREQ=DAILY;UNTIL=2026/12/15", "FREQ=DAILY;UNTIL=20261215"),
      ("FREQ=DAILY;UNTIL=20261215Z", "FREQ=DAILY;UNTIL=20261215"),
      ("FREQ=DAILY;UNTIL=2026-12-15T10:00:00", "FREQ=DAILY;UNTIL=20261215T100000"),
      ("FREQ=DAILY;UNTIL=2026-12-15 10:00", "FREQ=DAILY;UNTIL=20261215T100000"),
      ("FREQ=DAILY;UNTIL=20261215T1000z", "FREQ=DAILY;UNTIL=20261215T100000Z"),
      ("FREQ=DAILY;UNTIL=2026-12-15T10:00:00.000Z", "FREQ=DAILY;UNTIL=20261215T100000Z"),
      ("FREQ=DAILY;UNTIL=2026-12-15T00:30:00+01:00", "FREQ=DAILY;UNTIL=20261214T233000Z"),
      ("FREQ=DAILY;UNTIL=20261215T203000-0500", "FREQ=DAILY;UNTIL=20261216T013000Z"),
      ("FREQ=DAILY;UNTIL=20261231T240000", "FREQ=DAILY;UNTIL=20270101T000000"),
      (
        "FREQ=YEARLY;BYMONTH=5l,7,6,5L;SKIP=forward;RSCALE=hebrew",
        "FREQ=YEARLY;BYMONTH=6,7,5L;RSCALE=HEBREW;SKIP=FORWARD"
      ),
      ("RSCALE=ETHIOPIC;FREQ=YEARLY;BYMONTH=13", "FREQ=YEARLY;BYMONTH=13;RSCALE=ETHIOPIC"),
    ])
  func tolerance(_ text: String, _ written: String) throws {
    let rule = try Rule(parsing: text)
    #expect(rule.description == written)
    #expect(try Rule(parsing: written) == rule)
  }

  // Checks Decisions: Deviations/9
  @Test(
    "without a valid FREQ, a known calendar or a readable end there is no rule",
    arguments: [
      "BYDAY=MO", "FREQ=", "FREQ=WEEK", "FREQ=DAILY;COUNT=", "FREQ=DAILY;COUNT",
      "FREQ=DAILY;COUNT=x",
      "FREQ=DAILY;UNTIL=", "FREQ=DAILY;UNTIL=never", "FREQ=DAILY;COUNT=3;UNTIL=never",
      "FREQ=DAILY;UNTIL=20260230", "FREQ=DAILY;UNTIL=2026-12", "FREQ=DAILY;UNTIL=20261215T25",
      "FREQ=DAILY;UNTIL=20261215T100000+25", "FREQ=DAILY;UNTIL;TZID=Europe/Berlin:20261215T000000",
      "FREQ=DAILY;RSCALE=MAYAN", "FREQ=WEEKLY;BYDAY=MO;BYDAY=TU",
    ])
  func noRule(_ text: String) {
    #expect(throws: RuleError.self) { try Rule(parsing: text) }
  }

  // Checks Decisions: Rules in other calendars/1
  @Test(
    "calendars that number their years alone otherwise are the Gregorian one to a rule",
    arguments: ["gregorian", "GREGORY", "ISO8601", "BUDDHIST", "ROC", "JAPANESE"])
  func sameMonths(calendar: String) throws {
    let text = "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29;SKIP=BACKWARD"
    let rule = try RuleText("RSCALE=\(calendar);\(text)")
    #expect(rule.rule == (try Rule(parsing: "RSCALE=GREGORIAN;\(text)")))
    #expect(rule.notes.isEmpty)
  }

  // Checks RFC 7529: 5/1, 5/2, 5/3
  @Test(
    "a calendar has its other names of CLDR, too, in any letter case",
    arguments: [
      ("islamicc", "ISLAMIC-CIVIL"), ("Islamic-Civil", "ISLAMIC-CIVIL"), ("ethioaa", "ETHIOPIC"),
      ("ethiopic-amete-alem", "ETHIOPIC"), ("hebrew", "HEBREW"),
    ])
  func names(_ name: String, _ preferred: String) throws {
    let text = "FREQ=YEARLY;INTERVAL=2;BYMONTH=9;BYMONTHDAY=29"
    let rule = try RuleText("RSCALE=\(name);\(text)")
    #expect(rule.rule == (try Rule(parsing: "RSCALE=\(preferred);\(text)")))
    #expect(rule.rule.description.contains("RSCALE=\(preferred)"))
    #expect(rule.notes.isEmpty)
  }

  // Checks RFC 7529: 4/1
  @Test("SKIP without RSCALE is noted, and written with it")
  func skipAlone() throws {
    let text = try RuleText("FREQ=MONTHLY;SKIP=FORWARD")
    #expect(text.notes == [.skipWithoutCalendar])
    #expect(text.rule.description == "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD")
    #expect(try RuleText(text.rule.description).notes.isEmpty)
  }

  // Checks RFC 5545: 3.3.10/18, 3.3.10/20, 3.3.10/28
  // Checks Decisions: Deviations/9
  @Test("ignored parts are noted")
  func notes() throws {
    #expect(
      try RuleText("FREQ=DAILY;X-FOO=1;BYDAY=;COUNT=1;UNTIL=20240101;SKIP=OMIT").notes == [
        .unknownPart("X-FOO=1"), .emptyPart("BYDAY"), .countAndUntil, .skipWithoutCalendar,
      ])
    #expect(
      try RuleText("FREQ=WEEKLY;BYMONTHDAY=13;BYDAY=1FR").notes
        == [.misplacedPart("BYMONTHDAY"), .misplacedOrdinals])
    #expect(try RuleText("FREQ=MONTHLY;BYDAY=1FR").notes.isEmpty)
    #expect(
      try RuleText("Anything;FREQ=DAILY;freq=daily").notes
        == [.unknownPart("Anything"), .repeatedPart("freq=daily")])
    #expect(
      try RuleText("RRULE:FREQ=DAILY;COUNT=-1").notes
        == [.repeatedName("RRULE"), .countBelowOne("COUNT=-1")])
    #expect(try RuleText("RRULE:RRULE:FREQ=DAILY").notes == [.repeatedName("RRULE")])
    #expect(try RuleText("EXRULE:FREQ=DAILY").notes == [.repeatedName("EXRULE")])
    let notes = try RuleText("FREQ=DAILY;BYMONTHDAY=9,x,0;INTERVAL=x;BYDAY=Tuesday;COUNT:2").notes
    #expect(
      notes.map { "\($0): \($0.action.text)" } == [
        "BYMONTHDAY=x: expected a number, got \"x\" (and 1 other value): read without these values",
        "INTERVAL=x: expected a number, got \"x\": read without this part",
        "BYDAY=Tuesday is not in the form of RFC 5545: read as BYDAY=TU",
        "COUNT:2 is not in the form of RFC 5545: read as COUNT=2",
      ])
  }

  // Checks limit: Reader.mostValues
  @Test("a part has at most 770 values", arguments: [(770, true), (771, false)])
  func manyValues(count: Int, isAllowed: Bool) {
    let values = Array(repeating: "1", count: count).joined(separator: ",")
    #expect((Self.message("FREQ=DAILY;BYHOUR=\(values)") == nil) == isAllowed)
  }

  @Test("an error says where in the text it is")
  func place() {
    let error = #expect(throws: RuleError.self) { try Rule(parsing: "FREQ=WEEKLY;COUNT=five") }
    #expect(error?.place == 18..<22)
  }

  @Test("a random rule written and read again is the same rule")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 5)
    for round in 0..<2000 {
      let frequency = Rule.Frequency.allCases[round % 7]
      guard let rule = LooseRule.random(frequency, using: &generator).rule else { continue }
      #expect(try Rule(parsing: rule.description) == rule)
    }
  }

  @Test("random bytes give a rule or an error, never more")
  func randomBytes() {
    var generator = SeededGenerator(seed: 6)
    let seeds = [
      "FREQ=MONTHLY;BYDAY=-1SU;UNTIL=20240101T120000Z;COUNT=3", "FREQ=YEARLY;BYSETPOS=-1,366",
    ]
    for round in 0..<4000 {
      var bytes = Array(seeds[round % 2].utf8)
      for _ in 0..<generator.number(1...6) {
        let place = generator.number(0...bytes.count - 1)
        bytes[place] = UInt8(generator.number(0...255))
      }
      if let rule = try? Rule(parsing: bytes) {
        for civil in RuleExpansion(rule, start: .date(.first)).prefix(3) {
          #expect(civil.date >= .first)
        }
      }
    }
  }
}
