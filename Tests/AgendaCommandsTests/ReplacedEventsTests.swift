import TestSupport
import Testing

@testable import AgendaCommands

/// Some programmes use one UID for everything. If they change the stamp of one event, the others
/// look like earlier versions of it.
@Suite("events that a newer one with their UID replaces")
struct ReplacedEventsTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static func calendar(_ events: [String]) -> String {
    "BEGIN:VCALENDAR\nX-WR-CALNAME:c\n\(events.joined())END:VCALENDAR\n"
  }

  private static func talk(_ title: String, _ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:u", "DTSTART:20261124T090000Z", "SUMMARY:\(title)"] + lines
      + ["END:VEVENT", ""]).joined(separator: "\n")
  }

  private static let earlier = "DTSTAMP:20261101T000000Z"
  private static let talks = (0..<3).map { talk("Talk \($0)", earlier) }

  /// The warnings about replaced events.
  private func warnings(_ arguments: [String]) -> [Substring] {
    let run = fixture.run(arguments, isPinned: arguments[0] != "import")
    return (run.output + run.errors).split(separator: "\n").filter {
      $0.contains("they are not shown")
    }
  }

  @Test(
    "a warning lists different events that one newer event replaces",
    arguments: [
      (
        "DTSTAMP:20261101T000001Z",
        "DTSTAMP: is later than that of 3 different events with the same UID and start"
      ),
      ("SEQUENCE:1", "SEQUENCE: is higher than that of 3 different events with the same UID"),
    ])
  func replaced(_ line: String, _ words: String) throws {
    let newer = Self.talk("Talk 3", line)
    try fixture.write("all.ics", Self.calendar(Self.talks + [newer]))
    try fixture.write("folder/old.ics", Self.calendar(Self.talks))
    try fixture.write("folder/new.ics", Self.calendar([newer]))
    let files = ["old", "new"].map { fixture.path("folder/\($0).ics") }
    for command in ["check", "show", "import"] {
      let all = warnings([command, fixture.path("all.ics")])
      #expect(all.count == 1 && all[0].contains("\(words) (lines 3, 9, 15)"), "\(command) \(all)")
      let folder = warnings([command, fixture.path("folder")])
      #expect(folder.count == 1 && folder[0].contains(words), "\(command) \(folder)")
    }
    // Without --calendar, these are two calendars.
    #expect(warnings(["check"] + files).isEmpty)
    #expect(warnings(["check", "--calendar", "c"] + files).count == 1)
    for (number, order) in [files, files.reversed()].enumerated() {
      let store = ["--store", fixture.path("\(number).sqlite")]
      #expect(warnings(fixture.importing(order[0]) + store).isEmpty)
      #expect(warnings(fixture.importing(order[1]) + store).count == 1)
    }
  }

  @Test("no warning if every event has a newer version, or if they are versions of one event")
  func complete() throws {
    let newer = (0..<3).map { Self.talk("Talk \($0)", "DTSTAMP:20261102T000000Z") }
    try fixture.write("updated.ics", Self.calendar(Self.talks + newer))
    let versions = (0..<4).map { Self.talk("Talk", "DTSTAMP:2026110\($0 + 1)T000000Z") }
    try fixture.write("versions.ics", Self.calendar(versions))
    for name in ["updated", "versions"] {
      #expect(warnings(["check", fixture.path("\(name).ics")]).isEmpty, "\(name)")
    }
  }

  @Test("undo reports an event that was added and answered by one import once")
  func undo() throws {
    let invited = "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:a@example.com"
    try fixture.write("event.ics", Self.calendar([Self.talk("Talk", Self.earlier, invited)]))
    let reply = Self.calendar([
      Self.talk("Talk", Self.earlier, invited.replacing("NEEDS-ACTION", with: "ACCEPTED"))
    ])
    try fixture.write("reply.ics", reply.replacing("X-WR", with: "METHOD:REPLY\nX-WR"))
    for name in ["reply", "event"] {
      let run = fixture.run(["import", fixture.path("\(name).ics")], isPinned: false)
      #expect(run.status == .done)
    }
    #expect(fixture.run(["undo"], isPinned: false).output.hasSuffix("\nc: 1 entry removed\n"))
  }
}
