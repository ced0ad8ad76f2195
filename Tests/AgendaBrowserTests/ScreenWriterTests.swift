import AgendaRendering
import TestSupport
import Testing

@testable import AgendaBrowser

@Suite("what is sent to a terminal")
struct ScreenWriterTests {
  /// A list that is longer than the screen.
  private func list() throws -> BrowserSample {
    let events = (0..<60).map {
      BrowserSample.event(
        "\($0)", "DTSTART:20261121T10\(10 + $0 % 50)00Z",
        "SUMMARY:Title number \($0) of a long list with other words")
    }
    return try BrowserSample(events, columns: 100, rows: 30)
  }

  @Test("a list that scrolls by an entry sends little, in both directions")
  func scrolling() throws {
    var sample = try list()
    var writer = ScreenWriter(depth: .none)
    sample.press("Home")
    _ = writer.bytes(for: BrowserFrame(sample.state))
    var top = sample.lines[0]
    var scrolled = 0
    for key in [String](repeating: "j", count: 59) + [String](repeating: "k", count: 59) {
      sample.press(key)
      let count = writer.bytes(for: BrowserFrame(sample.state)).count
      let isScrolled = sample.lines[0] != top
      top = sample.lines[0]
      if isScrolled { scrolled += 1 }
      #expect(count < (isScrolled ? 330 : 200), "\(key) sent \(count) bytes")
    }
    #expect(scrolled > 40)
  }

  @Test("text over a half of a wide letter leaves no half of it")
  func wideLetters() {
    for (column, expected) in [(1, " ab "), (2, "東ab"), (3, "東 ab"), (0, "ab京")] {
      var canvas = GridCanvas(width: 6, height: 1)
      canvas.put("東京", at: 0, line: 0, width: 6)
      canvas.put("ab", at: column, line: 0, width: 2)
      let text = canvas.lines[0].map(\.text).joined()
      #expect(text.hasPrefix(expected), "\(column): \(text)")
    }
  }

  @Test("lines that have moved are found, and only those", arguments: 0..<200)
  func moved(number: Int) throws {
    var dice = SeededGenerator(seed: UInt64(number))
    let height = Int.random(in: 6..<40, using: &dice)
    func line(_ text: String) -> [GridCanvas.Cell] {
      var canvas = GridCanvas(width: 60, height: 1)
      canvas.put(text, at: 0, line: 0, width: 60)
      return canvas.lines[0]
    }
    let all = (0..<100).map { line($0 % 7 == 0 ? "" : "line \($0) with quite some words in it") }
    let start = Int.random(in: 20..<40, using: &dice)
    let distance = Int.random(in: -5...5, using: &dice)
    // The head and the foot stay.
    func picture(from first: Int) -> [[GridCanvas.Cell]] {
      [line("the head of the picture")] + all[first..<(first + height - 2)]
        + [line("the foot of the picture")]
    }
    let (old, new) = (picture(from: start), picture(from: start + distance))
    guard let scrolled = ScrolledLines(from: old, to: new) else {
      #expect(distance == 0 || height < 14)
      return
    }
    #expect(scrolled.count == distance)
    let after = scrolled.applied(to: old)
    let wrong = { (lines: [[GridCanvas.Cell]]) in zip(lines, new).count { $0 != $1 } }
    #expect(wrong(after) < wrong(old))
    #expect(after[0] == old[0] && after[height - 1] == old[height - 1])
  }
}
