import AgendaRendering
import CivilTime
import Phrases
import Recurrence
import TestSupport
import Testing

/// Rules in words.
@Suite struct RuleInWordsTests {
  private static let start: EventTime? = {
    guard let date = CivilDate(year: 2024, month: 1, day: 2),
      let time = TimeOfDay(hour: 9, minute: 0)
    else { return nil }
    return .floating(CivilDateTime(date, time))
  }()

  @Test(
    "an English rule reads as one would say it",
    arguments: [
      ("FREQ=DAILY", "every day"),
      ("FREQ=DAILY;INTERVAL=3;COUNT=10", "every 3 days, 10 times"),
      ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
      ("FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR", "every day on the 13th only on Friday"),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
      ("FREQ=WEEKLY", "every Tuesday"),
      ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks on Tuesday"),
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
        "every month on the second Tuesday until 3 May 2027"
      ),
      ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
      ("FREQ=MONTHLY;BYDAY=-3FR", "every month on the 3rd to last Friday"),
      ("FREQ=MONTHLY;BYDAY=1SU,-1SU", "every month on the first Sunday and last Sunday"),
      ("FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO", "every 2 months on the first Monday"),
      ("FREQ=MONTHLY;INTERVAL=2;BYDAY=MO", "every 2 months every Monday"),
      ("FREQ=MONTHLY", "every month on the 2nd"),
      ("FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
      (
        "FREQ=MONTHLY;BYMONTHDAY=1,-1;INTERVAL=3",
        "every 3 months on the 1st and on the last day"
      ),
      ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on the 13th only on Friday"),
      ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on the last weekday"),
      (
        "FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3;COUNT=3",
        "every month on the third Tuesday, Wednesday or Thursday, 3 times"
      ),
      ("FREQ=YEARLY", "every year on 2 January"),
      (
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
        "every 4 years on the 2nd, 3rd, 4th, 5th, 6th, 7th and 8th only on Tuesday in November"
      ),
      ("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "every year on the last Sunday in March"),
      ("FREQ=YEARLY;BYMONTHDAY=13", "every month on the 13th"),
      ("FREQ=YEARLY;BYDAY=20MO", "every year on the 20th Monday"),
      ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "every Monday in week 20"),
      (
        "FREQ=YEARLY;BYYEARDAY=1,100,-1",
        "every year on day 1 and 100 of the year and on day 1 from the end of the year"
      ),
      ("FREQ=HOURLY;INTERVAL=3;UNTIL=20240102T180000", "every 3 hours until 2 January 2024, 18:00"),
      ("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10", "every 20 minutes in hour 9 and 10"),
      ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30", "every day at 09:00, 09:30, 17:00 and 17:30"),
      (
        "FREQ=DAILY;BYMONTH=1;UNTIL=20240301;COUNT=5",
        "every day in January until 1 March 2024, at most 5 times"
      ),
      (
        "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1",
        "every week on Monday, Wednesday and Friday "
          + "(only on the first date and last date of each period)"
      ),
      (
        "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD",
        "every month on the 31st (the day before if the date does not exist)"
      ),
      ("FREQ=DAILY;COUNT=1", "every day, once"),
    ])
  func english(_ text: String, _ words: String) throws {
    #expect(RuleInWords(try Rule(parsing: text), start: Self.start).description == words)
  }

  @Test(
    "a rule with RSCALE is described in its calendar",
    arguments: [
      ("RSCALE=HEBREW;FREQ=YEARLY", "every year on 8 Adar I (Hebrew calendar)"),
      (
        "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=15",
        "every year on the 15th in month 8 (Chinese calendar)"
      ),
      (
        "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L,7;BYMONTHDAY=1",
        "every year on the 1st in Nisan and Adar I (Hebrew calendar)"
      ),
    ])
  func otherCalendars(_ text: String, _ words: String) throws {
    let date = try #require(CivilDate(year: 2024, month: 2, day: 17))
    #expect(RuleInWords(try Rule(parsing: text), start: .date(date)).description == words)
  }

