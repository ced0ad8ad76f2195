internal import CivilTime
internal import Phrases

/// The working hours of a day: `09:00-17:00`, `9-17`, `9am to 5pm`.
struct WorkingHours: Equatable {
  let begin: TimeOfDay
  /// `nil` for the end of the day, `24:00`.
  let finish: TimeOfDay?

  /// `nil` if the text is malformed, or if the end is before the start.
  init?(_ text: String) {
    var words = text.split(separator: " ").map(String.init)
    if words.first?.lowercased() != "from" { words.insert("from", at: 0) }
    guard let day = CivilDate(year: 2000, month: 1, day: 1),
      let phrase = (try? WhenPhrase(words, now: CivilDateTime(day, .midnight))) ?? nil,
      phrase.wordCount == words.count, !phrase.namesDate, phrase.repetition == nil,
      let begin = phrase.time,
      case .until(let date, let end?) = phrase.extent
    else { return nil }
    self.begin = begin
    if date == day {
      finish = end
    } else if end == .midnight {
      finish = nil
    } else {
      return nil
    }
  }
}
