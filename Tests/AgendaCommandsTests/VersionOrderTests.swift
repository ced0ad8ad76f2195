import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Versions of events in several sources of one calendar: what is shown does not depend on the order
/// in which the sources are imported or named.
@Suite("the order of sources does not matter")
struct VersionOrderTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// A master, an override or a cancellation of one of two UIDs.
  private static func component(_ generator: inout SeededGenerator) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let sequence = number(0...2)
    var lines = [
      "BEGIN:VEVENT", "UID:\(number(1...2))", "SEQUENCE:\(sequence)",
      "DTSTAMP:2026110\(number(1...3))T000000Z", "SUMMARY:Title \(number(1...2))",
    ]
    if number(0...3) == 0 { lines.append("STATUS:CANCELLED") }
    let day = "2026120\(number(1...3))"
    if number(0...1) == 0 {
      // Sometimes rescheduled, sometimes a different event with the same UID.
      lines.append("DTSTART:2026120\(number(1...2))T100000Z")
      if number(0...2) > 0 { lines.append("RRULE:FREQ=DAILY;COUNT=\(number(2...4))") }
      if number(0...2) == 0 { lines.append("EXDATE:\(day)T100000Z") }
    } else {
      lines += ["RECURRENCE-ID:\(day)T100000Z", "DTSTART:\(day)T1\(number(1...5))0000Z"]
      if number(0...5) == 0 { lines.append("RRULE:FREQ=DAILY;COUNT=2") }
    }
    return (lines + ["END:VEVENT", ""]).joined(separator: "\n")
  }

  @Test("an agenda is the same for every order of its sources, from files and from the store")
  func orders() throws {
    var generator = SeededGenerator(seed: 171)
    let options = [
      "--from", "2026-11-30", "--days", "20", "-f", "jsonl", "--include-cancelled",
      "--calendar", "c",
    ]
    for number in 0..<40 * TestSettings.rounds {
      let count = Int.random(in: 2...3, using: &generator)
      var files: [String] = []
      var texts = ""
      for source in 0..<count {
        let components = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          Self.component(&generator)
        }
        let text =
          "BEGIN:VCALENDAR\nX-WR-CALNAME:c\n\(components.joined())END:VCALENDAR\n"
        let name = "\(number)-\(source).ics"
        try fixture.write(name, text)
        files.append(fixture.path(name))
        texts += "\(name)\n\(text)"
      }
      let expected = fixture.run(["show"] + files + options).output
      for order in 0..<3 {
        let shuffled = files.shuffled(using: &generator)
        #expect(
          fixture.run(["show"] + shuffled + options).output == expected, "\(shuffled) \(texts)")
        let store = ["--store", fixture.path("\(number)-\(order).sqlite")]
        for file in shuffled { _ = fixture.run(["import", file] + store, isPinned: false) }
        let stored = fixture.run(["show"] + store + options).output
        #expect(stored == expected, "\(shuffled) \(texts)")
        // A single day too, which reads less of the store.
        let day = ["--from", "2026-12-03", "--days", "1", "-f", "jsonl", "--calendar", "c"]
        #expect(
          fixture.run(["show"] + store + day).output == fixture.run(["show"] + files + day).output,
          "\(shuffled) \(texts)")
      }
    }
  }
}
