internal import AgendaCore
internal import ICalendar

/// The problems of the present component, in the order in which they were found.
struct ComponentFindings {
  private(set) var all: [Finding] = []
  private(set) var kind = ComponentKind.event
  private(set) var uid: PropertySlot?
  /// If not, problems are only counted.
  var isNeeded = true
  private(set) var unmadeCount = 0
  private let bytes: Bytes
  /// A separate buffer for unfolding: the decoder is using its own when it reports a finding.
  private let room = UnfoldingBuffer()

  init(of bytes: Bytes) {
    self.bytes = bytes
  }

  /// Forgets the previous component.
  mutating func begin(_ kind: ComponentKind, uid: PropertySlot?) {
    all.removeAll(keepingCapacity: true)
    unmadeCount = 0
    self.kind = kind
    self.uid = uid
  }

  /// Reports a problem with a part of a property's line, given as a range of the unfolded line.
  /// Without a range it is the name.
  @inline(never)
  mutating func report(
    _ finding: @autoclosure () -> Finding, _ slot: PropertySlot, _ range: Range<Int>? = nil
  ) {
    guard isNeeded else {
      unmadeCount += 1
      return
    }
    let (line, place) = UnfoldingBuffer.place(
      of: range ?? 0..<slot.nameLength, line: slot.line, in: bytes)
    add(finding(), line: line, place: place, property: name(of: slot))
  }

  /// Reports a problem with a property that is missing.
  mutating func report(_ finding: @autoclosure () -> Finding, line: Int, missing property: String) {
    if isNeeded { add(finding(), line: line, property: property) } else { unmadeCount += 1 }
  }

  private mutating func add(
    _ finding: Finding, line: Int, place: Range<Int>? = nil, property: String
  ) {
    all.append(
      finding.at(
        line: line, place: place, component: kind.name,
        uid: uid.map { room.text($0, of: bytes) }, property: property))
  }

  /// The name of a property, as findings print it.
  func name(of slot: PropertySlot) -> String {
    room.view(slot, of: bytes).name.text.uppercased()
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A value, shortened for a message.
  var excerpt: String {
    let longest = 64
    guard count > longest else { return trimmed.text }
    var end = longest
    // A character is never split.
    while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return part(0, end).trimmed.text + "…"
  }
}
