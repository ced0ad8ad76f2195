/// Lengths of time in short words: `2 d 3 h`, `1 h 30 min`, `45 s`.
enum DurationWords {
  static func text(seconds: Int) -> String {
    guard seconds != 0 else { return "0 min" }
    var rest = seconds.magnitude
    var parts: [String] = []
    for (length, unit) in units {
      let count = rest / length
      rest %= length
      if count > 0 { parts.append("\(count) \(unit)") }
    }
    return parts.joined(separator: " ")
  }

  private static let units: [(UInt, String)] = [
    (24 * 60 * 60, "d"), (60 * 60, "h"), (60, "min"), (1, "s"),
  ]
}
