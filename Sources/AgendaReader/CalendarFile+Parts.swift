package import AgendaCore

/// What a store keeps of a source beside its events.
extension CalendarFile {
  /// What a component became, by its ordinal.
  package func kind(ofComponent ordinal: Int) -> Event.Kind? {
    stubs.indices.contains(ordinal) ? stubs[ordinal].kind.eventKind : nil
  }

  /// The content lines of its VCALENDARs, as written, each ending with LF.
  package var calendarProperties: [UInt8] {
    var lines: [UInt8] = []
    for range in calendars.flatMap(\.properties) {
      lines += text.bytes.bytes(range)
      if lines.last != 0x0A { lines.append(0x0A) }
    }
    return lines
  }

  /// The whole components that are no event, task or journal: VTIMEZONE, VFREEBUSY, unknown ones.
  package var otherComponents: [(name: String, bytes: UnsafeBufferPointer<UInt8>)] {
    others.filter(\.isWhole).map { ($0.name, text.bytes.bytes($0.range)) }
  }
}
