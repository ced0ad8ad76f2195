extension String {
  /// Without the white space around it.
  var trimmed: String {
    // Nearly every text has ASCII at both ends, and no blank there.
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
  /// What follows a beginning, which is given in capitals, in any letter case; `nil` where it begins
  /// otherwise.
  func dropping(_ beginning: StaticString) -> String? {
    var text = self
    let begins = text.withUTF8 { $0.beginsWithName(beginning) }
    return begins
      ? String(Substring(text.utf8.dropFirst(beginning.utf8CodeUnitCount))) : nil
  }
}

extension Unicode.Scalar {
  /// White_Space of Unicode. The library's own test looks all properties of the character up.
  fileprivate var isWhiteSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }
}
