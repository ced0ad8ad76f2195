/// A day of the week, numbered as ISO 8601 does: Monday is 1, Sunday is 7.
public enum Weekday: UInt8, CaseIterable, Hashable, Sendable {
  /// The first day of the ISO 8601 week.
  case monday = 1
  /// The second day.
  case tuesday
  /// The third day.
  case wednesday
  /// The fourth day.
  case thursday
  /// The fifth day.
  case friday
  /// The sixth day.
  case saturday
  /// The last day of the ISO 8601 week.
  case sunday

  @inlinable
  package init(ofDayNumber dayNumber: Int) {
    // 1970-01-01 was a Thursday.
    let fromMonday = (dayNumber % 7 + 7 + 3) % 7
    self = Weekday(rawValue: UInt8(fromMonday + 1)) ?? .monday
  }

  /// The number of days from `start` to this weekday, 0 to 6: its position in a week that begins on
  /// `start`.
  @inlinable
  package func days(after start: Weekday) -> Int {
    (Int(rawValue) - Int(start.rawValue) + 7) % 7
  }

  /// The day of the `number`th such weekday in a span of days, from its end if negative: the second Tuesday,
  /// the last Friday. It lies outside of the span if that does not have so many of them.
  @inlinable
  package func day(_ number: Int, in span: Range<Int>) -> Int {
    if number > 0 {
      let first = Weekday(ofDayNumber: span.lowerBound)
      return span.lowerBound + days(after: first) + 7 * (number - 1)
    }
    let last = Weekday(ofDayNumber: span.upperBound - 1)
    return span.upperBound - 1 - last.days(after: self) + 7 * (number + 1)
  }
}

extension Weekday {
  /// `monday`, as the command line takes it.
  package var englishName: String {
    switch self {
    case .monday: "monday"
    case .tuesday: "tuesday"
    case .wednesday: "wednesday"
    case .thursday: "thursday"
    case .friday: "friday"
    case .saturday: "saturday"
    case .sunday: "sunday"
    }
  }

  /// `monday`, `mon`, in lower case; for some days longer short forms are usual too.
  package init?(englishWord word: String) {
    let usual: [String: Weekday] = [
      "tues": .tuesday, "weds": .wednesday, "thur": .thursday, "thurs": .thursday,
    ]
    let text = word.hasSuffix(".") ? String(word.dropLast()) : word
    let named = Self.allCases.first { text == $0.englishName || text == $0.englishName.prefix(3) }
    guard let weekday = named ?? usual[text] else { return nil }
    self = weekday
  }
}
