import Foundation
import TestSupport
import Testing

/// Files that commands print can have text from strangers, which must not act on a terminal.
@Suite("files on a terminal")
struct TerminalFileTests {
  private let fixture: OptionFixture
  private static let hostile = ["\u{1b}", "\u{7}", "\u{9b}", "\u{202e}", "\u{2066}"]

  init() throws {
    fixture = try OptionFixture()
    try fixture.write(
      "hostile.ics",
      calendar(
        event(
          "party", "DTSTART:20261124T100000Z",
          "SUMMARY:Party\(Self.hostile.joined(separator: "x"))ü",
          "ORGANIZER;CN=Bo\(Self.hostile.joined()):mailto:boss@example.com",
          "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com")))
    fixture.run(["import", fixture.path("hostile.ics")], isPinned: false)
  }

  @Test(
    "reply and export print no control characters and marks of direction on a terminal",
    arguments: [
      ["reply", "party", "--accept", "--as", "ana@example.com"],
      ["reply", "party", "--accept", "--as", "ana@example.com", "--mail"], ["export"],
    ])
  func safe(_ arguments: [String]) throws {
    let piped = fixture.run(arguments)
    #expect(piped.status == .done && piped.output.contains("Party"), "\(piped)")
    if !arguments.contains("--mail") {
      #expect(piped.output.contains("\u{1b}") && piped.output.contains("\u{202e}"))
    }
    let seen = fixture.run(arguments, columns: 80)
    #expect(seen.status == .done && seen.output.contains("Party"), "\(seen)")
    for character in Self.hostile {
      #expect(!seen.output.unicodeScalars.contains { String($0) == character })
    }
    let lines = { (text: String) in text.split(whereSeparator: \.isNewline).count }
    #expect(lines(seen.output) == lines(piped.output))
  }
}
