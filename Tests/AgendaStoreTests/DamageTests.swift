import AgendaCore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

/// A small store with something in every table, each byte of which is flipped in turn.
@Suite struct DamageTests {
  private static let rounds = TestSettings.rounds

  private static func text(version: Int) -> String {
    calendar(
      event(
        "a", "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Europe/Berlin:20261124T100000",
        "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=9", "EXDATE;TZID=Europe/Berlin:20261201T100000",
        "SUMMARY:Weekly \(version)", "LOCATION:Room 1", "CATEGORIES:team,plan",
        "ATTENDEE;CN=Ana;PARTSTAT=ACCEPTED:mailto:ana@example.com", "GEO:52.5;13.4"),
      event(
        "a", "RECURRENCE-ID;TZID=Europe/Berlin:20261208T100000",
        "DTSTART;TZID=Europe/Berlin:20261209T110000", "SUMMARY:Moved"),
      event(
        "b", "DTSTART:20261125T100000Z", "SUMMARY:Picture", "DESCRIPTION:Some words",
        PictureSample.line(PictureSample.png(4, 2), mediaType: "image/png")
          .replacingOccurrences(of: "\r\n", with: "\n")),
      event("c", "DTSTART:20261131T100000Z"),
      event("d-\(version)", "DTSTART;TZID=Own:20261126T100000", "SUMMARY:Own zone"),
      "BEGIN:VTODO\nUID:t\nDUE;VALUE=DATE:20261127\nSUMMARY:Task\nEND:VTODO",
      "BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
        + "TZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nEND:STANDARD\nEND:VTIMEZONE",
      properties: "X-WR-CALNAME:Work\nCOLOR:red")
  }

  /// A store that was moved, undone and searched.
  private static func fill(_ session: StoreSession) throws {
    let store = try session.store()
    // So small that its pages overflow, split and lie on each other, and the file is soon gone through.
    try store.connection.run("PRAGMA page_size = 512")
    try store.connection.run("VACUUM")
    func importing(_ version: Int, into name: String) throws {
      try session.importing(
        Array(text(version: version).utf8), as: "/calendars/a.ics", calendar: name,
        color: "red", into: store)
    }
    try importing(0, into: "first")
    try importing(1, into: "work")
    let thumbnail = StoredThumbnail.made(
      picture: "0123456789abcdef0123456789abcdef", format: 1, bytes: PictureSample.png(2, 1))
    try store.keep(store.pendingPictures().map { ($0, thumbnail) })
    try importing(2, into: "work")
    _ = try session.undo()
    _ = try store.events(withWords: ["room"])
  }

  /// All that commands print of a store, as one number.
  private static func printed(_ session: StoreSession) throws -> Int {
    var digest = ContentDigest(key: 1)
    for line in try session.printed() { digest.add(line) }
    let store = try session.store()
    let events = try session.events()
    for change in try session.sourceChanges() { digest.add("\(change)") }
    for finding in events.findings { digest.add("\(finding)") }
    for (name, color) in try store.calendarColors().sorted(by: { $0.key < $1.key }) {
      digest.add("\(name) \(color)")
    }
    for event in try store.allEvents() {
      digest.add("\(events.place(of: event.reference)?.name ?? "")")
      digest.add("\(events.lines(of: event.reference).map { "\($0)" } ?? "")")
      for attachment in events.details(of: event.reference).attachments {
        digest.add(
          "\(events.attachmentBytes(of: event.reference, number: attachment.number) ?? [])")
        let picture = StoredPicture(
          component: event.reference.component, number: attachment.number)
        digest.add("\(try store.thumbnail(of: picture))")
      }
    }
    let days = Instant(secondsSinceEpoch: 1_795_000_000)..<Instant(secondsSinceEpoch: 1_796_000_000)
    for number in 0..<3 {
      let day = days.lowerBound.adding(seconds: (number + 2) * 86_400)
      digest.add(
        "\(try store.events(touching: day..<day.adding(seconds: 86_400), viewer: .utc).map(\.title).sorted())"
      )
    }
    for words in ["weekly", "moved", "room", "ana", "picture", "words", "own", "task", "team"] {
      digest.add("\(try store.events(withWords: [words]).map(\.title))")
    }
    return digest.value
  }

  @Test("if a flipped byte of a store changes the output, doctor finds it")
  func flippedBytes() throws {
    let session = try StoreSession()
    try Self.fill(session)
    let file = URL(fileURLWithPath: session.path)
    let whole = [UInt8](try Data(contentsOf: file))
    let printed = try Self.printed(session)
    #expect([UInt8](try Data(contentsOf: file)) == whole)
    // Each byte once, each time with another bit; with rounds every byte.
    let step = Self.rounds > 1 ? 1 : 397
    var undetected: [Int] = []
    var refused = 0
    var different = 0
    for offset in stride(from: 0, to: whole.count, by: step) {
      var bytes = whole
      bytes[offset] ^= UInt8(1) << UInt8(offset / step % 8)
      try Data(bytes).write(to: file)
      guard let found = try? Self.printed(session) else {
        refused += 1
        continue
      }
      if found == printed { continue }
      different += 1
      // As it was: a search may have written to it.
      try Data(bytes).write(to: file)
      // As doctor opens it.
      let problems =
        (try? Store.open(reading: session.path)?.health().problems)
        ?? ["unreadable"]
      if problems.isEmpty { undetected.append(offset) }
    }
    print("flipped \(whole.count / step): \(different) printed differently, \(refused) refused")
    #expect(undetected == [])
    #expect(different > 0)
    #expect(refused > 0)
  }

  @Test("a column whose name has another letter case is still found")
  func letterCaseOfColumns() throws {
    let session = try StoreSession()
    try Self.fill(session)
    let printed = try Self.printed(session)
    let file = URL(fileURLWithPath: session.path)
    var bytes = try Data(contentsOf: file)
    let name = try #require(bytes.range(of: Data("touched_days ".utf8)))
    bytes[name.lowerBound] ^= 0x20
    try bytes.write(to: file)
    #expect(try Self.printed(session) == printed)
  }
}
