import Foundation
import TestSupport
import Testing

@testable import AgendaRendering

@Suite("Columns of a terminal")
struct DisplayWidthTests {
  @Test(
    "titles as people write them",
    arguments: [
      ("", 0), ("Stand-up", 8), ("Zürich", 6), ("Zu\u{308}rich", 6), ("日本語", 6), ("ｶﾅ", 2),
      ("한글", 4), ("\u{1112}\u{1161}\u{11ab}", 2), ("🎂", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2),
      ("❤️", 2), ("❤", 1), ("☕", 2), ("1️⃣", 2),
      ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 2),
      ("لقاء", 4), ("שלום", 4), ("मार्च", 4), ("ไทย", 3), ("กำ", 2), ("–…·", 3), ("a\u{200d}b", 2),
      ("“„", 2), ("ﷺ", 1),
    ])
  func samples(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(
    "every scalar is as wide as in wcwidth, or the difference is explained",
    .requiresPythonPackages)
  func againstWcwidth() throws {
    let script = """
      import sys, wcwidth
      print(" ".join(str(max(0, wcwidth.wcwidth(chr(c)))) if not 0xd800 <= c < 0xe000
            else "-" for c in range(0x20200)))
      """
    let output = try Python.output(of: ["-c", script])
    let theirs = output.split(whereSeparator: { $0 == " " || $0 == "\n" })
    try #require(theirs.count == 0x20200)
    var differing: [String] = []
    for (value, width) in theirs.enumerated() {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      switch scalar.properties.generalCategory {
      // A vowel sign that takes room has a separate column on most terminals, as the C library
      // counts; wcwidth gives it the column of its letter.
      case .spacingMark: continue
      // Code points without a character in Unicode 16, and line ends, which never reach a line.
      case .unassigned, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: continue
      default: break
      }
      // One half of a flag.
      if (0x1f1e6...0x1f1ff).contains(scalar.value) { continue }
      if let age = scalar.properties.age, age.major > 16 { continue }
      let columns = DisplayWidth.of(scalar)
      if Int(width) != columns {
        differing.append("U+\(String(value, radix: 16)): \(columns), not \(width)")
      }
    }
    #expect(differing == [])
  }
}
