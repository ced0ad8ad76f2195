import AgendaReader
import CivilTime
import Testing

@Suite("The lines of a component")
struct ComponentLinesTests {
  private func lines(_ properties: [UInt8]) throws -> ComponentLines {
    let head = Array("BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261124\r\n".utf8)
    let source = SourceBytes(head + properties + Array("END:VEVENT\r\n".utf8))
    let file = try CalendarReader(zones: .system(TZDIR: nil)).read(source, name: "lines")
    return try #require(file.withComponent(0, ComponentLines.init))
  }

  // Checks RFC 5545: 3.1/3, 3.1/4
  @Test("lines are unfolded before they are read, also within a character")
  func folded() throws {
    let text = Array("X-A:caf".utf8) + [0xC3, 13, 10, 32, 0xA9] + Array("\r\n\t!\r\n".utf8)
    let lines = try lines(text)
    #expect(lines.all.map(\.text) == ["UID:1", "DTSTART:20261124", "X-A:café!"])
  }

  @Test("components within, their lines and their ends are left out")
  func inner() throws {
    let lines = try lines(
      Array(
        "begin:valarm\r\nACTION:DISPLAY\r\nBEGIN:X\r\nX-B:1\r\nEND:X\r\nEND:VALARM\r\nx-c:2\r\n"
          .utf8))
    #expect(lines.all.map(\.name) == ["UID", "DTSTART", "X-C"])
  }

  // Checks RFC 5545: 3.1.1/3, 3.1.1/4, 3.2/1
  // Checks Decisions: Small decisions/14
  @Test("parameters are found by name, quoted or not, with RFC 6868 undone")
  func parameters() throws {
    let line = try #require(
      lines(Array("X-D;TZID=\"A:B;C\";x-e=^'q^';X-F=1:v:w\r\n".utf8)).named("X-D").first)
    #expect(line.parameter("TZID") == "A:B;C")
    #expect(line.parameter("X-E") == "\"q\"")
    #expect(line.parameter("X-G") == nil)
    #expect(line.value == "v:w")
  }

  @Test("a raw newline continues the line before, and U+2028 does not end a line")
  func raw() throws {
    let lines = try lines(Array("DESCRIPTION:a\u{2028}b\r\nno property here\r\nX-H:1\r\n".utf8))
    #expect(
      lines.all.map(\.text).suffix(2) == ["DESCRIPTION:a\u{2028}b\nno property here", "X-H:1"])
    #expect(lines.all.map(\.value).suffix(2) == ["a\u{2028}b", "1"])
  }

  // Checks Decisions: Reading files/2
  @Test("a line that is not UTF-8 is read as Windows-1252, the others as UTF-8")
  func mixed() throws {
    let lines = try lines(Array("X-I:é\r\nX-J:".utf8) + [0xE9, 13, 10])
    #expect(lines.all.map(\.text).suffix(2) == ["X-I:é", "X-J:é"])
    #expect(lines.all.map(\.value).suffix(2) == ["é", "é"])
  }
}
