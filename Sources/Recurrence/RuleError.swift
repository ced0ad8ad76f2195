/// Why a text cannot be read as a recurrence rule.
public struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a rule.
  package enum Reason: Hashable, Sendable {
    /// FREQ is missing.
    case noFrequency
    /// A part without `=`.
    case noValue
    /// FREQ, WKST or SKIP with an unknown word.
    case unknownWord(String)
    /// Digits were expected.
    case noNumber(String)
    /// A number outside of the allowed range. It is text, because it can be too long for an `Int`.
    case outOfRange(number: String, ClosedRange<Int>)
    /// A value of BYDAY that names no weekday.
    case noWeekday(String)
    /// An UNTIL that is neither a date nor a time.
    case noTime(String)
    /// The same part twice.
    case repeated
    /// RSCALE with a calendar that is not supported.
    case otherCalendar(String)
    /// A leap month (`5L`) in a calendar without leap months.
    case leapMonth(String)
    /// The first word of a rule of vCalendar 1.0 is not one of its units.
    case unknownUnit
    /// A rule of vCalendar 1.0 within another that cannot be read.
    case nested(String)
    /// Times of a vCalendar 1.0 rule with different minutes, such as `1200` and `1130`.
    case differentMinutes
    /// A part's list has more values than it can have different ones.
    case tooManyValues
  }

  /// What is wrong with the part.
  package let reason: Reason
  /// The invalid part with its value, such as `BYDAY=255SU`. A long part is shortened.
  package let part: String
  /// The range of the part within the text of the rule, in bytes.
  package let place: Range<Int>

  package init(_ reason: Reason, part: String, place: Range<Int> = 0..<0) {
    self.reason = reason
    self.part = part
    self.place = place
  }

  /// `BYDAY=255SU: 255 is not in -53…53`.
  public var description: String {
    switch reason {
    case .noFrequency: "missing FREQ"
    case .noValue: "\(part): missing value"
    case .unknownWord(let word): "\(part): unknown value \"\(word)\""
    case .noNumber(let text): "\(part): expected a number, got \"\(text)\""
    case .outOfRange(let number, let range):
      if range.lowerBound < 0, number == "0" {
        "\(part): 0 is not allowed"
      } else {
        "\(part): expected a number from \(range.lowerBound) to \(range.upperBound), got \(number)"
      }
    case .noWeekday(let text): "\(part): expected a weekday, got \"\(text)\""
    case .noTime(let text): "\(part): expected a date or time, got \"\(text)\""
    case .repeated: "\(part): this part occurs twice"
    case .otherCalendar(let name): "\(part): the calendar \(name) is not supported"
    case .leapMonth(let text): "\(part): this calendar has no leap month \(text)"
    case .unknownUnit: "\(part): expected a rule such as FREQ=DAILY or, in vCalendar 1.0, D1"
    case .nested(let unit): "the rule \(unit) within a rule is not supported"
    case .differentMinutes: "\(part): times with different minutes are not supported"
    case .tooManyValues: "\(part): too many values"
    }
  }
}
