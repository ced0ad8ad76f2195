/// Goes through the lines of a source, which end with CRLF, LF or CR, in time linear in their
/// length.
struct LineCursor {
  let bytes: Bytes
  let limit: Int
  /// Where the next line begins.
  private(set) var position: Int
  /// The number of the next line, from 1.
  private(set) var line: Int
  // The next CR and LF, each sought again only once it lies behind: a file that has only one of
  // the two is not searched for the other from every line.
  private var nextCR: Int
  private var nextLF: Int

  init(_ bytes: Bytes, from start: Int, to limit: Int, line: Int = 1) {
    self.bytes = bytes
    self.limit = limit
    position = start
    self.line = line
    nextCR = start - 1
    nextLF = start - 1
  }

  /// The next line as it stands in the file, without its end.
  @inline(__always)
  mutating func nextPhysical() -> Range<Int>? {
    let start = position
    guard start < limit else { return nil }
    if nextCR < start { nextCR = bytes.index(of: 0x0D, from: start, to: limit) }
    if nextLF < start {
      // In a CRLF file the LF is mostly the very next byte.
      let expected = nextCR &+ 1
      nextLF =
        expected < limit && bytes[expected] == 0x0A && !hasLF(start, nextCR)
        ? expected : bytes.index(of: 0x0A, from: start, to: limit)
    }
    let end: Int
    if nextCR < nextLF {
      end = nextCR
      position = nextCR &+ 1 == nextLF ? nextLF &+ 1 : nextCR &+ 1
    } else {
      end = nextLF
      position = min(nextLF &+ 1, limit)
    }
    line &+= 1
    return start..<end
  }

  @inline(__always)
  private func hasLF(_ start: Int, _ end: Int) -> Bool {
    bytes.index(of: 0x0A, from: start, to: end) < end
  }

  /// The next content line with all of its folds (RFC 5545 3.1).
  @inline(__always)
  mutating func next() -> ContentLine? {
    let number = line
    guard let first = nextPhysical() else { return nil }
    var end = first.upperBound
    var isFolded = false
    while position < limit {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x09, let folded = nextPhysical() else { break }
      end = folded.upperBound
      isFolded = true
    }
    return ContentLine(start: first.lowerBound, end: end, line: number, isFolded: isFolded)
  }
}

/// A content line where it stands in the source: from the first byte of its name to the last of
/// its value, folds included.
struct ContentLine {
  var start: Int
  var end: Int
  /// The number of its first line.
  var line: Int
  /// Whether line ends stand within it: folds, or raw newlines that belong to its text.
  var isFolded: Bool
}
