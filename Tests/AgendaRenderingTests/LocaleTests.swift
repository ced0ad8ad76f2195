import CivilTime
import Foundation
import Testing

@testable import AgendaRendering

/// The table of locales against Foundation's own formatter and calendar, which read other data.
@Suite("Locales against Foundation")
struct LocaleTests {
  /// Foundation's text as the table keeps it: plain spaces, no marks of direction.
  private static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xa0, 0x202f, 0x2009: plain.append(" ")
      case 0x200e, 0x200f, 0x61c: break
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }

  private static func formatter(_ identifier: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: identifier)
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = formatter.locale
    if let utc = TimeZone(identifier: "UTC") {
      calendar.timeZone = utc
      formatter.timeZone = utc
    }
    formatter.calendar = calendar
    return formatter
  }

  /// Every month and every weekday, one-digit and two-digit days.
  private static let dates: [CivilDate] = (1...12).compactMap {
    CivilDate(year: 2026, month: $0, day: $0 * 2)
  }

  private static func moment(_ date: CivilDate, hour: Int = 12, minute: Int = 0) -> Date {
    Date(
      timeIntervalSince1970: Double(Int(date.dayNumber) * 86_400 + hour * 3600 + minute * 60))
  }

  private enum Face: CaseIterable {
    case full, short, shortWithoutYear, month, time
  }

  /// Where the data inside Foundation is not CLDR's: its vendor's digits for Bengali and Marathi, and
  /// its own abbreviations and names for the halves of the day.
  private static let explained: [String: Set<Face>] = [
    "bn": Set(Face.allCases), "mr": Set(Face.allCases),
    "ar": [.short, .shortWithoutYear], "ca": [.short, .shortWithoutYear],
    "en": [.short, .shortWithoutYear, .time], "es": [.short, .shortWithoutYear, .time],
    "gu": [.short, .shortWithoutYear], "pt": [.short, .shortWithoutYear, .time],
    "ru": [.short, .shortWithoutYear], "ur": [.short, .shortWithoutYear],
    "el": [.time], "hi": [.time], "pa": [.time],
  ]

  private static func isExplained(_ identifier: String, _ face: Face) -> Bool {
    let language = identifier.split(separator: "_").first.map(String.init) ?? ""
    // Foundation writes Montenegro's Serbian in Latin letters even where Cyrillic ones are asked for.
    return explained[language]?.contains(face) == true || identifier == "sr_Cyrl_ME"
  }

  @Test("names, digits and patterns match Foundation's formatter")
  func faces() throws {
    #expect(LocaleFields.identifiers.count > 500)
    for identifier in LocaleFields.identifiers {
      let data = try LocaleData(identifier)
      let wording = DateWording(data)
      let formatter = Self.formatter(identifier)
      let dateFaces: [(Face, DatePattern, (CivilDate) -> String)] = [
        (.full, data.fullDate, wording.fullDate), (.short, data.shortDate, wording.shortDate),
        (.shortWithoutYear, data.shortDateWithoutYear, wording.shortDateWithoutYear),
        (.month, data.monthAndYear, wording.monthAndYear),
      ]
      for (face, pattern, ours) in dateFaces where !Self.isExplained(identifier, face) {
        formatter.dateFormat = pattern.source
        for date in Self.dates {
          #expect(
            ours(date) == Self.plain(formatter.string(from: Self.moment(date))),
            "\(identifier), \(face)")
        }
      }
      guard !Self.isExplained(identifier, .time) else { continue }
      formatter.dateFormat = data.time.source
      for hour in 0..<24 {
        let time = try #require(TimeOfDay(hour: hour, minute: 5))
        let theirs = formatter.string(from: Self.moment(.first, hour: hour, minute: 5))
        #expect(wording.time(time) == Self.plain(theirs), "\(identifier), \(hour) o'clock")
      }
    }
  }

  /// Where Foundation has another first weekday than CLDR 46.
  private static let otherWeeks: Set<String> = [
    "ar_DZ", "fr_DZ", "kab", "ar_JO", "bo", "ii", "ko_CN", "ug", "yue_CN", "yue_Hans",
    "yue_Hant_CN", "za", "zh",
  ]

  @Test("weeks begin and hours are counted as Foundation has it")
  func habits() throws {
    for identifier in LocaleFields.identifiers {
      let data = try LocaleData(identifier)
      let formatter = Self.formatter(identifier)
      if !Self.otherWeeks.contains(identifier) {
        // Foundation counts from Sunday, as 1.
        #expect(
          Int(data.firstWeekday.rawValue) % 7 + 1 == formatter.calendar.firstWeekday,
          "\(identifier)")
      }
      formatter.dateStyle = .none
      formatter.timeStyle = .short
      // Letters between quotes are text.
      let pattern = (formatter.dateFormat ?? "").split(
        separator: "'", omittingEmptySubsequences: false
      ).enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()
      guard !pattern.isEmpty, identifier != "yue_Hant_CN" else { continue }
      #expect(pattern.contains("h") == data.time.hasTwelveHours, "\(identifier)")
    }
  }
}

