/// Reads the bytes of a terminal as keys, mouse events and pasted text. A sequence can come in pieces.
///
/// It understands the cursor and function keys of the Linux console, xterm, tmux and screen, xterm's
/// mouse reports in their SGR form, bracketed paste, and the key codes of kitty's keyboard protocol
/// (`CSI number ; modifiers u`).
package struct InputParser {
  private var bytes: [UInt8] = []
  /// The text of a paste that has not ended.
  private var pasted: [UInt8]?

  private static let escape: UInt8 = 0x1b
  private static let pasteEnd = Array("\u{1b}[201~".utf8)
  /// A longer one is not a sequence of the terminal.
  private static let longestSequence = 64
  /// More pasted text is left out.
  private static let mostPasted = 1 << 16

  package init() {}

  /// Whether an escape waits for the rest of its sequence. If none comes soon, it is the key.
  package var isWaiting: Bool { !bytes.isEmpty && pasted == nil }

  package mutating func read(_ more: [UInt8]) -> [InputEvent] {
    bytes += more
    return parse(isOver: false)
  }

  /// Takes what waits as it is, because nothing came after it.
  package mutating func finish() -> [InputEvent] { parse(isOver: true) }

  private mutating func parse(isOver: Bool) -> [InputEvent] {
    var events: [InputEvent] = []
    var place = 0
    while place < bytes.count {
      if pasted != nil {
        guard let end = readPaste(from: &place) else { break }
        events.append(.paste(end))
        continue
      }
      let rest = bytes[place...]
      switch Self.next(rest, isOver: isOver) {
      case .event(let event, let count):
        place += count
        if let event { events.append(event) }
      case .pasteStart(let count):
        place += count
        pasted = []
      case .incomplete:
        bytes.removeFirst(place)
        return events
      }
    }
    bytes.removeFirst(place)
    return events
  }

  private mutating func readPaste(from place: inout Int) -> String? {
    let rest = bytes[place...]
    if let end = rest.firstRange(of: Self.pasteEnd) {
      let text = (pasted ?? []) + rest[..<end.lowerBound]
      pasted = nil
      place = end.upperBound
      return String(decoding: text.prefix(Self.mostPasted), as: UTF8.self)
    }
    // The end of the paste can be cut in two.
    let keep = min(rest.count, Self.pasteEnd.count - 1)
    let taken = rest.count - keep
    if (pasted?.count ?? 0) < Self.mostPasted { pasted? += rest.prefix(taken) }
    place += taken
    return nil
  }

  private enum Item {
    case event(InputEvent?, count: Int)
    case pasteStart(count: Int)
    case incomplete
  }

  private static func next(_ rest: ArraySlice<UInt8>, isOver: Bool) -> Item {
    guard let first = rest.first else { return .incomplete }
    guard first == escape else { return plain(rest, isOver: isOver) }
    let second = rest.dropFirst().first
    guard let second else {
      return isOver ? .event(.key(Key(.escape)), count: 1) : .incomplete
    }
    switch second {
    case UInt8(ascii: "["): return sequence(rest, isOver: isOver)
    case UInt8(ascii: "O"):
      guard let third = rest.dropFirst(2).first else {
        return isOver ? .event(.key(Key(.character("O"), alt: true)), count: 2) : .incomplete
      }
      guard third >= 0x20 else { return .event(.key(Key(.character("O"), alt: true)), count: 2) }
      return .event(letterKey(third, modifiers: 1).map(InputEvent.key), count: 3)
    // A control character after an escape is a key of its own, so that Control-C always quits.
    case escape, 0x01...0x08, 0x0b, 0x0c, 0x0e...0x1a: return .event(.key(Key(.escape)), count: 1)
    default:
      // Alt sends an escape before the key.
      switch plain(rest.dropFirst(), isOver: isOver) {
      case .event(.key(var key), let count):
        key.alt = true
        return .event(.key(key), count: count + 1)
      case .event(let event, let count): return .event(event, count: count + 1)
      case let other: return other
      }
    }
  }

  /// A letter in UTF-8, or a control character.
  private static func plain(_ rest: ArraySlice<UInt8>, isOver: Bool) -> Item {
    guard let first = rest.first else { return .incomplete }
    switch first {
    case 0x0d, 0x0a: return .event(.key(Key(.enter)), count: 1)
    case 0x09: return .event(.key(Key(.tab)), count: 1)
    case 0x7f, 0x08: return .event(.key(Key(.backspace)), count: 1)
    case 0x00: return .event(.key(Key(.character(" "), control: true)), count: 1)
    case 0x01...0x1a:
      let letter = Character(Unicode.Scalar(first + 0x60))
      return .event(.key(Key(.character(letter), control: true)), count: 1)
    case 0x1c...0x1f: return .event(nil, count: 1)
    case 0x20..<0x7f:
      return .event(.key(Key(.character(Character(Unicode.Scalar(first))))), count: 1)
    default: break
    }
    let length =
      switch first {
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 1
      }
    guard length > 1 else { return .event(nil, count: 1) }
    let letter = rest.prefix(length)
    guard letter.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 }) else { return .event(nil, count: 1) }
    guard letter.count == length else {
      return isOver ? .event(nil, count: letter.count) : .incomplete
    }
    let text = String(decoding: letter, as: UTF8.self)
    let key = text.first.map { InputEvent.key(Key(.character($0))) }
    return .event(key, count: length)
  }

  /// `ESC [ parameters final`
  private static func sequence(_ rest: ArraySlice<UInt8>, isOver: Bool) -> Item {
    let body = rest.dropFirst(2)
    // The Linux console sends ESC [ [ A for F1.
    if body.first == UInt8(ascii: "[") {
      guard let letter = body.dropFirst().first else {
        return isOver ? .event(nil, count: rest.count) : .incomplete
      }
      guard letter >= 0x20 else { return .event(nil, count: 3) }
      let number = Int(letter) - 0x40
      return .event((1...5).contains(number) ? .key(Key(.function(number))) : nil, count: 4)
    }
    guard let end = body.firstIndex(where: { (0x40...0x7e).contains($0) || $0 < 0x20 }) else {
      return isOver || rest.count > longestSequence ? .event(nil, count: rest.count) : .incomplete
    }
    let count = end - rest.startIndex + 1
    let final = body[end]
    guard final >= 0x40 else { return .event(nil, count: count - 1) }
    let parameters = String(decoding: body[..<end], as: UTF8.self)
    if parameters.hasPrefix("<") {
      return .event(
        mouse(parameters.dropFirst(), isPress: final == UInt8(ascii: "M")), count: count)
    }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { part in
      part.split(separator: ":").first.flatMap { Int($0) }
    }
    let first = numbers.first.flatMap { $0 } ?? 1
    let modifiers = numbers.dropFirst().first.flatMap { $0 } ?? 1
    switch final {
    case UInt8(ascii: "~"):
      if first == 200 { return .pasteStart(count: count) }
      return .event(numberedKey(first, modifiers: modifiers).map(InputEvent.key), count: count)
    case UInt8(ascii: "u"):
      return .event(codeKey(first, modifiers: modifiers).map(InputEvent.key), count: count)
    default:
      return .event(letterKey(final, modifiers: modifiers).map(InputEvent.key), count: count)
    }
  }

  private static func key(_ code: Key.Code, modifiers: Int) -> Key {
    let bits = max(0, modifiers - 1)
    return Key(code, control: bits & 4 != 0, alt: bits & 2 != 0)
  }

  private static func letterKey(_ letter: UInt8, modifiers: Int) -> Key? {
    let code: Key.Code? =
      switch letter {
      case UInt8(ascii: "A"): .up
      case UInt8(ascii: "B"): .down
      case UInt8(ascii: "C"): .right
      case UInt8(ascii: "D"): .left
      case UInt8(ascii: "H"): .home
      case UInt8(ascii: "F"): .end
      case UInt8(ascii: "M"): .enter
      case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 0x4f)
      case UInt8(ascii: "Z"): .backTab
      default: nil
      }
    return code.map { key($0, modifiers: modifiers) }
  }

  private static func numberedKey(_ number: Int, modifiers: Int) -> Key? {
    let code: Key.Code? =
      switch number {
      case 1, 7: .home
      case 2: .insert
      case 3: .delete
      case 4, 8: .end
      case 5: .pageUp
      case 6: .pageDown
      case 11...15: .function(number - 10)
      case 17...21: .function(number - 11)
      case 23, 24: .function(number - 12)
      default: nil
      }
    return code.map { key($0, modifiers: modifiers) }
  }

  /// A key of kitty's protocol, by its code point.
  private static func codeKey(_ point: Int, modifiers: Int) -> Key? {
    switch point {
    case 13, 57414: return key(.enter, modifiers: modifiers)
    case 27: return key(.escape, modifiers: modifiers)
    case 9: return key((modifiers - 1) & 1 != 0 ? .backTab : .tab, modifiers: modifiers)
    case 127: return key(.backspace, modifiers: modifiers)
    default:
      guard point >= 0x20, let scalar = UInt32(exactly: point).flatMap(Unicode.Scalar.init),
        // Keys without a letter have private code points.
        !(0xe000...0xf8ff).contains(scalar.value)
      else { return nil }
      let isShifted = (modifiers - 1) & 1 != 0
      let letter = Character(scalar)
      let shifted = isShifted ? letter.uppercased().first ?? letter : letter
      return key(.character(shifted), modifiers: modifiers)
    }
  }

  private static func mouse(_ parameters: Substring, isPress: Bool) -> InputEvent? {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let (button, column, row) = (numbers[0], numbers[1] - 1, numbers[2] - 1)
    let kind: MouseEvent.Kind? =
      switch button & ~0b11100 {
      case 64: .scrollUp
      case 65: .scrollDown
      case 0: isPress ? .press : .release
      case 32: .drag
      default: nil
      }
    return kind.map { .mouse(MouseEvent($0, column: column, row: row)) }
  }
}
