/// A key that was typed.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, tab, backTab, backspace, delete, insert
    case function(Int)
  }

  package var code: Code
  package var control = false
  package var alt = false

  package init(_ code: Code, control: Bool = false, alt: Bool = false) {
    (self.code, self.control, self.alt) = (code, control, alt)
  }

  /// A letter without modifiers.
  var character: Character? {
    guard !control, !alt, case .character(let character) = code else { return nil }
    return character
  }
}

extension Key: CustomStringConvertible {
  private static let names: [(name: String, code: Code)] = [
    ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("PageUp", .pageUp),
    ("PageDown", .pageDown), ("Home", .home), ("End", .end), ("Enter", .enter), ("Esc", .escape),
    ("Tab", .tab), ("Shift-Tab", .backTab), ("Backspace", .backspace), ("Delete", .delete),
    ("Insert", .insert), ("Space", .character(" ")),
  ]

  /// `x`, `Space`, `PageUp`, `Ctrl-S`, `F5`
  package var description: String {
    let name: String =
      switch code {
      case .character(" "): "Space"
      case .character(let character): control ? character.uppercased() : String(character)
      case .function(let number): "F\(number)"
      default: Self.names.first { $0.code == code }?.name ?? ""
      }
    return (control ? "Ctrl-" : "") + (alt ? "Alt-" : "") + name
  }

  /// Reads what `description` writes, in any letter case except for a single letter; `nil` if it is no
  /// key.
  package init?(_ text: String) {
    var rest = Substring(text)
    var (control, alt) = (false, false)
    while true {
      if rest.lowercased().hasPrefix("ctrl-"), rest.count > 5 {
        control = true
        rest = rest.dropFirst(5)
      } else if rest.lowercased().hasPrefix("alt-"), rest.count > 4 {
        alt = true
        rest = rest.dropFirst(4)
      } else {
        break
      }
    }
    if rest.count == 1, let character = rest.first,
      character.unicodeScalars.first?.value ?? 0 > 0x20
    {
      self.init(
        .character(control ? Character(character.lowercased()) : character), control: control,
        alt: alt)
      return
    }
    let lower = rest.lowercased()
    if let code = Self.names.first(where: { $0.name.lowercased() == lower })?.code {
      self.init(code, control: control, alt: alt)
    } else if lower.first == "f", let number = Int(lower.dropFirst()), (1...12).contains(number) {
      self.init(.function(number), control: control, alt: alt)
    } else {
      return nil
    }
  }
}

/// What a person does with a mouse. Columns and rows count from 0.
package struct MouseEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case press, drag, release, scrollUp, scrollDown }

  package var kind: Kind
  package var column: Int
  package var row: Int

  package init(_ kind: Kind, column: Int, row: Int) {
    (self.kind, self.column, self.row) = (kind, column, row)
  }
}

/// What a terminal sends.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text that was pasted as a whole, so that it is not taken for keys.
  case paste(String)
}
