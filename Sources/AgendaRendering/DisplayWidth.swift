/// The number of terminal columns for a text.
///
/// Letters of East Asian scripts and emoji take two columns, and combining marks none. Characters
/// that a joiner or a variation selector combines to one picture take two together.
package enum DisplayWidth {
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  package static func of(_ character: Character) -> Int {
    if character.isASCII { return character.isNewline ? 0 : 1 }
    var columns = 0
    var previous: Unicode.Scalar?
    var isJoined = false
    for scalar in character.unicodeScalars {
      switch scalar.value {
      case emojiVariation:
        if columns == 1, let previous, previous.properties.isEmoji { columns = 2 }
      case zeroWidthJoiner:
        isJoined = true
      case regionalIndicators where previous.map({ regionalIndicators ~= $0.value }) == true:
        columns = 2
      default:
        if isJoined {
          isJoined = false
          // An emoji after a joiner is part of the picture. A letter after a joiner is not.
          if !scalar.properties.isEmoji { columns += of(scalar) }
        } else if !scalar.properties.isEmojiModifier || columns == 0 {
          columns += of(scalar)
        }
      }
      previous = scalar
    }
    return columns
  }

  private static let emojiVariation: UInt32 = 0xfe0f
  private static let zeroWidthJoiner: UInt32 = 0x200d
  private static let regionalIndicators: ClosedRange<UInt32> = 0x1f1e6...0x1f1ff

  package static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    // Latin, Greek and Cyrillic letters and most punctuation.
    if value < 0x300 { return value < 0x20 || (0x7f...0x9f).contains(value) ? 0 : 1 }
    if contains(DisplayWidthTable.two, value) { return 2 }
    return contains(DisplayWidthTable.zero, value) ? 0 : 1
  }

  private static func contains(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value {
        low = middle + 1
      } else if ranges[middle].lowerBound > value {
        high = middle
      } else {
        return true
      }
    }
    return false
  }
}
