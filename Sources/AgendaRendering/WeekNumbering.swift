package import CivilTime

/// The rule by which a locale numbers the weeks of a year.
package struct WeekNumbering: Hashable, Sendable {
  /// The day on which weeks begin.
  package let firstWeekday: Weekday
  /// The least number of days of the new year in its first week: 4 with ISO 8601, 1 in America.
  package let leastDays: Int

  /// The number of the week that holds a date, from 1. The week over New Year is week 1 if it has
  /// enough days of the new year, otherwise the last week of the old one.
  package func week(containing date: CivilDate) -> Int {
    let start = Int(date.dayNumber) - date.weekday.days(after: firstWeekday)
    for year in [date.year + 1, date.year] {
      let first = firstWeek(ofYear: year)
      if start >= first { return (start - first) / 7 + 1 }
    }
    return (start - firstWeek(ofYear: date.year - 1)) / 7 + 1
  }

  /// The number of the day on which week 1 begins.
  private func firstWeek(ofYear year: Int) -> Int {
    // A day that is in week 1 of every year.
    let certain = CivilDate.dayNumber(year: year, month: 1, day: leastDays)
    return certain - Weekday(ofDayNumber: certain).days(after: firstWeekday)
  }
}

extension LocaleData {
  package var weekNumbering: WeekNumbering {
    WeekNumbering(firstWeekday: firstWeekday, leastDays: hasISOWeeks ? 4 : 1)
  }

  /// Whether the first week of a year must have four days, by CLDR's `minDays` for the region.
  /// Without a region, it is that of the language's most likely region.
  private var hasISOWeeks: Bool {
    guard identifier != "C" else { return true }
    let parts = identifier.split(separator: "_")
    let region = parts.dropFirst().first { $0.utf8.count == 2 || $0.first?.isNumber == true }
    if let region { return Self.isoRegions.contains(region) }
    return parts.first.map(Self.isoLanguages.contains) ?? false
  }

  private static let isoRegions: Set<Substring> = [
    "AD", "AN", "AT", "AX", "BE", "BG", "CH", "CZ", "DE", "DK", "EE", "ES", "FI", "FJ", "FO", "FR",
    "GB", "GF", "GG", "GI", "GP", "GR", "HU", "IE", "IM", "IS", "IT", "JE", "LI", "LT", "LU", "MC",
    "MQ", "NL", "NO", "PL", "PT", "RE", "RU", "SE", "SJ", "SK", "SM", "VA",
  ]

  private static let isoLanguages: Set<Substring> = [
    "ast", "ba", "bg", "br", "ca", "ce", "cs", "cv", "cy", "da", "de", "dsb", "el", "es", "et",
    "eu",
    "fi", "fo", "fr", "fur", "fy", "ga", "gd", "gl", "gsw", "gv", "hsb", "hu", "is", "it", "ksh",
    "kw", "lb", "lmo", "lt", "myv", "nb", "nl", "nn", "no", "pl", "rm", "ru", "sah", "sc", "se",
    "sk", "smn", "sv", "tt", "vec", "wa", "wae",
  ]
}
