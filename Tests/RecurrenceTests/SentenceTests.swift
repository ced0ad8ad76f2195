import Recurrence
import Testing

@Suite("sentences mark the pieces that may differ")
struct SentenceTests {
  private static let sentence: Sentence =
    "\(numbered: "BYDAY=255SÜ"): got \"\(listed: "ÄÖ")\" \(varying: 7) times on line \(position: 12)"

  @Test("a sentence is its text")
  func text() {
    #expect(Self.sentence.text == "BYDAY=255SÜ: got \"ÄÖ\" 7 times on line 12")
    #expect(Self.sentence.listed == "ÄÖ")
    #expect(("plain" as Sentence).listed == nil)
  }

  @Test("problems of one kind have the unmarked text and the letters of numbered pieces in common")
  func kind() {
    #expect(Self.sentence.kind == "BYDAY=SÜ: got \"\"  times on line ")
    #expect(Self.sentence.withoutListed == "BYDAY=255SÜ: got \"\" 7 times on line ")
    #expect(("1 fixed" as Sentence).kind == "1 fixed")
    let other: Sentence =
      "\(numbered: "BYDAY=60SÜ"): got \"\(listed: "")\" \(varying: 10) times on line \(position: 3)"
    #expect(other.kind == Self.sentence.kind && other != Self.sentence)
    let third: Sentence = "\(numbered: "BYDAY=1MO"): got \"\" times on line "
    #expect(third.kind != Self.sentence.kind)
  }

  @Test("a sentence within another, and joined ones, keep their marks")
  func composed() {
    let composed: Sentence = "\(7) of \(Self.sentence), \(listed: "x")"
    #expect(composed.text == "7 of \(Self.sentence.text), x")
    #expect(composed.kind == "7 of \(Self.sentence.kind), ")
    #expect(composed.listed == "ÄÖ")
    let joined = ["a", Self.sentence, "\(listed: "b")"].joined(separator: "; ")
    #expect(joined.text == "a; \(Self.sentence.text); b")
    #expect(joined.kind == "a; \(Self.sentence.kind); ")
  }

  @Test("a text and its marks are the same sentence again")
  func marks() {
    let sentence = Self.sentence
    #expect(Sentence(sentence.text, marks: sentence.marks) == sentence)
    #expect(Sentence("plain") == "plain" && ("plain" as Sentence).marks == [])
  }

  @Test(
    "marks that do not fit are left out",
    arguments: [
      [0], [0, 3], [0, 99, 2], [3, 1, 2], [-1, 2, 2], [0, 2, 9], [Int.max, Int.max, 1],
    ])
  func foreignMarks(marks: [Int]) {
    #expect(Sentence("plain", marks: marks) == "plain")
    #expect(Sentence("plain", marks: [0, 2, 2] + marks).listed == "pl")
    #expect(Sentence("plain", marks: [0, 2, 2, 1, 3, 2]).kind == "ain")
  }
}
