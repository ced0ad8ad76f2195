internal import ICalendar

/// The positions of the texts of a component that only its details contain.
struct DetailTexts {
  private(set) var uid: PropertySlot?
  private(set) var location: PropertySlot?
  private(set) var description: PropertySlot?
  private(set) var styledDescription: PropertySlot?
  private(set) var alternativeDescription: PropertySlot?
  /// The last text that was found. A line without a name belongs to it.
  private var last: PropertyName?

  /// Records a line of the component itself. The first line of each kind of text counts.
  @inline(__always)
  mutating func read(_ name: PropertyName, _ line: ContentLine, nameEnd: Int) {
    if name == .stray {
      append(line)
      return
    }
    last = nil
    // An empty text says nothing.
    guard nameEnd &+ 1 < line.end else { return }
    let slot = PropertySlot(line: line, nameEnd: nameEnd)
    switch name {
    case .uid: if uid == nil { (uid, last) = (slot, name) }
    case .location: if location == nil { (location, last) = (slot, name) }
    case .description: if description == nil { (description, last) = (slot, name) }
    case .styledDescription:
      if styledDescription == nil { (styledDescription, last) = (slot, name) }
    case .alternativeDescription:
      if alternativeDescription == nil { (alternativeDescription, last) = (slot, name) }
    default: break
    }
  }

  private mutating func append(_ line: ContentLine) {
    switch last {
    case .uid: uid?.append(line)
    case .location: location?.append(line)
    case .description: description?.append(line)
    case .styledDescription: styledDescription?.append(line)
    case .alternativeDescription: alternativeDescription?.append(line)
    default: break
    }
  }
}
