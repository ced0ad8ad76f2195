/// The only way in which data reaches text: without anything that a terminal, a pager or a mail
/// program would act on instead of show.
///
/// - Line breaks, tabs and other white space of any kind become single spaces.
/// - Other control characters (C0, DEL, C1: escape sequences begin with one) become `�`.
/// - Marks that change the direction of text, byte order marks, invisible operators, soft hyphens and
///   tags are left out. Joiners stay: Persian and emoji are made with them.
public enum SafeText {
  /// One line of harmless text: `"a\u{1b}[31m\tb"` becomes `a�[31m b`.
  public static func line(_ text: String) -> String {
    if isPlain(text) { return text }
    var safe: [UInt8] = []
    safe.reserveCapacity(text.utf8.count)
    let space = UInt8(ascii: " ")
    var isFlag = false
    for scalar in text.unicodeScalars {
      // A flag of a region is a black flag and tags. All other tags could only hide text.
      if isTag(scalar) {
        if isFlag { safe.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
        continue
      }
      isFlag = scalar.value == 0x1f3f4
      if isSpace(scalar) {
        if safe.last != space, !safe.isEmpty { safe.append(space) }
      } else if isControl(scalar) {
        safe.append(contentsOf: "\u{fffd}".utf8)
      } else if !isInvisible(scalar) {
        safe.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    if safe.last == space { safe.removeLast() }
    return String(decoding: safe, as: UTF8.self)
  }

  /// Harmless text with its line breaks: one element per line. Of several blank lines in a row one
  /// is kept, and none at the end.
  public static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let line = line(String(part))
      if line.isEmpty, lines.last?.isEmpty ?? true { continue }
      lines.append(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The lines of a file in UTF-8, for a terminal: line ends and tabs stay. Other control characters,
  /// and marks that change the direction of text or hide it, become `�`.
  public static func file(_ bytes: [UInt8]) -> [UInt8] {
    var safe: [UInt8] = []
    safe.reserveCapacity(bytes.count)
    // A return without a new line would let text cover what is before it in its line.
    var isReturnHeld = false
    func append(_ scalar: Unicode.Scalar) { safe += UTF8.encode(scalar) ?? .init() }
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isReturnHeld { append(scalar == "\n" ? "\r" : "\u{fffd}") }
      isReturnHeld = scalar == "\r"
      if isReturnHeld { continue }
      append(scalar == "\t" || scalar == "\n" || !isUnsafe(scalar) ? scalar : "\u{fffd}")
    }
    if isReturnHeld { append("\u{fffd}") }
    return safe
  }

  /// Whether the text has nothing but printable characters and spaces.
  static func isHarmless(_ text: String) -> Bool { isPlain(text, withSpacesAnywhere: true) }

  /// Whether the text is already one harmless line, as nearly all texts are: printable characters
  /// with single spaces between them. It looks at bytes, and of those that are not ASCII only at
  /// bytes that can begin an unsafe character.
  private static func isPlain(_ text: String, withSpacesAnywhere: Bool = false) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var previous = UInt8(ascii: " ")
      for index in bytes.indices {
        let byte = bytes[index]
        if byte < 0x80 {
          guard byte >= 0x20, byte < 0x7f else { return false }
          if byte == UInt8(ascii: " "), previous == byte, !withSpacesAnywhere { return false }
        } else if byte >= 0xc0 {
          let next = index + 1 < bytes.count ? bytes[index + 1] : 0
          switch (byte, next) {
          // C1 controls, the no-break space, the soft hyphen; the Arabic letter mark.
          case (0xc2, 0x80...0xa0), (0xc2, 0xad), (0xd8, 0x9c): return false
          // U+1680, U+180E; general punctuation with its spaces and marks; U+3000.
          case (0xe1, 0x9a), (0xe1, 0xa0): return false
          case (0xe2, 0x80):
            let last = index + 2 < bytes.count ? bytes[index + 2] : 0
            if last <= 0x8b || last == 0x8e || last == 0x8f || (0xa8...0xaf).contains(last) {
              return false
            }
          case (0xe2, 0x81): return false
          case (0xe3, 0x80): if index + 2 < bytes.count, bytes[index + 2] == 0x80 { return false }
          // The byte order mark and annotations.
          case (0xef, 0xbb), (0xef, 0xbf): return false
          // Shorthand, musical format characters, tags.
          case (0xf0, 0x9b), (0xf0, 0x9d), (0xf3, _): return false
          default: break
          }
        }
        previous = byte
      }
      return bytes.isEmpty || withSpacesAnywhere || previous != UInt8(ascii: " ")
    }
  }

  /// Whether a terminal or an editor might act on the character instead of showing it.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    isControl(scalar) || isInvisible(scalar) || isTag(scalar)
      || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
      0x3000:
      true
    default: false
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1f, 0x7f...0x9f: true
    default: false
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Soft hyphen, Arabic letter mark, Mongolian vowel separator, zero width space, left-to-right and
    // right-to-left mark, embeddings and overrides, word joiner and invisible operators, isolates and
    // deprecated format characters, byte order mark, interlinear annotations and object replacement,
    // musical and shorthand format characters.
    case 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x202a...0x202e, 0x2060...0x206f, 0xfeff,
      0xfff9...0xfffc, 0x1bca0...0x1bca3, 0x1d173...0x1d17a:
      true
    default: false
    }
  }

  private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
    (0xe0000...0xe007f).contains(scalar.value)
  }
}
