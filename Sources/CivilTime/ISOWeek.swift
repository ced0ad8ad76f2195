/// A week of ISO 8601. It begins on Monday and belongs to the year of its Thursday.
package struct ISOWeek: Hashable, Comparable, Sendable {
  /// The year of the week. Around New Year, it can differ from the year of a date.
  package let year: Int
  /// The number of the week, 1 to 53.
  package let number: Int

  /// The week of a date.
  package init(containing date: CivilDate) {
    let monday = Int(date.dayNumber) - date.weekday.days(after: .monday)
    year = CivilDate.components(ofDayNumber: monday + 3).year
    let januaryFourth = CivilDate.dayNumber(year: year, month: 1, day: 4)
    let firstMonday =
      januaryFourth - Weekday(ofDayNumber: januaryFourth).days(after: .monday)
    number = (monday - firstMonday) / 7 + 1
  }

  /// `nil` if the year has no week of that number, or the week has no day in the years 1 to 9999.
  package init?(year: Int, number: Int) {
    // 4 January is always in the first week.
    guard let january = CivilDate(year: year, month: 1, day: 4),
      let day = january.adding(weeks: number - 1)
    else { return nil }
    let week = ISOWeek(containing: day)
    guard week.year == year, week.number == number else { return nil }
    self = week
  }

  /// Its first day; `nil` if that is before the year 1.
  package var monday: CivilDate? {
    guard let january = CivilDate(year: year, month: 1, day: 4) else { return nil }
    let first = Int(january.dayNumber) - january.weekday.days(after: .monday)
    return CivilDate(dayNumber: first + (number - 1) * 7)
  }

  package static func < (left: ISOWeek, right: ISOWeek) -> Bool {
    (left.year, left.number) < (right.year, right.number)
  }
}

extension CivilDate {
  /// The number of the date's ISO 8601 week, 1 to 53.
  public var weekNumber: Int { ISOWeek(containing: self).number }
}

extension ISOWeek: CustomStringConvertible {
  /// `2026-W47`.
  package var description: String { "\(padded(year, to: 4))-W\(padded(number, to: 2))" }
}
