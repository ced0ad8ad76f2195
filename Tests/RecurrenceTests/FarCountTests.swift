import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// Where a COUNT ends that reaches over centuries.
@Suite struct FarCountTests {
  @Test(
    "the end of a COUNT is exact however far away",
    arguments: [
      // 200,000 weeks after a Monday.
      ("20240101T090000", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=1000001", "5857-01-26T09:00:00"),
      ("20240101T090000", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=1000001", "5857-01-26T09:00:00"),
      ("20240101T090000", "FREQ=HOURLY;BYHOUR=9,10;BYDAY=MO;COUNT=400001", "5857-01-26T09:00:00"),
      (
        "20240101T090000", "FREQ=MINUTELY;INTERVAL=30;BYHOUR=9;BYDAY=MO;COUNT=400002",
        "5857-01-26T09:30:00"
      ),
      // Seven months of a year have a 31st, and 97 of 400 years a 29 February.
      ("20240131T090000", "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=7001", "3024-01-31T09:00:00"),
      ("20240131T090000", "FREQ=DAILY;BYMONTHDAY=31;COUNT=28001", "6024-01-31T09:00:00"),
      ("20240229T090000", "FREQ=YEARLY;COUNT=971", "6024-02-29T09:00:00"),
      (
        "20240229T090000", "FREQ=SECONDLY;INTERVAL=1800;BYMONTH=2;BYMONTHDAY=29;COUNT=46561",
        "6024-02-29T09:00:00"
      ),
      ("20240126T090000", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=48001", "6024-01-26T09:00:00"),
      (
        "20240131T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=48001",
        "6024-01-31T09:00:00"
      ),
      // 7,200,000 seconds, three of each minute.
      ("20240101T000000", "FREQ=MINUTELY;BYSECOND=0,20,40;COUNT=360001", "2024-03-24T08:00:00"),
      // 1,000 days with 24 hours, two minutes of each and six seconds of these.
      (
        "20240101T091500", "FREQ=SECONDLY;INTERVAL=10;BYMINUTE=15,45;COUNT=288001",
        "2026-09-27T09:15:00"
      ),
      (
        "20240101T094530", "FREQ=SECONDLY;INTERVAL=10;BYMINUTE=15,45;COUNT=288001",
        "2026-09-27T09:45:30"
      ),
      // With SKIP there is one in each month or year.
      (
        "20240131T090000", "FREQ=MONTHLY;SKIP=BACKWARD;RSCALE=GREGORIAN;COUNT=48001",
        "6024-01-31T09:00:00"
      ),
      // The first day of each month with 31 days, and the last one before each other month.
      (
        "20240331T090000", "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD;RSCALE=GREGORIAN;COUNT=48001",
        "6024-03-31T09:00:00"
      ),
      (
        "20241231T090000",
        "FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD;RSCALE=GREGORIAN;COUNT=1001",
        "3024-12-31T09:00:00"
      ),
      (
        "20241231T090000",
        "FREQ=YEARLY;BYYEARDAY=366;SKIP=BACKWARD;RSCALE=GREGORIAN;COUNT=7976",
        "9999-12-31T09:00:00"
      ),
    ])
  func end(start: String, rule: String, end: String) throws {
    #expect(try Self.bound(start, rule)?.description == end)
  }

  @Test(
    "a COUNT that the calendar is too short for has no end",
    arguments: [
      "FREQ=DAILY;BYDAY=MO;COUNT=999999", "FREQ=DAILY;COUNT=9999999",
      "FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=1;COUNT=7977",
      "FREQ=WEEKLY;BYMONTH=2;COUNT=999999999999999",
      "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD;COUNT=999999999999999",
      "FREQ=SECONDLY;INTERVAL=7;BYMONTH=3;COUNT=999999999999999",
      "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=3;COUNT=999999999999999",
      "FREQ=DAILY;INTERVAL=7;BYDAY=MO,SU;BYMONTH=2;BYMONTHDAY=30;COUNT=2",
    ])
  func none(rule: String) throws {
    #expect(try Self.bound("20240101T090000", rule) == nil)
  }

  // Checks limit: RuleParts.mostMonthsElsewhere
  @Test("in another calendar a COUNT is followed for 7,200 months")
  func otherCalendar() throws {
    // New Year of 2017. The year has thirteen months, and 138 of the next 553 years are leap years.
    let rule = "RSCALE=ETHIOPIC;FREQ=HOURLY;BYMONTHDAY=1;BYHOUR=9;COUNT="
    let days = 553 * 365 + 138 + 10 * 30
    let end = try #require(CivilDate(year: 2024, month: 9, day: 11)?.adding(days: days))
    #expect(try Self.bound("20240911T090000", rule + "7200")?.description == "\(end)T09:00:00")
    #expect(try Self.bound("20240911T090000", rule + "7201") == nil)
  }

  @Test("from 400 years later everything comes 400 years later")
  func cycle() throws {
    var generator = SeededGenerator(seed: 400)
    var compared = 0
    while compared < 150 {
      let frequency = Rule.Frequency.allCases.randomElement(using: &generator) ?? .daily
      var loose =
        frequency >= .monthly && generator.chance(50)
        ? LooseRule.randomSkip(frequency, using: &generator)
        : LooseRule.random(frequency, using: &generator)
      loose.until = nil
      loose.isDate = false
      loose.count = generator.number(1...(frequency < .daily ? 90_000 : 20_000))
      guard let rule = loose.rule else { continue }
      let near = RuleExpansion(rule, start: loose.startTime).bound
      loose.start += 146_097 * 86400
      let far = RuleExpansion(rule, start: loose.startTime).bound
      guard let near, let far else { continue }
      #expect(far.civilSeconds - near.civilSeconds == 146_097 * 86400, "\(loose)")
      compared += 1
    }
  }

  @Test("the end of a COUNT of seconds takes no longer if DTSTART is within an hour")
  func withinHour() throws {
    let rule = try Rule(
      parsing: "FREQ=SECONDLY;COUNT=900;BYSECOND="
        + stride(from: 0, to: 60, by: 2).map(String.init).joined(separator: ","))
    func time(_ start: String) -> Double {
      let start = RecurrenceSetTests.utc(start)
      return ProcessorTime.of {
        for _ in 0..<1_000 { _ = RuleExpansion(rule, start: start).bound }
      }
    }
    #expect(time("2024-01-01T09:00:02") < 3 * time("2024-01-01T09:00:00"))
  }

  @Test(
    "a rule that steps over seconds counts as one that takes long, because each step is looked at",
    arguments: [
      "FREQ=SECONDLY;INTERVAL=7;BYSECOND=1,5,7;COUNT=100000",
      "FREQ=SECONDLY;INTERVAL=13;BYSECOND=0;COUNT=100000000",
      "FREQ=SECONDLY;INTERVAL=86399;BYSECOND=0,1,2,3,4,5,6;COUNT=1000",
    ])
  func steps(rule: String) throws {
    let start = RecurrenceSetTests.utc("2024-01-01T09:00:01")
    #expect(try Rule(parsing: rule).work(from: start) > 0)
  }

  static func bound(_ start: String, _ rule: String) throws -> CivilDateTime? {
    guard case .local(let civil) = try Rule(parsing: "FREQ=DAILY;UNTIL=\(start)").until else {
      return nil
    }
    return RuleExpansion(try Rule(parsing: rule), start: .floating(civil)).bound
  }
}
