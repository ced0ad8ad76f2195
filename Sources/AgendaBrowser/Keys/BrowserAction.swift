/// What a key can do. The raw value is its name in the configuration.
package enum BrowserAction: String, CaseIterable, Sendable {
  case previousEntry = "previous-entry"
  case nextEntry = "next-entry"
  case previousDay = "previous-day"
  case nextDay = "next-day"
  case pageUp = "page-up"
  case pageDown = "page-down"
  case firstEntry = "first-entry"
  case lastEntry = "last-entry"
  case list, day, week, month, year, tasks
  case today
  case goTo = "go-to"
  case details
  case search
  case nextMatch = "next-match"
  case previousMatch = "previous-match"
  case calendars
  case add, edit, editor, remove
  case later, earlier
  case dayLater = "day-later"
  case dayEarlier = "day-earlier"
  case done, reply, explain, open, undo, redo, refresh, settle, help, quit

  /// Whether it does something with the selected entry.
  var isAboutEntry: Bool {
    switch self {
    case .edit, .editor, .remove, .later, .earlier, .dayLater, .dayEarlier, .done, .reply, .explain,
      .open:
      true
    default: false
    }
  }
}

/// Which key does what.
package struct KeyBindings: Sendable {
  private var actions: [Key: BrowserAction] = [:]
  /// In the order in which help names them.
  private var keys: [BrowserAction: [Key]] = [:]

  /// The keys of the manual.
  package static let usual: KeyBindings = {
    var bindings = KeyBindings()
    func bind(_ action: BrowserAction, _ codes: Key.Code...) {
      for code in codes { bindings.bind(Key(code), to: action) }
    }
    bind(.previousEntry, .up, .character("k"))
    bind(.nextEntry, .down, .character("j"))
    bind(.previousDay, .left, .character("h"))
    bind(.nextDay, .right, .character("l"))
    bind(.pageUp, .pageUp)
    bind(.pageDown, .pageDown)
    bind(.firstEntry, .home)
    bind(.lastEntry, .end)
    bind(.list, .character("1"))
    bind(.day, .character("2"))
    bind(.week, .character("3"))
    bind(.month, .character("4"))
    bind(.year, .character("5"))
    bind(.tasks, .character("6"))
    bind(.today, .character("t"))
    bind(.goTo, .character("g"))
    bind(.details, .enter)
    bind(.search, .character("/"))
    bind(.nextMatch, .character("n"))
    bind(.previousMatch, .character("N"))
    bind(.calendars, .character("c"))
    bind(.add, .character("a"))
    bind(.edit, .character("e"))
    bind(.editor, .character("E"))
    bind(.remove, .character("x"))
    bind(.later, .character("+"))
    bind(.earlier, .character("-"))
    bind(.dayLater, .character(">"))
    bind(.dayEarlier, .character("<"))
    bind(.done, .character(" "))
    bind(.reply, .character("r"))
    bind(.explain, .character("i"))
    bind(.open, .character("o"))
    bind(.undo, .character("u"))
    bind(.redo, .character("U"))
    bind(.refresh, .character("R"))
    bind(.settle, .character("C"))
    bind(.help, .character("?"))
    bind(.quit, .character("q"))
    bindings.bind(Key(.character("c"), control: true), to: .quit)
    return bindings
  }()

  package init() {}

  package func action(of key: Key) -> BrowserAction? { actions[key] }

  package func keys(of action: BrowserAction) -> [Key] { keys[action] ?? [] }

  private mutating func bind(_ key: Key, to action: BrowserAction) {
    if let previous = actions[key] { keys[previous]?.removeAll { $0 == key } }
    actions[key] = action
    keys[action, default: []].append(key)
  }

  /// Why a text is not a binding.
  package enum Mistake: Error {
    case form
    case unknownAction(String)
    case unknownKey(String)
  }

  /// Adds `done = D` or `done=D, F2`. The key loses what it did.
  package mutating func bind(_ text: String) throws(Mistake) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { throw .form }
    func trimmed(_ part: Substring) -> String {
      var part = part
      while part.first == " " { part.removeFirst() }
      while part.last == " " { part.removeLast() }
      return String(part)
    }
    let name = trimmed(text[..<equals])
    guard let action = BrowserAction(rawValue: name) else { throw .unknownAction(name) }
    let list = text[text.index(after: equals)...]
    // A comma can be a key itself.
    let names = list.count > 1 ? list.split(separator: ",").map(trimmed) : [trimmed(list)]
    guard !names.isEmpty else { throw .form }
    for name in names {
      guard let key = Key(name) else { throw .unknownKey(name) }
      bind(key, to: action)
    }
  }
}
