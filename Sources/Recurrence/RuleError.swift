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

  /// `BYDAY=255SU: expected a number from -53 to 53, got 255`
  public var description: String { sentence.text }

  /// The parts of rules differ in their numbers, so that only the other text makes a kind of problem.
  package var sentence: Sentence {
    switch reason {
    case .noFrequency: "missing FREQ"
    case .nested(let unit): "the rule \(numbered: unit) within a rule is not supported"
    case .noValue: "\(numbered: part): missing value"
    case .unknownWord(let word): "\(numbered: part): unknown value \"\(listed: word)\""
    case .noNumber(let text): "\(numbered: part): expected a number, got \"\(listed: text)\""
    // Where negative numbers are allowed, 0 is another mistake than a number that is too high.
    case .outOfRange("0", let range) where range.lowerBound < 0:
      "\(numbered: part): 0 is not allowed"
    case .outOfRange("0", let range):
      "\(numbered: part): expected a number from \(range.lowerBound) to \(range.upperBound), got 0"
    case .outOfRange(let number, let range):
      """
      \(numbered: part): expected a number from \(range.lowerBound) to \(range.upperBound), \
      got \(varying: number)
      """
    case .noWeekday(let text): "\(numbered: part): expected a weekday, got \"\(listed: text)\""
    case .noTime(let text): "\(numbered: part): expected a date or time, got \"\(listed: text)\""
    case .repeated: "\(numbered: part): this part occurs twice"
    case .otherCalendar(let name): "\(numbered: part): the calendar \(name) is not supported"
    case .leapMonth(let text):
      "\(numbered: part): this calendar has no leap month \(numbered: text)"
    case .unknownUnit:
      "\(numbered: part): expected a rule such as FREQ=DAILY or, in vCalendar 1.0, D1"
    case .differentMinutes: "\(numbered: part): times with different minutes are not supported"
    case .tooManyValues: "\(numbered: part): too many values"
    }
  }
}
