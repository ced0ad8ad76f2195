import ICalendar
import Testing

@testable import AgendaReader

/// Lines of a source that are found by their numbers, compared with a split of the whole text.
@Suite struct LineIndexTests {
  @Test("each line of a long source is found, and none after the last", arguments: ["\n", "\r\n"])
  func everyLine(end: String) {
    let lines = (1...1100).map { String(repeating: "x", count: $0 % 7) + "\($0)" }
    let bytes = Array(lines.joined(separator: end).utf8)
    bytes.withUnsafeBufferPointer { bytes in
      let index = LineIndex(bytes, from: 0)
      for (number, line) in zip(1..., lines) {
        let range = index.range(ofLine: number, in: bytes)
        #expect(range.map { String(decoding: bytes[$0], as: UTF8.self) } == line)
        if let range {
          #expect(LineIndex.line(at: range.lowerBound, in: bytes) == number)
          #expect(LineIndex.line(at: range.upperBound - 1, in: bytes) == number)
        }
      }
      for number in [-1, 0, 1101, 1102, 1280, 1281, 5000] {
        #expect(index.range(ofLine: number, in: bytes) == nil)
      }
    }
  }
}
