import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Events with one UID, one start and equal stamps: which of them are equal, and what the different
/// ones are called.
@Suite("events that only their contents distinguish")
struct EqualEventTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static func event(
    _ lines: [String], start: String = ":20261201T100000Z", uid: String = "shared"
  ) -> String {
    let start = lines.contains { $0.uppercased().hasPrefix("DTSTART") } ? [] : ["DTSTART\(start)"]
    return
      (["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20261101T000000Z"] + start + lines
      + ["END:VEVENT", ""]).joined(separator: "\r\n")
  }

  private static func calendar(_ components: [String]) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nX-WR-CALNAME:c\r\n"
      + components.joined() + "END:VCALENDAR\r\n"
  }

  /// One line for each entry, with its identifier first.
  private func entries(_ sources: [String], days: Int = 40) -> [String] {
    fixture.run(
      [
        "show", "--from", "2026-12-01", "--days", "\(days)", "--template",
        "{id} {start} {end} {title} {location}",
      ] + sources
    ).output.split(separator: "\n").map(String.init).sorted()
  }

  private func importing(_ files: [String], _ name: String) -> [String] {
    let store = ["--store", fixture.path(name)]
    for file in files {
      #expect(fixture.run(fixture.importing(file) + store, isPinned: false).status == .done)
    }
    return store
  }

  /// Components that differ in one property only.
  private static let different = [
    [], ["LOCATION:Room 1"], ["LOCATION:Room 2"], ["DESCRIPTION:Talk"], ["URL:https://a.example"],
    ["DTEND:20261201T110000Z"], ["DTEND:20261201T113000Z"], ["RRULE:FREQ=DAILY;COUNT=2"],
    ["RRULE:FREQ=DAILY;COUNT=3"], ["ATTENDEE:mailto:ana@example.com"],
    ["ATTENDEE:mailto:bo@example.com"], ["CATEGORIES:a,b"], ["CATEGORIES:a\\,b"], ["PRIORITY:1"],
  ]

  @Test("different events with one UID, start and title have different ids, the same everywhere")
  func ids() throws {
    try fixture.write(
      "a.ics", Self.calendar(Self.different.map { Self.event(["SUMMARY:Talk"] + $0) }))
    let shown = entries([fixture.path("a.ics")])
    // The two series have one and two more occurrences.
    #expect(shown.count == Self.different.count + 3)
    #expect(Set(shown.map { $0.prefix(8) }).count == shown.count)
    let store = importing([fixture.path("a.ics")], "a.sqlite")
    for _ in 0..<2 { #expect(entries(store) == shown) }
    #expect(entries(store, days: 1) == entries([fixture.path("a.ics")], days: 1))
    try fixture.write("exported.ics", fixture.run(["export"] + store, isPinned: false).output)
    #expect(entries([fixture.path("exported.ics")]) == shown)
    #expect(entries(importing([fixture.path("exported.ics")], "again.sqlite")) == shown)
    // The order in the file does not matter, nor do the answers to an invitation.
    try fixture.write(
      "b.ics",
      Self.calendar(
        Self.different.reversed().map { lines in
          Self.event(
            lines.map { $0.replacing("ATTENDEE:", with: "ATTENDEE;PARTSTAT=ACCEPTED:") }
              + ["STATUS:CONFIRMED", "SUMMARY:Talk"])
        }))
    #expect(entries([fixture.path("b.ics")]) == shown)
    for line in shown {
      let id = String(line.prefix(8))
      let event = fixture.run(["event", id, "--from", "2026-12-01"] + store)
      #expect(event.status == .done, "\(line): \(event.errors)")
      let room = line.hasSuffix("Room 1") ? "Room 1" : line.hasSuffix("Room 2") ? "Room 2" : nil
      for name in ["Room 1", "Room 2"] {
        #expect(event.output.contains(name) == (room == name), "\(line): \(event.output)")
      }
    }
  }

  @Test("ids of cached days are those of the store", arguments: [0, 200])
  func cachedIDs(_ others: Int) throws {
    let events = Self.different.map { Self.event(["SUMMARY:Talk"] + $0) }
    let more = (0..<others).map {
      Self.event(["SUMMARY:Other"]).replacing("UID:shared", with: "UID:\($0)")
    }
    try fixture.write("a.ics", Self.calendar(events + more))
    let shown = entries([fixture.path("a.ics")], days: 1)
    let store = importing([fixture.path("a.ics")], "a.sqlite")
    for _ in 0..<3 { #expect(entries(store, days: 1) == shown) }
  }

  @Test("an id removes the event that it names from a folder")
  func removal() throws {
    let copies = [["LOCATION:Room 2"], ["location;LANGUAGE=en:Room 1"], ["location:Room 2"]]
    let calendar = Self.calendar(
      (Self.different + copies).map { Self.event(["SUMMARY:Talk"] + $0) })
    try fixture.write("folder/a.ics", calendar)
    let store = importing([fixture.path("folder")], "a.sqlite")
    let line = try #require(entries(store).first { $0.hasSuffix("Room 2") })
    let run = fixture.run(
      ["remove", "--event", String(line.prefix(8)), "--from", "2026-12-01"] + store)
    #expect(run.status == .done, "\(run.errors)")
    #expect(entries(store) == entries(store).filter { $0 != line })
    #expect(entries(store).count == Self.different.count + 3)
    #expect(entries(store).count { $0.hasSuffix("Room 1") } == 2)
    #expect(entries(store) == entries([fixture.path("folder")]))
  }

  @Test("an event that shares its UID is removed with its copies and older versions in other files")
  func removalFromSeveralFiles() throws {
    let one = Self.event(["SUMMARY:One"])
    let older = Self.event(["SUMMARY:Old one"]).replacing("DTSTAMP:202611", with: "DTSTAMP:202610")
    let two = Self.event(["SUMMARY:Two"], start: ":20261202T100000Z")
    let copy = one.replacing("SUMMARY", with: "summary")
    for (name, event) in [("a", one), ("b", two), ("c", older), ("d", copy)] {
      try fixture.write("folder/\(name).ics", Self.calendar([event]))
    }
    let folder = fixture.path("folder")
    let store = importing([folder], "a.sqlite")
    let before = entries(store)
    let line = try #require(before.first { $0.contains("One") })
    let run = fixture.run(
      ["remove", "--event", String(line.prefix(8)), "--from", "2026-12-01"] + store)
    #expect(run.status == .done, "\(run.errors)")
    #expect(entries(store).map { $0.contains("Two") } == [true])
    #expect(entries(store) == entries([folder]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["b.ics"])
    #expect(fixture.run(["undo"] + store, isPinned: false).status == .done)
    #expect(entries(store) == before)
    #expect(entries([folder]) == before)
  }

  @Test("an edit takes duplicates of the event away, which other programs would show besides")
  func editOfDuplicates() throws {
    let one = Self.event(["SUMMARY:One", "LOCATION:A"], uid: "one")
    let copies = [
      one.replacing("DTSTAMP:202611", with: "DTSTAMP:202610"),
      Self.event(["location:A", "SUMMARY:One"], uid: "one"),
    ]
    let two = Self.event(["SUMMARY:Two"], uid: "two")
    try fixture.write("folder/a.ics", Self.calendar([copies[0], two, one, two]))
    try fixture.write("folder/b.ics", Self.calendar([copies[1]]))
    let folder = fixture.path("folder")
    let store = importing([folder], "a.sqlite")
    let run = fixture.run(["edit", "one", "--title", "Three", "--from", "2026-12-01"] + store)
    #expect(run.status == .done, "\(run.errors)")
    let titles = ["a.ics", "b.ics"].flatMap { name in
      (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))?
        .split(whereSeparator: \.isNewline).filter { $0.uppercased().hasPrefix("SUMMARY") } ?? []
    }
    // The duplicate of what did not change stays.
    #expect(titles.sorted() == ["SUMMARY:Three", "SUMMARY:Two", "SUMMARY:Two"])
    #expect(entries(store) == entries([folder]))
    #expect(entries(store).count == 2)
    #expect(fixture.run(["undo"] + store, isPinned: false).status == .done)
    #expect(entries(store) == entries([folder]))
    #expect(entries(store).count { $0.contains("One") } == 1)
  }

  /// Components that say the same in different words.
  private static let equal: [[[String]]] = [
    [["SUMMARY:Talk", "LOCATION:A\\, B"], ["LOCATION:A, B", "SUMMARY:Talk"]],
    [["SUMMARY:Talk", "LOCATION:A"], ["summary:Talk", "Location:A"]],
    [["SUMMARY:Talk", "DTEND:20261201T113000Z"], ["SUMMARY:Talk", "DURATION:PT1H30M"]],
    [["SUMMARY:Talk", "DTEND:20261202T100000Z"], ["SUMMARY:Talk", "DURATION:P1D"]],
    [
      ["SUMMARY:Day", "DTSTART;VALUE=DATE:20261201"],
      ["SUMMARY:Day", "DTSTART;VALUE=DATE:20261201", "DURATION:P1D"],
      ["SUMMARY:Day", "DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261202"],
    ],
    [["SUMMARY:Talk", "RRULE:FREQ=DAILY;COUNT=2"], ["SUMMARY:Talk", "RRULE:COUNT=2;FREQ=DAILY"]],
    [
      [
        "SUMMARY:T", "ATTENDEE;CN=Ana;ROLE=CHAIR:mailto:a@b.example", "ATTENDEE:mailto:c@d.example",
      ],
      [
        "ATTENDEE:mailto:c@d.example", "ATTENDEE;ROLE=CHAIR;CN=\"Ana\":mailto:a@b.example",
        "SUMMARY:T",
      ],
    ],
    [["SUMMARY:Talk", "DESCRIPTION:one\\ntwo"], ["SUMMARY:Talk", "DESCRIPTION:on\r\n e\\Ntwo"]],
    [
      ["SUMMARY:T", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM"],
      ["BEGIN:VALARM", "TRIGGER:-PT5M", "ACTION:display", "END:VALARM", "SUMMARY:T"],
    ],
    [["SUMMARY:Talk"], ["SUMMARY:Talk", "SEQUENCE:0"]],
  ]

  // Checks Decisions: Importing/15
  @Test("events that say the same in different words are shown once", arguments: equal.indices)
  func equalEvents(_ number: Int) throws {
    let events = Self.equal[number].map { Self.event($0) }
    try fixture.write("one.ics", Self.calendar(events))
    try fixture.write("single.ics", Self.calendar([events[0]]))
    let expected = entries([fixture.path("single.ics")]).map { $0.dropFirst(8) }
    for (index, event) in events.enumerated() {
      try fixture.write("\(index).ics", Self.calendar([event]))
    }
    let parts = events.indices.map { fixture.path("\($0).ics") }
    for files in [[fixture.path("one.ics")], parts, parts.reversed()] {
      #expect(entries(files).map { $0.dropFirst(8) } == expected, "\(events)")
      let store = importing(files, "\(files.count)\(files[0].hasSuffix("0.ics")).sqlite")
      #expect(entries(store).map { $0.dropFirst(8) } == expected, "\(events)")
      let check = fixture.run(["check"] + files)
      #expect(!check.errors.contains("same UID") && !check.output.contains("same UID"))
    }
  }

  @Test("zone definitions that differ only in TZNAME are one zone, others are not")
  func zoneNames() throws {
    func calendar(_ name: String, offset: String, _ room: String = "") -> String {
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//test//EN\r
      X-WR-CALNAME:c\r
      BEGIN:VTIMEZONE\r
      TZID:Ours\r
      BEGIN:STANDARD\r
      DTSTART:19700101T000000\r
      TZOFFSETFROM:\(offset)\r
      TZOFFSETTO:\(offset)\r
      TZNAME:\(name)\r
      END:STANDARD\r
      END:VTIMEZONE\r
      \(Self.event(["SUMMARY:Talk"], start: ";TZID=Ours:20261201T100000"))END:VCALENDAR\r

      """
    }
    for (other, offset, count) in [("B", "+0130", 1), ("A", "+0230", 2)] {
      try fixture.write("1.ics", calendar("A", offset: "+0130"))
      try fixture.write("2.ics", calendar(other, offset: offset))
      try fixture.write(
        "both.ics", calendar("A", offset: "+0130") + calendar(other, offset: offset))
      let files = [fixture.path("1.ics"), fixture.path("2.ics")]
      for sources in [files, [fixture.path("both.ics")]] {
        #expect(entries(sources).count == count)
        #expect(entries(importing(sources, "\(offset)\(sources.count).sqlite")).count == count)
      }
    }
  }

  @Test("check and import count the same copy of equal events in several sources")
  func counts() throws {
    func file(_ titles: [String]) -> String {
      Self.calendar(titles.map { Self.event(["SUMMARY:\($0)"]) })
    }
    try fixture.write("1.ics", file(["Copy", "Other"]))
    try fixture.write("2.ics", file(["Copy", "Third", "Copy"]))
    let files = [fixture.path("1.ics"), fixture.path("2.ics")]
    func counts(_ command: [String]) throws -> [[Int]] {
      let run = fixture.run(
        command + files + ["--calendar", "c", "-f", "json"], isPinned: false)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      return (document["sources"] as? [[String: Any]] ?? []).map { source in
        ["components", "added", "superseded"].map { source[$0] as? Int ?? -1 }
      }
    }
    #expect(try counts(["check"]) == [[2, 2, 0], [3, 1, 2]])
    #expect(
      try counts(["import", "--store", fixture.path("counts.sqlite")]) == [[2, 2, 0], [3, 1, 2]])
  }

  @Test("an override is stale if UNTIL of one of several rules removed its date")
  func staleUnderSeveralRules() throws {
    func master(_ until: String, _ more: [String] = []) -> String {
      Self.event(
        [
          "SEQUENCE:1", "SUMMARY:Class", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4",
          "RRULE:FREQ=WEEKLY;BYDAY=TH\(until)",
        ] + more)
    }
    let override = Self.event(
      ["RECURRENCE-ID:20261210T100000Z", "DTSTART:20261210T150000Z", "SUMMARY:Moved"])
    let end = ";UNTIL=20261204T000000Z"
    for (number, (text, isShown)) in [
      (master(end), false), (master(""), true),
      // A date in RDATE is not removed.
      (master(end, ["RDATE:20261210T100000Z"]), true),
      (master(end, ["RDATE:20261211T100000Z"]), false),
    ].enumerated() {
      try fixture.write("\(number).ics", Self.calendar([override, text]))
      let file = fixture.path("\(number).ics")
      for source in [[file], importing([file], "\(number).sqlite")] {
        let hasMoved = entries(source).contains { $0.contains("Moved") }
        #expect(hasMoved == isShown, "\(text)")
      }
      let check = fixture.run(["check", file])
      #expect((check.output + check.errors).contains("override not shown") == !isShown)
    }
  }
}
