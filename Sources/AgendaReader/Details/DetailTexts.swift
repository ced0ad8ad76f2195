internal import ICalendar

/// The positions of the texts of a component that only its details contain.
struct DetailTexts {
  private(set) var uid: PropertySlot?
  private(set) var location: PropertySlot?
  private(set) var description: PropertySlot?
  private(set) var styledDescription: PropertySlot?
  private(set) var alternativeDescription: PropertySlot?
  /// The last text that was found, and its end. A line without a name belongs to it.
  private var last: PropertyName?
  private var lastEnd = 0
  /// A text without a value. A line without a name after it gives it one.
  private var empty: PropertySlot?

  /// Records a line of the component itself. The first line of each kind of text counts.
  @inline(__always)
  mutating func read(_ name: PropertyName, _ line: ContentLine, nameEnd: Int, bytes: Bytes) {
    if name == .stray {
      append(line, bytes)
      return
    }
    (last, empty) = (nil, nil)
    let slot = PropertySlot(line: line, nameEnd: nameEnd)
    let isFirst =
      switch name {
      case .uid: Self.keep(slot, in: &uid, or: &empty)
      case .location: Self.keep(slot, in: &location, or: &empty)
      case .description: Self.keep(slot, in: &description, or: &empty)
      case .styledDescription: Self.keep(slot, in: &styledDescription, or: &empty)
      case .alternativeDescription: Self.keep(slot, in: &alternativeDescription, or: &empty)
      default: false
      }
    if isFirst { (last, lastEnd) = (name, line.end) }
  }

  /// Keeps the first text of its kind. An empty text says nothing, and is kept in `empty`.
  @inline(__always)
  private static func keep(
    _ slot: PropertySlot, in text: inout PropertySlot?, or empty: inout PropertySlot?
  ) -> Bool {
    guard text == nil else { return false }
    if slot.isEmpty { empty = slot } else { text = slot }
    return true
  }

  private mutating func append(_ line: ContentLine, _ bytes: Bytes) {
    guard last != nil, line.follows(lastEnd, in: bytes) else { return }
    lastEnd = line.end
    if empty != nil, bytes.part(line.start, line.end).trimmed.isEmpty { return }
    switch last {
    case .uid: Self.append(line, to: &uid, after: empty)
    case .location: Self.append(line, to: &location, after: empty)
    case .description: Self.append(line, to: &description, after: empty)
    case .styledDescription: Self.append(line, to: &styledDescription, after: empty)
    case .alternativeDescription: Self.append(line, to: &alternativeDescription, after: empty)
    default: break
    }
    empty = nil
  }

  private static func append(
    _ line: ContentLine, to text: inout PropertySlot?, after empty: PropertySlot?
  ) {
    text = text ?? empty
    text?.append(line)
  }
}
