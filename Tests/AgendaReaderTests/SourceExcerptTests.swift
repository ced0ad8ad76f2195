import AgendaCore
import Testing

@testable import AgendaReader

/// The part of a long line around a problem.
@Suite struct SourceExcerptTests {
  private static func excerpt(_ text: String, _ place: Range<Int>?) -> SourceExcerpt {
    Array(text.utf8).withUnsafeBufferPointer { SourceExcerpt(line: 7, $0, place: place) }
  }

  @Test("a short line is whole, and its place is the problem")
  func short() {
    let line = "DTSTART:tomorrow"
    let found = Self.excerpt(line, 8..<16)
    #expect(found.text == line && found.place == 8..<16 && found.line == 7)
    #expect(Self.excerpt(line, nil).place == nil && Self.excerpt(line, nil).text == line)
    // A place beyond the line, of a line that was folded.
    #expect(Self.excerpt(line, 8..<40).place == 8..<16)
  }

  @Test("no character is split, wherever the problem is", arguments: ["ä", "日", "😀", "ä😀b"])
  func characters(character: String) {
    let size = character.utf8.count
    let line = "X:" + String(repeating: character, count: 400)
    for start in 0..<300 {
      let place = 2 + start * size..<2 + (start + 2) * size
      let found = Self.excerpt(line, place)
      #expect(!found.text.contains("\u{FFFD}"), "\(start)")
      let problem = found.place.map { Array(found.text.utf8)[$0] } ?? []
      #expect(String(decoding: problem, as: UTF8.self) == character + character, "\(start)")
      #expect(found.text.hasPrefix("…") == (place.lowerBound > 120), "\(start)")
      #expect(found.text.hasSuffix("…"), "\(start)")
    }
  }

  @Test("a long problem is cut too")
  func longProblem() {
    let found = Self.excerpt("X:" + String(repeating: "a", count: 1000), 2..<1002)
    #expect(found.text == "X:" + String(repeating: "a", count: 240) + "…")
    #expect(found.place == 2..<242)
  }
}
