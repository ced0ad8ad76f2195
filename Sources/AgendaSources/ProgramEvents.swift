package import AgendaCore
package import AgendaReader
internal import Platform

/// Events that a program made. Each keeps its own details.
package final class ProgramEvents: EventSource {
  private let events: [Event]
  /// For each event, the number of the first event with the same content.
  private let contents: [EventContent]

  package init(_ events: [Event]) {
    var numbers: [Event: UInt64] = [:]
    contents = events.enumerated().map { index, event in
      let number = numbers[event] ?? UInt64(index)
      numbers[event] = number
      var digest = StableDigest()
      digest.add(event.location ?? "")
      digest.add(event.ownDetails?.description ?? "")
      return EventContent(event, meaning: number, lasting: digest.value, text: number)
    }
    // A program may use the same reference for several events, but a selection distinguishes them.
    self.events = events.enumerated().map { index, event in
      var event = event
      event.ownDetails = event.ownDetails ?? EventDetails()
      event.reference = EventReference(source: EventReference.own.source, component: index)
      return event
    }
  }

  package func calendars() -> [CalendarLabel] {
    Set(events.map(\.calendar)).sorted().map { CalendarLabel(name: $0, color: nil) }
  }

  package func series(_ query: SeriesQuery) -> [Series] {
    let wanted = events.filter {
      query.scope.admitsKind($0.kind) && query.selection.admitsKind($0.kind)
        && query.selection.admitsCalendar(named: $0.calendar)
    }
    return SeriesAssembly(wanted, content: { contents[$0.reference.component] }).series
  }

  package func details(of reference: EventReference) -> EventDetails {
    guard reference.source == EventReference.own.source,
      events.indices.contains(reference.component)
    else { return EventDetails() }
    return events[reference.component].ownDetails ?? EventDetails()
  }

  package func lines(of reference: EventReference) -> ComponentLines? { nil }
  package func calendarZoneName(of reference: EventReference) -> String? { nil }
  package func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? { nil }
  package func place(of reference: EventReference) -> SourcePlace? { nil }
}