  @Test("a rule in English words is read as a rule that gives the same dates")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 12)
    let today = try #require(CivilDate(year: 2024, month: 1, day: 1))
    let start = try #require(Self.start)
    for _ in 0..<300 * TestSettings.rounds {
      guard let rule = RandomRule(using: &generator).rule() else { continue }
      let words = RuleInWords(rule, start: start).description
      guard let read = try? RulePhrase(words, today: today).rule else {
        Issue.record("\(rule): \(words)")
        return
      }
      if Array(RuleExpansion(read, start: start).prefix(20))
        != Array(RuleExpansion(rule, start: start).prefix(20))
      {
        Issue.record("\(rule): \(words): \(read)")
        return
      }
    }
  }

  @Test("an UNTIL as agenda writes it reads the same, and is written the same again")
  func writtenUntil() throws {
    var generator = SeededGenerator(seed: 34)
    let today = try #require(CivilDate(year: 2024, month: 1, day: 1))
    let civil = try #require(Self.start).civil
    let zone = try #require(ZoneDatabase.system(TZDIR: nil).zone(named: "America/New_York"))
    let starts: [EventTime] = [
      .date(civil.date), .floating(civil), .zoned(civil, zone), .utc(civil),
    ]
    var compared = 0
    for _ in 0..<300 * TestSettings.rounds {
      guard let typed = RandomRule(using: &generator).rule(), typed.until != nil else { continue }
      let start = try #require(starts.randomElement(using: &generator))
      let rule = try Self.written(typed, start)
      let words = RuleInWords(rule, start: start).description
      let read = try Self.written(RulePhrase(words, today: today).rule, start)
      compared += 1
      // A time of day that is typed is one on the clock of the event.
      #expect(
        Array(RuleExpansion(read, start: start).prefix(30))
          == Array(RuleExpansion(rule, start: start).prefix(30)), "\(rule): \(words): \(read)")
      #expect(
        Array(RuleExpansion(rule, start: start).prefix(30))
          == Array(RuleExpansion(typed, start: start).prefix(30)), "\(typed): \(rule)")
    }
    #expect(compared > 50)
  }

  private static func written(_ rule: Rule, _ start: EventTime) throws -> Rule {
    guard let until = rule.until else { return rule }
    return try Rule(
      parsing: rule.description.replacing(
        until.text, with: until.matching(start, viewer: .utc).text))
  }

  @Test("a rule in a language without words is English, with English dates")
  func otherLanguages() throws {
    let rule = try Rule(parsing: "FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270503")
    let finnish = DateWording(try LocaleData("fi"))
    #expect(
      RuleInWords(rule, wording: finnish).description
        == "every month on the second Tuesday until 3 May 2027")
    let american = DateWording(try LocaleData("en_US"))
    #expect(
      RuleInWords(rule, wording: american).description
        == "every month on the second Tuesday until May 3, 2027")
  }

  /// The parts of a random rule, and the rules that lack one of them.
  private struct RandomRule {
    let frequency: Rule.Frequency
    var parts: [String] = []

    static let choices: [[String]] = [
      ["INTERVAL=2", "INTERVAL=3"], ["COUNT=1", "COUNT=2", "COUNT=7"],
      ["UNTIL=20270503", "UNTIL=20270503T101500"], ["BYMONTH=1", "BYMONTH=3,11"],
      ["BYDAY=MO", "BYDAY=SA,SU", "BYDAY=MO,TU,WE,TH,FR", "BYDAY=TU,TH"],
      ["BYMONTHDAY=1", "BYMONTHDAY=-1", "BYMONTHDAY=13,-2"], ["BYHOUR=8", "BYHOUR=8,20"],
      ["BYMINUTE=0,30", "BYMINUTE=15"], ["BYSETPOS=1", "BYSETPOS=-1", "BYSETPOS=2,-2"],
    ]

    init(using generator: inout SeededGenerator) {
      frequency = Rule.Frequency.allCases.randomElement(using: &generator) ?? .daily
      for choice in Self.choices where Int.random(in: 0..<3, using: &generator) == 0 {
        parts.append(choice.randomElement(using: &generator) ?? "")
      }
      let ordinals = ["BYDAY=2TU", "BYDAY=1SU,-1SU", "BYDAY=MO,-2FR"]
      if frequency >= .monthly, Int.random(in: 0..<3, using: &generator) == 0 {
        parts.removeAll { $0.hasPrefix("BYDAY") }
        parts.append(ordinals.randomElement(using: &generator) ?? "")
      }
    }

    func rule(without dropped: String? = nil) -> Rule? {
      let kept = parts.filter { $0 != dropped }
      return try? Rule(parsing: (["FREQ=\(frequency)".uppercased()] + kept).joined(separator: ";"))
    }
  }

  @Test(
    "in every language a rule without one of its parts reads differently, unless it means the same",
    arguments: Self.locales)
  func nothingLost(locale: String) throws {
    let wording = DateWording(try LocaleData(locale))
    var generator = SeededGenerator(seed: 9)
    var compared = 0
    for _ in 0..<(150 * TestSettings.rounds) {
      let random = RandomRule(using: &generator)
      guard let rule = random.rule() else { continue }
      let words = RuleInWords(rule, wording: wording).description
      #expect(!words.contains("{") && !words.contains("  ") && !words.hasPrefix(" "))
      for part in random.parts {
        guard let other = random.rule(without: part), other != rule else { continue }
        compared += 1
        // Without DTSTART, so that the rule's own words are compared.
        if RuleInWords(other, wording: wording).description == words {
          #expect(Self.haveSameMeaning(rule, other), "\(rule) and \(other) are both: \(words)")
        }
      }
    }
    #expect(compared > 100)
  }

  static let locales = [
    "en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "cs", "tr", "ru", "uk", "ja", "zh_Hans",
    "zh_Hant", "ko", "ar", "he",
  ]

  private static func haveSameMeaning(_ one: Rule, _ other: Rule) -> Bool {
    guard let first = CivilDate(year: 2000, month: 1, day: 3) else { return false }
    let start = EventTime.floating(CivilDateTime(first, .midnight))
    return Array(RuleExpansion(one, start: start).prefix(50))
      == Array(RuleExpansion(other, start: start).prefix(50))
  }
}
