internal import AgendaCore
internal import ICalendar

/// The problems of the present component, in the order in which they were found.
struct ComponentFindings {
  private(set) var all: [Finding] = []
  private(set) var component = ""
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
    self.uid = uid
  }

  /// Reports a problem with a part of a property's line, given as a range of the unfolded line.
  /// Without a range it is the name.
  @inline(never)
  mutating func report(
    _ severity: Finding.Severity, _ kind: Finding.Kind, _ slot: PropertySlot,
    _ range: Range<Int>? = nil
  ) {
    let name = room.view(slot, of: bytes).name.text.uppercased()
    let (line, place) = UnfoldingBuffer.place(
      of: range ?? 0..<slot.nameLength, line: slot.line, in: bytes)
    report(severity, kind, line: line, place: place, property: name)
  }

  /// Reports a problem with the component as a whole.
  mutating func report(
    _ severity: Finding.Severity, _ kind: Finding.Kind, line: Int, place: Range<Int>? = nil,
    property: String? = nil
  ) {
    all.append(
      Finding(
        severity, kind, line: line, place: place, component: component,
        uid: uid.map { room.text($0, of: bytes) }, property: property))
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

extension Finding.Kind {
  init(_ problem: CharsetProblem) {
    self =
      switch problem {
      case .notUTF8: .textNotUTF8
      case .unsupported(let name): .unsupportedCharset(name)
      case .noConverter(let name): .missingConverter(name)
      case .invalid(let name): .textNotInCharset(name)
      }
  }
}
