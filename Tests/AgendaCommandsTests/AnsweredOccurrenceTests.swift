import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// Answers to single occurrences of a long event (RFC 5546 3.2.3): each needs an override, which says
/// what the event says.
@Suite("answered occurrences")
struct AnsweredOccurrenceTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private static let description = String(repeating: "Bring your own cup. ", count: 2_000)
  private static let answered = 200
  /// What a reply may cost in the store: its own text, its answer and some indexes, but much less than
  /// the description.
  private static let mostBytesPerReply = 8_000

  private static let series = """
    BEGIN:VCALENDAR
    METHOD:REQUEST
    X-WR-CALNAME:mail
    BEGIN:VEVENT
    UID:series
    DTSTAMP:20261101T000000Z
    DTSTART:20261201T100000Z
    DTEND:20261201T110000Z
    RRULE:FREQ=DAILY
    SUMMARY:Standup
    DESCRIPTION:\(description)
    ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com
    ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@example.com
    ATTACH;VALUE=BINARY;ENCODING=BASE64;FMTTYPE=text/plain:aGVsbG8=
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    END:VCALENDAR

    """

  private static func replies(_ count: Int) -> String {
    let first = CivilDate(year: 2026, month: 12, day: 1) ?? .first
    let dates = (0..<count).compactMap { first.adding(days: $0) }
    return """
      BEGIN:VCALENDAR
      METHOD:REPLY
      X-WR-CALNAME:mail

      """
        + dates.map {
          """
          BEGIN:VEVENT
          UID:series
          DTSTAMP:20261102T000000Z
          RECURRENCE-ID:\($0.description.filter { $0 != "-" })T100000Z
          ATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.com
          END:VEVENT

          """
        }.joined() + "END:VCALENDAR\n"
  }

  private func bytes(ofStore name: String, importing files: [String]) throws -> Int {
    for file in files {
      let run = fixture.run(
        ["import", fixture.path(file), "--store", fixture.path(name)], isPinned: false)
      try #require(run.status == .done, "\(run.errors)")
    }
    return try Data(contentsOf: URL(fileURLWithPath: fixture.path(name))).count
  }

  /// Everything that a listing says, without the warnings, which name the source.
  private func entries(_ arguments: [String]) throws -> NSArray {
    let run = fixture.run(
      ["show", "--from", "2026-12-01", "--days", "250", "-f", "json"] + arguments)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    return try #require(document["sections"] as? NSArray)
  }

  @Test("the store doesn't copy the event for each answer, and shows what the files show")
  func cost() throws {
    try fixture.write("series.ics", Self.series)
    try fixture.write("replies.ics", Self.replies(Self.answered))
    try fixture.write("both.ics", Self.series + Self.replies(Self.answered))
    try fixture.write("folder/a.ics", Self.replies(Self.answered))
    try fixture.write("folder/b.ics", Self.series)
    let alone = try bytes(ofStore: "alone.sqlite", importing: ["series.ics"])
    for (name, files) in [
      ("both.sqlite", ["both.ics"]), ("folder.sqlite", ["folder"]),
      ("mails.sqlite", ["series.ics", "replies.ics"]),
      ("reversed.sqlite", ["replies.ics", "series.ics"]),
    ] {
      let store = ["--store", fixture.path(name)]
      let bytes = try bytes(ofStore: name, importing: files)
      let expected = try entries(files.map(fixture.path))
      #expect(expected.count == 250)
      #expect(bytes < alone + Self.answered * Self.mostBytesPerReply, "\(name): \(bytes)")
      #expect(try entries(store) == expected, "\(name)")
      #expect(fixture.run(["doctor"] + store).status == .done)
      // What only the details have.
      let found = fixture.run(["search", "cup", "--from", "2027-01-01", "-f", "tsv"] + store)
      #expect(found.output.contains("Standup"), "\(found.output)")
      let alarms = fixture.run(
        ["alarms", "--now", "2026-12-03T09:45:00Z", "--within", "10m"] + store)
      #expect(alarms.output.split(separator: "\n").count == 1, "\(alarms.output)")
      let attachment = fixture.run(
        ["attachment", "1.1", "1", "--from", "2026-12-03"] + store)
      #expect(attachment.output == "hello", "\(attachment.errors)")
    }
  }

  @Test("an exported answered occurrence says what the event says; a changed event changes it")
  func export() throws {
    try fixture.write("both.ics", Self.series + Self.replies(3))
    let store = ["--store", fixture.path("both.sqlite")]
    func imported() throws { _ = try bytes(ofStore: "both.sqlite", importing: ["both.ics"]) }
    try imported()
    try fixture.write(
      "exported.ics", fixture.run(["export"] + store, isPinned: false).output)
    let expected = try entries([fixture.path("both.ics")])
    #expect(try entries([fixture.path("exported.ics")]) == expected)
    let changed = (Self.series + Self.replies(3)).replacing("SUMMARY:Standup", with: "SUMMARY:New")
      .replacing("own cup", with: "own mug")
    try fixture.write("both.ics", changed)
    try imported()
    let new = try entries([fixture.path("both.ics")])
    #expect(new != expected)
    #expect(try entries(store) == new)
    #expect(fixture.run(["undo"] + store, isPinned: false).status == .done)
    #expect(try entries(store) == expected)
    #expect(fixture.run(["doctor"] + store).status == .done)
  }

  @Test("answers to occurrences of a very long event copy at most 32 MiB of text")
  func room() throws {
    // A value of 1 MiB in lines of 64 KiB each; the event is a little longer.
    let line = String(repeating: "lorem ipsum ", count: 5_461) + "1234"
    let long = Array(repeating: "COMMENT:" + line, count: 16).joined(separator: "\n")
    let series = Self.series.replacing("DESCRIPTION:\(Self.description)", with: long)
    #expect(series.utf8.count > 1 << 20 && series.utf8.count < 1_100_000)
    let most = (32 << 20) / series.utf8.count
    try fixture.write("series.ics", series)
    try fixture.write("replies.ics", Self.replies(40))
    try fixture.write("both.ics", series + Self.replies(40))
    for (name, files) in [
      ("both.sqlite", ["both.ics"]), ("mails.sqlite", ["series.ics", "replies.ics"]),
    ] {
      _ = try bytes(ofStore: name, importing: files)
      for arguments in [files.map(fixture.path), ["--store", fixture.path(name)]] {
        let found = fixture.run(
          ["show", "--from", "2026-12-01", "--days", "40", "-f", "jsonl"] + arguments)
        let entries = found.output.split(separator: "\n")
        #expect(entries.count == 40)
        let declined = entries.count { $0.lowercased().contains("declined") }
        #expect(declined == most, "\(name)")
      }
    }
    let check = fixture.run(["check", "-f", "json", fixture.path("both.ics")])
    #expect(check.output.contains("too many answers to events or occurrences"))
  }

  @Test("cancelled occurrences copy at most 32 MiB of title, place and people")
  func cancelled() throws {
    // Twenty people with 60 kB each, of which the details show nothing.
    let parameter = String(repeating: "y", count: 60_000)
    let people = (1...20).map { "ATTENDEE;X-LONG=\(parameter):mailto:p\($0)@example.com\n" }
    let series = Self.series.replacing("DESCRIPTION:\(Self.description)\n", with: people.joined())
    let names = ["DTSTART", "DTEND", "SUMMARY", "ATTENDEE"]
    let copied = series.split(separator: "\n").filter { line in
      names.contains { line.hasPrefix($0) }
    }
    let most = (32 << 20) / copied.reduce(0) { $0 + $1.utf8.count + 1 }
    let cancellations = Self.replies(40).replacing("REPLY", with: "CANCEL")
      .replacing("ATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.com\n", with: "")
    try fixture.write("series.ics", series)
    try fixture.write("cancelled.ics", cancellations)
    try fixture.write("both.ics", series + cancellations)
    for (name, files) in [
      ("both.sqlite", ["both.ics"]), ("mails.sqlite", ["series.ics", "cancelled.ics"]),
    ] {
      let bytes = try bytes(ofStore: name, importing: files)
      #expect(bytes < 80 << 20, "\(name)")
      for arguments in [files.map(fixture.path), ["--store", fixture.path(name)]] {
        let found = fixture.run(
          [
            "show", "--include-cancelled", "--from", "2026-12-01", "--days", "40", "-f", "jsonl",
            "--timezone", "UTC",
          ] + arguments)
        let entries = found.output.split(separator: "\n")
        #expect(entries.count { $0.contains("\"status\":\"cancelled\"") } == 40)
        for text in ["bo@example.com", "\"title\":\"Standup\"", "T11:00:00"] {
          #expect(entries.count { $0.contains(text) } == most, "\(name) \(text)")
        }
      }
    }
  }

  @Test("the store forgets the text of an event together with the last occurrence that needs it")
  func forgetting() throws {
    let path = fixture.path("pruned.sqlite")
    var sizes: [Int] = []
    for year in 2020...2030 {
      // Every import replaces all occurrences, and the one after the next forgets them.
      let text = (Self.series + Self.replies(3)).replacing("own cup", with: "cup of \(year)")
      try fixture.write("both.ics", text)
      let run = fixture.run(
        ["import", fixture.path("both.ics"), "--store", path, "--now", "\(year)-01-01T00:00:00Z"],
        isPinned: false)
      try #require(run.status == .done, "\(run.errors)")
      sizes.append(try Data(contentsOf: URL(fileURLWithPath: path)).count)
    }
    #expect(fixture.run(["doctor", "--store", path]).status == .done)
    // Of the time between two commands a week counts. From the ninth on, each forgets an old version.
    #expect(sizes[10] < sizes[8] + Self.description.utf8.count, "\(sizes)")
  }
}
