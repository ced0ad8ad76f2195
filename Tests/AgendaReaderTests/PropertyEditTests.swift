import AgendaCore
import AgendaReader
import CivilTime
import Foundation
import ICalendar
import TestSupport
import Testing

@Suite("Edits of properties")
struct PropertyEditTests {
  private static let text = """
    BEGIN:VEVENT
    UID:1
    SUMMARY:one
      and a fold
    x-odd;A="b:c":\\odd\t
    ATTENDEE:mailto:ana@example.com
    ATTENDEE:mailto:bo@example.com
    ATTENDEE:mailto:cy@example.com
    SEQUENCE:4
    BEGIN:VALARM
    SUMMARY:of the alarm
    END:VALARM
    END:VEVENT

    """

  private func edit(_ name: String, _ lines: String...) throws -> PropertyEdit {
    try #require(PropertyEdit(name, lines: lines.map { Array($0.utf8) }))
  }

  private func apply(_ edits: PropertyEdit..., to text: String = Self.text) -> String {
    String(decoding: ComponentText(Array(text.utf8)).applying(edits), as: UTF8.self)
  }

  @Test("a changed property takes the place of the old one and has its line end")
  func change() throws {
    #expect(
      apply(try edit("SUMMARY", "SUMMARY:two"))
        == Self.text.replacing("SUMMARY:one\n  and a fold\n", with: "SUMMARY:two\n"))
    #expect(
      apply(try edit("SUMMARY", "SUMMARY:two"), to: Self.text.replacing("\n", with: "\r\n"))
        .contains("UID:1\r\nSUMMARY:two\r\nx-odd"))
    #expect(
      apply(try edit("X-ODD", "X-ODD:even"))
        == Self.text.replacing("x-odd;A=\"b:c\":\\odd\t\n", with: "X-ODD:even\n"))
  }

  @Test("of several lines of a property only those that change are written")
  func several() throws {
    let changed = apply(
      try edit(
        "ATTENDEE", "ATTENDEE:mailto:ana@example.com",
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com", "ATTENDEE:mailto:cy@example.com"))
    #expect(
      changed
        == Self.text.replacing("ATTENDEE:mailto:bo", with: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo"))
    #expect(
      apply(try edit("ATTENDEE", "ATTENDEE:mailto:cy@example.com"))
        == Self.text.replacing("ATTENDEE:mailto:ana@example.com\n", with: "")
        .replacing("ATTENDEE:mailto:bo@example.com\n", with: ""))
  }

  @Test("a new property goes before the alarms, and a removed one leaves nothing")
  func newAndRemoved() throws {
    #expect(
      apply(try edit("LOCATION", "LOCATION:Room 2"))
        == Self.text.replacing("BEGIN:VALARM", with: "LOCATION:Room 2\nBEGIN:VALARM"))
    #expect(
      apply(try edit("SUMMARY")) == Self.text.replacing("SUMMARY:one\n  and a fold\n", with: ""))
    let raw = Self.text.replacing(
      "SUMMARY:one\n", with: "DESCRIPTION:a\n\n- raw line\nSUMMARY:one\n")
    #expect(apply(try edit("DESCRIPTION"), to: raw) == Self.text)
  }

  @Test("an edit that changes nothing keeps every byte, also DTSTAMP and SEQUENCE")
  func nothing() throws {
    let edits = [try edit("SUMMARY", "SUMMARY:one and a fold"), try edit("URL")]
    let text = ComponentText(Array(Self.text.utf8))
    #expect(text.revised(edits, stamp: "20261122T093000Z") == text.bytes)
  }

  // Checks RFC 5546: 2.1.4/1, 2.1.4/3
  @Test(
    "SEQUENCE grows with each property that RFC 5546 lists, and with no other one",
    arguments: [
      ("DTSTART:20261124T093000Z", true), ("DTEND:20261124T103000Z", true),
      ("DURATION:PT3H", true), ("DUE:20261124T103000Z", true), ("RRULE:FREQ=DAILY", true),
      ("RDATE:20261125T090000Z", true), ("EXDATE:20261125T090000Z", true),
      ("STATUS:CANCELLED", true), ("LOCATION:Room 2", false), ("DESCRIPTION:Other", false),
      ("PRIORITY:1", false),
    ])
  func significant(_ line: String, _ isSignificant: Bool) throws {
    let name = String(line.prefix { $0 != ":" })
    let edit = try #require(PropertyEdit(name, lines: [Array(line.utf8)]))
    let bytes = ComponentText(Array(Self.text.utf8)).revised([edit], stamp: "20261122T093000Z")
    let sequence = ComponentText(bytes).own("SEQUENCE").map {
      String(decoding: $0.content, as: UTF8.self)
    }
    #expect(sequence == [isSignificant ? "SEQUENCE:5" : "SEQUENCE:4"])
  }

  // Checks RFC 5545: 3.8.7.4/1
  @Test("SEQUENCE grows where people are invited and the time or status changed")
  func sequence() throws {
    func sequence(_ edit: PropertyEdit, _ text: String, raises: Bool = true) -> String? {
      let bytes = ComponentText(Array(text.utf8)).revised(
        [edit], stamp: "20261122T093000Z", raisesSequence: raises)
      #expect(ComponentText(bytes).own("DTSTAMP").map(\.content).count == 1)
      return ComponentText(bytes).own("SEQUENCE").last.map {
        String(decoding: $0.content, as: UTF8.self)
      }
    }
    let time = try edit("DTSTART", "DTSTART:20261124T093000Z")
    #expect(sequence(time, Self.text) == "SEQUENCE:5")
    #expect(sequence(time, Self.text, raises: false) == "SEQUENCE:4")
    #expect(sequence(try edit("SUMMARY", "SUMMARY:two"), Self.text) == "SEQUENCE:4")
    let alone = Self.text.replacing("ATTENDEE", with: "X-PERSON")
    #expect(sequence(time, alone) == "SEQUENCE:4")
    #expect(sequence(time, Self.text.replacing("SEQUENCE:4\n", with: "")) == "SEQUENCE:1")
  }

  // Checks RFC 5545: 3.3.11/1
  @Test("an edit that would add a line or another property is refused")
  func injection() {
    for line in ["SUMMARY:a\nATTACH:b", "SUMMARY:a\rb", "SUMMARYX:a", "ATTACH:a", "SUMMARY"] {
      #expect(PropertyEdit("SUMMARY", lines: [Array(line.utf8)]) == nil)
    }
    #expect(PropertyEdit("SUMMARY", text: "a\u{1b}[31m") == nil)
    #expect(PropertyEdit("SUMMARY", text: "a\nb\r\nc")?.lines == [Array("SUMMARY:a\\nb\\nc".utf8)])
  }

  @Test("random edits of the fixtures read back and change no other line")
  func randomEdits() throws {
    var random = SeededGenerator(seed: 12)
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    let files = ["calendars", "quirks", "comparison"].flatMap { folder in
      let url = Repository.fixtures.appendingPathComponent(folder)
      let found = try? FileManager.default.contentsOfDirectory(
        at: url, includingPropertiesForKeys: nil)
      return (found ?? []).filter { $0.pathExtension == "ics" }
    }.sorted { $0.path < $1.path }
    var editCount = 0
    for _ in 0..<200 * TestSettings.rounds {
      let url = try #require(files.randomElement(using: &random))
      let source = SourceBytes(try Data(contentsOf: url))
      guard let file = try? reader.read(source, name: "test"), file.eventCount > 0 else { continue }
      let number = file.firstComponent + .random(in: 0..<file.eventCount, using: &random)
      let old = try #require(file.withComponent(number) { Array($0) })
      // Texts in quoted-printable and lines that two characters split are for the reader's tests.
      guard !String(decoding: old, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE"),
        let title = ["Lunch, with; Ana\\", "ü — 漢字 🎉", String(repeating: "é", count: 100)]
          .randomElement(using: &random),
        let summary = PropertyEdit("SUMMARY", text: title),
        let location = PropertyEdit("LOCATION", text: Bool.random(using: &random) ? "Room 2" : nil)
      else { continue }
      let new = ComponentText(old).applying([summary, location])
      #expect(Self.otherLines(new) == Self.otherLines(old), "\(url.lastPathComponent)")
      guard let edited = file.splicing([number: new], into: source) else { continue }
      #expect(edited.count - source.count == new.count - old.count)
      let again = try reader.read(SourceBytes(edited), name: "test")
      #expect(again.eventCount == file.eventCount)
      let event = try #require(again.events(withNumber: number))
      #expect(event.title == title, "\(url.lastPathComponent)")
      #expect(event.location == (location.lines.isEmpty ? nil : "Room 2"))
      // A zone of the file's own is another object in each reading.
      let (start, oldStart) = (event.start, file.events(withNumber: number)?.start)
      #expect(start?.civil == oldStart?.civil && start?.zone?.name == oldStart?.zone?.name)
      editCount += 1
    }
    #expect(editCount > 100)
  }

  @Test("a removed component takes its line with it, and its neighbours stay as they are")
  func removal() throws {
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    func event(_ uid: Int) -> String {
      "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:20261124\r\nEND:VEVENT\r\n"
    }
    func calendar(_ events: String) -> String {
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events)END:VCALENDAR\r\n"
    }
    let source = SourceBytes(calendar(event(1) + event(2) + event(3)))
    let file = try reader.read(source, name: "test")
    let edited = try #require(file.splicing([file.firstComponent + 1: []], into: source))
    #expect(String(decoding: edited, as: UTF8.self) == calendar(event(1) + event(3)))
    #expect(file.splicing([file.firstComponent + 3: []], into: source) == nil)
  }

  /// The physical lines of everything but the component's own SUMMARY and LOCATION, by a walk that
  /// shares nothing with the code under test.
  private static func otherLines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var depth = 0
    var isEdited = false
    let physical = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .flatMap { $0.split(separator: 0x0D) }
    for line in physical {
      let text = String(decoding: line, as: UTF8.self).uppercased()
      if text.hasPrefix("BEGIN:") { depth += 1 }
      let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
      let rest = text.dropFirst(name.count).drop { $0 == " " }
      let hasExplicitName = !name.isEmpty && (rest.first == ":" || rest.first == ";")
      if hasExplicitName { isEdited = depth == 1 && ["SUMMARY", "LOCATION"].contains(name) }
      if !isEdited { lines.append(Array(line)) }
      if text.hasPrefix("END:") { depth -= 1 }
    }
    return lines
  }
}

extension CalendarFile {
  fileprivate func events(withNumber number: Int) -> Event? {
    allEvents.first { $0.reference.component == number }
  }
}
