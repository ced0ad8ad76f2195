import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Overrides, EXDATEs, cancellations and answers that write the same occurrence in different forms: in
/// another zone, in UTC, without a zone, or as a date. The judge knows the day of each of them.
@Suite("one occurrence written in different forms")
struct OccurrenceFormTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// A time on a day of the series, always on the same date: `|` is that date.
  private static let forms = [
    "zone": ";TZID=Europe/Berlin:|T090000", "utc": ":|T080000Z", "floating": ":|T090000",
    "date": ";VALUE=DATE:|", "elsewhere": ";TZID=America/New_York:|T030000",
  ]

  /// DTSTART of a series.
  private static let starts = [
    "timed": ";TZID=Europe/Berlin:|T090000", "all-day": ";VALUE=DATE:|",
    "floating": ":|T090000",
  ]

  private enum Kind: CaseIterable { case override, cancellation, reply }

  private struct Component {
    var kind: Kind
    var day: Int
    var form: String
    var sequence: Int
    var stamp: Int
    /// The day of December to which an override moves the occurrence.
    var target = 0
    var isCancelled = false
    var participation = "needs-action"

    var version: [Int] { [sequence, stamp] }
  }

  private struct Thread {
    var start: String
    var sequence = 0
    /// The days of EXDATEs, with their forms.
    var removed: [(day: Int, form: String)] = []
    var components: [Component] = []

    static let days = 24...27

    var texts: [String] {
      let exceptions = removed.map { "EXDATE" + time($0.form, $0.day) }
      let master = event(
        [
          "SUMMARY:M", "SEQUENCE:\(sequence)", "DTSTAMP:20261101T000000Z",
          "DTSTART" + (OccurrenceFormTests.starts[start] ?? "").replacing("|", with: "20261124"),
          "RRULE:FREQ=DAILY;COUNT=4", Self.attendee("needs-action"),
        ] + exceptions, method: nil)
      return [master]
        + components.map { component in
          let own = [
            "SEQUENCE:\(component.sequence)",
            "DTSTAMP:20261101T0000\(OccurrenceFormTests.two(component.stamp))Z",
            "RECURRENCE-ID" + time(component.form, component.day),
          ]
          switch component.kind {
          case .override:
            let moved = [
              "SUMMARY:Moved",
              "DTSTART;TZID=Europe/Berlin:202612\(OccurrenceFormTests.two(component.target))T140000",
              Self.attendee("needs-action"),
            ]
            return event(
              own + moved + (component.isCancelled ? ["STATUS:CANCELLED"] : []), method: nil)
          case .cancellation: return event(own, method: "CANCEL")
          case .reply:
            return event(own + [Self.attendee(component.participation)], method: "REPLY")
          }
        }
    }

    private static func attendee(_ participation: String) -> String {
      "ATTENDEE;PARTSTAT=\(participation.uppercased()):mailto:ana@example.com"
    }

    private func time(_ form: String, _ day: Int) -> String {
      (OccurrenceFormTests.forms[form] ?? "").replacing("|", with: "202611\(day)")
    }

    private func event(_ lines: [String], method: String?) -> String {
      let head = ["BEGIN:VCALENDAR", "X-WR-CALNAME:c"] + (method.map { ["METHOD:\($0)"] } ?? [])
      let component = ["BEGIN:VEVENT", "UID:series"] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
      return (head + component).joined(separator: "\n")
    }

    /// Title, day, status and participation of each entry.
    var expected: [String] {
      Self.days.compactMap { day in
        func newest(_ kind: Kind, atLeast sequence: Int) -> Component? {
          components.filter { $0.kind == kind && $0.day == day && $0.sequence >= sequence }
            .max { $0.version.lexicographicallyPrecedes($1.version) }
        }
        let isRemoved = removed.contains { $0.day == day }
        let override = newest(.override, atLeast: 0)
        if let override, isRemoved, override.sequence < sequence { return nil }
        if override == nil, isRemoved { return nil }
        var current = override?.sequence ?? sequence
        let cancellation = newest(.cancellation, atLeast: current)
        // A cancelled occurrence without an override is an override of the cancellation's version.
        if override == nil, let cancellation { current = cancellation.sequence }
        let isCancelled = cancellation != nil || override?.isCancelled == true
        let answer = newest(.reply, atLeast: current)?.participation ?? "needs-action"
        let place =
          override.map { "Moved 12-\(OccurrenceFormTests.two($0.target))" } ?? "M 11-\(day)"
        return "\(place) \(isCancelled ? "cancelled" : "-") \(answer)"
      }.sorted()
    }
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  private func shown(_ sources: [String]) throws -> [String] {
    let run = fixture.run(
      ["show", "--include-cancelled", "--from", "2026-11-20", "--months", "2", "-f", "json"]
        + sources)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let sections = document["sections"] as? [[String: Any]] ?? []
    return sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }.map { entry in
      let attendee = (entry["attendees"] as? [[String: Any]])?.first
      let date = (entry["start"] as? String ?? "").dropFirst(5).prefix(5)
      return "\(entry["title"] as? String ?? "") \(date) \(entry["status"] as? String ?? "-")"
        + " \(attendee?["status"] as? String ?? "-")"
    }.sorted()
  }

  /// Compares one file, a folder, several files, and stores of the files in one or two orders.
  private func expectSame(
    _ thread: Thread, _ name: String, stores: Int = 2, _ generator: inout SeededGenerator
  ) throws {
    let texts = thread.texts
    let expected = thread.expected
    try fixture.write("\(name).ics", texts.shuffled(using: &generator).joined())
    var files: [String] = []
    for (number, text) in texts.shuffled(using: &generator).enumerated() {
      try fixture.write("\(name)/\(number).ics", text)
      files.append(fixture.path("\(name)/\(number).ics"))
    }
    let description = Comment(rawValue: "\(name): \(texts.joined())")
    #expect(try shown([fixture.path("\(name).ics")]) == expected, description)
    #expect(try shown([fixture.path(name)]) == expected, description)
    #expect(try shown(files.shuffled(using: &generator)) == expected, description)
    let order = files.shuffled(using: &generator)
    for (number, order) in [order, order.reversed()].prefix(stores).enumerated() {
      let store = ["--store", fixture.path("\(name)-\(number).sqlite")]
      for file in order { _ = fixture.run(fixture.importing(file) + store, isPinned: false) }
      #expect(try shown(store) == expected, "\(order) \(description)")
    }
  }

  /// A time in UTC is at another local time for each viewer, so it names none of these occurrences.
  // Checks RFC 5545: 3.8.4.4/2
  @Test("a time in a zone names the occurrence of a series without a zone at that local time")
  func floatingSeries() throws {
    var generator = SeededGenerator(seed: 179)
    for form in ["zone", "floating", "date"] {
      for kind in Kind.allCases {
        var thread = Thread(start: "floating")
        thread.components = [
          Component(
            kind: kind, day: 25, form: form, sequence: 1, stamp: 1, target: 1,
            participation: "declined")
        ]
        try expectSame(thread, "floating-\(form)-\(kind)", &generator)
      }
    }
  }

  @Test("a message about an override names it in every form", arguments: ["timed", "all-day"])
  func messages(_ start: String) throws {
    var generator = SeededGenerator(seed: 177)
    for (row, override) in Self.forms.keys.sorted().enumerated() {
      for (column, message) in Self.forms.keys.sorted().enumerated() {
        // With more rounds, each pair of forms in both kinds of messages.
        let isAnswer = (row + column).isMultiple(of: 2) == (start == "timed")
        for kind in [Kind.cancellation, .reply]
        where TestSettings.rounds > 1 || isAnswer == (kind == .reply) {
          var thread = Thread(start: start)
          thread.components = [
            Component(
              kind: .override, day: 25, form: override, sequence: 1, stamp: 1, target: 1),
            Component(
              kind: kind, day: 25, form: message, sequence: 1, stamp: 2, participation: "declined"),
          ]
          try expectSame(thread, "\(start)-\(override)-\(message)-\(kind)", stores: 1, &generator)
        }
      }
    }
  }

  @Test("overrides, EXDATEs and messages in random forms, files and orders give one agenda")
  func random() throws {
    var generator = SeededGenerator(seed: 178)
    for number in 0..<12 * TestSettings.rounds {
      func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      func form() -> String { Self.forms.keys.sorted().randomElement(using: &generator) ?? "" }
      var thread = Thread(start: random(0...1) == 0 ? "timed" : "all-day")
      thread.sequence = random(0...2)
      if random(0...2) == 0 { thread.removed = [(random(24...25), form())] }
      for stamp in 1...random(2...5) {
        thread.components.append(
          Component(
            kind: Kind.allCases.randomElement(using: &generator) ?? .override,
            // Mostly about the same days.
            day: random(0...5) == 0 ? random(24...28) : random(24...25), form: form(),
            sequence: random(0...2), stamp: stamp, target: stamp, isCancelled: random(0...3) == 0,
            participation: ["accepted", "declined"].randomElement(using: &generator) ?? ""))
      }
      // An override of an occurrence that the series does not have is shown in addition.
      thread.components.removeAll { $0.kind == .override && $0.day == 28 }
      try expectSame(thread, "r\(number)", &generator)
    }
  }
}
