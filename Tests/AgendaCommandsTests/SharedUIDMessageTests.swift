import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Messages about different events with one UID, as timetables have them. The judge knows from the
/// table of days which events each message is about.
@Suite("messages about events that share a UID")
struct SharedUIDMessageTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// 10:00 UTC in December, in different words.
  private static func start(_ day: Int, _ generator: inout SeededGenerator) -> String {
    [
      "DTSTART:202612\(two(day))T100000Z", "DTSTART;TZID=Europe/Berlin:202612\(two(day))T110000",
      "DTSTART;TZID=America/New_York:202612\(two(day))T050000",
    ].randomElement(using: &generator) ?? ""
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  private static func calendar(_ method: String, _ components: [String]) -> String {
    "BEGIN:VCALENDAR\nMETHOD:\(method)\nX-WR-CALNAME:c\n\(components.joined())END:VCALENDAR\n"
  }

  private static func event(_ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:t"] + lines.filter { !$0.isEmpty } + ["END:VEVENT", ""])
      .joined(separator: "\n")
  }

  /// What is shown: the day, whether it is cancelled, and what the one attendee answered.
  private func shown(_ arguments: [String]) throws -> [String] {
    try fixture.meetings(arguments).map { meeting in
      "\(meeting.day) \(meeting.status) \(meeting.answers.first?.answer ?? "")"
    }.sorted()
  }

  @Test("DTSTART of a cancellation or an answer names one of several events with its UID")
  func random() throws {
    var generator = SeededGenerator(seed: 174)
    for number in 0..<30 * TestSettings.rounds {
      let days = Array(1...5).shuffled(using: &generator).prefix(
        Int.random(in: 1...4, using: &generator))
      var cancelled: Set<Int> = []
      var answered: Set<Int> = []
      var texts = days.map { day in
        Self.calendar(
          "PUBLISH",
          [
            Self.event(
              Self.start(day, &generator), "SUMMARY:Lesson",
              "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@example.com")
          ])
      }
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let day = Int.random(in: 1...6, using: &generator)
        let isReply = Bool.random(using: &generator)
        let hasStart = Int.random(in: 0..<5, using: &generator) > 0
        texts.append(
          Self.calendar(
            isReply ? "REPLY" : "CANCEL",
            [
              Self.event(
                hasStart ? Self.start(day, &generator) : "",
                Bool.random(using: &generator) ? "SEQUENCE:1" : "",
                isReply ? "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com" : "")
            ]))
        let concerned =
          hasStart && days.count > 1 && days.contains(day) ? [day] : Set(days)
        if isReply { answered.formUnion(concerned) } else { cancelled.formUnion(concerned) }
      }
      let expected = days.map { day in
        "\(day) \(cancelled.contains(day) ? "cancelled" : "-") "
          + (answered.contains(day) ? "accepted" : "needs-action")
      }.sorted()
      texts.shuffle(using: &generator)
      try fixture.write("whole\(number).ics", texts.joined())
      for (index, text) in texts.enumerated() { try fixture.write("f\(number)/\(index).ics", text) }
      let paths = texts.indices.map { fixture.path("f\(number)/\($0).ics") }
      let description = "\(number): \(texts.joined())"
      #expect(try shown([fixture.path("whole\(number).ics")]) == expected, "\(description)")
      #expect(try shown(paths) == expected, "\(description)")
      for (name, sources) in [("one", ["whole\(number).ics"]), ("folder", ["f\(number)"])] {
        let store = ["--store", fixture.path("\(name)\(number).sqlite")]
        _ = fixture.run(["import"] + sources.map(fixture.path) + store, isPinned: false)
        #expect(try shown(store) == expected, "\(name) \(description)")
      }
      let store = ["--store", fixture.path("mails\(number).sqlite")]
      // A message that comes before an event cannot know that it is about that one.
      let events = paths.indices.filter { texts[$0].contains("PUBLISH") }
      let messages = paths.indices.filter { !texts[$0].contains("PUBLISH") }
      for index in events + messages {
        _ = fixture.run(fixture.importing(paths[index]) + store, isPinned: false)
      }
      #expect(try shown(store) == expected, "mails \(description)")
    }
  }

  @Test("a cancellation of one series takes its overrides with it, not those of the others")
  func overrides() throws {
    func series(_ day: String, _ hour: String) -> [String] {
      [
        Self.event("DTSTART:202612\(day)T\(hour)0000Z", "RRULE:FREQ=DAILY;COUNT=3"),
        Self.event(
          "RECURRENCE-ID:2026120\(Int(day, radix: 10).map { $0 + 1 } ?? 0)T\(hour)0000Z",
          "DTSTART:2026121\(Int(day) ?? 0)T\(hour)0000Z"),
      ]
    }
    let cancel = Self.calendar(
      "CANCEL", [Self.event("DTSTART;TZID=Europe/Berlin:20261202T100000", "SEQUENCE:2")])
    try fixture.write(
      "series.ics", Self.calendar("PUBLISH", series("01", "08") + series("02", "09")))
    try fixture.write("cancel.ics", cancel)
    let expected = [
      "1 - ", "11 - ", "12 cancelled ", "2 cancelled ", "3 - ", "4 cancelled ",
    ]
    let paths = ["series.ics", "cancel.ics"].map(fixture.path)
    #expect(try shown(paths) == expected)
    for path in paths.reversed() { _ = fixture.run(["import", path], isPinned: false) }
    #expect(try shown([]) == expected)
  }

  @Test(
    "a note reports the part of an answer that is not applied",
    arguments: [
      (
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20261202T100000Z\n"
          + "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com",
        "", ["1 - needs-action", "2 - accepted", "3 - accepted"]
      ),
      (
        "ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO=\"mailto:dan@example.com\":"
          + "mailto:bo@example.com\n"
          + "ATTENDEE;PARTSTAT=ACCEPTED;DELEGATED-FROM=\"mailto:bo@example.com\":"
          + "mailto:dan@example.com",
        "REPLY also for a person whom the event does not list; "
          + "only the answers of the others applied",
        ["1 - delegated", "2 - delegated", "3 - delegated"]
      ),
    ])
  func partlyApplied(_ answer: String, _ words: String, _ expected: [String]) throws {
    try fixture.write(
      "series.ics",
      Self.calendar(
        "REQUEST",
        [
          Self.event(
            "DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;COUNT=3",
            "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@example.com")
        ]))
    try fixture.write("reply.ics", Self.calendar("REPLY", [Self.event(answer)]))
    let paths = ["series.ics", "reply.ics"].map(fixture.path)
    #expect(try shown(paths) == expected)
    let check = fixture.run(["check"] + paths).output
    // An answer to an occurrence and all that follow is applied as a whole.
    if words.isEmpty {
      return #expect(!check.contains("REPLY") && fixture.run(["show"] + paths).errors.isEmpty)
    }
    #expect(check.contains(words))
    for path in paths {
      let run = fixture.run(["import", path, "-f", "json"], isPinned: false)
      let message = words.prefix { $0 != ";" }
      #expect(run.output.contains(message) == path.hasSuffix("reply.ics"), "\(run.output)")
    }
    #expect(try shown([]) == expected)
  }

  @Test("undo counts the entry that the calendar shows, not its earlier versions")
  func undo() throws {
    for kind in ["VEVENT", "VJOURNAL"] {
      let store = ["--store", fixture.path("\(kind).sqlite")]
      for (number, method) in ["PUBLISH", "PUBLISH", "CANCEL"].enumerated() {
        let event = Self.event("SEQUENCE:\(number)", "DTSTART:2026120\(number + 1)T100000Z")
        let name = "\(kind)\(number).ics"
        try fixture.write(
          name, Self.calendar(method, [event.replacingOccurrences(of: "VEVENT", with: kind)]))
        let run = fixture.run(
          ["import", fixture.path(name), "--calendar", "c"] + store, isPinned: false)
        #expect(run.status == .done)
      }
      let undone = fixture.run(["undo"] + store, isPinned: false)
      #expect(undone.output.hasSuffix("\nc: 1 entry changed back\n"), "\(kind)")
    }
  }

  @Test("a cancellation of a missing event is reported in the same words by every command")
  func missing() throws {
    try fixture.write("cancel.ics", Self.calendar("CANCEL", [Self.event()]))
    for command in ["check", "show", "import"] {
      let run = fixture.run(
        [command, fixture.path("cancel.ics")], isPinned: command != "import")
      #expect(
        (run.output + run.errors).contains("METHOD: cancels an event that is missing; nothing"),
        "\(command)")
    }
    let shown = fixture.run(["show"])
    #expect(shown.errors.contains("cancellations are kept until their events come"))
    try fixture.write("event.ics", Self.calendar("PUBLISH", [Self.event("DTSTART:20261201")]))
    // Then the cancellation has an effect, and an import of it again changes nothing.
    for (name, count) in [("event", "1 added"), ("cancel", "1 unchanged")] {
      let run = fixture.run(["import", fixture.path("\(name).ics")], isPinned: false)
      #expect(run.output.contains(count), "\(run.output)")
      #expect(run.errors == "", "\(name)")
      #expect(try self.shown([]) == ["1 cancelled "])
    }
  }

  @Test("an update of one of several events with a UID replaces all of them, with a warning")
  func replacement() throws {
    let lessons = (1...3).map { Self.event("DTSTART:2026120\($0)T100000Z", "SUMMARY:Lesson \($0)") }
    let update = Self.event("SEQUENCE:1", "DTSTART:20261202T100000Z", "SUMMARY:New")
    try fixture.write("lessons.ics", Self.calendar("PUBLISH", lessons))
    try fixture.write("update.ics", Self.calendar("PUBLISH", [update]))
    try fixture.write("whole.ics", Self.calendar("PUBLISH", [update] + lessons))
    // The place is that of the update, whichever is imported first, and the others are listed.
    let (lessonFile, updateFile) = (fixture.path("lessons.ics"), fixture.path("update.ics"))
    let start = "VEVENT t: SEQUENCE: is higher than that of 3 different events with the same UID"
    let words =
      "\(updateFile):4: warning: \(start) (\(lessonFile):4, \(lessonFile):9, \(lessonFile):14); "
      + "they are not shown"
    func run(_ arguments: [String]) -> String {
      let run = fixture.run(arguments, isPinned: arguments[0] != "import")
      return run.output + run.errors
    }
    func count(_ text: String) -> Int { text.components(separatedBy: start).count - 1 }
    let paths = ["lessons.ics", "update.ics"].map(fixture.path)
    for (number, order) in [paths, paths.reversed()].enumerated() {
      let store = ["--store", fixture.path("replacement\(number).sqlite")]
      #expect(count(run(fixture.importing(order[0]) + store)) == 0)
      let imported = run(fixture.importing(order[1]) + store)
      #expect(count(imported) == 1 && imported.contains(words), "\(imported)")
      #expect(try shown(store) == ["2 - "])
      // Of one name, `show` makes one calendar, but `check` two, as `import` does.
      for command in [["check", "--calendar", "c"], ["show"]] {
        let said = run(command + order)
        #expect(count(said) == 1 && said.contains(words), "\(said)")
      }
      #expect(try shown(order) == ["2 - "])
    }
    let whole = fixture.path("whole.ics")
    for command in ["check", "show", "import"] {
      let said = run([command, whole])
      let words = "\(whole):4: warning: \(start) (lines 10, 15, 20); they are not shown"
      #expect(count(said) == 1 && said.contains(words), "\(said)")
    }
    // A new version of the whole timetable, and a rescheduled event.
    let later = (1...3).map { Self.event("SEQUENCE:1", "DTSTART:2026120\($0 + 3)T100000Z") }
    try fixture.write("later.ics", Self.calendar("PUBLISH", later))
    try fixture.write("first.ics", Self.calendar("PUBLISH", [lessons[0]]))
    #expect(count(run(["check", paths[0], fixture.path("later.ics")])) == 0)
    #expect(count(run(["check", fixture.path("first.ics"), paths[1]])) == 0)
  }
}
