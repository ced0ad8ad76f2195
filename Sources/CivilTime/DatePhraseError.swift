/// Why a phrase is no date.
public enum DatePhraseError: Error, Hashable, Sendable {
  case empty
  case notADate(String)
  /// Year 0.
  case noSuchYear(String)
  case noSuchMonth(Int, String)
  case noSuchDay(Int, ClosedRange<Int>, String)
  /// What stands after the number is not d, w, m or y.
  case notAUnit(String, String)
  /// Outside of the years 1 to 9999.
  case tooFar(String)
}

extension DatePhraseError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "a date is missing"
    case .notADate(let phrase):
      "\"\(phrase)\" is not a date such as 2026-11-21, today, monday, +3d or -1w"
    case .noSuchYear(let phrase): "\(phrase): there is no year 0"
    case .noSuchMonth(let month, let phrase): "\(phrase): month \(month) is not in 1…12"
    case .noSuchDay(let day, let range, let phrase):
      "\(phrase): day \(day) is not in \(range.lowerBound)…\(range.upperBound)"
    case .notAUnit(let unit, let phrase):
      unit.isEmpty
        ? "\(phrase): d, w, m or y is missing after the number"
        : "\(phrase): \"\(unit)\" is not d, w, m or y"
    case .tooFar(let phrase): "\(phrase) lies outside of the years 1 to 9999"
    }
  }
}
