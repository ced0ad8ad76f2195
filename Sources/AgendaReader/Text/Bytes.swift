internal import AgendaCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the scanner asks of raw bytes. All pointer arithmetic on a source is in this file and in
/// `SourceBytes`; every function keeps to the buffer that it is given.
extension UnsafeBufferPointer<UInt8> {
  /// The part from `lower` to before `upper`, held to what there is.
  func part(_ lower: Int, _ upper: Int) -> Bytes {
    let low = Swift.min(Swift.max(lower, 0), count)
    let high = Swift.min(Swift.max(upper, low), count)
    guard let baseAddress else { return self }
    return Bytes(start: baseAddress + low, count: high - low)
  }

  /// Where `byte` stands first at or after `start`, or `end` where it does not.
  func index(of byte: UInt8, from start: Int, to end: Int) -> Int {
    guard start < end, start >= 0, end <= count, let baseAddress,
      let found = memchr(baseAddress + start, Int32(byte), end - start)
    else { return end }
    return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
  }

  /// Where the first CR or LF at or after `start` stands, or `end` where there is none. Both are sought
  /// at once: most lines are too short for two searches.
  @inline(__always)
  func endOfLine(from start: Int, to end: Int) -> Int {
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

  /// The high bit of the lowest byte that is 0, and of no byte below it.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Whether the part from `start` with the length of `name` is that name, which is written in
  /// capitals, in any letter case. The caller has compared the lengths.
  @inline(__always)
  func hasName(_ name: StaticString, at start: Int) -> Bool {
    let length = name.utf8CodeUnitCount
    guard start >= 0, start &+ length <= count, let baseAddress else { return false }
    let expected = UnsafeRawPointer(name.utf8Start)
    let actual = UnsafeRawPointer(baseAddress + start)
    // Words at a time, the last one over bytes that were compared before.
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

  /// Whether a word is another one than that of a name, of whose capitals, the bytes with bit 6, bit
  /// 5 may be set.
  @inline(__always)
  private static func differs<Word: FixedWidthInteger>(
    _ actual: UnsafeRawPointer, _ expected: UnsafeRawPointer, at offset: Int, _: Word.Type
  ) -> Bool {
    let wanted = expected.loadUnaligned(fromByteOffset: offset, as: Word.self)
    let found = actual.loadUnaligned(fromByteOffset: offset, as: Word.self)
    let capitals = wanted & Word(truncatingIfNeeded: 0x4040_4040_4040_4040 as UInt64)
    return (found ^ wanted) & ~(capitals >> 1) != 0
  }

  /// Whether the whole is that name, in any letter case.
  @inline(__always)
  func isName(_ name: StaticString) -> Bool {
    count == name.utf8CodeUnitCount && hasName(name, at: 0)
  }

  /// Whether it begins with that name, in any letter case.
  func beginsWithName(_ name: StaticString) -> Bool {
    hasName(name, at: 0)
  }

  /// Without the spaces, tabs and line ends around it.
  var trimmed: Bytes {
    let range = trimmed(0..<count)
    return part(range.lowerBound, range.upperBound)
  }

  /// A range within it, without the spaces, tabs and line ends at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<count)
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, self[lower].isBlank { lower += 1 }
    while upper > lower, self[upper - 1].isBlank { upper -= 1 }
    return lower..<upper
  }

  /// A digest of the bytes, the same in every run (FNV-1a, 64 bits).
  func digest(seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    var hash = seed
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  func equals(_ other: Bytes) -> Bool {
    guard count == other.count else { return false }
    guard count > 0, let baseAddress, let second = other.baseAddress else { return true }
    return memcmp(baseAddress, second, count) == 0
  }

  /// Whether all of it is UTF-8: no overlong form, no surrogate, nothing past U+10FFFF.
  var isUTF8: Bool {
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

  /// The length of the character of more than one byte that begins there, 0 where none does.
  func utf8Length(at index: Int) -> Int {
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

  /// As text: UTF-8, or Windows-1252 where it is not that.
  var text: String {
    isUTF8 ? String(decoding: self, as: UTF8.self) : Windows1252.text(self)
  }
}

extension UInt8 {
  /// Space, tab, CR or LF.
  @inline(__always)
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }

  @inline(__always)
  var isDigit: Bool { self &- 0x30 <= 9 }

  @inline(__always)
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}
