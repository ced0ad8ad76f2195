import AgendaCore
import AgendaReader
import AgendaSources
import AgendaStore
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct ContentTests {
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
      let read = try file.stored(in: session)
      #expect(stored.filter { !read.contains($0) } == [], "\(url.lastPathComponent)")
      #expect(read.filter { !stored.contains($0) } == [], "\(url.lastPathComponent)")
      #expect(try session.store().health().problems == [], "\(url.lastPathComponent)")
    }
  }

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
        event("c", "DTSTART:20261126T100000Z", "SUMMARY:отчёт план")))
    let store = try session.store()
    func found(_ words: String...) throws -> [String] {
      try store.events(withWords: words).map(\.identity.uid)
    }
    #expect(try found("cafe") == ["a"])
    #expect(try found("ZUR", "uber") == ["a"])
    #expect(try found("京駅") == ["b"])
    #expect(try found("note") == ["b"])
    #expect(try found("ote") == ["b"] && found("tes", "ring") == ["b"])
    #expect(try found("absent").isEmpty && found("note", "absent").isEmpty)
    #expect(try found("ПЛАН") == ["c"])
    #expect(try found("\"*", "план").count == 3)
    try session.importing(
      calendar(event("d", "DTSTART:20261124T100000Z", "SUMMARY:Cafeteria")), as: "/b.ics")
    #expect(try found("cafe") == ["a", "d"])
    #expect(try store.health().problems == [])
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
