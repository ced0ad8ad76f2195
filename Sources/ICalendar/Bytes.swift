internal import Platform

/// Bytes that somebody else owns and keeps alive.
@usableFromInline package typealias Bytes = UnsafeBufferPointer<UInt8>

/// Operations on raw bytes. Pointer arithmetic on the text of a source happens only in this file;
/// every function stays inside the buffer that it is called on.
extension UnsafeBufferPointer<UInt8> {
  /// The part from `lower` up to but not including `upper`, clamped to the buffer.
  @inlinable @inline(__always)
  package func part(_ lower: Int, _ upper: Int) -> Bytes {
    let low = Swift.min(Swift.max(lower, 0), count)
    let high = Swift.min(Swift.max(upper, low), count)
    guard let baseAddress else { return self }
    return Bytes(start: baseAddress + low, count: high &- low)
  }

  /// The index of the first `byte` at or after `start`, or `end` if it is missing.
  package func index(of byte: UInt8, from start: Int, to end: Int) -> Int {
    guard start < end, start >= 0, end <= count, let baseAddress,
      let distance = Memory.distance(from: baseAddress + start, to: byte, count: end - start)
    else { return end }
    return start + distance
  }

  package func has(_ byte: UInt8) -> Bool { index(of: byte, from: 0, to: count) < count }

  /// The index of the first CR or LF at or after `start`, or `end` if both are missing. One search
  /// looks for both, because most lines are too short for two searches.
  @inlinable @inline(__always)
  package func endOfLine(from start: Int, to end: Int) -> Int {
    guard start >= 0, end <= count, let baseAddress else { return end }
    let raw = UnsafeRawPointer(baseAddress)
    var index = start
    while index &+ 8 <= end {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      let found =
        Self.zeros(word ^ 0x0D0D_0D0D_0D0D_0D0D) | Self.zeros(word ^ 0x0A0A_0A0A_0A0A_0A0A)
      if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < end, self[index] != 0x0D, self[index] != 0x0A { index &+= 1 }
    return index
  }

  /// The index after the line end at `start`: an LF, a CR, or any number of CRs and an LF.
  @inlinable @inline(__always)
  package func endOfLineEnd(at start: Int, to end: Int) -> Int {
    let next = start &+ 1
    guard next < end, self[start] == 0x0D else { return Swift.min(next, end) }
    if self[next] == 0x0A { return next &+ 1 }
    return self[next] == 0x0D ? endOfReturns(from: next, to: end) : next
  }

  /// The same for two or more CRs, the second of which is at `second`. Without an LF after them,
  /// each of them is a line end. Nor does it look further than at 16 CRs, because a file can consist
  /// of them.
  @usableFromInline
  func endOfReturns(from second: Int, to end: Int) -> Int {
    var index = second
    while index < Swift.min(end, second + 15), self[index] == 0x0D { index += 1 }
    return index < end && self[index] == 0x0A ? index + 1 : second
  }

  /// The index of the first colon or semicolon at or after `start`, or `end` if the next 40 bytes
  /// have neither: no known name is longer.
  @inline(__always)
  func endOfName(from start: Int, to end: Int) -> Int {
    guard start >= 0, end <= count, let baseAddress else { return end }
    let raw = UnsafeRawPointer(baseAddress)
    var index = start
    let last = Swift.min(count &- 8, start &+ 32)
    while index <= last {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      // They differ in their lowest bit only.
      let found = Self.zeros((word | 0x0101_0101_0101_0101) ^ 0x3B3B_3B3B_3B3B_3B3B)
      if found != 0 { return Swift.min(index &+ found.trailingZeroBitCount &>> 3, end) }
      index &+= 8
    }
    return end
  }

  /// Sets the high bit of the lowest zero byte, and of no byte below it.
  @inlinable @inline(__always)
  static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Whether `name` occurs at `start`, ignoring letter case. `name` must be in capitals.
  @inlinable @inline(__always)
  package func hasName(_ name: StaticString, at start: Int) -> Bool {
    let length = name.utf8CodeUnitCount
    guard start >= 0, start &+ length <= count, let baseAddress else { return false }
    let expected = UnsafeRawPointer(name.utf8Start)
    let actual = UnsafeRawPointer(baseAddress + start)
    // Word by word; the last word may overlap the one before it.
    if length >= 8 {
      var index = 0
      while index < length {
        let offset = Swift.min(index, length &- 8)
        if Self.differs(actual, expected, at: offset, UInt64.self) { return false }
        index &+= 8
      }
      return true
    }
    if length >= 4 {
      return !Self.differs(actual, expected, at: 0, UInt32.self)
        && !Self.differs(actual, expected, at: length &- 4, UInt32.self)
    }
    for index in 0..<length where Self.differs(actual, expected, at: index, UInt8.self) {
      return false
    }
    return true
  }

  /// Compares one word. Bytes of the name with bit 6 set are letters, whose bit 5 is ignored.
  @inlinable @inline(__always)
  static func differs<Word: FixedWidthInteger>(
    _ actual: UnsafeRawPointer, _ expected: UnsafeRawPointer, at offset: Int, _: Word.Type
  ) -> Bool {
    let wanted = expected.loadUnaligned(fromByteOffset: offset, as: Word.self)
    let found = actual.loadUnaligned(fromByteOffset: offset, as: Word.self)
    let capitals = wanted & Word(truncatingIfNeeded: 0x4040_4040_4040_4040 as UInt64)
    return (found ^ wanted) & ~(capitals >> 1) != 0
  }

  /// Whether the whole buffer is `name`, ignoring letter case.
  @inlinable @inline(__always)
  package func isName(_ name: StaticString) -> Bool {
    count == name.utf8CodeUnitCount && hasName(name, at: 0)
  }

  /// Whether it begins with `name`, ignoring letter case.
  @inlinable
  package func beginsWithName(_ name: StaticString) -> Bool {
    hasName(name, at: 0)
  }

  /// Without the white space at both ends.
  @inlinable
  package var trimmed: Bytes {
    let range = trimmed(0..<count)
    return part(range.lowerBound, range.upperBound)
  }

  /// The range without the white space at both of its ends.
  @inlinable @inline(__always)
  package func trimmed(_ range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<count)
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, self[lower].isBlank { lower += 1 }
    while upper > lower, self[upper - 1].isBlank { upper -= 1 }
    return lower..<upper
  }

