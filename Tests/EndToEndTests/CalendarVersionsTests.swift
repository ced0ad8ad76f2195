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

  @Test("after its source is removed, the version of another source is shown again")
  func removal() throws {
    let store = "agenda.sqlite"
    _ = try agenda(["import", "--calendar", "mail", "old.ics", "new.ics"], store: store)
    #expect(try shown([], store: store).contains { $0.contains("Review, moved") })
    try agenda(["remove", "--source", "new.ics"], store: store).expect(
      0, output: "removed new.ics: 2 entries\n")
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
      #expect(
        imported.output == "\(method).ics: 2 components, calendar mail: 1 added, 1 unchanged\n")
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

  @Test("two sources with the same bytes are both read")
  func sameBytes() throws {
    let copy = try String(contentsOf: folder.url.appendingPathComponent("old.ics"), encoding: .utf8)
    try folder.write("same.ics", copy)
    let titles = try shown(["old.ics", "same.ics"], store: "none")
    #expect(titles.count == 2 * (try shown(["old.ics"], store: "none").count))
    let checked = try agenda(["check", "old.ics", "same.ics"], store: "none")
    #expect(checked.output.contains("same.ics: 2 components"))
  }

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
