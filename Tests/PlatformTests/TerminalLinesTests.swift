import Foundation
import Platform
import TestSupport
import Testing

@Suite("lines that are typed") struct TerminalLinesTests {
  private func lines(_ text: String) throws -> [String] {
    let folder = try ScratchFolder()
    let file = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: try folder.write("typed", text)))
    let lines = TerminalLines(borrowing: file.fileDescriptor)
    return Array(AnyIterator { lines.next() })
  }

  @Test("each line comes without its end, and an unfinished one not at all")
  func complete() throws {
    #expect(try lines("a\n\nbü\nrest") == ["a", "", "bü"])
  }

  // Checks limit: TerminalLines.longestLine
  @Test("a line has at most 65,535 bytes before its end", arguments: [65_535, 65_536])
  func longest(count: Int) throws {
    let line = String(repeating: "x", count: count)
    #expect(try lines("\(line)\nnext\n") == (count == 65_535 ? [line, "next"] : []))
  }
}
