package import AgendaCore
internal import ICalendar

extension CalendarFile {
  /// The properties of an event that a listing does not need.
  package func details(of event: EventReference) -> EventDetails {
    decoder(of: event)?.details ?? EventDetails()
  }

  /// The bytes of an inline attachment; `nil` if the event has no attachment with that number, or
  /// if it is only an address.
  package func attachmentBytes(of event: EventReference, number: Int) -> [UInt8]? {
    decoder(of: event)?.attachmentBytes(number)
  }

  private func decoder(of event: EventReference) -> DetailsDecoder? {
    guard event.source == source, let stub = stub(event.component) else { return nil }
    let room = UnfoldingBuffer()
    room.isVersion1 = calendars[Int(stub.calendar)].isVersion1
    var decoder = DetailsDecoder(of: text.bytes.bytes, room)
    decoder.hasEntities = calendars[Int(stub.calendar)].producerOfHTML != nil
    decoder.read(stub)
    return decoder
  }

  /// The problems of the details and the rules of its components.
  package func detailFindings() -> [Finding] {
    guard stubs.contains(where: \.mayHaveProblems) else { return [] }
    var decoder = EventDecoder(self)
    let room = UnfoldingBuffer()
    var details = DetailsDecoder(of: text.bytes.bytes, room, isThorough: true)
    var findings: [Finding] = []
    let overridden = Set(
      stubs.lazy.filter { $0.mayHaveProblems && $0.isOverride }.map(\.uidDigest))
    let masters = Set(
      overridden.isEmpty
        ? []
        : stubs.lazy.map { $0.isOverride ? 0 : $0.uidDigest }.filter(overridden.contains))
    for (ordinal, stub) in stubs.enumerated() where stub.mayHaveProblems {
      defer { release(ordinal..<ordinal + 1) }
      findings += decoder.recurrenceFindings(at: ordinal, hasMaster: masters.contains)
      room.isVersion1 = calendars[Int(stub.calendar)].isVersion1
      details.read(stub)
      findings += details.findings
      if !findings.keepsGrouping() { break }
    }
    return findings
  }

  /// Facts about its rules that only a check of the whole file reports.
  package func ruleNotes() -> [Finding] {
    var decoder = EventDecoder(self)
    var notes: [Finding] = []
    for ordinal in stubs.indices {
      notes += decoder.ruleNotes(at: ordinal)
      if !notes.keepsGrouping() { break }
    }
    return notes.grouped
  }
}
