import AgendaCore
import TestSupport
import Testing

@Suite("Texts as keys")
struct ComparedTextTests {
  private let long = String(repeating: "x", count: 200)

  @Test(
    "the same characters are equal, whatever their bytes are; of a long text only at its beginning")
  func characters() {
    let (one, other) = ("\u{e9}", "e\u{301}")
    #expect(Set([one, other].map { ComparedText($0) }).count == 1)
    #expect(Set([one + "x", other + "x", other].map { ComparedText($0) }).count == 2)
    #expect(Set([long + one, long + other].map { ComparedText($0) }).count == 2)
    #expect(Set([long + one, long + one, long].map { ComparedText($0) }).count == 2)
  }

  @Test("the order agrees with equality, and equal texts have the same hash")
  func order() {
    let texts = ["\u{e9}", "e\u{301}", "a", ""].flatMap { [$0, long + $0] }.map { ComparedText($0) }
    for one in texts {
      for other in texts {
        #expect((one == other) == (!(one < other) && !(other < one)))
        if one == other { #expect(one.hashValue == other.hashValue) }
      }
    }
  }

  @Test("long texts with accents take hardly longer as keys than others")
  func time() {
    func time(_ letters: String) -> Double {
      let texts = (0..<100).map {
        ComparedText(String(repeating: letters, count: 10_000) + "\($0)")
      }
      return ProcessorTime.of { #expect(Set(texts).count == 100) }
    }
    #expect(time("e\u{301}") < 5 * time("abc"))
  }
}