  /// A digest of the bytes, the same in every run.
  package func digest() -> UInt64 {
    var digest = StableDigest()
    digest.add(self)
    return digest.value
  }

  package func equals(_ other: Bytes) -> Bool {
    guard count == other.count else { return false }
    guard count > 0, let baseAddress, let second = other.baseAddress else { return true }
    return Memory.areEqual(baseAddress, second, count: count)
  }

  /// Whether all of it is valid UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
  package var isUTF8: Bool {
    guard let baseAddress else { return true }
    let raw = UnsafeRawPointer(baseAddress)
    var index = 0
    while index < count {
      if index &+ 8 <= count,
        raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 8
        continue
      }
      let byte = baseAddress[index]
      if byte < 0x80 {
        index &+= 1
        continue
      }
      let length = utf8Length(at: index)
      if length == 0 { return false }
      index &+= length
    }
    return true
  }

  /// The length of the multi-byte character at `index`; 0 if no such character begins there.
  package func utf8Length(at index: Int) -> Int {
    func continues(_ offset: Int, _ lower: UInt8 = 0x80, _ upper: UInt8 = 0xBF) -> Bool {
      guard index &+ offset < count else { return false }
      let byte = self[index &+ offset]
      return byte >= lower && byte <= upper
    }
    switch self[index] {
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return continues(1, 0xA0) && continues(2) ? 3 : 0
    case 0xED: return continues(1, 0x80, 0x9F) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return continues(1, 0x90) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return continues(1, 0x80, 0x8F) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }

  /// As text in UTF-8, with bytes that are not UTF-8 read as Windows-1252.
  package var text: String {
    isUTF8
      ? String(decoding: self, as: UTF8.self)
      : String(decoding: Windows1252.repaired(self), as: UTF8.self)
  }
}

extension UInt8 {
  /// White space by C's `isspace`, which libical trims by: space, tab, LF, VT, FF or CR.
  @inlinable @inline(__always)
  package var isBlank: Bool { self == 0x20 || self &- 0x09 <= 4 }

  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 <= 9 }

  @inlinable @inline(__always)
  package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}
