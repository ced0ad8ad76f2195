import CivilTime
import Phrases
import Testing

@Suite struct DatePhraseTests {
  /// A Saturday.
  private static let today = CivilDate(year: 2026, month: 11, day: 21) ?? .first

  // Checks limit: DateReader.mostWords
  @Test("the longest date has ten words, and an eleventh is not part of it")
  func longest() throws {
    let words = "on wednesday the 24th of november 2027".split(separator: " ").map(String.init)
    for more in [[], ["24"], ["2028"], ["november", "2028"]] {
      let found = try #require(try DatePhrase.leading((words + more)[...], today: Self.today))
      #expect(found.date.description == "2027-11-24" && found.count == 7)
    }
  }

  // Checks Decisions: Small decisions/10
  @Test(
    "a phrase is the date that it says",
    arguments: [
      ("2026-11-21", "2026-11-21"), ("20281231", "2028-12-31"), ("0001-01-01", "0001-01-01"),
      ("today", "2026-11-21"), ("Tomorrow", "2026-11-22"), ("YESTERDAY", "2026-11-20"),
      ("saturday", "2026-11-21"), ("sat", "2026-11-21"), ("sunday", "2026-11-22"),
      ("Mon", "2026-11-23"), ("tue", "2026-11-24"), ("wednesday", "2026-11-25"),
      ("thu", "2026-11-26"), ("friday", "2026-11-27"), ("+3d", "2026-11-24"),
      ("-1w", "2026-11-14"), ("+2m", "2027-01-21"), ("+1y", "2027-11-21"), ("-1Y", "2025-11-21"),
      ("+0d", "2026-11-21"), ("-365d", "2025-11-21"), ("+7973y", "9999-11-21"),
      ("2028-02-29", "2028-02-29"), ("24 dec", "2026-12-24"), ("24.12.", "2026-12-24"),
      ("24.12.2027", "2027-12-24"), ("next week", "2026-11-23"), ("2 days ago", "2026-11-19"),
      (" in 3 weeks ", "2026-12-12"), ("the 24th of december", "2026-12-24"),
      ("thursday the 24th of december", "2026-12-24"), ("december the 24th 2027", "2027-12-24"),
      ("on the 24th december", "2026-12-24"), ("2026-1-1", "2026-01-01"),
      ("2026/11/21", "2026-11-21"), ("12/24/2026", "2026-12-24"), ("24/12/2026", "2026-12-24"),
      ("24-dec-2026", "2026-12-24"), ("24-Dec", "2026-12-24"), ("24 dec next year", "2027-12-24"),
      ("end of may", "2027-05-31"), ("the end of the month", "2026-11-30"),
      ("last day of november", "2026-11-30"), ("first monday of december", "2026-12-07"),
      ("the 3rd of next month", "2026-12-03"), ("next month on the 3rd", "2026-12-03"),
      ("on the 24th", "2026-11-24"), ("on the 20th", "2026-12-20"), ("weds", "2026-11-25"),
      ("a week from today", "2026-11-28"), ("3 weeks from monday", "2026-12-14"),
      ("10 days from now", "2026-12-01"), ("two weeks from 24 dec", "2027-01-07"),
      ("next week on tuesday", "2026-11-24"), ("sunday in 2 weeks", "2026-12-06"),
    ])
  func good(phrase: String, date: String) throws {
    #expect(try DatePhrase.parse(phrase, today: Self.today).description == date)
  }

  @Test(
    "errors of dates name the invalid part",
    arguments: [
      ("", DatePhraseError.Problem.empty), ("2026-13-01", .noSuchMonth(13, "2026-13-01")),
      ("2026-00-01", .noSuchMonth(0, "2026-00-01")),
      ("20260230", .noSuchDay(30, 1...28, "20260230")),
      ("2026-04-31", .noSuchDay(31, 1...30, "2026-04-31")),
      ("2026-04-00", .noSuchDay(0, 1...30, "2026-04-00")),
      ("0000-01-01", .noSuchYear("0000-01-01")), ("+3", .notAUnit("", "+3")),
      ("+3h", .notAUnit("h", "+3h")), ("+3dd", .notAUnit("dd", "+3dd")),
      ("+8000y", .tooFar("+8000y")), ("-99999999999999999999d", .tooFar("-99999999999999999999d")),
      ("+", .notADate("+")), ("3d", .notADate("3d")),
      ("3/4", .unclear("3/4", ["3 apr", "4 mar"])),
      ("3/4/2027", .unclear("3/4/2027", ["3 apr 2027", "4 mar 2027"])),
      ("24/12", .unclear("24/12", ["24 dec"])), ("24/13/2026", .noSuchMonth(13, "24/13/2026")),
      ("next weekend", .unclear("next weekend", ["21 nov 2026", "28 nov 2026"])),
      ("friday in 2 weeks", .unclear("friday in 2 weeks", ["4 dec 2026", "11 dec 2026"])),
      ("in 2 weeks on friday", .unclear("in 2 weeks on friday", ["4 dec 2026", "11 dec 2026"])),
      ("24 dec 9:00", .notADate("24 dec 9:00")), ("30 feb", .noSuchDay(30, 1...29, "30 feb")),
      ("31.11.", .noSuchDay(31, 1...30, "31.11.")), ("mo", .notADate("mo")),
      ("mond", .notADate("mond")), ("someday", .notADate("someday")),
      ("２０２６1121", .notADate("２０２６1121")), ("2026-11-21T00", .notADate("2026-11-21T00")),
      ("2026-+1-01", .notADate("2026-+1-01")),
    ])
  func bad(phrase: String, problem: DatePhraseError.Problem) throws {
    let error = DatePhraseError(problem)
    #expect(throws: error) { try DatePhrase.parse(phrase, today: Self.today) }
    #expect(phrase.isEmpty || error.description.contains(phrase))
  }

  @Test("the days around the ends of the calendar are out of reach")
  func ends() {
    #expect(throws: DatePhraseError(.tooFar("tomorrow"))) {
      try DatePhrase.parse("tomorrow", today: .last)
    }
    #expect(throws: DatePhraseError(.tooFar("yesterday"))) {
      try DatePhrase.parse("yesterday", today: .first)
    }
    #expect(throws: DatePhraseError(.tooFar("thu"))) { try DatePhrase.parse("thu", today: .last) }
  }

  @Test("no text traps")
  func total() {
    let pieces = ["+", "-", "9", "d", "w", "2026", "11", "today", "é", "\0", "🗓", "m", "0"]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...6)).compactMap { _ in pieces.randomElement() }.joined()
      _ = try? DatePhrase.parse(text, today: .last)
      _ = Instant(rfc3339: text)
      _ = try? ZoneFooter(parsing: text)
    }
  }
}
