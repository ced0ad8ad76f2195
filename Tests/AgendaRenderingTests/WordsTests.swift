import AgendaCore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaRendering

/// The tables of words, one per language.
@Suite("Words")
struct WordsTests {
  static let languages = Words.all.map(\.language)

  private static func table(_ language: String) throws -> Words {
    try #require(Words.all.first { $0.language == language })
  }

  @Test("there are nineteen languages, and each is found by its locales")
  func nineteen() throws {
    #expect(Set(Self.languages).count == 19)
    for (locale, language) in [
      ("de_AT", "de"), ("pt_PT", "pt"), ("zh_CN", "zh-Hans"), ("zh_TW", "zh-Hant"),
      ("zh_HK", "zh-Hant"), ("zh_Hant", "zh-Hant"), ("zh", "zh-Hans"), ("iw_IL", "he"),
      ("fi", "en"), ("C", "en"), ("en_US", "en"),
    ] {
      #expect(DateWording(try LocaleData(locale)).words.language == language, "\(locale)")
    }
  }

  @Test(
    "the table is that of the files of the languages, which have every text", .requires("python3"))
  func packed() throws {
    let script = Repository.oracles.appendingPathComponent("make-word-table.py").path
    let run = try Tool("python3").run(["-B", script, "--check"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("French has its no-break spaces before marks and inside quotation marks")
  func frenchSpaces() throws {
    var count = 0
    for (key, forms) in try WordList("fr").texts {
      for form in forms {
        let characters = Array(form)
        for (place, character) in characters.enumerated() {
          let before = place > 0 ? characters[place - 1] : nil
          let after = place + 1 < characters.count ? characters[place + 1] : nil
          switch character {
          case ";", "!", "?": #expect(before == "\u{202f}", "\(key): \(form)")
          case ":" where after == " ", "»": #expect(before == "\u{a0}", "\(key): \(form)")
          case "«": #expect(after == "\u{a0}", "\(key): \(form)")
          default: continue
          }
          count += 1
        }
      }
    }
    #expect(count > 15)
  }

  /// Words that are the same in another language, and signs.
  private static let international: Set<String> = [
    "link", "Agenda", "status", "description", "source",
  ]

  @Test("no English is left", arguments: languages.filter { $0 != "en" })
  func noEnglish(language: String) throws {
    let english = try WordList("en")
    for (key, forms) in try WordList(language).texts {
      guard let same = english.texts[key], same == forms, let text = forms.first,
        text.contains(where: \.isLetter)
      else { continue }
      let words = text.replacing("{0}", with: "").replacing("{1}", with: "")
        .trimmingCharacters(in: .whitespaces)
      #expect(Self.international.contains(words) || Self.isShared(key, language), "\(key): \(text)")
    }
  }

  /// Texts that are the same in English and in another language.
  private static func isShared(_ key: String, _ language: String) -> Bool {
    switch key {
    case "entries.inTime": language == "de"
    case "entries.week", "rules.inWeeks", "browser.details": language == "nl"
    case "rules.inMonths": ["it", "nl"].contains(language)
    case "browser.conflict": language == "nl"
    case "browser.theirs": ["cs", "it", "nl", "sv"].contains(language)
    case "details.bytes": true
    case "rules.monthsBeforeDays": true
    default: key.hasPrefix("durations.")
    }
  }

  @Test("lists, units of time and plural rules are CLDR's", .requiresPythonPackages)
  func cldr() throws {
    struct Language: Decodable {
      let lists: [String: [String: String]]
      let units: [String: [String: String]]
      let plurals: [Plural]
      let isRightToLeft: Bool

      struct Plural: Decodable {
        let number: Int
        let category: String

        init(from decoder: any Decoder) throws {
          var values = try decoder.unkeyedContainer()
          number = try values.decode(Int.self)
          category = try values.decode(String.self)
        }
      }
    }
    let script = Repository.oracles.appendingPathComponent("words.py").path
    let output = try Python.output(of: [script] + Self.languages)
    let oracle = try JSONDecoder().decode([String: Language].self, from: Data(output.utf8))
    for words in Words.all {
      let cldr = try #require(oracle[words.language])
      #expect(words.isRightToLeft == cldr.isRightToLeft)
      for (pattern, name) in [(words.lists.and, "and"), (words.lists.or, "or")] {
        // English in the world has no comma before "and"; Babel's "en" is that of the United States.
        let last = cldr.lists[name]?["end"]?.replacing("{0}, and", with: "{0} and")
          .replacing("{0}, or", with: "{0} or")
        #expect(pattern.pair.text == cldr.lists[name]?["2"], "\(words.language)")
        #expect(pattern.middle.text == cldr.lists[name]?["middle"], "\(words.language)")
        #expect(pattern.middle.text == cldr.lists[name]?["start"], "\(words.language)")
        #expect(pattern.last.text == last, "\(words.language)")
      }
      let durations = words.durations
      for (plural, unit) in [
        (durations.days, "day"), (durations.hours, "hour"), (durations.minutes, "minute"),
        (durations.seconds, "second"),
      ] {
        for expected in cldr.plurals {
          let category = plural.rule.categories[plural.rule.form(for: expected.number)]
          // CLDR's "many" of one million and "other" of fractions are the same forms.
          #expect(category == expected.category, "\(words.language), \(expected.number)")
          // English is shorter than CLDR: "1 h", not "1 hr". Figures and the letters of Chinese and
          // Japanese follow each other without a space, as in CLDR's narrow forms.
          guard words.language != "en" else { continue }
          let text = try #require(cldr.units[unit]?[expected.category])
          let isTight = ["ja", "zh-Hans", "zh-Hant"].contains(words.language)
          #expect(
            plural.form(for: expected.number).text
              == (isTight ? text.replacing(" ", with: "") : text), "\(words.language), \(unit)")
        }
      }
    }
  }

  /// All but English, which is what both translations are made from.
  @Test(
    "a second translation agrees, or the difference has a reason",
    arguments: languages.filter { $0 != "en" })
  func secondTranslation(language: String) throws {
    let file = Repository.oracles.appendingPathComponent("words/\(language).tsv")
    let text = try String(contentsOf: file, encoding: .utf8)
    let texts = try WordList(language).texts
    var missing = Set(texts.keys.filter(Self.needsSecondTranslation))
    var (equal, explained) = (0, 0)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let key = columns[0]
      missing.remove(key)
      let ours = try #require(texts[key], "unknown key \(key)").joined(separator: "|")
      let theirs = try #require(columns.dropFirst().first)
      let hasReason = columns.count > 2 && !columns[2].isEmpty
      if hasReason { explained += 1 } else { equal += 1 }
      #expect(
        (Self.plain(ours) == Self.plain(theirs)) != hasReason,
        "\(key): \(ours); second translation: \(theirs)")
    }
    #expect(missing.isEmpty)
    Tally.report(
      "words against a second translation", ["equal": equal, "with a reason": explained])
  }

