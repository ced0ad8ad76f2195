internal import AgendaCore
internal import ICalendar

/// The problems of the present component, in the order in which they were found.
struct ComponentFindings {
  private(set) var all: [Finding] = []
  private(set) var component = ""
  /// What people call the component.
  private(set) var noun = ""
  private(set) var uid: PropertySlot?
  private let bytes: Bytes
  /// A separate buffer for unfolding: the decoder is using its own when it reports a finding.
  private let room = UnfoldingBuffer()

  init(of bytes: Bytes) {
    self.bytes = bytes
  }

  /// Forgets the previous component.
  mutating func begin(_ kind: ComponentKind, uid: PropertySlot?) {
    all.removeAll(keepingCapacity: true)
    component = kind.name
    noun = kind.eventKind.noun
    self.uid = uid
  }

  /// Reports a problem with a part of a property's line, given as a range of the unfolded line.
  /// Without a range it is the name.
  @inline(never)
  mutating func report(
    _ severity: Finding.Severity, _ slot: PropertySlot, _ range: Range<Int>?, _ message: String,
    action: String
  ) {
    let name = room.view(slot, of: bytes).name.text.uppercased()
    let (line, place) = UnfoldingBuffer.place(
      of: range ?? 0..<slot.nameLength, line: slot.line, in: bytes)
    report(severity, line: line, place: place, property: name, message, action: action)
  }

  /// Reports a problem with the component as a whole.
  mutating func report(
    _ severity: Finding.Severity, line: Int, place: Range<Int>? = nil, property: String? = nil,
    _ message: String, action: String
  ) {
    all.append(
      Finding(
        severity: severity, line: line, place: place, component: component,
        uid: uid.map { room.text($0, of: bytes) }, property: property, message: message,
        action: action))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A value in quotes, shortened for a message.
  var quoted: String {
    let longest = 64
    guard count > longest else { return "\"\(trimmed.text)\"" }
    var end = longest
    // A character is never split.
    while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return "\"\(part(0, end).trimmed.text)…\""
  }
}
