/// A 64-bit digest of bytes and numbers under a random key of the store, so that an attacker cannot
/// prepare texts whose digests collide.
///
/// Each step multiplies two words into 128 bits and folds the halves together. It detects changes
/// and damage, at several bytes per cycle; it is not a signature.
package struct ContentDigest: Hashable, Sendable {
  private var state: UInt64
  private var length: UInt64 = 0

  package init(key: UInt64) {
    state = key ^ Self.words.0
  }

  // The fractional digits of pi: numbers that hide nothing.
  private static let words: (UInt64, UInt64, UInt64, UInt64) = (
    0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89
  )

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  /// Adds a number to the digest.
  package mutating func add(_ number: UInt64) {
    state = Self.fold(state ^ number, Self.words.1)
    length &+= 8
  }

  package mutating func add(_ number: Int) {
    add(UInt64(bitPattern: Int64(number)))
  }

  /// Adds bytes and their number, so that `ab` + `c` differs from `a` + `bc`.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    var (first, second, third, fourth) = (state, state ^ Self.words.1, ~state, state ^ Self.words.2)
    // Four lanes, so that the multiplications do not wait for each other.
    while rest.count >= 64 {
      first = Self.fold(
        first ^ rest.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        Self.words.1 ^ rest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      second = Self.fold(
        second ^ rest.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
        Self.words.2 ^ rest.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      third = Self.fold(
        third ^ rest.loadUnaligned(fromByteOffset: 32, as: UInt64.self),
        Self.words.3 ^ rest.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
      fourth = Self.fold(
        fourth ^ rest.loadUnaligned(fromByteOffset: 48, as: UInt64.self),
        Self.words.0 ^ rest.loadUnaligned(fromByteOffset: 56, as: UInt64.self))
      rest = UnsafeRawBufferPointer(rebasing: rest[64...])
    }
    if bytes.count >= 64 {
      state =
        Self.fold(first ^ Self.words.2, second) &+ Self.fold(third ^ Self.words.3, fourth | 1)
    }
    while rest.count >= 16 {
      state = Self.fold(
        state ^ rest.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        Self.words.1 ^ rest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      rest = UnsafeRawBufferPointer(rebasing: rest[16...])
    }
    var (low, high): (UInt64, UInt64) = (0, 0)
    if rest.count >= 8 {
      low = rest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      high = rest.loadUnaligned(fromByteOffset: rest.count - 8, as: UInt64.self)
    } else {
      for byte in rest { low = low << 8 | UInt64(byte) }
    }
    length &+= UInt64(bytes.count)
    state = Self.fold(
      state ^ low ^ Self.words.3, Self.words.1 ^ high ^ UInt64(bytes.count) &* Self.words.2)
  }

  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add($0) }
  }

  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// The digest of everything that was added, as SQLite can hold it.
  package var value: Int {
    Int(
      Int64(bitPattern: Self.fold(state ^ Self.words.2, length ^ Self.words.3) ^ state))
  }
}
