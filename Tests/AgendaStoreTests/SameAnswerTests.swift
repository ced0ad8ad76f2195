import AgendaCore
import AgendaReader
import AgendaStore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaSources

/// Random calendars with versions, overrides and messages, read from files and from a store that
/// imported them in any order.
@Suite struct SameAnswerTests {
  private static let rounds = TestSettings.rounds

  // Checks Decisions: Importing/1
  @Test("files and the store list the same, whatever was imported before and in which order")
  func sameAnswer() throws {
    var failures = 0
    for round in 0..<(60 * Self.rounds) {
      var random = RandomCalendars(seed: UInt64(round) &+ 1)
      let folder = try ScratchFolder()
      let zones = ZoneDatabase.system(TZDIR: nil)
      var sources = random.sources()
      for source in sources { _ = try folder.write(source.name, source.text) }
      let store = folder.url.appendingPathComponent("agenda.sqlite").path
      var now = 1_795_000_000
      func importing(_ chosen: [RandomCalendars.Source]) throws {
        for source in chosen {
          now += 60
          var options = ImportOptions(
            storePath: store, zones: zones, now: Instant(secondsSinceEpoch: now))
          options.allowsShrinking = true
          var importer = try SourceImporter(options, command: "import")
          try importer.run(
            [Source(folder.url.appendingPathComponent(source.name).path)],
            calendar: source.calendar)
          let errors = importer.reports.compactMap(\.error)
          #expect(errors == [], "round \(round): \(source.name)")
        }
      }
      try importing(random.shuffled(sources))
      // Some sources change, and are imported again.
      for index in sources.indices where random.isChanged() {
        sources[index].text = random.text(of: sources[index])
        _ = try folder.write(sources[index].name, sources[index].text)
        try importing([sources[index]])
      }
      let expected = try Self.listed(
        files: sources.map {
          folder.url.appendingPathComponent($0.name).path
        }, zones)
      let found = try Self.listed(store: store, zones)
      let health = try StoreIndex(try Store.open(writing: store), zones: zones).health()
      #expect(health.problems == [], "round \(round)")
      guard expected != found else { continue }
      failures += 1
      let texts = sources.map { "--- \($0.name)\n\($0.text)" }.joined()
      Issue.record(
        """
        round \(round): only from files \(Set(expected).subtracting(found).sorted()), \
        only from the store \(Set(found).subtracting(expected).sorted())
        \(texts)
        """)
      if failures > 2 { return }
    }
  }

  @Test("undo restores what was listed before, step by step")
  func undo() throws {
    for round in 0..<(15 * Self.rounds) {
      var random = RandomCalendars(seed: UInt64(round) &+ 1000)
      let session = try StoreSession()
      var states = [try Self.listed(store: session.path, session.zones)]
      for source in random.shuffled(random.sources()) {
        try session.importing(
          source.text, as: "/\(source.name)", calendar: source.calendar ?? "")
        let state = try Self.listed(store: session.path, session.zones)
        // An import that changes nothing is no step.
        if try session.store().generations().count == states.count { states.append(state) }
      }
      for state in states.dropLast().reversed() {
        try session.undo()
        #expect(try Self.listed(store: session.path, session.zones) == state, "round \(round)")
      }
      #expect(try session.store().health().problems == [], "round \(round)")
    }
  }

  private static func listed(files: [String], _ zones: ZoneDatabase) throws -> [String] {
    var loader = SourceLoader(zones: zones)
    loader.load(files.map { Source($0) })
    return try lines(FileEvents(loader.sources))
  }

  private static func listed(store path: String, _ zones: ZoneDatabase) throws -> [String] {
    let store = try Store.open(reading: path)
    return try lines(StoreEvents(store, zones: zones, reportFailure: { Issue.record("\($0)") }))
  }

