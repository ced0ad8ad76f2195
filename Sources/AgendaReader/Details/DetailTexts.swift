/// The texts of a component that only its details show.
struct DetailTexts {
  let uid: String?
  let location: String?
  /// DESCRIPTION as readable text; where it says nothing, STYLED-DESCRIPTION or X-ALT-DESC.
  let description: String?

  private enum Kind: Int, CaseIterable {
    case uid, location, description, styled, alternative

    /// Whether a name that begins so can be one of them: most lines are not looked at further.
    static func canBegin(_ letter: UInt8) -> Bool {
      switch letter & ~0x20 {
      case UInt8(ascii: "U"), UInt8(ascii: "L"), UInt8(ascii: "D"), UInt8(ascii: "S"),
        UInt8(ascii: "X"):
        true
      default: false
      }
    }
  }

  init(_ stub: ComponentStub, of bytes: Bytes, _ room: UnfoldingRoom) {
    var slots = [PropertySlot?](repeating: nil, count: Kind.allCases.count)
    var last: Kind?
    var nesting = Nesting()
    var cursor = LineCursor(
      bytes, from: stub.range.lowerBound, to: stub.range.upperBound, line: Int(stub.line))
    _ = cursor.next()
    while let line = cursor.next() {
      let (name, nameEnd) = room.name(of: line, in: bytes)
      if name == .begin {
        nesting.begin(room.componentName(line, nameEnd: nameEnd, in: bytes))
      } else if name == .end {
        _ = nesting.end(room.componentName(line, nameEnd: nameEnd, in: bytes))
      } else if nesting.isEmpty {
        if ComponentSlots.isStray(name, line, nameEnd: nameEnd, bytes) {
          if let last {
            slots[last.rawValue]?.append(line)
          }
          continue
        }
        last = nil
        guard Kind.canBegin(bytes[line.start]) else { continue }
        let slot = PropertySlot(line: line, nameEnd: nameEnd)
        last = Self.kind(room.view(slot, of: bytes).name)
        if let last, slots[last.rawValue] == nil, nameEnd + 1 < line.end {
          slots[last.rawValue] = slot
        }
      }
    }
    func text(_ kind: Kind) -> String? {
      guard let slot = slots[kind.rawValue] else { return nil }
      let text = room.text(slot, of: bytes).trimmed
      return text.isEmpty ? nil : text
    }
    uid = text(.uid)
    location = text(.location)
    let written = text(.description) ?? text(.styled) ?? text(.alternative)
    let readable = written.map(ReadableText.plain)
    description = readable?.isEmpty ?? true ? nil : readable
  }

  private static func kind(_ name: Bytes) -> Kind? {
    if name.isName("UID") { return .uid }
    if name.isName("LOCATION") { return .location }
    if name.isName("DESCRIPTION") { return .description }
    if name.isName("STYLED-DESCRIPTION") { return .styled }
    if name.isName("X-ALT-DESC") { return .alternative }
    return nil
  }
}
