import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Different events with one UID, and mails that name one of them by its DTSTART. A mail can come
/// before the event that it is about, while only the others are known.
@Suite("mails about one of several events with one UID")
struct SharedUIDMailTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private struct Item {
    var method: String
    var day: Int
    var stamp: Int
    var answer = ""

    var text: String {
      let answer = self.answer.isEmpty ? "NEEDS-ACTION" : self.answer.uppercased()
      return """
        BEGIN:VCALENDAR
        VERSION:2.0
        METHOD:\(method)
        X-WR-CALNAME:mail
        BEGIN:VEVENT
        UID:shared
        DTSTAMP:202611\(10 + stamp)T000000Z
        DTSTART:2026120\(day)T100000Z
        ATTENDEE;PARTSTAT=\(answer):mailto:bo@example.com
        SUMMARY:Event
        END:VEVENT
        END:VCALENDAR

        """
    }
  }

  /// The day, status and answer of each event. A mail is about the event that begins at its DTSTART,
  /// or about all if none does.
  private static func judgement(of items: [Item]) -> [String] {
    let days = Set(items.filter { $0.method == "PUBLISH" }.map(\.day))
    return days.sorted().map { day in
      let mails = items.filter {
        $0.method != "PUBLISH" && ($0.day == day || !days.contains($0.day))
      }
      let isCancelled = mails.contains { $0.method == "CANCEL" }
      let reply = mails.filter { $0.method == "REPLY" }.max { $0.stamp < $1.stamp }
      return "\(day) \(isCancelled ? "cancelled" : "-") \(reply?.answer ?? "needs-action")"
    }
  }

  private func shown(_ arguments: [String]) throws -> [String] {
    let run = fixture.run(
      ["show", "--include-cancelled", "--from", "2026-12-01", "--days", "9", "-f", "json"]
        + arguments)
    if run.output.isEmpty { return [] }
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let sections = document["sections"] as? [[String: Any]] ?? []
    return sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }.map { entry in
      let day = (entry["start"] as? String ?? "").dropFirst(9).prefix(1)
      let attendees = entry["attendees"] as? [[String: Any]] ?? []
      return "\(day) \(entry["status"] as? String ?? "-") \(attendees.first?["status"] ?? "")"
    }
  }

  @Test("any order of events and mails, some of them undone, shows what the mails mean")
  func orders() throws {
    var generator = SeededGenerator(seed: 23)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    for round in 0..<4 * TestSettings.rounds {
      var stamps = Array(0..<15).shuffled(using: &generator)
      var items = (1...3).shuffled(using: &generator).prefix(number(2...3)).map {
        Item(method: "PUBLISH", day: $0, stamp: 0)
      }
      for _ in 0..<number(1...3) {
        let method = ["CANCEL", "REPLY"].randomElement(using: &generator) ?? ""
        var item = Item(method: method, day: number(1...4), stamp: stamps.removeLast())
        if method == "REPLY" {
          item.answer = ["accepted", "declined"].randomElement(using: &generator) ?? ""
        }
        items.append(item)
      }
      items.shuffle(using: &generator)
      let store = ["--store", fixture.path("shared\(round).sqlite")]
      var imported: [Item] = []
      var files: [String] = []
      for (index, item) in items.enumerated() {
        let name = "shared\(round)/\(index).ics"
        try fixture.write(name, item.text)
        let command = fixture.importing(fixture.path(name)) + store
        _ = fixture.run(command, isPinned: false)
        if number(0...3) == 0 {
          _ = fixture.run(["undo"] + store, isPinned: false)
          #expect(try shown(store) == Self.judgement(of: imported), "undone \(items)")
          _ = fixture.run(command, isPinned: false)
        }
        imported.append(item)
        files.append(fixture.path(name))
        #expect(try shown(store) == Self.judgement(of: imported), "\(items)")
        if imported.contains(where: { $0.method == "PUBLISH" }) {
          #expect(try shown(files) == Self.judgement(of: imported), "\(items)")
        }
      }
      #expect(fixture.run(["doctor"] + store, isPinned: false).status == .done)
    }
  }

  @Test("a mail about an occurrence is about the version that is shown", arguments: [false, true])
  func olderVersion(isCancellation: Bool) throws {
    func version(_ stamp: Int, _ rule: String, _ lines: String = "") -> String {
      """
      BEGIN:VEVENT
      UID:shared
      DTSTAMP:202611\(10 + stamp)T000000Z
      DTSTART:20261201T100000Z
      RRULE:FREQ=DAILY;\(rule)
      SUMMARY:Version \(stamp)
      \(lines)END:VEVENT

      """
    }
    func file(_ name: String, _ method: String, _ components: String) throws -> String {
      try fixture.write(
        name,
        "BEGIN:VCALENDAR\nMETHOD:\(method)\nX-WR-CALNAME:mail\n\(components)END:VCALENDAR\n")
      return fixture.path(name)
    }
    let bo = "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@example.com\n"
    // Only the older version has the second of December, and lists a person.
    let older = version(0, "COUNT=3", bo)
    let newer = version(1, "INTERVAL=2;COUNT=2")
    let mail = """
      BEGIN:VEVENT
      UID:shared
      DTSTAMP:20261120T000000Z
      RECURRENCE-ID:20261202T100000Z
      \(bo.replacing("NEEDS-ACTION", with: "ACCEPTED"))END:VEVENT

      """
    let files = [
      try file("older.ics", "PUBLISH", older), try file("newer.ics", "PUBLISH", newer),
      try file("mail.ics", isCancellation ? "CANCEL" : "REPLY", mail),
    ]
    let both = [try file("both.ics", "PUBLISH", older + newer), files[2]]
    let orders = [files, files.reversed(), [files[1], files[0], files[2]], both, both.reversed()]
    for (number, order) in orders.enumerated() {
      #expect(try shown(order) == ["1 - ", "3 - "], "\(order)")
      let store = ["--store", fixture.path("older\(number).sqlite")]
      for file in order { _ = fixture.run(fixture.importing(file) + store, isPinned: false) }
      #expect(try shown(store) == ["1 - ", "3 - "], "\(order)")
    }
  }

  @Test("an event is as its source has it again, however long ago it was cancelled by mistake")
  func pruned() throws {
    try fixture.write("1.ics", Item(method: "PUBLISH", day: 1, stamp: 0).text)
    try fixture.write("2.ics", Item(method: "PUBLISH", day: 2, stamp: 0).text)
    try fixture.write("cancel.ics", Item(method: "CANCEL", day: 2, stamp: 1).text)
    try fixture.write("other.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    func run(_ arguments: [String], at moment: String = "2026-11-21T09:00:00Z") {
      _ = fixture.run(arguments + ["--now", moment], isPinned: false)
    }
    run(["import", fixture.path("1.ics"), "--calendar", "mail"])
    run(["import", fixture.path("cancel.ics")])
    #expect(try shown([]) == ["1 cancelled needs-action"])
    // After 40 days the history is deleted, with the first version of the event.
    for (number, month) in ["2027-03", "2027-06"].enumerated() {
      try fixture.write(
        "other.ics",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:other\nDTSTART:2029120\(number + 1)T100000Z\n"
          + "END:VEVENT\nEND:VCALENDAR\n")
      run(["import", fixture.path("other.ics")], at: "\(month)-01T09:00:00Z")
    }
    run(
      ["import", fixture.path("2.ics"), "--calendar", "mail"], at: "2027-06-02T09:00:00Z")
    #expect(try shown([]) == ["1 - needs-action", "2 cancelled needs-action"])
    let exported = fixture.run(["export", "mail"], isPinned: false).output
    #expect(exported.ranges(of: "STATUS:CANCELLED").count == 1)
    _ = fixture.run(["undo"], isPinned: false)
    #expect(try shown([]) == ["1 cancelled needs-action"])
    #expect(fixture.run(["doctor"], isPinned: false).status == .done)
  }
}
