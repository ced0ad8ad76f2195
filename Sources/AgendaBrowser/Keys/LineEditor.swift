/// A line of text that a person types.
package struct LineEditor: Hashable, Sendable {
  private(set) var characters: [Character]
  private(set) var cursor: Int

  /// More is not taken.
  private static let mostCharacters = 10_000

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  package var text: String { String(characters) }

  /// Inserts text at the cursor. Line ends and tabs become spaces, other control characters are left out.
  mutating func insert(_ text: String) {
    for character in text where characters.count < Self.mostCharacters {
      let isBlank = character.isNewline || character == "\t"
      let scalars = character.unicodeScalars
      if !isBlank, scalars.contains(where: { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) })
      {
        continue
      }
      characters.insert(isBlank ? " " : character, at: cursor)
      cursor += 1
    }
  }

  /// Returns whether the key belongs to the line.
  mutating func handle(_ key: Key) -> Bool {
    if let character = key.character {
      insert(String(character))
      return true
    }
    if key.control, case .character(let letter) = key.code {
      switch letter {
      case "a": cursor = 0
      case "e": cursor = characters.count
      case "u":
        characters.removeSubrange(..<cursor)
        cursor = 0
      case "k": characters.removeSubrange(cursor...)
      case "w":
        let start = wordStart
        characters.removeSubrange(start..<cursor)
        cursor = start
      default: return false
      }
      return true
    }
    switch key.code {
    case .left: cursor = key.control ? wordStart : max(0, cursor - 1)
    case .right: cursor = key.control ? wordEnd : min(characters.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = characters.count
    case .backspace:
      guard cursor > 0 else { return true }
      cursor -= 1
      characters.remove(at: cursor)
    case .delete: if cursor < characters.count { characters.remove(at: cursor) }
    default: return false
    }
    return true
  }

  private var wordStart: Int {
    var place = cursor
    while place > 0, characters[place - 1] == " " { place -= 1 }
    while place > 0, characters[place - 1] != " " { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    var place = cursor
    while place < characters.count, characters[place] == " " { place += 1 }
    while place < characters.count, characters[place] != " " { place += 1 }
    return place
  }
}
