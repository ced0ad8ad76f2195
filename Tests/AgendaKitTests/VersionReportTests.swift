import AgendaKit
import Foundation
import TestSupport
import Testing

/// What is reported of versions of the same events in several sources of one calendar, compared with
/// a plain reading of Docs/Time.md.
@Suite("reports on versions in several sources")
struct VersionReportTests {
  private let scratch: ScratchFolder
  private let now = Instant(secondsSinceEpoch: 1_795_000_000)

  init() throws { scratch = try ScratchFolder() }

  /// One version of an event.
  private struct Version: Hashable {
    var uid: Int
    var sequence: Int
    var day: Int
    var stamp: Int
    var title: Int

    init(using generator: inout SeededGenerator) {
      uid = Int.random(in: 0..<3, using: &generator)
      sequence = Int.random(in: 0...1, using: &generator)
      day = Int.random(in: 1...2, using: &generator)
      stamp = Int.random(in: 1...2, using: &generator)
      title = Int.random(in: 0...1, using: &generator)
    }

    var text: String {
      """
      BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTAMP:2026110\(stamp)T000000Z\r\nSEQUENCE:\(sequence)\r\n\
      DTSTART:2026120\(day)T090000Z\r\nSUMMARY:title \(title)\r\nEND:VEVENT\r\n
      """
    }

    /// What a person sees of it.
    var shown: String { "\(uid) 2026-12-0\(day) title \(title)" }
  }

  /// The versions that a calendar shows.
  private static func visible(_ versions: [Version]) -> Set<Version> {
    Set(versions).filter { version in
      !versions.contains { other in
        guard other.uid == version.uid else { return false }
        if other.sequence != version.sequence { return other.sequence > version.sequence }
        return other.day == version.day && other.stamp > version.stamp
      }
    }
  }

  private func shown(in store: CalendarStore) throws -> [String] {
    let first = try #require(CivilDate(year: 2026, month: 12, day: 1))
    let window = try #require(DateWindow(firstDay: first, length: .days(9), zone: .utc))
    return try Calendars(of: store).occurrences(in: window).map {
      "\($0.event.identity.uid) \(Zone.utc.civil(at: $0.begin).date) \($0.event.title)"
    }.sorted()
  }

  private func line(_ event: Event) -> String {
    let day = event.start.map { "\($0.civil.date)" } ?? "?"
    return "\(event.identity.uid) \(day) \(event.title)"
  }

  /// The UIDs that warnings name, and how often.
  private func warned(_ reports: [SourceReport]) -> [String] {
    reports.flatMap(\.problems).filter { $0.finding.property == "UID" }
      .compactMap(\.finding.uid).sorted()
  }

  @Test("imports, changes, calendars and check report what the agenda shows")
  func versions() throws {
    var generator = SeededGenerator(seed: 17)
    for round in 0..<30 * TestSettings.rounds {
      let store = CalendarStore(at: scratch.url.appendingPathComponent("\(round).sqlite").path)
      var options = StoreWriter.ImportOptions()
      options.calendar = "c"
      var sources: [(path: String, versions: [Version])] = []
      let folder = "folder\(round)"
      for number in 0..<Int.random(in: 2...4, using: &generator) {
        let versions = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Version(using: &generator)
        }
        let text =
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(versions.map(\.text).joined())"
          + "END:VCALENDAR\r\n"
        try scratch.write("\(folder)/\(number).ics", text)
        sources.append((try scratch.write("\(round)-\(number).ics", text), versions))
      }
      var present: [Version] = []
      var listed: [String] = []
      func expectConsistency(_ what: String) throws {
        let expected = Self.visible(present).map(\.shown).sorted()
        #expect(try shown(in: store) == expected, "round \(round), \(what)")
        #expect(
          try store.calendars().reduce(0) { $0 + $1.events } == expected.count,
          "round \(round), \(what)")
        for change in try store.changes().events {
          if let before = change.before {
            let index = try #require(
              listed.firstIndex(of: line(before)), "round \(round), \(what)")
            listed.remove(at: index)
          }
          if let after = change.after { listed.append(line(after)) }
        }
        #expect(listed.sorted() == expected, "round \(round), \(what): changes")
      }
      var added = 0
      for source in sources {
        let report = try #require(
          try store.write { try $0.importSources([source.path], options) }.first)
        present += source.versions
        let counted =
          report.added + report.updated + report.unchanged + report.superseded
        #expect(counted == source.versions.count)
        added += report.added
        try expectConsistency("import of \(source.versions)")
      }
      // A dry run and a second import find the same as the first check.
      var checkOptions = StoreWriter.ImportOptions()
      checkOptions.calendar = "c"
      let checks = AgendaKit.checks(of: sources.map { Source.path($0.path) }, checkOptions).map(
        \.report)
      let count = Self.visible(present).count
      #expect(checks.reduce(0) { $0 + $1.added } == count, "round \(round)")
      let again = try store.write { try $0.importSources(sources.map(\.path), options) }
      #expect(again.reduce(0) { $0 + $1.unchanged } == count, "round \(round)")
      #expect(again.allSatisfy { $0.added + $0.updated + $0.removed == 0 }, "round \(round)")
      #expect(warned(again) == warned(checks), "round \(round)")
      var different: [Int: Set<Version>] = [:]
      for version in Self.visible(present) { different[version.uid, default: []].insert(version) }
      let shared = different.filter { $0.value.count > 1 }.keys.map(String.init).sorted()
      #expect(Set(warned(checks)) == Set(shared), "round \(round)")
      #expect(checkSources([scratch.url.appendingPathComponent(folder).path])[0].added == count)
      // Each source takes its versions with it.
      for source in sources.dropLast() {
        try store.write { try $0.remove(source: source.path) }
        present = sources.drop { $0.path != source.path }.dropFirst().flatMap(\.versions)
        try expectConsistency("removal of \(source.versions)")
      }
    }
  }
}
