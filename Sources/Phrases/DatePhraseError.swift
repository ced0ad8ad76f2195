package import CivilTime

/// Why a text cannot be read as a date.
public struct DatePhraseError: Error, Hashable, Sendable {
  package let problem: Problem

  package init(_ problem: Problem) { self.problem = problem }

  package enum Problem: Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text is neither a date nor one of the words for dates.
    case notADate(String)
    /// The year is 0.
    case noSuchYear(String)
    /// The month is not from 1 to 12. The values are the month and the text.
    case noSuchMonth(Int, String)
    /// The month does not have this day. The values are the day, the days of that month, and the
    /// text.
    case noSuchDay(Int, ClosedRange<Int>, String)
    /// The number is not followed by d, w, m or y. The values are what follows it, and the text.
    case notAUnit(String, String)
    /// The date is outside of the years 1 to 9999.
    case tooFar(String)
    /// `3/4` has two meanings; with what to write instead.
    case unclear(String, [String])
    /// The date is on another weekday than the typed one.
    case otherWeekday(CivilDate, Weekday)
  }
}

extension DatePhraseError: CustomStringConvertible {
  public var description: String {
    switch problem {
    case .empty: "expected a date, got an empty one"
    case .notADate(let phrase):
      "expected a date such as 2026-11-21, today, monday, 24 dec, 24.12., next week or +3d, "
        + "got \"\(phrase)\""
    case .noSuchYear(let phrase): "\(phrase): expected a year from 1 to 9999, got 0"
    case .noSuchMonth(let month, let phrase):
      "\(phrase): expected a month from 1 to 12, got \(month)"
    case .noSuchDay(let day, let range, let phrase):
      "\(phrase): expected a day from \(range.lowerBound) to \(range.upperBound), got \(day)"
    case .notAUnit(let unit, let phrase):
      unit.isEmpty
        ? "\(phrase): expected d, w, m or y after the number"
        : "\(phrase): expected d, w, m or y, got \"\(unit)\""
    case .tooFar(let phrase): "\(phrase) is outside the years 1 to 9999"
    case .unclear(let phrase, let choices):
      phrase.first?.isNumber == true
        ? "\(phrase): the order of day and month is unclear; write \(choices.joined(separator: " or "))"
        : "\(phrase) can mean two dates; write \(choices.joined(separator: " or "))"
    case .otherWeekday(let date, let weekday):
      "\(date) is a \(capitalized(date.weekday)), not a \(capitalized(weekday))"
    }
  }

  /// `Monday`
  private func capitalized(_ weekday: Weekday) -> String {
    weekday.englishName.prefix(1).uppercased() + weekday.englishName.dropFirst()
  }
}
