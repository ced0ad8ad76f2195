/// Writes numbers and texts one after the other. Columns with lists have this form.
package struct PackedBytesWriter {
  package private(set) var bytes: [UInt8] = []

  /// Reserves memory for this number of bytes.
  package init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes seven bits per byte, with the sign in the lowest bit.
  package mutating func add(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number &<< 1) ^ Int64(number >> 63))
    if rest < 0x80 { return bytes.append(UInt8(rest)) }
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func add(_ list: [UInt8]) {
    add(list.count)
    bytes += list
  }

  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 {
      add($0.count)
      bytes.append(contentsOf: $0)
    }
  }

  package mutating func add(_ text: String?) {
    add(text == nil ? 0 : 1)
    if let text { add(text) }
  }
}

/// Reads the bytes of `PackedBytesWriter`. If they are cut off or out of range, it returns `nil`,
/// and never traps.
package struct PackedBytesReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  package var isAtEnd: Bool { position >= bytes.count }

  package mutating func number() -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 {
        return Int(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
      }
      shift += 7
    }
    return nil
  }

  package mutating func list() -> [UInt8]? {
    guard let count = number(), count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  package mutating func text() -> String? {
    guard let count = number(), count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  /// The outer optional is `nil` if the bytes are damaged, the inner one if no text was written.
  package mutating func optionalText() -> String?? {
    switch number() {
    case 0: .some(nil)
    case 1: text().map { .some($0) }
    default: nil
    }
  }
}
