import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Mails about one meeting (RFC 5546): requests, answers, counter-proposals and cancellations in any
/// order. The judge works out the state of the meeting from the table of what was sent.
@Suite("mail threads")
struct MailThreadTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static let people = ["ana", "bo", "cy"]
  private static let participations = ["accepted", "declined", "tentative"]

  private struct Message {
    var method: String
    var sequence: Int
    var stamp: Int
    /// Who answers and how; of a request, who is invited.
    var answers: [String: String]

    func text(uid: String) -> String {
      let people = answers.sorted { $0.key < $1.key }.map {
        "ATTENDEE;CN=\"\($0.key), X.\";PARTSTAT=\($0.value.uppercased()):mailto:\($0.key)@example.com\n"
      }
      let day = method == "REQUEST" ? 1 + sequence : 20
      return """
        BEGIN:VCALENDAR
        VERSION:2.0
        METHOD:\(method)
        X-WR-CALNAME:mail
        BEGIN:VEVENT
        UID:\(uid)
        DTSTAMP:202611\(stamp + 10)T000000Z
        SEQUENCE:\(sequence)
        DTSTART:202612\(day < 10 ? "0" : "")\(day)T100000Z
        SUMMARY:Meeting
        \(people.joined())END:VEVENT
        END:VCALENDAR

        """
    }
  }

  private static func thread(_ generator: inout SeededGenerator) -> [Message] {
    // Each message has its own stamp, so that the judge need not decide between equal ones.
    var stamps = Array(0..<15).shuffled(using: &generator)
    var messages: [Message] = []
    func add(_ method: String, _ sequence: Int, _ answers: [String: String]) {
      messages.append(
        Message(
          method: method, sequence: sequence, stamp: stamps.removeLast(), answers: answers))
    }
    let last = Int.random(in: 0...2, using: &generator)
    for sequence in 0...last {
      let invited = people.shuffled(using: &generator).prefix(2)
      add(
        "REQUEST", sequence,
        Dictionary(uniqueKeysWithValues: invited.map { ($0, "needs-action") }))
    }
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      add(
        "REPLY", Int.random(in: 0...last, using: &generator),
        [
          people.randomElement(using: &generator) ?? "":
            participations.randomElement(using: &generator) ?? ""
        ])
    }
    if Bool.random(using: &generator) { add("COUNTER", last, ["bo": "tentative"]) }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      add("CANCEL", Int.random(in: 0...last, using: &generator), [:])
    }
    return messages
  }

  /// The day of the meeting, its status and the answers.
  private static func judgement(of messages: [Message]) -> [String] {
    guard
      let current = messages.filter({ $0.method == "REQUEST" })
        .max(by: { ($0.sequence, $0.stamp) < ($1.sequence, $1.stamp) })
    else { return [] }
    var answers = current.answers
    let replies = messages.filter {
      $0.method == "REPLY" && $0.sequence >= current.sequence
    }
    for reply in replies.sorted(by: { ($0.sequence, $0.stamp) < ($1.sequence, $1.stamp) }) {
      for (person, answer) in reply.answers where answers[person] != nil {
        answers[person] = answer
      }
    }
    // An earlier cancellation was about an earlier version.
    let isCancelled = messages.contains {
      $0.method == "CANCEL"
        && ($0.sequence, $0.stamp) >= (current.sequence, current.stamp)
    }
    return ["\(1 + current.sequence)", isCancelled ? "cancelled" : "-"]
      + answers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
  }

  private func shown(_ arguments: [String]) throws -> [String] {
    try fixture.meetings(arguments).flatMap { meeting in
      ["\(meeting.day)", meeting.status]
        + meeting.answers.map { "\($0.person) \($0.answer)" }
    }
  }

  // Checks Decisions: Messages/1
  @Test("mails in one file, in several files, in a folder and in the store say the same")
  func threads() throws {
    var generator = SeededGenerator(seed: 17)
    for number in 0..<30 * TestSettings.rounds {
      let messages = Self.thread(&generator)
      let expected = Self.judgement(of: messages)
      let uid = "thread\(number)"
      let texts = messages.shuffled(using: &generator).map { $0.text(uid: uid) }
      try fixture.write("whole\(number).ics", texts.joined())
      for (index, text) in texts.enumerated() {
        try fixture.write("mail\(number)/\(index).ics", text)
      }
      let folder = fixture.path("mail\(number)")
      let store = ["--store", fixture.path("store\(number).sqlite")]
      let description = "\(number): \(texts.joined())"
      #expect(try shown([fixture.path("whole\(number).ics")]) == expected, "\(description)")
      #expect(try shown([folder]) == expected, "\(description)")
      #expect(try shown(texts.indices.map { "\(folder)/\($0).ics" }) == expected, "\(description)")
      let imported = fixture.run(["import", folder] + store, isPinned: false)
      #expect(imported.status == .done)
      #expect(try shown(store) == expected, "\(description)")
      _ = fixture.run(["import", folder] + store, isPinned: false)
      #expect(try shown(store) == expected, "again \(description)")
      try fixture.write(
        "export\(number).ics", fixture.run(["export"] + store, isPinned: false).output)
      #expect(
        try shown([fixture.path("export\(number).ics")]) == expected, "exported \(description)")
    }
  }

  /// An ADD that is imported by itself joins the calendar of its series, whatever its file is called.
  @Test("series and additions in any order: file, store and export have all occurrences")
  func randomAdditions() throws {
    var generator = SeededGenerator(seed: 18)
    for number in 0..<10 * TestSettings.rounds {
      let count = Int.random(in: 1...4, using: &generator)
      let form =
        [
          "DTSTART:|T100000Z", "DTSTART;TZID=Europe/Berlin:|T110000", "DTSTART;VALUE=DATE:|",
        ].randomElement(using: &generator) ?? ""
      func text(_ method: String, _ sequence: Int, day: Int, _ rule: String) -> String {
        """
        BEGIN:VCALENDAR
        METHOD:\(method)
        BEGIN:VEVENT
        UID:series
        SEQUENCE:\(sequence)
        \(form.replacing("|", with: "202612\(day < 10 ? "0" : "")\(day)"))
        \(rule)SUMMARY:Series
        END:VEVENT
        END:VCALENDAR

        """
      }
      let added = Set(
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Int.random(in: 10...28, using: &generator)
        })
      var texts = [
        ("a.ics", text("REQUEST", 1, day: 1, "RRULE:FREQ=DAILY;COUNT=\(count)\n"))
      ]
      for (index, day) in added.enumerated() {
        texts.append(("b\(day).ics", text("ADD", index + 2, day: day, "")))
      }
      let expected = (Array(1...count) + added.sorted()).flatMap { ["\($0)", "-"] }
      let store = ["--store", fixture.path("added\(number).sqlite")]
      for (name, text) in texts {
        try fixture.write("added\(number)/\(name)", text)
        let file = fixture.path("added\(number)/\(name)")
        #expect(fixture.run(["import", file] + store, isPinned: false).status == .done)
      }
      #expect(try shown(store) == expected, "\(texts)")
      let whole = texts.shuffled(using: &generator).map(\.1).joined()
      try fixture.write("whole.ics", whole)
      #expect(try shown([fixture.path("whole.ics")]) == expected, "\(texts)")
      let exported = fixture.run(["export"] + store, isPinned: false).output
      try fixture.write("exported.ics", exported)
      #expect(try shown([fixture.path("exported.ics")]) == expected, "\(exported)")
      let other = ["--store", fixture.path("exported\(number).sqlite")]
      _ = fixture.run(["import", fixture.path("exported.ics")] + other, isPinned: false)
      #expect(try shown(other) == expected, "\(exported)")
    }
  }

  // Checks Decisions: Messages/2
  @Test("answers that are imported after the request change the event of the store; undo reverts")
  func answers() throws {
    let request = Message(
      method: "REQUEST", sequence: 1, stamp: 1,
      answers: ["ana": "needs-action", "bo": "needs-action"])
    try fixture.write("request.ics", request.text(uid: "meeting"))
    func reply(_ person: String, _ answer: String, sequence: Int = 1, uid: String = "meeting")
      throws
    {
      let message = Message(
        method: "REPLY", sequence: sequence, stamp: 2, answers: [person: answer])
      try fixture.write("\(person).ics", message.text(uid: uid))
    }
    func imported(_ name: String) -> String {
      fixture.run(["import", fixture.path(name), "-f", "json"], isPinned: false).output
    }
    _ = imported("request.ics")
    try reply("bo", "declined")
    let report = imported("bo.ics")
    #expect(report.contains(#""components":1,"added":0,"updated":0,"removed":0,"unchanged":1"#))
    #expect(report.contains(#""problems":[]"#))
    #expect(try shown([]) == ["2", "-", "ana needs-action", "bo declined"])
    // The source itself has not changed.
    _ = imported("request.ics")
    #expect(try shown([]) == ["2", "-", "ana needs-action", "bo declined"])
    for (person, sequence, uid, words) in [
      ("ana", 0, "meeting", "REPLY to an earlier version of the event"),
      ("cy", 1, "meeting", "REPLY from a person whom the event does not list"),
      ("ana", 1, "other", "REPLY to an event that is missing"),
    ] {
      try reply(person, "accepted", sequence: sequence, uid: uid)
      #expect(imported("\(person).ics").contains(words))
      #expect(try shown([]) == ["2", "-", "ana needs-action", "bo declined"])
    }
    let exported = fixture.run(["export"], isPinned: false).output
    #expect(
      exported.contains("ATTENDEE;CN=\"bo, X.\";PARTSTAT=DECLINED:mailto:bo@example.com\r\n"))
    #expect(fixture.run(["calendars", "-f", "json"]).output.contains("request.ics"))
    // An answer is a source of no calendar.
    #expect(fixture.run(["calendars", "-f", "tsv"]).output.contains("bo.ics"))
    // The three answers that changed nothing can be undone, too.
    for _ in 0..<3 {
      let undone = fixture.run(["undo"], isPinned: false)
      #expect(undone.status == .done)
      #expect(
        undone.output.hasSuffix(
          "\nthe messages of the last import are forgotten; no event changed\n"))
      #expect(try shown([]) == ["2", "-", "ana needs-action", "bo declined"])
    }
    #expect(fixture.run(["undo"], isPinned: false).status == .done)
    #expect(try shown([]) == ["2", "-", "ana needs-action", "bo needs-action"])
  }

  // Checks Decisions: Messages/4
  @Test("ADD adds an occurrence; check and import count messages alike")
  func additions() throws {
    let series = """
      BEGIN:VCALENDAR
      X-WR-CALNAME:mail
      BEGIN:VEVENT
      UID:series
      SEQUENCE:1
      DTSTART:20261201T100000Z
      RRULE:FREQ=DAILY;COUNT=2
      SUMMARY:Series
      END:VEVENT
      END:VCALENDAR

      """
    let addition = """
      BEGIN:VCALENDAR
      METHOD:ADD
      X-WR-CALNAME:mail
      BEGIN:VEVENT
      UID:series
      SEQUENCE:2
      DTSTART:20261209T150000Z
      SUMMARY:One more
      END:VEVENT
      END:VCALENDAR

      """
    try fixture.write("series.ics", series)
    try fixture.write("add.ics", addition)
    try fixture.write("both.ics", addition + series)
    let files = ["series.ics", "add.ics"].map(fixture.path)
    for sources in [files, files.reversed(), [fixture.path("both.ics")]] {
      #expect(try shown(sources) == ["1", "-", "2", "-", "9", "-"])
    }
    for file in files { _ = fixture.run(["import", file], isPinned: false) }
    #expect(try shown([]) == ["1", "-", "2", "-", "9", "-"])
    try fixture.write("alone.ics", addition.replacing("UID:series", with: "UID:alone"))
    for command in ["check", "import"] {
      let run = fixture.run(
        [command, fixture.path("alone.ics"), "-f", "json"], isPinned: command == "check")
      let counts = #""components":1,"added":1,"updated":0,"removed":0,"unchanged":0"#
      #expect(run.output.contains(counts), "\(run.output)")
    }
    let cancel = Message(method: "CANCEL", sequence: 1, stamp: 1, answers: [:])
    try fixture.write("cancel.ics", cancel.text(uid: "nobody"))
    let counts = #""components":1,"added":0,"updated":0,"removed":0,"unchanged":1"#
    for command in ["check", "import"] {
      let run = fixture.run(
        [command, fixture.path("cancel.ics"), "-f", "json"], isPinned: command == "check")
      #expect(run.output.contains(counts), "\(run.output)")
      #expect(run.output.contains(#""severity":"warning","line":5"#), "\(run.output)")
    }
  }

  /// A series of two attendees, with and without what `agenda` may have to take over.
  private static func series(_ start: String, _ end: String, _ name: String = "Series") -> String {
    """
    BEGIN:VCALENDAR
    METHOD:REQUEST
    X-WR-CALNAME:mail
    BEGIN:VEVENT
    UID:series
    SEQUENCE:1
    DTSTAMP:20261101T000000Z
    DTSTART\(start)
    DTEND\(end)
    RRULE:FREQ=DAILY;COUNT=3
    EXDATE\(start.replacing("20261201", with: "20300101"))
    SUMMARY:\(name)
    LOCATION:Room
    ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com
    ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@example.com
    END:VEVENT
    END:VCALENDAR

    """
  }

  private static func reply(
    _ person: String, _ answer: String, to recurrenceID: String, stamp: Int = 2
  ) -> String {
    """
    BEGIN:VCALENDAR
    METHOD:REPLY
    X-WR-CALNAME:mail
    BEGIN:VEVENT
    UID:series
    SEQUENCE:1
    DTSTAMP:202611\(10 + stamp)T000000Z
    RECURRENCE-ID\(recurrenceID)
    ATTENDEE;PARTSTAT=\(answer):mailto:\(person)@example.com
    END:VEVENT
    END:VCALENDAR

    """
  }

  @Test(
    "an answer to one occurrence changes only that one",
    arguments: [
      (
        ";TZID=Europe/Berlin:20261201T100000", ";TZID=Europe/Berlin:20261201T113000",
        ":20261202T090000Z", ";TZID=Europe/Berlin:20261202T100000"
      ),
      (":20261201T100000Z", ":20261201T113000Z", ":20261202T100000Z", ":20261202T100000Z"),
      (
        ";VALUE=DATE:20261201", ";VALUE=DATE:20261202", ";VALUE=DATE:20261202",
        ";VALUE=DATE:20261202"
      ),
    ])
  func occurrenceAnswers(
    _ start: String, _ end: String, _ first: String, _ second: String
  ) throws {
    let mails = [
      Self.series(start, end), Self.reply("bo", "DECLINED", to: first),
      Self.reply("ana", "TENTATIVE", to: second, stamp: 3),
      Self.reply("ana", "ACCEPTED", to: second, stamp: 4),
    ]
    let expected = [
      "1", "-", "ana needs-action", "bo needs-action", "2", "-", "ana accepted", "bo declined",
      "3", "-", "ana needs-action", "bo needs-action",
    ]
    // All other details are as in the series.
    func lengths(_ arguments: [String]) -> [String] {
      let run = fixture.run(
        ["show", "--from", "2026-12-01", "--template", "{duration} {title} {location} {id}"]
          + arguments)
      return run.output.split(separator: "\n").map(String.init)
    }
    try fixture.write("series.ics", mails[0])
    let plain = lengths([fixture.path("series.ics")])
    #expect(plain.count == 3)
    for (number, order) in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]].enumerated() {
      let texts = order.map { mails[$0] }
      try fixture.write("whole\(number).ics", texts.joined())
      for (index, text) in texts.enumerated() { try fixture.write("m\(number)/\(index).ics", text) }
      let folder = fixture.path("m\(number)")
      let files = texts.indices.map { "\(folder)/\($0).ics" }
      for sources in [[fixture.path("whole\(number).ics")], [folder], files] {
        #expect(try shown(sources) == expected, "\(sources)")
        #expect(lengths(sources) == plain)
      }
      for name in ["whole\(number).ics", "m\(number)"] {
        let store = ["--store", fixture.path("\(name).sqlite")]
        for _ in 0..<2 {
          let report = fixture.run(
            ["import", fixture.path(name), "-f", "json"] + store, isPinned: false
          ).output
          #expect(report.contains(#""components":4,"#), "\(report)")
          #expect(report.contains(#""rejected":0"#), "\(report)")
          #expect(try shown(store) == expected, "\(name)")
          #expect(lengths(store) == plain)
        }
        // The export has the answers.
        let exported = fixture.run(["export"] + store, isPinned: false).output
        try fixture.write("exported\(number).ics", exported)
        #expect(try shown([fixture.path("exported\(number).ics")]) == expected)
        #expect(lengths([fixture.path("exported\(number).ics")]) == plain)
      }
      let check = fixture.run(["check", fixture.path("m\(number)"), "-f", "json"]).output
      #expect(
        check.contains(
          #""components":4,"added":1,"updated":0,"removed":0,"unchanged":3,"superseded":0"#),
        "\(check)")
    }
    // One mail after the other.
    for (index, mail) in mails.enumerated() {
      try fixture.write("mail\(index).ics", mail)
      let report = fixture.run(
        ["import", fixture.path("mail\(index).ics"), "-f", "json"], isPinned: false
      ).output
      #expect(report.contains(index == 0 ? #""added":1"# : #""unchanged":1"#), "\(report)")
      #expect(report.contains(#""problems":[]"#), "\(report)")
    }
    #expect(try shown([]) == expected)
    #expect(lengths([]) == plain)
    for _ in 0..<3 { #expect(fixture.run(["undo"], isPinned: false).status == .done) }
    #expect(
      try shown([])
        == (1...3).flatMap { ["\($0)", "-", "ana needs-action", "bo needs-action"] })
  }

  @Test("an answer to an occurrence that the series does not have changes nothing")
  func missingOccurrence() throws {
    let series = Self.series(":20261201T100000Z", ":20261201T113000Z")
    try fixture.write("series.ics", series)
    _ = fixture.run(["import", fixture.path("series.ics")], isPinned: false)
    let expected = (1...3).flatMap { ["\($0)", "-", "ana needs-action", "bo needs-action"] }
    for (person, time, words) in [
      ("bo", ":20261205T100000Z", "REPLY to an occurrence that the series does not have"),
      ("bo", ":20261202T110000Z", "REPLY to an occurrence that the series does not have"),
      ("cy", ":20261202T100000Z", "REPLY from a person whom the event does not list"),
    ] {
      let reply = Self.reply(person, "DECLINED", to: time)
      try fixture.write("reply.ics", reply)
      try fixture.write("both.ics", reply + series)
      let check = fixture.run(["check", fixture.path("both.ics")])
      #expect((check.output + check.errors).contains(words), "\(check.output)")
      #expect(try shown([fixture.path("both.ics")]) == expected)
      let report = fixture.run(
        ["import", fixture.path("reply.ics"), "-f", "json"], isPinned: false)
      #expect(report.output.contains(words))
      #expect(try shown([]) == expected)
    }
  }

  @Test("a CANCEL of an occurrence that the series does not have cancels nothing")
  func cancelOfMissingOccurrence() throws {
    let series = Self.series(":20261201T100000Z", ":20261201T113000Z")
    try fixture.write("series.ics", series)
    _ = fixture.run(["import", fixture.path("series.ics")], isPinned: false)
    let people = ["ana needs-action", "bo needs-action"]
    let expected = (1...3).flatMap { ["\($0)", "-"] + people }
    func cancel(_ time: String) -> String {
      Self.reply("ana", "DECLINED", to: time).replacing("METHOD:REPLY", with: "METHOD:CANCEL")
    }
    let words = "cancels an occurrence that the series does not have; nothing cancelled"
    for time in [":20261205T100000Z", ":20261202T110000Z", ";VALUE=DATE:20261209"] {
      try fixture.write("cancel.ics", cancel(time))
      try fixture.write("both.ics", cancel(time) + series)
      let check = fixture.run(["check", fixture.path("both.ics")])
      #expect((check.output + check.errors).contains(words), "\(check.output)")
      #expect(try shown([fixture.path("both.ics")]) == expected)
      let report = fixture.run(["import", fixture.path("cancel.ics")], isPinned: false)
      #expect(report.output.contains("1 unchanged"), "\(report.output)")
      #expect(report.errors.contains(words), "\(report.errors)")
      #expect(try shown([]) == expected)
    }
    // One that it has, so that the cases above do not pass for another reason.
    try fixture.write("cancel.ics", cancel(":20261202T100000Z"))
    let report = fixture.run(["import", fixture.path("cancel.ics")], isPinned: false)
    #expect(report.output.contains("1 updated"), "\(report.output)")
    #expect(try shown([]).contains("cancelled"))
  }

  @Test("a CANCEL without its event counts as unchanged, also next to other events")
  func cancelOfNothing() throws {
    let cancel = Message(method: "CANCEL", sequence: 1, stamp: 1, answers: [:])
    let request = Message(method: "REQUEST", sequence: 1, stamp: 1, answers: [:])
    try fixture.write("f/cancel.ics", cancel.text(uid: "nobody"))
    try fixture.write("f/event.ics", request.text(uid: "meeting"))
    try fixture.write("both.ics", cancel.text(uid: "nobody") + request.text(uid: "meeting"))
    let counts =
      #""components":2,"added":1,"updated":0,"removed":0,"unchanged":1,"superseded":0"#
    for source in ["f", "both.ics"] {
      for command in ["check", "import"] {
        let run = fixture.run(
          [
            command, fixture.path(source), "--store", fixture.path("\(source).sqlite"), "-f",
            "json",
          ]
          .filter { command == "import" || !$0.hasSuffix(".sqlite") && $0 != "--store" },
          isPinned: command == "check")
        #expect(run.output.contains(counts), "\(command) \(run.output)")
        #expect(run.output.contains("nothing cancelled"))
      }
    }
  }

  @Test("a CANCEL of an earlier version counts as unchanged; the later version stays")
  func cancelOfEarlierVersion() throws {
    for sequence in 0...1 {
      let request = Message(
        method: "REQUEST", sequence: sequence, stamp: sequence, answers: ["ana": "needs-action"])
      try fixture.write("request\(sequence).ics", request.text(uid: "meeting"))
    }
    let cancel = Message(method: "CANCEL", sequence: 0, stamp: 5, answers: [:])
    try fixture.write("cancel.ics", cancel.text(uid: "meeting"))
    for name in ["request0.ics", "request1.ics"] {
      _ = fixture.run(fixture.importing(fixture.path(name)), isPinned: false)
    }
    let shownBefore = try shown([])
    let report = fixture.run(["import", fixture.path("cancel.ics"), "-f", "json"], isPinned: false)
    #expect(report.output.contains(#""updated":0"#), "\(report.output)")
    #expect(report.output.contains(#""unchanged":1"#), "\(report.output)")
    #expect(report.output.contains("has a later version"), "\(report.output)")
    #expect(try shown([]) == shownBefore)
    #expect(shownBefore == ["2", "-", "ana needs-action"])
  }

  @Test("changes says of a new event that a mail had cancelled it")
  func addedAsCancelled() throws {
    let request = Message(
      method: "REQUEST", sequence: 0, stamp: 1, answers: ["ana": "needs-action"])
    let cancel = Message(method: "CANCEL", sequence: 0, stamp: 5, answers: [:])
    for (uid, others) in [("off", [cancel]), ("on", [])] {
      for (number, message) in (others + [request]).enumerated() {
        try fixture.write("\(uid)\(number).ics", message.text(uid: uid))
        _ = fixture.run(["import", fixture.path("\(uid)\(number).ics")], isPinned: false)
      }
      let changes = fixture.run(["changes"], isPinned: false).output
      #expect(changes.contains("added"), "\(changes)")
      #expect(changes.contains("cancelled") == (uid == "off"), "\(changes)")
    }
  }
}
