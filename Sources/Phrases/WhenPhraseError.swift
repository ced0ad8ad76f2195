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
  /// `9:00-5:00`, `14-4`: an end that is probably in the afternoon.
  case unclearHalf(String)
  /// `14:00-13:00`: an end before the start, and probably not one on the next day.
  case endNeedsDate(String)
  /// `24 dec - 23 dec 2026`
  case endBeforeStart(String)
  /// `mon-fri 8-9`
  case hoursOfSeveralDays(String)
  /// `tonight` without an hour. The second value is what to write instead.
  case partOfDayNeedsHour(String, [String])
  /// `15:00 in the morning`
  case otherPartOfDay(String)
  /// `every second monday`: words with two meanings, and what to write instead.
  case unclear(String, [String])
  /// A repetition whose parts do not fit together; with what is wrong.
  case repetition(String)

  /// Words that can be replaced by others, which say clearly what is meant.
  package var replacement: (words: String, choices: [String])? {
    switch self {
    case .date(let error):
      if case .unclear(let words, let choices) = error.problem { return (words, choices) }
      return nil
    case .dateWithoutDot(let word): return (word, ["\(word)."])
    case .partOfDayNeedsHour(let words, let choices), .unclear(let words, let choices):
      return (words, choices)
    case .hoursOfSeveralDays(let words): return (words, ["every \(words)"])
    default: return nil
    }
  }
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
    case .hoursOfSeveralDays(let words):
      "\(words): the same hours on several days are a repetition such as every mon-fri 8-9; "
        + "one long event is mon 9:00 - fri 17:00"
    case .partOfDayNeedsHour(let words, let choices):
      "\(words): expected an hour too; write \(choices.joined(separator: " or "))"
    case .otherPartOfDay(let words): "\(words): the hour is not in that part of the day"
    case .unclear(let words, let choices):
      "\(words) can mean two things; write \(choices.joined(separator: " or "))"
    case .repetition(let reason): reason
    }
  }
}
