/// When something is, in the words people type before a title: `tomorrow 12:30 1h`, `24 dec`,
/// `mon 9-9:15`.
///
/// The leading words are read as a date, then a time or a span of times, then a length, as far as
/// they match. A lone number is not a time, because it can belong to the title.
public struct WhenPhrase: Hashable, Sendable {
  /// How long it lasts; the days are days of the calendar.
  public struct Length: Hashable, Sendable {
    public let days: Int
    public let seconds: Int

    public init(days: Int, seconds: Int) {
      self.days = days
      self.seconds = seconds
    }
  }

  public let date: CivilDate
  /// Whether the words name the date; a time alone is today or tomorrow.
  package let namesDate: Bool
  /// `nil` for a whole day.
  public let time: TimeOfDay?
  public let length: Length?
  /// How many of the words were read; the rest is the title.
  public let wordCount: Int

  /// `nil` if the words do not begin with a date or a time.
  ///
  /// A time without a date is today, or tomorrow if it has passed. A day and month without a year
  /// are the next such date, which may be today.
  public init?(_ words: [String], now: CivilDateTime) {
    var place = 0
    var date: CivilDate?
    if let (found, count) = Self.date(words, today: now.date) {
      date = found
      place += count
    }
    namesDate = date != nil
    var length: Length?
    var time = words.indices.contains(place) ? Self.time(words[place]) : nil
    if time != nil {
      place += 1
    } else if words.indices.contains(place), let span = Self.span(words[place]) {
      place += 1
      (time, length) = span
    }
    if date == nil, let time {
      date = time < now.time ? now.date.adding(days: 1) : now.date
    }
    guard let date else { return nil }
    if length == nil, words.indices.contains(place), let found = Self.length(words[place]),
      time != nil || found.seconds == 0
    {
      length = found
      place += 1
    }
    self.date = date
    self.time = time
    self.length = length
    wordCount = place
  }

  /// The longest date that the words begin with, and how many of them it takes.
  private static func date(_ words: [String], today: CivilDate) -> (CivilDate, Int)? {
    for count in [3, 2, 1] where count <= words.count {
      let phrase = words.prefix(count).joined(separator: " ")
      if let date = dayAndMonth(phrase, today: today) { return (date, count) }
    }
    guard let first = words.first, let date = try? DatePhrase.parse(first, today: today) else {
      return nil
    }
    return (date, 1)
  }

  /// `24 dec`, `dec 24`, `24. December 2027`.
  private static func dayAndMonth(_ phrase: String, today: CivilDate) -> CivilDate? {
    var parts = phrase.lowercased().split(separator: " ").map(String.init)
    guard (2...3).contains(parts.count) else { return nil }
    var year: Int?
    if parts.count == 3 {
      guard parts[2].utf8.count == 4, let number = number(parts[2]) else { return nil }
      year = number
      parts.removeLast()
    }
    if month(parts[0]) != nil { parts.reverse() }
    var dayText = parts[0][...]
    for ending in ["st", "nd", "rd", "th", ".", ","] where dayText.hasSuffix(ending) {
      dayText = dayText.dropLast(ending.count)
      break
    }
    guard let month = month(parts[1]), dayText.utf8.count <= 2, let day = number(String(dayText))
    else { return nil }
    if let year { return CivilDate(year: year, month: month, day: day) }
    // A leap day comes back within eight years.
    return (today.year...today.year + 8).lazy
      .compactMap { CivilDate(year: $0, month: month, day: day) }
      .first { $0 >= today }
  }

  private static func month(_ word: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    let text = word.hasSuffix(".") || word.hasSuffix(",") ? String(word.dropLast()) : word
    guard text.utf8.count >= 3 else { return nil }
    return names.firstIndex {
      $0 == text || ($0.prefix(3) == text) || (text == "sept" && $0 == "september")
    }
    .map { $0 + 1 }
  }

  /// `12:30`, `9am`, `9:15pm`, `noon`.
  static func time(_ word: String) -> TimeOfDay? {
    let text = word.lowercased()
    if text == "noon" { return TimeOfDay(hour: 12, minute: 0, second: 0) }
    let hasMinutes = text.contains(":")
    let isHalf = text.hasSuffix("am") || text.hasSuffix("pm")
    guard hasMinutes || isHalf else { return nil }
    return clock(text)
  }

  /// A time that may consist of the hour alone.
  private static func clock(_ word: String) -> TimeOfDay? {
    var text = word.lowercased()[...]
    let isMorning = text.hasSuffix("am")
    let isHalf = isMorning || text.hasSuffix("pm")
    if isHalf { text = text.dropLast(2) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...2).contains(parts[0].utf8.count),
      var hour = number(String(parts[0]))
    else { return nil }
    var minute = 0
    if parts.count == 2 {
      guard parts[1].utf8.count == 2, let number = number(String(parts[1])) else { return nil }
      minute = number
    }
    if isHalf {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isMorning ? 0 : 12)
    }
    return TimeOfDay(hour: hour, minute: minute, second: 0)
  }

  /// `9-9:15`, `22:00-1:00`: an end that is not after the start is on the next day.
  private static func span(_ word: String) -> (TimeOfDay, Length)? {
    let parts = word.split(whereSeparator: { $0 == "-" || $0 == "–" })
    guard parts.count == 2,
      word.contains(where: { $0 == ":" }) || parts.allSatisfy({ $0.count <= 4 }),
      let start = clock(String(parts[0])), let end = clock(String(parts[1]))
    else { return nil }
    let seconds = Int(end.secondOfDay) - Int(start.secondOfDay)
    return (start, Length(days: 0, seconds: seconds > 0 ? seconds : seconds + 24 * 60 * 60))
  }

  /// `1h`, `90min`, `1h30`, `1h30m`, `2d`, `1w`.
  static func length(_ word: String) -> Length? {
    var rest = word.lowercased()[...]
    var (days, seconds) = (0, 0)
    var lastUnit = ""
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard (1...4).contains(digits.count), let number = number(String(digits)) else { return nil }
      rest = rest.dropFirst(digits.count)
      let unit = String(rest.prefix { $0.isASCII && $0.isLetter })
      rest = rest.dropFirst(unit.count)
      switch unit {
      case "w": days += 7 * number
      case "d": days += number
      case "h": seconds += 3600 * number
      case "m", "min": seconds += 60 * number
      case "" where lastUnit == "h": seconds += 60 * number
      default: return nil
      }
      lastUnit = unit
    }
    return days == 0 && seconds == 0 ? nil : Length(days: days, seconds: seconds)
  }

  private static func number(_ text: String) -> Int? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
  }
}