  private static func lines(_ events: some EventSource) throws -> [String] {
    var selection = Selection(includesCancelled: true, includesTasks: true)
    selection.includesJournals = true
    let begin = Instant(secondsSinceEpoch: 1_790_000_000)
    let window = begin..<begin.adding(seconds: 120 * 86_400)
    let query = SeriesQuery(.complete, in: window, viewer: .utc, of: selection)
    return try events.series(query).flatMap { series in
      series.occurrences(touching: window, viewer: .utc, includingCancelled: true).map {
        occurrence in
        let event = occurrence.event
        let details = events.details(of: event.reference)
        let people = details.attendees.map {
          "\($0.person.email ?? "")=\($0.participation)"
        }
        return """
          \(event.calendar) \(event.identity.uid) \(OccurrenceID(of: occurrence)) \
          \(occurrence.begin)–\(occurrence.finish) \(event.title) \
          \(event.status.map { "\($0)" } ?? "") \(event.location ?? "") \(people) \
          \(details.description ?? "")
          """
      }
    }.sorted()
  }
}

/// Calendars at random, with few UIDs, so that their components meet.
private struct RandomCalendars {
  struct Source {
    var name: String
    /// The calendar that it is imported into; `nil` for a mail.
    var calendar: String?
    var text: String
    var method: String?
  }

  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func shuffled(_ sources: [Source]) -> [Source] { sources.shuffled(using: &random) }

  mutating func isChanged() -> Bool { number(0...2) == 0 }

  mutating func sources() -> [Source] {
    (0..<number(2...4)).map { index in
      var source = Source(name: "source-\(index).ics", text: "")
      if number(0...2) == 0 {
        source.method = pick(["CANCEL", "REPLY", "ADD", "CANCEL", "REPLY"])
      } else {
        source.calendar = pick(["A", "A", "B"])
      }
      source.text = text(of: source)
      return source
    }
  }

  mutating func text(of source: Source) -> String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//random//EN"]
    if let calendar = source.calendar { lines.append("X-WR-CALNAME:\(calendar)") }
    if let method = source.method { lines.append("METHOD:\(method)") }
    for _ in 0..<number(1...5) { lines += component(source.method) }
    return (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  private mutating func component(_ method: String?) -> [String] {
    let uid = pick(["u", "v", "w"])
    var lines = ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:202601\(number(10...19))T120000Z"]
    if number(0...1) == 0 { lines.append("SEQUENCE:\(number(0...2))") }
    if number(0...4) == 0 { lines.append("LAST-MODIFIED:202602\(number(10...19))T120000Z") }
    let day = number(0...3)
    let isOverride = method != "ADD" && number(0...2) == 0
    let isMoved = number(0...3) == 0
    if isOverride {
      let range = number(0...7) == 0 ? ";RANGE=THISANDFUTURE" : ""
      lines.append("RECURRENCE-ID\(range):\(date(day))T090000Z")
    }
    let needsStart = method == nil || method == "ADD" || number(0...1) == 0
    if needsStart {
      lines.append("DTSTART:\(date(isOverride ? day : number(0...1)))T\(isMoved ? 11 : 9)0000Z")
      lines.append("DURATION:PT\(number(1...2))H")
      if !isOverride, method == nil, number(0...2) > 0 {
        lines.append("RRULE:FREQ=WEEKLY;COUNT=\(number(2...5))")
      }
    }
    if number(0...3) > 0 { lines.append("SUMMARY:\(pick(["One", "Two"]))") }
    if number(0...3) == 0 { lines.append("LOCATION:Room \(number(1...2))") }
    if method == "REPLY" {
      let answer = pick(["ACCEPTED", "DECLINED", "TENTATIVE"])
      lines.append("ATTENDEE;PARTSTAT=\(answer):mailto:\(pick(["ana", "bo"]))@example.com")
    } else if number(0...1) == 0 {
      lines.append("ORGANIZER:mailto:chair@example.com")
      for name in ["ana", "bo"] {
        let answer = pick(["NEEDS-ACTION", "NEEDS-ACTION", "ACCEPTED", "DECLINED"])
        lines.append("ATTENDEE;PARTSTAT=\(answer):mailto:\(name)@example.com")
      }
    }
    if method == nil, number(0...9) == 0 { lines.append("STATUS:CANCELLED") }
    return lines + ["END:VEVENT"]
  }

  /// Mondays of autumn.
  private func date(_ week: Int) -> String {
    ["20261005", "20261012", "20261019", "20261026"][week]
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func pick(_ values: [String]) -> String {
    values[number(0...values.count - 1)]
  }
}
