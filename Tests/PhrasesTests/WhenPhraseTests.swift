import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Phrases

/// The plain words before a title.
@Suite struct WhenPhraseTests {
  /// Saturday, 21 November 2026, 14:00.
  static let now = CivilDate(year: 2026, month: 11, day: 21).flatMap { date in
    TimeOfDay(hour: 14, minute: 0, second: 0).map { CivilDateTime(date, $0) }
  }

  /// As the table writes it: `2026-11-22 12:30 for 60m | Lunch !1h`.
  static func text(_ words: [String]) throws -> String {
    let now = try #require(Self.now)
    let read: EntryWords
    do throws(WhenPhraseError) {
      read = try EntryWords(words, now: now)
      if let error = read.error, read.obstacle != nil || read.phrase == nil { throw error }
    } catch {
      return "error \(error)"
    }
    let unread = read.unread.map { " !\($0.text)" }.joined()
    guard let phrase = read.phrase else { return "title" + unread }
    if let obstacle = read.obstacle { return "refused \(obstacle.text)" }
    func clock(_ time: TimeOfDay) -> String { String("\(time)".prefix(5)) }
    var text = "\(phrase.date)"
    if let time = phrase.time { text += " \(clock(time))" }
    switch phrase.extent {
    case .length(let length):
      text += " for"
      if length.days > 0 { text += " \(length.days)d" }
      if length.seconds > 0 { text += " \(length.seconds / 60)m" }
    case .until(let date, let time):
      text += " to \(date)" + (time.map { " \(clock($0))" } ?? "")
    case nil: break
    }
    if let rule = phrase.repetition?.rule { text += " \(rule)" }
    return text + " | " + read.title.joined(separator: " ") + unread
  }

  static let table: [(words: String, expected: String)] = {
    let file = Repository.root.appendingPathComponent("Fixtures/phrases/when.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      let columns = $0.split(separator: "\t", maxSplits: 1)
      return (String(columns[0]), String(columns.last ?? ""))
    }
  }()

  @Test("words mean what the table of phrases says")
  func phrases() throws {
    #expect(Self.table.count > 200)
    for (words, expected) in Self.table {
      let found = try Self.text(words.split(separator: " ").map(String.init))
      // The rest of an error is its wording.
      let isError = expected.hasPrefix("error")
      #expect(isError ? found.hasPrefix(expected) : found == expected, "\(words): \(found)")
    }
  }

  @Test("a date or time can be one argument of several words, if all of it is one")
  func readsAll() throws {
    let now = try #require(Self.now)
    for phrase in ["24 dec", "tomorrow 12:30 - 13:30", "1 hour", "next fri", "at 9"] {
      #expect(try WhenPhrase.readsAll(phrase.split(separator: " ").map(String.init), now: now))
    }
    for title in ["1h walk", "Lunch", "", "24 dec party", "5 apples", "9"] {
      #expect(try !WhenPhrase.readsAll(title.split(separator: " ").map(String.init), now: now))
    }
  }

  @Test("agenda reads each phrase that Formats.md lists")
  func documented() throws {
    let now = try #require(Self.now)
    let file = Repository.root.appendingPathComponent("Docs/Formats.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "\n## ").first { $0.hasPrefix("Dates and times that you type") })
    let phrases = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").filter {
        $0.contains { $0.isLetter || $0.isNumber }
      }
    }
    #expect(phrases.count > 50)
    for phrase in phrases {
      let words = phrase.split(separator: " ").map(String.init)
      #expect(try WhenPhrase.readsAll(words, now: now), "\(phrase)")
    }
  }

  @Test("a date without a year, and a weekday, are never in the past", arguments: 0..<800)
  func comingDates(offset: Int) throws {
    let first = try #require(CivilDate(year: 2027, month: 1, day: 1))
    let today = try #require(first.adding(days: offset))
    for weekday in Weekday.allCases {
      let date = try DatePhrase.parse(weekday.englishName, today: today)
      #expect(date.weekday == weekday && (0..<7).contains(today.days(until: date)))
      let next = try DatePhrase.parse("next \(weekday.englishName)", today: today)
      let monday = try DatePhrase.parse("next week", today: today)
      #expect(next.weekday == weekday && (0..<7).contains(monday.days(until: next)))
      #expect(monday.weekday == .monday && (1...7).contains(today.days(until: monday)))
    }
    for phrase in ["24 dec", "dec 24", "24.12.", "24th of december"] {
      let date = try DatePhrase.parse(phrase, today: today)
      #expect(date >= today && date.month == 12 && date.day == 24)
      #expect(today.days(until: date) < 366)
    }
  }

  @Test("next to an event, a date is the closest one that is possible", arguments: 0..<40)
  func neighbours(step: Int) throws {
    let today = try #require(CivilDate(year: 2027, month: 12, day: 20))
    let event = try #require(today.adding(days: step * 31 - 400))
    let days = try (-1500...4500).map { try #require(event.adding(days: $0)) }
    func date(_ phrase: String, _ neighbour: DateNeighbour) throws -> CivilDate? {
      try DatePhrase.leading([phrase], today: today, near: neighbour)?.date
    }
    // A search through all days is the oracle.
    for weekday in Weekday.allCases {
      let all = days.filter { $0.weekday == weekday }
      let week = all.filter { ISOWeek(containing: $0) == ISOWeek(containing: event) && $0 >= today }
      let later = all.filter { $0 > event && $0 >= today }
      let expected = event >= today ? week.first ?? later.first : all.first { $0 >= today }
      #expect(try date(weekday.englishName, .event(on: event)) == expected)
      #expect(try date(weekday.englishName, .start(on: event)) == all.first { $0 >= event })
    }
    for (month, day) in [(1, 1), (2, 29), (6, 21), (12, 24), (12, 20)] {
      let all = days.filter { $0.month == month && $0.day == day }
      let possible = all.filter { $0 >= today }
      let closest = possible.min { abs(event.days(until: $0)) < abs(event.days(until: $1)) }
      let expected = event >= today ? closest : possible.first
      #expect(try date("\(day).\(month).", .event(on: event)) == expected)
      #expect(try date("\(day).\(month).", .start(on: event)) == all.first { $0 >= event })
    }
  }

  @Test("no words trap")
  func total() throws {
    let now = try #require(Self.now)
    let pieces = [
      "24", "dec", "24.12.", "-", "to", "9-5", "12:30", "1h", "for", "in", "2", "days", "next",
      "week", "mon", "pm", "at", "é", "", "99:99", ".", "-1", "9999", "-12-31", "24.", "T", "h",
    ]
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let words = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
        (0..<Int.random(in: 1...2, using: &generator)).compactMap { _ in
          pieces.randomElement(using: &generator)
        }.joined()
      }
      let phrase = try? WhenPhrase(words, now: now)
      if let phrase {
        #expect(phrase.wordCount <= words.count)
        // What was read says the same without the title.
        let again = try? WhenPhrase(Array(words.prefix(phrase.wordCount)), now: now)
        #expect(again == phrase, "\(words)")
      }
      if let read = try? EntryWords(words, now: now) {
        #expect(read.title.count + read.time.count == words.count)
      }
    }
  }
}
