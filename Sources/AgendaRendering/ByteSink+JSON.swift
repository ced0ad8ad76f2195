// JSON (RFC 8259). Characters that a terminal would act on are escaped too, so that the document
// can be printed on a terminal.

/// Objects and arrays. The sink puts the commas between keys.
///
///     sink.beginObject()
///     sink.field("title", event.title)
///     sink.array("categories", event.categories) { $0.write(json: $1) }
///     sink.endObject()
extension ByteSink {
  package mutating func beginObject() {
    write(UInt8(ascii: "{"))
    isAtFirstKey = true
  }

  package mutating func endObject() {
    write(UInt8(ascii: "}"))
    isAtFirstKey = false
  }

  /// Writes a key; its value must follow.
  @inline(__always)
  package mutating func key(_ key: JSONKey) {
    let name = key.name
    let length = min(name.utf8CodeUnitCount, Self.longestKey)
    let comma = isAtFirstKey ? 0 : 1
    isAtFirstKey = false
    writePiece { piece in
      piece[0] = UInt8(ascii: ",")
      piece[comma] = UInt8(ascii: "\"")
      (piece + comma + 1).update(from: name.utf8Start, count: length)
      piece[comma + length + 1] = UInt8(ascii: "\"")
      piece[comma + length + 2] = UInt8(ascii: ":")
      return comma + length + 3
    }
  }

  /// A piece also contains two quotes, a comma and a colon.
  private static let longestKey = 59

  package mutating func field(_ key: JSONKey, _ text: String?) {
    self.key(key)
    write(json: text)
  }

  package mutating func field(_ key: JSONKey, _ number: Int?) {
    self.key(key)
    write(json: number)
  }

  package mutating func field(_ key: JSONKey, isTrue: Bool) {
    self.key(key)
    write(isTrue ? "true" : "false" as StaticString)
  }

  /// Writes a key that is known only at run time.
  package mutating func key(named name: String) {
    if !isAtFirstKey { write(UInt8(ascii: ",")) }
    isAtFirstKey = false
    write(json: name)
    write(UInt8(ascii: ":"))
  }

  /// Writes a key and an array whose items `item` writes.
  package mutating func array<Items: Sequence>(
    _ key: JSONKey, _ items: Items, _ item: (inout ByteSink, Items.Element) -> Void
  ) {
    self.key(key)
    array(items, item)
  }

  package mutating func array<Items: Sequence>(
    _ items: Items, _ item: (inout ByteSink, Items.Element) -> Void
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

  /// Writes a string that needs no escapes: a time or a number.
  @inline(__always)
  mutating func quote(_ body: (inout ByteSink) -> Void) {
    write(UInt8(ascii: "\""))
    body(&self)
    write(UInt8(ascii: "\""))
  }
}

/// Values.
extension ByteSink {
  package mutating func write(json text: String) {
    var text = text
    write(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var plain = 0
      var index = 0
      while true {
        index = Self.endOfPlain(in: bytes, from: index)
        guard index < bytes.count else { break }
        if bytes[index] < 0x80 {
          write(UnsafeBufferPointer(rebasing: bytes[plain..<index]))
          write(jsonEscapeOf: bytes[index])
          index += 1
          plain = index
        } else {
          let (scalar, length) = Self.scalar(in: bytes, at: index)
          if SafeText.isUnsafe(scalar) {
            write(UnsafeBufferPointer(rebasing: bytes[plain..<index]))
            for unit in String(Character(scalar)).utf16 { write(jsonUnit: unit) }
            plain = index + length
          }
          index += length
        }
      }
      write(UnsafeBufferPointer(rebasing: bytes[plain...]))
    }
    write(UInt8(ascii: "\""))
  }

  /// The index of the first byte at or after `start` that is not printable ASCII or has to be
  /// escaped. It checks eight bytes at a time.
  private static func endOfPlain(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let all: UInt64 = 0x0101_0101_0101_0101
    func hasZero(_ word: UInt64) -> UInt64 { (word &- all) & ~word }
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return start }
    var index = start
    while index &+ 8 <= bytes.count {
      let word = (base + index).loadUnaligned(as: UInt64.self)
      // The high bit is set for each byte that is not ASCII, or is below a space, a quote, a
      // backslash or DEL.
      let found =
        word | (word &- all &* 0x20) | hasZero(word ^ all &* 0x22) | hasZero(word ^ all &* 0x5c)
        | hasZero(word ^ all &* 0x7f)
      guard found & (all &* 0x80) == 0 else { break }
      index &+= 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      guard byte >= 0x20, byte < 0x7f, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
      else { break }
      index &+= 1
    }
    return index
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
