public import AgendaCore

extension CalendarFile {
  /// Everything about an event that its place in an agenda does not need.
  public func details(of event: EventReference) -> EventDetails {
    guard let stub = stub(of: event) else { return EventDetails() }
    return DetailsDecoder(stub, of: text.bytes.bytes, UnfoldingRoom()).details
  }

  /// The details with another part for libical than it has.
  package func details(of event: EventReference, libical: LibicalUse) -> EventDetails {
    guard let stub = stub(of: event) else { return EventDetails() }
    return DetailsDecoder(stub, of: text.bytes.bytes, UnfoldingRoom(), libical: libical).details
  }

  /// The bytes of an attachment that stands in the file; `nil` where there is none of that number,
  /// or where it is a reference.
  public func attachmentBytes(of event: EventReference, number: Int) -> [UInt8]? {
    guard let stub = stub(of: event) else { return nil }
    let bytes = text.bytes.bytes
    let room = UnfoldingRoom()
    let properties = DetailsText(stub.range, line: Int(stub.line), of: bytes, room).properties
    guard number > 0, let attachment = properties.first(where: { $0.attachmentNumber == number }),
      attachment.byteCount != nil
    else { return nil }
    return room.decodedBase64(attachment.slot, of: bytes)
  }

  /// What is wrong with the details and the rules of its components, which only a check of the
  /// whole asks for.
  public func detailFindings() -> [Finding] {
    let room = UnfoldingRoom()
    var decoder = EventDecoder(self)
    var findings: [Finding] = []
    for (ordinal, stub) in stubs.enumerated() {
      findings += decoder.ruleFindings(at: ordinal)
      findings += DetailsDecoder(stub, of: text.bytes.bytes, room, isThorough: true).findings
      if findings.count > ScanResult.mostFindings { break }
    }
    return findings
  }

  private func stub(of event: EventReference) -> ComponentStub? {
    event.source == source ? stub(event.component) : nil
  }
}
