import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import Phrases

/// Repetitions in the words that people type.
@Suite struct RulePhraseTests {
  static func parse(_ words: String) throws -> RulePhrase {
    try RulePhrase(words, today: #require(CivilDate(year: 2026, month: 11, day: 21)))
  }

  // Checks limit: Reader.mostLeadingWords
  @Test(
    "every second monday has two meanings",
    arguments: ["every second monday", "Every 2nd Monday until may", "each third mon, 10:00"])
  func ambiguous(_ words: String) throws {
    let failure = try #require(throws: RulePhrase.Failure.self) { try Self.parse(words) }
    #expect(failure.choices.count == 2)
    for choice in failure.choices { #expect(throws: Never.self) { try Self.parse(choice) } }
  }

  @Test("40 words before a title can be its repetition", arguments: [39, 40, 41, 500])
  func leadingWords(count: Int) throws {
    let today = try #require(CivilDate(year: 2026, month: 11, day: 21))
    let words = ["every"] + [String](repeating: "mon,", count: count - 1)
    #expect(RulePhrase.leadingCount(words[...], today: today) == min(count, 40))
  }

  @Test(
    "people's words are read",
    arguments: [
      ("daily", "FREQ=DAILY"), ("weekly", "FREQ=WEEKLY"),
      ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
      ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
      ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
      ("every 2nd week", "FREQ=WEEKLY;INTERVAL=2"),
      ("every other month", "FREQ=MONTHLY;INTERVAL=2"),
      ("every 2nd tuesday of the month", "FREQ=MONTHLY;BYDAY=2TU"),
      ("every second tuesday in may", "FREQ=YEARLY;BYDAY=2TU;BYMONTH=5"),
      ("every two weeks monday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"),
      ("every workday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("every night", "FREQ=DAILY"),
      ("every may 3rd", "FREQ=YEARLY;BYMONTHDAY=3;BYMONTH=5"),
      ("every 3rd may", "FREQ=YEARLY;BYMONTHDAY=3;BYMONTH=5"),
      ("weekdays except friday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH"),
      ("every day except sundays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA"),
      ("mondays and thursdays", "FREQ=WEEKLY;BYDAY=MO,TH"),
      ("every mon, wed", "FREQ=WEEKLY;BYDAY=MO,WE"),
      ("every other friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
      ("tue/thu", "FREQ=WEEKLY;BYDAY=TU,TH"), ("mon & wed", "FREQ=WEEKLY;BYDAY=MO,WE"),
      ("every fri-mon", "FREQ=WEEKLY;BYDAY=MO,FR,SA,SU"),
      (
        "every 2 weeks on fri until 3 may",
        "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270503;BYDAY=FR"
      ),
      ("daily 10 times", "FREQ=DAILY;COUNT=10"), ("daily for 10 times", "FREQ=DAILY;COUNT=10"),
      ("every tuesday for 10 weeks", "FREQ=WEEKLY;UNTIL=20270129;BYDAY=TU"),
      ("monthly for a year", "FREQ=MONTHLY;UNTIL=20271120"),
      ("weekly till the end of june", "FREQ=WEEKLY;UNTIL=20270630"),
      ("weekly until the end of the year", "FREQ=WEEKLY;UNTIL=20261231"),
      ("Daily until 2027-01-31", "FREQ=DAILY;UNTIL=20270131"),
      ("last friday of every month", "FREQ=MONTHLY;BYDAY=-1FR"),
      ("yearly on 24 december", "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12"),
      ("on the 15th of every month", "FREQ=MONTHLY;BYMONTHDAY=15"),
      ("weekends", "FREQ=WEEKLY;BYDAY=SA,SU"), ("FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"),
      ("RRULE:FREQ=WEEKLY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO"),
      ("every second", "FREQ=SECONDLY"),
      ("every last day", "FREQ=MONTHLY;BYMONTHDAY=-1"),
      ("every last day of the month", "FREQ=MONTHLY;BYMONTHDAY=-1"),
      ("every first day of the month", "FREQ=MONTHLY;BYMONTHDAY=1"),
      ("every 2nd day of the month", "FREQ=MONTHLY;BYMONTHDAY=2"),
      ("every 2nd day", "FREQ=DAILY;INTERVAL=2"),
      ("fortnightly", "FREQ=WEEKLY;INTERVAL=2"), ("every fortnight", "FREQ=WEEKLY;INTERVAL=2"),
      ("biweekly on fri", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
      ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
      ("weekly until 2030", "FREQ=WEEKLY;UNTIL=20301231"),
      ("daily until feb 2028", "FREQ=DAILY;UNTIL=20280229"),
      ("daily until december 2027, except 24 dec", "FREQ=DAILY;UNTIL=20271231"),
    ])
  func read(_ words: String, _ rule: String) throws {
    #expect(try Self.parse(words).rule.description == rule)
  }

  @Test(
    "an end without a year is the first such date from the start of the series on",
    arguments: [
      ("weekly until 3 march", "2026-03-01", "20260303"),
      ("weekly until 3 march", "2027-05-01", "20280303"),
      ("weekly until 3 march", "2026-12-01", "20270303"),
      ("daily until friday", "2026-12-02", "20261204"),
      ("daily until may", "2026-03-01", "20260531"),
      ("daily until may", "2026-06-01", "20270531"),
      ("daily until 3 may 2030", "2026-06-01", "20300503"),
      ("daily until tomorrow", "2026-03-01", "20261122"),
    ])
  func startingOn(_ words: String, _ start: String, _ until: String) throws {
    let (today, date) = (
      try #require(CivilDate(year: 2026, month: 11, day: 21)),
      try DatePhrase.parse(start, today: CivilDate.first)
    )
    let rule = try RulePhrase(words, today: today, start: date).rule
    #expect(rule.description.hasSuffix(";UNTIL=\(until)"), "\(rule)")
  }

  @Test("a month after until is the next one, this month included")
  func untilMonth() throws {
    #expect(try Self.parse("daily until june").rule.description == "FREQ=DAILY;UNTIL=20270630")
    #expect(try Self.parse("daily until november").rule.description == "FREQ=DAILY;UNTIL=20261130")
    #expect(
      try Self.parse("daily until june except 24 dec").rule.description
        == "FREQ=DAILY;UNTIL=20270630")
    #expect(try Self.parse("daily until june 3").rule.description == "FREQ=DAILY;UNTIL=20270603")
  }

  @Test(
    "dates after except are not part of the rule",
    arguments: [
      ("weekly except 24 dec", "2026-12-24"),
      ("daily except on 24 dec and 31 dec, 10 times", "2026-12-24 2026-12-31"),
      ("except 1.1.2027, 6 jan weekdays until 3 may", "2027-01-01 2027-01-06"),
      ("every thursday except next thu until 2030", "2026-11-26"), ("daily", ""),
    ])
  func exceptions(_ words: String, _ dates: String) throws {
    let found = try Self.parse(words).exceptions.map(\.description)
    #expect(found.joined(separator: " ") == dates)
  }

  @Test(
    "other words are errors that name the word",
    arguments: [
      ("", ""), ("every", ""), ("sometimes", "sometimes"), ("every 2 lunches", "lunches"),
      ("daily until christmas", "christmas"), ("every month of cheese", "cheese"),
      ("daily except", ""), ("daily except easter", "easter"), ("daily until 20300", "20300"),
      ("daily at 9:00 and 10:30", ""), ("every first week of the month", "week"),
      ("every 2nd week of the month", "week"), ("every last month", "month"),
    ])
  func errors(_ words: String, _ word: String) {
    #expect(throws: RulePhrase.Failure(word: word)) { try Self.parse(words) }
  }

  @Test(
    "an end or exceptions alone do not say how often",
    arguments: [
      "10 times", "until 3 may", "until 2030", "except 24 dec", "once", "twice until 2030",
    ])
  func withoutPeriod(_ words: String) {
    var failure = RulePhrase.Failure(word: "")
    failure.textWithoutPeriod = words
    #expect(throws: failure) { try Self.parse(words) }
    #expect("\(failure)".contains("write for example \"weekly \(words)\""))
    #expect(throws: Never.self) { try Self.parse("weekly \(words)") }
  }

  @Test(
    "a typed rule has only parts that are understood",
    arguments: [
      ("FREQ=DAILY;COUNT=0", RuleText.Note.countBelowOne("COUNT=0")),
      ("FREQ=DAILY;COUNT=-3", .countBelowOne("COUNT=-3")),
      ("FREQ=DAILY;X-FOO=1", .unknownPart("X-FOO=1")),
      ("FREQ=WEEKLY;BYDAY=", .emptyPart("BYDAY")),
      ("FREQ=DAILY;FREQ=DAILY", .repeatedPart("FREQ=DAILY")),
    ])
  func typedRule(_ text: String, _ note: RuleText.Note) {
    #expect(throws: note) { try Self.parse(text) }
  }
}
