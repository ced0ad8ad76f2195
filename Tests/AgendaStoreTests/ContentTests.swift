import AgendaCore
import AgendaReader
import AgendaStore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaSources

@Suite struct ContentTests {
  // Checks RFC 5545: 3.6/7
  @Test("every calendar of the fixtures comes out of the store as it was read")
  func fixtures() throws {
    for url in try Fixtures.calendars() {
      let bytes = [UInt8](try Data(contentsOf: url))
      let session = try StoreSession()
      var reader = CalendarReader(zones: session.zones)
      reader.options.calendar = "work"
      guard let file = try? reader.read(SourceBytes(bytes), name: "work") else { continue }
      try session.importing(bytes, as: "/a.ics", calendar: "work", into: try session.store())
      let stored = try session.summary()
      let read = file.stored()
      #expect(stored.filter { !read.contains($0) } == [], "\(url.lastPathComponent)")
      #expect(read.filter { !stored.contains($0) } == [], "\(url.lastPathComponent)")
      #expect(try session.store().health().problems == [], "\(url.lastPathComponent)")
    }
  }

  // Checks Decisions: Importing/20
  @Test("an export read again is the same, for every fixture")
  func export() throws {
    for url in try Fixtures.calendars() {
      let bytes = [UInt8](try Data(contentsOf: url))
      let session = try StoreSession()
      var reader = CalendarReader(zones: session.zones)
      reader.options.calendar = "work"
      guard let file = try? reader.read(SourceBytes(bytes), name: "work"), file.method != "CANCEL"
      else { continue }
      try session.importing(bytes, as: "/a.ics", calendar: "work", into: try session.store())
      let exported = try session.export()
      let second = try StoreSession()
      try second.importing(exported, as: "/a.ics", calendar: "work", into: try second.store())
      let (before, after) = (
        try session.summary(withStamps: false), try second.summary(withStamps: false)
      )
      #expect(after.filter { !before.contains($0) } == [], "\(url.lastPathComponent)")
      #expect(before.filter { !after.contains($0) } == [], "\(url.lastPathComponent)")
      #expect(try second.export() == exported, "\(url.lastPathComponent)")
    }
  }

  @Test("search finds words, parts of words, accents and characters within a sentence")
  func search() throws {
    let session = try StoreSession()
    try session.importing(
      calendar(
        event("a", "DTSTART:20261124T100000Z", "SUMMARY:Übergabe im Café", "LOCATION:Zürich"),
        event("b", "DTSTART:20261125T100000Z", "SUMMARY:東京駅で会議", "DESCRIPTION:Bring notes"),
        event("c", "DTSTART:20261126T100000Z", "SUMMARY:отчёт план"),
        event("g", "DTSTART:20261127T100000Z", "SUMMARY:Πέτρος")))
    let store = try session.store()
    func found(_ words: String...) throws -> [String] {
      try store.events(withWords: words).map(\.identity.uid)
    }
    #expect(try found("cafe") == ["a"])
    // Σ has two small letters.
    #expect(try found("ΠΈΤΡΟΣ") == ["g"])
    #expect(try found("ρος") == ["g"])
    #expect(try found("ZUR", "uber") == ["a"])
    #expect(try found("京駅") == ["b"])
    #expect(try found("note") == ["b"])
    #expect(try found("ote") == ["b"] && found("tes", "ring") == ["b"])
    #expect(try found("absent").isEmpty && found("note", "absent").isEmpty)
    #expect(try found("ПЛАН") == ["c"])
    // The index cannot look for these characters.
    #expect(try found("\"*").count == 4 && found("\"*", "план") == ["c"])
    try session.importing(
      calendar(event("d", "DTSTART:20261124T100000Z", "SUMMARY:Cafeteria")), as: "/b.ics")
    #expect(try found("cafe") == ["a", "d"])
    #expect(try store.health().problems == [])
  }

  @Test("search finds every title that contains random words, and nothing else of one word")
  func randomSearch() throws {
    var random = SeededGenerator(seed: 11)
    let pieces = ["a", "b", "ab", "B", "1", " ", "-", "東", "京", "é", "."]
    func text(_ length: ClosedRange<Int>) -> String {
      (0..<Int.random(in: length, using: &random)).compactMap { _ in
        pieces.randomElement(using: &random)
      }.joined()
    }
    let titles = (0..<80).map { _ in text(3...9).trimmingCharacters(in: .whitespaces) }
    let session = try StoreSession()
    try session.importing(
      calendar(
        titles.enumerated().map { number, title in
          event("\(number)", "DTSTART:20261124T100000Z", "SUMMARY:\(title)")
        }))
    let store = try session.store()
    func folded(_ text: String) -> String { text.lowercased().replacing("é", with: "e") }
    for _ in 0..<300 {
      let words = text(1...4).split(separator: " ").map(String.init)
      let expected = Set(
        titles.indices.filter { number in
          words.allSatisfy { folded(titles[number]).contains(folded($0)) }
        }.map(String.init))
      let found = Set(try store.events(withWords: words).map(\.identity.uid))
      #expect(found.isSuperset(of: expected), "\(words)")
      if words.count == 1, words[0].allSatisfy({ "abB1é".contains($0) }) {
        #expect(found == expected, "\(words)")
      }
    }
  }
}

enum Fixtures {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  /// Every .ics of the fixtures.
  static func calendars() throws -> [URL] {
    guard
      let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    return found.compactMap { $0 as? URL }.filter { $0.pathExtension == "ics" }
      .sorted { $0.path < $1.path }
  }
}
