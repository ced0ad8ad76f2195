internal import AgendaCore
internal import ICalendar
internal import Platform

/// The bytes of a source for the scanner: in UTF-8 or a superset of ASCII, without a byte order
/// mark and without NUL. A source that already has this form is not copied.
struct SourceText {
  let bytes: SourceBytes
  /// The position of the text, after a byte order mark.
  let start: Int
  var findings: [Finding] = []

  init(_ source: SourceBytes, encoding: TextEncoding?) throws(ReaderError) {
    let all = source.bytes
    let found = encoding ?? Self.encoding(of: all)
    switch found {
    case .utf8:
      bytes = source
    case .utf16, .utf16LittleEndian, .utf16BigEndian:
      let (text, isWhole) = Self.transcodeUTF16(all, as: found)
      bytes = text
      if !isWhole {
        findings.append(.invalidUTF16)
      }
    // Text that claims to be ISO 8859-1 never contains C1 controls. It is read as Windows-1252, as
    // on the web.
    case .windows1252, .latin1: bytes = SourceBytes(Windows1252.utf8(all))
    default:
      guard var converter = found.converter else { throw .noConverter(encoding: found.name) }
      let (text, isWhole) = converter.utf8(all)
      bytes = SourceBytes(text)
      if !isWhole {
        findings.append(.invalidText(encoding: found.name))
      }
    }
    start = bytes.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  private init(bytes: SourceBytes, start: Int, findings: [Finding]) {
    self.bytes = bytes
    self.start = start
    self.findings = findings
  }

  /// The bytes after the byte order mark.
  var withoutMark: Bytes { bytes.bytes.part(start, bytes.count) }

  /// The same without its NUL bytes, and a warning about them.
  func withoutNULs() -> SourceText {
    let all = bytes.bytes
    guard let first = bytes.firstIndex(of: 0, from: start) else { return self }
    let kept = SourceBytes(capacity: all.count) { room in
      var length = 0
      for byte in all where byte != 0 {
        room[length] = byte
        length += 1
      }
      return length
    }
    let dropped = all.count - kept.count
    let finding = Finding.nulBytes(dropped).at(line: LineIndex.line(at: first, in: all))
    return SourceText(bytes: kept, start: start, findings: findings + [finding])
  }

  /// By the byte order mark, or by the positions of zero bytes: a calendar begins with ASCII
  /// letters, blanks or line ends.
  private static func encoding(of bytes: Bytes) -> TextEncoding {
    guard bytes.count >= 4 else { return .utf8 }
    func isASCII(_ byte: UInt8) -> Bool { byte.isLetter || byte.isBlank }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0xFF, 0xFE, _, _): return .utf16LittleEndian
    case (0xFE, 0xFF, _, _): return .utf16BigEndian
    case (let first, 0, let second, 0) where isASCII(first) && isASCII(second):
      return .utf16LittleEndian
    case (0, let first, 0, let second) where isASCII(first) && isASCII(second):
      return .utf16BigEndian
    default: return .utf8
    }
  }

  private static func transcodeUTF16(
    _ bytes: Bytes, as encoding: TextEncoding
  ) -> (SourceBytes, isWhole: Bool) {
    var isBigEndian = encoding == .utf16BigEndian
    var index = 0
    if bytes.count >= 2 {
      if bytes[0] == 0xFF, bytes[1] == 0xFE {
        isBigEndian = false
        index = 2
      } else if bytes[0] == 0xFE, bytes[1] == 0xFF {
        isBigEndian = true
        index = 2
      }
    }
    let firstUnit = index
    var unitCount = 0
    var units = AnyIterator<UInt16> {
      let position = firstUnit + 2 * unitCount
      guard position + 1 < bytes.count else { return nil }
      unitCount += 1
      let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var isWhole = (bytes.count - firstUnit) % 2 == 0
    var decoder = UTF16()
    // Two bytes become at most three bytes.
    let text = SourceBytes(capacity: bytes.count / 2 * 3 + 3) { room in
      var length = 0
      func append(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          room[length] = byte
          length += 1
        }
      }
      reading: while true {
        switch decoder.decode(&units) {
        case .scalarValue(let scalar): append(scalar)
        case .emptyInput: break reading
        case .error:
          isWhole = false
          append("\u{FFFD}")
        }
      }
      return length
    }
    return (text, isWhole)
  }
}
