/// Why words begin with a date or time that cannot be meant.
package enum WhenPhraseError: Error, Hashable, Sendable {
  case date(DatePhraseError)
  /// `25:00`
  case noSuchTime(String)
  /// `24.12`: a date without its last dot.
  case dateWithoutDot(String)
  /// `1h` after a date without a time.
  case lengthNeedsTime(String)
  /// `mon 9:00 - wed`
  case endNeedsTime(String)
  /// `9-5`: an end that is probably in the afternoon.
  case unclearHalf(String)
  /// `14:00-13:00`: an end that is hardly on the next day.
  case endNeedsDate(String)
  /// `24 dec - 23 dec 2026`
  case endBeforeStart(String)
  /// A repetition whose parts do not fit together; with what is wrong.
  case repetition(String)
}

extension WhenPhraseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .date(let error): "\(error)"
    case .noSuchTime(let word):
      "\(word): expected a time from 0:00 to 23:59, or from 12am to 11:59pm"
    case .dateWithoutDot(let word):
      "\(word): expected a time such as 12.30; as a date, write \(word). with a dot"
    case .lengthNeedsTime(let words):
      "\(words): expected a time before the length, such as 12:30 \(words)"
    case .endNeedsTime(let words): "\(words): expected a time at the end too, such as 17:00"
    case .unclearHalf(let words):
      "\(words): the end is before the start; write 17:00 or 5pm for the afternoon, or add a date"
    case .endNeedsDate(let words):
      "\(words): the end is before the start; add the date of the end if it is on another day"
    case .endBeforeStart(let words): "\(words): the end is before the start"
    case .repetition(let reason): reason
    }
  }
}
