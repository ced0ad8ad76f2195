import TestSupport
import Testing

@testable import AgendaCommands

/// An event that reaches a limit of occurrences is cut, and hides no other. A listing that reaches its
/// limit of entries ends with a complete day.
@Suite("limits of entries")
struct EntryLimitTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  struct Hostile: Sendable, CustomTestStringConvertible {
    let event: String
    let warning: String
    /// That of BEGIN, or of the rule if the warning is about it.
    let line: Int
    var testDescription: String { event }
  }

  static let cases = [
    Hostile(
      event: "DTSTART:19700101T100000Z\nDURATION:P36500D\nRRULE:FREQ=MINUTELY",
      warning: "more than 100000 occurrences in the window; the rest is not shown", line: 9),
    Hostile(
      event: "DTSTART:20200101T100000Z\nRRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY",
      warning: "almost all of more than 500000 occurrences are excluded or duplicates; "
        + "the rest is not shown", line: 8),
  ]

  /// The hostile events come before ordinary ones of the same source, and before other sources.
  private func write(_ hostile: Hostile, copies: Int) throws -> [String] {
    let events = (1...copies).map { event("h\($0)", hostile.event) }
    let ordinary = [
      event("o", "SUMMARY:Ordinary", "DTSTART:20261125T090000Z", "DTEND:20261125T100000Z"),
      event(
        "p", "SUMMARY:Pills", "DTSTART:20261122T060000Z", "RRULE:FREQ=HOURLY;INTERVAL=8;COUNT=6"),
    ]
    try fixture.write("hostile.ics", calendar(events + ordinary))
    return [fixture.path("hostile.ics"), fixture.path("home.ics")]
  }

  @Test(
    "all other events of complete days are shown, from files and from the store",
    arguments: cases)
  func others(_ hostile: Hostile) throws {
    let sources = try write(hostile, copies: 1)
    func show(_ sources: [String]) -> String {
      fixture.run(["show", "--once"] + sources + ["-f", "tsv"], mostEntries: 333_333).output
    }
    let output = show(sources)
    let rows = output.split(separator: "\n")
    let alone = fixture.run(["show", "--once", fixture.path("home.ics"), "-f", "tsv"]).output
    let titled = rows.filter { $0.contains("\tOrdinary\t") || $0.contains("\tPills\t") }
    // An event of 100,000 entries a day fills the listing with three days.
    let isCut = hostile.event.contains("P36500D")
    #expect(titled.count == (isCut ? 6 : 7))
    for row in alone.split(separator: "\n").dropFirst() {
      let title = row.split(separator: "\t", omittingEmptySubsequences: false)
      if isCut, !row.contains("2026-11-2") || row.contains("2026-11-24") { continue }
      #expect(rows.contains { $0.hasSuffix(title.suffix(3).joined(separator: "\t")) }, "\(row)")
    }
    #expect(fixture.run(["import"] + sources, isPinned: false).status == .done)
    #expect(show([]) == output)
  }

  // Checks Decisions: Recurrence/13
  @Test("the warning names the event that is cut", arguments: cases)
  func warnings(_ hostile: Hostile) throws {
    let file = try write(hostile, copies: 1)[0]
    let shown = fixture.run(["show", "--once", file, "-f", "tsv"])
    let end = "agenda: error: more than 1000000 entries in the window; the listing ends with "
    let isCut = hostile.event.contains("P36500D")
    #expect(shown.errors.contains(end + "2026-11-29\n") == isCut, "\(shown.errors)")
    #expect(shown.errors.split(separator: "\n").count == (isCut ? 2 : 1), "\(shown.errors)")
    #expect(shown.status == (isCut ? .failed : .done))
    #expect(shown.errors.contains("VEVENT h1: "))
    #expect(shown.errors.contains(hostile.warning))
    #expect(shown.errors.hasPrefix("\(file):\(hostile.line): "), "\(shown.errors)")
    let several = fixture.run(["show", "--once", try write(hostile, copies: 3)[0], "-f", "tsv"])
    #expect(several.errors.contains("(3 times)\n"), "\(several.errors)")
  }

  /// A text, with characters that formats escape, and the property of an event that has it.
  private static let longTexts: [String] = {
    let text = String(repeating: "Word <&\"'*_[|` ", count: 200)
    let address = "https://example.com/" + String(repeating: "a'(\"ü", count: 500)
    return [
      "SUMMARY:\(text)", "SUMMARY:x\nLOCATION:\(text)", "SUMMARY:x\nDESCRIPTION:\(text)",
      "SUMMARY:x\nURL:\(address)", "SUMMARY:x\nCONFERENCE;VALUE=URI:\(address)",
      "SUMMARY:x\nCATEGORIES:\(text)",
      "SUMMARY:x\nCATEGORIES:" + (0..<500).map { "c\($0)" }.joined(separator: ","),
      "SUMMARY:x\nORGANIZER:mailto:\(String(repeating: "x", count: 3000))@example.com",
      "SUMMARY:x\nATTENDEE;CN=\"\(String(repeating: "Bo ", count: 1000))\":mailto:bo@example.com",
      "SUMMARY:x" + (0..<100).map { "\nATTENDEE:mailto:\($0)@example.com" }.joined(),
      "SUMMARY:x\nATTACH:\(address)",
      "SUMMARY:x" + (0..<100).map { "\nATTACH:https://example.com/\($0)" }.joined(),
      "SUMMARY:x\nX-UNKNOWN:\(text)", "SUMMARY:x",
    ]
  }()

  @Test(
    "no text makes a listing larger than its entries may be",
    arguments: [
      ["-f", "text"], ["-f", "text", "--zones"], ["-f", "markdown"],
      ["-f", "markdown", "--also", "Asia/Tokyo"], ["-f", "html"], ["-f", "json"], ["-f", "jsonl"],
      ["-f", "tsv"], ["-f", "csv"], ["-f", "json", "--group-by", "category"],
      ["--group-by", "location"], ["--template", "{title} {description} {url}{location}{url}"],
    ])
  func longTexts(options: [String]) throws {
    let zone = String(repeating: "Zone", count: 500)
    let own = """
      BEGIN:VTIMEZONE
      TZID:\(zone)
      BEGIN:STANDARD
      DTSTART:19700101T000000
      TZOFFSETFROM:+0500
      TZOFFSETTO:+0530
      END:STANDARD
      END:VTIMEZONE
      """
    let often = "DURATION:PT1S\nRRULE:FREQ=SECONDLY"
    for text in Self.longTexts + [zone] {
      let event =
        text == zone
        ? event("z", "SUMMARY:x", "DTSTART;TZID=\(zone):20261121T000000", often)
        : event("z", text, "DTSTART:20261121T000000Z", often)
      try fixture.write("long.ics", calendar([own, event]))
      let most = 4_000
      let run = fixture.run(
        ["show", fixture.path("long.ics"), "--days", "1"] + options, mostEntries: most)
      #expect(run.errors.contains("the listing ends during its first day"), "\(text.prefix(30))")
      #expect(run.status == .failed)
      // The first entries of each event have no limit, and categories have headings.
      let first = 64 * 6 * 4_000 + 100_000
      #expect(
        run.output.utf8.count < most * 450 + first,
        "\(options) \(text.prefix(30)): \(run.output.utf8.count)")
      #expect(!run.output.isEmpty)
    }
  }

  @Test("next lists the next occurrences of events that have thousands of earlier ones on that day")
  func next() throws {
    let secondly = (1...40).map {
      "BEGIN:VEVENT\nUID:s\($0)\nSUMMARY:Tick\nDTSTART:19700101T000000Z\nRRULE:FREQ=SECONDLY\n"
        + "END:VEVENT\n"
    }
    try fixture.write("ticks.ics", "BEGIN:VCALENDAR\n\(secondly.joined())END:VCALENDAR\n")
    let file = fixture.path("ticks.ics")
    let shown = fixture.run(["next", "5", file, "-f", "tsv"], mostEntries: 10_000)
    let rows = shown.output.split(separator: "\n").dropFirst()
    #expect(rows.count == 5)
    #expect(rows.allSatisfy { $0.contains("2026-11-21T09:00:00+01:00") }, "\(shown.output)")
    // The limit of the command ends the listing first.
    #expect(shown.errors.isEmpty && shown.status == .done, "\(shown.errors)")
    let all = fixture.run(
      ["show", "--days", "2", "--once", file, "-f", "json"], mostEntries: 10_000)
    let message =
      "more than 10000 entries in the window; the listing ends during its first day, 2026-11-21"
    #expect(all.errors == "agenda: error: \(message)\n")
    #expect(all.output.contains("the listing ends during its first day, 2026-11-21"))
    #expect(all.status == .failed)
  }

  // Checks Decisions: Recurrence/14
  @Test("many long events end the listing with the last complete day, from files and the store")
  func manyLongEvents() throws {
    let count = 2_800
    let long = (1...count).map {
      event("h\($0)", "SUMMARY:Long \($0)", "DTSTART:20000101T100000Z", "DURATION:P36500D")
    }
    let short = event(
      "o", "SUMMARY:Short", "DTSTART;VALUE=DATE:20270101", "DTEND;VALUE=DATE:20270301")
    let late = event("l", "SUMMARY:Late", "DTSTART;VALUE=DATE:20271113")
    try fixture.write("long.ics", calendar(long + [short, late]))
    let show = ["show", "--once", "-f", "tsv"]
    let shown = fixture.run(show + [fixture.path("long.ics")])
    let titles = Set(
      shown.output.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: "\t").last { $0.hasPrefix("Long ") || $0 == "Short" || $0 == "Late" }
      })
    #expect(titles.count == count + 1 && !titles.contains("Late"))
    // 357 days of 2,800 entries.
    #expect(
      shown.errors == "agenda: error: more than 1000000 entries in the window; "
        + "the listing ends with 2027-11-12\n")
    #expect(shown.status == .failed)
    #expect(fixture.run(["import", fixture.path("long.ics")], isPinned: false).status == .done)
    let stored = fixture.run(show)
    #expect(stored.output == shown.output && stored.errors == shown.errors)
  }

  @Test(
    "thousands of completed series of tasks are passed over, but not their open occurrences",
    .timeLimit(.minutes(3)))
  func completedTasks() throws {
    // Going through the completed occurrences of each would take far longer than the limit.
    let series = [
      "DTSTART:20200101T100000Z", "DUE:20200101T100030Z", "RRULE:FREQ=MINUTELY",
      "STATUS:COMPLETED",
    ]
    var tasks = (1...1500).map { number in
      Self.task("t\(number)", series)
    }
    tasks.append(Self.task("past", series))
    tasks.append(
      Self.task(
        "past",
        ["RECURRENCE-ID:20240101T100000Z", "DTSTART:20240101T100000Z", "SUMMARY:Forgotten"]))
    tasks.append(Self.task("coming", series))
    tasks.append(
      Self.task(
        "coming",
        ["RECURRENCE-ID:20360101T100000Z", "DTSTART:20360101T100000Z", "SUMMARY:In ten years"]))
    tasks.append(
      Self.task(
        "open",
        [
          "DTSTART:20261222T100000Z", "DUE:20261222T100001Z", "RRULE:FREQ=SECONDLY",
          "SUMMARY:Every second",
        ]))
    try fixture.write("tasks.ics", calendar(tasks))
    let expected = [
      "2026-12-22T11:00:01+01:00 Every second", "2036-01-01T11:00:00+01:00 In ten years",
    ]
    let file = fixture.path("tasks.ics")
    #expect(fixture.run(["import", file], isPinned: false).status == .done)
    for sources in [[file], []] {
      let found = fixture.run(["tasks"] + sources + ["-f", "tsv"])
      let rows = found.output.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      let header = try #require(rows.first)
      let due = try #require(header.firstIndex(of: "due"), "\(header)")
      let title = try #require(header.firstIndex(of: "title"))
      #expect(rows.dropFirst().map { "\($0[due]) \($0[title])" } == expected)
    }
  }

  private static func task(_ uid: String, _ lines: [String]) -> String {
    (["BEGIN:VTODO", "UID:\(uid)"] + lines + ["END:VTODO"]).joined(separator: "\n") + "\n"
  }
}
