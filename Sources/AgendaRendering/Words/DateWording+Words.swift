package import CivilTime

extension DateWording {
  /// A length of time: `2 d 3 h`, `1 h 30 min`, `45 s`.
  package func duration(seconds: Int) -> String {
    let durations = words.durations
    guard seconds != 0 else { return durations.minutes(0, number(0)) }
    let units = [
      (24 * 60 * 60, durations.days), (60 * 60, durations.hours), (60, durations.minutes),
      (1, durations.seconds),
    ]
    var rest = Int(clamping: seconds.magnitude)
    var parts: [String] = []
    for (length, unit) in units {
      let count = rest / length
      rest %= length
      if count > 0 { parts.append(unit(count, number(count))) }
    }
    return parts.joined(separator: durations.separator)
  }

  /// `09:30–10:15`; with a 12-hour clock `9:30 – 10:15 AM`, because CLDR's intervals do not repeat
  /// AM.
  package func timeRange(_ from: TimeOfDay, _ to: TimeOfDay) -> String {
    let (first, second) = timeRangeParts(from, to)
    return first + dash + second
  }

  /// The difference between the clocks of two zones: `1 h ahead`, `same time`.
  package func zoneDifference(seconds: Int) -> String {
    if seconds == 0 { return words.time.sameTime }
    let length = duration(seconds: Int(clamping: seconds.magnitude))
    return seconds > 0 ? words.time.ahead(length) : words.time.behind(length)
  }

  /// The text between two times.
  package var dash: String { locale.time.hasTwelveHours ? " – " : "–" }

  /// Both times of a range, without AM or PM if the other one has it.
  func timeRangeParts(_ from: TimeOfDay, _ to: TimeOfDay) -> (first: String, second: String) {
    guard locale.time.hasTwelveHours, dayPeriod(at: from) == dayPeriod(at: to) else {
      return (time(from), time(to))
    }
    return locale.time.beginsWithDayPeriod
      ? (time(from), timeWithoutDayPeriod(to)) : (timeWithoutDayPeriod(from), time(to))
  }

  /// A number with its noun or unit.
  package func count(_ plural: Plural, _ number: Int) -> String {
    plural(number, self.number(number))
  }
}
