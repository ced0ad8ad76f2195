public import AgendaCore

extension CalendarFile {
  /// Everything about an event that its place in an agenda does not need.
  public func details(of event: EventReference) -> EventDetails {
    EventDetails()
  }

  /// The bytes of an attachment that stands in the file; `nil` where there is none of that number,
  /// or where it is a reference.
  public func attachmentBytes(of event: EventReference, number: Int) -> [UInt8]? {
    nil
  }
}
