/// The contents of a TZif file, versions 1 to 4 (RFC 8536, RFC 9636). Leap-second records and the
/// standard/wall and UT/local indicators are passed over: nothing here needs them.
package struct ZoneFile: Sendable {
  /// The type before the first transition is the first of these.
  package let types: [LocalTimeType]
  package let transitions: [Transition]
  /// The rule after the last transition; `nil` if the file has none.
  package let footer: ZoneFooter?

  package struct Transition: Hashable, Sendable {
    package let instant: Int
    /// Index of a type.
    package let type: Int
  }

  /// The largest file of tzdata is a hundred times smaller.
  package static let longestFile = 1 << 18
  /// Instants of transitions are held to about a thousand million years around 1970.
  static let farthestInstant = 1 << 55

  package init(parsing bytes: [UInt8]) throws(ZoneError) {
    guard bytes.count <= Self.longestFile else { throw Self.tooLong(bytes.count) }
    var header = try Header(bytes, at: 0)
    var wide = false
    if header.version >= UInt8(ascii: "2") {
      // The first block is for readers of version 1.
      let next = header.end(wide: false)
      guard next <= bytes.count else { throw Self.cutOff(at: bytes.count, expected: next) }
      header = try Header(bytes, at: next)
      wide = true
    }
    let end = header.end(wide: wide)
    guard end <= bytes.count else { throw Self.cutOff(at: bytes.count, expected: end) }
    guard header.typeCount > 0 else { throw ZoneError(.invalid("the file contains no offset")) }

    let timeSize = wide ? 8 : 4
    let times = header.dataStart
    let typeIndexes = times + header.timeCount * timeSize
    let typeRecords = typeIndexes + header.timeCount
    let abbreviations = typeRecords + header.typeCount * 6
    types = try Self.types(
      bytes, header: header, records: typeRecords, abbreviations: abbreviations)

    var transitions: [Transition] = []
    transitions.reserveCapacity(header.timeCount)
    var previous = Int.min
    for index in 0..<header.timeCount {
      let place = times + index * timeSize
      let time =
        wide
        ? Int(Int64(bitPattern: Self.bigEndian(bytes, at: place, UInt64.self)))
        : Int(Int32(bitPattern: Self.bigEndian(bytes, at: place, UInt32.self)))
      guard time > previous else {
        throw ZoneError(.invalid("clock change \(index) is not later than the one before it"))
      }
      previous = time
      let type = Int(bytes[typeIndexes + index])
      guard type < header.typeCount else {
        throw ZoneError(.invalid("a clock change refers to offset \(type), which is missing"))
      }
      transitions.append(
        Transition(
          instant: max(-Self.farthestInstant, min(time, Self.farthestInstant)), type: type))
    }
    self.transitions = transitions
    footer = wide ? try Self.footer(bytes[end...]) : nil
  }

  static func tooLong(_ count: Int) -> ZoneError {
    ZoneError(.invalid("too large for a time zone file: \(count) bytes"))
  }

  private static func cutOff(at count: Int, expected: Int) -> ZoneError {
    ZoneError(.invalid("the file is cut off: expected \(expected) bytes, got \(count)"))
  }

  private static func types(
    _ bytes: [UInt8], header: Header, records: Int, abbreviations: Int
  ) throws(ZoneError) -> [LocalTimeType] {
    var types: [LocalTimeType] = []
    types.reserveCapacity(header.typeCount)
    for index in 0..<header.typeCount {
      let record = records + index * 6
      let offset = Int(Int32(bitPattern: bigEndian(bytes, at: record, UInt32.self)))
      guard LocalTimeType.possibleOffsets.contains(offset) else {
        throw ZoneError(.invalid("invalid offset: \(offset) seconds"))
      }
      let name = Int(bytes[record + 5])
      let characters = bytes[abbreviations..<abbreviations + header.characterCount].dropFirst(name)
      guard let end = characters.firstIndex(of: 0) else {
        throw ZoneError(.invalid("an offset refers to abbreviation \(name), which is missing"))
      }
      types.append(
        LocalTimeType(
          utcOffset: offset, isDaylight: bytes[record + 4] != 0,
          abbreviation: String(decoding: characters[..<end], as: UTF8.self)))
    }
    return types
  }

  /// The text between the two line feeds at the end.
  private static func footer(_ rest: ArraySlice<UInt8>) throws(ZoneError) -> ZoneFooter? {
    let newline = UInt8(ascii: "\n")
    guard rest.first == newline else {
      throw cutOff(at: rest.endIndex, expected: rest.startIndex + 2)
    }
    let text = rest.dropFirst()
    guard let end = text.firstIndex(of: newline) else {
      throw cutOff(at: rest.endIndex, expected: rest.endIndex + 1)
    }
    guard end > text.startIndex else { return nil }
    do {
      return try ZoneFooter(parsing: text[..<end])
    } catch {
      throw ZoneError(.invalid("invalid rule at the end of the file: \(error)"))
    }
  }

  /// The caller has made sure that the bytes are there.
  @inline(__always)
  private static func bigEndian<Word: FixedWidthInteger>(
    _ bytes: [UInt8], at place: Int, _: Word.Type
  ) -> Word {
    var word: Word = 0
    for index in place..<place + MemoryLayout<Word>.size {
      word = word << 8 | Word(bytes[index])
    }
    return word
  }

  private struct Header {
    let version: UInt8
    let utIndicatorCount: Int
    let standardIndicatorCount: Int
    let leapCount: Int
    let timeCount: Int
    let typeCount: Int
    let characterCount: Int
    let dataStart: Int

    private static let length = 44

    init(_ bytes: [UInt8], at start: Int) throws(ZoneError) {
      guard bytes.dropFirst(start).starts(with: [0x54, 0x5A, 0x69, 0x66]) else {
        throw ZoneError(.invalid("not a time zone file (TZif)"))
      }
      let end = start + Self.length
      guard end <= bytes.count else { throw ZoneFile.cutOff(at: bytes.count, expected: end) }
      func count(_ index: Int) -> Int {
        Int(ZoneFile.bigEndian(bytes, at: start + 20 + index * 4, UInt32.self))
      }
      version = bytes[start + 4]
      utIndicatorCount = count(0)
      standardIndicatorCount = count(1)
      leapCount = count(2)
      timeCount = count(3)
      typeCount = count(4)
      characterCount = count(5)
      dataStart = end
    }

    /// Where the block ends; counts are 32 bits wide, so that nothing here can overflow.
    func end(wide: Bool) -> Int {
      let timeSize = wide ? 8 : 4
      return dataStart + timeCount * (timeSize + 1) + typeCount * 6 + characterCount
        + leapCount * (timeSize + 4) + standardIndicatorCount + utIndicatorCount
    }
  }
}
