import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaKit

/// Events with more alarms than a list of alarms looks at are cut, and hide no others.
@Suite("limit of alarms")
struct AlarmLimitTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let limit = 3_000

  /// Five minutely events with 40 alarms each that repeat a thousand times, and an event with two alarms.
  private static let calendar: String = {
    let alarms = (0..<40).map {
      "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT\($0)M\nREPEAT:99999\nDURATION:PT1M\nEND:VALARM\n"
    }.joined()
    let floods = (1...5).map {
      "BEGIN:VEVENT\nUID:h\($0)\nSUMMARY:Flood\nDTSTART:20200101T000000Z\nRRULE:FREQ=MINUTELY\n"
        + "\(alarms)END:VEVENT\n"
    }.joined()
    return """
      BEGIN:VCALENDAR
      \(floods)BEGIN:VEVENT
      UID:o
      SUMMARY:Ordinary
      DTSTART:20261125T090000Z
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER;VALUE=DATE-TIME:20261121T070500Z
      END:VALARM
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-P4DT1H55M
      END:VALARM
      END:VEVENT
      END:VCALENDAR

      """
  }()

  private struct Found: Equatable {
    /// How many alarms each event has.
    var counts: [String: Int]
    var findings: [String]
  }

  private func found(_ calendars: Calendars, minutes: Int = 10) throws -> Found {
    let start = Instant(secondsSinceEpoch: 1_795_244_400)
    let (alarms, findings) = try calendars.foundAlarms(
      in: start..<start.adding(seconds: 60 * minutes), of: Selection(), zone: .utc,
      atMost: Self.limit)
    let moments = alarms.map(\.moment)
    #expect(moments == moments.sorted())
    return Found(
      counts: Dictionary(grouping: alarms, by: \.occurrence.event.identity.uid)
        .mapValues(\.count),
      findings: findings.map { "\($0.finding.line ?? 0) \($0.finding.uid ?? "")" })
  }

  @Test("alarms with long texts count as several, and every event has its first ones")
  func longTexts() throws {
    let text = String(repeating: "<x>", count: 2_000)
    let events = (0..<20).map { number in
      """
      BEGIN:VEVENT
      UID:\(number)
      SUMMARY:\(number) \(text)
      DTSTART:20261121T070000Z
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:PT0S
      REPEAT:900
      DURATION:PT1S
      END:VALARM
      END:VEVENT

      """
    }
    let calendars = try Calendars(
      text: "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n", name: "long",
      zones: .system(TZDIR: nil))
    let found = try found(calendars, minutes: 60)
    #expect(found.counts.count == 20)
    #expect(found.counts.values.allSatisfy { (10...20).contains($0) }, "\(found.counts)")
    #expect(found.findings.count == 20)
  }

  // Checks limit: Calendars.mostAlarms
  @Test("as many alarms as the limit are looked at, and one more is reported")
  func boundary() throws {
    // The occurrence of each event counts, its alarm, and as many repetitions.
    for (repetitions, isCut) in [(998, false), (999, true)] {
      let events = [998, 998, repetitions].enumerated().map { number, count in
        """
        BEGIN:VEVENT
        UID:\(number)
        DTSTART:20261121T070000Z
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:PT0S
        REPEAT:\(count)
        DURATION:PT1S
        END:VALARM
        END:VEVENT

        """
      }
      let text = "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n"
      let shown = try found(Calendars(text: text, name: "work"), minutes: 60)
      #expect(shown.findings.isEmpty == !isCut)
      #expect(shown.counts.values.reduce(0, +) == 2_997)
    }
  }

  @Test("events with too many alarms are cut alike, from files and from the store")
  func flood() throws {
    let file = try folder.write("flood.ics", Self.calendar)
    let shown = try found(Calendars(contentsOf: [file]))
    #expect(shown.counts["o"] == 2)
    let floods = (1...5).map { shown.counts["h\($0)"] ?? 0 }
    #expect(Set(floods).count == 1)
    // Nearly everything that they look at goes off in the ten minutes.
    #expect((100...500).contains(floods[0]), "\(floods)")
    #expect(shown.findings.map { $0.split(separator: " ")[1] } == ["h1", "h2", "h3", "h4", "h5"])
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try store.write { try $0.importSources([file]) }
    #expect(try found(Calendars(of: store)) == shown)
  }

  @Test("the number of alarms that are looked at doesn't grow with the repetitions before the span")
  func repetitionsBefore() throws {
    // 901 occurrences have one repetition in that minute, after up to 900 others.
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:m
      SUMMARY:M
      DTSTART:20261120T120000Z
      RRULE:FREQ=MINUTELY
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:PT0S
      REPEAT:900
      DURATION:PT1M
      END:VALARM
      END:VEVENT
      END:VCALENDAR

      """
    let shown = try found(Calendars(text: text, name: "work"), minutes: 1)
    #expect(shown == Found(counts: ["m": 901], findings: []))
  }

  @Test("the repetitions of one alarm count, too, also if it has a fixed time")
  func fixedRepetitions() throws {
    let events = (0..<100).map {
      """
      BEGIN:VEVENT
      UID:\($0)
      DTSTART:20261125T090000Z
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER;VALUE=DATE-TIME:20261121T070000Z
      REPEAT:1000
      DURATION:PT1S
      END:VALARM
      END:VEVENT

      """
    }
    let text = "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n"
    let shown = try found(Calendars(text: text, name: "work"), minutes: 60)
    // Each event gets its share, of which its only occurrence is one.
    #expect(Set(shown.counts.values) == [Self.limit / 100 - 1])
    #expect(shown.counts.count == 100 && shown.findings.count == 100)
  }
}
