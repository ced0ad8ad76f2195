import CivilTime
import TestSupport
import Testing

@testable import Recurrence

/// Rules in words.
@Suite struct RuleInWordsTests {
  @Test(
    "a rule as one would say it",
    arguments: [
      ("FREQ=DAILY", "every day"),
      ("FREQ=DAILY;INTERVAL=3;COUNT=10", "every 3 days, 10 times"),
      ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
      ("FREQ=WEEKLY", "every Tuesday"),
      ("FREQ=WEEKLY;BYDAY=MO,TH", "every Monday and Thursday"),
      (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10",
        "every 2 weeks on Monday and Thursday, 10 times"
      ),
      (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU",
        "every 2 weeks on Monday and Sunday (weeks begin on Sunday)"
      ),
      (
        "FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270503",
        "every second Tuesday of the month until 3 May 2027"
      ),
      ("FREQ=MONTHLY;BYDAY=-1FR", "every last Friday of the month"),
      ("FREQ=MONTHLY;BYDAY=1SU,-1SU", "every first Sunday and last Sunday of the month"),
      ("FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO", "the first Monday of every other month"),
      ("FREQ=MONTHLY", "on the 2nd of every month"),
      ("FREQ=MONTHLY;BYMONTHDAY=15", "on the 15th of every month"),
      ("FREQ=MONTHLY;BYMONTHDAY=1,-1;INTERVAL=3", "on the 1st and last day of every 3 months"),
      ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every Friday that is the 13th of the month"),
      ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "the last weekday of every month"),
      (
        "FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3;COUNT=3",
        "the third Tuesday, Wednesday or Thursday of every month, 3 times"
      ),
      ("FREQ=YEARLY", "every year on 2 January"),
      (
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
        "every 4 years on every Tuesday that is the 2nd, 3rd, 4th, 5th, 6th, 7th and 8th of November"
      ),
      ("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "every year on the last Sunday of March"),
      ("FREQ=YEARLY;BYDAY=20MO", "every year on the 20th Monday of the year"),
      ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "every year on every Monday in week 20"),
      ("FREQ=YEARLY;BYYEARDAY=1,100,-1", "every year on the 1st, 100th and last day of the year"),
      ("FREQ=HOURLY;INTERVAL=3;UNTIL=20240102T180000", "every 3 hours until 2 January 2024 18:00"),
      ("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10", "every 20 minutes from 09 and 10 o’clock"),
      ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30", "every day at 09:00, 09:30, 17:00 and 17:30"),
      (
        "FREQ=DAILY;BYMONTH=1;UNTIL=20240301;COUNT=5",
        "every day in January until 1 March 2024, 5 times at most"
      ),
      (
        "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1",
        "every Monday, Wednesday and Friday (only the first and last of these in each week)"
      ),
      (
        "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD",
        "on the 31st of every month (the day before where there is no such date)"
      ),
      ("FREQ=DAILY;COUNT=1", "every day, once"),
    ])
  func words(_ text: String, _ words: String) throws {
    let start = EventTime.floating(RecurrenceSetTests.civil("2024-01-02T09:00"))
    #expect(RuleInWords(try Rule(parsing: text), start: start).description == words)
  }

  @Test("rules that differ in a part that matters are said differently")
  func nothingLost() throws {
    var generator = SeededGenerator(seed: 9)
    for round in 0..<1500 {
      let loose = LooseRule.random(Rule.Frequency.allCases[round % 7], using: &generator)
      guard let rule = loose.rule else { continue }
      let words = RuleInWords(rule).description
      for smaller in loose.smaller {
        guard let other = smaller.rule, other != rule, smaller.start == loose.start,
          other.weekStart == rule.weekStart, other.skip == rule.skip
        else { continue }
        // Without DTSTART, so that what it fills in is not taken for the rule's own.
        if RuleInWords(other).description == words, !Self.sameMeaning(rule, other) {
          Issue.record("\(rule) and \(other) are both: \(words)")
          return
        }
      }
    }
  }

  /// An ordinal that the RFC forbids says nothing.
  static func sameMeaning(_ one: Rule, _ other: Rule) -> Bool {
    let start = EventTime.floating(RecurrenceSetTests.civil("2000-01-03T09:00"))
    return Array(RuleExpansion(one, start: start).prefix(50))
      == Array(RuleExpansion(other, start: start).prefix(50))
  }
}
