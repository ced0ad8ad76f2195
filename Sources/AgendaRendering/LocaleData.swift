package import CivilTime

/// The names and conventions of one locale, for dates of the Gregorian calendar.
///
/// The data comes from CLDR and is part of the library, so it does not depend on the system. Only the
/// locale that is used is read.
public struct LocaleData: Sendable {
  /// The identifier of the data: `de_AT`; `de` for `de_LI`, which has no data.
  public let identifier: String

  package let months: [String]
  package let monthsAlone: [String]
  package let shortMonths: [String]
  package let shortMonthsAlone: [String]
  /// From Monday, as in all lists of weekdays here.
  package let weekdays: [String]
  package let weekdaysAlone: [String]
  package let shortWeekdays: [String]
  package let shortWeekdaysAlone: [String]
  /// About two letters each, for the head of a month's grid.
  package let shortestWeekdays: [String]

  /// `Saturday, 21 November 2026`
  package let fullDate: DatePattern
  /// `Sat, 21 Nov 2026`
  package let shortDate: DatePattern
  /// `Sat 21 Nov`
  package let shortDateWithoutYear: DatePattern
  /// `21 November 2026`
  package let longDate: DatePattern
  /// `21 November`
  package let dayAndMonth: DatePattern
  /// Puts a time (first) after a date (second), with the locale's comma or space.
  package let dateAndTime: Phrase2
  /// `November 2026`
  package let monthAndYear: DatePattern
  package let year: DatePattern
  /// `week 47 of 2026`
  package let weekOfYear: DatePattern
  /// `09:30` or `9:30 AM`
  package let time: DatePattern
  /// `9:30`, for ranges that show AM or PM once.
  let timeWithoutDayPeriod: DatePattern

  /// The parts of the day and the hour at which each begins; empty for a 24-hour clock.
  package let dayPeriods: [(hour: Int, name: String)]
  package let era: String
  /// The digit zero; the other digits follow it.
  package let zeroDigit: Unicode.Scalar

  package let today: String
  package let tomorrow: String
  package let yesterday: String

  /// The day on which weeks begin, for example Monday in Germany and Sunday in the United States.
  package let firstWeekday: Weekday

  /// English words, days before months, a 24-hour clock, weeks from Monday. `C`, `POSIX` and an
  /// empty identifier use it.
  public static let plain = LocaleData(
    identifier: "C", fields: LocaleFields(overlaid: "1\u{31}\ttHH:mm\tp", on: "en_001"))

  /// The data of a locale: `de_DE.UTF-8`, `de-AT`, `zh_TW`, `C`. A region without data uses the data of
  /// its language.
  public init(_ identifier: String) throws(LocaleError) {
    if LocaleIdentifier.isPlain(identifier) {
      self = .plain
      return
    }
    guard let name = LocaleIdentifier(identifier),
      let found = name.candidates.first(where: { LocaleFields.line(of: $0) != nil })
    else { throw .unknown(identifier) }
    self.init(identifier: found, fields: LocaleFields(of: found))
  }

  /// The locale in the environment: the first of the variables `LC_ALL`, `LC_TIME` and `LANG` that is
  /// set and not empty. `plain` if all are empty, or if the locale is unknown.
  public static func fromEnvironment(_ value: (String) -> String?) -> LocaleData {
    for name in ["LC_ALL", "LC_TIME", "LANG"] {
      guard let identifier = value(name), !identifier.isEmpty else { continue }
      return (try? LocaleData(identifier)) ?? .plain
    }
    return .plain
  }

  private init(identifier: String, fields: LocaleFields) {
    self.identifier = identifier
    months = fields.list("M")
    monthsAlone = fields.list("L", else: "M")
    shortMonths = fields.list("m")
    shortMonthsAlone = fields.list("l", else: "m")
    weekdays = fields.list("E")
    weekdaysAlone = fields.list("C", else: "E")
    shortWeekdays = fields.list("e")
    shortWeekdaysAlone = fields.list("c", else: "e")
    shortestWeekdays = fields.list("s")
    fullDate = DatePattern(fields.text("f"))
    shortDate = DatePattern(fields.text("a"))
    shortDateWithoutYear = DatePattern(fields.text("d"))
    longDate = DatePattern(fields.text("D"))
    dayAndMonth = DatePattern(fields.text("k"))
    dateAndTime = Phrase2(fields.text("j"))
    monthAndYear = DatePattern(fields.text("y"))
    year = DatePattern(fields.text("Y"))
    weekOfYear = DatePattern(fields.text("w"))
    time = DatePattern(fields.text("t"))
    timeWithoutDayPeriod = time.withoutDayPeriod
    dayPeriods = fields.list("p").compactMap { part in
      let halves = part.split(separator: ":", maxSplits: 1)
      guard halves.count == 2, let hour = Int(halves[0]) else { return nil }
      return (hour, String(halves[1]))
    }
    era = fields.text("G")
    zeroDigit = Self.zeroDigit(ofNumberingSystem: fields.text("n"))
    let relative = fields.list("r")
    today = relative.first ?? ""
    tomorrow = relative.dropFirst().first ?? ""
    yesterday = relative.last ?? ""
    firstWeekday = UInt8(fields.text("1")).flatMap(Weekday.init(rawValue:)) ?? .monday
  }

  /// By CLDR's names of numbering systems.
  private static func zeroDigit(ofNumberingSystem name: String) -> Unicode.Scalar {
    switch name {
    case "adlm": "\u{1e950}"
    case "arab": "\u{660}"
    case "arabext": "\u{6f0}"
    case "beng": "\u{9e6}"
    case "cakm": "\u{11136}"
    case "deva": "\u{966}"
    case "mtei": "\u{abf0}"
    case "mymr": "\u{1040}"
    case "nkoo": "\u{7c0}"
    case "olck": "\u{1c50}"
    case "tibt": "\u{f20}"
    default: "0"
    }
  }
}

/// The reason why a locale cannot be used.
public enum LocaleError: Error, Hashable, CustomStringConvertible {
  /// No locale has this identifier.
  case unknown(String)

  public var description: String {
    switch self {
    case .unknown(let identifier):
      "no locale is called \"\(SafeText.line(identifier))\" (try en_GB, de, fr_CA, ja …)"
    }
  }
}
