/// Text as searching and sorting by name see it: in lower case, Latin letters without their
/// accents, as UTF-8.
package struct FoldedText: Hashable, Comparable, Sendable {
  package private(set) var bytes: [UInt8]

  package init(_ text: String) {
    bytes = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
        bytes.append(isUpper ? byte | 0x20 : byte)
      } else if !scalar.isCombiningAccent {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars
        where !lower.isCombiningAccent {
          bytes.append(contentsOf: String(Character(LatinLetter.base(of: lower))).utf8)
        }
      }
    }
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether the other text stands anywhere in this one.
  package func contains(_ other: FoldedText) -> Bool {
    guard let first = other.bytes.first else { return true }
    let count = other.bytes.count
    guard count <= bytes.count else { return false }
    return bytes.withUnsafeBufferPointer { text in
      other.bytes.withUnsafeBufferPointer { word in
        for start in 0...(text.count - count) where text[start] == first {
          if text[start..<(start + count)].elementsEqual(word) { return true }
        }
        return false
      }
    }
  }

  package static func < (left: FoldedText, right: FoldedText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension Unicode.Scalar {
  /// The block of accents that combine with the letter before them.
  fileprivate var isCombiningAccent: Bool { (0x300...0x36f) ~= value }
}
