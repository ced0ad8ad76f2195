/// Quoted-printable values of vCalendar 1.0, which old phones and Outlook still write.
package enum QuotedPrintable {
  /// Decodes a value of vCalendar 1.0. A `=` at its end is a soft line break before an empty line, as
  /// Outlook writes it.
  package static func decode(_ value: Bytes) -> [UInt8] {
    decodeEscapes(value.last == 0x3D ? value.part(0, value.count - 1) : value)
  }

  /// Decodes `=C3`, or `%C3` with another escape character; one without two hexadecimal digits stays.
  package static func decodeEscapes(_ bytes: Bytes, escape: UInt8 = 0x3D) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == escape, index + 2 < bytes.count,
        let high = hexadecimal(bytes[index + 1]), let low = hexadecimal(bytes[index + 2])
      {
        plain.append(high << 4 | low)
        index += 3
      } else {
        plain.append(bytes[index])
        index += 1
      }
    }
    return plain
  }

  /// The number of bytes before the `=` that ends a line. RFC 2045 6.7 allows blanks after it.
  package static func softBreak(in line: some BidirectionalCollection<UInt8>) -> Int? {
    let blanks = line.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
    let text = line.dropLast(blanks)
    return text.last == 0x3D ? text.count - 1 : nil
  }

  /// Whether a line goes on with the rest of a character: `text` ends with an escape such as `=C3`,
  /// and the bytes at `start` are one that can't begin a character, such as `=A9`. A blank between
  /// them is then that of a fold.
  static func continuesCharacter(
    _ text: some BidirectionalCollection<UInt8>, with bytes: Bytes, at start: Int, to end: Int
  ) -> Bool {
    let last = Array(text.suffix(3))
    guard start + 2 < end, bytes[start] == 0x3D, let high = hexadecimal(bytes[start + 1]),
      last.count == 3, last[0] == 0x3D, let before = hexadecimal(last[1])
    else { return false }
    return (0x8...0xB).contains(high) && before >= 0x8
  }

  /// Whether the bytes at `start` are probably the rest of an escape from which a fold separates its
  /// `=`, and not text after a soft line break: two digits in capitals (RFC 2045 6.7) that are
  /// neither a letter nor a digit, which no producer encodes, nor a control character other than
  /// TAB, LF and CR. So `=` before ` 10 Uhr` is a soft line break.
  static func continuesEscape(_ bytes: Bytes, at start: Int, to end: Int) -> Bool {
    guard start + 1 < end, bytes[start] < 0x60, bytes[start + 1] < 0x60,
      let high = hexadecimal(bytes[start]), let low = hexadecimal(bytes[start + 1])
    else { return false }
    let byte = high << 4 | low
    return byte >= 0x20 ? !byte.isDigit && !byte.isLetter : [0x09, 0x0A, 0x0D].contains(byte)
  }

  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

extension [UInt8] {
  /// The UTF-8 of the value of an unfolded content line in quoted-printable or Base64; `nil` for plain
  /// text.
  package var decodedText: [UInt8]? {
    let room = UnfoldingBuffer()
    return withUnsafeBufferPointer { bytes in
      var cursor = LineCursor(bytes, from: 0, to: bytes.count)
      guard let line = cursor.next() else { return nil }
      let nameEnd = room.name(of: line, in: bytes).nameEnd
      return room.decodedText(PropertySlot(line: line, nameEnd: nameEnd), of: bytes)
    }
  }
}
