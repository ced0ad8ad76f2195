/// Goes through the lines of a source, which end with CRLF, LF or CR, in time linear in their
/// length.
struct LineCursor {
  let bytes: Bytes
  let limit: Int
  /// Where the next line begins.
  private(set) var position: Int
  /// The number of the next line, from 1.
  private(set) var line: Int

  init(_ bytes: Bytes, from start: Int, to limit: Int, line: Int = 1) {
    self.bytes = bytes
    self.limit = limit
    position = start
    self.line = line
  }

  /// The next line as it stands in the file, without its end.
  @inline(__always)
  mutating func nextPhysical() -> Range<Int>? {
    let start = position
    guard start < limit else { return nil }
    let end = bytes.endOfLine(from: start, to: limit)
    let next = end &+ 1
    let isCRLF = next < limit && bytes[end] == 0x0D && bytes[next] == 0x0A
    position = min(isCRLF ? next &+ 1 : next, limit)
    line &+= 1
    return start..<end
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
