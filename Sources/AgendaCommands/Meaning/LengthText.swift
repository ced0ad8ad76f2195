internal import CommandLineOptions

/// A length of time as it is typed: `45m`, `1h30m`, `2d`, `1w`, `90s`, or ISO 8601's `PT1H30M`.
struct LengthText: Equatable {
  /// Weeks and days, by the calendar.
  let days: Int
  /// Hours, minutes and seconds, exact.
  let seconds: Int

  /// `nil` where it is no length, is nothing at all, or is longer than the calendar.
  init?(_ text: String) {
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
      guard let number = Value.number(String(digits)), number <= Self.largestNumber,
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
    guard days + seconds > 0, days <= Self.largestNumber else { return nil }
    self.days = days
    self.seconds = seconds
  }

  /// In this order, each at most once.
  private static let units: [Character] = ["w", "d", "h", "m", "s"]
  /// More than the seconds of a year, less than what could overflow.
  private static let largestNumber = 100_000_000
}
