import CivilTime
import Testing

@testable import Recurrence

/// The rule grammar of vCalendar 1.0.
@Suite struct VCalendarRuleTests {
  /// A Tuesday, the second of its month.
  static let start = CivilDate(year: 2026, month: 11, day: 10).map { date in
    CivilDateTime(date, TimeOfDay(hour: 9, minute: 0) ?? .midnight)
  }

  @Test("a rule of iCalendar is none of vCalendar 1.0, whatever it begins with")
  func grammar() {
    for text in ["D1 #10", "MP1 2+ TU", "w2", "YD3 1 #1"] {
      #expect(VCalendarRule.isRule(text.utf8), "\(text)")
    }
    for text in ["FREQ=DAILY", "D1;COUNT=2", "D1=", "D", "", "1", "ABC1 #2", "#1", "-1"] {
      #expect(!VCalendarRule.isRule(text.utf8), "\(text)")
    }
  }

  // Checks Decisions: Reading files/12
  @Test(
    "a rule of vCalendar 1.0 is read",
    arguments: [
      ("D1 #10", "FREQ=DAILY;COUNT=10"), ("D2 #0", "FREQ=DAILY;INTERVAL=2"),
      ("D1", "FREQ=DAILY;COUNT=2"), ("D1 20271224T000000", "FREQ=DAILY;UNTIL=20271224T000000"),
      ("W1 MO WE #4", "FREQ=WEEKLY;COUNT=4;BYDAY=MO,WE"),
      (
        "W2 TU TH 20271224T000000Z #8",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=8;UNTIL=20271224T000000Z;BYDAY=TU,TH"
      ),
      ("w1 #0", "FREQ=WEEKLY"),
      ("W1 MO 0900 #3", "FREQ=WEEKLY;COUNT=3;BYMINUTE=0;BYHOUR=9;BYDAY=MO"),
      (
        "MP1 2+ TU 20271231T000000", "FREQ=MONTHLY;UNTIL=20271231T000000;BYDAY=2TU"
      ),
      ("MP2 1+ SU 1- SU #10", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=-1SU,1SU"),
      ("MP1 1+ MO TU #0", "FREQ=MONTHLY;BYDAY=1MO,1TU"),
      ("MP1 #3", "FREQ=MONTHLY;COUNT=3;BYDAY=2TU"),
      ("MP1 1- #3", "FREQ=MONTHLY;COUNT=3;BYDAY=-1TU"),
      ("MD1 2 15 #10", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15"),
      ("MD1 LD 3- #0", "FREQ=MONTHLY;BYMONTHDAY=-3,-1"),
      ("YM1 6 7 #10", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7"), ("YM1 6 #0", "FREQ=YEARLY;BYMONTH=6"),
      ("YD3 1 100 200 #10", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200"),
      ("YM1", "FREQ=YEARLY;COUNT=2"), ("M5 #2", "FREQ=MINUTELY;INTERVAL=5;COUNT=2"),
      ("M90 #0", "FREQ=MINUTELY;INTERVAL=90"),
    ])
  func read(_ text: String, _ rule: String) throws {
    let start = try #require(Self.start)
    #expect(try VCalendarRule.parse(text, start: start).map(\.description) == [rule])
  }

  @Test(
    "a rule of minutes within another repeats each of its occurrences",
    arguments: [
      // The example of the format's section 2.1.16, from 09:00: five days, three times each.
      ("D1 #5 M5 #3", 1, 15, "09:00 09:05 09:10"),
      ("D1 #2 M30 #4", 1, 8, "09:00 09:30 10:00 10:30"),
      ("W1 TU #3 M60 #2", 7, 6, "09:00 10:00"), ("D2 M5", 2, 4, "09:00 09:05"),
    ])
  func nested(_ text: String, _ days: Int, _ count: Int, _ times: String) throws {
    let start = try #require(Self.start)
    let set = RecurrenceSet(
      start: .floating(start), extent: .unstated,
      rules: try VCalendarRule.parse(text, start: start))
    let begin = Instant(utc: start)
    let instances = Array(
      set.instances(touching: begin..<begin.adding(seconds: 400 * 86_400), viewer: .utc))
    let perDay = times.split(separator: " ")
    let expected = (0..<count).map { number in
      let date = start.date.adding(days: number / perDay.count * days)
      return "\(date.map { "\($0)" } ?? "")T\(perDay[number % perDay.count]):00"
    }
    #expect(instances.map { "\($0.start.civil)" } == expected)
  }

  @Test("repetitions within a day count from the time of the event, and go on into other hours")
  func nestedAcrossHours() throws {
    let date = try #require(Self.start).date
    let start = CivilDateTime(date, try #require(TimeOfDay(hour: 22, minute: 45)))
    let set = RecurrenceSet(
      start: .floating(start), extent: .unstated,
      rules: try VCalendarRule.parse("D1 #2 M20 #4", start: start))
    let begin = Instant(utc: start)
    let times = set.instances(touching: begin..<begin.adding(seconds: 9 * 86_400), viewer: .utc)
      .map { "\($0.start.civil.time)".prefix(5) }
    #expect(times == ["22:45", "23:05", "23:25", "23:45", "22:45", "23:05", "23:25", "23:45"])
    #expect(throws: RuleError.self) { try VCalendarRule.parse("D1 #2 M20 #5", start: start) }
  }

  @Test(
    "anything else is an error",
    arguments: [
      "", "X1", "D", "D0 #2", "D1 MO", "W1 XX", "W1 2+ MO", "MP1 6x MO", "MP1 60+ MO", "MD1 32",
      "YM1 13", "YD1 400", "D1 #x", "W1 2500 #2", "W1 MO 0900 TU 0930 #4", "D1 20271340",
      "FREQ=DAILY", "XX1 #2", "MP6 1+ MO #5 D2 #4", "D1 #5 M5 #0", "D1 #2 M60 #20",
    ])
  func errors(_ text: String) throws {
    let start = try #require(Self.start)
    #expect(throws: RuleError.self) { try VCalendarRule.parse(text, start: start) }
  }

  @Test("the error about times with different minutes names the cause")
  func differentMinutes() throws {
    let start = try #require(Self.start)
    let error = #expect(throws: RuleError.self) {
      try VCalendarRule.parse("W1 TU 1200 TH 1130 #4", start: start)
    }
    #expect(error?.description == "W1: times with different minutes are not supported")
  }
}
