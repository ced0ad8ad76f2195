extension String {
  /// Without the white space at both ends.
  package var trimmed: String {
    // Most texts begin and end with an ASCII character that is not white space.
    guard let first = utf8.first, let last = utf8.last,
      first.isBlank || last.isBlank || first >= 0x80 || last >= 0x80
    else { return self }
    var rest = Substring(self)
    while let first = rest.unicodeScalars.first, first.isWhiteSpace {
      rest.unicodeScalars.removeFirst()
    }
    while let last = rest.unicodeScalars.last, last.isWhiteSpace {
      rest.unicodeScalars.removeLast()
    }
    if rest.utf8.count == utf8.count { return self }
    return String(rest)
  }
}

extension String {
  /// The rest after `beginning`, which must be in capitals and matches any letter case; `nil` if
  /// the string begins differently.
  package func dropping(_ beginning: StaticString) -> String? {
    var text = self
    return text.withUTF8 { bytes in
      guard bytes.beginsWithName(beginning) else { return nil }
      return bytes.part(beginning.utf8CodeUnitCount, bytes.count).text
    }
  }
}

extension Unicode.Scalar {
  /// White_Space of Unicode. The standard library's own property is slower: it looks up all
  /// properties of the character.
  fileprivate var isWhiteSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }
}
