// JSON values (RFC 8259). What a terminal would act on is escaped too, so that the document can be
// looked at as it is.

extension ByteSink {
  package mutating func write(json text: String) {
    var text = text
    write(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var plain = 0
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x80 {
          if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7f {
            index += 1
            continue
          }
          write(contentsOf: bytes[plain..<index])
          write(jsonEscapeOf: byte)
          index += 1
          plain = index
        } else {
          let (scalar, length) = Self.scalar(in: bytes, at: index)
          if SafeText.isUnsafe(scalar) {
            write(contentsOf: bytes[plain..<index])
            for unit in String(Character(scalar)).utf16 { write(jsonUnit: unit) }
            plain = index + length
          }
          index += length
        }
      }
      write(contentsOf: bytes[plain...])
    }
    write(UInt8(ascii: "\""))
  }

  package mutating func write(json text: String?) {
    guard let text else { return write("null" as StaticString) }
    write(json: text)
  }

  package mutating func write(json flag: Bool) {
    write(flag ? "true" as StaticString : "false")
  }

  package mutating func write(json number: Int?) {
    guard let number else { return write("null" as StaticString) }
    write(number)
  }

  /// The items between brackets, written by `item`.
  package mutating func write<Items: Sequence>(
    jsonArray items: Items, _ item: (inout ByteSink, Items.Element) -> Void
  ) {
    write(UInt8(ascii: "["))
    var isFirst = true
    for element in items {
      if !isFirst { write(UInt8(ascii: ",")) }
      isFirst = false
      item(&self, element)
    }
    write(UInt8(ascii: "]"))
  }

  private mutating func write(jsonEscapeOf byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): write("\\\"" as StaticString)
    case UInt8(ascii: "\\"): write("\\\\" as StaticString)
    case 0x08: write("\\b" as StaticString)
    case 0x09: write("\\t" as StaticString)
    case 0x0a: write("\\n" as StaticString)
    case 0x0c: write("\\f" as StaticString)
    case 0x0d: write("\\r" as StaticString)
    default: write(jsonUnit: UInt16(byte))
    }
  }

  private mutating func write(jsonUnit unit: UInt16) {
    write("\\u" as StaticString)
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(unit >> UInt16(shift) & 0xf)
      write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// The scalar that begins at a lead byte of valid UTF-8, and how many bytes it takes.
  private static func scalar(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar, Int) {
    let lead = UInt32(bytes[index])
    let length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    guard index + length <= bytes.count else { return ("\u{fffd}", 1) }
    var value = lead & (0x7f >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset]) & 0x3f }
    return (Unicode.Scalar(value) ?? "\u{fffd}", length)
  }
}
