/// What people type for a date: `2026-11-21`, `20261121`, `today`, `monday`, `+3d`, `-1w`.
public enum DatePhrase {
  /// The date that a phrase means on the day `today`. Letter case does not matter.
  ///
  /// A weekday (`monday`, `mon`) is the next one, today included. `+2m` and `+1y` go by the
  /// calendar: 31 January `+1m` is the last of February.
  public static func parse(
    _ phrase: String, today: CivilDate
  ) throws(DatePhraseError) -> CivilDate {
    let text = Array(phrase.utf8)
    guard let first = text.first else { throw .empty }
    switch first {
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      return try shifted(phrase, text[...], today: today)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try date(phrase, text[...])
    default:
      return try named(phrase, today: today)
    }
  }

  private static func named(
    _ phrase: String, today: CivilDate
  ) throws(DatePhraseError) -> CivilDate {
    let word = phrase.lowercased()
    switch word {
    case "today": return today
    case "tomorrow": return try moved(today.adding(days: 1), phrase)
    case "yesterday": return try moved(today.adding(days: -1), phrase)
    default: break
    }
    for weekday in Weekday.allCases {
      let name = weekday.englishName
      if word == name || word.utf8.count == 3 && name.hasPrefix(word) {
        return try moved(today.adding(days: weekday.days(after: today.weekday)), phrase)
      }
    }
    throw .notADate(phrase)
  }

  private static func moved(
    _ date: CivilDate?, _ phrase: String
  ) throws(DatePhraseError) -> CivilDate {
    guard let date else { throw .tooFar(phrase) }
    return date
  }

  /// `+3d`, `-1w`, `+2m`, `+1y`.
  private static func shifted(
    _ phrase: String, _ text: ArraySlice<UInt8>, today: CivilDate
  ) throws(DatePhraseError) -> CivilDate {
    let digits = text.dropFirst().prefix(while: \.isASCIIDigit)
    let unit = text[digits.endIndex...]
    guard !digits.isEmpty else { throw .notADate(phrase) }
    guard digits.count <= 9 else { throw .tooFar(phrase) }
    let sign = text.first == UInt8(ascii: "-") ? -1 : 1
    let count = sign * value(digits)
    guard unit.count == 1, let letter = unit.first.map({ $0 | 0x20 }) else {
      throw .notAUnit(String(decoding: unit, as: UTF8.self), phrase)
    }
    switch letter {
    case UInt8(ascii: "d"): return try moved(today.adding(days: count), phrase)
    case UInt8(ascii: "w"): return try moved(today.adding(weeks: count), phrase)
    case UInt8(ascii: "m"): return try moved(today.adding(months: count), phrase)
    case UInt8(ascii: "y"): return try moved(today.adding(years: count), phrase)
    default: throw .notAUnit(String(decoding: unit, as: UTF8.self), phrase)
    }
  }

  /// `2026-11-21` or `20261121`.
  private static func date(
    _ phrase: String, _ text: ArraySlice<UInt8>
  ) throws(DatePhraseError) -> CivilDate {
    var digits = text
    if text.count == 10 {
      guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else {
        throw .notADate(phrase)
      }
      digits = (text[..<4] + text[5..<7] + text[8...])[...]
    }
    guard digits.count == 8,
      digits.allSatisfy(\.isASCIIDigit)
    else { throw .notADate(phrase) }
    let year = value(digits.prefix(4))
    let month = value(digits.dropFirst(4).prefix(2))
    let day = value(digits.suffix(2))
    guard year >= 1 else { throw .noSuchYear(phrase) }
    guard (1...12).contains(month) else { throw .noSuchMonth(month, phrase) }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw .noSuchDay(day, 1...CivilDate.daysInMonth(month, year: year), phrase)
    }
    return date
  }

  private static func value(_ digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

extension Weekday {
  /// `monday`, as the command line takes it.
  package var englishName: String {
    switch self {
    case .monday: "monday"
    case .tuesday: "tuesday"
    case .wednesday: "wednesday"
    case .thursday: "thursday"
    case .friday: "friday"
    case .saturday: "saturday"
    case .sunday: "sunday"
    }
  }
}
