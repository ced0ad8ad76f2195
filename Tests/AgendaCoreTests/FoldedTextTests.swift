import Testing

@testable import AgendaCore

/// How texts are compared in a search: without letter case and accents.
@Suite struct FoldedTextTests {
  @Test(
    "these are the same",
    arguments: [
      ("Straße", "straße"), ("ÉCOLE", "ecole"), ("a\u{300}", "a"), ("a\u{36F}", "a"),
      ("Å", "a"), ("ΟΔΟΣ", "οδος"), ("Ǆ", "ǆ"),
    ])
  func same(one: String, other: String) {
    #expect(FoldedText(one) == FoldedText(other))
    #expect(FoldedText("x \(one) y").contains(FoldedText(other)))
  }

  @Test(
    "these are different",
    arguments: [("a", "b"), ("a\u{370}", "a"), ("o", "0"), ("ab", "a b"), ("日", "曰")])
  func different(one: String, other: String) {
    #expect(FoldedText(one) != FoldedText(other))
  }
}
