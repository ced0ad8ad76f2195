/// One word, string, operator or bracket of a condition.
struct ConditionToken {
  enum Kind: Equatable {
    case word(String)
    case string(String)
    case comparison(String)
    case open, close, end
  }

  let kind: Kind
  /// In characters from 1.
  let column: Int

  /// The token in the words of a message.
  var description: String {
    switch kind {
    case .word(let text), .comparison(let text): "\"\(text)\""
    case .string: "a quoted text"
    case .open: "\"(\""
    case .close: "\")\""
    case .end: "the end"
    }
  }

  func isKeyword(_ keyword: String) -> Bool {
    if case .word(let text) = kind { text.lowercased() == keyword } else { false }
  }

  /// Splits the text of a condition. The last token is the end.
  static func all(in text: String) throws(ConditionError) -> [ConditionToken] {
    let characters = Array(text)
    var tokens: [ConditionToken] = []
    var position = 0
    while position < characters.count {
      let start = position
      let character = characters[position]
      position += 1
      if character.isWhitespace { continue }
      let kind: Kind
      switch character {
      case "(": kind = .open
      case ")": kind = .close
      case "=", "~": kind = .comparison(String(character))
      case "<", ">", "!":
        let hasEqualsSign = position < characters.count && characters[position] == "="
        guard hasEqualsSign || character != "!" else {
          throw ConditionError(
            column: start + 1, problem: .other("unexpected \"!\"; use \"!=\" or \"not\""))
        }
        if hasEqualsSign { position += 1 }
        kind = .comparison(hasEqualsSign ? "\(character)=" : String(character))
      case "\"", "'":
        kind = .string(try string(in: characters, quote: character, at: &position))
      default:
        while position < characters.count, isPartOfWord(characters[position]) { position += 1 }
        kind = .word(String(characters[start..<position]))
      }
      tokens.append(ConditionToken(kind: kind, column: start + 1))
    }
    tokens.append(ConditionToken(kind: .end, column: characters.count + 1))
    return tokens
  }

  /// Reads up to the closing quote. A backslash makes the next quote or backslash part of the text.
  private static func string(
    in characters: [Character], quote: Character, at position: inout Int
  ) throws(ConditionError) -> String {
    let start = position
    var text = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == quote { return text }
      if character == "\\", position < characters.count,
        [quote, "\\"].contains(characters[position])
      {
        text.append(characters[position])
        position += 1
      } else {
        text.append(character)
      }
    }
    throw ConditionError(column: start, problem: .other("missing closing quote"))
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    !character.isWhitespace && !"()=~<>!\"".contains(character)
  }
}
