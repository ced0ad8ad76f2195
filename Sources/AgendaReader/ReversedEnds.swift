internal import AgendaCore
internal import ICalendar

/// The components that end before they start although their local times do not show it. To find
/// them, the zones must be known, and so the whole source.
struct ReversedEnds {
  private(set) var findings: [Finding] = []

  init(of file: CalendarFile) {
    guard file.stubs.contains(where: \.mayEndEarly) else { return }
    var decoder = EventDecoder(file)
    for (ordinal, stub) in file.stubs.enumerated() where stub.mayEndEarly {
      defer { file.release(ordinal..<ordinal + 1) }
      guard let event = decoder.event(at: ordinal), event.extent == .unstated,
        let slot = stub.kind == .task ? decoder.slots.due : decoder.slots.finish
      else { continue }
      var component = ComponentFindings(of: file.text.bytes.bytes)
      component.begin(stub.kind, uid: decoder.slots.uid)
      component.report(.endBeforeStart, slot)
      findings += component.all
    }
  }
}
