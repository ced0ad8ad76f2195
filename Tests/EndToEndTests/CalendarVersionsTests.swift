import Foundation
import TestSupport
import Testing

/// Versions of one event in several sources of a calendar, on the built program.
@Suite("versions in several sources of a calendar")
struct CalendarVersionsTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      "old.ics",
      calendar(
        Self.event("review", sequence: 0, "DTSTART:20261201T100000Z", "SUMMARY:Review"),
        Self.event(
          "daily", sequence: 0, "DTSTART:20261207T090000Z", "RRULE:FREQ=DAILY;COUNT=3",
          "SUMMARY:Daily")))
    try folder.write(
      "new.ics",
      calendar(
        Self.event("review", sequence: 1, "DTSTART:20261203T140000Z", "SUMMARY:Review\\, moved"),
        Self.event(
          "daily", sequence: 0, "RECURRENCE-ID:20261208T090000Z", "DTSTART:20261208T150000Z",
          "SUMMARY:Daily\\, later")))
    try folder.write(
      "copy.ics",
      calendar(
        Self.event("review", sequence: 1, "DTSTART:20261203T140000Z", "SUMMARY:Review\\, moved")))
  }

  private static func event(_ uid: String, sequence: Int, _ lines: String...) -> String {
    component("VEVENT", uid, ["SEQUENCE:\(sequence)"] + lines)
  }

  private func shown(_ sources: [String], store: String) throws -> [String] {
    try AgendaRun(
      ["show", "--days", "60", "-f", "tsv"] + sources + AgendaRun.pinned,
      environment: ["AGENDA_STORE": folder.url.appendingPathComponent(store).path], in: folder.url
    ).rows.map { "\($0["start"] ?? "?") \($0["title"] ?? "?") \($0["id"] ?? "?")" }
  }

  private func agenda(_ arguments: [String], store: String) throws -> AgendaRun {
    try AgendaRun(
      arguments + ["--now", "2026-11-21T09:00:00+01:00"],
      environment: ["AGENDA_STORE": folder.url.appendingPathComponent(store).path], in: folder.url)
  }

  /// One occurrence of a daily series at 10:00 in Berlin.
  private static let forms = [
    "RECURRENCE-ID;TZID=Europe/Berlin:20261208T100000", "RECURRENCE-ID:20261208T090000Z",
    "RECURRENCE-ID;VALUE=DATE:20261208", "RECURRENCE-ID:20261208T100000",
  ]

  @Test("a newer override counts as an update, in whatever form it names its occurrence")
  func forms() throws {
    let series = Self.event(
      "s", sequence: 0, "DTSTART;TZID=Europe/Berlin:20261207T100000", "RRULE:FREQ=DAILY;COUNT=3",
      "SUMMARY:Daily")
    let overrides = Self.forms.enumerated().map { number, form in
      Self.event(
        "s", sequence: number, form, "DTSTART;TZID=Europe/Berlin:20261208T1\(number)0000",
        "SUMMARY:Later \(number)")
    }
    func counts(_ output: String) -> String {
      String(output.split(separator: "\n").last?.split(separator: ":").last ?? "")
    }
    // One file that grows, and one in which the override changes.
    for keepsOlder in [true, false] {
      let store = "store\(keepsOlder)"
      for number in overrides.indices {
        let present = overrides[(keepsOlder ? 0 : number)...number]
        try folder.write("one.ics", calendar([series] + present))
        let imported = try agenda(["import", "one.ics", "--calendar", "c"], store: store)
        let older = keepsOlder && number > 0 ? ", \(number) superseded" : ""
        #expect(
          counts(imported.output)
            == (number == 0 ? " 2 added" : " 1 updated, 1 unchanged\(older)"))
      }
    }
    // Several files.
    try folder.write("series.ics", calendar(series))
    var files = ["series.ics"]
    #expect(try agenda(["import", "series.ics", "--calendar", "c"], store: "files").status == 0)
    for (number, override) in overrides.enumerated() {
      files.append("\(number).ics")
      try folder.write("\(number).ics", calendar(override))
      let imported = try agenda(["import", "\(number).ics", "--calendar", "c"], store: "files")
      #expect(counts(imported.output) == (number == 0 ? " 1 added" : " 1 updated"))
    }
    // All of them in one import count the same.
    let together = try agenda(["import", "--calendar", "c"] + files, store: "together").output
    #expect(
      together.split(separator: "\n").map { counts(String($0)) }
        == [" 1 added", " 1 added", " 1 updated", " 1 updated", " 1 updated"])
    for store in ["files", "together"] {
      let again = try agenda(["import", "--calendar", "c"] + files, store: store).output
      let expected =
        [" 1 unchanged"] + Array(repeating: " 1 superseded", count: 3) + [" 1 unchanged"]
      #expect(again.split(separator: "\n").map { counts(String($0)) } == expected, "\(again)")
    }
  }

  // Checks Decisions: Importing/8
  @Test("the newest version is shown, in any order of the sources")
  func order() throws {
    let files = ["old.ics", "new.ics", "copy.ics"]
    let expected = [
      "2026-12-03T15:00:00+01:00 Review, moved", "2026-12-07T10:00:00+01:00 Daily",
      "2026-12-08T16:00:00+01:00 Daily, later", "2026-12-09T10:00:00+01:00 Daily",
    ]
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for (number, order) in orders.enumerated() {
      let sources = order.map { files[$0] }
      let store = "store\(number)/agenda.sqlite"
      let imported = try agenda(["import", "--calendar", "mail"] + sources, store: store)
      #expect(imported.status == 0, "\(imported.errors)")
      let fromStore = try shown([], store: store)
      #expect(fromStore.map { String($0.dropLast(9)) } == expected, "\(sources)")
    }
  }

  // Checks Decisions: Importing/11
  @Test("after its source is removed, the version of another source is shown again")
  func removal() throws {
    let store = "agenda.sqlite"
    _ = try agenda(["import", "--calendar", "mail", "old.ics", "new.ics"], store: store)
    #expect(try shown([], store: store).contains { $0.contains("Review, moved") })
    try agenda(["remove", "--source", "new.ics"], store: store).expect(
      0, output: "removed new.ics: 2 entries; agenda undo brings it back\n")
    #expect(try shown([], store: store) == shown(["old.ics"], store: "none"))
    _ = try agenda(["undo"], store: store)
    #expect(try shown([], store: store).contains { $0.contains("Review, moved") })
    try agenda(["remove", "--source", "other.ics"], store: store).expect(
      1, output: "",
      errors: "agenda: unknown source \"other.ics\"; agenda calendars lists what is in the store\n")
  }

  @Test("answers to an invitation are not events: they count as unchanged, and check notes them")
  func answers() throws {
    let invitation = calendar(
      "METHOD:REQUEST",
      Self.event("review", sequence: 0, "DTSTART:20261201T100000Z", "SUMMARY:Review"))
    let store = "agenda.sqlite"
    for method in ["REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER"] {
      // A reply repeats little of the event.
      let answer = calendar(
        "METHOD:\(method)",
        Self.event("review", sequence: 1, "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.org"))
      try folder.write("\(method).ics", invitation + answer)
      let imported = try agenda(
        ["import", "--calendar", "mail", "\(method).ics"], store: store)
      #expect(imported.status == 0, "\(imported.errors)")
      // All of them have the same invitation.
      let counts = method == "REPLY" ? "1 added, 1 unchanged" : "1 unchanged, 1 superseded"
      #expect(imported.output == "\(method).ics: 2 components, calendar mail: \(counts)\n")
      #expect(!imported.errors.contains("note"))
      let checked = try agenda(["check", "--calendar", "mail", "\(method).ics"], store: store)
      let note =
        method == "REPLY"
        ? "17: note: VEVENT review: METHOD: REPLY from a person whom the event does not list; ignored"
        : "13: note: VCALENDAR: METHOD: \(method) messages do not change events; ignored"
      #expect(checked.output.contains("\(method).ics:\(note)\n"), "\(checked.output)")
      #expect(checked.output.hasSuffix("1 to add, 1 unchanged\n"))
    }
    #expect(try shown([], store: store).count == 1)
    #expect(try shown(["REPLY.ics"], store: "none") == shown([], store: store))
  }

  /// Imports one source after the other and returns the last report, with the messages above it.
  private func imported(_ sources: [String], store: String) throws -> String {
    var last = ""
    for source in sources {
      let run = try agenda(["import", "--calendar", "mail", source], store: store)
      last = run.errors + run.output
    }
    return last
  }

  @Test("an outdated version and a copy count as superseded, and changes lists what people see")
  func counts() throws {
    let store = "agenda.sqlite"
    let new = try imported(["old.ics", "new.ics"], store: store)
    #expect(new == "new.ics: 2 components, calendar mail: 1 added, 1 updated\n")
    var changes = try agenda(["changes"], store: store).output
    #expect(
      changes == """
        mail
          moved      Review, moved: Tue, 1 Dec 2026, 11:00 → Thu, 3 Dec 2026, 15:00; also title: \
        Review → Review, moved
          moved      Daily, later: Tue, 8 Dec 2026, 10:00 → Tue, 8 Dec 2026, 16:00; also title: \
        Daily → Daily, later

        """)
    let copy = try imported(["copy.ics"], store: store)
    #expect(copy == "copy.ics: 1 component, calendar mail: 1 superseded\n")
    changes = try agenda(["changes"], store: store).output
    #expect(changes == "Nothing changed.\n")
    #expect(try agenda(["calendars"], store: store).output.hasPrefix("mail: 3 events\n"))
    _ = try agenda(["remove", "--source", "copy.ics"], store: store)
    _ = try agenda(["remove", "--source", "new.ics"], store: store)
    changes = try agenda(["changes"], store: store).output
    #expect(changes.contains("moved      Review: Thu, 3 Dec 2026, 15:00 → Tue, 1 Dec 2026, 11:00"))
    let outdated = try imported(["new.ics", "old.ics"], store: "other.sqlite")
    #expect(outdated == "old.ics: 2 components, calendar mail: 1 added, 1 superseded\n")
  }

  @Test("what one file says about its versions is corrected by another file of the calendar")
  func corrections() throws {
    try folder.write(
      "two.ics",
      calendar(
        Self.event("review", sequence: 0, "DTSTART:20261201T100000Z"),
        Self.event("review", sequence: 0, "DTSTART:20261202T100000Z")))
    let warning = "different events have the same UID"
    #expect(try imported(["two.ics"], store: "a.sqlite").contains("2 \(warning) (lines 4, 10)"))
    #expect(try !imported(["copy.ics", "two.ics"], store: "b.sqlite").contains(warning))
    let check = ["check", "--calendar", "mail"]
    #expect(try agenda(check + ["two.ics"], store: "none").output.contains(warning))
    let both = try agenda(check + ["two.ics", "copy.ics"], store: "none").output
    #expect(!both.contains(warning))
    #expect(both.contains("two.ics: 2 components, calendar mail: 2 superseded\n"))
    // The warnings of the store, which JSON has.
    _ = try imported(["copy.ics"], store: "a.sqlite")
    let shown = try agenda(["show", "-f", "json"], store: "a.sqlite").output
    #expect(!shown.contains(warning))

    try folder.write(
      "override.ics",
      calendar(
        Self.event(
          "daily", sequence: 0, "RECURRENCE-ID:20261208T090000Z", "DTSTART:20261208T150000Z",
          "RRULE:FREQ=DAILY;COUNT=2")))
    let missing = "the series with this UID is missing; read as a separate series"
    let ignored = "is in an override, which cannot repeat; ignored"
    #expect(try imported(["override.ics"], store: "c.sqlite").contains(missing))
    let second = try imported(["old.ics", "override.ics"], store: "d.sqlite")
    #expect(second.contains(ignored) && !second.contains(missing))
    let checked = try agenda(check + ["override.ics", "old.ics"], store: "none").output
    #expect(checked.contains(ignored) && !checked.contains(missing))
  }

  @Test("an override that a newer series in another source removed is reported, in any order")
  func stale() throws {
    try folder.write(
      "late.ics",
      calendar(
        Self.event(
          "daily", sequence: 2, "DTSTART:20261207T090000Z", "RRULE:FREQ=DAILY;COUNT=3",
          "EXDATE:20261208T090000Z")))
    let warning =
      "new.ics:11: warning: VEVENT daily: RECURRENCE-ID: a newer version of the series has removed"
      + " this occurrence; override not shown\n"
    #expect(try imported(["late.ics", "new.ics"], store: "a.sqlite").contains(warning))
    #expect(try imported(["new.ics", "late.ics"], store: "b.sqlite").contains(warning))
    #expect(try imported(["new.ics", "late.ics", "late.ics"], store: "c.sqlite").contains(warning))
    let checked = try agenda(
      ["check", "--calendar", "mail", "new.ics", "late.ics"], store: "none")
    #expect(checked.output.contains(warning))
  }

  @Test("a UID of two sources is reported by a dry run and a second import, and names its kind")
  func sharedUIDs() throws {
    for (name, day) in [("one", 1), ("two", 2)] {
      try folder.write(
        "\(name).ics", calendar(component("VTODO", "tax", ["DUE:2026120\(day)T100000Z"])))
    }
    let store = "agenda.sqlite"
    _ = try imported(["one.ics"], store: store)
    let warning = "two.ics:4: warning: VTODO tax: 2 different tasks have the same UID"
    for options in [["--dry-run"], [], [], ["--dry-run"]] {
      let run = try agenda(
        ["import", "--calendar", "mail", "two.ics"] + options, store: store)
      #expect(run.errors.hasPrefix(warning), "\(options)")
    }
    let both = try agenda(
      ["import", "--calendar", "mail", "one.ics", "two.ics"], store: store)
    #expect(both.errors.split(separator: "\n").count == 1)
    #expect(try agenda(["refresh"], store: store).errors == "")
    let checked = try agenda(
      ["check", "--calendar", "mail", "one.ics", "two.ics"], store: "none")
    #expect(checked.output.contains("2 different tasks have the same UID (one.ics:4, two.ics:4)"))
  }

  @Test("two sources with the same bytes are both read")
  func sameBytes() throws {
    let copy = try String(contentsOf: folder.url.appendingPathComponent("old.ics"), encoding: .utf8)
    try folder.write("same.ics", copy)
    let titles = try shown(["old.ics", "same.ics"], store: "none")
    #expect(titles.count == 2 * (try shown(["old.ics"], store: "none").count))
    let checked = try agenda(["check", "old.ics", "same.ics"], store: "none")
    #expect(checked.output.contains("same.ics: 2 components"))
  }

  // Checks Decisions: Importing/6
  @Test("across calendars a UID means nothing")
  func calendars() throws {
    let store = "agenda.sqlite"
    _ = try agenda(["import", "old.ics", "new.ics"], store: store)
    let titles = try shown([], store: store)
    #expect(titles.contains { $0.contains("Review, moved") })
    #expect(titles.contains { $0.hasPrefix("2026-12-01T11:00:00+01:00 Review ") })
    #expect(try shown(["old.ics", "new.ics"], store: "none") == titles)
  }
}
