// Texts with gaps to fill in: `day {0} of {1}`. The number in the type is the number of gaps, so a
// call with too few or too many values does not compile.

/// A text with one gap.
package struct Phrase1: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  package func callAsFunction(_ value: String) -> String {
    fill(text) { _ in value }
  }
}

/// A text with two gaps. The second may come first.
package struct Phrase2: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  package func callAsFunction(_ first: String, _ second: String) -> String {
    fill(text) { $0 == UInt8(ascii: "0") ? first : second }
  }
}

/// A text with three gaps.
package struct Phrase3: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  package func callAsFunction(_ first: String, _ second: String, _ third: String) -> String {
    fill(text) {
      $0 == UInt8(ascii: "0") ? first : $0 == UInt8(ascii: "1") ? second : third
    }
  }
}

/// Replaces each `{n}` by the value for the digit n.
private func fill(_ text: String, _ value: (UInt8) -> String) -> String {
  let bytes = text.utf8
  var filled = ""
  var start = bytes.startIndex
  while let brace = bytes[start...].firstIndex(of: UInt8(ascii: "{")) {
    let digit = bytes.index(after: brace)
    filled += text[start..<brace]
    filled += value(bytes[digit])
    start = bytes.index(digit, offsetBy: 2)
  }
  filled += text[start...]
  return filled
}
