import Phrases
import Testing

@Suite("lengths of time as people type them")
struct LengthTextTests {
  @Test(
    "a length",
    arguments: [
      ("10m", 0, 600), ("2h", 0, 7200), ("1d", 1, 0), ("1w", 7, 0), ("90s", 0, 90),
      ("1h30m", 0, 5400), ("1w2d3h", 9, 10800), ("PT1H30M", 0, 5400), ("P2D", 2, 0),
      ("P1DT12H", 1, 43200), ("1H", 0, 3600),
    ])
  func length(_ text: String, days: Int, seconds: Int) {
    let length = LengthText(text)
    #expect(length?.days == days)
    #expect(length?.seconds == seconds)
  }

  @Test(
    "no length",
    arguments: [
      "", "10", "m", "10x", "-5m", "0m", "1m1h", "1h1h", "99999999999m", "1.5h", "P", "١m", "m10",
      "99999999w",
    ])
  func noLength(_ text: String) { #expect(LengthText(text) == nil) }
}
