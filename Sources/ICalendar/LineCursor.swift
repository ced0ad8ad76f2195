/// Iterates over the lines of a source, in linear time. They end with LF, CR, or any number of CRs
/// and an LF: text mode on Windows turns CRLF into CR CR LF.
@usableFromInline package struct LineCursor {
  @usableFromInline package let bytes: Bytes
  @usableFromInline package let limit: Int
  /// Where the next line begins.
  @usableFromInline package var position: Int
  /// The number of the next line, from 1.
  @usableFromInline package var line: Int

  @inlinable
  package init(_ bytes: Bytes, from start: Int, to limit: Int, line: Int = 1) {
    self.bytes = bytes
    self.limit = limit
    position = start
    self.line = line
  }

  /// The next physical line without its line end.
  @inlinable @inline(__always)
  package mutating func nextPhysical() -> Range<Int>? {
    let start = position
    guard start < limit else { return nil }
    let end = bytes.endOfLine(from: start, to: limit)
    position = bytes.endOfLineEnd(at: end, to: limit)
    line &+= 1
    return start..<end
  }

  /// The next content line including its folds (RFC 5545 3.1), and the soft line breaks of
  /// quoted-printable in vCalendar 1.0.
  @inlinable @inline(__always)
  package mutating func next() -> ContentLine? {
    let number = line
    guard let first = nextPhysical() else { return nil }
    var end = first.upperBound
    var isFolded = false
    while position < limit {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x09 || endsSoftly(first.lowerBound, end),
        let folded = nextPhysical()
      else { break }
      end = folded.upperBound
      isFolded = true
    }
    return ContentLine(start: first.lowerBound, end: end, line: number, isFolded: isFolded)
  }
}

extension LineCursor {
  /// Whether a `=` ends the line, perhaps before blanks, and the value continues in the next one.
  /// That line must not begin or end a component, which a stray `=` would swallow.
  @inlinable @inline(__always)
  func endsSoftly(_ start: Int, _ end: Int) -> Bool {
    guard end > start else { return false }
    let last = bytes[end &- 1]
    return (last == 0x3D || last == 0x20 || last == 0x09) && isQuotedPrintable(start, end)
  }

  @usableFromInline
  func isQuotedPrintable(_ start: Int, _ end: Int) -> Bool {
    guard QuotedPrintable.softBreak(in: bytes.part(start, end)) != nil else { return false }
    if bytes.hasName("BEGIN:", at: position, to: limit) { return false }
    if bytes.hasName("END:", at: position, to: limit) { return false }
    let colon = bytes.index(of: 0x3A, from: start, to: min(end, start + Self.longestHead))
    let name: StaticString = "QUOTED-PRINTABLE"
    var index = start
    while index < colon {
      if bytes[index] == 0x3B || bytes[index] == 0x3D, bytes.hasName(name, at: index + 1, to: colon)
      {
        return true
      }
      index += 1
    }
    return false
  }

  /// A name with its parameters is not longer.
  private static var longestHead: Int { 512 }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func hasName(_ name: StaticString, at start: Int, to end: Int) -> Bool {
    start + name.utf8CodeUnitCount <= end && hasName(name, at: start)
  }

  /// Whether a content line is of that property, which is given in capitals.
  @inlinable @inline(__always)
  package func hasProperty(_ name: StaticString, at line: ContentLine) -> Bool {
    let end = line.start &+ name.utf8CodeUnitCount
    return end < line.end && (self[end] == 0x3A || self[end] == 0x3B)
      && hasName(name, at: line.start)
  }
}

/// The position of a content line in a source: from the first byte of its name to the last byte of
/// its value, folds included.
@usableFromInline package struct ContentLine {
  @usableFromInline package var start: Int
  @usableFromInline package var end: Int
  /// The number of its first physical line, from 1.
  @usableFromInline package var line: Int
  /// Whether it contains line ends: folds, or raw newlines that belong to its text.
  @usableFromInline package var isFolded: Bool

  @inlinable
  package init(start: Int, end: Int, line: Int, isFolded: Bool) {
    self.start = start
    self.end = end
    self.line = line
    self.isFolded = isFolded
  }

  /// Whether only white space is between it and an earlier line that ends at `end`.
  package func follows(_ end: Int, in bytes: Bytes) -> Bool {
    bytes.part(end, start).allSatisfy(\.isBlank)
  }
}