  /// CLDR is the second source of the others, and languages have one to three genders.
  private static func needsSecondTranslation(_ key: String) -> Bool {
    // The words of the full screen have one translation so far.
    ![
      "lists.", "durations.", "rules.ordinals.feminine.", "rules.ordinals.neuter.", "browser.",
    ].contains { key.hasPrefix($0) }
      && ![
        "rules.separator", "rules.monthNames", "rules.monthsBeforeDays", "rules.ordinalNumber",
        "rules.dayOfMonth", "rules.ordinalWeekdayGenders",
      ].contains(key)
  }

  private static func plain(_ text: String) -> String {
    text.lowercased().replacing("’", with: "'").replacing("\u{a0}", with: " ")
      .replacing("\u{202f}", with: " ")
  }

  @Test(
    "a sample agenda is in its language and no line is too wide",
    arguments: RuleInWordsTests.locales, [40, 60, 80])
  func sample(locale: String, width: Int) throws {
    let wording = DateWording(try LocaleData(locale))
    let agenda = try RenderingSample.fortnight().agenda(days: 12, locale: locale)
    let style = TextStyle(
      width: width, today: try RenderingSample.date("2026-11-30"), listsEmptyToday: true)
    let bytes = ByteSink.bytes { TextFormat(wording, style: style).render(agenda, to: &$0) }
    let page = String(decoding: bytes, as: UTF8.self)
    for line in page.split(separator: "\n") {
      #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
    }
    #expect(page.contains(wording.words.statuses.tentative))
    #expect(page.contains(wording.words.entries.noEntries))
    guard wording.words.language != "en" else { return }
    for english in ["all day", "day 1 of 2", "tentative", "no title", "no entries", "Nothing"] {
      #expect(!page.contains(english), "\(english)")
    }
  }

