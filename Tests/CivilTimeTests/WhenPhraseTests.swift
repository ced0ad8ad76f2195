import Testing

@testable import CivilTime

/// The plain words before a title.
@Suite struct WhenPhraseTests {
  /// Saturday, 21 November 2026, 14:00.
  static let now = CivilDate(year: 2026, month: 11, day: 21).flatMap { date in
    TimeOfDay(hour: 14, minute: 0, second: 0).map { CivilDateTime(date, $0) }
  }

  static func text(_ words: String...) throws -> String? {
    try text(words)
  }

  /// `date time length | title`
  static func text(_ words: [String]) throws -> String? {
    let now = try #require(Self.now)
    guard let phrase = WhenPhrase(words, now: now) else { return nil }
    var text = "\(phrase.date)"
    if let time = phrase.time {
      text += " \(padded(time.hour, to: 2)):\(padded(time.minute, to: 2))"
    }
    if let length = phrase.length {
      text += length.days > 0 ? " \(length.days)d" : ""
      text += length.seconds > 0 ? " \(length.seconds / 60)m" : ""
    }
    return text + " | " + words.dropFirst(phrase.wordCount).joined(separator: " ")
  }

  @Test(
    "leading words are read as a date, a time and a length",
    arguments: [
      ("tomorrow 12:30 1h Lunch with Ana", "2026-11-22 12:30 60m | Lunch with Ana"),
      ("24 dec Christmas dinner", "2026-12-24 | Christmas dinner"),
      ("dec 24 Christmas", "2026-12-24 | Christmas"), ("24. December 2027 X", "2027-12-24 | X"),
      ("3rd may Party", "2027-05-03 | Party"), ("21 nov Today", "2026-11-21 | Today"),
      ("29 feb Leap", "2028-02-29 | Leap"), ("may 3 2028 9am X", "2028-05-03 09:00 | X"),
      ("mon 9-9:15 Stand-up", "2026-11-23 09:00 15m | Stand-up"),
      ("9-10 Call", "2026-11-22 09:00 60m | Call"), ("15:00 Call", "2026-11-21 15:00 | Call"),
      ("13:59 Call", "2026-11-22 13:59 | Call"), ("14:00 Call", "2026-11-21 14:00 | Call"),
      ("22:00-1:00 Party", "2026-11-21 22:00 180m | Party"),
      ("2026-12-01 1h30m Walk", "2026-12-01 | 1h30m Walk"),
      ("2026-12-01 8:00 1h30 Walk", "2026-12-01 08:00 90m | Walk"),
      ("+3d 2d Fair", "2026-11-24 2d | Fair"),
      ("today noon 90min Lunch", "2026-11-21 12:00 90m | Lunch"),
      ("12am Midnight", "2026-11-22 00:00 | Midnight"),
      ("sunday 5 apples", "2026-11-22 | 5 apples"),
      ("9:30pm-10:15pm Film", "2026-11-21 21:30 45m | Film"), ("monday", "2026-11-23 | "),
    ])
  func read(words: String, expected: String) throws {
    #expect(try Self.text(words.split(separator: " ").map(String.init)) == expected)
  }

  @Test(
    "a title alone is not read as a date",
    arguments: [
      "Lunch tomorrow", "5 apples", "1h walk", "24 hours race", "May I come", "25:00 odd",
      "3-way call",
      "30 feb nothing", "9 to 5", "12:3 odd", "13pm odd",
    ])
  func title(words: String) throws {
    #expect(try Self.text(words.split(separator: " ").map(String.init)) == nil)
  }

  @Test("a date of several words can be one argument")
  func quoted() throws {
    #expect(try Self.text("24 dec", "Christmas", "dinner") == "2026-12-24 | Christmas dinner")
  }
}
