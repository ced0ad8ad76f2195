import CivilTime
import Testing

@testable import AgendaCore

/// What leads from one agenda to the next, in words, and that it does.
@Suite struct AgendaChangesTests {
  /// `21T09 Choir` for each entry.
  private static func agenda(_ entries: String..., by key: SectionKey = .day) throws -> Agenda {
    let occurrences = try entries.map { entry in
      let words = entry.split(separator: " ", maxSplits: 1)
      return try AgendaSample.timed(
        "2026-11-\(words[0]):00", seconds: 3600, .utc,
        AgendaSample.event(String(words[1]), location: words.count > 2 ? "x" : nil))
    }
    return Agenda(
      occurrences, in: try AgendaSample.window("2026-11-21", days: 9, .utc),
      options: .init(groupedBy: key))
  }

  private static func words(
    _ old: Agenda, _ new: Agenda, isUpdated: @escaping (Entry, Entry) -> Bool = { _, _ in false }
  ) -> [String] {
    let changes = new.changes(from: old, isUpdated: isUpdated)
    var rows = old.sections.map { $0.entries.map(\.title) }
    changes.apply(to: &rows) { $0.title }
    #expect(rows == new.sections.map { $0.entries.map(\.title) })
    return changes.sections.map(\.description) + changes.entries.map(\.description)
  }

  @Test("positions of sections and entries count from 1")
  func positions() throws {
    let old = try Self.agenda("21T09 Choir", "21T10 Lunch", "22T09 Run")
    #expect(try Self.words(old, Self.agenda("21T09 Choir", "21T10 Lunch", "22T09 Run")).isEmpty)
    #expect(
      try Self.words(old, Self.agenda("21T09 Choir", "22T09 Run")) == ["delete 1.2 Lunch"])
    #expect(
      try Self.words(old, Self.agenda("21T09 Choir", "21T10 Lunch", "22T08 Swim", "22T09 Run"))
        == ["insert 2.1 Swim"])
    let day = try Self.words(old, Self.agenda("21T09 Choir", "21T10 Lunch"))
    #expect(day.count == 2 && day[0].hasPrefix("delete section 2 "), "\(day)")
    #expect(day.last == "delete 2.1 Run")
    let days = try Self.words(
      old, Self.agenda("21T09 Choir", "21T10 Lunch", "22T09 Run", "24T09 Tea"))
    #expect(days.count == 2 && days[0].hasPrefix("insert section 3 "), "\(days)")
    #expect(days.last == "insert 3.1 Tea")
  }

  @Test("an entry with the same identifier moves, and one that changed besides is updated")
  func entries() throws {
    let old = try Self.agenda("21T09 Choir", "21T10 Lunch")
    #expect(
      try Self.words(old, Self.agenda("21T09 Choir", "21T10 Lunch")) { one, other in
        one.title == "Lunch" && other.title == "Lunch"
      }
        == ["update 1.2 Lunch"])
    // Now after lunch, at another time.
    #expect(
      try Self.words(old, Self.agenda("21T10 Lunch", "21T11 Choir"))
        == ["move 1.2 to 1.1 Lunch", "update 1.2 Choir"])
  }
}
