/// Text for searching and sorting by name: in lower case, with Latin letters without their accents,
/// as UTF-8.
package struct FoldedText: Hashable, Comparable, Sendable {
  package private(set) var bytes: [UInt8]

  package init(_ text: String) {
    bytes = []
    add(text)
  }

  /// An empty text.
  package init() { bytes = [] }

  /// Adds a text at the end.
  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      bytes.reserveCapacity(bytes.count + utf8.count)
      var place = 0
      while place < utf8.count {
        let byte = utf8[place]
        if byte < 0x80 {
          bytes.append(byte.isUpperLetter ? byte | 0x20 : byte)
          place += 1
          continue
        }
        if let character = utf8.characterWithoutCase(at: place) {
          bytes.append(contentsOf: character)
          place = character.endIndex
          continue
        }
        // The part up to the next ASCII character.
        let end = utf8[place...].firstIndex { $0 < 0x80 } ?? utf8.count
        for scalar in String(decoding: utf8[place..<end], as: UTF8.self).unicodeScalars {
          add(scalar)
        }
        place = end
      }
    }
  }

  /// Adds a scalar that is not ASCII.
  private mutating func add(_ scalar: Unicode.Scalar) {
    guard !scalar.isCombiningAccent else { return }
    for lower in scalar.properties.lowercaseMapping.unicodeScalars
    where !lower.isCombiningAccent {
      let letter = LatinLetter.base(of: lower.withoutFinalForm)
      bytes.append(contentsOf: UTF8.encode(letter) ?? .init())
    }
  }

  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether this text contains the other one.
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

  /// σ instead of the ς at the end of a word: both have the capital letter Σ.
  fileprivate var withoutFinalForm: Unicode.Scalar { self == "ς" ? "σ" : self }
}

extension UnsafeBufferPointer<UInt8> {
  /// A character or syllable with three bytes in UTF-8, in a script without letter case: kana, CJK,
  /// Hangul. The bytes are a valid text, so the character is complete.
  fileprivate func characterWithoutCase(at place: Int) -> Slice<Self>? {
    guard place + 3 <= count else { return nil }
    let value =
      UInt32(self[place] & 0x0f) << 12 | UInt32(self[place + 1] & 0x3f) << 6
      | UInt32(self[place + 2] & 0x3f)
    guard self[place] & 0xf0 == 0xe0, 0x3041...0x9fff ~= value || 0xac00...0xd7a3 ~= value else {
      return nil
    }
    return self[place..<place + 3]
  }
}

extension UInt8 {
  fileprivate var isUpperLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= self }
}
