/// A length at the beginning of words: `1h`, `90min`, `1h30`, `1h 30m`, `1.5 hours`, `2 days`.
///
/// The units are in lower case: 3D and 3M belong to titles.
struct LengthWords {
  private(set) var length = WhenPhrase.Length(days: 0, seconds: 0)
  /// The number of its words.
  private(set) var count = 0

  init?(_ words: ArraySlice<String>) {
    let words = words.prefix(4).map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    guard let hours = Self.part(words[...]) else { return nil }
    (length, count) = hours
    if length.days == 0, length.seconds % 3600 == 0,
      let minutes = Self.part(words.dropFirst(count)),
      minutes.length.days == 0, minutes.length.seconds < 3600
    {
      length = WhenPhrase.Length(days: 0, seconds: length.seconds + minutes.length.seconds)
      count += minutes.count
    }
  }

  /// `1h30m` or `2 days`.
  private static func part(
    _ words: ArraySlice<String>
  ) -> (length: WhenPhrase.Length, count: Int)? {
    guard let first = words.first else { return nil }
    if let length = length(first) { return (length, 1) }
    guard let unit = words.dropFirst().first, unit.allSatisfy(\.isLetter),
      let length = length(first + unit)
    else { return nil }
    return (length, 2)
  }

  private static func length(_ word: String) -> WhenPhrase.Length? {
    var rest = word[...]
    var (days, seconds) = (0, 0)
    var lastUnit = ""
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard (1...4).contains(digits.count), let number = Int(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      var tenths = 0
      if rest.hasPrefix("."), let tenth = rest.dropFirst().first.flatMap({ Int(String($0)) }) {
        tenths = tenth
        rest = rest.dropFirst(2)
      }
      let unit = String(rest.prefix { $0.isASCII && $0.isLetter })
      rest = rest.dropFirst(unit.count)
      switch unit {
      case "w", "week", "weeks": days += 7 * number
      case "d", "day", "days": days += number
      case "h", "hr", "hrs", "hour", "hours": seconds += 3600 * number + 360 * tenths
      case "m", "min", "mins", "minute", "minutes": seconds += 60 * number
      case "" where lastUnit == "h": seconds += 60 * number
      default: return nil
      }
      if tenths > 0, !unit.hasPrefix("h") { return nil }
      lastUnit = unit
    }
    return days == 0 && seconds == 0 ? nil : WhenPhrase.Length(days: days, seconds: seconds)
  }
}
