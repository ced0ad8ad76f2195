internal import AgendaCore
internal import ICalendar

/// What a component is for the assembly of series.
enum ComponentMethod {
  /// A version of an event.
  case version
  case message(Message.Method)
  /// COUNTER, DECLINECOUNTER and REFRESH change nothing.
  case ignored
}

extension CalendarFile {
  func method(ofComponent number: Int) -> ComponentMethod {
    guard let calendar = stub(number).map({ calendars[Int($0.calendar)] }) else { return .ignored }
    if calendar.isCancellation { return .message(.cancel) }
    if calendar.isReply { return .message(.reply) }
    if calendar.isAddition { return .message(.add) }
    return calendar.isAnswer ? .ignored : .version
  }

  /// Whether any component is a message.
  var hasMessages: Bool {
    calendars.contains { $0.isCancellation || $0.isAnswer || $0.isAddition }
  }

  /// Whether a component is a cancellation or an answer, which is no version of an event.
  package func isMessage(_ number: Int) -> Bool {
    stub(number).map { calendars[Int($0.calendar)].isMessage } ?? false
  }

  package func isCancellation(_ number: Int) -> Bool {
    stub(number).map { calendars[Int($0.calendar)].isCancellation } ?? false
  }

  /// The UIDs of its messages.
  var uidsOfMessages: Set<UInt64> {
    guard hasMessages else { return [] }
    let digests = uidDigests
    return Set(
      stubs.indices.lazy.filter { ordinal in
        let calendar = self.calendars[Int(self.stubs[ordinal].calendar)]
        return calendar.isCancellation || calendar.isReply || calendar.isAddition
      }.map { digests[$0] })
  }

  /// Whether it contains only cancellations and answers for events of other sources. A VFREEBUSY in
  /// an answer has busy times itself (RFC 5546 3.3.3).
  package var hasOnlyMessages: Bool {
    !stubs.isEmpty && freeBusyCount == 0
      && stubs.allSatisfy { calendars[Int($0.calendar)].isMessage }
  }

  /// Whether it contains only messages about events of other sources, as a mail does.
  package var isMail: Bool {
    !stubs.isEmpty && freeBusyCount == 0
      && stubs.allSatisfy {
        let calendar = calendars[Int($0.calendar)]
        return calendar.isMessage || calendar.isAddition
      }
  }

  /// Whether the user hides an event with a component. Only decisions of the user can do that.
  func hides(_ number: Int) -> Bool { isDecision(number, "X-AGENDA-HIDDEN") }

  /// Whether the user completes a task with a component.
  func completes(_ number: Int) -> Bool { isDecision(number, "X-AGENDA-COMPLETED") }

  private func isDecision(_ number: Int, _ name: StaticString) -> Bool {
    guard case .calendars = messageScope else { return false }
    return withComponent(number) { bytes in
      ComponentText(Array(bytes)).own(name).contains {
        $0.content.elementsEqual("\(name):TRUE".utf8)
      }
    } ?? false
  }
}
