import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Mails that add or cancel single occurrences of a meeting (RFC 5546 3.2.4, 3.2.5), each in a
/// separate file and in any order.
@Suite("mails about single occurrences")
struct MailOccurrenceTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  private static let people = [
    "ORGANIZER:mailto:ana@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com",
    "ATTENDEE:mailto:cy@example.com",
  ]

  private static func mail(_ method: String, _ lines: [String], name: String? = nil) -> String {
    let head =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "METHOD:\(method)"]
      + (name.map { ["X-WR-CALNAME:\($0)"] } ?? [])
    let event = ["BEGIN:VEVENT", "UID:meeting", "DTSTAMP:20261101T000000Z"] + lines
    return (head + event + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  /// Three meetings of 90 minutes.
  private static func series(_ sequence: Int, length: String) -> String {
    mail(
      "REQUEST",
      [
        "SEQUENCE:\(sequence)", "DTSTART:20261201T100000Z", length, "RRULE:FREQ=DAILY;COUNT=3",
        "SUMMARY:Meeting", "LOCATION:Room",
      ] + people, name: "mail")
  }

  private static let lengths = ["DTEND:20261201T113000Z", "DURATION:PT90M"]

  /// Day, start, end, status, place and people of each entry.
  private func shown(_ sources: [String]) throws -> [String] {
    let run = fixture.run(
      [
        "show", "--include-cancelled", "--from", "2026-12-01", "--months", "1", "-f", "json",
        "--timezone", "UTC",
      ] + sources)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let sections = document["sections"] as? [[String: Any]] ?? []
    return sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }.map { entry in
      let people = (entry["attendees"] as? [[String: Any]] ?? []).map {
        "\($0["email"] ?? "") \($0["status"] ?? "")"
      }
      let organizer = entry["organizer"] as? [String: Any] ?? [:]
      return ["start", "end", "status", "location"].map { "\(entry[$0] as? String ?? "-")" }
        .joined(separator: " ") + " \(organizer["email"] ?? "-") \(people)"
    }
  }

  private static func entry(_ day: Int, isCancelled: Bool) -> String {
    let date = "2026-12-\(two(day))"
    return "\(date)T10:00:00Z \(date)T11:30:00Z \(isCancelled ? "cancelled" : "-") Room"
      + " ana@example.com [\"bo@example.com accepted\", \"cy@example.com needs-action\"]"
  }

  @Test("a cancelled occurrence keeps the length, place and people of its series", arguments: 0..<6)
  func cancellation(_ number: Int) throws {
    let moments = ["RECURRENCE-ID:20261202T100000Z", "RECURRENCE-ID;VALUE=DATE:20261202"]
    let lines = [
      [moments[0]], [moments[0], "DTSTART:20261202T100000Z"], [moments[1]],
    ][number / 2]
    let request = Self.series(0, length: Self.lengths[number % 2])
    let cancel = Self.mail("CANCEL", lines + ["SEQUENCE:1"])
    let expected = (1...3).map { Self.entry($0, isCancelled: $0 == 2) }
    try fixture.write("whole.ics", request + cancel)
    try fixture.write("mails/1.ics", request)
    try fixture.write("mails/2.ics", cancel)
    let files = ["mails/1.ics", "mails/2.ics"].map(fixture.path)
    for (index, sources) in [
      [fixture.path("whole.ics")], [fixture.path("mails")], files, files.reversed(),
    ].enumerated() {
      #expect(try shown(sources) == expected, "\(sources)")
      let store = ["--store", fixture.path("\(index).sqlite")]
      for _ in 0..<2 {
        for source in sources {
          _ = fixture.run(fixture.importing(source) + store, isPinned: false)
        }
        #expect(try shown(store) == expected, "\(sources)")
      }
      try fixture.write("exported.ics", fixture.run(["export"] + store, isPinned: false).output)
      #expect(try shown([fixture.path("exported.ics")]) == expected, "\(sources)")
    }
  }

  @Test("what a cancellation names itself is shown")
  func ownValues() throws {
    let cancel = Self.mail(
      "CANCEL",
      [
        "RECURRENCE-ID:20261202T100000Z", "SEQUENCE:1", "DTSTART:20261202T120000Z",
        "DTEND:20261202T130000Z", "LOCATION:Hall", "ATTENDEE:mailto:di@example.com",
      ])
    try fixture.write("whole.ics", Self.series(0, length: Self.lengths[0]) + cancel)
    let store = ["--store", fixture.path("a.sqlite")]
    _ = fixture.run(["import", fixture.path("whole.ics")] + store, isPinned: false)
    for sources in [[fixture.path("whole.ics")], store] {
      #expect(
        try shown(sources)[1]
          == "2026-12-02T12:00:00Z 2026-12-02T13:00:00Z cancelled Hall ana@example.com"
          + " [\"di@example.com needs-action\"]")
    }
  }

  @Test("the agenda is the same for every order of requests, additions and cancellations")
  func orders() throws {
    var generator = SeededGenerator(seed: 175)
    for number in 0..<12 * TestSettings.rounds {
      func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      // Additions and cancellations are between the two requests, or after them.
      let last = [0, 4].randomElement(using: &generator) ?? 0
      var mails = [0, 4].filter { $0 <= last }.map {
        Self.series($0, length: Self.lengths[random(0...1)])
      }
      var cancelled: Set<Int> = []
      for day in 1...3 where random(0...1) == 0 {
        let sequence = [2, 5].randomElement(using: &generator) ?? 2
        let more = [[], ["DTSTART:202612\(Self.two(day))T100000Z"], Self.people]
        let lines = ["RECURRENCE-ID:202612\(Self.two(day))T100000Z", "SEQUENCE:\(sequence)"]
        mails.append(Self.mail("CANCEL", lines + (more.randomElement(using: &generator) ?? [])))
        if sequence >= last { cancelled.insert(day) }
      }
      let added = (10...13).filter { _ in random(0...1) == 0 }
      for day in added {
        let date = "202612\(Self.two(day))T"
        mails.append(
          Self.mail(
            "ADD",
            [
              "SEQUENCE:2", "DTSTART:\(date)100000Z", "DTEND:\(date)113000Z", "SUMMARY:Meeting",
              "LOCATION:Room",
            ] + Self.people))
      }
      let expected =
        (1...3).map { Self.entry($0, isCancelled: cancelled.contains($0)) }
        + added.map { Self.entry($0, isCancelled: false) }
      for (index, mail) in mails.enumerated() {
        try fixture.write("\(number)-\(index).ics", mail)
      }
      for order in 0..<2 {
        let files = mails.indices.shuffled(using: &generator)
        let store = ["--store", fixture.path("\(number)-\(order).sqlite")]
        for file in files {
          let path = fixture.path("\(number)-\(file).ics")
          _ = fixture.run(fixture.importing(path) + store, isPinned: false)
        }
        #expect(
          try shown(store + ["--calendar", "mail"]) == expected,
          "\(files) \(mails.joined(separator: "\n"))")
        #expect(try shown(store).count == expected.count, "\(files)")
      }
    }
  }

  @Test("an addition that came before its series moves to the calendar of the series, and back")
  func laterSeries() throws {
    let add = Self.mail(
      "ADD", ["SEQUENCE:1", "DTSTART:20261215T100000Z", "SUMMARY:One more"], name: "inbox")
    try fixture.write("add.ics", add)
    try fixture.write("series.ics", Self.series(0, length: Self.lengths[0]))
    func calendars() -> [String] {
      fixture.run(
        ["show", "--from", "2026-12-15", "--days", "1", "--template", "{calendar}"]
      ).output.split(separator: "\n").map(String.init)
    }
    func run(_ arguments: [String]) {
      #expect(fixture.run(arguments, isPinned: false).status == .done)
    }
    run(["import", fixture.path("add.ics")])
    #expect(calendars() == ["inbox"])
    run(["import", fixture.path("series.ics")])
    #expect(calendars() == ["mail"])
    // It stays there when it is imported again.
    run(["import", fixture.path("add.ics")])
    #expect(calendars() == ["mail"])
    run(["undo"])
    #expect(calendars() == ["inbox"])
    // The user's own choice counts more.
    run(["import", "--calendar", "mine", fixture.path("add.ics")])
    run(["import", fixture.path("series.ics")])
    #expect(calendars() == ["mine"])
  }

  @Test("changes lists an added occurrence as added")
  func addedInChanges() throws {
    try fixture.write("series.ics", Self.series(0, length: Self.lengths[0]))
    try fixture.write(
      "add.ics",
      Self.mail("ADD", ["SEQUENCE:1", "DTSTART:20261215T100000Z", "SUMMARY:One more"]))
    for file in ["series.ics", "add.ics"] {
      _ = fixture.run(["import", fixture.path(file)], isPinned: false)
    }
    let changes = fixture.run(["changes", "-f", "json"], isPinned: false).output
    #expect(changes.contains(#""added""#), "\(changes)")
    #expect(!changes.contains(#""changed""#), "\(changes)")
  }
}
