/// A length at the beginning of words: `1h`, `90min`, `1h30`, `1h 30m`, `1.5 hours`, `2 days`.
///
/// The units are in lower case: 3D and 3M belong to titles. `an hour`, `two weeks` and `half an hour` are
/// lengths where no title can follow without a word such as `for`; so is `an hour and a half`.
struct LengthWords {
  private(set) var length = WhenPhrase.Length(days: 0, seconds: 0)
  /// The number of its words.
  private(set) var count = 0

  init?(_ words: ArraySlice<String>, allowsSpelled: Bool = false) {
    let words = words.prefix(6).map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    for (phrase, minutes) in Self.fractions where allowsSpelled && words.starts(with: phrase) {
      length = WhenPhrase.Length(days: 0, seconds: minutes * 60)
      count = phrase.count
      return
    }
    // `two and a half hours`
    if allowsSpelled, words.count > 4, words[1...3] == ["and", "a", "half"],
      let number = DatePhrase.spelledNumbers[words[0]] ?? DatePhrase.number(words[0]),
      let hours = Self.length("\(number).5\(words[4])")
    {
      (length, count) = (hours, 5)
      return
    }
    guard let hours = Self.part(words[...], allowsSpelled) else { return nil }
    (length, count) = hours
    let next = words.dropFirst(count)
    let gap = next.first == "and" ? 1 : 0
    if allowsSpelled, next.starts(with: ["and", "a", "half"]), length.days == 0,
      length.seconds % 3600 == 0
    {
      length = WhenPhrase.Length(days: 0, seconds: length.seconds + 1800)
      count += 3
    } else if length.days == 0, length.seconds % 3600 == 0,
      let minutes = Self.part(next.dropFirst(gap), allowsSpelled),
      minutes.length.days == 0, minutes.length.seconds < 3600
    {
      length = WhenPhrase.Length(days: 0, seconds: length.seconds + minutes.length.seconds)
      count += gap + minutes.count
    }
  }

  private static let fractions = [
    (["half", "an", "hour"], 30), (["half", "hour"], 30), (["a", "half", "hour"], 30),
    (["a", "quarter", "of", "an", "hour"], 15), (["three", "quarters", "of", "an", "hour"], 45),
  ]

  /// `1h30m` or `2 days`.
  private static func part(
    _ words: ArraySlice<String>, _ allowsSpelled: Bool
  ) -> (length: WhenPhrase.Length, count: Int)? {
    guard var first = words.first else { return nil }
    if allowsSpelled, let number = DatePhrase.spelledNumbers[first] { first = "\(number)" }
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
    var lastRank = 0
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
      // Longer units come first.
      let rank = unit.isEmpty ? 3 : 1 + (Array("wdhm").firstIndex(of: unit.first ?? "m") ?? 3)
      guard rank > lastRank || unit.isEmpty else { return nil }
      lastRank = rank
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
