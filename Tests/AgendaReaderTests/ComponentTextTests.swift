import ICalendar
import Testing

@Suite("Component text")
struct ComponentTextTests {
  private static let text = """
    BEGIN:VEVENT\r
    UID:1\r
    SUMMARY:one\r
      and a fold\r
    status:CONFIRMED\r
    X-RAW:\\odd\t \r
    BEGIN:VALARM\r
    SUMMARY:of the alarm\r
    END:VALARM\r
    END:VEVENT\r

    """

  @Test("a component's own lines are found, not those of its alarms")
  func own() {
    let component = ComponentText(Array(Self.text.utf8))
    #expect(component.own("SUMMARY").map { $0.content } == [Array("SUMMARY:one and a fold".utf8)])
    #expect(component.own("ACTION").isEmpty)
    #expect(component.lines.map(\.depth) == [1, 1, 1, 1, 1, 2, 2, 2, 1])
  }

  @Test("replacing lines keeps all others byte for byte")
  func replacing() {
    let component = ComponentText(Array(Self.text.utf8))
    let changed = component.replacing(
      component.own("SUMMARY") + component.own("STATUS"), with: [Array("SUMMARY:two".utf8)])
    #expect(
      String(decoding: changed, as: UTF8.self) == """
        BEGIN:VEVENT\r
        SUMMARY:two\r
        UID:1\r
        X-RAW:\\odd\t \r
        BEGIN:VALARM\r
        SUMMARY:of the alarm\r
        END:VALARM\r
        END:VEVENT\r

        """)
    #expect(component.replacing([], with: []) == component.bytes)
  }

  // Checks RFC 5545: 3.1/2
  @Test("a fold cuts no escape of quoted-printable, and unfolding gives the line back")
  func quotedPrintableFolds() {
    for padding in 0..<80 {
      let line = Array(
        ("DESCRIPTION;ENCODING=QUOTED-PRINTABLE:" + String(repeating: "ä", count: padding)
          + String(repeating: "=C3=A4", count: 40)).utf8)
      let folded = FileLines.folded(line)
      #expect(FileLines(folded).lines == [line])
      for physical in folded.split(separator: UInt8(ascii: "\n")) {
        #expect(physical.count <= 76)
        #expect(!physical.dropLast().suffix(2).contains(UInt8(ascii: "=")))
      }
    }
  }

  @Test("a fold within an escape is undone, except in vCalendar 1.0, where it is a line break")
  func foldedEscapes() {
    let line = Array("COMMENT;ENCODING=QUOTED-PRINTABLE:a=C3=A4=2C b".utf8)
    for place in 35..<line.count {
      let folded = line[..<place] + Array("\r\n ".utf8) + line[place...]
      #expect(FileLines(Array(folded)).lines == [line])
      let isBreak = line[place - 1] == UInt8(ascii: "=")
      #expect((FileLines(Array(folded), isVersion1: true).lines == [line]) == !isBreak)
    }
    let text = Array("COMMENT;ENCODING=QUOTED-PRINTABLE:at=\r\n 10 Uhr".utf8)
    #expect(FileLines(text).lines == [Array("COMMENT;ENCODING=QUOTED-PRINTABLE:at 10 Uhr".utf8)])
  }

  @Test(
    "a line without a name continues the text before it, with the blank lines between both",
    arguments: [
      ("DESCRIPTION:a\nb", ["DESCRIPTION:a\\nb"]),
      ("DESCRIPTION:a\n\nb\n\n\nc", ["DESCRIPTION:a\\n\\nb\\n\\n\\nc"]),
      // Blank lines before a property are in no text.
      ("SUMMARY:x\n\nDESCRIPTION:a\nb", ["SUMMARY:x", "DESCRIPTION:a\\nb"]),
      ("DTSTART:1\nb\nDESCRIPTION:a", ["DTSTART:1", "DESCRIPTION:a"]),
      ("DESCRIPTION:a\nDTSTART:1\n\nb", ["DESCRIPTION:a", "DTSTART:1"]),
    ])
  func strays(text: String, lines: [String]) {
    let found = FileLines(Array(text.replacing("\n", with: "\r\n").utf8))
    #expect(found.lines.map { String(decoding: $0, as: UTF8.self) } == lines)
  }

  @Test("every name in the table is found by its spelling in any letter case, and is unique")
  func table() {
    var names: Set<String> = []
    for row in PropertyTable.rows {
      for spelling in [row.name.description, row.name.description.lowercased()] {
        let line = Array((spelling + ":x").utf8)
        let (name, end) = line.withUnsafeBufferPointer {
          PropertyName.scan($0, from: 0, to: $0.count)
        }
        #expect(name == row.property && end == spelling.utf8.count)
      }
      #expect(names.insert(row.name.description).inserted)
    }
  }

  // Checks RFC 5545: 3.3.11/1, 3.3.11/2, 3.3.11/3, 3.3.11/4, 3.3.11/5
  @Test("a text with escapes is read back as it was")
  func escapes() {
    let text = "a, b; c\\d\ne"
    let escaped = PropertyValue.escaped(text)
    #expect(String(decoding: escaped, as: UTF8.self) == "a\\, b\\; c\\\\d\\ne")
    #expect(escaped.withUnsafeBufferPointer { PropertyValue.text($0) } == text)
  }
}
