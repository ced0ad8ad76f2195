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

  @Test("SEQUENCE may have a plus sign")
  func signedSequence() throws {
    func event(_ sequence: String) -> String {
      """
      BEGIN:VEVENT
      UID:signed
      SEQUENCE:\(sequence)
      DTSTART:20261201T100000Z
      SUMMARY:Version \(sequence)
      END:VEVENT

      """
    }
    let text = ["1", "+2", "0"].map(event).joined()
    try fixture.write("signed.ics", "BEGIN:VCALENDAR\n\(text)END:VCALENDAR\n")
    let store = ["--store", fixture.path("signed.sqlite")]
    let imported = fixture.run(["import", fixture.path("signed.ics")] + store, isPinned: false)
    #expect(!imported.errors.contains("invalid"), "\(imported.errors)")
    for source in [[fixture.path("signed.ics")], store] {
      let titles = fixture.rows(["show", "--from", "2026-12-01"] + source).map { $0["title"] ?? "" }
      #expect(titles == ["Version +2"])
    }
  }

  @Test(
    "a start is the same in whatever zone it is written",
    arguments: [
      ["DTSTART;TZID=Asia/Calcutta:20261201T110000", "DTSTART;TZID=Asia/Kolkata:20261201T110000"],
      ["DTSTART;TZID=UTC:20261201T100000", "DTSTART;TZID=Etc/UTC:20261201T100000"],
      ["DTSTART:20261201T100000Z", "DTSTART;TZID=Europe/Berlin:20261201T110000"],
      ["DTSTART;TZID=Europe/Paris:20261201T110000", "DTSTART;TZID=Europe/Berlin:20261201T110000"],
    ], ["", "RRULE:FREQ=WEEKLY;COUNT=3\n"])
  func startsInZones(_ starts: [String], _ rule: String) throws {
    let versions = starts.enumerated().map { number, start in
      """
      BEGIN:VEVENT
      UID:zones
      DTSTAMP:2026110\(number + 1)T000000Z
      \(start)
      \(rule)SUMMARY:Version \(number)
      END:VEVENT

      """
    }
    func write(_ name: String, _ components: [String]) throws {
      try fixture.write(
        name, "BEGIN:VCALENDAR\nX-WR-CALNAME:c\n\(components.joined())END:VCALENDAR\n")
    }
    try write("old.ics", [versions[0]])
    try write("new.ics", [versions[1]])
    try write("both.ics", versions.reversed())
    let (old, new) = (fixture.path("old.ics"), fixture.path("new.ics"))
    func expectNewest(_ sources: [String], _ comment: String) {
      let run = fixture.run(["show", "--from", "2026-11-30", "--days", "3"] + sources)
      #expect(!run.errors.contains("different"), "\(comment) \(run.errors)")
      let titles = fixture.rows(["show", "--from", "2026-11-30", "--days", "3"] + sources)
        .map { $0["title"] ?? "" }
      #expect(titles == ["Version 1"], "\(comment)")
    }
    for (number, files) in [[old, new], [new, old], [fixture.path("both.ics")]].enumerated() {
      expectNewest(files, "\(files)")
      let store = ["--store", fixture.path("zones\(number).sqlite")]
      for file in files {
        let run = fixture.run(fixture.importing(file) + store, isPinned: false)
        #expect(!run.errors.contains("different"), "\(run.errors)")
      }
      expectNewest(store, "stored \(files)")
    }
  }

  @Test(
    "events that differ only in the name of the zone count once",
    arguments: [
      ["DTSTART;TZID=Asia/Calcutta:20261201T110000", "DTSTART;TZID=Asia/Kolkata:20261201T110000"],
      ["DTSTART:20261201T100000Z", "DTSTART;TZID=Etc/UTC:20261201T100000"],
      ["DTSTART:20261201T100000Z", "DTSTART;TZID=Europe/Berlin:20261201T110000"],
    ], [false, true])
  func namesOfZones(_ starts: [String], _ repeats: Bool) throws {
    let rule = repeats ? "RRULE:FREQ=DAILY;COUNT=3\n" : ""
    for (name, starts) in [("a", starts), ("b", starts.reversed())] {
      let events = starts.map {
        "BEGIN:VEVENT\nUID:zones\n\($0)\n\(rule)SUMMARY:Meeting\nEND:VEVENT\n"
      }
      try fixture.write("\(name).ics", "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n")
    }
    // In summer a series in Berlin and one in UTC are at different times.
    let isSame = !repeats || !starts[1].contains("Berlin")
    for name in ["a", "b"] {
      let store = ["--store", fixture.path("\(name).sqlite")]
      let run = fixture.run(["import", fixture.path("\(name).ics")] + store, isPinned: false)
      #expect(run.errors.contains("different events") == !isSame, "\(run.errors)")
      for source in [[fixture.path("\(name).ics")], store] {
        let rows = fixture.rows(["show", "--from", "2026-12-01", "--days", "1"] + source)
        #expect(rows.count == (isSame ? 1 : 2))
        #expect(Set(rows.map { $0["id"] ?? "" }).count == rows.count)
      }
    }
  }

  @Test("an event that a file has twice with different stamps is unchanged at the next import")
  func stampsOfCopies() throws {
    func event(_ day: Int) -> String {
      """
      BEGIN:VEVENT
      UID:copy
      DTSTAMP:2026110\(day)T000000Z
      DTSTART:20261201T100000Z
      SUMMARY:Copy
      END:VEVENT

      """
    }
    for (number, days) in [[1, 2], [2, 1], [1, 1], [1, 3, 2]].enumerated() {
      let text = days.map(event).joined()
      try fixture.write("f\(number)/a.ics", "BEGIN:VCALENDAR\n\(text)END:VCALENDAR\n")
      for round in 0..<4 {
        let run = fixture.run(
          [
            "import", fixture.path("f\(number)"), "--store", fixture.path("\(number).sqlite"),
          ], isPinned: false)
        let counts = "1 \(round == 0 ? "added" : "unchanged"), \(days.count - 1) superseded"
        #expect(run.output.contains(": \(counts)\n"), "\(days) \(round): \(run.output)")
      }
    }
  }

  // Checks Decisions: Importing/8, Importing/12
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
        for file in shuffled { _ = fixture.run(fixture.importing(file) + store, isPinned: false) }
        let stored = fixture.run(["show"] + store + options).output
        #expect(stored == expected, "\(shuffled) \(texts)")
        try fixture.write(
          "exported.ics", fixture.run(["export"] + store, isPinned: false).output)
        let exported = fixture.run(["show", fixture.path("exported.ics")] + options).output
        #expect(exported == expected, "exported: \(shuffled) \(texts)")
        // A single day too, which reads less of the store.
        let day = ["--from", "2026-12-03", "--days", "1", "-f", "jsonl", "--calendar", "c"]
        #expect(
          fixture.run(["show"] + store + day).output == fixture.run(["show"] + files + day).output,
          "\(shuffled) \(texts)")
      }
    }
  }

  /// A series with one UID among several.
  private struct Master {
    let name: String
    let day: Int
    let hour: Int
    let interval: Int
    let count: Int

    var days: [Int] { (0..<count).map { day + $0 * interval } }

    var text: String {
      """
      BEGIN:VEVENT
      UID:shared
      DTSTART:202612\(Self.two(day))T\(Self.two(hour))0000Z
      RRULE:FREQ=DAILY;INTERVAL=\(interval);COUNT=\(count)
      SUMMARY:\(name)
      END:VEVENT

      """
    }

    static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
  }

  /// Up to four series that never have an occurrence at the same time.
  private static func masters(_ generator: inout SeededGenerator) -> [Master] {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    var masters: [Master] = []
    var taken: Set<[Int]> = []
    for name in ["A", "B", "C", "D"] {
      let master = Master(
        name: name, day: number(1...6), hour: number(8...9), interval: number(1...3),
        count: number(2...5))
      let places = Set(master.days.map { [$0, master.hour] })
      guard taken.isDisjoint(with: places) else { continue }
      taken.formUnion(places)
      masters.append(master)
    }
    return masters
  }

  @Test("an override replaces the occurrence of whichever series with its UID has it")
  func severalMasters() throws {
    var generator = SeededGenerator(seed: 172)
    for number in 0..<40 * TestSettings.rounds {
      let masters = Self.masters(&generator)
      var expected: [String] = []
      var components = masters.map(\.text)
      for master in masters {
        for day in master.days {
          guard Int.random(in: 0...3, using: &generator) == 0 else {
            // The viewer is in Berlin.
            expected.append("\(Master.two(day)) \(Master.two(master.hour + 1)) \(master.name)")
            continue
          }
          let date = "202612\(Master.two(day))T"
          components.append(
            """
            BEGIN:VEVENT
            UID:shared
            RECURRENCE-ID:\(date)\(Master.two(master.hour))0000Z
            DTSTART:\(date)150000Z
            SUMMARY:moved \(master.name)
            END:VEVENT

            """)
          expected.append("\(Master.two(day)) 16 moved \(master.name)")
        }
      }
      components.shuffle(using: &generator)
      func file(_ name: String, _ components: some Sequence<String>) throws -> String {
        try fixture.write(
          name, "BEGIN:VCALENDAR\nX-WR-CALNAME:c\n\(components.joined())END:VCALENDAR\n")
        return fixture.path(name)
      }
      let whole = try file("m\(number).ics", components)
      let half = components.count / 2
      let parts = [
        try file("m\(number)a.ics", components[..<half]),
        try file("m\(number)b.ics", components[half...]),
      ]
      func shown(_ arguments: [String]) -> [String] {
        fixture.run(
          [
            "show", "--from", "2026-11-30", "--days", "40", "--template",
            "{start:%d} {start:%H} {title}",
          ] + arguments
        ).output.split(separator: "\n").map(String.init).sorted()
      }
      let description = "\(number) \(components.joined())"
      #expect(shown([whole]) == expected.sorted(), "\(description)")
      #expect(shown(parts) == expected.sorted(), "\(description)")
      let store = ["--store", fixture.path("m\(number).sqlite")]
      for part in parts.shuffled(using: &generator) {
        _ = fixture.run(fixture.importing(part) + store, isPinned: false)
      }
      #expect(shown(store) == expected.sorted(), "\(description)")
    }
  }
}
