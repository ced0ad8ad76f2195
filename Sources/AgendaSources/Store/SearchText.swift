internal import AgendaCore
internal import AgendaStore

/// A text in the form in which the search index holds it. It is folded in the same way as the words
/// of a search. In scripts without spaces, each character is a separate word, so that each can be
/// found within its sentence.
struct SearchText {
  /// In UTF-8, with each text on a separate line.
  private(set) var bytes: [UInt8] = []
  private var folded = FoldedText()

  /// The first byte of a character that is a word by itself is never lower than this one.
  private static let leastLeadByte: UInt8 = 0xe0

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func add(_ text: String?) {
    guard let text, !text.isEmpty else { return }
    folded.removeAll()
    folded.add(text)
    folded.bytes.withUnsafeBufferPointer { folded in
      var begin = 0
      var place = 0
      while place < folded.count {
        guard folded[place] >= Self.leastLeadByte, let scalar = Self.scalar(folded, at: place)
        else {
          place += 1
          continue
        }
        let end = place + UTF8.width(scalar)
        if scalar.standsAlone {
          bytes.append(contentsOf: folded[begin..<place])
          bytes.append(UInt8(ascii: " "))
          bytes.append(contentsOf: folded[place..<end])
          bytes.append(UInt8(ascii: " "))
          begin = end
        }
        place = end
      }
      bytes.append(contentsOf: folded[begin...])
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A scalar of three or four bytes.
  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Unicode.Scalar? {
    let count = bytes[place] < 0xf0 ? 3 : 4
    guard place + count <= bytes.count else { return nil }
    var value = UInt32(bytes[place]) & (count == 3 ? 0x0f : 0x07)
    for byte in bytes[place + 1..<place + count] { value = value << 6 | UInt32(byte & 0x3f) }
    return Unicode.Scalar(value)
  }

  /// A query of FTS5 for all texts that contain the words, also within longer words. It can find
  /// other texts too. `nil` if the index does not narrow the search.
  ///
  /// FTS5 only finds the beginnings of words. `termsContaining` returns the words of the index that
  /// contain a part of a word, or `nil` if there are too many of them.
  static func query(
    _ words: [String], termsContaining: (String) throws(StoreError) -> [String]?
  ) throws(StoreError) -> String? {
    var conditions: [String] = []
    for word in words {
      let tokens = tokens(of: word)
      if tokens.allSatisfy(\.standsAlone) {
        let phrase = tokens.map { "\"\($0.text)\"" }.joined(separator: " + ")
        if !phrase.isEmpty { conditions.append(phrase) }
        continue
      }
      for token in tokens {
        guard let terms = try termsContaining(token.text) else { continue }
        let choices = ["\"\(token.text)\"*"] + terms.map { "\"\($0)\"" }
        conditions.append("(\(choices.joined(separator: " OR ")))")
      }
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }

  /// A part of a word, as the index holds it.
  private struct Token {
    var text: String
    /// Whether it is one character of a script without spaces.
    var standsAlone = false
  }

  /// The runs of letters and digits, as the tokenizer of the index splits them.
  private static func tokens(of word: String) -> [Token] {
    var tokens: [Token] = []
    var token = ""
    func end() {
      if !token.isEmpty { tokens.append(Token(text: token)) }
      token = ""
    }
    for scalar in String(decoding: FoldedText(word).bytes, as: UTF8.self).unicodeScalars {
      if scalar.standsAlone {
        end()
        tokens.append(Token(text: String(Character(scalar)), standsAlone: true))
      } else if scalar.isOfWord {
        token.unicodeScalars.append(scalar)
      } else {
        end()
      }
    }
    end()
    return tokens
  }
}

extension Unicode.Scalar {
  /// Chinese characters, Japanese and Korean syllables, Thai, Lao, Khmer and Burmese letters.
  fileprivate var standsAlone: Bool {
    switch value {
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x3040...0x30ff, 0x3400...0x4dbf,
      0x4e00...0x9fff, 0xac00...0xd7a3, 0xf900...0xfaff, 0x20000...0x3ffff:
      isOfWord
    default: false
    }
  }

  /// The characters that unicode61 treats as parts of a word: letters, digits, marks and private
  /// characters.
  fileprivate var isOfWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }
}