  @Test(
    "ranges and lengths of time follow the locale",
    arguments: [
      ("en_GB", "09:30–10:15", "09:30–13:00", "1 h 30 min"),
      ("en_US", "9:30 – 10:15 AM", "9:30 AM – 1:00 PM", "1 h 30 min"),
      ("de", "09:30–10:15", "09:30–13:00", "1 Std. 30 Min."),
      ("ko", "오전 9:30 – 10:15", "오전 9:30 – 오후 1:00", "1시간 30분"),
      ("zh_TW", "上午9:30 – 10:15", "上午9:30 – 下午1:00", "1小時30分鐘"),
      ("ja", "9:30–10:15", "9:30–13:00", "1時間30分"),
      ("ar_EG", "٩:٣٠ – ١٠:١٥ ص", "٩:٣٠ ص – ١:٠٠ م", "١ س ٣٠ د"),
    ])
  func times(locale: String, morning: String, overNoon: String, length: String) throws {
    let wording = DateWording(try LocaleData(locale))
    let begin = try #require(TimeOfDay(hour: 9, minute: 30))
    let end = try #require(TimeOfDay(hour: 10, minute: 15))
    let noon = try #require(TimeOfDay(hour: 13, minute: 0))
    #expect(wording.timeRange(begin, end) == morning)
    #expect(wording.timeRange(begin, noon) == overNoon)
    #expect(wording.duration(seconds: 5400) == length)
  }

  @Test("Arabic and Hebrew are written from right to left")
  func directions() {
    #expect(Words.all.filter(\.isRightToLeft).map(\.language).sorted() == ["ar", "he"])
  }

  @Test("a date and a time are joined as the locale does it")
  func dateAndTime() throws {
    for (locale, joined) in [("en_GB", "D, T"), ("de", "D, T"), ("ja", "D T"), ("ar", "D، T")] {
      #expect(DateWording(try LocaleData(locale)).dateAndTime("D", "T") == joined)
    }
  }

  @Test("a list has its word before the last item")
  func lists() throws {
    let and = Words.english.lists.and
    #expect(and([]) == "")
    #expect(and(["A"]) == "A")
    #expect(and(["A", "B"]) == "A and B")
    #expect(and(["A", "B", "C", "D"]) == "A, B, C and D")
    #expect(try Self.table("ja").lists.and(["A", "B", "C"]) == "A、B、C")
  }

  @Test("a place is filled with its value, even if the value looks like a place")
  func places() {
    #expect(Phrase2("{1} of {0}")("{1}", "x") == "x of {1}")
    #expect(Phrase3("{0}{1}{2}!")("a", "b", "c") == "abc!")
    #expect(Phrase1("none")("a") == "none")
  }
}

/// The texts of a language by their keys; several where they depend on a number or a weekday.
private struct WordList {
  private(set) var texts: [String: [String]] = [:]

  init(_ language: String) throws {
    let table = try #require(
      ([WordTable.english] + WordTable.others).first { $0.name == language })
    for (group, list) in Texts.groups(of: table) where !group.isEmpty {
      for (key, forms) in list.forms { texts["\(group).\(key)"] = forms }
    }
    let wording = DateWording(try LocaleData(language))
    for list in ["everyWeekdayNames", "onWeekdayNames", "ordinalWeekdayNames"]
    where texts["rules.\(list)"] == nil {
      texts["rules.\(list)"] = Weekday.allCases.map { wording.weekdayName($0) }
    }
  }
}

extension PluralRule {
  /// The names of CLDR's categories, in the order of the forms.
  fileprivate var categories: [String] {
    switch self {
    case .invariant: ["other"]
    case .oneOther, .zeroIsOne: ["one", "other"]
    case .hebrew: ["one", "two", "other"]
    case .czech: ["one", "few", "other"]
    case .polish, .eastSlavic: ["one", "few", "many"]
    case .arabic: ["zero", "one", "two", "few", "many", "other"]
    case .englishOrdinal: ["one", "two", "few", "other"]
    case .swedishOrdinal: ["one", "other"]
    }
  }
}
