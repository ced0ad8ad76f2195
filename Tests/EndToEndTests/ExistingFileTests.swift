import Foundation
import TestSupport
import Testing

/// What stays of a file, or of an event in two files, when agenda writes it.
@Suite("written files keep what other programs and people rely on") struct ExistingFileTests {
  private let folder: WrittenFolder

  init() throws {
    folder = try WrittenFolder()
    for name in ["work", "home"] { try folder.makeFolder(name) }
    try write(
      "home/home.ics", event("DTSTART:20260101T100000Z").replacing("UID:one", with: "UID:h"))
  }

  private func write(_ name: String, _ lines: String...) throws {
    let all =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"] + lines + ["END:VCALENDAR", ""]
    try folder.scratch.write(name, all.joined(separator: "\r\n"))
  }

  private func event(_ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:one", "DTSTAMP:20260101T000000Z"] + lines + ["END:VEVENT"])
      .joined(separator: "\r\n")
  }

  private func importing() throws {
    for name in ["work", "home"] { #expect(try folder.agenda("import", name).status == 0) }
  }

  private func id(_ words: String) throws -> String {
    try #require(try folder.rows(words).first?["id"])
  }

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.scratch.url.appendingPathComponent(name).path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func setMode(_ mode: Int, _ name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: folder.scratch.url.appendingPathComponent(name).path)
  }