@Suite("Names of locales")
struct LocaleIdentifierTests {
  @Test(
    "a locale is found under every form of its name, a region without data under its language's",
    arguments: [
      ("de", "de"), ("de_DE.UTF-8", "de"), ("de-at", "de_AT"), ("de_LI", "de"),
      ("DE_at@euro", "de_AT"),
      ("en_GB", "en_GB"), ("en_US.ISO-8859-1", "en"), ("zh_CN", "zh"), ("zh_TW", "zh_TW"),
      ("zh-Hant-HK", "zh_Hant_HK"), ("sr_RS@latin", "sr_Latn"), ("nb_NO", "nb"), ("iw_IL", "he"),
      ("pt_BR", "pt"), ("pt_PT", "pt_PT"), ("es_419", "es_419"), ("ca_ES_VALENCIA", "ca"),
      ("C", "C"), ("POSIX", "C"), ("C.UTF-8", "C"), ("", "C"),
    ])
  func found(name: String, identifier: String) throws {
    #expect(try LocaleData(name).identifier == identifier)
  }

  @Test(
    "an invalid locale is an error that names it",
    arguments: [
      "xx", "english", "d", "de_", "de__AT", "12", "de_DE_x", "../de", "zz_ZZ.UTF-8", "C_C",
    ])
  func unknown(name: String) {
    #expect(throws: LocaleError.unknown(name)) { try LocaleData(name) }
  }

  @Test("the environment names the locale by LC_ALL, LC_TIME and LANG, and may name nonsense")
  func environment() {
    func locale(_ values: [String: String]) -> String {
      LocaleData.fromEnvironment { values[$0] }.identifier
    }
    #expect(locale([:]) == "C")
    #expect(locale(["LANG": "fr_FR.UTF-8"]) == "fr")
    #expect(locale(["LANG": "fr_FR.UTF-8", "LC_TIME": "de_AT"]) == "de_AT")
    #expect(locale(["LC_ALL": "ja_JP", "LC_TIME": "de_AT"]) == "ja")
    #expect(locale(["LC_ALL": "", "LC_TIME": "de_AT"]) == "de_AT")
    #expect(locale(["LC_ALL": "C", "LANG": "de_AT"]) == "C")
    #expect(locale(["LANG": "klingon"]) == "C")
  }

  @Test("every locale of the table has all of its names")
  func complete() throws {
    for identifier in LocaleFields.identifiers + ["C"] {
      let data = try LocaleData(identifier)
      for list in [data.months, data.monthsAlone, data.shortMonths, data.shortMonthsAlone] {
        #expect(list.count == 12 && !list.contains(""), "\(identifier)")
      }
      for list in [
        data.weekdays, data.weekdaysAlone, data.shortWeekdays, data.shortWeekdaysAlone,
        data.shortestWeekdays,
      ] {
        #expect(list.count == 7 && !list.contains(""), "\(identifier)")
      }
      #expect(![data.today, data.tomorrow, data.yesterday].contains(""), "\(identifier)")
      #expect(data.time.hasTwelveHours != data.dayPeriods.isEmpty, "\(identifier)")
    }
  }

  @Test(
    "headings, dates and times as people write them",
    arguments: [
      ("en_GB", "Saturday, 21 November 2026", "Sat, 21 Nov 2026", "15:30", "Week 47 of 2026"),
      ("en_US", "Saturday, November 21, 2026", "Sat, Nov 21, 2026", "3:30 PM", "Week 47 of 2026"),
      (
        "de", "Samstag, 21. November 2026", "Sa., 21. Nov. 2026", "15:30",
        "Woche 47 des Jahres 2026"
      ),
      ("fr", "samedi 21 novembre 2026", "sam. 21 nov. 2026", "15:30", "Semaine 47 de 2026"),
      ("ja", "2026年11月21日土曜日", "2026年11月21日(土)", "15:30", "2026年第47週"),
      (
        "ar_EG", "السبت، ٢١ نوفمبر ٢٠٢٦", "السبت، ٢١ نوفمبر ٢٠٢٦", "٣:٣٠ م",
        "الأسبوع ٤٧ من سنة ٢٠٢٦"
      ),
      ("th", "วันเสาร์ที่ 21 พฤศจิกายน ค.ศ. 2026", "ส. 21 พ.ย. 2026", "15:30", "สัปดาห์ที่ 47 ของปี 2026"),
      ("zh_TW", "2026年11月21日 星期六", "2026年11月21日 週六", "下午3:30", "2026年的第47週"),
      ("fi", "lauantai 21. marraskuuta 2026", "la 21.11.2026", "15.30", "Vuoden 2026 viikko 47"),
      ("C", "Saturday, 21 November 2026", "Sat, 21 Nov 2026", "15:30", "Week 47 of 2026"),
    ])
  func faces(name: String, full: String, short: String, time: String, week: String) throws {
    let wording = DateWording(try LocaleData(name))
    let date = try #require(CivilDate(year: 2026, month: 11, day: 21))
    #expect(wording.fullDate(date) == full)
    #expect(wording.shortDate(date) == short)
    #expect(wording.time(try #require(TimeOfDay(hour: 15, minute: 30))) == time)
    #expect(wording.week(ISOWeek(containing: date)) == week)
    #expect(wording.relativeDay(date, today: date) == wording.locale.today)
  }
}
