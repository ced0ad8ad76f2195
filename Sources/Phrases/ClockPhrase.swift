internal import CivilTime

/// A word that is a time on the clock: `12:30`, `12.30`, `9am`, `9:15 p.m.`, `14h30`, `noon`, `midnight`.
struct ClockPhrase {
  let time: TimeOfDay
  /// `24:00`: the end of the day, which cannot be a start.
  let isEndOfDay: Bool
  /// Whether it states the half of the day, as `9am` does.
  let hasHalf: Bool
  /// `5`: an hour alone, which can be in either half of the day.
  let isBareHour: Bool
  /// `05:00`: an hour that is meant as it is written.
  let isPadded: Bool

  enum Reading {
    case time(ClockPhrase)
    /// It looks like a time, but there is no such time.
    case impossible
    case none
  }

  /// The half of the day that a word states: `pm`, `p.m.`, `PM,`.
  static func half(_ word: String) -> String? {
    let text = word.lowercased().filter { $0 != "." && $0 != "," }
    return text == "am" || text == "pm" ? text : nil
  }

  /// With `hourAlone`, a number such as `9` or `nine` is a time too, and so are `1430` and `9h`.
  static func read(_ word: String, hourAlone: Bool) -> Reading {
    var text = word.lowercased()[...]
    if text.hasSuffix(",") { text.removeLast() }
    if text.hasPrefix("@") { text.removeFirst() }
    if text == "noon" || text == "midday" { text = "12pm" }
    if text == "midnight" { text = "12am" }
    if hourAlone, let number = DatePhrase.spelledNumbers[String(text)], !text.hasPrefix("a") {
      text = "\(number)"
    }
    var hasHalf = false
    var isMorning = false
    for ending in ["a.m.", "p.m.", "a.m", "p.m", "am.", "pm.", "am", "pm"]
    where text.hasSuffix(ending) {
      (hasHalf, isMorning) = (true, ending.hasPrefix("a"))
      text.removeLast(ending.count)
      break
    }
    if !hasHalf { text = hours(text, hourAlone: hourAlone) }
    let isDotted = !text.contains(":") && text.contains(".")
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
    let isPadded = parts[0].hasPrefix("0")
    return .time(
      ClockPhrase(
        time: time, isEndOfDay: isEndOfDay, hasHalf: hasHalf,
        isBareHour: parts.count == 1 && !hasHalf && isHourOfHalf && !isPadded, isPadded: isPadded))
  }

  /// `19:30h`, `14h30` and `0930` with a colon. `9h` is a length unless an hour is expected.
  private static func hours(_ text: Substring, hourAlone: Bool) -> Substring {
    if text.contains(":") { return text.hasSuffix("h") ? text.dropLast() : text }
    let parts = text.split(separator: "h", omittingEmptySubsequences: false)
    if parts.count == 2, let hour = DatePhrase.number(parts[0]), hour < 24, hour > 12 || hourAlone,
      parts[1].isEmpty || parts[1].utf8.count == 2 && DatePhrase.number(parts[1]) != nil
    {
      return "\(parts[0]):\(parts[1].isEmpty ? "00" : parts[1])"
    }
    guard text.utf8.count == 4, DatePhrase.number(text) != nil, hourAlone || text.hasPrefix("0")
    else { return text }
    return "\(text.prefix(2)):\(text.suffix(2))"
  }
}
