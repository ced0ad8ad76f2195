import Phrases
import Testing

@Suite("lengths of time as people type them")
struct LengthTextTests {
  @Test(
    "a length",
    arguments: [
      ("10m", 0, 600), ("2h", 0, 7200), ("1d", 1, 0), ("1w", 7, 0), ("90s", 0, 90),
      ("1h30m", 0, 5400), ("1w2d3h", 9, 10800), ("PT1H30M", 0, 5400), ("P2D", 2, 0),
      ("P1DT12H", 1, 43200), ("1H", 0, 3600), ("45 minutes", 0, 2700), ("1.5 hours", 0, 5400),
      ("1 hour 30 minutes", 0, 5400), ("an hour and 15 min", 0, 4500), ("Half an hour", 0, 1800),
      ("two weeks", 14, 0), ("for 2 days", 2, 0), ("a day", 1, 0), ("1.5h", 0, 5400),
    ])
  func length(_ text: String, days: Int, seconds: Int) {
    let length = LengthText(text)
    #expect(length?.days == days)
    #expect(length?.seconds == seconds)
  }

  @Test(
    "no length",
    arguments: [
      "", "10", "m", "10x", "-5m", "0m", "1m1h", "1h1h", "99999999999m", "1.5m", "P",
      "half", "half a day", "an", "for", "45 minutes ago", "2 weeks off", "١m", "m10",
      "99999999w",
    ])
  func noLength(_ text: String) { #expect(LengthText(text) == nil) }

  // Checks limit: LengthText.largestNumber
  @Test("a number is at most 100,000,000")
  func largestNumber() {
    #expect(LengthText("100000000s")?.seconds == 100_000_000)
    #expect(LengthText("100000001s") == nil)
  }
}
