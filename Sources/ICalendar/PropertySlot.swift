/// The position of a property in a source. Its value is decoded only when it is needed.
@usableFromInline package struct PropertySlot {
  // Four-byte fields, because every component moves sixteen slots; a source is below 2 GiB.
  @usableFromInline var start: Int32
  @usableFromInline var end: Int32
  @usableFromInline var number: Int32
  @usableFromInline var nameCount: UInt16
  @usableFromInline var isFolded: Bool

  @inlinable
  package init(line: ContentLine, nameEnd: Int) {
    start = Int32(truncatingIfNeeded: line.start)
    end = Int32(truncatingIfNeeded: line.end)
    number = Int32(truncatingIfNeeded: line.line)
    nameCount = UInt16(clamping: nameEnd - line.start)
    isFolded = line.isFolded
  }

  @inlinable
  package var line: ContentLine {
    ContentLine(start: Int(start), end: Int(end), line: Int(number), isFolded: isFolded)
  }

  /// The length of its name.
  @inlinable
  package var nameLength: Int { Int(nameCount) }

  /// Whether nothing follows its name and the colon.
  @inlinable
  package var isEmpty: Bool { start &+ Int32(nameCount) &+ 1 >= end }

  /// Extends it by a line without a name, which continues its text.
  package mutating func append(_ line: ContentLine) {
    end = Int32(truncatingIfNeeded: line.end)
    isFolded = true
  }
}
