import Foundation
import TestSupport
import Testing

/// What the messages of RFC 5546 do to the events, tasks and journals that they name.
@Suite("methods of messages")
struct MessageMethodTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// A message: its method, and the lines of each of its components.
  private typealias Message = (method: String, components: [[String]])

  private static let kinds = ["VEVENT", "VTODO", "VJOURNAL"]

  /// Day, hour and title of what is shown when the messages are files of a folder, in their order and in
  /// the opposite one.
  private func shown(_ kind: String, _ messages: [Message]) throws -> [[String]] {
    try [Array(messages), messages.reversed()].enumerated().map { order, messages in
      for (number, message) in messages.enumerated() {
        let components = message.components.map { lines in
          component(kind, "meeting", ["ORGANIZER:mailto:boss@example.com"] + lines)
            .replacing("DTSTAMP:20261101T000000Z\n", with: "")
        }
        try fixture.write(
          "\(kind)\(order)/\(number).ics", calendar(components, ["METHOD:\(message.method)"]))
      }
      let path = fixture.path("\(kind)\(order)")
      return fixture.rows(
        ["show", path, "--from", "2026-12-01", "--days", "30", "--tasks", "--journal", "--once"]
      ).map { "\($0["start"]?.dropFirst(8).prefix(5) ?? "") \($0["title"] ?? "")" }
    }
  }

  private static func version(
    _ sequence: Int, _ lines: String..., title: String = "Meeting"
  ) -> [String] {
    ["DTSTAMP:2026110\(sequence + 1)T000000Z", "SEQUENCE:\(sequence)", "SUMMARY:\(title)"] + lines
  }

  private static let series = version(
    1, "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=4")

  /// A cancellation needs no summary and no start.
  private static func cancelled(_ sequence: Int, _ occurrence: String? = nil) -> [String] {
    ["DTSTAMP:2026110\(sequence + 1)T000000Z", "SEQUENCE:\(sequence)"]
      + [occurrence].compactMap(\.self)
  }

  // Checks RFC 5546: 3.2.1/4, 3.2.2/2, 3.4.2/2, 4.1.2/1, 4.1.2/2, 5.1/1, 5.1.1/1, 5.1.3/1
  @Test(
    "a version with a higher SEQUENCE updates, and one with a lower one does not",
    arguments: ["PUBLISH", "REQUEST"], kinds)
  func updates(_ method: String, _ kind: String) throws {
    let found = try shown(
      kind,
      [
        (method, [Self.version(1, "DTSTART:20261201T090000Z")]),
        (method, [Self.version(2, "DTSTART:20261202T140000Z", title: "Later")]),
      ])
    #expect(found == [["02T15 Later"], ["02T15 Later"]])
  }

  // Checks RFC 5546: 3.2.5/1, 3.2.5/2, 3.4.5/1, 3.4.5/2, 3.5.3/1, 3.5.3/2, 4.2.9/1, 5.2.1/1
  @Test(
    "CANCEL with a UID alone cancels all, also what an older message says later", arguments: kinds)
  func cancelsAll(_ kind: String) throws {
    let series: Message = ("PUBLISH", [Self.series])
    let all = ["01T10 Meeting", "02T10 Meeting", "03T10 Meeting", "04T10 Meeting"]
    #expect(try shown(kind, [series]) == [all, all])
    #expect(try shown(kind, [series, ("CANCEL", [Self.cancelled(2)])]) == [[], []])
    let older: Message = ("PUBLISH", [Self.version(0, "DTSTART:20261205T090000Z", title: "Old")])
    #expect(try shown(kind, [series, ("CANCEL", [Self.cancelled(2)]), older]) == [[], []])
  }

  // Checks RFC 5546: 3.2.5/3, 3.2.5/4, 3.2.5/5, 3.4.5/3, 3.4.5/4, 3.5.3/3, 3.5.3/4
  @Test("CANCEL cancels an occurrence, several, or one and all after it", arguments: kinds)
  func cancelsOccurrences(_ kind: String) throws {
    let series: Message = ("PUBLISH", [Self.series])
    let second = Self.cancelled(2, "RECURRENCE-ID:20261202T090000Z")
    let last = Self.cancelled(2, "RECURRENCE-ID:20261204T090000Z")
    let following = Self.cancelled(2, "RECURRENCE-ID;RANGE=THISANDFUTURE:20261203T090000Z")
    for (components, days) in [
      ([second], ["01", "03", "04"]), ([second, last], ["01", "03"]), ([following], ["01", "02"]),
    ] {
      let left = days.map { "\($0)T10 Meeting" }
      #expect(try shown(kind, [series, ("CANCEL", components)]) == [left, left])
    }
  }

  // Checks RFC 5546: 3.2.4/2, 3.4.4/2
  @Test("ADD adds an occurrence to the series", arguments: ["VEVENT", "VTODO"])
  func adds(_ kind: String) throws {
    let added = Self.version(2, "DTSTART:20261210T130000Z", title: "One more")
    let expected = [
      "01T10 Meeting", "02T10 Meeting", "03T10 Meeting", "04T10 Meeting", "10T14 One more",
    ]
    #expect(
      try shown(kind, [("PUBLISH", [Self.series]), ("ADD", [added])]) == [expected, expected])
  }

  // Checks RFC 5546: 3.2.6/2, 3.2.7/3, 3.2.8/2
  @Test(
    "REFRESH and proposals change nothing", arguments: ["REFRESH", "COUNTER", "DECLINECOUNTER"],
    ["VEVENT", "VTODO"])
  func proposals(_ method: String, _ kind: String) throws {
    let proposal = Self.version(1, "DTSTART:20261203T170000Z", title: "Proposal")
    let found = try shown(
      kind,
      [
        ("REQUEST", [Self.version(1, "DTSTART:20261201T090000Z")]), (method, [proposal]),
      ])
    #expect(found == [["01T10 Meeting"], ["01T10 Meeting"]])
  }

  // Checks RFC 5546: 2.1.5/1, 4.7.2/1
  @Test(
    "an older version of an occurrence does not replace a newer one",
    arguments: ["VEVENT", "VTODO"])
  func occurrenceVersions(_ kind: String) throws {
    func occurrence(_ sequence: Int, _ hour: Int) -> [String] {
      Self.version(
        sequence, "RECURRENCE-ID:20261202T090000Z", "DTSTART:20261202T\(hour)0000Z",
        title: "Version \(sequence)")
    }
    let found = try shown(
      kind,
      [
        ("REQUEST", [Self.series]), ("REQUEST", [occurrence(3, 15)]),
        ("REQUEST", [occurrence(2, 17)]),
      ])
    let expected = ["01T10 Meeting", "02T16 Version 3", "03T10 Meeting", "04T10 Meeting"]
    #expect(found == [expected, expected])
  }

  // Checks RFC 5546: 2.1.5/3, 3.6/2
  @Test("of two replies that to the later SEQUENCE counts; one without a status is a success")
  func replies() throws {
    func reply(_ sequence: Int, _ stamp: Int, _ answer: String) -> Message {
      (
        "REPLY",
        [
          [
            "DTSTAMP:2026110\(stamp)T000000Z", "SEQUENCE:\(sequence)",
            "ATTENDEE;PARTSTAT=\(answer):mailto:ana@example.com",
          ]
        ]
      )
    }
    let request = Self.version(
      1, "DTSTART:20261201T090000Z", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com")
    _ = try shown(
      "VEVENT", [("REQUEST", [request]), reply(2, 5, "ACCEPTED"), reply(1, 8, "DECLINED")])
    for order in 0...1 {
      let run = fixture.run(["show", fixture.path("VEVENT\(order)"), "-f", "json", "--days", "30"])
      #expect(run.output.contains(#""status":"accepted""#), "\(run.output)")
    }
  }

  // Checks RFC 5546: 5.1.2/1
  @Test("busy times count, whatever their method", arguments: ["PUBLISH", "REPLY", "REQUEST"])
  func busyTimes(_ method: String) throws {
    let busy = component(
      "VFREEBUSY", "busy", ["FREEBUSY:20261123T110000Z/PT1H,20261123T130000Z/PT1H"])
    try fixture.write("busy.ics", calendar([busy], ["METHOD:\(method)"]))
    let rows = fixture.rows(
      ["free", fixture.path("busy.ics"), "--from", "2026-11-23", "--days", "1"])
    #expect(rows.map { $0["minutes"] } == ["180", "60", "120"])
  }
}