  @Test(
    "an event keeps the permissions of its file when it is removed, moved or split, and after undo",
    arguments: [0o600, 0o660, 0o644])
  func permissions(_ wanted: Int) throws {
    try write(
      "work/a.ics",
      event("DTSTART:20261124T100000Z", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:Diary"))
    try setMode(wanted, "work/a.ics")
    try importing()

    #expect(try folder.agenda("remove", "--event", try id("diary"), "--all").status == 0)
    #expect(try folder.names(in: "work") == [])
    #expect(try folder.agenda("undo").status == 0)
    #expect(try mode("work/a.ics") == wanted)

    let split = try folder.agenda(
      "edit", try #require(try folder.rows("diary").last?["id"]), "--following", "--title", "Notes")
    #expect(split.status == 0, "\(split.errors)")
    let names = try folder.names(in: "work")
    #expect(names.count == 2)
    for name in names { #expect(try mode("work/\(name)") == wanted, "\(name)") }
    #expect(try folder.agenda("undo").status == 0)

    let move = try folder.agenda("edit", try id("diary"), "--calendar", "home", "--all")
    #expect(move.status == 0, "\(move.errors)")
    let moved = try #require(try folder.names(in: "home").first { $0 != "home.ics" })
    #expect(try mode("home/\(moved)") == wanted)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.names(in: "work") == ["a.ics"])
    #expect(try mode("work/a.ics") == wanted)
    #expect(try folder.storeAgrees)
  }

  // Checks RFC 5545: 3.2.19/2, 3.6.5/9
  @Test(
    "a new zone brings its VTIMEZONE, also where the event is the first component",
    arguments: [
      "DTSTART:20261124T100000Z", "DTSTART;VALUE=DATE:20261124",
      "DTSTART;TZID=Europe/Berlin:20261124T100000",
    ])
  func zone(_ start: String) throws {
    try write("work/a.ics", event(start, "SUMMARY:Call"))
    try importing()
    let edit = try folder.agenda(
      "edit", try id("call"), "--at", "2026-11-24T10:00", "--in-zone", "Asia/Tokyo")
    #expect(edit.status == 0, "\(edit.errors)")
    let text = try folder.contents("work/a.ics")
    #expect(text.contains("DTSTART;TZID=Asia/Tokyo:20261124T100000\r\n"))
    let definition = try #require(text.range(of: "BEGIN:VTIMEZONE\r\nTZID:Asia/Tokyo\r\n"))
    #expect(try definition.lowerBound < #require(text.range(of: "BEGIN:VEVENT")).lowerBound)
    #expect(try folder.agenda("undo").status == 0)
    let editor = try folder.agenda(
      "edit", try id("call"), "--editor",
      environment: [
        "VISUAL": "sed -i 's/^DTSTART.*/DTSTART;TZID=Asia\\/Tokyo:20261124T100000/'",
        "TMPDIR": folder.path,
      ])
    #expect(editor.status == 0, "\(editor.errors)")
    #expect(try folder.contents("work/a.ics").contains("\r\nTZID:Asia/Tokyo\r\n"))
  }

  // Checks RFC 5545: 3.8.7.4/1
  @Test(
    "SEQUENCE grows, also above the range of RFC 5545",
    arguments: [
      ("4000000000", "4000000001"), ("2147483647", "2147483648"), ("7", "8"),
      ("9223372036854775807", "9223372036854775807"),
    ])
  func sequence(_ old: String, _ new: String) throws {
    try write(
      "work/a.ics",
      event(
        "DTSTART:20261124T100000Z", "SUMMARY:Call", "SEQUENCE:\(old)",
        "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com"))
    try importing()
    #expect(try folder.agenda("edit", try id("call"), "--at", "2026-11-25T10:00").status == 0)
    #expect(try folder.contents("work/a.ics").contains("SEQUENCE:\(new)\r\n"))
  }

  @Test(
    "--editor does not overwrite a change that was made while the editor was open",
    arguments: ["refresh", "edit", "remove"])
  func editedMeanwhile(_ other: String) throws {
    try write("work/a.ics", event("DTSTART:20261124T100000Z", "SUMMARY:Call", "LOCATION:A"))
    try importing()
    let id = try id("call")
    let command =
      switch other {
      case "refresh":
        "sed -i s/LOCATION:A/LOCATION:B/ work/a.ics; \(AgendaRun.program.path) refresh"
      case "edit": "\(AgendaRun.program.path) edit \(id) --location B"
      default: "\(AgendaRun.program.path) remove --event \(id)"
      }
    let pinned = other == "refresh" ? [] : AgendaRun.pinned
    let script = """
      #!/bin/sh
      sed -i s/SUMMARY:Call/SUMMARY:Mine/ "$1"
      (\(command) \(pinned.joined(separator: " "))) > other.log 2>&1 || exit 9

      """
    try folder.scratch.write("editor", script)
    let run = try folder.agenda(
      "edit", id, "--editor", environment: ["VISUAL": "sh ./editor", "TMPDIR": folder.path])
    #expect(run.status == 1, "\(run)")
    if other == "remove" {
      #expect(try folder.names(in: "work") == [])
    } else {
      #expect(run.errors.contains("the event has LOCATION:B, your editor had LOCATION:A"), "\(run)")
      let text = try folder.contents("work/a.ics")
      #expect(text.contains("SUMMARY:Call\r\n") && text.contains("LOCATION:B\r\n"))
    }
    let words = run.errors.split(whereSeparator: \.isWhitespace)
    let path = try #require(words.last.map(String.init))
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("SUMMARY:Mine"), "\(run)")
  }

  @Test("--editor does not overwrite another change in the local calendar")
  func editedLocallyMeanwhile() throws {
    let added = try folder.agenda("add", "tomorrow", "9:00", "Call")
    let id = String(added.output.split(separator: " ")[1])
    let script = """
      #!/bin/sh
      sed -i s/SUMMARY:Call/SUMMARY:Mine/ "$1"
      \(AgendaRun.program.path) edit \(id) --location B \(AgendaRun.pinned.joined(separator: " "))

      """
    try folder.scratch.write("editor", script)
    let run = try folder.agenda(
      "edit", id, "--editor", environment: ["VISUAL": "sh ./editor", "TMPDIR": folder.path])
    #expect(run.status == 1 && run.errors.contains("LOCATION:B"), "\(run)")
    #expect(try folder.rows("mine").isEmpty)
    #expect(try folder.rows("call").first?["location"] == "B")
  }

  @Test("an event is removed in all of its versions, so that no import brings an older one back")
  func versions() throws {
    try write("work/a.ics", event("DTSTART:20261124T100000Z", "SUMMARY:Call", "SEQUENCE:1"))
    try write(
      "work/b.ics", event("DTSTART:20261125T100000Z", "SUMMARY:Call", "SEQUENCE:2"),
      event("DTSTART:20261123T100000Z", "SUMMARY:Call", "SEQUENCE:0"))
    let other = event("DTSTART:20261126T100000Z", "SUMMARY:Walk").replacing(
      "UID:one", with: "UID:w")
    try write("work/c.ics", other, event("DTSTART:20261125T100000Z", "SUMMARY:Call"))
    try importing()
    #expect(try folder.starts("call") == ["2026-11-25T11:00"])
    let names = try folder.names(in: "work")
    let texts = try names.map { try folder.contents("work/\($0)") }
    let run = try folder.agenda("remove", "--event", try id("call"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.names(in: "work") == ["c.ics"])
    #expect(try !folder.contents("work/c.ics").contains("UID:one"))
    #expect(try folder.storeAgrees)
    #expect(try folder.rows("call").isEmpty && folder.starts("walk") == ["2026-11-26T11:00"])
    #expect(try folder.agenda("undo").status == 0)
    #expect(try names.map { try folder.contents("work/\($0)") } == texts)
    #expect(try folder.starts("call") == ["2026-11-25T11:00"])
    #expect(try folder.storeAgrees)
  }

  @Test("the status of an event or a task must be one that it can have; completed is like done")
  func status() throws {
    let event = try folder.agenda("add", "tomorrow", "9:00", "Call").output.split(separator: " ")[1]
    let wrong = try folder.agenda("edit", String(event), "--status", "completed")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("--status: an event can be tentative, confirmed, cancelled"))
    try write(
      "work/a.ics", "BEGIN:VTODO", "UID:t", "DTSTAMP:20260101T000000Z", "SUMMARY:Pay",
      "DUE:20261124T100000Z", "PERCENT-COMPLETE:30", "END:VTODO")
    try importing()
    let id = try id("pay")
    #expect(try folder.agenda("edit", id, "--status", "confirmed").status == 2)
    #expect(try folder.agenda("edit", id, "--status", "completed").status == 0)
    let edited = try folder.contents("work/a.ics")
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.agenda("done", id).status == 0)
    func sorted(_ text: String) -> [Substring] { text.split(separator: "\r\n").sorted() }
    #expect(try sorted(edited) == sorted(folder.contents("work/a.ics")))
    #expect(edited.contains("COMPLETED:20261121T080000Z\r\n"))
  }

  // Checks RFC 5545: 3.8.2.3/1, 3.8.2.3/3, 3.8.2.3/4
  @Test(
    "--due sets the due date of a task that has none, in the form of its start",
    arguments: [
      ([String](), "DUE;TZID=Europe/Berlin:20261122T150000"),
      (["DTSTART:20261122T100000"], "DUE:20261122T150000"),
      (["DTSTART:20261122T090000Z", "DURATION:PT1H"], "DUE:20261122T140000Z"),
      (["DTSTART;TZID=Europe/Berlin:20261122T100000"], "DUE;TZID=Europe/Berlin:20261122T150000"),
    ])
  func due(_ lines: [String], _ expected: String) throws {
    let task =
      ["BEGIN:VTODO", "UID:t", "DTSTAMP:20260101T000000Z", "SUMMARY:Pay"] + lines + ["END:VTODO"]
    try write("work/a.ics", task.joined(separator: "\r\n"))
    try importing()
    let run = try folder.agenda("edit", try id("pay"), "--due", "tomorrow 15:00")
    #expect(run.status == 0, "\(run.errors)")
    let text = try folder.contents("work/a.ics")
    #expect(text.contains("\r\n\(expected)\r\n"), "\(text)")
    #expect(!text.contains("DURATION"))
    let starts = text.split(separator: "\r\n").filter {
      $0.hasPrefix("DTSTART") && !$0.contains(":19")
    }
    #expect(starts.map(String.init) == lines.filter { $0.hasPrefix("DTSTART") })
  }

  @Test("the time of an event is shown in its own zone, and then in that of the viewer")
  func zones() throws {
    func shown(_ arguments: String...) throws -> String {
      let output = try folder.agenda(["add"] + arguments).output
      return String(output.drop { $0 != ":" })
    }
    #expect(
      try shown("Flight", "--at", "2026-12-01T10:00", "--in-zone", "America/New_York")
        == ": Tuesday, 1 December 2026, 10:00–11:00 (1 h), America/New_York; "
        + "Tuesday, 1 December 2026, 16:00–17:00 (1 h), Europe/Berlin, local\n")
    #expect(
      try shown("Visit", "--at", "2026-12-01T10:00", "--in-zone", "Europe/Paris")
        == ": Tuesday, 1 December 2026, 10:00–11:00 (1 h), Europe/Paris, local\n")
  }
}
