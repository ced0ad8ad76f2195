/// Why a text is not a TZ rule.
public enum ZoneFooterError: Error, Hashable, Sendable {
  case tooLong
  /// This part was expected instead of `found` (empty at the end of the text).
  case expected(Part, found: String)
  case outOfRange(Part, Int, ClosedRange<Int>)

  public enum Part: String, Hashable, Sendable {
    case abbreviation = "an abbreviation of at least three characters"
    case offset = "an offset"
    case hour, minute, second, month, week, weekday
    case day = "day of the year"
    case date = "a date rule (Mm.w.d, Jn or n)"
    case comma = "a comma"
    case dot = "a dot"
    case end = "the end of the rule"
  }
}

extension ZoneFooterError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLong:
      "the rule is longer than \(ZoneFooter.longestText) bytes"
    case .expected(let part, let found):
      found.isEmpty
        ? "\(part.rawValue) is missing at the end" : "\(part.rawValue) expected at \"\(found)\""
    case .outOfRange(let part, let value, let range):
      "\(part.rawValue) \(value) is not in \(range.lowerBound)…\(range.upperBound)"
    }
  }
}
