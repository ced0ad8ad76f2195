import CivilTime
import TestSupport
import Testing

@testable import AgendaCore

@Suite("Versions of an event within a calendar")
struct ComponentVersionsTests {
  private static func event(
    source: Int, _ start: String, sequence: Int = 0, stamp: Int? = nil, title: String,
    replacing: String? = nil, rules: [String] = []
  ) -> Event {
    var event = SeriesTests.event(
      "uid", SeriesTests.utc(start), recurrenceID: replacing.map { SeriesTests.utc($0) },
      rules: rules, sequence: sequence, title: title)
    event.version.modified = stamp.map { Instant(secondsSinceEpoch: $0) }
    event.reference.source = source
    return event
  }

  /// Equal for events that say the same, as the bytes of their components are.
  private static func content(_ event: Event) -> EventContent {
    var hash: UInt64 = 14_695_981_039_346_656_037
    let text =
      "\(event.title) \(event.start as Any) \(event.identity) \(event.version.sequence)"
      + " \(event.status as Any) \(event.recurrence as Any)"
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return EventContent(event, meaning: hash, lasting: hash, text: hash)
  }

  private static func shown(_ events: [Event]) -> [String] {
    let window =
      Instant(
        utc: SeriesTests.civil("20240101T000000"))..<Instant(
        utc: SeriesTests.civil("20250101T000000"))
    return SeriesAssembly(events, content: content).series.flatMap {
      $0.occurrences(touching: window, viewer: .utc).map {
        "\($0.begin) \($0.event.title) \(OccurrenceID(of: $0))"
      }
    }.sorted()
  }

  private static func titles(_ events: [Event]) -> [String] {
    SeriesAssembly(events, content: content).series.map(\.master.title).sorted()
  }

  // Checks RFC 5546: 2.1.5/2
  // Checks Decisions: Importing/6, Importing/7
  @Test("an updated invitation in another source replaces the old one, even with another start")
  func rescheduled() {
    let old = Self.event(source: 0, "20240105T090000", sequence: 0, stamp: 9, title: "old")
    let new = Self.event(source: 1, "20240203T090000", sequence: 1, stamp: 1, title: "new")
    #expect(Self.titles([old, new]) == ["new"])
    #expect(Self.titles([new, old]) == ["new"])
    #expect(Self.titles([old]) == ["old"])
  }

  // Checks Decisions: Importing/10
  @Test("talks with one UID, start and stamp are all kept, and have different ids")
  func talks() {
    let talks = (0..<4).map {
      Self.event(source: 0, "20240105T090000", stamp: 1, title: "talk \($0 % 3)")
    }
    let assembly = SeriesAssembly(talks.numbered, content: Self.content)
    #expect(assembly.series.map(\.master.title) == ["talk 1", "talk 2", "talk 0"])
    #expect(assembly.superseded.map(\.component) == [0])
    #expect(assembly.findings.map(\.message) == ["3 different events have the same UID"])
    #expect(Set(Self.shown(talks)).count == 3)
  }

  @Test(
    "an override that an older version wrote is not shown after EXDATE or UNTIL removed its date",
    arguments: [0, 1, 2])
  func stale(_ sequence: Int) throws {
    var byExclusion = Self.event(
      source: 0, "20240101T090000", sequence: 1, title: "daily", rules: ["FREQ=DAILY;COUNT=3"])
    byExclusion.recurrence?.exceptionDates = [SeriesTests.utc("20240103T090000")]
    let byEnd = Self.event(
      source: 0, "20240101T090000", sequence: 1, title: "daily",
      rules: ["FREQ=DAILY;UNTIL=20240102T090000Z"])
    let override = Self.event(
      source: 1, "20240103T150000", sequence: sequence, title: "moved",
      replacing: "20240103T090000")
    for master in [byExclusion, byEnd] {
      let assembly = SeriesAssembly([override, master], content: Self.content)
      #expect(assembly.findings.count == (sequence == 0 ? 1 : 0))
      #expect(Self.shown([override, master]).contains { $0.contains("moved") } == (sequence > 0))
    }
  }

  @Test("the order of its sources does not change what a calendar shows")
  func order() {
    var generator = SeededGenerator(seed: 17)
    let starts = ["20240105T090000", "20240106T090000", "20240205T100000"]
    var severalShown = 0
    for round in 0..<(400 * TestSettings.rounds) {
      var sources: [[Event]] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        var events: [Event] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let isOverride = Int.random(in: 0..<3, using: &generator) == 0
          var event = Self.event(
            source: 0, starts.randomElement(using: &generator) ?? starts[0],
            sequence: Int.random(in: 0...1, using: &generator),
            stamp: [nil, 1, 2].randomElement(using: &generator) ?? nil,
            title: ["a", "b", "c"].randomElement(using: &generator) ?? "a",
            replacing: isOverride ? starts.randomElement(using: &generator) : nil,
            rules: !isOverride && Bool.random(using: &generator) ? ["FREQ=DAILY;COUNT=3"] : [])
          if Int.random(in: 0..<4, using: &generator) == 0 { event.status = .cancelled }
          events.append(event)
        }
        sources.append(events)
      }
      func imported(_ sources: [[Event]]) -> [String] {
        Self.shown(
          sources.enumerated().flatMap { number, events in
            events.map { event in
              var event = event
              event.reference.source = number
              return event
            }
          })
      }
      let expected = imported(sources)
      if expected.count > 1 { severalShown += 1 }
      for _ in 0..<3 {
        let shuffled = imported(sources.shuffled(using: &generator))
        #expect(shuffled == expected, "round \(round): \(sources)")
      }
      // A source that comes twice changes nothing.
      #expect(imported(sources + sources.suffix(1)) == expected, "round \(round)")
    }
    #expect(severalShown > 20)
  }
}
