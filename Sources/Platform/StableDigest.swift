/// FNV-1a over 64 bits: a digest that no seed of the process, no platform and no version changes.
///
/// It finds equal values quickly. It does not resist somebody who looks for two texts with the same
/// digest.
package struct StableDigest: Sendable {
  /// The digest of everything added so far.
  @usableFromInline package var value: UInt64

  /// `seed` is the offset basis of FNV-1a, or another number for a second, independent digest.
  @inlinable
  package init(seed: UInt64 = 0xcbf2_9ce4_8422_2325) { value = seed }

  @inlinable
  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  @inlinable
  package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// Adds a text, closed by a byte that UTF-8 never has, so that two texts never run together.
  @inlinable
  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff as UInt8)
  }

  /// Adds all eight bytes, the lowest first.
  @inlinable
  package mutating func add(_ number: Int) {
    for shift in stride(from: 0, to: 64, by: 8) {
      add(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
