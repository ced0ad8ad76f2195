package import CivilTime

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
  init?(englishWord word: String) {
    let usual: [String: Weekday] = [
      "tues": .tuesday, "weds": .wednesday, "thur": .thursday, "thurs": .thursday,
    ]
    let text = word.hasSuffix(".") ? String(word.dropLast()) : word
    let named = Self.allCases.first { text == $0.englishName || text == $0.englishName.prefix(3) }
    guard let weekday = named ?? usual[text] else { return nil }
    self = weekday
  }
}
