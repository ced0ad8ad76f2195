import CivilTime
import Testing

@testable import Phrases

@Suite("dates and times in the past")
struct PastPhraseTests {
  @Test(
    "the last such date is meant, unless the words name another one",
    arguments: [
      ("saturday", "2026-11-21"), ("monday", "2026-11-16"), ("november", "2026-11-01"),
      ("june", "2026-06-01"), ("24 dec", "2025-12-24"), ("24 dec 2026", "2026-12-24"),
      ("yesterday", "2026-11-20"), ("-1w", "2026-11-14"), ("3 days ago", "2026-11-18"),
      ("yesterday 18:00", "2026-11-20 18:00"), ("monday 9:00", "2026-11-16 09:00"),
      ("sat 15:00", "2026-11-14 15:00"), ("9:00", "2026-11-21 09:00"),
      ("15:00", "2026-11-20 15:00"), ("tomorrow", "2026-11-22"), ("2025", "2025-01-01"),
      ("some day", "none"), ("", "none"), ("monday 1h", "none"), ("every monday", "none"),
    ])
  func phrase(_ text: String, _ expected: String) throws {
    let now = try #require(WhenPhraseTests.now)
    let found = PastPhrase(text, now: now)
    let time = found?.time.map { " \("\($0)".prefix(5))" } ?? ""
    #expect((found.map { "\($0.date)\(time)" } ?? "none") == expected)
  }
}
