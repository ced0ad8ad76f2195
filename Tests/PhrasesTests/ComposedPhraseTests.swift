import CivilTime
import TestSupport
import Testing

@testable import Phrases

/// Words that are put together from lists of this file, so that what they mean is known without the reader.
@Suite struct ComposedPhraseTests {
  private static let rounds = 1_500 * TestSettings.rounds

  private typealias Piece<Value> = (words: String, value: Value)

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let numbers = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  ]

  private static func ordinal(_ number: Int) -> String {
    let ending =
      [1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"][number] ?? "th"
    return "\(number)\(ending)"
  }

  /// Ways to write the date that is so many days away.
  private static func dates(_ today: CivilDate, _ days: Int) throws -> [Piece<CivilDate>] {
    let date = try #require(today.adding(days: days))
    let (year, month, day) = date.components
    let name = months[month - 1]
    var all = [
      "\(day) \(name)", "\(name) \(day)", "on \(day) \(name)", "\(name) \(ordinal(day))",
      "the \(ordinal(day)) of \(name)", "\(day)-\(name)-\(year)", "\(day) \(name) \(year)",
      "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)", "\(day).\(month).",
      "\(day).\(month).\(year)", "in \(days) days", "\(days) days from now", "+\(days)d",
      "\(weekdays[(Int(date.weekday.rawValue) + 6) % 7]) \(day) \(name)",
    ]
    if day > 12 { all += ["\(day)/\(month)/\(year)", "\(month)/\(day)/\(year)"] }
    if days == 1 { all += ["tomorrow", "tmrw"] }
    if days == 2 { all += ["day after tomorrow", "the day after tomorrow"] }
    if days < 7 {
      let weekday = weekdays[(Int(date.weekday.rawValue) + 6) % 7]
      all += [weekday, "on \(weekday)", "\(weekday.prefix(3))", "this \(weekday)"]
    }
    if days < 28 { all.append("on the \(ordinal(day))") }
    if days % 7 == 0, days < 77, days > 7 {
      all += ["in \(days / 7) weeks", "\(numbers[days / 7 - 2]) weeks from today"]
    }
    return all.map { ($0, date) }
  }

  /// Times with the minute of the day.
  private static let times: [Piece<Int>] = [
    ("9:05", 545), ("09:30", 570), ("at 9", 540), ("at 5", 1020), ("at 1", 780), ("5am", 300),
    ("5:15", 315), ("7:30 p.m.", 1170), ("7 p.m.", 1140), ("7pm", 1140), ("7.30pm", 1170),
    ("19h", 1140), ("14h30", 870), ("at 1430", 870), ("noon", 720), ("at midday", 720),
    ("at half past nine", 570), ("at quarter to 5", 1005), ("at 5 in the morning", 300),
    ("at 8 in the evening", 1200), ("at 11 at night", 1380), ("at 3 in the afternoon", 900),
    ("9 o'clock", 540), ("at nine", 540), ("18.45", 1125), ("23:59", 1439), ("@ 20:15", 1215),
  ]
  /// Spans with the minutes of their start and their length.
  private static let spans: [Piece<(Int, Int)>] = [
    ("12-1", (720, 60)), ("9-5", (540, 480)), ("2-4", (840, 120)), ("10-2", (600, 240)),
    ("9:00-17:30", (540, 510)), ("from 9 to 11", (540, 120)), ("7pm-9pm", (1140, 120)),
    ("7 p.m. - 9 p.m.", (1140, 120)), ("22:00-1:30", (1320, 210)), ("between 9 and 11", (540, 120)),
    ("12:30-1:30", (750, 60)), ("2-3pm", (840, 60)), ("11am-1", (660, 120)), ("6-14", (360, 480)),
  ]
  private static let lengths: [Piece<Int>] = [
    ("1h", 60), ("45 min", 45), ("45min", 45), ("1h30", 90), ("for 90 minutes", 90),
    ("for an hour and a half", 90), ("for one and a half hours", 90), ("for twenty minutes", 20),
    ("for half an hour", 30), ("1.5 hours", 90), ("2 hours", 120),
  ]
  private static let titles = [
    "Lunch", "Dentist", "budget", "review", "with", "Ana", "Gate", "planning", "room", "project",
    "Bo", "call", "new", "flat", "visit", "the", "yoga", "Ω", "café", "tickets",
  ]

  private struct Source {
    var generator: SeededGenerator
    mutating func one<T>(_ list: [T]) throws -> T {
      try #require(list.randomElement(using: &generator))
    }
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func title() throws -> [String] {
      try (0..<number(1...4)).map { _ in try one(ComposedPhraseTests.titles) }.filter {
        $0 != "the"
      }
        + ["Zoo"]
    }
    mutating func now() throws -> CivilDateTime {
      let date = try #require(
        CivilDate(year: 2026, month: 1, day: 1)?.adding(days: number(0...1500)))
      return CivilDateTime(date, try #require(TimeOfDay(secondOfDay: number(0...86_399))))
    }
  }

  @Test("what is understood is what was put together, in every usual order")
  func meaning() throws {
    var source = Source(generator: SeededGenerator(seed: 1))
    for _ in 0..<Self.rounds {
      let now = try source.now()
      let date = try source.one(try Self.dates(now.date, source.number(1...340)))
      let isSpan = source.number(0...3) == 0
      let span = try source.one(Self.spans)
      let time = isSpan ? (span.words, span.value.0) : try source.one(Self.times)
      let length = !isSpan && source.number(0...2) == 0 ? try source.one(Self.lengths) : nil
      let title = try source.title().joined(separator: " ")
      let tail = length.map { " " + $0.words } ?? ""
      let orders = [
        "\(date.words) \(time.0)\(tail) \(title)", "\(time.0) \(date.words)\(tail) \(title)",
        "\(title) \(date.words) \(time.0)\(tail)", "\(title) \(time.0) \(date.words)\(tail)",
        "\(date.words) \(title) \(time.0)\(tail)", "\(date.words) \(time.0) \(title)\(tail)",
        "\(time.0) \(title) \(date.words)\(tail)",
      ]
      var text = try source.one(orders)
      if source.number(0...5) == 0 {
        text = text.replacing(date.words, with: date.words.uppercased())
      }
      let words = text.split(separator: " ").map(String.init)
      let read: EntryWords
      do throws(WhenPhraseError) { read = try EntryWords(words, now: now) } catch {
        // `12.6.` next to `5.30` and the like.
        Issue.record("\(text) at \(now): \(error)")
        continue
      }
      let phrase = try #require(read.phrase, "\(text)")
      #expect(read.title.joined(separator: " ") == title, "\(text)")
      #expect(phrase.date == date.value, "\(text) at \(now)")
      #expect(phrase.time.map { Int($0.secondOfDay) } == time.1 * 60, "\(text)")
      let minutes: Int? =
        switch phrase.extent {
        case .length(let length): length.days == 0 ? length.seconds / 60 : nil
        case .until(let last, let end?):
          phrase.date.days(until: last) * 1440 + Int(end.secondOfDay) / 60 - time.1
        case .until, nil: nil
        }
      #expect(minutes == (isSpan ? span.value.1 : length?.value), "\(text)")
      #expect(read.unread.isEmpty, "\(text): \(read.unread.map(\.text))")
    }
  }

  private static let odd = [
    "12:30", "9am", "7 p.m.", "friday", "Tuesday", "tomorrow", "24 dec", "24.12.", "3/4", "2 hours",
    "45 min", "every day", "next week", "until june", "10:00Z", "10am PST", "tonight", "wendesday",
    "tommorow", "tmrw", "noon", "mon-fri", "2026-12-24", "two weeks", "half past nine", "18h",
    "by friday", "week 52", "every second monday", "heute", "9-11", "first monday of may", "1430",
    "the 24th of december", "weekends until june", "except friday", "T18:00Z", "14:00-15:00",
    "24/12/2026", "30 feb", "25:00", "1.13.", "every other day", "an hour", "from 9 to 5",
    "8 tonight", "last friday", "december", "midnight", "half an hour", "90 minutes", "at 5",
    "Thurs", "weds", "nine", "half nine", "seven thirty", "ten past nine", "about 9", "~9", "@9",
    "noonish", "8ish", "nine-ish", "9:00ish", "at nine thirty", "at 10 to 9", "five to six",
    "London time", "New York time", "eastern", "pacific time", "GMT+1", "CET", "next next friday",
    "'26", "for 2", "for two", "new year's eve", "christmas eve", "Christmas", "Heiligabend",
    "Silvester", "all day", "all-day", "ganztägig", "semi-annual", "biannually", "bi-weekly",
    "fortnightly", "halb neun", "viertel nach neun", "zehn vor drei", "fünf nach halb acht",
    "gegen 9", "ca. 9", "circa 10", "9 uhr", "kw 52", "KW12", "übernächsten Freitag", "after next",
    "week", "friday week", "starting monday", "thirty", "next", "last", "this", "every", "15",
    "every month 15", "morning", "night", "around", "until", "quarter to", "- 5", "3 o'clock",
  ]

  @Test("nothing that looks like a time is in a title without a warning or a refusal")
  func titles() throws {
    var source = Source(generator: SeededGenerator(seed: 2))
    let judge = try TimeLikeJudge()
    let dialect = TimeLikeWords.Dialect { ["London time", "New York time", "PST"].contains($0) }
    var counted = ["added": 0, "refused": 0, "named": 0]
    for _ in 0..<Self.rounds {
      let now = try source.now()
      var parts = try source.title()
      for _ in 0..<source.number(1...2) {
        parts.insert(try source.one(Self.odd), at: source.number(0...parts.count))
      }
      let date = try source.one(try Self.dates(now.date, source.number(1...200))).words
      let time = try source.one(Self.times + Self.spans.map { ($0.words, 0) }).words
      switch source.number(0...8) {
      case 0: parts = [date, time] + parts
      case 1: parts += [date, time]
      case 2: parts = [date] + parts
      case 3: parts = [date] + parts + [time]
      case 4: parts.append(time)
      case 5: parts.append(date)
      case 6: parts = [time] + parts
      case 7: parts = [try source.one(["every tuesday", "every 2 weeks"]), time] + parts
      default: break
      }
      let words = parts.joined(separator: " ").split(separator: " ").map(String.init)
      guard let read = try? EntryWords(words, now: now, dialect: dialect), let phrase = read.phrase,
        read.obstacle == nil, read.severalDays == nil, read.dueWords == nil
      else {
        counted["refused", default: 0] += 1
        continue
      }
      let around = TimeLikeJudge.Surroundings(
        before: Array(read.words[..<read.range.lowerBound]),
        after: Array(read.words[read.range.upperBound...]), hasDate: phrase.namesDate,
        hasTime: phrase.time != nil, repeats: phrase.repetition != nil)
      let named = Set(read.unread.flatMap(\.range))
      for found in judge.findings(in: read.title, around) {
        counted["named", default: 0] += 1
        #expect(
          !named.isDisjoint(with: found),
          "\(words.joined(separator: " ")): \(read.title[found].joined(separator: " "))")
      }
      counted["added", default: 0] += 1
      #expect(read.title.count + read.time.count == words.count)
    }
    Tally.report("words of add that look like a time", counted)
  }

  @Test("each line of the table of patterns can fit")
  func patterns() {
    #expect(Pattern.all.count == Pattern.table.split(separator: "\n").count)
    let needs: Set<Substring> = [
      "first", "last", "touching", "edge", "lower", "time", "date", "no-time", "no-date", "no-rule",
      "after-day", "after-hour", "before-day", "before-part", "no-code",
    ]
    let samples = [
      "9", "15", "99", "1430", "9-5", "24/12", "4/12", "12:30", "24th", "pm", "nine", "twenty", "a",
      "first", "may", "june", "december", "weekly", "'26", "KW12", "PST", "Z", "friday",
    ]
    let roles = samples.reduce(into: Set(Vocabulary.table.values.flatMap(\.self))) {
      $0.formUnion(Vocabulary.roles($1))
    }
    // A role of the vocabulary that no pattern names is misspelt, except for these two, which the code names.
    let named = Set(Pattern.all.flatMap(\.places).flatMap(\.choices) + ["ABBREVIATION", "ZERO"])
    let unknown = Set(Vocabulary.table.values.flatMap(\.self)).subtracting(named)
    #expect(unknown.isEmpty)
    for pattern in Pattern.all {
      #expect(pattern.needs.isSubset(of: needs), "\(pattern)")
      for role in pattern.places.flatMap(\.choices) where role.first?.isUppercase == true {
        #expect(roles.contains(role), "\(role)")
      }
    }
  }

  @Test("a command that is proposed reads all that was read before, and the words that it moves")
  func proposals() throws {
    var source = Source(generator: SeededGenerator(seed: 3))
    for _ in 0..<Self.rounds / 6 {
      let now = try source.now()
      var parts = try source.title()
      parts.insert(try source.one(Self.odd), at: source.number(0...parts.count))
      if source.number(0...1) == 0 { parts.insert(try source.one(Self.times).words, at: 0) }
      let words = parts.joined(separator: " ").split(separator: " ").map(String.init)
      guard let read = try? EntryWords(words, now: now) else { continue }
      for unread in read.unread {
        guard let typed = read.moving(unread) else { continue }
        let again = try EntryWords(typed, now: now)
        let new = try #require(again.phrase)
        let isMoved = [words, words + ["at"]].contains { $0.sorted() == typed.sorted() }
        #expect(again.unread.isEmpty && isMoved, "\(words) \(typed)")
        if let time = read.phrase?.time { #expect(new.time == time, "\(words) \(typed)") }
      }
    }
  }
}
