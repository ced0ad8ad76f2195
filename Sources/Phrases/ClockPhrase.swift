internal import CivilTime

/// A word that is a time on the clock: `12:30`, `12.30`, `9am`, `9:15pm`, `noon`, `midnight`.
struct ClockPhrase {
  let time: TimeOfDay
  /// `24:00`: the end of the day, which is only an end.
  let isEndOfDay: Bool
  /// Whether it states the half of the day, as `9am` does.
  let hasHalf: Bool

  enum Reading {
    case time(ClockPhrase)
    /// It looks like a time, but there is no such time.
    case impossible
    case none
  }

  /// With `hourAlone`, a number such as `9` is a time too.
  static func read(_ word: String, hourAlone: Bool) -> Reading {
    var text = word.lowercased()[...]
    if text.hasSuffix(",") { text.removeLast() }
    if text == "noon" { text = "12pm" }
    if text == "midnight" { text = "12am" }
    let isMorning = text.hasSuffix("am")
    let hasHalf = isMorning || text.hasSuffix("pm")
    if hasHalf { text.removeLast(2) }
    let isDotted = !text.contains(":") && text.contains(".")
    // 19:30h is usual in several countries; 19h is a length.
    if !hasHalf, text.contains(":"), text.hasSuffix("h") { text.removeLast() }
    let parts = text.split(separator: isDotted ? "." : ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { DatePhrase.number($0) }
    guard numbers.count == parts.count, parts.count <= (isDotted ? 2 : 3),
      parts[0].utf8.count <= 2, parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      parts.count > 1 || hasHalf || hourAlone
    else { return .none }
    var hour = numbers[0]
    let minute = numbers.count > 1 ? numbers[1] : 0
    let second = numbers.count > 2 ? numbers[2] : 0
    let isEndOfDay = !hasHalf && parts.count > 1 && hour == 24 && minute == 0 && second == 0
    if isEndOfDay { hour = 0 }
    let isHourOfHalf = (1...12).contains(hour)
    if hasHalf { hour = hour % 12 + (isMorning ? 0 : 12) }
    guard !hasHalf || isHourOfHalf, second < 60,
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else {
      // Other numbers have dots too.
      return parts.count == 1 && !hasHalf || isDotted ? .none : .impossible
    }
    return .time(ClockPhrase(time: time, isEndOfDay: isEndOfDay, hasHalf: hasHalf))
  }
}
