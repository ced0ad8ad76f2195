import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// Rules that can never match, and rules that nearly never do.
@Suite struct NeverTests {
  static let start = EventTime.floating(RecurrenceSetTests.civil("2024-01-02T09:00"))

  /// How long a rule takes that matches every day, for 20,000 days.
  static let dailyRule = ThreadTime.seconds {
    let rule = try? Rule(parsing: "FREQ=DAILY")
    #expect(
      rule.map { RuleExpansion($0, start: start).prefix(20_000).count { _ in true } } == 20_000)
  }

  @Test(
    "a rule that never matches ends",
    arguments: Rule.Frequency.allCases.map(\.text).flatMap { frequency in
      [
        "FREQ=\(frequency);BYMONTH=2;BYMONTHDAY=30", "FREQ=\(frequency);BYMONTHDAY=31;BYMONTH=4,6",
        "FREQ=\(frequency);INTERVAL=3;BYMONTH=2;BYMONTHDAY=30;BYDAY=MO",
      ]
    } + [
      "FREQ=SECONDLY;BYSETPOS=2", "FREQ=MINUTELY;BYSECOND=1,2;BYSETPOS=3",
      "FREQ=HOURLY;BYMINUTE=1,2;BYSETPOS=-3", "FREQ=DAILY;BYSETPOS=2",
      "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
      "FREQ=YEARLY;BYDAY=MO;BYMONTH=3;BYSETPOS=6", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
      "FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=100", "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1",
      "FREQ=YEARLY;INTERVAL=4;BYYEARDAY=366;BYMONTH=11", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3",
      "FREQ=HOURLY;INTERVAL=24;BYHOUR=5", "FREQ=HOURLY;INTERVAL=168;BYDAY=WE,TH,FR,SA,SU,MO",
      "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30", "FREQ=SECONDLY;INTERVAL=60;BYSECOND=30",
      "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=10", "FREQ=DAILY;INTERVAL=7;BYDAY=MO,WE",
      "FREQ=WEEKLY;INTERVAL=52;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYDAY=6MO",
      "FREQ=YEARLY;BYMONTH=3;BYDAY=6MO", "FREQ=YEARLY;INTERVAL=999999999999999",
      "FREQ=SECONDLY;INTERVAL=999999999999999;COUNT=999999999999999",
      "FREQ=MONTHLY;INTERVAL=999999999999999;BYSETPOS=-366",
    ])
  func never(_ text: String) throws {
    let rule = try Rule(parsing: text)
    let time = ThreadTime.seconds {
      #expect(RuleExpansion(rule, start: Self.start).dropFirst().first { _ in true } == nil)
    }
    #expect(time < 10 * Self.dailyRule)
  }

  @Test("thousands of rules that never match cost little")
  func hostile() throws {
    let time = try ThreadTime.seconds {
      for interval in 1...2000 {
        let rule = try Rule(parsing: "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;INTERVAL=\(interval)")
        #expect(RuleExpansion(rule, start: Self.start).dropFirst().first { _ in true } == nil)
      }
    }
    #expect(time < 50 * Self.dailyRule)
  }

  // Checks Decisions: Rules in other calendars/7
  @Test("SKIP changes no weekly rule, and makes none slower")
  func weeklySkip() throws {
    let begin = ThreadTime.now
    let start = EventTime.floating(RecurrenceSetTests.civil("0001-01-01T09:00"))
    for rest in [
      "BYSETPOS=-1", "BYDAY=MO,TH;BYSETPOS=1,-1", "BYMONTHDAY=31;BYSETPOS=-1", "BYMONTHDAY=30",
    ] {
      let plain = try Rule(parsing: "FREQ=WEEKLY;\(rest)")
      let expected = Array(RuleExpansion(plain, start: start).prefix(20))
      for skip in ["FORWARD", "BACKWARD"] {
        for interval in 1...10 {
          let rule = try Rule(parsing: "FREQ=WEEKLY;SKIP=\(skip);INTERVAL=\(interval);\(rest)")
          let found = Array(RuleExpansion(rule, start: start).prefix(20))
          #expect(interval > 1 || found == expected)
          #expect(found.count == 20)
        }
      }
    }
    // One of them goes through 500,000 weeks if it looks for its first date up to the year 9999.
    #expect(ThreadTime.now - begin < 100 * Self.dailyRule)
  }

  @Test(
    "a rule that never matches in another calendar ends",
    arguments: [CalendarSystem.hebrew, .chinese, .persian].flatMap { calendar in
      Rule.Frequency.allCases.map {
        "RSCALE=\(calendar.rawValue);FREQ=\($0.text);BYYEARDAY=40;BYMONTH=9"
      }
    })
  func neverElsewhere(_ text: String) throws {
    let rule = try Rule(parsing: text)
    #expect(RuleExpansion(rule, start: Self.start).dropFirst().first { _ in true } == nil)
  }

  @Test(
    "a rare one is found",
    arguments: [
      ("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA;BYHOUR=1", "2048-02-29T01:00:00"),
      ("FREQ=YEARLY;BYDAY=53TH;BYMONTHDAY=31", "2026-12-31T09:00:00"),
      ("FREQ=YEARLY;INTERVAL=100;BYMONTH=1;BYMONTHDAY=1", "2124-01-01T09:00:00"),
      // 2100 is not a leap year.
      ("FREQ=YEARLY;INTERVAL=76;BYYEARDAY=-366", "2176-01-01T09:00:00"),
      ("FREQ=DAILY;INTERVAL=146097", "2424-01-02T09:00:00"),
      // Nine hours, one second earlier each day.
      ("FREQ=SECONDLY;INTERVAL=86399;BYHOUR=0;BYMINUTE=0;BYSECOND=0", "2112-09-17T00:00:00"),
    ])
  func rare(_ text: String, _ next: String) throws {
    let rule = try Rule(parsing: text)
    let found = RuleExpansion(rule, start: Self.start).dropFirst().first { _ in true }
    #expect(found?.description == next)
  }
}
