/// Why a rule's text is no rule, with the part that is wrong.
public struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// There is no FREQ.
    case noFrequency
    /// A part without `=`.
    case noValue
    /// FREQ, WKST or SKIP with a word that is none of theirs.
    case unknownWord(String)
    /// Digits were expected.
    case noNumber(String)
    /// A number outside of what its part allows. It is text: it can be too long for an `Int`.
    case outOfRange(number: String, ClosedRange<Int>)
    /// A value of BYDAY that names no weekday.
    case noWeekday(String)
    /// An UNTIL that is no date and no time.
    case noTime(String)
    /// The same part twice.
    case repeated
    /// RSCALE with a calendar that is not supported.
    case otherCalendar(String)
    /// A leap month (`5L`) in a calendar without leap months.
    case leapMonth(String)
    /// A part's list has more values than it can have different ones.
    case tooManyValues
  }

  public let reason: Reason
  /// The offending part with its value: `BYDAY=255SU`. Long ones are cut.
  public let part: String
  /// Where in the rule's text it stands, in bytes.
  public let place: Range<Int>

  init(_ reason: Reason, part: String, place: Range<Int> = 0..<0) {
    self.reason = reason
    self.part = part
    self.place = place
  }

  /// `BYDAY=255SU: 255 is not in -53…53`.
  public var description: String {
    switch reason {
    case .noFrequency: "FREQ is missing"
    case .noValue: "\(part): no value"
    case .unknownWord(let word): "\(part): \(word) is not known"
    case .noNumber(let text): text.isEmpty ? "\(part): no number" : "\(part): \(text) is no number"
    case .outOfRange(let number, let range):
      if range.lowerBound < 0, number == "0" {
        "\(part): 0 counts nothing"
      } else {
        "\(part): \(number) is not in \(range.lowerBound)…\(range.upperBound)"
      }
    case .noWeekday(let text): "\(part): \(text.isEmpty ? "nothing" : text) is no weekday"
    case .noTime(let text): "\(part): \(text.isEmpty ? "nothing" : text) is no date or time"
    case .repeated: "\(part): this part stands there twice"
    case .otherCalendar(let name): "\(part): the calendar \(name) is not supported"
    case .leapMonth(let text): "\(part): this calendar has no leap month \(text)"
    case .tooManyValues: "\(part): too many values"
    }
  }
}
