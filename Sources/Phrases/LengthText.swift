/// A length of time as people type it: `45m`, `1h30m`, `2d`, `1w`, `90s`, ISO 8601's `PT1H30M`, or in
/// words: `45 minutes`, `1.5 hours`, `half an hour`, `for two weeks`.
package struct LengthText: Equatable {
  /// Weeks and days, by the calendar.
  package let days: Int
  /// Hours, minutes and seconds, exact.
  package let seconds: Int

  /// `nil` if the text is not a length, is zero, or is too large for the calendar.
  package init?(_ text: String, allowsZero: Bool = false) {
    if let short = Self(short: text, allowsZero: allowsZero) {
      self = short
    } else if let words = Self(words: text) {
      self = words
    } else {
      return nil
    }
  }

  private init?(words text: String) {
    var words = text.lowercased().split(separator: " ").map(String.init)
    if words.first == "for" { words.removeFirst() }
    guard let found = LengthWords(words[...], allowsSpelled: true), found.count == words.count
    else { return nil }
    (days, seconds) = (found.length.days, found.length.seconds)
  }

  private init?(short text: String, allowsZero: Bool) {
    var rest = Substring(text.lowercased())
    if rest.hasPrefix("p") {
      rest.removeFirst()
      rest = Substring(rest.replacing("t", with: ""))
    }
    var days = 0
    var seconds = 0
    var lastRank = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest.removeFirst(digits.count)
      guard let number = Int(digits), number <= Self.largestNumber,
        let unit = rest.popFirst(), let rank = Self.units.firstIndex(of: unit), rank >= lastRank
      else { return nil }
      lastRank = rank + 1
      switch unit {
      case "w": days += number * 7
      case "d": days += number
      case "h": seconds += number * 60 * 60
      case "m": seconds += number * 60
      default: seconds += number
      }
    }
    guard lastRank > 0, allowsZero || days + seconds > 0, days <= Self.largestNumber else {
      return nil
    }
    self.days = days
    self.seconds = seconds
  }

  /// Units in the order in which they must appear, each at most once.
  private static let units: [Character] = ["w", "d", "h", "m", "s"]
  /// More than the seconds of a year, and small enough that no sum overflows.
  private static let largestNumber = 100_000_000
}
