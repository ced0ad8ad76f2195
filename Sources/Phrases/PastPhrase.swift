package import CivilTime

/// A date, or a date and a time, in the past: `yesterday`, `monday`, `24 dec`, `june`, `yesterday 18:00`.
///
/// A weekday, a day or a month without a year is the last one. `tomorrow` and a date with its year mean
/// what they say.
package struct PastPhrase: Hashable, Sendable {
  package let date: CivilDate
  /// `nil` for the whole day.
  package let time: TimeOfDay?

  /// `nil` if the text is neither a date nor a date with a time.
  package init?(_ text: String, now: CivilDateTime) {
    guard let first = text.lowercased().split(separator: " ").first.map(String.init),
      let found = Self.reading(text, now)
    else { return nil }
    var best = found
    let isNamed = first.first?.isNumber == true || Self.isCalendarWord(first)
    if isNamed, found.civil > now {
      // From at most a week before, a weekday is the last one; from a year before, a day or a month.
      let earlier = [
        now.date.adding(days: -6), now.date.adding(days: -7),
        now.date.adding(years: -1)?.adding(days: 1),
      ]
      for date in earlier.compactMap(\.self) {
        guard let reading = Self.reading(text, CivilDateTime(date, now.time)) else { continue }
        guard reading.civil <= now else { continue }
        best = reading
        break
      }
    }
    (date, time) = (best.date, best.time)
  }

  private struct Reading {
    let date: CivilDate
    let time: TimeOfDay?
    var civil: CivilDateTime { CivilDateTime(date, time ?? .midnight) }
  }

  private static func reading(_ text: String, _ now: CivilDateTime) -> Reading? {
    if let date = try? DatePhrase.parse(text, today: now.date, side: .first) {
      return Reading(date: date, time: nil)
    }
    let words = text.split(separator: " ").map(String.init)
    guard let phrase = (try? WhenPhrase(words, now: now)) ?? nil, let time = phrase.time,
      phrase.wordCount == words.count, phrase.extent == nil, phrase.repetition == nil
    else { return nil }
    // A time alone is the last one with these digits.
    if phrase.namesDate { return Reading(date: phrase.date, time: time) }
    let isOver = time <= now.time
    guard let date = isOver ? now.date : now.date.adding(days: -1) else { return nil }
    return Reading(date: date, time: time)
  }

  /// A weekday or a month.
  private static func isCalendarWord(_ word: String) -> Bool {
    let word = DatePhrase.plain(word)
    return Weekday(englishWord: word) != nil || DatePhrase.month(word) != nil
  }
}
