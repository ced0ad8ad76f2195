public import AgendaCore
internal import ICalendar

extension CalendarFile {
  /// Everything about an event that its place in an agenda does not need.
  public func details(of event: EventReference) -> EventDetails {
    decoder(of: event)?.details ?? EventDetails()
  }

  /// The bytes of an attachment that stands in the file; `nil` where there is none of that number,
  /// or where it is a reference.
  public func attachmentBytes(of event: EventReference, number: Int) -> [UInt8]? {
    decoder(of: event)?.attachmentBytes(number)
  }

  private func decoder(of event: EventReference) -> DetailsDecoder? {
    guard event.source == source, let stub = stub(event.component) else { return nil }
    var decoder = DetailsDecoder(of: text.bytes.bytes, UnfoldingBuffer())
    decoder.read(stub)
    return decoder
  }

  /// What is wrong with the details and the rules of its components, which only a check of the
  /// whole asks for.
  public func detailFindings() -> [Finding] {
    var decoder = EventDecoder(self)
    var details = DetailsDecoder(of: text.bytes.bytes, UnfoldingBuffer(), isThorough: true)
    var findings: [Finding] = []
    for (ordinal, stub) in stubs.enumerated() {
      findings += decoder.ruleFindings(at: ordinal)
      details.read(stub)
      findings += details.findings
      if findings.count > ScanResult.mostFindings { break }
    }
    return findings
  }
}
